//! Appearance of tiles and objects: colours and images.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Cursor;

use image::{ImageReader, Limits};
use mapwright_scene::{Arena, Image, ImageId, ImageSource, PixelFormat, Pixels};

use crate::colors::{CLEAR, Color};
use crate::raster::{Frame, Row, overlap};
use crate::transform;

/// Appearance of a tile or an object.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Appearance {
    /// One colour, which may be transparent.
    Flat(Color),
    /// A rectangle of another colour. Its bounds are left, top, right and bottom in pixels; the last two are exclusive.
    Framed { outside: Color, inside: Color, bounds: [i64; 4] },
    /// The image with an index in [`Bitmaps`].
    Image(usize),
}

/// An image, halved until its pixels are about as large as those of the output.
#[derive(Debug)]
pub(crate) struct Bitmap {
    /// Width and height in pixels before it was halved.
    pub(crate) size: [i64; 2],
    width: usize,
    pixels: Vec<Color>,
}

/// Mirroring of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Flips {
    pub(crate) x: bool,
    pub(crate) y: bool,
}

/// Changes of an image before it is drawn, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Variant {
    /// Width and height, if the image is stretched.
    pub(crate) size: Option<[u32; 2]>,
    /// Swaps x and y.
    pub(crate) diagonal: bool,
    pub(crate) flips: Flips,
    /// Clockwise rotation about the middle, in thousandths of a degree.
    pub(crate) turn: i32,
}

impl From<Flips> for Variant {
    fn from(flips: Flips) -> Self {
        Self { flips, ..Self::default() }
    }
}

/// All images that are drawn.
#[derive(Debug)]
pub(crate) struct Bitmaps {
    items: Vec<Bitmap>,
    places: HashMap<(ImageId, Variant), Option<usize>>,
    /// Number of times that images are halved.
    halves: u32,
    /// Remaining memory for images in bytes.
    left: usize,
}

/// Memory limit for all images and collision masks, as they are drawn.
const MAX_BYTES: usize = 512 << 20;

impl Bitmaps {
    pub(crate) fn new(frame: &Frame) -> Self {
        let smaller = if frame.mean { (frame.x.image / frame.x.level).max(1).ilog2() } else { 0 };
        Self { items: Vec::new(), places: HashMap::new(), halves: smaller, left: MAX_BYTES }
    }

    /// Reduces the number of times that images are halved, for layers that take several samples for a pixel.
    pub(crate) fn keep_finer(&mut self, halves: u32) {
        self.halves = self.halves.saturating_sub(halves);
    }

    pub(crate) fn get(&self, place: usize) -> Option<&Bitmap> {
        self.items.get(place)
    }

    /// Returns the index of an image, and adds it on the first call. Returns `None` if it is unreadable or exceeds the memory.
    pub(crate) fn add_image(
        &mut self,
        images: &Arena<Image>,
        id: ImageId,
        variant: impl Into<Variant>,
    ) -> Option<usize> {
        let variant = variant.into();
        if let Some(&place) = self.places.get(&(id, variant)) {
            return place;
        }
        let image = images.get(id).and_then(|image| decode_colors(image, self.left));
        let place = image
            .and_then(|(width, colors)| self.change(width, colors, variant))
            .and_then(|(width, colors)| self.add_colors(width, colors));
        self.places.insert((id, variant), place);
        place
    }

    /// Returns the changed colours of an image with their width. Returns `None` if they exceed the memory.
    fn change(&self, width: usize, mut colors: Vec<Color>, variant: Variant) -> Option<(usize, Vec<Color>)> {
        let mut width = width.max(1);
        if let Some(size) = variant.size {
            let sides = size.map(u64::from);
            if !self.has_room(sides[0].saturating_mul(sides[1])) {
                return None;
            }
            let size = size.map(usize::try_from);
            let [Ok(across), Ok(down)] = size else { return None };
            colors = transform::stretch(width, &colors, [across, down]);
            width = across.max(1);
        }
        if variant.diagonal {
            colors = transform::transpose(width, &colors);
            width = (colors.len() / width).max(1);
        }
        if variant.flips.y {
            colors.reverse();
        }
        if variant.flips.x != variant.flips.y {
            colors.chunks_mut(width).for_each(<[Color]>::reverse);
        }
        if variant.turn != 0 {
            let [across, down] = transform::turned_size([width, colors.len() / width], variant.turn);
            if !self.has_room((across as u64).saturating_mul(down as u64)) {
                return None;
            }
            colors = transform::turn(width, &colors, [across, down], variant.turn);
            width = across.max(1);
        }
        Some((width, colors))
    }

    /// Adds an image of colours. Returns `None` if it exceeds the memory.
    pub(crate) fn add_colors(&mut self, width: usize, colors: Vec<Color>) -> Option<usize> {
        let bitmap = Bitmap::new(width, colors, self.halves);
        self.left = self.left.checked_sub(bitmap.pixels.len().checked_mul(size_of::<Color>())?)?;
        self.items.push(bitmap);
        Some(self.items.len() - 1)
    }

    /// Returns `true` if the memory suffices for a number of pixels.
    pub(crate) fn has_room(&self, pixels: u64) -> bool {
        usize::try_from(pixels).is_ok_and(|pixels| pixels <= self.left / size_of::<Color>())
    }
}

impl Bitmap {
    pub(crate) fn new(width: usize, pixels: Vec<Color>, halves: u32) -> Self {
        let width = width.max(1);
        let height = pixels.len() / width;
        let size = [width, height].map(|length| i64::try_from(length).unwrap_or(0));
        let mut bitmap = Self { size, width, pixels };
        for _ in 0..halves {
            if bitmap.pixels.len() <= 1 {
                // One pixel cannot be halved. It is drawn larger, which is not visible at this scale.
                break;
            }
            bitmap = bitmap.halved();
        }
        bitmap
    }

    /// Returns the width and the height in pixels, as they are drawn.
    pub(crate) const fn dimensions(&self) -> [usize; 2] {
        [self.width, self.pixels.len() / self.width]
    }

    /// Returns the pixels, row by row.
    pub(crate) fn pixels(&self) -> &[Color] {
        &self.pixels
    }

    /// Returns a copy of half the width and height. Missing neighbours at the right and bottom are copies; they are cut off later.
    pub(crate) fn halved(&self) -> Self {
        let width = self.width.div_ceil(2);
        let mut pixels = Vec::with_capacity(width * (self.pixels.len() / self.width).div_ceil(2));
        for pair in self.pixels.chunks(self.width * 2) {
            let (upper, lower) = pair.split_at(self.width.min(pair.len()));
            let lower = if lower.is_empty() { upper } else { lower };
            for column in 0..width {
                let four = [upper, lower].map(|row| {
                    let left = row.get(column * 2).copied().unwrap_or(CLEAR);
                    [left, row.get(column * 2 + 1).copied().unwrap_or(left)].map(|color| color.map(u32::from))
                });
                let [[a, b], [c, d]] = four;
                let mean = |part: usize| {
                    let sum: u32 = [a, b, c, d].iter().filter_map(|color| color.get(part)).sum();
                    u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX)
                };
                pixels.push([mean(0), mean(1), mean(2), mean(3)]);
            }
        }
        Self { size: self.size, width, pixels }
    }

    /// Returns the colour in the middle.
    fn middle_color(&self) -> Color {
        let rows = self.pixels.len() / self.width;
        self.pixels.get(rows / 2 * self.width + self.width / 2).copied().unwrap_or(CLEAR)
    }
}

impl Appearance {
    /// Returns the colour if there is only one.
    pub(crate) const fn flat(self) -> Option<Color> {
        match self {
            Self::Flat(color) => Some(color),
            _ => None,
        }
    }

    /// Returns one colour for the complete area.
    pub(crate) fn middle_color(self, bitmaps: &Bitmaps) -> Color {
        match self {
            Self::Flat(color) => color,
            Self::Framed { inside, .. } => inside,
            Self::Image(place) => bitmaps.get(place).map_or(CLEAR, Bitmap::middle_color),
        }
    }

    /// Draws the part that row `y` of the output covers. `at` is the upper left corner in pixels of the level. The image is cut off
    /// at `size`.
    pub(crate) fn draw(self, row: &mut Row, frame: &Frame, bitmaps: &Bitmaps, y: i64, at: [i64; 2], size: [i64; 2]) {
        let rows = frame.y.footprint(y, frame.mean);
        let [left, top] = at;
        let (right, bottom) = (left + size[0], top + size[1]);
        let mut part = |[from, upper, to, lower]: [i64; 4], color: Color| {
            let weight = overlap(rows, frame.y.unit(upper), frame.y.unit(lower));
            row.run(frame.x.unit(from), frame.x.unit(to), color, weight);
        };
        match self {
            Self::Flat(color) => part([left, top, right, bottom], color),
            Self::Framed { outside, inside, bounds: [l, t, r, b] } => {
                let (l, r) = ((left + l).clamp(left, right), (left + r).clamp(left, right));
                let (t, b) = ((top + t).clamp(top, bottom), (top + b).clamp(top, bottom));
                let (r, b) = (r.max(l), b.max(t));
                part([left, top, right, t], outside);
                part([left, t, l, b], outside);
                part([l, t, r, b], inside);
                part([r, t, right, b], outside);
                part([left, b, right, bottom], outside);
            }
            Self::Image(place) => {
                let Some(bitmap) = bitmaps.get(place) else { return };
                let [across, down] = [frame.x.level, frame.y.level].map(|level| level << bitmaps.halves);
                let (start, end) = (frame.y.unit(top), frame.y.unit(bottom.min(top + bitmap.size[1])));
                let (from, to) = (frame.x.unit(left), frame.x.unit(right.min(left + bitmap.size[0])));
                let first = (rows[0] - start).max(0) / down;
                let skipped = usize::try_from(first).unwrap_or(usize::MAX);
                let mut upper = start + first * down;
                for colors in bitmap.pixels.chunks(bitmap.width).skip(skipped) {
                    if upper >= rows[1].min(end) {
                        break;
                    }
                    let weight = overlap(rows, upper, (upper + down).min(end));
                    row.pixels(from, to, across, colors, weight);
                    upper += down;
                }
            }
        }
    }
}

/// Decodes the colours of an image, multiplied by their opacity, and returns them with its width. Returns `None` if there are none, or
/// if they exceed `max_bytes`.
fn decode_colors(image: &Image, max_bytes: usize) -> Option<(usize, Vec<Color>)> {
    let (width, mut colors) = decode_straight(image, max_bytes)?;
    colors.iter_mut().for_each(|color| *color = premultiply(color));
    Some((width, colors))
}

/// Decodes the colours of an image like [`decode_colors`], but does not multiply them.
pub(crate) fn decode_straight(image: &Image, max_bytes: usize) -> Option<(usize, Vec<Color>)> {
    let pixels = match &image.source {
        ImageSource::Pixels(pixels) => Cow::Borrowed(pixels),
        ImageSource::Encoded { data, .. } => Cow::Owned(decode_file(data, max_bytes)?),
        ImageSource::External { .. } => return None,
    };
    let length = pixels.byte_len()?;
    if length == 0 || pixels.data.len() < length || length / pixels.format.channels() > max_bytes / 4 {
        return None;
    }
    Some((usize::try_from(pixels.width).ok()?, to_colors(&pixels).collect()))
}

/// Multiplies a colour by its opacity.
pub(crate) fn premultiply(&[red, green, blue, alpha]: &Color) -> Color {
    let part = |part: u8| u8::try_from((u32::from(part) * u32::from(alpha) + 127) / 255).unwrap_or(u8::MAX);
    [part(red), part(green), part(blue), alpha]
}

/// Converts pixels to colours, row by row. They are not multiplied by their opacity.
fn to_colors(pixels: &Pixels) -> impl Iterator<Item = Color> {
    let data = pixels.byte_len().and_then(|length| pixels.data.get(..length)).unwrap_or_default();
    data.chunks_exact(pixels.format.channels()).map(move |pixel| match *pixel {
        [gray] if pixels.format == PixelFormat::L8 => [gray, gray, gray, 255],
        [alpha] => [255, 255, 255, alpha],
        [gray, alpha] => [gray, gray, gray, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => CLEAR,
    })
}

/// Returns the mean of colours, weighted by their opacity. Returns `None` if all are clear.
pub(crate) fn mean_color(colors: &[Color]) -> Option<[u8; 3]> {
    let mut sums = [0_u64; 4];
    for color in colors.iter().map(premultiply) {
        sums.iter_mut().zip(color).for_each(|(sum, part)| *sum += u64::from(part));
    }
    let [red, green, blue, opacity] = sums;
    let mean = |sum: u64| u8::try_from((sum * 255 + opacity / 2).checked_div(opacity)?).ok();
    Some([mean(red)?, mean(green)?, mean(blue)?])
}

/// Decodes a PNG or JPEG file, the kinds of files that scenes store.
fn decode_file(data: &[u8], max_bytes: usize) -> Option<Pixels> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(max_bytes as u64);
    let mut reader = ImageReader::new(Cursor::new(data)).with_guessed_format().ok()?;
    reader.limits(limits);
    let image = reader.decode().ok()?;
    let (width, height) = (image.width(), image.height());
    let (format, data) = match image.color().has_color() || image.color().has_alpha() {
        true => (PixelFormat::Rgba8, image.into_rgba8().into_raw()),
        false => (PixelFormat::L8, image.into_luma8().into_raw()),
    };
    Some(Pixels { width, height, format, data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Axis;

    #[test]
    fn all_images_together_have_a_limit() {
        let axis = Axis::new(0, crate::Ratio::ONE, 8);
        let mut bitmaps = Bitmaps::new(&Frame { x: axis, y: axis, mean: false });
        bitmaps.left = 16 * size_of::<Color>() + 3;
        let mut images = Arena::new();
        let pixels = |width| Pixels { width, height: 4, format: PixelFormat::L8, data: vec![7; 4 * width as usize] };
        let mut push = |width| images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels(width)) });
        let (three, two, one) = (push(3), push(2), push(1));
        assert_eq!(bitmaps.add_image(&images, three, Flips::default()), Some(0));
        assert_eq!(bitmaps.add_image(&images, two, Flips::default()), None, "exceeds the memory");
        assert!(bitmaps.has_room(4) && !bitmaps.has_room(5), "masks are counted too");
        assert_eq!(bitmaps.add_colors(2, vec![CLEAR; 4]), Some(1));
        assert_eq!(bitmaps.add_image(&images, one, Flips::default()), None, "no memory remains");
        assert_eq!(bitmaps.add_image(&images, three, Flips::default()), Some(0), "known images stay");
    }
}
