//! Comparison of a file with what is written after reading it.

use mapwright_etf as etf;
use mapwright_io::{LineColumn, Path, Position, Space};

use crate::formats::etf::{path_from_root, path_in_file, path_in_term};
use crate::{AnyDocument, Error, Format, ReadOptions};

/// The result of reading and writing a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roundtrip {
    /// All bytes are equal.
    Exact,
    /// The decompressed data is equal, but the compressed bytes differ.
    Payload(Difference),
    /// The content differs.
    Different(Difference),
}

/// The first difference between two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The position, in the file or in the decompressed data.
    pub at: Position,
    /// The part of the document.
    pub path: Path,
    /// The offset of both excerpts, counted as in [`at`](Self::at).
    pub start: u64,
    /// Bytes of the original around the position.
    pub expected: Vec<u8>,
    /// Bytes of the other file around the position.
    pub found: Vec<u8>,
}

/// Reads a file, writes it, and compares.
///
/// # Errors
/// Errors of reading and writing.
pub fn roundtrip(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Roundtrip, Error> {
    let document = AnyDocument::from_bytes_as(bytes, format, options)?;
    let written = document.to_bytes()?;
    if written == bytes {
        return Ok(Roundtrip::Exact);
    }
    // Output that cannot be read again is compared as bytes.
    let again = AnyDocument::from_bytes_as(&written, format, options).ok();
    Ok(compare(bytes, &document, &written, again.as_ref()))
}

/// Compares two files of a format and returns the first difference. `document` and `read` are the documents in them. Without `read` the
/// files are compared as bytes.
pub fn compare(bytes: &[u8], document: &AnyDocument, other: &[u8], read: Option<&AnyDocument>) -> Roundtrip {
    if bytes == other {
        return Roundtrip::Exact;
    }
    let terms = (document.term(), read.and_then(AnyDocument::term));
    if let (Some(old), Some(new)) = terms
        && *old.packing() != etf::Packing::Plain
    {
        let (old_term, new_term) = (old.tree().as_bytes(), new.tree().as_bytes());
        if let Some(offset) = first_difference(old_term, new_term) {
            let path = path_from_root(document.as_format_document(), &path_in_term(old.tree(), offset));
            let at = Position::inflated(offset as u64);
            return Roundtrip::Different(Difference::new(at, path, old_term, new_term));
        }
    }
    let offset = first_difference(bytes, other).unwrap_or_default();
    let difference =
        Difference::new(position(document, bytes, offset), file_path(document, bytes, offset), bytes, other);
    match terms {
        (Some(old), Some(new)) if old.tree() == new.tree() => Roundtrip::Payload(difference),
        _ => Roundtrip::Different(difference),
    }
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = old.len().min(new.len());
    old.iter().zip(new).position(|(a, b)| a != b).or((old.len() != new.len()).then_some(common))
}

/// Returns the position of a byte of the file, with its line in text.
fn position(document: &AnyDocument, bytes: &[u8], offset: usize) -> Position {
    let position = Position::file(offset as u64);
    if !document.as_format_document().is_text() {
        return position;
    }
    let before = bytes.get(..offset).unwrap_or(bytes);
    let mut lines = before.split(|&byte| byte == b'\n');
    let (line, column) = (lines.clone().count(), lines.next_back().map_or(0, <[u8]>::len) + 1);
    let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
    Position { text: Some(LineColumn { line: number(line), column: number(column) }), ..position }
}

/// Returns the path of the part of the document at a byte of the file.
fn file_path(document: &AnyDocument, bytes: &[u8], offset: usize) -> Path {
    let document = document.as_format_document();
    document.path_at(offset as u64).unwrap_or_else(|| path_in_file(document, bytes, offset))
}

impl Difference {
    fn new(at: Position, path: Path, old: &[u8], new: &[u8]) -> Self {
        let start = excerpt_start(at.offset);
        Self { at, path, start, expected: excerpt(old, start).to_vec(), found: excerpt(new, start).to_vec() }
    }
}

/// Length of an excerpt in bytes.
const EXCERPT: usize = 48;

/// Returns the start of the excerpt around an offset: one row of 16 bytes before the row of the offset.
fn excerpt_start(offset: u64) -> u64 {
    (offset / 16).saturating_sub(1).saturating_mul(16)
}

fn excerpt(bytes: &[u8], start: u64) -> &[u8] {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..EXCERPT).unwrap_or(rest)
}

/// Returns the bytes around a position in a file, with the offset of the first of them. If the position counts decompressed data, these
/// are returned.
///
/// `None` if the position is beyond the end, or if the data cannot be decompressed that far.
pub fn bytes_around(bytes: &[u8], format: Format, at: Position, options: &ReadOptions) -> Option<(u64, Vec<u8>)> {
    let start = excerpt_start(at.offset);
    let excerpt = match at.space {
        Space::File => excerpt(bytes, start).to_vec(),
        Space::Inflated => excerpt(&(format.entry()?.decompress?)(bytes, options)?, start).to_vec(),
    };
    Some((start, excerpt)).filter(|(_, bytes)| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn etf(bytes: &[u8]) -> AnyDocument {
        AnyDocument::from_bytes_as(bytes, Format::Etf, &ReadOptions::default()).unwrap()
    }

    fn compared(old: &[u8], new: &[u8]) -> Roundtrip {
        compare(old, &etf(old), new, Some(&etf(new)))
    }

    /// Returns the term `{a,[1,N]}`, uncompressed.
    fn plain(n: u8) -> Vec<u8> {
        vec![131, 104, 2, 100, 0, 1, b'a', 108, 0, 0, 0, 2, 97, 1, 97, n, 106]
    }

    /// A list that is long enough to be compressed, with one number in it.
    fn compressed(n: u8, stream: &[u8]) -> Vec<u8> {
        let mut term = etf::Builder::new(etf::WriterProfile::Otp17);
        term.begin_list();
        (0..100).for_each(|_| term.tuple(0));
        term.integer(n.into());
        term.end_list();
        let bytes = etf::Document::new(term.finish().unwrap()).to_bytes().unwrap();
        assert_eq!(bytes[1], 80);
        [&bytes, stream].concat()
    }

    #[test]
    fn equal_files_are_exact() {
        assert_eq!(compared(&plain(1), &plain(1)), Roundtrip::Exact);
        assert_eq!(roundtrip(&plain(9), Format::Etf, &ReadOptions::default()).unwrap(), Roundtrip::Exact);
    }

    #[test]
    fn a_difference_in_a_plain_term_has_a_path() {
        let Roundtrip::Different(difference) = compared(&plain(1), &plain(2)) else { panic!("must differ") };
        assert_eq!((difference.at, difference.path.to_string()), (Position::file(15), "[1][1]".to_owned()));
        assert_eq!((difference.start, difference.expected, difference.found), (0, plain(1), plain(2)));
    }

    #[test]
    fn a_difference_in_a_compressed_term_has_a_position_in_the_decompressed_data() {
        let Roundtrip::Different(difference) = compared(&compressed(1, b""), &compressed(2, b"")) else {
            panic!("must differ")
        };
        assert_eq!(difference.at, Position::inflated(206));
        assert_eq!(difference.path.to_string(), "[100]");
        assert_eq!(difference.start, 176);
    }

    #[test]
    fn equal_terms_in_other_compression_are_payload_exact() {
        let old = compressed(1, b"");
        let mut plain = vec![131];
        plain.extend_from_slice(etf(&old).term().unwrap().tree().as_bytes());
        let Roundtrip::Payload(difference) = compared(&old, &plain) else { panic!("must be the same term") };
        assert_eq!(difference.at, Position::file(1));
        assert!(matches!(compared(&old, &compressed(1, b"more")), Roundtrip::Payload(_)));
    }

    #[test]
    fn bytes_around_a_position_are_decompressed() {
        let file = compressed(7, b"");
        let around = |at| bytes_around(&file, Format::Etf, at, &ReadOptions::default());
        let (start, bytes) = around(Position::inflated(206)).unwrap();
        assert_eq!((start, bytes.len(), &bytes[29..]), (176, 32, &[97, 7, 106][..]));
        assert_eq!(around(Position::file(3)).unwrap().0, 0);
        assert_eq!(around(Position::inflated(1 << 40)), None);
    }
}
