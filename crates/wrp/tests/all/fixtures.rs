//! The fixtures that `cargo xtask fixtures` generates: they round-trip byte for byte and have the content that they were made for.

use crate::support;

use mapwright_testkit::{fixtures_as, hexdiff, laws};
use mapwright_wrp::io::Severity;
use mapwright_wrp::{Document, Oprw};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("wrp", Document::from_bytes);
    assert!(all.len() >= 11, "only {} fixtures", all.len());
    all
}

#[test]
fn unchanged_terrains_round_trip() {
    for (name, bytes, document) in documents() {
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
        // Packing again gives the same bytes, because this crate packed the fixtures.
        let Document::Oprw(terrain) = document else { continue };
        let packed = Document::Oprw(Oprw { packed: Vec::new(), ..terrain });
        assert_eq!(hexdiff(&bytes, &packed.to_bytes().expect("a terrain")), None, "{name}");
    }
}

#[test]
fn all_fixtures_are_the_same_island() {
    let all = documents();
    let of = |name: &str| &all.iter().find(|(other, ..)| other == name).expect("a fixture").2;
    let island = of("island.wrp");
    for (name, _, document) in all.iter().filter(|(name, ..)| name.starts_with("island")) {
        assert_eq!(document.extent(), [800.0, 800.0], "{name}");
        let (ground, expected) = (document.ground(), island.ground());
        for place in [[0.0, 0.0], [450.0, 500.0], [600.0, 300.0], [750.0, 750.0]] {
            let [found, expected] =
                [ground, expected].map(|ground| ground.height_at(place[0], place[1]).expect("on the map"));
            assert!((found - expected).abs() < 1e-4, "{name}: {found} for {expected} at {place:?}");
        }
        let names = |document: &Document| -> Vec<String> {
            document.objects().iter().filter_map(|object| Some(object.model?.to_string())).collect()
        };
        assert_eq!(names(document), names(island), "{name}");
    }
}

#[test]
fn only_unusual_fixtures_have_findings() {
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
            "odd.wrp" => &[
                "grid-not-square",
                "id-duplicate",
                "id-huge",
                "id-negative",
                "obj-degenerate",
                "obj-mirrored",
                "obj-name-non-ascii",
                "obj-name-unterminated",
                "obj-nan",
                "obj-off-map",
                "obj-sheared",
                "records-after-terminator",
                "tex-index-out-of-range",
                "tex-index-unnamed",
                "tex-name-unterminated",
                "trailing-bytes",
            ],
            "odd-8wvr.wrp" => &[
                "grid-not-square",
                "height-nan",
                "material-index-out-of-range",
                "obj-name-non-ascii",
                "obj-off-map",
                "objects-after-sentinel",
                "trailing-bytes",
            ],
            _ => &[],
        };
        assert_eq!(codes, expected, "{name}");
    }
}
