//! Writes heights as greyscale images.

use std::borrow::Cow;
use std::io::Write;

use mapwright_io::format_count;
use mapwright_io::math::positive_zero;
use mapwright_scene::{Heights, Losses};

use super::failed;
use crate::{
    Error, ErrorKind, ExportOptions,
    grid::Grid,
    names::{ZERO_PIXEL, png_text as key},
};

/// The largest pixel.
const WHITE: f64 = 65535.0;

/// The meaning of pixels.
struct Mapping {
    scale: f64,
    offset: f64,
    /// The lowest pixel for a height. The pixel below it means no height.
    first: f64,
    /// The lowest height of a pixel.
    low: f64,
    high: f64,
}

impl Mapping {
    /// Maps a range to all pixels, or to all except the first.
    fn new([low, high]: [f64; 2], has_missing: bool) -> Self {
        let first = if has_missing { 1.0 } else { 0.0 };
        let steps = WHITE - first;
        let scale = (high - low) / steps;
        Self { scale, offset: low - first * scale, first, low, high }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to 65,535.
    fn pixel(&self, height: f32) -> u16 {
        if height.is_finite() {
            // Terrains may be flat.
            let steps = if self.scale > 0.0 { (f64::from(height) - self.low) / self.scale } else { 0.0 };
            (steps + self.first).round().clamp(self.first, WHITE) as u16
        } else {
            0
        }
    }
}

pub(super) fn write(
    grid: &Grid<'_>,
    metres_per_unit: Option<f64>,
    options: &ExportOptions,
    out: &mut dyn Write,
    losses: &mut Losses,
) -> Result<(), Error> {
    // Texts are in units of the scene, and the world file is in units of the map.
    let unit = grid.crs.as_ref().map_or(1.0, |crs| crs.metres / metres_per_unit.unwrap_or(1.0));
    let mut texts = vec![
        (key::SPACING_X, (grid.spacing[0] * unit).to_string()),
        (key::SPACING_Y, (grid.spacing[1] * unit).to_string()),
        (key::ORIGIN_X, (grid.corner[0] * unit).to_string()),
        (key::ORIGIN_Y, (grid.corner[1] * unit).to_string()),
    ];
    texts.extend(metres_per_unit.map(|metres| (key::METRES_PER_UNIT, metres.to_string())));
    match (&*grid.heights, options.range) {
        (Heights::Steps { step, values }, None) => {
            let offset = -f64::from(ZERO_PIXEL) * step;
            texts.extend([
                (key::SCALE, step.to_string()),
                (key::OFFSET, offset.to_string()),
                (key::ZERO, ZERO_PIXEL.to_string()),
            ]);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to 65,535.
            let pixel = |&value: &i16| (i32::from(value) + ZERO_PIXEL) as u16;
            encode_image(grid, &texts, false, out, grid.rows(values).map(|row| row.iter().map(pixel)))
        }
        (heights, _) => {
            let heights: Cow<'_, [f32]> = match heights {
                Heights::F32(heights) => heights.into(),
                #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
                Heights::Steps { step, values } => {
                    values.iter().map(|&value| (f64::from(value) * step) as f32).collect()
                }
            };
            let missing = heights.iter().filter(|height| !height.is_finite()).count();
            let range = match options.range {
                Some([low, high]) if low.is_finite() && high.is_finite() && low <= high => [low, high],
                Some([low, high]) => {
                    let text = format!("a range of heights from {low} to {high}");
                    return Err(Error::on_path(ErrorKind::Unsupported(text), "range"));
                }
                None => range(&heights),
            };
            let mapping = Mapping::new(range, missing > 0);
            texts.extend([(key::SCALE, mapping.scale.to_string()), (key::OFFSET, mapping.offset.to_string())]);
            report(grid, &heights, &mapping, losses);
            let rows = grid.rows(&heights).map(|row| row.iter().map(|&height| mapping.pixel(height)));
            encode_image(grid, &texts, missing > 0, out, rows)
        }
    }
}

/// Returns the lowest and the highest height.
fn range(heights: &[f32]) -> [f64; 2] {
    let finite = heights.iter().filter(|height| height.is_finite()).map(|&height| f64::from(height));
    let around = |range: Option<[f64; 2]>, height: f64| match range {
        Some([low, high]) => Some([low.min(height), high.max(height)]),
        None => Some([height; 2]),
    };
    finite.fold(None, around).unwrap_or_default().map(positive_zero)
}

fn report(grid: &Grid<'_>, heights: &[f32], mapping: &Mapping, losses: &mut Losses) {
    let path = grid.heights_path();
    // A height that is not a number is missing in the source, too.
    let infinite = heights.iter().filter(|height| height.is_infinite()).count();
    if infinite > 0 {
        let text = format!("{}: written as no-data points", format_count(infinite, "infinite height"));
        losses.approximated(&path, text);
    }
    let (mut clamped, mut rounded, mut off) = (0_u64, 0_u64, 0.0_f64);
    for &height in heights.iter().filter(|height| height.is_finite()) {
        let exact = f64::from(height);
        if exact < mapping.low || exact > mapping.high {
            clamped += 1;
            continue;
        }
        let back = f64::from(mapping.pixel(height)).mul_add(mapping.scale, mapping.offset);
        #[allow(clippy::cast_possible_truncation)] // As whoever reads it rounds it.
        if back as f32 != height {
            rounded += 1;
            off = off.max((back - exact).abs());
        }
    }
    if clamped > 0 {
        let Mapping { low, high, .. } = *mapping;
        losses.approximated(
            &path,
            format!("{} beyond the range, clamped to {low} … {high}", format_count(clamped, "height")),
        );
    }
    if rounded > 0 {
        let scale = mapping.scale;
        losses.approximated(
            &path,
            format!("{} rounded to steps of {scale:.2e}, by up to {off:.2e}", format_count(rounded, "height")),
        );
    }
}

fn encode_image(
    grid: &Grid<'_>,
    texts: &[(&str, String)],
    has_missing: bool,
    out: &mut dyn Write,
    rows: impl Iterator<Item = impl Iterator<Item = u16>>,
) -> Result<(), Error> {
    let failed = |error: ::png::EncodingError| match error {
        ::png::EncodingError::IoError(error) => failed(error),
        other => Error::on_path(ErrorKind::Write(other.to_string()), &grid.path),
    };
    let mut encoder = ::png::Encoder::new(out, grid.columns, grid.rows);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_depth(::png::BitDepth::Sixteen);
    if has_missing {
        encoder.set_trns(vec![0, 0]);
    }
    for (keyword, text) in texts {
        encoder.add_text_chunk((*keyword).to_owned(), text.clone()).map_err(failed)?;
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut stream = writer.stream_writer().map_err(failed)?;
    let mut line = Vec::new();
    for row in rows {
        line.clear();
        line.extend(row.flat_map(u16::to_be_bytes));
        stream.write_all(&line).map_err(super::failed)?;
    }
    stream.finish().map_err(failed)?;
    writer.finish().map_err(failed)
}

/// Writes the six lines of a world file: the distances, and the centre of the first pixel.
pub(super) fn world_file(grid: &Grid<'_>) -> Vec<u8> {
    let ([dx, dy], [west, _]) = (grid.spacing, grid.corner);
    format!("{dx}\n0\n0\n{}\n{west}\n{}\n", -dy, grid.north()).into_bytes()
}
