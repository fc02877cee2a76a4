//! The laws, over models of every construct.

use crate::strategies;

use mapwright_etf::{Compressor, Packing, WriterProfile};
use mapwright_testkit::{Refusal, laws, mutate};
use mapwright_wings::{Document, EncodeOptions, Model, ReadError, Shape};
use proptest::prelude::*;

fn refusal(error: &ReadError) -> Refusal {
    let at = error.position().filter(|at| at.space == mapwright_io::Space::File);
    Refusal::new(error.category().name(), at.map(|at| at.offset), error)
}

fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

fn read_model(bytes: &[u8]) -> Result<Model, Refusal> {
    read(bytes)?.model().map_err(|error| refusal(&error))
}

fn options() -> BoxedStrategy<EncodeOptions> {
    let packing = prop_oneof![
        Just(Packing::Plain),
        Just(Packing::compressed(Compressor::Erlang)),
        Just(Packing::compressed(Compressor::Fast)),
    ];
    (prop::sample::select(WriterProfile::ALL.to_vec()), packing)
        .prop_map(|(profile, packing)| EncodeOptions::default().with_profile(profile).with_packing(packing))
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_model_survives_a_round_trip(model in strategies::model(), options in options()) {
        let bytes = laws::model(&model, read_model, |model| Document::from_model_with(model, &options)?.to_bytes());
        laws::stable(&bytes, read, Document::to_bytes);
    }

    #[test]
    fn a_model_replaces_another(first in strategies::model(), second in strategies::model(), options in options()) {
        let mut document = Document::from_model_with(&first, &options).expect("a document");
        document.set_model(&second).expect("an edit");
        prop_assert_eq!(document.model().expect("a scene"), second);
        document.set_model(&first).expect("an edit");
        prop_assert_eq!(document.model().expect("a scene"), first);
    }

    #[test]
    fn a_new_mesh_keeps_the_rest(model in strategies::model(), mesh in strategies::mesh(), at in any::<prop::sample::Index>()) {
        let mut document = Document::from_model(&model).expect("a document");
        let mut changed = model.clone();
        prop_assume!(!changed.shapes.is_empty());
        let at = at.index(changed.shapes.len());
        if let Shape::Object(object) = &mut changed.shapes[at] {
            object.mesh = mesh;
        }
        document.set_model(&changed).expect("an edit");
        prop_assert_eq!(document.model().expect("a scene"), changed);
        document.set_model(&model).expect("an edit");
        let fresh = Document::from_model(&model).expect("a document");
        prop_assert_eq!(document.payload().tree(), fresh.payload().tree());
    }

    #[test]
    fn prefixes_are_rejected(model in strategies::model()) {
        let bytes = Document::from_model(&model).expect("a document").to_bytes().expect("writes");
        laws::prefixes(&bytes, read, |_, _| false);
    }

    #[test]
    fn mutants_are_read_or_rejected(model in strategies::model(), seed in any::<u64>()) {
        let plain = EncodeOptions::default().with_packing(Packing::Plain);
        let bytes = Document::from_model_with(&model, &plain).expect("a document").to_bytes().expect("writes");
        for mutant in mutate::random(&bytes, &[], seed).take(16) {
            let Some(mut document) = laws::total(&mutant, read) else { continue };
            prop_assert_eq!(document.to_bytes().expect("writes"), mutant.clone());
            if let Ok(model) = document.model() {
                document.set_model(&model).expect("what was read can be put back");
                prop_assert_eq!(document.to_bytes().expect("writes"), mutant);
            }
        }
    }

    #[test]
    fn any_bytes_after_the_magic_are_handled(tail in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut bytes = b"#!WINGS-1.0\r\n\x1a\x04".to_vec();
        bytes.extend(tail);
        laws::stable(&bytes, read, Document::to_bytes);
    }
}
