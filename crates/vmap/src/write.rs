//! Writes a document as bytes.

use crate::{Document, WriteError, WriteOptions};

mapwright_io::write_functions!("the map");

impl Document {
    /// Writes the map in the encoding of its header, as [`dmx::Document::to_bytes_with`](mapwright_dmx::Document::to_bytes_with) does.
    ///
    /// # Errors
    /// If the encoding cannot store the graph.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        self.graph().to_bytes_with(options).map_err(|error| error.map_kind(Into::into))
    }
}
