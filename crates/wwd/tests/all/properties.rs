//! The laws, over documents of everything that the format has.

use crate::strategies;
use crate::support;

use mapwright_testkit::mutate::Rng;
use mapwright_testkit::{hexdiff, laws, mutate};
use mapwright_wwd::{Checksum, Document, HeaderFlags, WriteOptions, WriterProfile};
use proptest::prelude::*;
use support::{read, write_detached};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_document_survives(document in prop_oneof![strategies::document(), strategies::unusual_document()]) {
        let bytes = laws::model(&document, read, Document::to_bytes);
        laws::exact("a document", &bytes, read, Document::to_bytes);
        laws::exact("a document", &bytes, read, write_detached);
        laws::stable(&bytes, read, Document::to_bytes);
    }

    #[test]
    fn a_document_is_stored_with_either_profile(document in strategies::document(), wapmap in any::<bool>()) {
        let profile = if wapmap { WriterProfile::WapMap } else { WriterProfile::Editor };
        let bytes = document.to_bytes_with(&WriteOptions::default().with_profile(Some(profile))).expect("a document");
        let read = Document::from_bytes(&bytes).expect("a level");
        prop_assert_eq!(&read.planes, &document.planes);
        prop_assert_eq!(&read.tile_properties, &document.tile_properties);
        let compressed = read.header.flags.has(HeaderFlags::COMPRESS);
        let provenance = read.provenance().expect("it was read");
        prop_assert_eq!(provenance.compressor, compressed.then_some(profile));
        prop_assert_eq!(read.compressor(), compressed.then_some(profile));
        prop_assert!(provenance.checksums.contains(&Checksum::from(profile)));
    }

    #[test]
    fn an_edit_can_be_undone(document in prop_oneof![strategies::document(), strategies::unusual_document()], z in 1..9) {
        let bytes = document.to_bytes().expect("a document");
        let mut read = Document::from_bytes(&bytes).expect("a level");
        for plane in &mut read.planes {
            plane.z_coord = plane.z_coord.wrapping_add(z);
        }
        let changed = read.to_bytes().expect("a document");
        prop_assert!(document.planes.is_empty() || changed != bytes);
        prop_assert_eq!(&Document::from_bytes(&changed).expect("a level").planes, &read.planes);
        for plane in &mut read.planes {
            plane.z_coord = plane.z_coord.wrapping_sub(z);
        }
        prop_assert_eq!(hexdiff(&bytes, &read.to_bytes().expect("a document")), None);
    }

    #[test]
    fn fields_are_set_by_their_names(object in strategies::object()) {
        let mut copy = mapwright_wwd::Object::default();
        for name in mapwright_wwd::Object::FIELDS {
            copy.set_field(name, object.field(name).expect("a field")).expect("its own value");
        }
        prop_assert_eq!(copy, object);
    }

    #[test]
    fn prefixes_are_rejected(document in prop_oneof![strategies::document(), strategies::unusual_document()]) {
        let mut document = document;
        document.trailer.clear();
        // Without compression a file may end anywhere after its last section.
        document.header.flags = document.header.flags.with(HeaderFlags::COMPRESS, true);
        let bytes = document.to_bytes().expect("a document");
        laws::prefixes(&bytes, read, |_, _| false);
    }

    #[test]
    fn damaged_levels_are_read_or_rejected(document in strategies::unusual_document(), seed in any::<u64>()) {
        let mut document = document;
        document.header.flags = document.header.flags.with(HeaderFlags::COMPRESS, false);
        let bytes = document.to_bytes().expect("a document");
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let mutant = mutate::mutant(&bytes, &[], &mut rng);
            if let Some(document) = laws::total(&mutant, read) {
                laws::exact("a mutant", &mutant, read, Document::to_bytes);
                laws::exact("a mutant", &mutant, read, write_detached);
                prop_assert!(document.validate().iter().all(|finding| !finding.message.is_empty()));
            }
        }
    }
}
