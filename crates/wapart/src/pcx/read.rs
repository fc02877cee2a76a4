//! Reads PCX files.

use mapwright_io::{Budget, Context, FaultKind, Input, Position};

use super::{Document, HEADER_SIZE, MAX_BYTES, PALETTE_MARK};
use crate::image::area;
use crate::runs::{Stored, unpack};
use crate::{Palette, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads a PCX file with the given options.
    ///
    /// # Errors
    /// If it is not a PCX file, ends early, has an unsupported pixel format, no pixels, or more than
    /// [`MAX_PIXELS`](crate::MAX_PIXELS).
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let mut budget = Budget::new(&options.limits);
        let mut header = input.sub(HEADER_SIZE)?;
        let [mark, version, encoding, bits] = header.array::<4>()?;
        if mark != 10 {
            return Err(ReadError::new(ReadErrorKind::NotPcx { found: mark }, Position::file(0)));
        }
        let at = header.position();
        let (min, max) = (pair(&mut header)?, pair(&mut header)?);
        let (resolution, ega_palette) = (pair(&mut header)?, header.array()?);
        let (reserved_40, planes) = (header.u8()?, header.u8()?);
        if encoding > 1 || bits != 8 || !matches!(planes, 1 | 3) {
            return Err(ReadError::new(ReadErrorKind::PcxPixels { bits, planes, encoding }, Position::file(2)));
        }
        // The edges are inclusive.
        let length = |[min, max]: [u16; 2]| i64::from(max).saturating_sub(min.into()).saturating_add(1);
        let (width, height, _) = area(length([min[0], max[0]]), length([min[1], max[1]]), at)?;
        let at = header.position();
        let row = header.u16_le()?;
        if u32::from(row) < width {
            return Err(ReadError::new(ReadErrorKind::PcxRow { row, width }, at));
        }
        let (palette_kind, screen, reserved_4a) = (header.u16_le()?, pair(&mut header)?, header.array()?);

        let palette = if planes == 1 { split_palette(&mut input)? } else { None };
        let mut document = Self {
            version,
            encoding,
            min,
            max,
            resolution,
            ega_palette,
            reserved_40,
            planes,
            row,
            palette_kind,
            screen,
            reserved_4a,
            rows: Vec::new(),
            trailing: Vec::new(),
            palette,
            stored: Stored::default(),
        };
        let stride = document.stride();
        let asked = (stride as u64).saturating_mul(height.into());
        let count = usize::try_from(asked).ok().filter(|_| asked <= MAX_BYTES);
        let limit = FaultKind::Limit { what: "bytes of rows", asked, limit: MAX_BYTES };
        let count = count.ok_or_else(|| ReadError::new(limit.into(), at))?;
        budget.take_decompressed(asked, at)?;
        if encoding == 0 {
            document.rows = input.take(count)?.to_vec();
        } else {
            let before = input.clone();
            document.rows = unpack(&mut input, count)?;
            document.stored = Stored::new(&before, &input, row.into(), count);
        }
        document.trailing = input.read_to_end().to_vec();
        Ok(document)
    }
}

fn pair(input: &mut Input<'_>) -> Result<[u16; 2], ReadError> {
    Ok([input.u16_le()?, input.u16_le()?])
}

/// Reads the palette at the end, which follows a byte of 12, and removes both from the pixels. Only images with one plane have a palette:
/// in others, a byte of 12 at that position is a pixel.
fn split_palette(input: &mut Input<'_>) -> Result<Option<Palette>, ReadError> {
    let Some((pixels, palette)) = input.peek().split_last_chunk::<{ Palette::SIZE + 1 }>() else { return Ok(None) };
    let Some((&PALETTE_MARK, palette)) = palette.split_first() else { return Ok(None) };
    let palette = Palette::from_bytes(palette).in_field("palette")?;
    *input = input.sub(pixels.len())?;
    Ok(Some(palette))
}
