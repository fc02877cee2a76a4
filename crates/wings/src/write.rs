//! [`Document`] → bytes, and [`Model`](crate::Model) → [`Document`].

mod check;
mod edits;
mod lists;
mod model;
mod set_model;

use std::io::Write;

use mapwright_etf as etf;
use mapwright_io::{Error, Output};

use crate::document::MAGIC;
use crate::{Document, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Encodes the file. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// [`WriteErrorKind::TooLarge`] if the payload has 4 GiB or more.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&WriteOptions::default())
    }

    /// Encodes the file with the given options.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let options = etf::WriteOptions::default().with_stream(options.stream);
        let payload = self.payload.to_bytes_with(&options).map_err(|error| error.map_kind(Into::into))?;
        let size = payload.len() as u64;
        let too_large = |_| Error::without_position(WriteErrorKind::TooLarge { size });
        let length = u32::try_from(size).map_err(too_large)?;
        let mut out = Output::with_capacity(payload.len().saturating_add(19));
        out.bytes(MAGIC);
        out.u32_be(length);
        out.bytes(&payload);
        Ok(out.into_bytes())
    }

    /// Writes the file to a writer.
    ///
    /// # Errors
    /// An error of the writer, or as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, writer: impl Write) -> Result<(), WriteError> {
        self.write_to_with(writer, &WriteOptions::default())
    }

    /// Writes the file to a writer with the given options.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to).
    pub fn write_to_with(&self, mut writer: impl Write, options: &WriteOptions) -> Result<(), WriteError> {
        writer.write_all(&self.to_bytes_with(options)?).map_err(|error| Error::without_position(error.into()))
    }
}
