//! Bodies for REZ archives of Monolith.

use mapwright_rez::diff::Diff;
use mapwright_rez::{Document, EntryOrder, Layout, Mode, ReadOptions, WriteOptions};
use mapwright_testkit::{Refusal, hexdiff, laws};

use crate::target::{Target, refusal};

/// The targets of `mapwright-rez`.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..rez("rez_read") },
    Target { body: roundtrip, memory: 64, ..rez("rez_roundtrip") },
    Target { body: edit, memory: 64, ..rez("rez_edit") },
    Target { body: dump, memory: 64, ..rez("rez_dump") },
];

const fn rez(name: &'static str) -> Target {
    Target { name, format: "rez", files: "rez", inputs: ARCHIVES, ..Target::NEW }
}

/// A directory with a file, and an empty archive.
const ARCHIVES: &[&[u8]] = &[
    b"\r\nRezMgr Version 1 Copyright (C) 1995 MONOLITH INC.           \r\n                                                            \r\n\x1a\
      \x01\0\0\0\xe6\0\0\0\x13\0\0\0\0\0\0\0\xaa\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0\x02\0\0\0\0\0\0\0\x01ab\
      \0\0\0\0\xa8\0\0\0\x02\0\0\0\x05\0\0\0\x07\0\0\0DIP\0\0\0\0\0A\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \x01\0\0\0\xaa\0\0\0\x1f\0\0\0\0\0\0\0DD\0",
    b"\r\nRezMgr Version 1 Copyright (C) 1995 MONOLITH INC.           \r\n                                                            \r\n\x1a\
      \x01\0\0\0\xa8\0\0\0\0\0\0\0\0\0\0\0\xa8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01",
];

fn lenient(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

fn strict(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &ReadOptions::default().with_mode(Mode::Strict)).map_err(refusal)
}

/// Reads in both modes and looks up every entry.
pub fn read(bytes: &[u8]) {
    let is_strict = laws::total(bytes, strict).is_some();
    let Some(document) = laws::total(bytes, lenient) else {
        assert!(!is_strict, "the strict mode accepts an archive that the lenient mode rejects");
        return;
    };
    assert_eq!(is_strict, document.damage().next().is_none(), "the strict mode and the damage disagree");
    // Long names on many levels have long paths.
    for item in document.walk().take(100) {
        if let Some(found) = document.find(item.path()) {
            assert!(document.find_folded(item.path()) == Some(found), "the look-ups disagree");
        }
    }
}

/// Checks that an accepted archive is written byte for byte, and that packing it loses nothing.
pub fn roundtrip(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, lenient) else { return };
    laws::exact("the input", bytes, lenient, Document::to_bytes);
    assert!(document.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    assert!(Diff::between(&document, &document).is_empty(), "an archive differs from itself");
    for layout in [Layout::Monolith, Layout::Compact] {
        match document.to_bytes_with(&WriteOptions::default().with_layout(layout)) {
            Ok(packed) => assert!(strict(&packed).as_ref() == Ok(&document), "packing changes the archive"),
            Err(_) => assert!(document.damage().next().is_some(), "an archive without damage is not packed"),
        }
    }
}

/// Checks that edits are read back, and that everything else is as it was.
pub fn edit(bytes: &[u8]) {
    let Ok(mut document) = lenient(bytes) else { return };
    let paths: Vec<_> = document.walk().take(4).map(|item| item.path()).collect();
    for (number, path) in paths.iter().enumerate() {
        // Look-ups do not find entries with unusual names.
        let _ = match number {
            0 => document.replace(path, b"new", Some(1)).map(drop),
            1 => document.rename(path, "RENAMED.TXT"),
            2 => document.remove(path).map(drop),
            _ => document.replace(path, vec![7; 100], None).map(drop),
        };
        let _ = document.add([&path[..], b"/ADDED.PID"].concat(), b"added", None);
    }
    if bytes.len().is_multiple_of(2) {
        document.sort_entries(EntryOrder::Id);
    }
    let written = document.to_bytes().expect("edits can be written");
    let again = lenient(&written).expect("an edited archive can be read");
    // The order of reading decides which of two overlapping blocks is read.
    if document.damage().next().is_none() {
        assert!(again == document, "an edit changes other entries");
    }
    assert!(written.len() >= bytes.len(), "an edit moves bytes");
}

/// Checks that the JSON of an archive gives the same bytes.
pub fn dump(bytes: &[u8]) {
    let Ok(document) = lenient(bytes) else { return };
    let json = serde_json::to_vec(&document).expect("an archive that was read has JSON");
    let built: Document = serde_json::from_slice(&json).expect("JSON of an archive can be read");
    assert!(
        hexdiff(bytes, &built.to_bytes().expect("a document from JSON can be written")).is_none(),
        "JSON changes an archive"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_archives_are_archives() {
        let [archive, empty] = ARCHIVES else { panic!("two archives") };
        let document = strict(archive).expect("an archive");
        assert!(document.find_file("dd/a.pid").is_some());
        assert!(strict(empty).expect("an archive").root().entries().is_empty());
    }
}
