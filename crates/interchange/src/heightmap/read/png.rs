//! Reads heights from greyscale images.

use ::png::{BitDepth, ColorType};
use mapwright_scene::{FileKind, FileSource, Heights, Losses};

use super::{
    heights::{HeightmapData, projection, reorder, spacing, to_metres},
    placement::{Affine, Placement},
    tokens::number,
};
use crate::{
    Error, ErrorKind,
    error::malformed,
    heightmap::{
        ImportOptions, PixelHeights, ZERO_PIXEL, png_text as key,
        raster::{PATH, Raster},
    },
};

pub(super) fn read(
    bytes: &[u8],
    files: &dyn FileSource,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<HeightmapData, Error> {
    let raster = Raster::read(bytes, options.max_bytes, &key::ALL, is_grey)?;
    let [columns, rows] = raster.size;
    let pixels = raster.numbers();
    let white = if raster.depth == BitDepth::Eight { 255.0 } else { 65535.0 };
    if raster.depth == BitDepth::Eight {
        losses.preserved(PATH, "8 bits per height: 256 levels");
    }
    if raster.color == ColorType::GrayscaleAlpha {
        losses.dropped(PATH, "opacity channel");
    }
    let missing = raster.transparent.first_chunk().map(|bytes| u16::from_be_bytes(*bytes));
    let texts = Texts { raster: &raster };
    let mut place = texts.georeference();
    let mut world = None;
    if place == (None, None)
        && let Some(name) = &options.world_file
        && let Ok(file) = files.load(name, FileKind::Data)
    {
        world = world_file(name, &file, raster.size, losses)?;
        place = (world.map(|place| place.spacing), world.map(|place| place.corner));
    }
    let spacing = spacing(place.0, options, losses)?;
    let heights = match (options.pixels, texts.steps()) {
        (None, Some(step)) if missing.is_none() => {
            #[allow(clippy::cast_possible_truncation)] // From −32,768 to 32,767.
            let values = pixels.iter().map(|&pixel| (i32::from(pixel) - ZERO_PIXEL) as i16).collect();
            Heights::Steps { step, values }
        }
        (chosen, _) => {
            let mapping = match chosen {
                Some(PixelHeights::Range([low, high])) => Some([(high - low) / white, low]),
                Some(PixelHeights::Scale { scale, offset }) => Some([scale, offset]),
                None => texts.mapping(),
            };
            let [scale, offset] = mapping.unwrap_or_else(|| {
                losses.synthesized(PATH, "the meaning of pixels: one unit of length per level of grey, black is 0");
                [1.0, 0.0]
            });
            if !scale.is_finite() || !offset.is_finite() {
                return Err(malformed(PATH, format!("heights of {offset} + pixel × {scale}")));
            }
            #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
            let height = |pixel: u16| (f64::from(pixel) * scale + offset) as f32;
            let height = |&pixel: &u16| if Some(pixel) == missing { f32::NAN } else { height(pixel) };
            Heights::F32(pixels.iter().map(height).collect())
        }
    };
    let mut heights = heights;
    to_metres(&mut heights, options.height_unit, losses);
    if let Some(place) = world {
        reorder(&mut heights, columns, place.is_flipped);
    }
    let (mut spacing, mut corner) = (spacing, place.1);
    let crs = projection(files, options, corner, raster.size, spacing)?;
    if let (Some(crs), None) = (&crs, world) {
        // The texts of this crate are metres.
        spacing = spacing.map(|length| length / crs.metres);
        corner = corner.map(|corner| corner.map(|length| length / crs.metres));
    }
    let metres_per_unit = texts.positive(key::METRES_PER_UNIT);
    Ok(HeightmapData { columns, rows, heights, spacing, corner, metres_per_unit, crs })
}

/// The texts with known keywords.
struct Texts<'a> {
    raster: &'a Raster,
}

impl Texts<'_> {
    fn number(&self, keyword: &str) -> Option<f64> {
        number(self.raster.text(keyword)?.as_bytes()).filter(|number: &f64| number.is_finite())
    }

    fn positive(&self, keyword: &str) -> Option<f64> {
        self.number(keyword).filter(|number| *number > 0.0)
    }

    /// Returns the step, if pixels are steps.
    fn steps(&self) -> Option<f64> {
        let step = self.number(key::SCALE)?;
        (self.number(key::ZERO) == Some(f64::from(ZERO_PIXEL))).then_some(step)
    }

    fn mapping(&self) -> Option<[f64; 2]> {
        Some([self.number(key::SCALE)?, self.number(key::OFFSET)?])
    }

    /// Returns the distances between points, and the position of the south-western point.
    fn georeference(&self) -> Georeference {
        let spacing = self.positive(key::SPACING_X).zip(self.positive(key::SPACING_Y));
        let corner = self.number(key::ORIGIN_X).zip(self.number(key::ORIGIN_Y));
        (spacing.map(|(x, y)| [x, y]), corner.map(|(x, y)| [x, y]))
    }
}

type Georeference = (Option<[f64; 2]>, Option<[f64; 2]>);

/// Reads a world file, whose position is the centre of the first pixel.
fn world_file(name: &str, file: &[u8], size: [u32; 2], losses: &mut Losses) -> Result<Option<Placement>, Error> {
    let numbers: Vec<f64> = file.split(u8::is_ascii_whitespace).filter_map(number).take(6).collect();
    match *numbers {
        [a, d, b, e, x, y] if a != 0.0 && e != 0.0 && numbers.iter().all(|number| number.is_finite()) => {
            Affine { x: [x, a, b], y: [y, d, e] }.moved_from_centres().placement(size, "png").map(Some)
        }
        _ => {
            losses.dropped(name, "invalid world file");
            Ok(None)
        }
    }
}

fn is_grey(color: ColorType, depth: BitDepth) -> Result<(), Error> {
    match (color, depth) {
        (ColorType::Grayscale | ColorType::GrayscaleAlpha, BitDepth::Eight | BitDepth::Sixteen) => Ok(()),
        _ => {
            let color = match color {
                ColorType::Rgb | ColorType::Rgba => "RGB colour",
                ColorType::Indexed => "colour with a palette",
                ColorType::Grayscale | ColorType::GrayscaleAlpha => "grey",
            };
            Err(Error::on_path(ErrorKind::NotGreyscale(format!("{color} with {} bits", depth as u8)), PATH))
        }
    }
}
