//! Writes a [`Document`] as bytes.

use crate::{Document, ReadError, ReadOptions, WriteError, WriteOptions};

impl Document {
    /// Writes the map with the given options: the bytes that were read.
    ///
    /// # Errors
    /// Never fails.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        Ok(self.source.clone())
    }
}

mapwright_io::read_functions!("a map", crate::read::read);
mapwright_io::write_functions!("the map");
