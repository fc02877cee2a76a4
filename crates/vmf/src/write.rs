//! Writes a [`Document`] as bytes.

use crate::{Document, WriteError, WriteOptions};

mapwright_io::write_functions!("the map");

impl Document {
    /// Writes the map with the given options: the bytes that were read.
    ///
    /// # Errors
    /// Never fails.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        Ok(self.as_bytes().to_vec())
    }
}
