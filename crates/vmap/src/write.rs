//! Writes documents to bytes.

use std::io::Write;

use crate::{Document, WriteError, WriteOptions};

impl Document {
    /// Writes the map in the encoding of its header, as [`dmx::Document::to_bytes`](mapwright_dmx::Document::to_bytes) does.
    ///
    /// # Errors
    /// If the encoding cannot store the graph. This never happens with an unedited one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&WriteOptions::default())
    }

    /// Writes the map with the given options.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        self.graph().to_bytes_with(options).map_err(|error| error.map_kind(Into::into))
    }

    /// Writes the map to a writer.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, writer: impl Write) -> Result<(), WriteError> {
        self.write_to_with(writer, &WriteOptions::default())
    }

    /// Writes the map to a writer with the given options.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to_with(&self, writer: impl Write, options: &WriteOptions) -> Result<(), WriteError> {
        self.graph().write_to_with(writer, options).map_err(|error| error.map_kind(Into::into))
    }
}
