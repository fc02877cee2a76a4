//! Bytes → document.

pub(crate) mod binary;
mod shared;
pub(crate) mod text;

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use mapwright_io::{Budget, FaultKind, Position, read_all};

use crate::sniff::Content;
use crate::{Dialect, Document, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads a map of any dialect.
    ///
    /// # Errors
    /// If the bytes are not a map, or if reading would exceed the default limits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a map with the given options.
    ///
    /// # Errors
    ///
    /// If the bytes are not a map, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Borrowed(bytes), options)
    }

    /// Reads a map from an owned buffer without copying it.
    ///
    /// # Errors
    ///
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_vec_with(bytes, &ReadOptions::default())
    }

    /// Reads a map from an owned buffer with the given options, without copying it.
    ///
    /// # Errors
    ///
    /// As [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_vec_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        read(Cow::Owned(bytes), options)
    }

    /// Reads a map from a reader, to its end.
    ///
    /// # Errors
    ///
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a map from a reader, to its end, with the given options.
    ///
    /// # Errors
    ///
    /// If the reader fails or returns more than the limits allow, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_vec_with(read_all(reader, options.limits.max_input)?, options)
    }
}

fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let mut budget = Budget::new(&options.limits);
    let refuse = |kind: ReadErrorKind| Err(ReadError::new(kind, Position::file(0)));
    // Parts store their offsets in 32 bits.
    if u32::try_from(bytes.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of the file", asked: bytes.len() as u64, limit: u32::MAX.into() };
        return refuse(kind.into());
    }
    let mut map = match Content::from_bytes(&bytes) {
        Content::Map(Dialect::Binary) => binary::read(&bytes, &mut budget),
        Content::Map(dialect) => text::read(&bytes, dialect, &mut budget),
        Content::Fragment => text::read(&bytes, text::dialect(&bytes), &mut budget),
        Content::Version(found) => refuse(ReadErrorKind::Version { found }),
        Content::Other(other) => refuse(ReadErrorKind::Other(other)),
        Content::Unknown => refuse(ReadErrorKind::Unknown),
    }?;
    if let Some(source) = map.source.as_mut().and_then(Arc::get_mut) {
        source.bytes = bytes.into_owned();
    }
    map.stamp();
    Ok(map)
}
