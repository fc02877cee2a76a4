//! Reads bytes as a document.

mod binary;
mod memory;
pub(crate) mod text;

use std::borrow::Cow;

use mapwright_io::{Budget, Input, Losses, Position};

use crate::document::header::HeaderError;
use crate::{Document, Header, ReadError, ReadErrorKind, ReadOptions, Rescued};

mapwright_io::read_functions!("a DMX file of a known encoding", read);

impl Header {
    /// Reads only the first line of a file; a prefix of the file suffices.
    ///
    /// # Errors
    /// If the bytes do not begin with the header of a known encoding.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read(bytes).map(|(header, _)| header).map_err(|error| header_error(error, bytes))
    }
}

impl Document {
    /// Reads as much of a damaged file as possible. A text is read around the damage with the help of its indentation. A binary file is
    /// read around the damage if the elements after it begin like those before it. References to missing elements become null. In a
    /// damaged text, so do references to elements of other files.
    ///
    /// # Errors
    /// If the header is damaged, if no element is readable, or if reading would exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued, ReadError> {
        if let Ok(document) = Self::from_bytes_with(bytes, options) {
            return Ok(Rescued { document, losses: Losses::new(), incomplete: Vec::new() });
        }
        let (header, taken) = Header::read(bytes).map_err(|error| header_error(error, bytes))?;
        let mut budget = Budget::new(&options.limits);
        if header.encoding.is_text() {
            return text::rescue(header, bytes, taken, &mut budget);
        }
        let mut input = Input::new(bytes);
        input.take(taken)?;
        binary::rescue(header, &mut input, &mut budget)
    }
}

fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let (header, taken) = Header::read(&bytes).map_err(|error| header_error(error, &bytes))?;
    let mut budget = Budget::new(&options.limits);
    if header.encoding.is_text() {
        return text::read(header, bytes, taken, &mut budget);
    }
    let mut input = Input::new(&bytes);
    input.take(taken)?;
    binary::read(header, &mut input, &mut budget).map_err(|error| detect_replaced_bytes(error, &bytes))
}

fn header_error(error: HeaderError, bytes: &[u8]) -> ReadError {
    let kind = match error {
        HeaderError::NotDmx if mapwright_io::is_git_lfs_pointer(bytes) => ReadErrorKind::LfsPointer,
        HeaderError::NotDmx => match transcoded(bytes) {
            Some(encoding) => ReadErrorKind::Transcoded { encoding },
            None => ReadErrorKind::NotDmx { found: beginning(bytes) },
        },
        HeaderError::Encoding(name) => ReadErrorKind::Encoding { name },
        HeaderError::Version(encoding, version) => ReadErrorKind::Version { encoding, version },
        HeaderError::Malformed => ReadErrorKind::Header,
    };
    ReadError::new(kind, Position::file(0))
}

/// Returns the character encoding if a file begins like a header in another encoding than plain bytes.
fn transcoded(bytes: &[u8]) -> Option<&'static str> {
    [
        (b"\xEF\xBB\xBF<!--".as_slice(), "UTF-8 with a byte order mark"),
        (b"\xFF\xFE<\0!\0-\0-\0", "UTF-16"),
        (b"\xFE\xFF\0<\0!\0-\0-", "UTF-16"),
        (b"<\0!\0-\0-\0", "UTF-16"),
        (b"\0<\0!\0-\0-", "UTF-16"),
    ]
    .into_iter()
    .find_map(|(start, encoding)| bytes.starts_with(start).then_some(encoding))
}

/// Formats the first bytes of a file.
fn beginning(bytes: &[u8]) -> String {
    match bytes.get(..16).unwrap_or(bytes) {
        [] => "nothing".to_owned(),
        start => format!("\"{}\"", start.escape_ascii()),
    }
}

/// Reports that a program treated a binary file as text, if bytes that are not UTF-8 became U+FFFD.
fn detect_replaced_bytes(error: ReadError, bytes: &[u8]) -> ReadError {
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let replaced = bytes.windows(3).filter(|three| *three == "\u{FFFD}".as_bytes()).count();
    // In an intact file about half of the bytes of floats are above 127, and these three bytes are rare.
    if replaced >= 8 && replaced.saturating_mul(30) >= high.saturating_mul(9) {
        return error.map_kind(|source| ReadErrorKind::ReplacedBytes { source: Box::new(source) });
    }
    error
}
