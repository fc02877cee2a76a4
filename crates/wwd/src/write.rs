//! Writes a document as bytes.

mod layout;
mod sections;

use std::borrow::Cow;
use std::sync::Arc;

use mapwright_deflate::{BlockEnd, Level, matches_first_block};
use mapwright_io::{Frame, Output};

use crate::document::{StoredBlock, join};
use crate::{Checksum, Document, Header, HeaderFlags, WriteError, WriteErrorKind, WriteOptions, WriterProfile};

pub(crate) use layout::usual_layout;

mapwright_io::write_functions!("the level");

impl Document {
    /// Writes the level with the given options. Unchanged parts are written as they were read, a changed main block with the
    /// [`profile`](Self::profile).
    ///
    /// # Errors
    /// If the document is inconsistent: the number of cells differs from the size of the grid, a number exceeds 32 bits.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let size = self.header_size()?;
        let (main, layout) = sections::write_main_block(self, size)?;
        let block = self.block(&main, options);
        let mut header = self.header.clone();
        if let Some(checksum) = block.checksum {
            header.checksum = checksum;
        }
        if header.flags.has(HeaderFlags::COMPRESS) {
            // Readers need the right size to inflate the block.
            header.main_block_size = count("bytes of the main block", main.len())?;
        } else if block.checksum.is_some() {
            // As the editor writes it. An unchanged block keeps the size that it was read with.
            header.main_block_size = 0;
        }
        let derived = [count("planes", self.planes.len())?, layout.planes_offset, layout.tile_properties_offset];
        let bytes: [u8; Header::FILE_SIZE] = join(&header.to_record_bytes(), derived, Header::DERIVED);
        let (bytes, beyond) = bytes.split_at_checked(size).unwrap_or((&bytes, &[]));
        if beyond.iter().any(|&byte| byte != 0) {
            let kind = WriteErrorKind::HeaderSize { size: header.header_size };
            return Err(WriteError::without_position(kind).wrap(Frame::Field("header")));
        }
        let whole = bytes.len().saturating_add(block.stored.len()).saturating_add(self.trailer.len());
        let mut output = Output::with_capacity(whole);
        output.bytes(bytes);
        output.bytes(&block.stored);
        output.bytes(&self.trailer);
        Ok(output.into_bytes())
    }

    /// Writes the main block: the part after the header, before it is compressed.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_main_block(&self) -> Result<Vec<u8>, WriteError> {
        self.main_block().map(Cow::into_owned)
    }

    /// Computes the Adler-32 of the main block, as at the end of its zlib stream. Other representations of a level use it to detect
    /// changes.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn main_block_adler32(&self) -> Result<u32, WriteError> {
        Ok(mapwright_deflate::adler32(&self.main_block()?))
    }

    /// Stores the main block as a program would. Writing uses that block as long as the main block does not change. The checksum is
    /// not changed.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn store(&mut self, profile: WriterProfile) -> Result<(), WriteError> {
        let main = match (self.main_block()?, &self.stored) {
            (Cow::Borrowed(_), Some(stored)) => Arc::clone(&stored.main),
            (main, _) => Arc::new(main.into_owned()),
        };
        let stream = self.header.flags.has(HeaderFlags::COMPRESS).then(|| compress(&main, profile));
        self.stored = Some(StoredBlock { main, stream });
        Ok(())
    }

    /// Returns the stored block of the file that was read, if the main block has not changed.
    pub fn stored_block(&self) -> Option<&[u8]> {
        let stored = self.stored.as_ref()?;
        self.main_block()
            .is_ok_and(|main| stored.has_main_block(&main))
            .then(|| stored.stream.as_deref().unwrap_or(&stored.main))
    }

    /// Returns the main block, borrowed if it was read and has not changed.
    pub(crate) fn main_block(&self) -> Result<Cow<'_, [u8]>, WriteError> {
        sections::write_main_block(self, self.header_size()?).map(|(main, _)| main)
    }

    fn header_size(&self) -> Result<usize, WriteError> {
        let size = usize::try_from(self.header.header_size).unwrap_or(usize::MAX).min(Header::FILE_SIZE);
        if size < Header::SHORTEST {
            let kind = WriteErrorKind::HeaderSize { size: self.header.header_size };
            return Err(WriteError::without_position(kind).wrap(Frame::Field("header")));
        }
        Ok(size)
    }

    fn block<'a>(&'a self, main: &'a [u8], options: &WriteOptions) -> Block<'a> {
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let unchanged = self.stored.as_ref().filter(|block| {
            options.profile.is_none() && block.stream.is_some() == compressed && block.has_main_block(main)
        });
        if let Some(block) = unchanged {
            return Block { stored: Cow::Borrowed(block.stream.as_deref().unwrap_or(main)), checksum: None };
        }
        let profile = options.profile.unwrap_or(self.profile);
        let stored = if compressed { Cow::Owned(compress(main, profile)) } else { Cow::Borrowed(main) };
        let checksum = Checksum::from(profile).compute(&stored, main, compressed);
        Block { stored, checksum: Some(checksum) }
    }
}

/// The part after the header.
struct Block<'a> {
    stored: Cow<'a, [u8]>,
    /// Checksum, if it was not read.
    checksum: Option<u32>,
}

pub(crate) fn compress(main: &[u8], profile: WriterProfile) -> Vec<u8> {
    let (level, block_end) = compressor(profile);
    mapwright_deflate::compress(main, level, block_end)
}

/// Returns `true` if a profile compresses the main block to this stored block.
pub(crate) fn is_compressed(stored: &[u8], main: &[u8], profile: WriterProfile) -> bool {
    begins_compressed(stored, main, profile) && compress(main, profile) == stored
}

/// Compares only the first block of the stream, which is faster.
pub(crate) fn begins_compressed(stored: &[u8], main: &[u8], profile: WriterProfile) -> bool {
    let (level, block_end) = compressor(profile);
    matches_first_block(stored, main, level, block_end)
}

const fn compressor(profile: WriterProfile) -> (Level, BlockEnd) {
    match profile {
        WriterProfile::Editor => (Level::Six, BlockEnd::Early),
        WriterProfile::WapMap => (Level::Nine, BlockEnd::Full),
    }
}

/// Converts a count to 32 bits.
fn count(what: &'static str, count: usize) -> Result<u32, WriteError> {
    u32::try_from(count)
        .map_err(|_| WriteError::without_position(WriteErrorKind::TooMany { what, count: count as u64 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_stream_identifies_the_compressor() {
        // More symbols than a block of the stream contains, all of them different.
        let main: Vec<u8> = (0..60_000_u32).flat_map(|number| number.wrapping_mul(0x9E37_79B9).to_be_bytes()).collect();
        for profile in WriterProfile::ALL {
            let mut stored = compress(&main, profile);
            assert!(is_compressed(&stored, &main, profile));
            *stored.last_mut().unwrap() ^= 1;
            assert!(begins_compressed(&stored, &main, profile) && !is_compressed(&stored, &main, profile));
            stored[40] ^= 1;
            assert!(!begins_compressed(&stored, &main, profile));
        }
    }
}
