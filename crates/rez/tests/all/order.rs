//! Numbers and order of entries, as Monolith's packers make them.

use mapwright_rez::{Document, EntryOrder};

use crate::support::paths;

fn with(paths: &[&str]) -> Document {
    let mut document = Document::new();
    for path in paths {
        document.add(path, b"x", None).unwrap();
    }
    document
}

/// Source: "Id": names of digits are their own numbers, others are counted from 10,000,000 in each directory.
#[test]
fn files_are_numbered() {
    let mut document = with(&["012.PID", "A.PID", "0.PID", r"D\B", r"D\7", r"D\C", "99999999999.PID", "Z.PID"]);
    document.assign_ids();
    let ids: Vec<_> = document.files().map(|(item, file)| (item.path_text(), file.id)).collect();
    let expected = [
        ("D/B", 10_000_000),
        ("D/7", 7),
        ("D/C", 10_000_001),
        ("012.PID", 12),
        ("A.PID", 10_000_000),
        ("0.PID", 0),
        ("99999999999.PID", u32::MAX),
        ("Z.PID", 10_000_001),
    ];
    assert_eq!(ids, expected.map(|(path, id)| (path.to_owned(), id)));
}

/// Source: "Order of entries in a block": tiles 323, 304, 285, 266 of Gruntz are 17, 16, 15 and 14 times 19.
#[test]
fn entries_are_sorted_by_bins_and_the_newest_of_a_bin_is_first() {
    let mut document = with(&["266.PID", "285.PID", "1.PID", "304.PID", "323.PID", "18.PID", "20.PID"]);
    document.assign_ids();
    document.sort_entries(EntryOrder::Id);
    assert_eq!(paths(&document), ["323.PID", "304.PID", "285.PID", "266.PID", "20.PID", "1.PID", "18.PID"]);
    // Directories by the length of the name modulo 5: 5, 1, 6, 2.
    let mut document = with(&[r"AB\X", r"A\X", r"ABCDEF\X", r"ABCDE\X"]);
    document.sort_entries(EntryOrder::Id);
    let names: Vec<_> = document.root().directories().map(|directory| directory.name.clone()).collect();
    assert_eq!(names, [&b"ABCDE"[..], b"ABCDEF", b"A", b"AB"]);
    // Types modulo 9, of which the newest of a bin is first.
    let mut document = with(&["1.A", "1.PCX", "1.PID", "1.WAV", "1.J", "2.A"]);
    document.assign_ids();
    document.sort_entries(EntryOrder::Id);
    let bins = [0x0057_4156, 0x4A, 0x0050_4944, 0x41, 0x0050_4358].map(|number: u32| number % 9);
    assert_eq!(bins, [1, 2, 2, 2, 7]);
    assert_eq!(paths(&document), ["1.WAV", "1.J", "1.PID", "1.A", "2.A", "1.PCX"]);
}

#[test]
fn lithtech_2_sorts_files_by_the_length_of_their_names() {
    let mut document = with(&["AAA", "B", "CC", "DDDDDDDDDDDDDDDDDDD", "E"]);
    document.sort_entries(EntryOrder::NameLength);
    assert_eq!(paths(&document), ["DDDDDDDDDDDDDDDDDDD", "E", "B", "CC", "AAA"]);
}
