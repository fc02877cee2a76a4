//! Differences.

use crate::support::levels;

use mapwright_rez::diff::Diff;
use mapwright_rez::{Document, Layout, WriteOptions};

#[test]
fn every_kind_of_difference_is_listed() {
    let old = levels();
    let mut new = old.clone();
    assert!(Diff::between(&old, &new).is_empty());
    new.header.time += 1;
    new.replace("LEVEL1/WORLDS/WORLD.WWD", b"another level", Some(1)).unwrap();
    new.rename("LEVEL1/TILES/ACTION/001.PCX", "777.PCX").unwrap();
    new.remove("LEVEL1/NOTES").unwrap();
    new.remove("GAME").unwrap();
    new.add("LEVEL2/COIN.PID", b"a coin", None).unwrap();
    new.directory_mut("LEVEL1").unwrap().name = b"Level1".to_vec();
    let diff = Diff::between(&old, &new);
    let expected = "\
header: time: 913067100 → 913067101
~ LEVEL1/: name: LEVEL1 → Level1
~ LEVEL1/WORLDS/WORLD.WWD: time: 913067100 → 1; data: 9 bytes with the checksum 9384b25f → 13 bytes with the checksum 74c9ebba
~ LEVEL1/TILES/ACTION/001.PCX: path: LEVEL1/TILES/ACTION/001.PCX → Level1/TILES/ACTION/777.PCX
- LEVEL1/NOTES
- GAME/
+ LEVEL2/
";
    let text: Vec<_> = diff.to_string().lines().map(str::to_owned).collect();
    for line in expected.lines().filter(|line| !line.contains("checksum")) {
        assert!(text.iter().any(|found| found == line), "{line} is not in {text:#?}");
    }
    assert_eq!(text.len(), expected.lines().count(), "{text:#?}");
    assert!(text.iter().any(|line| line.starts_with("~ LEVEL1/WORLDS/WORLD.WWD: time: 913067100 → 1; data: 9 bytes")));
    let back = Diff::between(&new, &old);
    assert_eq!((back.entries.added.len(), back.entries.removed.len()), (2, 1));
}

#[test]
fn moved_files_are_matched_by_their_payload() {
    let old = levels();
    let mut new = old.clone();
    new.remove("GAME/IMAGES/COIN.PID").unwrap();
    new.add("LEVEL1/WORLDS/COIN.PID", b"a coin", Some(0x366C_4C5C)).unwrap().id = 10_000_000;
    let text = Diff::between(&old, &new).to_string();
    assert_eq!(text, "~ GAME/IMAGES/COIN.PID: path: GAME/IMAGES/COIN.PID → LEVEL1/WORLDS/COIN.PID\n");
}

#[test]
fn orders_and_layouts_differ() {
    let old = levels();
    let compact = old.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    let diff = Diff::between(&old, &Document::from_vec(compact).unwrap());
    let fields: Vec<_> = diff.header.iter().map(|change| change.field.as_str()).collect();
    assert_eq!((fields, diff.entries.is_empty()), (vec!["length", "root_position"], true));
    let mut new = old.clone();
    new.sort_entries(mapwright_rez::EntryOrder::NameLength);
    let diff = Diff::between(&old, &new);
    assert!(diff.entries.reordered && diff.entries.changed.is_empty() && !diff.is_empty(), "{diff}");
}
