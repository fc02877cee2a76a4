//! The fixtures that `cargo xtask fixtures` generates: they round-trip byte for byte and have the content that they were made for.

use crate::support;

use mapwright_testkit::{fixtures_as, hexdiff, laws};
use mapwright_wwd::io::Severity;
use mapwright_wwd::{Document, Program, WriterProfile};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("wwd", Document::from_bytes);
    assert!(all.len() >= 8, "only {} fixtures", all.len());
    all
}

#[test]
fn untouched_files_come_back_byte_for_byte() {
    for (name, bytes, mut document) in documents() {
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
        laws::exact(&name, &bytes, support::read, support::write_detached);
        document.store(document.profile).expect("a level");
        assert_eq!(hexdiff(&bytes, &document.to_bytes().expect("a level")), None, "{name}: stored again");
        assert_eq!(document.layout.is_some(), name == "moved.wwd", "{name}");
    }
}

#[test]
fn the_adler32_ends_a_compressed_block() {
    // And long runs of the greatest bytes, by which sums grow fastest.
    let mut long = Document::new();
    long.layout = Some(mapwright_wwd::Layout {
        planes_offset: 1524,
        planes: Vec::new(),
        tile_properties_offset: 0,
        main_block_size: 1 << 16,
        residue: vec![mapwright_wwd::Residue { offset: 1524, bytes: vec![0xFF; 1 << 16] }],
    });
    let long = ("long".to_owned(), long.to_bytes().expect("a level"), long);
    for (name, bytes, document) in documents().into_iter().chain([long]) {
        if document.header.flags.has(mapwright_wwd::HeaderFlags::COMPRESS) {
            let end = bytes.len() - document.trailer.len();
            let sum = document.main_block_adler32().expect("a level");
            assert_eq!(sum.to_be_bytes(), bytes[end - 4..end], "{name}");
        }
    }
}

#[test]
fn prefixes_are_rejected() {
    for (name, bytes, document) in documents() {
        // Bytes after the stored block may be missing.
        let compressed = document.header.flags.has(mapwright_wwd::HeaderFlags::COMPRESS);
        laws::prefixes(&bytes, support::read, |prefix, _| {
            compressed && prefix.len() >= bytes.len() - document.trailer.len()
        });
        assert!(compressed || document.trailer.is_empty(), "{name}");
    }
}

#[test]
fn writers_are_recognised() {
    for (name, _, document) in documents() {
        let provenance = document.provenance().expect("it was read");
        let expected = match name.as_str() {
            "wapmap.wwd" => (Program::WapMap, WriterProfile::WapMap, true),
            "trailing.wwd" => (Program::Unknown, WriterProfile::Editor, false),
            _ => (Program::Editor, WriterProfile::Editor, false),
        };
        assert_eq!((provenance.program, document.profile, provenance.notes), expected, "{name}");
    }
}

#[test]
fn only_unusual_files_have_findings() {
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
            "masks.wwd" => &["attribute", "mask-size", "tile-range"],
            "odd.wwd" => &[
                "cell-word",
                "fill-color",
                "flags",
                "image-sets",
                "object-logic",
                "object-move-res",
                "object-outside",
                "object-type",
                "pixel-size",
                "reserved",
                "slot-full",
                "slot-residue",
            ],
            "moved.wwd" => &["layout"],
            "trailing.wwd" => &["checksum", "trailer"],
            _ => &[],
        };
        assert_eq!(codes, expected, "{name}");
    }
}
