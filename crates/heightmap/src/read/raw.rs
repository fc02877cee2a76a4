//! Reads raw heights: numbers without a header. A description beside them, or the options, state the rest.

use mapwright_scene::{FileKind, FileSource, Heights, Losses};

use super::{
    heights::{HeightmapData, projection, reorder, spacing, to_metres_with},
    numbers::NumberType,
};
use crate::{
    Error, ErrorKind, Format, ImportOptions, PixelHeights,
    error::{json_error, malformed},
    raw::{ByteOrder, RawInfo, RowOrder},
};

const PATH: &str = "heights";

pub(super) fn read(
    bytes: &[u8],
    files: &dyn FileSource,
    format: Format,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<HeightmapData, Error> {
    let info = description(files, options)?;
    let kind = match (format, info.bpp) {
        (Format::R32, _) => NumberType::F32,
        (_, Some(8)) => NumberType::U8,
        (_, Some(_)) => NumberType::U16,
        // A square of bytes that is no square of pairs is one of bytes.
        _ if side(bytes.len()).is_some() && side(bytes.len() / 2).is_none_or(|_| !bytes.len().is_multiple_of(2)) => {
            NumberType::U8
        }
        _ => NumberType::U16,
    };
    let count = bytes.len() / kind.size();
    let stored = info.width.zip(info.height).map(|(width, height)| [width, height]);
    let [columns, rows] = match options.size.or(stored) {
        Some(size) => size,
        None => side(count).map(|side| [side; 2]).ok_or_else(|| unknown_size(bytes.len(), count))?,
    };
    let expected = u64::from(columns).saturating_mul(u64::from(rows)).saturating_mul(kind.size() as u64);
    if expected != bytes.len() as u64 || expected == 0 {
        let text = format!("{} bytes: expected {expected} for {columns} × {rows} heights", bytes.len());
        return Err(malformed(PATH, text));
    }
    if (count as u64).saturating_mul(4) > options.max_bytes {
        let kind = ErrorKind::Limit { what: "bytes of heights", limit: options.max_bytes };
        return Err(Error::on_path(kind, PATH));
    }

    let chosen = options.byte_order.or(info.byte_order);
    let is_big_endian = chosen.unwrap_or_default() == ByteOrder::Big;
    let numbers =
        |is_big_endian| bytes.chunks_exact(kind.size()).filter_map(move |bytes| kind.number(bytes, is_big_endian));
    if chosen.is_none() && kind == NumberType::U16 && roughness(numbers(true)) < roughness(numbers(false)) / 2.0 {
        let text = "the order of bytes: the lowest first, although heights with the highest first are smoother";
        losses.synthesized(PATH, text);
    }
    let stored = info.min.zip(info.max).map(|(low, high)| [low, high]);
    let range = match options.pixels {
        Some(PixelHeights::Range(range)) => stored.or(Some(range)),
        _ => stored,
    };
    let white = match kind {
        NumberType::U8 => 255.0,
        NumberType::U16 => 65535.0,
        _ => 1.0,
    };
    let [scale, offset] = match (options.pixels, range, kind) {
        // Floats that a description comes with are heights.
        (_, _, NumberType::F32) if info.width.is_some() => [1.0, 0.0],
        (Some(PixelHeights::Scale { scale, offset }), None, _) => [scale, offset],
        (_, Some([low, high]), _) => [(high - low) / white, low],
        (_, None, NumberType::F32) => {
            if numbers(is_big_endian).all(|number| (0.0..=1.0).contains(&number)) {
                let text = "heights between 0 and 1 without the heights that they stand for";
                return Err(Error::on_path(
                    ErrorKind::NeedsOption { problem: text.to_owned(), option: "pixels" },
                    PATH,
                ));
            }
            [1.0, 0.0]
        }
        (_, None, _) => {
            losses.synthesized(PATH, "the meaning of numbers: one unit of length per number, 0 is 0");
            [1.0, 0.0]
        }
    };
    #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
    let heights = numbers(is_big_endian).map(|number| number.mul_add(scale, offset) as f32).collect();
    let mut heights = Heights::F32(heights);
    let is_south_first = options.rows.or(info.rows).unwrap_or_default() == RowOrder::South;
    reorder(&mut heights, columns, [false, is_south_first]);
    let spacing = spacing(info.spacing, options, losses)?;
    let mut crs = projection(files, options, info.origin, [columns, rows], spacing)?;
    to_metres_with(&mut heights, &mut crs, options, losses);
    Ok(HeightmapData { columns, rows, heights, spacing, corner: info.origin, metres_per_unit: None, crs })
}

/// Reads the description, if there is one.
fn description(files: &dyn FileSource, options: &ImportOptions) -> Result<RawInfo, Error> {
    let Some(name) = &options.description_file else { return Ok(RawInfo::default()) };
    let Ok(json) = files.load(name, FileKind::Data) else { return Ok(RawInfo::default()) };
    serde_json::from_slice(&json).map_err(|error| json_error(&json, &error, "").in_file(name.clone()))
}

/// Returns the side of a square of a number of heights.
fn side(count: usize) -> Option<u32> {
    let side = count.isqrt();
    (side > 0 && side.checked_mul(side) == Some(count)).then(|| u32::try_from(side).ok())?
}

/// The error for a number of heights that is no square, with sizes that are close to one.
fn unknown_size(bytes: usize, count: usize) -> Error {
    let start = count.isqrt();
    let pairs = (start.saturating_sub(4096).max(1)..=start).rev().filter(|width| count.is_multiple_of(*width));
    let pairs: Vec<String> =
        pairs.take(3).filter_map(|width| Some(format!("{}x{width}", count.checked_div(width)?))).collect();
    let problem = format!("{bytes} bytes are no square of heights; sizes that fit: {}", pairs.join(", "));
    Error::on_path(ErrorKind::NeedsOption { problem, option: "size" }, PATH)
}

/// Returns the sum of differences between neighbours.
fn roughness(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut last = None;
    numbers.map(|number| (number - last.replace(number).unwrap_or(number)).abs()).sum()
}
