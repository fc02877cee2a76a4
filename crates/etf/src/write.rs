//! [`Document`] → bytes.

use std::borrow::Cow;
use std::io::Write;

use mapwright_deflate::{BlockEnd, Level};
use mapwright_io::Output;

use crate::document::{Document, Packing};
use crate::read::MAGIC;
use crate::{Stream, Tag, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Writes the stream. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// [`WriteErrorKind::TooLarge`] when the term does not fit 4 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&WriteOptions::default())
    }

    /// Writes the stream with options.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let term = self.tree.as_bytes();
        // A compressed stream can be a thousandth of its term.
        let mut out = match self.packing {
            Packing::Plain => Output::with_capacity(term.len().saturating_add(1)),
            Packing::Compressed { .. } => Output::new(),
        };
        out.u8(MAGIC);
        match &self.packing {
            Packing::Plain => out.bytes(term),
            Packing::Compressed { trailing } => {
                let size = (term.len() as u64).saturating_add(trailing.len() as u64);
                let declared =
                    u32::try_from(size).map_err(|_| WriteError::without_position(WriteErrorKind::TooLarge { size }))?;
                let kept = self.stream.as_deref().filter(|_| options.stream == Stream::Keep);
                let renewed;
                let stream = match kept {
                    Some(stream) => stream,
                    None => {
                        // Erlang's `compressed` is zlib's level 6.
                        let whole = match &trailing[..] {
                            [] => Cow::Borrowed(term),
                            trailing => Cow::Owned([term, trailing].concat()),
                        };
                        renewed = mapwright_deflate::compress(&whole, Level::Six, BlockEnd::Full);
                        &renewed
                    }
                };
                // Erlang writes the plain term when that is shorter: 131, term against 131, 80, size, stream.
                if kept.is_none() && trailing.is_empty() && term.len() < stream.len().saturating_add(5) {
                    out.bytes(term);
                } else {
                    out.u8(Tag::COMPRESSED.0);
                    out.u32_be(declared);
                    out.bytes(stream);
                }
            }
        }
        out.bytes(&self.trailing);
        Ok(out.into_bytes())
    }

    /// Writes the stream into a writer.
    ///
    /// # Errors
    /// The writer's own error, or as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, mut writer: impl Write) -> Result<(), WriteError> {
        writer.write_all(&self.to_bytes()?).map_err(|error| WriteError::without_position(error.into()))
    }
}
