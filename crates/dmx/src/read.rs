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

    /// Reads a file as told.
    ///
    /// # Errors
    /// If the bytes are not a DMX file of a known encoding, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Borrowed(bytes), options)
    }

    /// Reads a file, binary or text, from what `std::fs::read` gives. A document keeps the text that it was read from: this one
    /// as it is, where [`from_bytes`](Self::from_bytes) makes a copy. Of a binary file nothing is kept.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_vec_with(bytes, &ReadOptions::default())
    }

    /// Reads a file from what `std::fs::read` gives as told.
    ///
    /// # Errors
    /// As [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_vec_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Owned(bytes), options)
    }

    /// Reads a file to its end.
    ///
    /// # Errors
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a file to its end as told.
    ///
    /// # Errors
    /// If the reader fails or gives more than is taken, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_vec_with(read_all(reader, options.limits.max_input)?, options)
    }
}

impl Header {
    /// Reads the first line of a file alone; the beginning of the file suffices.
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
    binary::read(header, &mut input, &mut budget).map_err(|error| replaced_bytes(error, &bytes))
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

/// The encoding of characters, other than the bytes themselves, in which a file begins as a header does.
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

/// How a file begins, for people.
fn beginning(bytes: &[u8]) -> String {
    match bytes.get(..16).unwrap_or(bytes) {
        [] => "nothing".to_owned(),
        start => format!("\"{}\"", start.escape_ascii()),
    }
}

/// Says so if a binary file that cannot be read was taken for text by some program: what was not UTF-8 in it became U+FFFD.
fn replaced_bytes(error: ReadError, bytes: &[u8]) -> ReadError {
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let replaced = bytes.windows(3).filter(|three| *three == "\u{FFFD}".as_bytes()).count();
    // In a sound file about half of the bytes that make up floats are above 127, and this triple is rare.
    if replaced >= 8 && replaced.saturating_mul(30) >= high.saturating_mul(9) {
        return error.map_kind(|source| ReadErrorKind::ReplacedBytes { source: Box::new(source) });
    }
    error
}
