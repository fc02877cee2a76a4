//! The fixtures that `cargo xtask fixtures` generates: they round-trip byte for byte and have the content that they were made for.

use crate::support;

use mapwright_rez::io::Severity;
use mapwright_rez::{Document, Layout, WriteOptions};
use mapwright_testkit::{fixtures_as, hexdiff, laws};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("rez", Document::from_bytes);
    assert!(all.len() >= 3, "only {} fixtures", all.len());
    all
}

#[test]
fn unchanged_archives_round_trip() {
    for (name, bytes, _) in documents() {
        laws::exact(&name, &bytes, support::read_strict, Document::to_bytes);
    }
}

#[test]
fn the_packed_fixture_is_reproduced_and_the_others_have_its_levels() {
    let all = documents();
    let of = |name: &str| all.iter().find(|(other, ..)| other == name).expect("a fixture");
    let (_, bytes, levels) = of("levels.rez");
    let options = WriteOptions::default().with_layout(Layout::Monolith);
    assert_eq!(hexdiff(bytes, &levels.to_bytes_with(&options).unwrap()), None);
    let (_, _, patched) = of("levels-patched.rez");
    assert_eq!(patched.find_file("LEVEL1/WORLDS/WORLD.WWD"), levels.find_file("LEVEL1/WORLDS/WORLD.WWD"));
    assert_ne!(patched.find_file("LEVEL1/TILES/ACTION/001.PID"), levels.find_file("LEVEL1/TILES/ACTION/001.PID"));
}

#[test]
fn only_the_unusual_fixture_has_findings() {
    for (name, _, document) in documents() {
        let findings = document.validate().into_iter();
        let mut codes: Vec<_> =
            findings.filter(|finding| finding.severity > Severity::Note).map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let expected: &[&str] = match name.as_str() {
            "unusual.rez" => &["description", "duplicate-name", "keys", "kind", "lower-case", "long-name"],
            _ => &[],
        };
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(codes, expected, "{name}");
    }
}
