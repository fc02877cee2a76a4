//! The laws, for text maps of any content.

use crate::strategies::text as strategies;
use crate::support;

use mapwright_testkit::{hexdiff, laws, mutate};
use mapwright_wmp::{Document, sniff};
use proptest::prelude::*;
use support::read;

/// Borrows every part mutably without changing it.
fn touch(map: &mut Document) {
    let _ = &mut *map.header;
    if let Some(part) = &mut map.wed {
        let _ = &mut **part;
    }
    for part in &mut map.blocks {
        let _ = &mut **part;
    }
    for part in &mut map.entities {
        let _ = &mut **part;
    }
    for part in &mut map.objects {
        let _ = &mut **part;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_map_survives(map in strategies::document()) {
        let bytes = laws::model(&map, read, Document::to_bytes);
        laws::exact("a map", &bytes, read, Document::to_bytes);
        laws::stable(&bytes, read, Document::to_bytes);
        let mut found = read(&bytes).expect("it was read before");
        touch(&mut found);
        prop_assert_eq!(found.to_bytes().expect("written before"), &bytes[..]);
        found.forget_source();
        prop_assert_eq!(found.to_bytes().expect("written before"), bytes);
    }

    #[test]
    fn edits_read_back_the_same((map, other) in strategies::pair()) {
        // The parts of one map replace those of another.
        let mut map = read(&map.to_bytes().expect("a map")).expect("a map");
        for (mine, others) in map.blocks.iter_mut().zip(&other.blocks) {
            **mine = (**others).clone();
        }
        // Resolved maps have neither groups nor numbers of their own, so their objects and entities belong together.
        if map.dialect != mapwright_wmp::Dialect::Resolved {
            map.objects.extend(other.objects.iter().cloned());
            map.entities.truncate(other.entities.len());
            for (mine, others) in map.entities.iter_mut().zip(&other.entities) {
                **mine = (**others).clone();
            }
        }
        map.line_end = other.line_end;
        let written = map.to_bytes().expect("a map");
        prop_assert!(read(&written).expect("a map") == map);
    }

    #[test]
    fn damaged_maps_are_read_or_rejected(map in strategies::document(), seed in any::<u64>()) {
        let bytes = map.to_bytes().expect("a map");
        for mutant in mutate::random(&bytes, &[], seed).take(8) {
            let Some(mut found) = laws::total(&mutant, read) else { continue };
            prop_assert_eq!(found.to_bytes().expect("a copy"), &mutant[..]);
            touch(&mut found);
            if let Ok(written) = found.to_bytes() {
                prop_assert_eq!(hexdiff(&mutant, &written), None, "{}", mutant.escape_ascii());
            }
            // Printed from scratch it may be rejected, but what is printed is a map.
            found.forget_source();
            if let Ok(written) = found.to_bytes() {
                prop_assert!(read(&written).is_ok(), "{}", written.escape_ascii());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn prefixes_are_rejected_or_shorter(map in strategies::document()) {
        let bytes = map.to_bytes().expect("a map");
        let read = |bytes: &[u8]| read(bytes).map_err(|mut refusal| {
            // A truncated version number is another version.
            if refusal.category == "unsupported" {
                refusal.category = "malformed";
            }
            refusal
        });
        // Sections may end anywhere, and the dialect of text without a version follows from its contents.
        laws::prefixes(&bytes, read, |prefix, document| document.to_bytes().is_ok_and(|written| written == prefix));
        prop_assert_ne!(sniff(&bytes), mapwright_wmp::io::Confidence::No);
    }
}
