//! Writes PID images.

use mapwright_io::{Context as _, Output};

use super::{Document, HEADER_SIZE};
use crate::image::check_size;
use crate::{Palette, PidFlags, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Writes the image with the given options.
    ///
    /// # Errors
    /// If the fields contradict each other.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let width = self.check()?;
        let pixels = if self.flags.has(PidFlags::SKIPS) {
            self.stored.pack_skips(&self.indices, &self.skipped, width, self.fill_index())
        } else {
            self.stored.pack(&self.indices, width, options.profile)
        };
        let size = HEADER_SIZE.saturating_add(pixels.len()).saturating_add(self.trailing.len());
        let mut output = Output::with_capacity(size.saturating_add(Palette::SIZE));
        output.u32s_le(&[self.description, self.flags.0, self.width, self.height]);
        output.i32s_le(&self.offset);
        output.u32s_le(&[self.fill, self.reserved_1c]);
        output.bytes(&pixels);
        output.bytes(&self.trailing);
        output.bytes(self.palette.as_ref().map_or(&[], Palette::as_bytes));
        Ok(output.into_bytes())
    }

    /// Checks that the fields agree. Returns the width.
    fn check(&self) -> Result<usize, WriteError> {
        let (width, count) = check_size(self.width, self.height)?;
        let error = WriteError::without_position;
        let check = |what: &'static str, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(error(WriteErrorKind::Count { what, expected, found })) }
        };
        check("pixels", self.indices.len(), count).in_field("indices")?;
        let skips = if self.flags.has(PidFlags::SKIPS) { count } else { 0 };
        check("skipped pixels", self.skipped.len(), skips).in_field("skipped")?;
        let expected = self.fill_index();
        let wrong = |(_, (index, skipped)): &(usize, (&u8, &bool))| **skipped && **index != expected;
        if let Some((pixel, (&found, _))) = self.indices.iter().zip(&self.skipped).enumerate().find(wrong) {
            return Err(error(WriteErrorKind::SkippedIndex { expected, found })).in_item("indices", pixel);
        }
        if self.flags.has(PidFlags::OWN_PALETTE) != self.palette.is_some() {
            return Err(error(WriteErrorKind::PaletteFlag)).in_field("palette");
        }
        Ok(width)
    }
}
