//! Document to bytes.

mod binary;
mod text;

use std::io::Write;

use mapwright_io::{Frame, Output, Position};

use crate::{Document, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Writes the document as its header says: binary as the fields say; text as it was read wherever the fields still say
    /// the same, and in Hammer's layout where not.
    ///
    /// # Errors
    /// If the encoding cannot say what the document holds, which never happens with an unedited one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&WriteOptions::default())
    }

    /// Writes the document as told.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        if !self.header.can_be_said() {
            return Err(WriteError::new(WriteErrorKind::Header, Position::default()).wrap(Frame::Field("header")));
        }
        let mut output = Output::new();
        if self.header.encoding.is_text() {
            text::write(self, options, &mut output)?;
        } else {
            output = Output::with_capacity(binary::size(self));
            binary::write(self, &mut output)?;
        }
        Ok(output.into_bytes())
    }

    /// Writes the document to a writer.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, mut writer: impl Write) -> Result<(), WriteError> {
        let bytes = self.to_bytes()?;
        writer.write_all(&bytes).map_err(|error| WriteError::new(error.into(), Position::default()))
    }
}
