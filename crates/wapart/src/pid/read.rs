//! Reads PID images.

use mapwright_io::{Budget, Context as _, Input};

use super::Document;
use crate::image::area;
use crate::runs::{Stored, unpack, unpack_skips};
use crate::{Palette, PidFlags, ReadError, ReadOptions};

impl Document {
    /// Reads a PID image with the given options.
    ///
    /// # Errors
    /// If it ends early, has no pixels, or more than [`MAX_PIXELS`](crate::MAX_PIXELS).
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::read(bytes, false, options)
    }

    /// Reads a RID image: the header of a PID image, then one byte per pixel. Its flags do not change the decoding. The result is the PID
    /// image with the same pixels.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_rid(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut document = Self::read(bytes, true, options)?;
        document.flags = document.flags.with(PidFlags(PidFlags::SKIPS.0 | PidFlags::OWN_PALETTE.0), false);
        Ok(document)
    }

    fn read(bytes: &[u8], is_raw: bool, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let mut budget = Budget::new(&options.limits);
        let description = input.u32_le()?;
        let flags = PidFlags(input.u32_le()?);
        let at = input.position();
        let (width, height, count) = area(input.i32_le()?.into(), input.i32_le()?.into(), at)?;
        budget.take_decompressed(count as u64, at)?;
        let offset = [input.i32_le()?, input.i32_le()?];
        let (fill, reserved_1c) = (input.u32_le()?, input.u32_le()?);
        let mut document =
            Self { description, flags, offset, fill, reserved_1c, ..Self::new(width, height, Vec::new()) };
        if is_raw {
            document.indices = input.take(count)?.to_vec();
            document.trailing = input.read_to_end().to_vec();
            return Ok(document);
        }
        if flags.has(PidFlags::OWN_PALETTE) {
            let (mut pixels, palette) = split_palette(&mut input)?;
            document.palette = Some(palette);
            document.read_pixels(&mut pixels, count)?;
        } else {
            document.read_pixels(&mut input, count)?;
        }
        Ok(document)
    }

    fn read_pixels(&mut self, input: &mut Input<'_>, count: usize) -> Result<(), ReadError> {
        let before = input.clone();
        if self.flags.has(PidFlags::SKIPS) {
            (self.indices, self.skipped) = unpack_skips(input, count, self.fill_index())?;
        } else {
            self.indices = unpack(input, count)?;
        }
        self.stored = Stored::new(&before, input, usize::try_from(self.width).unwrap_or(usize::MAX), count);
        self.trailing = input.read_to_end().to_vec();
        Ok(())
    }
}

/// Splits the remaining bytes into pixels and palette.
fn split_palette<'a>(input: &mut Input<'a>) -> Result<(Input<'a>, Palette), ReadError> {
    input.count(Palette::SIZE as u64, 1, "bytes of a palette")?;
    let pixels = input.sub(input.remaining().saturating_sub(Palette::SIZE))?;
    Ok((pixels, Palette::from_bytes(input.read_to_end()).in_field("palette")?))
}
