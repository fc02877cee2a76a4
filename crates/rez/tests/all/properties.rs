//! The laws of reading and writing, for archives with every part of the format.

use crate::strategies;
use crate::support::{read, read_strict};

use mapwright_rez::diff::Diff;
use mapwright_rez::io::{Confidence, Severity};
use mapwright_rez::{Document, Layout, WriteOptions, safe_name, sniff};
use mapwright_testkit::mutate::Rng;
use mapwright_testkit::{hexdiff, laws, mutate};
use proptest::prelude::*;

fn packed(document: &Document, layout: Layout) -> Vec<u8> {
    document.to_bytes_with(&WriteOptions::default().with_layout(layout)).expect("a sound archive")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn documents_round_trip(document in strategies::document()) {
        let bytes = laws::model(&document, read_strict, Document::to_bytes);
        laws::exact("an archive", &bytes, read, Document::to_bytes);
        laws::stable(&bytes, read, Document::to_bytes);
        prop_assert_eq!(sniff(&bytes), Confidence::Certain);
        let read = read(&bytes).expect("an archive");
        prop_assert!(Diff::between(&document, &read).is_empty());
        // A new archive is written as Monolith does. Packing again changes nothing.
        prop_assert_eq!(hexdiff(&bytes, &packed(&read, Layout::Monolith)), None);
        let compact = packed(&read, Layout::Compact);
        prop_assert_eq!(hexdiff(&compact, &packed(&document, Layout::Compact)), None);
        prop_assert!(compact.len() <= bytes.len() && read_strict(&compact).expect("an archive") == document);
        let mut written = Vec::new();
        document.write_to(&mut written).expect("a vector takes all");
        prop_assert!(written == bytes && Document::from_reader(&bytes[..]).expect("an archive") == document);
        prop_assert!(read.validate().iter().all(|finding| finding.severity < Severity::Error && !finding.message.is_empty()));
        prop_assert_eq!(read.overview().unused_bytes, (bytes.len() - compact.len()) as u64);
    }

    #[test]
    fn edits_move_no_byte_and_can_be_packed(document in strategies::document(), edits in strategies::edits()) {
        let bytes = document.to_bytes().expect("an archive");
        let mut edited = read(&bytes).expect("an archive");
        for edit in &edits {
            edit.apply(&mut edited);
        }
        let changed = laws::model(&edited, read_strict, Document::to_bytes);
        prop_assert!(changed.len() >= bytes.len());
        let after = read(&changed).expect("an archive");
        // Payloads that are not replaced stay where they are.
        for ((item, old), (_, new)) in edited.files().zip(after.files()) {
            if let Some(position) = old.stored_position() {
                prop_assert_eq!(new.stored_position(), Some(position), "{}", item.path_text());
            }
        }
        let header = after.stored_header().expect("it was read");
        let end = after.files().map(|(_, file)| file.stored_position().unwrap_or(0) + file.size()).max().unwrap_or(0);
        prop_assert!(header.next_write_position >= end && header.next_write_position >= 168);
        prop_assert!(after.validate().iter().all(|finding| finding.severity < Severity::Error
            && !["overlap", "largest-size", "next-write-position", "not-sorted"].contains(&finding.code)));
        for layout in [Layout::Monolith, Layout::Compact] {
            let packed = packed(&edited, layout);
            prop_assert!(read_strict(&packed).expect("an archive") == edited);
            prop_assert!(packed.len() <= changed.len() || layout == Layout::Monolith);
        }
        if edited == document {
            prop_assert!(Diff::between(&document, &edited).is_empty());
        } else {
            prop_assert!(!Diff::between(&document, &edited).is_empty());
        }
    }

    #[test]
    fn damaged_archives_are_read_or_rejected(document in strategies::document(), seed in any::<u64>()) {
        let bytes = document.to_bytes().expect("an archive");
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let mutant = mutate::mutant(&bytes, &[], &mut rng);
            let strict = laws::total(&mutant, read_strict);
            let Some(document) = laws::total(&mutant, read) else {
                prop_assert!(strict.is_none());
                continue;
            };
            laws::exact("a mutant", &mutant, read, Document::to_bytes);
            prop_assert_eq!(strict.is_some(), document.damage().next().is_none());
            prop_assert!(document.validate().iter().all(|finding| !finding.message.is_empty()));
            prop_assert!(Diff::between(&document, &document).is_empty());
            // Packing loses nothing, or refuses.
            for layout in [Layout::Monolith, Layout::Compact] {
                if let Ok(packed) = document.to_bytes_with(&WriteOptions::default().with_layout(layout)) {
                    prop_assert!(read(&packed).expect("it was packed") == document);
                }
            }
            #[cfg(feature = "serde")]
            {
                let json = serde_json::to_string(&document).expect("it can be written");
                let built: Document = serde_json::from_str(&json).expect("its own JSON");
                prop_assert_eq!(hexdiff(&mutant, &built.to_bytes().expect("it was built")), None);
            }
        }
    }

    #[test]
    fn safe_names_are_distinct_and_lead_nowhere(names in prop::collection::hash_set(prop::collection::vec(any::<u8>(), 0..6), 0..20)) {
        let safe: std::collections::HashSet<String> = names.iter().map(|name| safe_name(name)).collect();
        // Only the empty name and `%` could have the same result, and `%` is escaped.
        prop_assert_eq!(safe.len(), names.len());
        for name in safe {
            prop_assert!(!name.is_empty() && !name.ends_with(['.', ' ']) && !name.contains(['/', '\\', ':', '\0']));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn prefixes_are_rejected_or_report_damage(document in strategies::document()) {
        let bytes = document.to_bytes().expect("an archive");
        laws::prefixes(&bytes, read_strict, |_, _| false);
        laws::prefixes(&bytes, read, |prefix, document| {
            let written = document.to_bytes().expect("it was read");
            hexdiff(prefix, &written).is_none() && document.damage().next().is_some()
        });
    }
}
