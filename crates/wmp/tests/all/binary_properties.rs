//! The laws, for binary maps of any content.

use crate::strategies::binary as strategies;

use mapwright_testkit::{Refusal, laws, mutate};
use mapwright_wmp::{Dialect, Document};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes)
        .map_err(|error| Refusal::new(error.category().name(), error.position().map(|at| at.offset), &error))
}

proptest! {
    #[test]
    fn a_map_survives(map in strategies::document()) {
        let bytes = laws::model(&map, read, Document::to_bytes);
        // Unchanged files are copied. Written from scratch they are the same.
        let mut found = read(&bytes).expect("it was read before");
        prop_assert_eq!(&found.to_bytes().expect("a copy"), &bytes);
        found.forget_source();
        prop_assert_eq!(found.to_bytes().expect("written before"), bytes);
    }

    #[test]
    fn edits_change_nothing_else(map in strategies::document(), at in any::<prop::sample::Index>()) {
        let bytes = map.to_bytes().expect("a map that can be written");
        let mut edited = read(&bytes).expect("what was written");
        let at = at.index(edited.objects.len());
        edited.objects[at].word_04 ^= 1;
        let written = edited.to_bytes().expect("a map that can be written");
        prop_assert_eq!(bytes.len(), written.len());
        prop_assert_eq!(bytes.iter().zip(&written).filter(|(old, new)| old != new).count(), 1);
    }

    #[test]
    fn damaged_maps_are_read_or_rejected(map in strategies::document(), seed in any::<u64>()) {
        let bytes = map.to_bytes().expect("a map that can be written");
        for mutant in mutate::random(&bytes, &[], seed).take(8) {
            let Some(mut found) = laws::total(&mutant, read) else { continue };
            prop_assert_eq!(found.to_bytes().expect("a copy"), mutant);
            // Written from scratch it may be rejected, but what is written is a map.
            found.forget_source();
            if let Ok(written) = found.to_bytes() {
                prop_assert!(Document::from_bytes(&written).is_ok());
            }
        }
    }

    #[test]
    fn every_dialect_can_be_reached(map in strategies::document()) {
        for first in Dialect::ALL {
            let converted = map.convert(first).document;
            prop_assert_eq!(converted.dialect, first);
            for second in Dialect::ALL {
                let again = converted.convert(second).document;
                prop_assert_eq!(again.dialect, second);
                // The dialect may be unable to store names or numbers. What is written can be read.
                if let Ok(bytes) = again.to_bytes() {
                    prop_assert!(Document::from_bytes(&bytes).is_ok(), "{:?} {:?}", first, second);
                }
            }
        }
    }
}
