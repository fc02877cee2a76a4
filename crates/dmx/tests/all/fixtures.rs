//! The project's own files, which `cargo xtask fixtures` makes: they come back byte for byte, and are what they are made for.

use crate::support;

use mapwright_dmx::io::Severity;
use mapwright_dmx::{Document, Encoding, WriterProfile};
use mapwright_testkit::{fixtures_as, hexdiff, laws};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("dmx", Document::from_bytes);
    assert!(all.len() >= 16, "only {} fixtures", all.len());
    all
}

fn binaries() -> impl Iterator<Item = (String, Vec<u8>, Document)> {
    documents().into_iter().filter(|(_, _, document)| !document.header.encoding.is_text())
}

#[test]
fn untouched_files_come_back_byte_for_byte() {
    for (name, bytes, mut document) in documents() {
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
        document.edit(|_| ());
        assert_eq!(hexdiff(&bytes, &document.to_bytes().expect("it can be written")), None, "{name}: put in order");
    }
}

#[test]
fn owned_and_borrowed_buffers_read_the_same() {
    for (name, bytes, document) in documents() {
        assert!(Document::from_vec(bytes.clone()).expect(&name) == document, "{name}");
        let cut = &bytes[..bytes.len() / 2];
        let [given, lent] =
            [Document::from_vec(cut.to_vec()), Document::from_bytes(cut)].map(|result| result.map(|_| ()));
        assert_eq!(format!("{given:?}"), format!("{lent:?}"), "{name}");
    }
}

#[test]
fn prefixes_are_rejected() {
    for (_, bytes, _) in binaries() {
        // Bytes after the end may be missing.
        laws::prefixes(&bytes, support::read, |_, document| {
            bytes.ends_with(b"behind the end") && document.trailing.len() < 14
        });
    }
}

#[test]
fn layouts_are_recognised() {
    for (name, _, document) in documents() {
        let expected = match name.as_str() {
            "odd.dmx" => None,
            "srctools.dmx" => Some(WriterProfile::BreadthFirst),
            "sorted.dmx" => Some(WriterProfile::DepthFirst),
            _ if document.header.encoding.is_text() => None,
            _ => Some(WriterProfile::Valve),
        };
        assert_eq!(document.profile(), expected, "{name}");
    }
}

/// Text and binary are the same graph.
#[test]
fn text_and_binary_agree() {
    let of = |wanted: &str| documents().into_iter().find(|(name, ..)| name == wanted).expect("it is there");
    let (_, binary, _) = of("binary9.dmx");
    let (_, _, mut document) = of("text4.dmx");
    let values = document.elements[0].attributes.len();
    // Identities as values are for the oldest versions alone.
    for name in ["elementid", "elementid array", "empty elementid array"] {
        document.unset(mapwright_dmx::ElementId::ROOT, name);
    }
    assert_eq!(document.elements[0].attributes.len(), values - 3);
    document.set_encoding(Encoding::BINARY_9);
    assert_eq!(hexdiff(&binary, &document.to_bytes().expect("it can be written")), None);
}

#[test]
fn only_unusual_files_have_findings() {
    for (name, _, document) in documents() {
        let mut codes: Vec<_> = document
            .validate()
            .into_iter()
            .filter(|it| it.severity > Severity::Note)
            .map(|finding| finding.code)
            .collect();
        codes.sort_unstable();
        codes.dedup();
        let expected: &[&str] = match name.as_str() {
            "odd.dmx" => {
                &["attribute-case", "attribute-twice", "bool-byte", "minus-one", "not-finite", "trailing-bytes"]
            }
            "graph.dmx" | "flat.dmx" => &["unreachable"],
            _ => &[],
        };
        assert_eq!(codes, expected, "{name}");
    }
}
