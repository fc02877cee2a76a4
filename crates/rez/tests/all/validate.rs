//! Findings.

use crate::support::{archive, directory, file, levels, to_u32, words};

use mapwright_rez::io::Severity;
use mapwright_rez::{Document, EntryKind, FileType, Layout, Packer, WriteOptions};

/// Returns the codes of all findings with the severity, without the count of those that are not listed.
fn codes(document: &Document) -> Vec<(&'static str, Severity)> {
    document.validate().iter().map(|finding| (finding.code, finding.severity)).collect()
}

/// Returns the codes of warnings and errors.
fn problems(document: &Document) -> Vec<&'static str> {
    codes(document).into_iter().filter(|(_, severity)| *severity > Severity::Note).map(|(code, _)| code).collect()
}

#[test]
fn archives_of_monolith_have_only_notes() {
    let document = levels();
    assert_eq!(codes(&document), [("packer", Severity::Note), ("unused-bytes", Severity::Note)]);
    let messages: Vec<_> = document.validate().into_iter().map(|finding| finding.message).collect();
    let [packer, unused] = &messages[..] else { panic!("two findings") };
    assert_eq!(packer, "directories were written by Monolith's packer");
    assert!(unused.ends_with(" unused bytes in 6 ranges"), "{unused}");
    let compact = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    let compact = Document::from_vec(compact).unwrap();
    assert_eq!((compact.packer(), compact.overview().unused_bytes), (Packer::Other, 0));
    assert_eq!(codes(&compact), [("packer", Severity::Note)]);
    assert_eq!(Document::new().validate(), []);
}

#[test]
fn unusual_entries_have_warnings() {
    let mut document = Document::new();
    document.add("KIND", b"1", None).unwrap().kind = EntryKind(7);
    document.add("KEYS", b"2", None).unwrap().keys = vec![1];
    document.add("DESC", b"3", None).unwrap().description = b"text".to_vec();
    document.add("lower", b"4", None).unwrap();
    document.add("DUP.TXT", b"5", None).unwrap();
    document.add("OTHER.TXT", b"6", None).unwrap().name = b"DUP".to_vec();
    document.add("DUP.PID", b"7", None).unwrap();
    document.add("A.JBF", b"8", None).unwrap();
    document.add("N".repeat(128), b"9", None).unwrap();
    document.add("N".repeat(127), b"10", None).unwrap();
    document.header.title.0[0] = b'?';
    let expected = ["banner", "kind", "keys", "description", "lower-case", "duplicate-name", "long-name"];
    let sorted = |mut list: Vec<&'static str>| {
        list.sort_unstable();
        list
    };
    assert_eq!(sorted(problems(&document)), sorted(expected.to_vec()));
    assert!(codes(&document).contains(&("leftover", Severity::Note)));
    let read = Document::from_vec(document.to_bytes().unwrap()).unwrap();
    assert_eq!(problems(&read), problems(&document));
    let findings = read.validate();
    let duplicate = findings.iter().find(|finding| finding.code == "duplicate-name").unwrap();
    assert_eq!(duplicate.path, "\"DUP.TXT\"");
    assert!(findings.iter().all(|finding| finding.severity == Severity::Note || finding.at.is_some()));
}

#[test]
fn wrong_numbers_of_the_header_have_warnings() {
    let bytes = levels().to_bytes().unwrap();
    let with = |at: usize, number: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        problems(&Document::from_vec(bytes).unwrap())
    };
    assert_eq!(with(0x9B, 3), ["largest-size"]);
    assert_eq!(with(0x9F, 3), ["largest-size"]);
    assert_eq!(with(0x9F, 99), [""; 0]);
    let next = levels().stored_header().unwrap().next_write_position;
    assert_eq!(with(0x8F, next - 1), ["next-write-position"]);
    assert_eq!(with(0x8F, next + 1), [""; 0]);
    // The files of a directory are at both ends of the payloads.
    let mut document = levels();
    document.add("LEVEL1/WORLDS/LATER.WWD", b"later", None).unwrap();
    let mut bytes = document.to_bytes().unwrap();
    assert_eq!(problems(&Document::from_bytes(&bytes).unwrap()), [""; 0]);
    bytes[0xA7] = 1;
    let document = Document::from_vec(bytes).unwrap();
    assert_eq!(problems(&document), ["not-sorted"]);
    assert_eq!(document.validate()[0].path, "LEVEL1/WORLDS");
    // Packing keeps the order of the payloads, so the directories are not contiguous.
    let packed = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Monolith)).unwrap();
    assert_eq!(packed[0xA7], 0);
}

#[test]
fn overlaps_and_damage_are_found() {
    let root = [
        file(168, 4, "A", 0),
        file(170, 4, "B", 0),
        file(900, 4, "FAR", FileType::TXT.0),
        directory(4, 4, "D"),
        words(&[1]),
    ]
    .concat();
    let bytes = archive([174, to_u32(root.len())], &[b"abcdef".to_vec(), root].concat());
    let document = Document::from_vec(bytes).unwrap();
    let expected = ["entry-cut", "file-outside", "directory-outside", "not-sorted", "overlap", "overlap"];
    assert_eq!(problems(&document), expected);
    let findings = document.validate();
    assert_eq!(findings[1].path, "\"FAR.TXT\"");
    assert_eq!(
        findings[5].to_string(),
        "warning[overlap]: bytes 170 to 174 are also used by another entry in B at offset 205 (0xcd)"
    );
}

#[test]
fn long_lists_are_cut() {
    let root = directory(0, 0, "").repeat(3000);
    let bytes = archive([168, to_u32(root.len())], &root);
    let findings = Document::from_vec(bytes).unwrap().validate();
    assert!(findings.len() < 110, "{}", findings.len());
    assert_eq!(
        findings.iter().filter(|finding| finding.code == "duplicate-name").map(|finding| finding.count).sum::<usize>(),
        2999
    );
}

#[test]
fn files_are_counted_by_type() {
    let overview = levels().overview();
    assert_eq!((overview.files, overview.directories, overview.depth, overview.packer), (6, 6, 3, Packer::Monolith));
    let types: Vec<_> = overview.types.iter().map(|count| (count.file_type, count.files, count.bytes)).collect();
    assert_eq!(types, [(FileType::PID, 3, 28), (FileType::NONE, 1, 0), (FileType::PCX, 1, 17), (FileType::WWD, 1, 9)]);
}
