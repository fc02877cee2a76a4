//! TIFF to scene.

mod metadata;

use std::io::Cursor;

use mapwright_io::FaultKind;
use mapwright_scene::{Heights, Losses};
use tiff::{
    ColorType, TiffError,
    decoder::{Decoder, DecodingResult, Limits},
    tags::Tag,
};

use self::metadata::Metadata;
use super::{
    heights::{HeightmapData, Rounded, spacing},
    tokens::number,
};
use crate::{
    Error, ErrorKind,
    error::malformed,
    heightmap::{ImportOptions, tif_tags as tags},
};

type Input<'a> = Decoder<Cursor<&'a [u8]>>;

/// Maximum compression factor of TIFF: LZW has strings of up to 4096 bytes.
const MAX_COMPRESSION_RATIO: u64 = 4096;

pub(super) fn read(bytes: &[u8], options: &ImportOptions, losses: &mut Losses) -> Result<HeightmapData, Error> {
    let failed = |error| failed(error, bytes, options.max_bytes);
    check_counts(bytes)?;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(failed)?;
    let (columns, rows) = decoder.dimensions().map_err(failed)?;
    match decoder.colortype().map_err(failed)? {
        ColorType::Gray(8 | 16 | 32 | 64) => {}
        other => {
            return Err(Error::on_path(ErrorKind::NotGreyscale(format!("{other:?}")), "pixels"));
        }
    }
    let count = u64::from(columns) * u64::from(rows);
    let depth = u64::from(decoder.colortype().map_err(failed)?.bit_depth()).div_ceil(8);
    let size = count.saturating_mul(depth);
    let limit = options.max_bytes;
    if size.max(count.saturating_mul(4)) > limit {
        return Err(Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit }, "pixels"));
    }
    let left = bytes.len() as u64;
    let packed = decoder.find_tag_unsigned::<u16>(Tag::Compression).map_err(failed)?.unwrap_or(1) != 1;
    let needed = if packed { size.div_ceil(MAX_COMPRESSION_RATIO) } else { size };
    if needed > left {
        return Err(Error::on_path(FaultKind::Truncated { needed, available: left }.into(), "pixels"));
    }
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::try_from(limit).unwrap_or(usize::MAX);
    limits.intermediate_buffer_size = limits.decoding_buffer_size;
    let mut decoder = decoder.with_limits(limits);

    let metadata = Metadata::from_decoder(&mut decoder);
    let place = Georeference::read(&mut decoder, rows, losses);
    let spacing = spacing(place.as_ref().map(|place| place.spacing), options, losses)?;
    let no_data = text(&mut decoder, Tag::GdalNodata).and_then(|text| number::<f64>(text.trim_ascii().as_bytes()));
    let pixels = decoder.read_image().map_err(failed)?;
    let heights = heights(pixels, &metadata, no_data, losses)?;
    if decoder.more_images() {
        losses.dropped("", "all images except the first");
    }
    let corner = place.map(|place| place.corner);
    Ok(HeightmapData { columns, rows, heights, spacing, corner, metres_per_unit: metadata.metres_per_unit })
}

fn heights(
    pixels: DecodingResult,
    metadata: &Metadata,
    no_data: Option<f64>,
    losses: &mut Losses,
) -> Result<Heights, Error> {
    let mut rounded = Rounded::default();
    let plain = metadata.scale == 1.0 && metadata.offset == 0.0;
    let mut to_f32 = |pixel: f64| {
        if no_data == Some(pixel) { f32::NAN } else { rounded.narrow(pixel * metadata.scale + metadata.offset) }
    };
    let heights = match pixels {
        DecodingResult::I16(values)
            if metadata.offset == 0.0 && !values.iter().any(|&value| no_data == Some(f64::from(value))) =>
        {
            Heights::Steps { step: metadata.scale, values }
        }
        // Bit for bit, including NaN.
        DecodingResult::F32(mut heights) if plain => {
            #[allow(clippy::cast_possible_truncation)] // As programs write it for floats of 32 bits.
            let no_data = no_data.map(|height| height as f32);
            heights.iter_mut().filter(|height| no_data == Some(**height)).for_each(|height| *height = f32::NAN);
            Heights::F32(heights)
        }
        DecodingResult::F32(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::F64(pixels) => Heights::F32(pixels.into_iter().map(to_f32).collect()),
        DecodingResult::U8(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::I8(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::U16(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::I16(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::U32(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        DecodingResult::I32(pixels) => Heights::F32(pixels.into_iter().map(|pixel| to_f32(pixel.into())).collect()),
        _ => return Err(Error::on_path(ErrorKind::Unsupported("pixels of this kind".into()), "pixels")),
    };
    rounded.report("to 32 bits", losses);
    Ok(heights)
}

/// The position of the grid.
struct Georeference {
    spacing: [f64; 2],
    corner: [f64; 2],
}

impl Georeference {
    /// Reads the tags of GeoTIFF. Returns `None` without them, or if the grid is rotated.
    fn read(decoder: &mut Input<'_>, rows: u32, losses: &mut Losses) -> Option<Self> {
        let mut floats = |tag| decoder.find_tag(tag).ok().flatten().and_then(|value| value.into_f64_vec().ok());
        let scale = floats(Tag::ModelPixelScaleTag);
        let tiepoint = floats(Tag::ModelTiepointTag);
        let matrix = floats(Tag::ModelTransformationTag);
        let (spacing, [x, y]) = match (scale.as_deref(), tiepoint.as_deref(), matrix.as_deref()) {
            (Some(&[dx, dy, ..]), Some(&[i, j, _, x, y, _]), _) => ([dx, dy], [x - i * dx, y + j * dy]),
            (_, _, Some(&[dx, 0.0, _, x, 0.0, dy, _, y, ..])) => ([dx, -dy], [x, y]),
            (None, None, None) => return None,
            _ => {
                losses.dropped("", "the position: rotated, or in an unsupported form");
                return None;
            }
        };
        let keys = decoder.find_tag(Tag::GeoKeyDirectoryTag).ok().flatten().and_then(|keys| keys.into_u16_vec().ok());
        let is_point = [tags::RASTER_TYPE, 0, 1, tags::PIXEL_IS_POINT];
        let is_point = keys.is_some_and(|keys| keys.chunks_exact(4).skip(1).any(|key| key == is_point));
        // Points are at the centres of pixels.
        let half = if is_point { 0.0 } else { 0.5 };
        let south = y - (f64::from(rows.saturating_sub(1)) + half) * spacing[1];
        Some(Self { spacing, corner: [x + half * spacing[0], south] })
    }
}

fn text(decoder: &mut Input<'_>, tag: Tag) -> Option<String> {
    decoder.find_tag(tag).ok().flatten().and_then(|value| value.into_string().ok())
}

/// Rejects a directory that declares more values than the file has bytes: the decoder allocates them before it reads. Invalid
/// directories are left to the decoder.
fn check_counts(bytes: &[u8]) -> Result<(), Error> {
    let is_big_endian = bytes.starts_with(b"MM");
    let number = |at: u64, size: usize| -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        let join = |all: u64, byte: &u8| (all << 8) | u64::from(*byte);
        Some(if is_big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    };
    // BigTIFF has wider numbers.
    let (offset, entries, entry, size) = if number(2, 2) == Some(43) { (8, 8, 20, 8) } else { (4, 2, 12, 4) };
    let Some(start) = number(offset, size) else { return Ok(()) };
    let first = start.saturating_add(entries as u64).saturating_add(4);
    let left = bytes.len() as u64;
    for index in 0..number(start, entries).unwrap_or_default() {
        let Some(needed) = number(first.saturating_add(index.saturating_mul(entry)), size) else { break };
        if needed > left {
            return Err(Error::on_path(
                FaultKind::Truncated { needed, available: left }.into(),
                format!("directory[{index}]"),
            ));
        }
    }
    Ok(())
}

fn failed(error: TiffError, bytes: &[u8], limit: u64) -> Error {
    match error {
        TiffError::LimitsExceeded => Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit }, "pixels"),
        TiffError::UnsupportedError(what) => Error::on_path(ErrorKind::Unsupported(what.to_string()), "pixels"),
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            let left = bytes.len() as u64;
            Error::without_position(FaultKind::Truncated { needed: left.saturating_add(1), available: left }.into())
        }
        other => malformed("", other.to_string()),
    }
}
