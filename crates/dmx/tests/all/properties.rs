//! The laws, over documents of every construct.

use crate::strategies;
use crate::support;

use std::collections::HashSet;

use mapwright_dmx::{Document, ElementId, Value, WriterProfile};
use mapwright_testkit::mutate::Rng;
use mapwright_testkit::{hexdiff, laws, mutate};
use proptest::prelude::*;
use strategies::{encode, exists, random_document};
use support::{meaning, read};

/// Strings that nothing uses, one twice, in front of a table.
fn unused() -> Vec<Vec<u8>> {
    [b"unused".as_slice(), b"origin", b"unused", b"", b"name"].map(<[u8]>::to_vec).into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_document_survives(document in strategies::document()) {
        let bytes = document.to_bytes().expect("it can be written");
        let again = read(&bytes).expect("what was written is read");
        prop_assert_eq!(meaning(&again), meaning(&document));
        laws::stable(&bytes, read, Document::to_bytes);
        laws::model(&again, read, Document::to_bytes);
    }

    #[test]
    fn bytes_of_another_encoder_come_back(document in strategies::document(), with_unused in any::<bool>()) {
        let bytes = encode(&document, if with_unused { unused() } else { Vec::new() });
        laws::exact("encoded", &bytes, read, Document::to_bytes);
        prop_assert_eq!(meaning(&read(&bytes).expect("it was read before")), meaning(&document));
        if !with_unused && document.header.encoding.version < 2 {
            let written = document.to_bytes().expect("it can be written");
            prop_assert_eq!(hexdiff(&bytes, &written), None);
        }
    }

    #[test]
    fn layouts_settle_and_keep_the_graph(mut document in strategies::document()) {
        let reached = |document: &Document| document.reference_counts().into_iter().map(u64::from).sum::<u64>();
        let before = reached(&document);
        for profile in [WriterProfile::Valve, WriterProfile::DepthFirst, WriterProfile::BreadthFirst] {
            document.lay_out(profile);
            let bytes = document.to_bytes().expect("it can be written");
            document.lay_out(profile);
            prop_assert_eq!(hexdiff(&bytes, &document.to_bytes().expect("it can be written")), None);
            prop_assert!(document.profile().is_some());
            let mut read = read(&bytes).expect("what was written is read");
            read.edit(|_| ());
            prop_assert_eq!(hexdiff(&bytes, &read.to_bytes().expect("it can be written")), None);
        }
        prop_assert_eq!(reached(&document), before);
    }

    #[test]
    fn an_edit_can_be_taken_back(document in strategies::document()) {
        let mut document = document;
        document.lay_out(WriterProfile::Valve);
        let bytes = encode(&document, Vec::new());
        let mut document = read(&bytes).expect("it was encoded");
        document.edit(|_| ());
        let before = document.to_bytes().expect("it can be written");
        document.edit(|document| document.set(ElementId::ROOT, "a new one", Value::Int(1)));
        document.edit(|document| document.unset(ElementId::ROOT, "a new one"));
        prop_assert_eq!(hexdiff(&before, &document.to_bytes().expect("it can be written")), None);
    }

    #[test]
    fn prefixes_are_refused(document in strategies::document()) {
        let mut document = document;
        document.trailing.clear();
        let bytes = document.to_bytes().expect("it can be written");
        laws::prefixes(&bytes, read, |_, _| false);
    }

    #[test]
    fn mutants_are_read_or_refused(document in strategies::document(), seed in any::<u64>()) {
        let bytes = encode(&document, unused());
        for mutant in mutate::random(&bytes, &[], seed).take(16) {
            let Some(mut document) = laws::total(&mutant, read) else { continue };
            if document.header.encoding.is_text() {
                continue;
            }
            prop_assert_eq!(hexdiff(&mutant, &document.to_bytes().expect("what was read can be written")), None);
            document.validate();
            document.lay_out(WriterProfile::Valve);
            laws::stable(&document.to_bytes().expect("what was laid out can be written"), read, Document::to_bytes);
        }
    }

    #[test]
    fn any_bytes_after_a_header(version in 1_u8..=9, tail in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut bytes = format!("<!-- dmx encoding binary {version} format dmx 1 -->\n\0").into_bytes();
        bytes.extend(tail);
        laws::stable(&bytes, read, Document::to_bytes);
    }
}

/// Checks the strategies: the documents have every type, as values and as arrays, in every version that has it.
#[test]
fn every_type_is_reached() {
    let mut seen = HashSet::new();
    for seed in 0..4000 {
        let version = u8::try_from(seed % 10).expect("small");
        let document = random_document(version, 4, 8, &mut Rng::new(seed));
        for attribute in document.elements.iter().flat_map(|element| &element.attributes) {
            seen.insert((version, attribute.value.value_type(), attribute.value.array_len().map(|count| count > 0)));
        }
    }
    for version in 0..=9 {
        for value_type in mapwright_dmx::ValueType::ALL {
            for array in [None, Some(false), Some(true)] {
                let is_seen = seen.contains(&(version, *value_type, array));
                assert_eq!(is_seen, exists(*value_type, version), "binary {version}, {value_type:?}, {array:?}");
            }
        }
    }
}
