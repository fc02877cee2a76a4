//! Writes PCX files.

use std::borrow::Cow;

use mapwright_io::{Context as _, Output};

use super::{Document, HEADER_SIZE, MAX_BYTES, PALETTE_MARK};
use crate::image::check_size;
use crate::{Palette, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Writes the file with the given options.
    ///
    /// # Errors
    /// If the fields contradict each other, or the file would be read as a different one.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        let rows = match self.encoding {
            0 => Cow::Borrowed(&self.rows),
            _ => Cow::Owned(self.stored.pack(&self.rows, self.row.into(), options.profile)),
        };
        let size = HEADER_SIZE.saturating_add(rows.len()).saturating_add(self.trailing.len());
        let mut output = Output::with_capacity(size.saturating_add(1).saturating_add(Palette::SIZE));
        output.bytes(&[10, self.version, self.encoding, 8]);
        for pair in [self.min, self.max, self.resolution] {
            output.u16s_le(&pair);
        }
        output.bytes(&self.ega_palette);
        output.bytes(&[self.reserved_40, self.planes]);
        output.u16s_le(&[self.row, self.palette_kind]);
        output.u16s_le(&self.screen);
        output.bytes(&self.reserved_4a);
        output.bytes(&rows);
        output.bytes(&self.trailing);
        if let Some(palette) = &self.palette {
            output.u8(PALETTE_MARK);
            output.bytes(palette.as_bytes());
        } else if self.planes == 1
            && let Some((_, [PALETTE_MARK, ..])) =
                output.as_bytes().get(HEADER_SIZE..).and_then(|bytes| bytes.split_last_chunk::<{ Palette::SIZE + 1 }>())
        {
            return Err(WriteError::without_position(WriteErrorKind::AmbiguousPalette));
        }
        Ok(output.into_bytes())
    }

    /// Checks that the fields agree.
    fn check(&self) -> Result<(), WriteError> {
        let error = WriteError::without_position;
        let (width, height) = (self.width(), self.height());
        check_size(width, height)?;
        let (planes, encoding) = (self.planes, self.encoding);
        if encoding > 1 || !matches!(planes, 1 | 3) {
            return Err(error(WriteErrorKind::PcxPixels { planes, encoding }));
        }
        if planes == 3 && self.palette.is_some() {
            return Err(error(WriteErrorKind::PaletteOfPlanes)).in_field("palette");
        }
        let asked = (self.stride() as u64).saturating_mul(height.into());
        let expected = usize::try_from(asked).ok().filter(|_| asked <= MAX_BYTES && u32::from(self.row) >= width);
        let expected = expected.ok_or_else(|| error(WriteErrorKind::PcxRow { row: self.row, width }));
        let expected = expected.in_field("row")?;
        let found = self.rows.len();
        if found != expected {
            return Err(error(WriteErrorKind::Count { what: "bytes of rows", expected, found })).in_field("rows");
        }
        Ok(())
    }
}
