//! The fixtures of this project, which `cargo xtask fixtures` writes, survive a round trip and have their contents.

use crate::support;

use mapwright_testkit::{fixtures_as, hexdiff, laws};
use mapwright_wmp::io::Severity;
use mapwright_wmp::{Dialect, Document};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("wmp", Document::from_bytes);
    assert!(all.len() >= 7, "only {} fixtures", all.len());
    all
}

#[test]
fn unchanged_parts_are_byte_exact() {
    for (name, bytes, document) in documents() {
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
        // Numbers other than handmade ones have the formatting of the editor.
        let mut reprinted = document;
        reprinted.forget_source();
        let same = hexdiff(&bytes, &reprinted.to_bytes().expect("a map")).is_none();
        assert_eq!(same, name != "hand.wmp", "{name}");
    }
}

#[test]
fn all_fixtures_contain_the_same_room() {
    let all = documents();
    for (name, _, document) in all.iter().filter(|(name, ..)| name.starts_with("room")) {
        let resolved = document.resolve();
        assert_eq!(resolved.blocks.len(), 2, "{name}");
        let mut corners: Vec<[String; 3]> = resolved.blocks[1]
            .vertices
            .iter()
            .map(|point| point.map(|number| format!("{:.3}", number + 0.0)))
            .collect();
        corners.sort_unstable();
        let mut expected = [[64, -32, 0], [64, 32, 0], [192, -32, 0], [192, -32, 64], [192, 32, 0], [192, 32, 64]]
            .map(|point| point.map(|number| format!("{number}.000")));
        expected.sort_unstable();
        assert_eq!(corners, expected, "{name}");
        let names: Vec<String> =
            document.entities.iter().map(|entity| entity.name().to_string()).filter(|name| !name.is_empty()).collect();
        assert!(names.starts_with(&["player_start".to_owned(), "guard_001".to_owned()]), "{name}: {names:?}");
    }
}

#[test]
fn every_dialect_becomes_every_other() {
    for (name, _, document) in documents() {
        for dialect in Dialect::ALL {
            let converted = document.convert(dialect).document;
            let again = Document::from_bytes(&converted.to_bytes().expect("a map")).expect("a map");
            assert_eq!(again.dialect, dialect, "{name}");
            // A4 cannot store concave bodies.
            let concave = usize::from(name == "odd-wmpb.wmp" && dialect == Dialect::A4);
            assert_eq!(again.blocks.len(), document.blocks.len() - concave, "{name} as {}", dialect.name());
        }
    }
}

#[test]
fn only_unusual_values_are_reported() {
    for (name, _, document) in documents() {
        let mut codes: Vec<_> = document
            .validate()
            .into_iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| finding.code)
            .collect();
        codes.sort_unstable();
        codes.dedup();
        let expected: &[&str] = match name.as_str() {
            "odd-wmpb.wmp" => &["chunk-unknown"],
            _ => &[],
        };
        assert_eq!(codes, expected, "{name}");
    }
}
