//! Edits write only the bytes that they have to.

use crate::support::{archive, file, levels, paths, read, to_u32, words};

use mapwright_rez::io::Category;
use mapwright_rez::{Document, EditErrorKind, FileType, Layout, WriteErrorKind, WriteOptions};

/// Returns the ranges of bytes that differ, and the length of the new file.
fn changes(old: &[u8], new: &[u8]) -> Vec<usize> {
    (0..old.len()).filter(|&at| old[at] != new[at]).collect()
}

fn read_header(document: &Document) -> mapwright_rez::StoredHeader {
    *Document::from_vec(document.to_bytes().unwrap()).unwrap().stored_header().unwrap()
}

#[test]
fn a_payload_that_is_not_longer_is_replaced_in_place() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    let path = r"LEVEL1\TILES\ACTION\012.PID";
    let position = document.find_file(path).unwrap().stored_position().unwrap() as usize;
    document.replace(path, b"ANOTHER", Some(0x366C_4C5D)).unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(new.len(), old.len());
    assert_eq!(&new[position..position + 12], b"ANOTHER tile", "the tail of the old payload stays");
    // Seven bytes of the payload, the size, the time, and the promise of contiguous directories.
    assert_eq!(changes(&old, &new).len(), 7 + 1 + 1 + 1);
    let read = Document::from_bytes(&new).unwrap();
    assert_eq!(read, document);
    let stored = *levels().stored_header().unwrap();
    assert_eq!((stored.is_sorted, read.stored_header().unwrap().is_sorted), (1, 0), "its directory has a gap now");
    let mut single = levels();
    single.replace("GAME/IMAGES/COIN.PID", b"coin", None).unwrap();
    assert_eq!(read_header(&single), stored, "a directory with one file has no gap");
    // Without a time, the time stays.
    document.replace(path, b"", None).unwrap();
    let file = document.find_file(path).unwrap();
    assert_eq!((file.time, file.data().unwrap(), file.stored_position()), (0x366C_4C5D, &b""[..], None));
}

#[test]
fn a_longer_payload_is_appended() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    document.replace("level1/worlds/world.wwd", b"a longer level", None).unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(&new[old.len()..], b"a longer level");
    let read = Document::from_bytes(&new).unwrap();
    assert_eq!(read, document);
    let stored = read.stored_header().unwrap();
    assert_eq!((stored.next_write_position as usize, stored.is_sorted), (new.len(), 0));
    let end = levels().stored_header().unwrap().next_write_position as usize;
    assert_eq!(new[168..end], old[168..end], "the old payload stays");
}

#[test]
fn a_payload_that_others_use_is_not_overwritten() {
    let pair = [file(168, 4, "A", 0), file(170, 4, "B", 0)].concat();
    let mut document =
        Document::from_vec(archive([174, to_u32(pair.len())], &[b"abcdef".to_vec(), pair].concat())).unwrap();
    document.replace("B", b"new", None).unwrap();
    assert_eq!(document.to_bytes().unwrap()[168..174], *b"abcdef");

    let root = [file(168, 4, "A", 0), file(170, 4, "B", 0), file(168, 4, "C", 0)].concat();
    let bytes = archive([174, to_u32(root.len())], &[b"abcdef".to_vec(), root].concat());
    let mut document = Document::from_vec(bytes.clone()).unwrap();
    document.replace("B", b"new", None).unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(&new[168..174], b"abcdef");
    assert_eq!(&new[bytes.len()..], b"new");
    let read = Document::from_vec(new).unwrap();
    let data = |name: &str| read.find_file(name).unwrap().data().unwrap();
    assert_eq!([data("A"), data("B"), data("C")], [&b"abcd"[..], b"new", b"abcd"]);
    // From scratch, shared bytes are still written once.
    let shared = Document::from_vec(bytes).unwrap();
    let packed = shared.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    assert_eq!(&packed[168..174], b"abcdef");
    let packed = Document::from_vec(packed).unwrap();
    assert_eq!(packed, shared);
    let positions: Vec<_> = packed.root().files().map(|file| file.stored_position().unwrap()).collect();
    assert_eq!(positions, [168, 170, 168]);
}

#[test]
fn a_payload_outside_the_archive_is_replaced_by_an_appended_one() {
    let root = [file(4, 100, "HEADER", 0), file(1 << 20, 100, "FAR", 0), file(0, 0, "EMPTY", 0)].concat();
    let bytes = archive([168, to_u32(root.len())], &root);
    let mut document = Document::from_vec(bytes.clone()).unwrap();
    assert_eq!(document.damage().count(), 2);
    for (index, name) in ["HEADER", "FAR", "EMPTY"].into_iter().enumerate() {
        document.replace(name, b"new", None).unwrap();
        let read = Document::from_vec(document.to_bytes().unwrap()).unwrap();
        assert_eq!(read.find_file(name).unwrap().stored_position().unwrap() as usize, bytes.len() + 3 * index);
        assert_eq!(read, document);
    }
    assert_eq!(document.damage().count(), 0);
}

#[test]
fn new_entries_write_the_blocks_of_all_parents_again() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    document.add(r"LEVEL2\WORLDS\WORLD.WWD", b"level 2", Some(1)).unwrap();
    document.add(r"level1\TILES\ACTION\002.pid", b"tile 2", Some(2)).unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(&new[old.len()..old.len() + 13], b"level 2tile 2", "payloads come first, in the order of adding");
    assert!(changes(&old, &new).iter().all(|at| *at < 168), "only the header changes");
    let read = Document::from_bytes(&new).unwrap();
    assert_eq!(read, document);
    let names: Vec<_> = read.root().directories().map(|directory| directory.name.clone()).collect();
    assert_eq!(names, [&b"LEVEL1"[..], b"GAME", b"LEVEL2"], "new directories are after the others");
    let added = read.find_file("LEVEL1/TILES/ACTION/002.PID").unwrap();
    assert_eq!((&added.name[..], added.file_type, added.time, added.id), (&b"002"[..], FileType::PID, 2, 0));
    assert_eq!(read.find_directory("LEVEL2").unwrap().time, 1);
    let block = |document: &Document, path: &str| document.find_directory(path).unwrap().stored_block().unwrap();
    for path in ["GAME", "GAME/IMAGES", "LEVEL1/WORLDS"] {
        assert_eq!(block(&read, path), block(&levels(), path), "{path}");
    }
    for path in ["", "LEVEL1", "LEVEL1/TILES", "LEVEL1/TILES/ACTION", "LEVEL2", "LEVEL2/WORLDS"] {
        assert!(block(&read, path)[0] as usize >= old.len() + 13, "{path}");
    }
    let stored = read.stored_header().unwrap();
    assert_eq!((stored.next_write_position as usize, stored.is_sorted), (old.len() + 13, 0));
}

#[test]
fn removed_entries_leave_their_bytes() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    document.remove("LEVEL1/TILES/ACTION/001.PCX").unwrap();
    let new = document.to_bytes().unwrap();
    assert!(changes(&old, &new).iter().all(|at| *at < 168));
    let read = Document::from_bytes(&new).unwrap();
    assert_eq!(read, document);
    assert!(read.find("LEVEL1/TILES/ACTION/001.PCX").is_none() && read.find("LEVEL1/TILES/ACTION/001.PID").is_some());
    assert_eq!(read.stored_header().unwrap().next_write_position as usize, old.len());
    // The last entry of a directory leaves an empty directory.
    let mut document = levels();
    document.remove("GAME/IMAGES/COIN.PID").unwrap();
    let read = Document::from_vec(document.to_bytes().unwrap()).unwrap();
    assert_eq!(read.find_directory("GAME/IMAGES").unwrap().stored_block().unwrap()[1], 0);
    // A directory is removed with its content.
    document.remove("LEVEL1").unwrap();
    assert_eq!(paths(&document), ["GAME", "GAME/IMAGES"]);
    assert_eq!(Document::from_vec(document.to_bytes().unwrap()).unwrap(), document);
}

#[test]
fn entries_are_renamed_in_place_if_the_length_fits() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    document.rename("GAME/IMAGES/COIN.PID", "RING.PCX").unwrap();
    document.rename("GAME", "Game").unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(new.len(), old.len());
    assert_eq!(changes(&old, &new).len(), 4 + 2 + 3);
    assert_eq!(Document::from_vec(new).unwrap(), document);
    document.rename("GAME/IMAGES/RING.PCX", "DIAMOND").unwrap();
    let new = document.to_bytes().unwrap();
    assert!(new.len() > old.len());
    let read = Document::from_vec(new).unwrap();
    assert_eq!(read, document);
    assert_eq!(read.find_file("GAME/IMAGES/DIAMOND").unwrap().data().unwrap(), b"a coin");
}

#[test]
fn fields_are_changed_in_place() {
    let mut document = levels();
    let old = document.to_bytes().unwrap();
    document.header.user_title = mapwright_rez::Title::from_text(b"my archive").unwrap();
    document.file_mut("LEVEL1/NOTES").unwrap().id ^= 1;
    document.directory_mut("LEVEL1/WORLDS").unwrap().time ^= 1;
    document.directory_mut("").unwrap().time ^= 1;
    let new = document.to_bytes().unwrap();
    assert_eq!((new.len(), changes(&old, &new).len()), (old.len(), 9 + 3), "the space of the title is equal");
    assert_eq!(read(&new).unwrap(), document);
}

#[test]
fn a_cut_directory_keeps_what_could_not_be_read() {
    let root = [file(168, 2, "A", 0), words(&[0, 1, 2])].concat();
    let bytes = archive([170, to_u32(root.len())], &[b"aa".to_vec(), root].concat());
    let mut document = Document::from_vec(bytes.clone()).unwrap();
    document.file_mut("A").unwrap().name = b"B".to_vec();
    let renamed = document.to_bytes().unwrap();
    assert_eq!((renamed.len(), changes(&bytes, &renamed).len()), (bytes.len(), 1));
    document.add("C", b"c", None).unwrap();
    let new = document.to_bytes().unwrap();
    assert_eq!(new[new.len() - 12..], words(&[0, 1, 2]));
    assert_eq!(paths(&Document::from_vec(new).unwrap()), ["B", "C"]);
}

#[test]
fn entries_of_other_payloads_are_not_changed() {
    // The block of a directory is the payload of a file.
    let inner = file(168, 2, "A", 0);
    let root = [crate::support::directory(170, inner.len(), "D"), file(170, inner.len(), "BLOCK", 0)].concat();
    let bytes =
        archive([to_u32(170 + inner.len()), to_u32(root.len())], &[b"aa".to_vec(), inner.clone(), root].concat());
    let mut document = Document::from_vec(bytes.clone()).unwrap();
    document.replace("D/A", b"b", None).unwrap();
    document.file_mut("D/A").unwrap().id = 77;
    let read = Document::from_vec(document.to_bytes().unwrap()).unwrap();
    assert_eq!(read, document);
    assert_eq!(read.find_file("BLOCK").unwrap().data().unwrap(), inner);
}

#[test]
fn impossible_edits_are_refused_and_change_nothing() {
    let mut document = levels();
    let bytes = document.to_bytes().unwrap();
    let path = "LEVEL1/WORLDS/WORLD.WWD";
    let mut kinds = vec![
        document.add(path, b"", None).map(drop).unwrap_err(),
        document.add("", b"", None).map(drop).unwrap_err(),
        document.add("A\0B", b"", None).map(drop).unwrap_err(),
        document.replace("LEVEL1", b"", None).map(drop).unwrap_err(),
        document.replace("LEVEL9/X", b"", None).map(drop).unwrap_err(),
        document.remove("LEVEL9").map(drop).unwrap_err(),
        document.remove("").map(drop).unwrap_err(),
        document.rename(path, "A/B").unwrap_err(),
        document.rename("LEVEL1/TILES/ACTION/001.PID", "012.pid").unwrap_err(),
        document.rename("LEVEL1", "game").unwrap_err(),
        document.rename("", "X").unwrap_err(),
    ];
    let last = kinds.pop().unwrap();
    assert_eq!(last.category(), Category::Unsupported);
    let kinds: Vec<_> = kinds.iter().map(|error| *error.kind()).collect();
    let name = EditErrorKind::Name;
    let expected = [
        EditErrorKind::Exists,
        name("is empty"),
        name("contains a NUL"),
        EditErrorKind::NotFound,
        EditErrorKind::NotFound,
        EditErrorKind::NotFound,
        EditErrorKind::NotFound,
        name("contains a path separator"),
        EditErrorKind::Exists,
        EditErrorKind::Exists,
    ];
    assert_eq!(kinds, expected);
    assert_eq!(
        document.add(path, b"", None).unwrap_err().to_string(),
        "entry exists already in \"LEVEL1/WORLDS/WORLD.WWD\""
    );
    assert!(document.to_bytes().unwrap() == bytes);
}

#[test]
fn fields_that_would_be_read_differently_are_not_written() {
    let failing = |change: fn(&mut Document)| {
        let mut document = levels();
        change(&mut document);
        document.to_bytes().unwrap_err()
    };
    let error = failing(|document| document.file_mut("LEVEL1/NOTES").unwrap().name = b"A\0".to_vec());
    assert_eq!(error.to_string(), r#"name contains a NUL in "LEVEL1/A\\x00""#);
    let error = failing(|document| document.file_mut("LEVEL1/NOTES").unwrap().description = b"\0".to_vec());
    assert!(matches!(error.kind(), WriteErrorKind::Nul("description")));
    let error = failing(|document| document.file_mut("LEVEL1/NOTES").unwrap().kind.0 = 1);
    assert!(matches!(error.kind(), WriteErrorKind::Kind));
    let error = failing(|document| document.header.line_breaks[1] = *b"\n\r");
    assert!(matches!(error.kind(), WriteErrorKind::Header));
}

#[test]
fn writing_from_scratch_drops_replaced_and_removed_bytes() {
    let mut document = levels();
    document.replace("GAME/IMAGES/COIN.PID", b"a much longer coin", None).unwrap();
    document.remove("LEVEL1/TILES").unwrap();
    let options = WriteOptions::default().with_layout(Layout::Monolith);
    let packed = Document::from_vec(document.to_bytes_with(&options).unwrap()).unwrap();
    assert_eq!(packed, document);
    let overview = packed.overview();
    assert_eq!(overview.packer, mapwright_rez::Packer::Monolith);
    assert_eq!(overview.unused_ranges, 4, "one after each block except for that of the root");
}
