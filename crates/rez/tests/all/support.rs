//! Helpers shared by the tests.

#![allow(dead_code, reason = "each test uses a part")]

use mapwright_rez::{Document, Mode, ReadError, ReadOptions};
use mapwright_testkit::Refusal;

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_strict(bytes: &[u8]) -> Result<Document, Refusal> {
    let options = ReadOptions::default().with_mode(Mode::Strict);
    Document::from_bytes_with(bytes, &options).map_err(|error| refusal(&error))
}

/// An archive of bytes: header, payloads and blocks, with the root block at `root`.
pub(crate) fn archive(root: [u32; 2], body: &[u8]) -> Vec<u8> {
    let mut file = b"\r\nRezMgr Version 1 Copyright (C) 1995 MONOLITH INC.           \r\n".to_vec();
    file.extend([b' '; 60]);
    file.extend(b"\r\n\x1a");
    // Version, root, time of the root, next write position, time, and four largest sizes.
    for number in [1, root[0], root[1], 0, root[0], 0x366C_4C5C, 0, 99, 99, 0] {
        file.extend(u32::to_le_bytes(number));
    }
    file.push(1);
    assert_eq!(file.len(), 168);
    file.extend(body);
    file
}

pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn directory(position: usize, size: usize, name: &str) -> Vec<u8> {
    [words(&[1, to_u32(position), to_u32(size), 0]), name.as_bytes().to_vec(), vec![0]].concat()
}

pub(crate) fn file(position: usize, size: usize, name: &str, file_type: u32) -> Vec<u8> {
    let numbers = words(&[0, to_u32(position), to_u32(size), 7, 5, file_type, 0]);
    [numbers, name.as_bytes().to_vec(), vec![0, 0]].concat()
}

pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

/// Two levels with tiles, as Monolith's packer writes them.
pub(crate) fn levels() -> Document {
    let mut document = Document::new();
    for (path, data) in [
        (r"LEVEL1\TILES\ACTION\001.PID", &b"first tile"[..]),
        (r"LEVEL1\TILES\ACTION\012.PID", b"another tile"),
        (r"LEVEL1\TILES\ACTION\001.PCX", b"first tile as PCX"),
        (r"LEVEL1\WORLDS\WORLD.WWD", b"the level"),
        (r"LEVEL1\NOTES", b""),
        (r"GAME\IMAGES\COIN.PID", b"a coin"),
    ] {
        document.add(path, data, Some(0x366C_4C5C)).unwrap();
    }
    document.assign_ids();
    document.sort_entries(mapwright_rez::EntryOrder::Id);
    document.header.time = 0x366C_4C5C;
    Document::from_vec(document.to_bytes().unwrap()).unwrap()
}

pub(crate) fn paths(document: &Document) -> Vec<String> {
    document.walk().map(|item| item.path_text()).collect()
}
