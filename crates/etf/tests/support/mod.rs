//! What several test files need.
#![allow(dead_code, reason = "every test file takes what it needs")]

use mapwright_etf::{Document, Mode, ReadError, ReadOptions, Tree};
use mapwright_io::Space;
use mapwright_testkit::Refusal;

/// The bytes of a hexadecimal text; blanks are skipped.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    assert!(digits.len().is_multiple_of(2), "{text}");
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).expect(text)).collect()
}

/// The rows of a table, without the one that names the columns.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// The term of a stream that holds one plain term.
pub(crate) fn plain(stream: &[u8]) -> Tree {
    let (&magic, term) = stream.split_first().expect("a stream is not empty");
    assert_eq!(magic, 131);
    Tree::from_bytes(term).unwrap()
}

pub(crate) fn lenient() -> ReadOptions {
    ReadOptions::default().with_mode(Mode::Lenient)
}

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    let at = error.position();
    Refusal::new(error.category().name(), (at.space == Space::File).then_some(at.offset), error)
}

/// Reads as a law of the testkit wants it.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_lenient(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &lenient()).map_err(|error| refusal(&error))
}
