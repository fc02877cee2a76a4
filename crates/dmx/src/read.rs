//! Bytes to document.

mod binary;
mod memory;
pub(crate) mod text;

use std::borrow::Cow;
use std::io::Read;

use mapwright_io::{Budget, Input, Position, read_all};

use crate::document::header::HeaderError;
use crate::{Document, Header, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads a file, binary or text.
    ///
    /// # Errors
    /// If the bytes are not a DMX file of a known encoding, or if reading would exceed the default limits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a file with the given options.
    ///
    /// # Errors
    /// If the bytes are not a DMX file of a known encoding, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Borrowed(bytes), options)
    }

    /// Reads a file, binary or text, from an owned buffer. A document owns the text that it was read from: this function moves it,
    /// [`from_bytes`](Self::from_bytes) copies it. Nothing of a binary file is stored.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_vec_with(bytes, &ReadOptions::default())
    }

    /// Reads a file from an owned buffer with the given options.
    ///
    /// # Errors
    /// As [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_vec_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Owned(bytes), options)
    }

    /// Reads a file from a reader.
    ///
    /// # Errors
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a file from a reader with the given options.
    ///
    /// # Errors
    /// If the reader fails or returns more bytes than the limit, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_vec_with(read_all(reader, options.limits.max_input)?, options)
    }
}

impl Header {
    /// Reads only the first line of a file; a prefix of the file suffices.
    ///
    /// # Errors
    /// If the bytes do not begin with the header of a known encoding.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read(bytes).map(|(header, _)| header).map_err(|error| header_error(error, bytes))
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
        HeaderError::NotDmx if bytes.starts_with(b"version https://git-lfs") => ReadErrorKind::LfsPointer,
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
