//! PID images: eight words, then pixels.

use mapwright_io::{Fault, Input};

use super::{ArtError, GameImage, Palette, PidFlags, Pixels, area, unpack};

pub(super) fn decode(bytes: &[u8]) -> Result<GameImage, ArtError> {
    let mut input = Input::new(bytes);
    // Unknown. Observed value: 10.
    input.u32_le()?;
    let flags = PidFlags(input.u32_le()?);
    let at = input.position();
    let (width, height, count) = area(input.i32_le()?.into(), input.i32_le()?.into(), at)?;
    let offset = [input.i32_le()?, input.i32_le()?];
    // Unknown.
    input.take(8)?;
    let mut palette = None;
    if flags.has(PidFlags::OWN_PALETTE) {
        input.count(Palette::SIZE as u64, 1, "bytes of a palette")?;
        let pixels = input.sub(input.remaining().saturating_sub(Palette::SIZE))?;
        palette = Some(Palette::from_bytes(input.read_to_end())?);
        input = pixels;
    }
    let indices = if flags.has(PidFlags::SKIPS) { skips(&mut input, count)? } else { unpack(&mut input, count)? };
    Ok(GameImage { width, height, offset, flags, pixels: Pixels::Indexed { indices, palette } })
}

/// Unpacks runs of pixels, which can cross the end of a row. A byte of 128 + n is a run of n pixels of colour 0, a smaller byte n is
/// followed by n literal bytes. The last run is cut at the end of the image.
fn skips(input: &mut Input<'_>, count: usize) -> Result<Vec<u8>, Fault> {
    /// Maximum number of pixels per byte.
    const MAX_RUN: usize = 127;
    input.count((count as u64).div_ceil(MAX_RUN as u64), 1, "runs of pixels")?;
    let mut indices = Vec::with_capacity(count);
    while indices.len() < count {
        let run = input.u8()?;
        let left = count.saturating_sub(indices.len());
        match run.checked_sub(128) {
            Some(run) => indices.resize(indices.len().saturating_add(left.min(run.into())), 0),
            None => indices.extend_from_slice(input.take(left.min(run.into()))?),
        }
    }
    Ok(indices)
}
