//! Reads heights from TIFF files.

mod masks;
mod metadata;
mod sparse;
mod zstd;

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
    heights::{HeightmapData, Rounded, drop_vertical, reorder, report_assumed_metres, spacing, to_metres},
    placement::Affine,
    tokens::number,
};
use crate::{
    Error, ErrorKind, ImportOptions,
    crs::{Crs, GeoKeys, GeoTags, needs_gdal},
    error::malformed,
    names::tif_tags as tags,
};

type Input<'a> = Decoder<Cursor<&'a [u8]>>;

/// Maximum compression factor of TIFF: LZW has strings of up to 4096 bytes.
const MAX_COMPRESSION_RATIO: u64 = 4096;

/// Returns `true` for a file of one channel with a scale or a transform to map coordinates.
pub(crate) fn is_georeferenced(bytes: &[u8]) -> bool {
    let Some(mut decoder) = check_counts(bytes).ok().and_then(|()| Decoder::new(Cursor::new(bytes)).ok()) else {
        return false;
    };
    let bands = decoder.find_tag_unsigned::<u16>(Tag::SamplesPerPixel).ok().flatten();
    let mut has = |tag| decoder.find_tag(tag).is_ok_and(|value| value.is_some());
    bands.is_none_or(|bands| bands == 1) && (has(Tag::ModelPixelScaleTag) || has(Tag::ModelTransformationTag))
}

/// Returns the value that marks points without a height, if the file contains one.
pub(crate) fn no_data_value(bytes: &[u8]) -> Option<f64> {
    check_counts(bytes).ok()?;
    read_no_data(&mut Decoder::new(Cursor::new(bytes)).ok()?)
}

fn read_no_data(decoder: &mut Input<'_>) -> Option<f64> {
    text(decoder, Tag::GdalNodata).and_then(|text| number::<f64>(text.trim_ascii().as_bytes()))
}

pub(super) fn read(bytes: &[u8], options: &ImportOptions, losses: &mut Losses) -> Result<HeightmapData, Error> {
    let failed = |error| failed(error, bytes, options.max_bytes);
    check_counts(bytes)?;
    let expanded = zstd::expand(bytes, options.max_bytes)?;
    let bytes = expanded.as_deref().unwrap_or(bytes);
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(failed)?;
    let size @ [columns, rows] = decoder.dimensions().map_err(failed)?.into();
    let photometric = decoder.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation).ok().flatten();
    if photometric == Some(3) {
        return Err(Error::on_path(ErrorKind::NotGreyscale("colour with a palette".to_owned()), "pixels"));
    }
    let compression = decoder.find_tag_unsigned::<u16>(Tag::Compression).map_err(failed)?.unwrap_or(1);
    check_compression(compression)?;
    let bands = decoder.find_tag_unsigned::<u16>(Tag::SamplesPerPixel).map_err(failed)?.unwrap_or(1);
    // Colours are reported as such.
    if bands > 1 && photometric != Some(2) {
        let problem = format!("the image has {bands} bands: expected one");
        return Err(needs_gdal(problem, "gdal_translate -b 1 in.tif out.tif"));
    }
    match decoder.colortype().map_err(failed)? {
        ColorType::Gray(8 | 16 | 32 | 64) => {}
        other => {
            return Err(Error::on_path(ErrorKind::NotGreyscale(color_name(other).to_owned()), "pixels"));
        }
    }
    let count = u64::from(columns) * u64::from(rows);
    let depth = u64::from(decoder.colortype().map_err(failed)?.bit_depth()).div_ceil(8);
    let all = count.saturating_mul(depth);
    let limit = options.max_bytes;
    if all.max(count.saturating_mul(4)) > limit {
        return Err(Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit }, "pixels"));
    }
    let left = bytes.len() as u64;
    let missing_chunks = sparse::missing_chunks(&mut decoder).map_err(failed)?;
    // Parts that are not in the file take memory all the same.
    if !missing_chunks.is_empty() && count.saturating_mul(8) > limit {
        return Err(Error::on_path(ErrorKind::Limit { what: "bytes of heights", limit }, "pixels"));
    }
    let needed = if compression == 1 { all } else { all.div_ceil(MAX_COMPRESSION_RATIO) };
    if needed > left && missing_chunks.is_empty() {
        return Err(Error::on_path(FaultKind::Truncated { needed, available: left }.into(), "pixels"));
    }
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::try_from(limit).unwrap_or(usize::MAX);
    limits.intermediate_buffer_size = limits.decoding_buffer_size;
    let mut decoder = decoder.with_limits(limits);

    let metadata = Metadata::from_decoder(&mut decoder);
    let keys = geo_keys(&mut decoder);
    let affine = affine(&mut decoder, &keys)?;
    let centre = affine.map(|affine| affine.apply(f64::from(columns) / 2.0, f64::from(rows) / 2.0));
    let step = affine.map_or(1.0, |affine| affine.y[2]);
    let (mut crs, mut unit) = Crs::from_keys(&keys, centre.unwrap_or_default(), step)?;
    let place = affine.map(|affine| affine.placement(size, "tif")).transpose()?;
    let mut spacing = spacing(place.map(|place| place.spacing), options, losses)?;
    let mut corner = place.map(|place| place.corner);
    let height_unit = height_unit(&metadata, &keys, crs.as_mut(), options, losses)?;
    report_assumed_metres(height_unit, crs.as_ref().map(|crs| crs.metres).or(unit), losses);
    if let Some(metres) = unit.filter(|metres| *metres != 1.0) {
        spacing = spacing.map(|step| step * metres);
        corner = corner.map(|corner| corner.map(|number| number * metres));
        losses.preserved("", format!("the unit of the map, {metres} m: lengths are converted to metres"));
    }
    unit = unit.map(|_| 1.0).or(metadata.metres_per_unit).or(height_unit.map(|_| 1.0));

    let no_data = read_no_data(&mut decoder);
    let mut pixels = if missing_chunks.is_empty() {
        decoder.read_image().map_err(failed)?
    } else {
        losses.preserved("pixels", format!("{} missing parts of a sparse file", missing_chunks.len()));
        sparse::read(&mut decoder, &missing_chunks, no_data.unwrap_or(0.0)).map_err(failed)?
    };
    if photometric == Some(0) {
        restore_inverted(&mut pixels)?;
    }
    let mut heights = heights(pixels, &metadata, no_data, losses)?;
    masks::apply(bytes, &mut decoder, size, &mut heights, losses)?;
    to_metres(&mut heights, height_unit, losses);
    if let Some(place) = place {
        reorder(&mut heights, columns, place.is_flipped);
    }
    Ok(HeightmapData { columns, rows, heights, spacing, corner, metres_per_unit: unit, crs })
}

fn color_name(color: ColorType) -> &'static str {
    match color {
        ColorType::Palette(_) => "colour with a palette",
        ColorType::RGB(_) | ColorType::RGBA(_) => "RGB colour",
        ColorType::CMYK(_) | ColorType::CMYKA(_) => "CMYK colour",
        ColorType::YCbCr(_) => "YCbCr colour",
        ColorType::Gray(_) => "grey with fewer than 8 bits, or with 24",
        _ => "of another colour",
    }
}

/// Rejects compression that the decoder does not support, or that loses heights.
fn check_compression(code: u16) -> Result<(), Error> {
    let name = match code {
        1 | 5 | 8 | 32773 | 32946 => return Ok(()),
        2..=4 => "CCITT",
        6 | 7 => "JPEG",
        34712 => "JPEG 2000",
        34887 => "LERC",
        34925 => "LZMA",
        50001 => "WebP",
        50002 => "JPEG XL",
        _ => "",
    };
    let name = if name.is_empty() { format!("compression {code}") } else { format!("{name} compression") };
    let command = "gdal_translate -co COMPRESS=DEFLATE in.tif out.tif";
    Err(needs_gdal(format!("{name} is not supported"), command))
}

/// Returns the pixels of the file, where the decoder inverts those of white images.
fn restore_inverted(pixels: &mut DecodingResult) -> Result<(), Error> {
    match pixels {
        DecodingResult::U8(values) => values.iter_mut().for_each(|value| *value = !*value),
        DecodingResult::U16(values) => values.iter_mut().for_each(|value| *value = !*value),
        DecodingResult::U32(values) => values.iter_mut().for_each(|value| *value = !*value),
        _ => {
            let command = "gdal_translate -co PHOTOMETRIC=MINISBLACK in.tif out.tif";
            return Err(needs_gdal("heights in an image whose white is 0 are not supported".to_owned(), command));
        }
    }
    Ok(())
}

/// Returns the metres per unit of heights, if the file or the options state them. Negative for depths.
fn height_unit(
    metadata: &Metadata,
    keys: &GeoKeys,
    crs: Option<&mut Crs>,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<Option<f64>, Error> {
    // Files of ESRI state the system as the text of a `.prj` file.
    let vertical = keys.vertical_unit().or_else(|| crs.as_deref().and_then(Crs::vertical_unit));
    let unit = match (options.height_unit, &metadata.height_unit, vertical) {
        (Some(metres), ..) => Some(metres),
        (None, Some(Ok(metres)), vertical) => Some(metres * vertical.map_or(1.0, f64::signum)),
        (None, Some(Err(word)), _) => {
            let text = format!("the unit of heights {word:?}");
            return Err(Error::on_path(ErrorKind::Unsupported(text), "heights"));
        }
        (None, None, vertical) => vertical,
    };
    if let (Some(crs), true) = (crs, vertical.is_some_and(|metres| metres != 1.0)) {
        drop_vertical(crs, losses);
    }
    Ok(unit)
}

fn heights(
    pixels: DecodingResult,
    metadata: &Metadata,
    no_data: Option<f64>,
    losses: &mut Losses,
) -> Result<Heights, Error> {
    let mut rounded = Rounded::default();
    #[allow(clippy::cast_possible_truncation)] // As programs write it for floats of 32 bits.
    let no_data_of_32_bits = no_data.map(|height| f64::from(height as f32));
    let plain = metadata.scale == 1.0 && metadata.offset == 0.0;
    let mut to_f32 = |pixel: f64| {
        let is_missing = no_data == Some(pixel) || no_data_of_32_bits == Some(pixel);
        if is_missing { f32::NAN } else { rounded.narrow(pixel * metadata.scale + metadata.offset) }
    };
    let heights = match pixels {
        DecodingResult::I16(values)
            if metadata.offset == 0.0 && !values.iter().any(|&value| no_data == Some(f64::from(value))) =>
        {
            Heights::Steps { step: metadata.scale, values }
        }
        // Bit for bit, including NaN.
        DecodingResult::F32(mut heights) if plain => {
            let is_missing = |height: f32| no_data_of_32_bits == Some(height.into());
            heights.iter_mut().filter(|height| is_missing(**height)).for_each(|height| *height = f32::NAN);
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
        _ => return Err(Error::on_path(ErrorKind::Unsupported("this type of pixels".into()), "pixels")),
    };
    rounded.report("to 32 bits", losses);
    Ok(heights)
}

/// Reads the tags of GeoTIFF. Returns `None` without them.
fn affine(decoder: &mut Input<'_>, keys: &GeoKeys) -> Result<Option<Affine>, Error> {
    let scale = floats(decoder, Tag::ModelPixelScaleTag);
    let points = floats(decoder, Tag::ModelTiepointTag);
    let matrix = floats(decoder, Tag::ModelTransformationTag);
    let affine = match (&matrix[..], &scale[..], &points[..]) {
        (&[a, b, _, x, d, e, _, y, ..], ..) => Affine { x: [x, a, b], y: [y, d, e] },
        (_, &[dx, dy, ..], &[i, j, _, x, y, ..]) => Affine { x: [x - i * dx, dx, 0.0], y: [y + j * dy, 0.0, -dy] },
        (_, [], points) if points.len() > 6 => {
            let command = "gdalwarp -tps -t_srs EPSG:32633 -r bilinear in.tif out.tif";
            return Err(needs_gdal("grids with control points are not supported".to_owned(), command));
        }
        _ => return Ok(None),
    };
    let numbers = affine.x.iter().chain(&affine.y);
    if affine.x[1] == 0.0 && affine.x[2] == 0.0 || affine.y[1] == 0.0 && affine.y[2] == 0.0 {
        return Err(malformed("", "invalid distance between points: 0"));
    }
    if let Some(number) = numbers.into_iter().find(|number| !number.is_finite()) {
        return Err(malformed("", format!("invalid position or spacing of the grid: {number}")));
    }
    Ok(Some(if keys.is_point() { affine.moved_from_centres() } else { affine }))
}

fn geo_keys(decoder: &mut Input<'_>) -> GeoKeys {
    let directory = decoder.find_tag(Tag::GeoKeyDirectoryTag).ok().flatten();
    GeoKeys::read(&GeoTags {
        directory: directory.and_then(|keys| keys.into_u16_vec().ok()).unwrap_or_default(),
        doubles: floats(decoder, Tag::GeoDoubleParamsTag),
        ascii: text(decoder, Tag::GeoAsciiParamsTag).unwrap_or_default(),
    })
}

fn floats(decoder: &mut Input<'_>, tag: Tag) -> Vec<f64> {
    let value = decoder.find_tag(tag).ok().flatten();
    value.and_then(|value| value.into_f64_vec().ok()).unwrap_or_default()
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
        TiffError::UnsupportedError(what) => {
            let text = what.to_string();
            let text = text.strip_suffix(" is unsupported").unwrap_or(&text);
            Error::on_path(ErrorKind::Unsupported(text.to_owned()), "pixels")
        }
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            let left = bytes.len() as u64;
            Error::without_position(FaultKind::Truncated { needed: left.saturating_add(1), available: left }.into())
        }
        other => malformed("", other.to_string()),
    }
}
