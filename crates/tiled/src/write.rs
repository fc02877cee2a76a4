//! Writes a [`Document`] as bytes.

use crate::document::Document;
use crate::{WriteError, WriteOptions};

impl Document {
    /// Writes the text with the given options: the bytes that were read.
    ///
    /// # Errors
    /// Never fails.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        Ok(self.source.clone().into_bytes())
    }
}

mapwright_io::write_functions!("the text");
