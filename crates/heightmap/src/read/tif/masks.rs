//! Masks: images of one bit per pixel that tell which heights exist.

use std::io::Read;

use flate2::read::ZlibDecoder;
use mapwright_scene::{Heights, Losses};
use tiff::{Directory, tags::Tag};

use super::Input;
use crate::{Error, crs::needs_gdal, error::malformed};

/// Bits of `NewSubfileType`.
const OVERVIEW: u64 = 1;
const MASK: u64 = 4;
/// Maximum number of images that are looked at.
const MAX_IMAGES: usize = 64;

/// Removes the heights that a mask of the same size leaves out. Smaller versions of the image are ignored.
pub(super) fn apply(
    bytes: &[u8],
    decoder: &mut Input<'_>,
    size: [u32; 2],
    heights: &mut Heights,
    losses: &mut Losses,
) -> Result<(), Error> {
    let first = decoder.ifd_pointer().and_then(|pointer| decoder.read_directory(pointer).ok());
    let mut next = first.and_then(|directory| directory.next());
    let mut others = 0_u64;
    for _ in 0..MAX_IMAGES {
        let Some(directory) = next.and_then(|pointer| decoder.read_directory(pointer).ok()) else { break };
        next = directory.next();
        let kind = number(decoder, &directory, Tag::NewSubfileType).unwrap_or(0);
        let is_same_size = [Tag::ImageWidth, Tag::ImageLength].map(|tag| number(decoder, &directory, tag))
            == size.map(|side| Some(u64::from(side)));
        match kind {
            _ if kind & OVERVIEW != 0 => {}
            _ if kind & MASK != 0 && is_same_size => remove_masked(bytes, decoder, &directory, size, heights)?,
            _ => others += 1,
        }
    }
    if others > 0 {
        losses.dropped("", "all images except the first");
    }
    Ok(())
}

fn numbers(decoder: &mut Input<'_>, directory: &Directory, tag: Tag) -> Vec<u64> {
    decoder.read_directory_tags(directory).find_tag_unsigned_vec(tag).ok().flatten().unwrap_or_default()
}

fn number(decoder: &mut Input<'_>, directory: &Directory, tag: Tag) -> Option<u64> {
    numbers(decoder, directory, tag).first().copied()
}

fn remove_masked(
    bytes: &[u8],
    decoder: &mut Input<'_>,
    directory: &Directory,
    [columns, rows]: [u32; 2],
    heights: &mut Heights,
) -> Result<(), Error> {
    let mut get = |tag, default| number(decoder, directory, tag).unwrap_or(default);
    let (bits, compression) = (get(Tag::BitsPerSample, 1), get(Tag::Compression, 1));
    let order = get(Tag::FillOrder, 1);
    let tile = [get(Tag::TileWidth, 0), get(Tag::TileLength, 0)];
    let [width, height] = match tile {
        [0, _] | [_, 0] => [u64::from(columns), get(Tag::RowsPerStrip, rows.into()).clamp(1, rows.max(1).into())],
        tile => tile,
    };
    let [offsets, sizes] = match tile {
        [0, _] | [_, 0] => [Tag::StripOffsets, Tag::StripByteCounts],
        _ => [Tag::TileOffsets, Tag::TileByteCounts],
    };
    let [offsets, sizes] = [offsets, sizes].map(|tag| numbers(decoder, directory, tag));
    if !matches!((bits, compression, order), (1 | 8, 1 | 8 | 32946, 1)) {
        let command = "gdal_translate -co COMPRESS=DEFLATE in.tif out.tif";
        return Err(needs_gdal("a mask with this compression is not supported".to_owned(), command));
    }
    if let Heights::Steps { step, values } = heights {
        #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
        let metres = values.iter().map(|&value| (f64::from(value) * *step) as f32).collect();
        *heights = Heights::F32(metres);
    }
    let Heights::F32(heights) = heights else { return Ok(()) };
    let line = width.saturating_mul(bits).div_ceil(8);
    let across = u64::from(columns).div_ceil(width);
    for ((offset, size), chunk) in offsets.iter().zip(&sizes).zip(0_u64..) {
        let at = usize::try_from(*offset).ok();
        let range = at.and_then(|at| Some(at..at.checked_add(usize::try_from(*size).ok()?)?));
        let packed = range.and_then(|range| bytes.get(range)).ok_or_else(|| malformed("mask", "truncated"))?;
        let mut data = Vec::new();
        let most = line.saturating_mul(height);
        if compression == 1 {
            data.extend_from_slice(packed);
        } else {
            let decoded = ZlibDecoder::new(packed).take(most).read_to_end(&mut data);
            decoded.map_err(|error| malformed("mask", error.to_string()))?;
        }
        let (left, top) = (chunk % across * width, chunk / across * height);
        // Parts that a sparse file leaves out have no heights.
        for row in 0..height.min(u64::from(rows).saturating_sub(top)) {
            for column in 0..width.min(u64::from(columns).saturating_sub(left)) {
                let bit = column.saturating_mul(bits);
                let byte = usize::try_from(row.saturating_mul(line).saturating_add(bit / 8)).unwrap_or(usize::MAX);
                let byte = data.get(byte).copied().unwrap_or(0);
                let exists = if bits == 8 { byte != 0 } else { byte & (0x80 >> (bit % 8)) != 0 };
                let index = (top + row) * u64::from(columns) + left + column;
                let height = usize::try_from(index).ok().and_then(|index| heights.get_mut(index));
                if let (false, Some(height)) = (exists, height) {
                    *height = f32::NAN;
                }
            }
        }
    }
    Ok(())
}
