//! [`Document`] → bytes, and [`Model`](crate::Model) → [`Document`].

mod check;
mod edits;
mod lists;
mod model;
mod set_model;
#[cfg(feature = "scene")]
mod stream;

use mapwright_etf as etf;
use mapwright_io::{Error, Output};

#[cfg(feature = "scene")]
pub(crate) use stream::{MeshSource, stream_model};

use crate::document::MAGIC;
use crate::{Document, WriteError, WriteErrorKind, WriteOptions};

mapwright_io::write_functions!("the scene");

impl Document {
    /// Writes the scene with the given options. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// [`WriteErrorKind::TooLarge`] if the payload has 4 GiB or more.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let options = etf::WriteOptions::default().with_stream(options.stream);
        let payload = self.payload.to_bytes_with(&options).map_err(|error| error.map_kind(Into::into))?;
        let mut out = Output::with_capacity(payload.len().saturating_add(19));
        out.bytes(MAGIC);
        out.u32_be(payload_length(payload.len())?);
        out.bytes(&payload);
        Ok(out.into_bytes())
    }
}

/// Returns the length of a payload for the header.
fn payload_length(size: usize) -> Result<u32, WriteError> {
    let size = size as u64;
    u32::try_from(size).map_err(|_| Error::without_position(WriteErrorKind::TooLarge { size }))
}
