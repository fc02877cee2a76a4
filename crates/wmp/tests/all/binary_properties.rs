//! Any binary map.

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
        // Read, it is copied; laid out anew, it is the same.
        let mut found = read(&bytes).expect("it was read before");
        prop_assert_eq!(&found.to_bytes().expect("a copy"), &bytes);
        found.forget_source();
        prop_assert_eq!(found.to_bytes().expect("written before"), bytes);
    }

    #[test]
    fn an_edit_leaves_all_else(map in strategies::document(), at in any::<prop::sample::Index>()) {
        let bytes = map.to_bytes().expect("a map that can be written");
        let mut edited = read(&bytes).expect("what was written");
        let at = at.index(edited.objects.len());
        edited.objects[at].word_04 ^= 1;
        let written = edited.to_bytes().expect("a map that can be written");
        prop_assert_eq!(bytes.len(), written.len());
        prop_assert_eq!(bytes.iter().zip(&written).filter(|(old, new)| old != new).count(), 1);
    }

    #[test]
    fn damage_is_read_or_refused(map in strategies::document(), seed in any::<u64>()) {
        let bytes = map.to_bytes().expect("a map that can be written");
        for mutant in mutate::random(&bytes, &[], seed).take(8) {
            let Some(mut found) = laws::total(&mutant, read) else { continue };
            prop_assert_eq!(found.to_bytes().expect("a copy"), mutant);
            // Laid out anew it may be refused, but it is a map.
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
                // Names and numbers may be such as the dialect cannot say; what is written is read.
                if let Ok(bytes) = again.to_bytes() {
                    prop_assert!(Document::from_bytes(&bytes).is_ok(), "{:?} {:?}", first, second);
                }
            }
        }
    }
}
