//! Reads documents from bytes.

use std::borrow::Cow;

use mapwright_dmx as dmx;
use mapwright_io::Position;

use crate::{Document, ReadError, ReadErrorKind, ReadOptions};

mapwright_io::read_functions!("a map, binary or text", read);

fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    let graph = match bytes {
        Cow::Borrowed(bytes) => dmx::Document::from_bytes_with(bytes, options),
        Cow::Owned(bytes) => dmx::Document::from_vec_with(bytes, options),
    };
    Document::from_graph(graph.map_err(|error| error.map_kind(Into::into))?)
}

impl Document {
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
