//! PCX files: a header of 128 bytes, rows of pixel planes, and the palette at the end.

use mapwright_io::{Context, FaultKind, Input, Position};

use super::{ArtError, ArtErrorKind, GameImage, Palette, PidFlags, Pixels, area, unpack};

/// Maximum size of all rows in bytes, including padding.
const MAX_BYTES: u64 = GameImage::MAX_PIXELS * 4;

pub(super) fn decode(bytes: &[u8]) -> Result<GameImage, ArtError> {
    let mut input = Input::new(bytes);
    let mut header = input.sub(128)?;
    let [mark, _version, encoding, bits] = header.array::<4>()?;
    if mark != 10 {
        return Err(ArtError::new(ArtErrorKind::NotPcx { found: mark }, Position::file(0)));
    }
    let at = header.position();
    let [left, top, right, bottom] =
        [header.u16_le()?, header.u16_le()?, header.u16_le()?, header.u16_le()?].map(i64::from);
    // Skip the resolution, 16 colours and a reserved byte.
    header.take(53)?;
    let planes = header.u8()?;
    if encoding > 1 || bits != 8 || !matches!(planes, 1 | 3) {
        let kind = ArtErrorKind::PcxPixels { bits, planes, encoding };
        return Err(ArtError::new(kind, Position::file(2)));
    }
    // The bounds are inclusive.
    let length = |from: i64, to: i64| to.saturating_sub(from).saturating_add(1);
    let (width, height, _) = area(length(left, right), length(top, bottom), at)?;
    let at = header.position();
    let row = header.u16_le()?;
    if u32::from(row) < width {
        return Err(ArtError::new(ArtErrorKind::PcxRow { row, width }, at));
    }
    let stride = usize::from(row).saturating_mul(planes.into());
    let asked = (stride as u64).saturating_mul(height.into());
    let count = usize::try_from(asked).ok().filter(|_| asked <= MAX_BYTES);
    let limit = FaultKind::Limit { what: "bytes of rows", asked, limit: MAX_BYTES };
    let count = count.ok_or_else(|| ArtError::new(limit.into(), at))?;

    let palette = if planes == 1 { palette(&mut input)? } else { None };
    let rows = if encoding == 0 { input.take(count)?.to_vec() } else { unpack(&mut input, count)? };
    let rows = rows.chunks_exact(stride);
    let width_of = usize::try_from(width).unwrap_or(usize::MAX);
    let pixels = if planes == 1 {
        let indices = rows.flat_map(|row| row.iter().take(width_of)).copied().collect();
        Pixels::Indexed { indices, palette }
    } else {
        let plane = usize::from(row);
        let colors = rows.flat_map(|row| {
            let part = |at: usize| row.iter().skip(plane.saturating_mul(at)).take(width_of).copied();
            part(0).zip(part(1)).zip(part(2)).flat_map(|((red, green), blue)| [red, green, blue])
        });
        Pixels::Rgb(colors.collect())
    };
    Ok(GameImage { width, height, offset: [0; 2], flags: PidFlags(0), pixels })
}

/// Reads the palette at the end, which follows a byte of 12, and removes it from the pixels.
fn palette(input: &mut Input<'_>) -> Result<Option<Palette>, ArtError> {
    let Some((pixels, palette)) = input.peek().split_last_chunk::<{ Palette::SIZE + 1 }>() else { return Ok(None) };
    let Some((12, palette)) = palette.split_first() else { return Ok(None) };
    let palette = Palette::from_bytes(palette).in_field("palette")?;
    *input = input.sub(pixels.len())?;
    Ok(Some(palette))
}
