//! Document to bytes.

mod layout;
mod sections;

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

use mapwright_deflate::{BlockEnd, Level, matches_first_block};
use mapwright_io::{Frame, Output};

use crate::document::{Kept, join};
use crate::{Checksum, Document, Header, HeaderFlags, WriteError, WriteErrorKind, WriteOptions, WriterProfile};

pub(crate) use layout::usual as usual_layout;

impl Document {
    /// Writes the level: as it was read where it says the same, and otherwise as its [`profile`](Self::profile) says.
    ///
    /// # Errors
    /// If the document contradicts itself, which never happens with an unedited one.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.to_bytes_with(&WriteOptions::default())
    }

    /// Writes the level as told.
    ///
    /// # Errors
    /// If the document contradicts itself: cells that are not as many as the grid has, numbers beyond 32 bits.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let size = self.header_size()?;
        let (main, layout) = sections::write(self, size)?;
        let block = self.block(&main, options);
        let mut header = self.header.clone();
        if let Some(checksum) = block.checksum {
            header.checksum = checksum;
        }
        if header.flags.has(HeaderFlags::COMPRESS) {
            // Without the right size nobody can read the block.
            header.main_block_size = count("bytes of the main block", main.len())?;
        }
        let derived = [count("planes", self.planes.len())?, layout.planes_offset, layout.tile_properties_offset];
        let bytes: [u8; Header::FILE_SIZE] = join(&header.put(), derived, Header::DERIVED);
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

    /// Writes the level to a writer.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
    pub fn write_to(&self, writer: impl Write) -> Result<(), WriteError> {
        self.write_to_with(writer, &WriteOptions::default())
    }

    /// Writes the level to a writer as told.
    ///
    /// # Errors
    /// If the writer fails, and as [`to_bytes_with`](Self::to_bytes_with).
    pub fn write_to_with(&self, mut writer: impl Write, options: &WriteOptions) -> Result<(), WriteError> {
        let bytes = self.to_bytes_with(options)?;
        writer.write_all(&bytes).map_err(|error| WriteError::without_position(error.into()))
    }

    /// The main block: what is stored behind the header, before it is compressed.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_main_block(&self) -> Result<Vec<u8>, WriteError> {
        self.main_block().map(Cow::into_owned)
    }

    /// The Adler-32 of the main block, which stands at the end of a stored one that is compressed: what says for other forms of a
    /// level whether it still is what was stored.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn main_block_adler32(&self) -> Result<u32, WriteError> {
        Ok(mapwright_deflate::adler32(&self.main_block()?))
    }

    /// Stores the main block as a program would, from now on and for as long as it does not change. The checksum stays what it
    /// is.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn store(&mut self, profile: WriterProfile) -> Result<(), WriteError> {
        let main = match (self.main_block()?, &self.kept) {
            (Cow::Borrowed(_), Some(kept)) => Arc::clone(&kept.main),
            (main, _) => Arc::new(main.into_owned()),
        };
        let stream = self.header.flags.has(HeaderFlags::COMPRESS).then(|| compress(&main, profile));
        self.kept = Some(Kept { main, stream });
        Ok(())
    }

    /// The stored block of the file that was read, if the main block still says the same.
    pub fn stored_block(&self) -> Option<&[u8]> {
        let kept = self.kept.as_ref()?;
        self.main_block().is_ok_and(|main| kept.is(&main)).then(|| kept.stream.as_deref().unwrap_or(&kept.main))
    }

    /// The main block: the one that was read, if it still says the same.
    pub(crate) fn main_block(&self) -> Result<Cow<'_, [u8]>, WriteError> {
        sections::write(self, self.header_size()?).map(|(main, _)| main)
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
        let kept = self
            .kept
            .as_ref()
            .filter(|kept| options.profile.is_none() && kept.stream.is_some() == compressed && kept.is(main));
        if let Some(kept) = kept {
            return Block { stored: Cow::Borrowed(kept.stream.as_deref().unwrap_or(main)), checksum: None };
        }
        let profile = options.profile.unwrap_or(self.profile);
        let stored = if compressed { Cow::Owned(compress(main, profile)) } else { Cow::Borrowed(main) };
        let checksum = Checksum::from(profile).of(&stored, main, compressed);
        Block { stored, checksum: Some(checksum) }
    }
}

/// What stands behind the header.
struct Block<'a> {
    stored: Cow<'a, [u8]>,
    /// Its checksum, if it is not the one that was read.
    checksum: Option<u32>,
}

pub(crate) fn compress(main: &[u8], profile: WriterProfile) -> Vec<u8> {
    let (level, block_end) = compressor(profile);
    mapwright_deflate::compress(main, level, block_end)
}

/// Whether a stored block is what a profile makes of the main block.
pub(crate) fn is_compressed(stored: &[u8], main: &[u8], profile: WriterProfile) -> bool {
    begins_compressed(stored, main, profile) && compress(main, profile) == stored
}

/// Whether it is at least in its first block, which takes a part of the time to say.
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

/// A number that the file can hold.
fn count(what: &'static str, count: usize) -> Result<u32, WriteError> {
    u32::try_from(count)
        .map_err(|_| WriteError::without_position(WriteErrorKind::TooMany { what, count: count as u64 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_begins_as_a_style_would_have_it_may_end_otherwise() {
        // More symbols than a block of the stream holds, and no two alike.
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
