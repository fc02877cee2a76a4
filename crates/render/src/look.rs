//! What a tile or thing looks like.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Cursor;

use mapwright_scene::{Arena, Image, ImageId, ImageSource, PixelFormat, Pixels};

use crate::colors::{CLEAR, Color};
use crate::raster::{Frame, Row, overlap};

/// What a tile or thing looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Look {
    /// One colour, or nothing.
    Flat(Color),
    /// A rectangle of another colour: left, top, right, bottom in pixels, the last two not included.
    Framed { outside: Color, inside: Color, bounds: [i64; 4] },
    /// The picture at a place in [`Bitmaps`].
    Picture(usize),
}

/// A picture, made smaller by halves until a pixel of it is not much smaller than one of the picture that is drawn.
#[derive(Debug)]
pub(crate) struct Bitmap {
    /// Pixels across and down before it was made smaller.
    pub(crate) size: [i64; 2],
    width: usize,
    pixels: Vec<Color>,
}

/// Which way a picture is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Flips {
    pub(crate) x: bool,
    pub(crate) y: bool,
}

/// All pictures that are drawn.
#[derive(Debug)]
pub(crate) struct Bitmaps {
    items: Vec<Bitmap>,
    places: HashMap<(ImageId, Flips), Option<usize>>,
    /// How often they are halved.
    halves: u32,
    /// Bytes that pictures may yet take.
    left: usize,
}

/// What the pictures of a scene may take in all, as they are drawn, masks of collisions among them.
const MOST_BYTES: usize = 512 << 20;

impl Bitmaps {
    pub(crate) fn new(frame: &Frame) -> Self {
        let smaller = if frame.mean { (frame.x.picture / frame.x.level).max(1).ilog2() } else { 0 };
        Self { items: Vec::new(), places: HashMap::new(), halves: smaller, left: MOST_BYTES }
    }

    pub(crate) fn get(&self, place: usize) -> Option<&Bitmap> {
        self.items.get(place)
    }

    /// The place of an image, which is taken in if it is new; `None` for what is no picture or too much.
    pub(crate) fn take(&mut self, images: &Arena<Image>, id: ImageId, flips: Flips) -> Option<usize> {
        if let Some(&place) = self.places.get(&(id, flips)) {
            return place;
        }
        let place = images.get(id).and_then(|image| colors(image, self.left)).and_then(|(width, mut colors)| {
            if flips.y {
                colors.reverse();
            }
            if flips.x != flips.y {
                colors.chunks_mut(width).for_each(<[Color]>::reverse);
            }
            self.make(width, colors)
        });
        self.places.insert((id, flips), place);
        place
    }

    /// The place of a picture that is made of colours; `None` for what would be too much.
    pub(crate) fn make(&mut self, width: usize, colors: Vec<Color>) -> Option<usize> {
        let bitmap = Bitmap::new(width, colors, self.halves);
        self.left = self.left.checked_sub(bitmap.pixels.len().checked_mul(size_of::<Color>())?)?;
        self.items.push(bitmap);
        Some(self.items.len() - 1)
    }

    /// Whether so many pixels could be taken in.
    pub(crate) fn fits(&self, pixels: u64) -> bool {
        usize::try_from(pixels).is_ok_and(|pixels| pixels <= self.left / size_of::<Color>())
    }
}

impl Bitmap {
    fn new(width: usize, pixels: Vec<Color>, halves: u32) -> Self {
        let width = width.max(1);
        let height = pixels.len() / width;
        let size = [width, height].map(|length| i64::try_from(length).unwrap_or(0));
        let mut bitmap = Self { size, width, pixels };
        for _ in 0..halves {
            if bitmap.pixels.len() <= 1 {
                // It stays one pixel, which is stretched instead: nothing of it would be left to see anyway.
                break;
            }
            bitmap = bitmap.half();
        }
        bitmap
    }

    /// Half as wide and high. At the right and bottom, what is there stands for what is missing, which is cut off later.
    fn half(self) -> Self {
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

    /// The colour in the middle.
    fn middle(&self) -> Color {
        let rows = self.pixels.len() / self.width;
        self.pixels.get(rows / 2 * self.width + self.width / 2).copied().unwrap_or(CLEAR)
    }
}

impl Look {
    /// Whether it looks the same in all rows and columns.
    pub(crate) const fn flat(self) -> Option<Color> {
        match self {
            Self::Flat(color) => Some(color),
            _ => None,
        }
    }

    /// One colour for all of it.
    pub(crate) fn middle(self, bitmaps: &Bitmaps) -> Color {
        match self {
            Self::Flat(color) => color,
            Self::Framed { inside, .. } => inside,
            Self::Picture(place) => bitmaps.get(place).map_or(CLEAR, Bitmap::middle),
        }
    }

    /// Draws what row `y` of the picture shows of it, if it stands with its upper left corner at a pixel of the level and is so
    /// large; what it has beyond its size is cut off.
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
            Self::Picture(place) => {
                let Some(bitmap) = bitmaps.get(place) else { return };
                let step = frame.x.level << bitmaps.halves;
                let (start, end) = (frame.y.unit(top), frame.y.unit(bottom.min(top + bitmap.size[1])));
                let (from, to) = (frame.x.unit(left), frame.x.unit(right.min(left + bitmap.size[0])));
                let first = (rows[0] - start).max(0) / step;
                let skipped = usize::try_from(first).unwrap_or(usize::MAX);
                let mut upper = start + first * step;
                for colors in bitmap.pixels.chunks(bitmap.width).skip(skipped) {
                    if upper >= rows[1].min(end) {
                        break;
                    }
                    let weight = overlap(rows, upper, (upper + step).min(end));
                    row.pixels(from, to, step, colors, weight);
                    upper += step;
                }
            }
        }
    }
}

/// The pixels of an image with the number of them in a row; `None` if there are none, or if they would take more than `most`
/// bytes.
fn colors(image: &Image, most: usize) -> Option<(usize, Vec<Color>)> {
    let pixels = pixels(image, most)?;
    Some((usize::try_from(pixels.width).ok()?, colors_of(&pixels).collect()))
}

/// The pixels of an image, as [`colors`] has them.
fn pixels(image: &Image, most: usize) -> Option<Cow<'_, Pixels>> {
    let pixels = match &image.source {
        ImageSource::Pixels(pixels) => Cow::Borrowed(pixels),
        ImageSource::Encoded { media_type, data } if media_type == "image/png" => Cow::Owned(decode(data, most)?),
        _ => return None,
    };
    let length = pixels.byte_len()?;
    if length == 0 || pixels.data.len() < length || length / pixels.format.channels() > most / 4 {
        return None;
    }
    Some(pixels)
}

/// The colours of pixels, row by row.
fn colors_of(pixels: &Pixels) -> impl Iterator<Item = Color> {
    let opacity =
        |part: u8, opacity: u8| u8::try_from((u32::from(part) * u32::from(opacity) + 127) / 255).unwrap_or(u8::MAX);
    let data = pixels.byte_len().and_then(|length| pixels.data.get(..length)).unwrap_or_default();
    data.chunks_exact(pixels.format.channels()).map(move |pixel| match *pixel {
        [gray] if pixels.format == PixelFormat::L8 => [gray, gray, gray, 255],
        [alpha] => [alpha; 4],
        [gray, alpha] => {
            let gray = opacity(gray, alpha);
            [gray, gray, gray, alpha]
        }
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [opacity(red, alpha), opacity(green, alpha), opacity(blue, alpha), alpha],
        _ => CLEAR,
    })
}

/// The mean colour of an image, clear pixels left out; `None` if there are none, or if they would take more than `most` bytes.
pub(crate) fn mean(image: &Image, most: usize) -> Option<[u8; 3]> {
    let mut sums = [0_u64; 4];
    for color in colors_of(&*pixels(image, most)?) {
        sums.iter_mut().zip(color).for_each(|(sum, part)| *sum += u64::from(part));
    }
    let [red, green, blue, opacity] = sums;
    // They are multiplied by their opacity already.
    let mean = |sum: u64| u8::try_from((sum * 255 + opacity / 2).checked_div(opacity)?).ok();
    Some([mean(red)?, mean(green)?, mean(blue)?])
}

/// The pixels of a PNG file.
fn decode(data: &[u8], most: usize) -> Option<Pixels> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(data), png::Limits { bytes: most });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut data = vec![0; reader.output_buffer_size().filter(|&size| size <= most)?];
    let frame = reader.next_frame(&mut data).ok()?;
    let format = match frame.color_type {
        png::ColorType::Grayscale => PixelFormat::L8,
        png::ColorType::GrayscaleAlpha => PixelFormat::La8,
        png::ColorType::Rgb | png::ColorType::Indexed => PixelFormat::Rgb8,
        png::ColorType::Rgba => PixelFormat::Rgba8,
    };
    Some(Pixels { width: frame.width, height: frame.height, format, data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Axis;

    #[test]
    fn all_pictures_together_have_a_limit() {
        let axis = Axis::new(0, crate::Ratio::ONE, 8);
        let mut bitmaps = Bitmaps::new(&Frame { x: axis, y: axis, mean: false });
        bitmaps.left = 16 * size_of::<Color>() + 3;
        let mut images = Arena::new();
        let pixels = |width| Pixels { width, height: 4, format: PixelFormat::L8, data: vec![7; 4 * width as usize] };
        let mut push = |width| images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels(width)) });
        let (three, two, one) = (push(3), push(2), push(1));
        assert_eq!(bitmaps.take(&images, three, Flips::default()), Some(0));
        assert_eq!(bitmaps.take(&images, two, Flips::default()), None, "more than is left");
        assert!(bitmaps.fits(4) && !bitmaps.fits(5), "masks are counted too");
        assert_eq!(bitmaps.make(2, vec![CLEAR; 4]), Some(1));
        assert_eq!(bitmaps.take(&images, one, Flips::default()), None, "nothing is left");
        assert_eq!(bitmaps.take(&images, three, Flips::default()), Some(0), "what is in stays in");
    }
}
