//! Files without the strips or tiles that contain no heights.

use std::collections::HashSet;

use tiff::{
    TiffResult,
    decoder::{ChunkType, DecodingResult},
    tags::Tag,
};

use super::Input;

/// Returns the strips or tiles that the file does not contain.
pub(super) fn missing_chunks(decoder: &mut Input<'_>) -> TiffResult<HashSet<usize>> {
    let [offsets, sizes] = match decoder.get_chunk_type() {
        ChunkType::Strip => [Tag::StripOffsets, Tag::StripByteCounts],
        ChunkType::Tile => [Tag::TileOffsets, Tag::TileByteCounts],
    };
    let [offsets, sizes] =
        [offsets, sizes].map(|tag| decoder.find_tag_unsigned_vec::<u64>(tag).ok().flatten().unwrap_or_default());
    let pairs = offsets.into_iter().zip(sizes).enumerate();
    Ok(pairs.filter(|(_, (offset, size))| *offset == 0 || *size == 0).map(|(chunk, _)| chunk).collect())
}

/// Reads the image, with a number for the pixels of missing parts.
pub(super) fn read(decoder: &mut Input<'_>, missing: &HashSet<usize>, empty: f64) -> TiffResult<DecodingResult> {
    let (columns, rows) = decoder.dimensions()?;
    let (columns, rows) = (columns as usize, rows as usize);
    let (width, height) = decoder.chunk_dimensions();
    let (width, height) = ((width as usize).max(1), (height as usize).max(1));
    let across = columns.div_ceil(width);
    let mut pixels = vec![empty; columns.saturating_mul(rows)];
    for chunk in (0..across.saturating_mul(rows.div_ceil(height))).filter(|chunk| !missing.contains(chunk)) {
        let values = to_f64(decoder.read_chunk(u32::try_from(chunk)?)?);
        let (left, top) = (chunk % across * width, chunk / across * height);
        let line = width.min(columns.saturating_sub(left));
        for (row, values) in values.chunks_exact(line.max(1)).enumerate() {
            let start = top.saturating_add(row).saturating_mul(columns).saturating_add(left);
            if let Some(place) = pixels.get_mut(start..start.saturating_add(line)) {
                place.copy_from_slice(values);
            }
        }
    }
    Ok(DecodingResult::F64(pixels))
}

/// Returns pixels of any kind as numbers.
#[allow(clippy::cast_precision_loss)] // Heights are rounded to 32 bits later.
fn to_f64(pixels: DecodingResult) -> Vec<f64> {
    match pixels {
        DecodingResult::F64(pixels) => pixels,
        DecodingResult::F32(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::U8(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::I8(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::U16(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::I16(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::U32(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::I32(pixels) => pixels.into_iter().map(Into::into).collect(),
        DecodingResult::U64(pixels) => pixels.into_iter().map(|pixel| pixel as f64).collect(),
        DecodingResult::I64(pixels) => pixels.into_iter().map(|pixel| pixel as f64).collect(),
        _ => Vec::new(),
    }
}
