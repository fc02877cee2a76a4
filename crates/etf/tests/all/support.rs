//! Helpers shared by the test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use std::ops::Range;

use mapwright_etf::{Document, Mode, ReadError, ReadOptions, Term, Tree};
use mapwright_io::Space;
use mapwright_testkit::Refusal;

/// Parses hexadecimal text. Spaces are skipped.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    assert!(digits.len().is_multiple_of(2), "{text}");
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).expect(text)).collect()
}

/// Returns the rows of a table without its header.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// Returns the term of a stream with one plain term.
pub(crate) fn plain(stream: &[u8]) -> Tree {
    let (&magic, term) = stream.split_first().expect("a stream is not empty");
    assert_eq!(magic, 131);
    Tree::from_bytes(term).unwrap()
}

/// Returns the ranges of all terms, each with those of its children, which come from the index of the tree.
pub(crate) fn ranges(tree: &Tree) -> Vec<(Range<usize>, Vec<Range<usize>>)> {
    tree.root().descendants().map(|term| (term.range(), term.children().map(Term::range).collect())).collect()
}

pub(crate) fn lenient() -> ReadOptions {
    ReadOptions::default().with_mode(Mode::Lenient)
}

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    let at = error.position().filter(|at| at.space == Space::File);
    Refusal::new(error.category().name(), at.map(|at| at.offset), error)
}

/// Reads a document for the laws of the testkit.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_lenient(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &lenient()).map_err(|error| refusal(&error))
}

/// One legal term of every tag except LOCAL, which only the lenient mode reads.
pub(crate) const EVERY_TAG: &[&str] = &[
    "46 3ff8000000000000",
    "4d 00000002 03 01e0",
    "58 64 0001 61 00000001 00000002 00000103",
    "59 64 0001 61 00000001 00000002",
    "5a 0002 77 01 61 00000002 00000001 00000003",
    "61 05",
    "62 fffffffe",
    "63 382e31333333333333333333333333333335323537 37652d3031 0000000000",
    "64 0002 61e9",
    "65 64 0001 61 00000001 02",
    "66 73 01 61 00000001 02",
    "67 64 0001 61 00000001 00000002 03",
    "68 02 61 01 6a",
    "69 00000001 68 00",
    "6a",
    "6b 0003 616263",
    "6c 00000002 61 01 62 00000100 6b 0001 07",
    "6d 00000003 0102ff",
    "6e 09 01 000000000000000001",
    "6f 00000002 00 0500",
    "70 00000000 02 000102030405060708090a0b0c0d0e0f 00000007 00000002 64 0001 6d 61 01 62 00000009 \
     67 64 0001 61 00000001 00000002 03 61 05 68 00",
    "71 64 0001 6d 77 01 66 61 02",
    "72 0002 64 0001 61 02 00000001 00000003",
    "73 01 e9",
    "74 00000002 61 01 6a 64 0001 6b 68 01 6a",
    "76 0002 d096",
    "77 01 61",
    "78 64 0001 61 0000000100000000 00000002",
];

/// Returns a tuple with one term of every tag.
pub(crate) fn every_tag() -> Vec<u8> {
    let count = u8::try_from(EVERY_TAG.len()).unwrap();
    [vec![0x68, count], hex(&EVERY_TAG.concat())].concat()
}

/// Returns a stream of a compressed term with a declared size.
pub(crate) fn compressed(term: &[u8], declared: usize) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(term).unwrap();
    [&[131, 80], &u32::try_from(declared).unwrap().to_be_bytes()[..], &encoder.finish().unwrap()].concat()
}
