//! Reads documents from bytes.

use std::io::Read;

use mapwright_dmx as dmx;
use mapwright_io::Position;

use crate::{Document, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads a map, binary or text.
    ///
    /// # Errors
    /// If the bytes are not a DMX file of format `vmap`, or if reading would exceed the default limits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a map, binary or text, with the given options.
    ///
    /// # Errors
    /// If the bytes are not a DMX file of format `vmap`, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let graph = dmx::Document::from_bytes_with(bytes, options).map_err(|error| error.map_kind(Into::into))?;
        Self::from_graph(graph)
    }

    /// Reads a map, binary or text, from an owned buffer. Documents keep the source of a text file. This function stores the buffer, where
    /// [`from_bytes`](Self::from_bytes) copies it. Of a binary file nothing is kept.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_vec_with(bytes, &ReadOptions::default())
    }

    /// Reads a map from an owned buffer with the given options.
    ///
    /// # Errors
    /// As [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_vec_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        let graph = dmx::Document::from_vec_with(bytes, options).map_err(|error| error.map_kind(Into::into))?;
        Self::from_graph(graph)
    }

    /// Reads a map from a reader to its end.
    ///
    /// # Errors
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a map from a reader to its end with the given options.
    ///
    /// # Errors
    /// If the reader fails or returns more bytes than the limit, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        let graph = dmx::Document::from_reader_with(reader, options).map_err(|error| error.map_kind(Into::into))?;
        Self::from_graph(graph)
    }

    /// Converts an element graph to a map.
    ///
    /// # Errors
    /// If the header names another format than `vmap`.
    pub fn from_graph(graph: dmx::Document) -> Result<Self, ReadError> {
        if Self::is_map(&graph) {
            return Ok(Self::new_unchecked(graph));
        }
        let format = String::from_utf8_lossy(&graph.header.format).into_owned();
        Err(ReadError::new(ReadErrorKind::NotAMap { format }, Position::file(0)))
    }
}
