//! Writes a [`Document`] as bytes.

use std::borrow::Cow;

use mapwright_deflate::{BlockEnd, Level};
use mapwright_io::Output;

use crate::document::{Compressor, Document, Packing};
use crate::read::MAGIC;
use crate::{Stream, Tag, WriteError, WriteErrorKind, WriteOptions};

mapwright_io::write_functions!("the stream");

impl Document {
    /// Writes the stream with the given options. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// [`WriteErrorKind::TooLarge`] if the term exceeds 4 GiB.
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
            Packing::Compressed { trailing, compressor } => {
                let size = (term.len() as u64).saturating_add(trailing.len() as u64);
                let declared =
                    u32::try_from(size).map_err(|_| WriteError::without_position(WriteErrorKind::TooLarge { size }))?;
                let original = self.stream.as_deref().filter(|_| options.stream == Stream::Keep);
                let recompressed;
                let stream = match original {
                    Some(stream) => stream,
                    None => {
                        let whole = match &trailing[..] {
                            [] => Cow::Borrowed(term),
                            trailing => Cow::Owned([term, trailing].concat()),
                        };
                        recompressed = match compressor {
                            Compressor::Erlang => mapwright_deflate::compress(&whole, Level::Six, BlockEnd::Full),
                            Compressor::Fast => mapwright_io::deflate(&whole),
                        };
                        &recompressed
                    }
                };
                // Erlang writes 131 and the plain term if that is shorter than 131, 80, size and stream.
                if original.is_none() && trailing.is_empty() && term.len() < stream.len().saturating_add(5) {
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
}
