//! Converts pixels of the level to pixels of the image, one row at a time.
//!
//! Both are measured in *units*, so that all numbers are integers: with a scale of n/d, a pixel of the level is n units wide and one
//! of the image d. Positions in the level are at most 2³² pixels from the corner of the area, and n and d at most 2²⁰, so units
//! stay far below 2⁶³.

use crate::Ratio;
use crate::colors::{CLEAR, Color};

/// Maximum number of bits of the units in a pixel of the image.
const MAX_UNIT_BITS: u32 = 27;
/// Maximum speed of a layer in percent.
const MAX_PERCENT: f64 = 1e4;

/// One axis of the image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    /// The pixel of the level at which the image begins.
    pub(crate) origin: i64,
    /// Units in a pixel of the level.
    pub(crate) level: i64,
    /// Units in a pixel of the image.
    pub(crate) image: i64,
    /// Length of the image in pixels.
    pub(crate) length: i64,
}

impl Axis {
    pub(crate) fn new(origin: i64, scale: Ratio, length: u32) -> Self {
        Self { origin, level: scale.numerator().into(), image: scale.denominator().into(), length: length.into() }
    }

    /// Returns the first unit of a pixel of the level.
    pub(crate) const fn unit(&self, pixel: i64) -> i64 {
        (pixel - self.origin) * self.level
    }

    /// Returns the units that determine a pixel of the image: all of it, or the one in its centre.
    pub(crate) const fn footprint(&self, pixel: i64, mean: bool) -> [i64; 2] {
        let start = pixel * self.image;
        if mean {
            return [start, start + self.image];
        }
        let middle = start + self.image / 2;
        [middle, middle + 1]
    }

    /// Returns the pixels of the image that a range of pixels of the level touches.
    pub(crate) fn image_pixels(&self, from: i64, to: i64) -> [i64; 2] {
        let first = self.unit(from).div_euclid(self.image);
        let end = (self.unit(to) - 1).div_euclid(self.image) + 1;
        [first.clamp(0, self.length), end.clamp(0, self.length)]
    }

    /// Returns the pixel of the image that contains the centre of a pixel of the level.
    pub(crate) const fn image_pixel(&self, pixel: i64) -> i64 {
        (self.unit(pixel) + self.level / 2).div_euclid(self.image)
    }

    /// Returns the axis for a layer of which each pixel of the level shows the pixel at a part of its position, in percent. The result is
    /// the axis itself for a negative part.
    fn stretched(self, percent: i64) -> Self {
        match percent {
            ..0 => self,
            // The first pixel of the layer is larger than the image. This is the largest factor without an overflow.
            0 => Self { origin: 0, level: (1 << 30) / self.level.max(1) * self.level.max(1), ..self },
            _ => {
                let (level, image) = (self.level * 100, self.image * percent);
                // The area of a pixel times a part of a colour has 64 bits.
                let excess = (image.ilog2() + 1).saturating_sub(MAX_UNIT_BITS);
                let (level, image) = ((level >> excess).max(1), image >> excess);
                Self { origin: self.origin * percent / 100, level, image, length: self.length }
            }
        }
    }
}

/// Both axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// `true` if a pixel is the mean of the covered ones.
    pub(crate) mean: bool,
}

impl Frame {
    /// Returns the frame for a layer with a speed as [`TileLayer::parallax`](mapwright_scene::TileLayer::parallax), for
    /// [`Parallax::Stretched`](crate::Parallax::Stretched).
    pub(crate) fn stretched(self, [x, y]: [f64; 2]) -> Self {
        // NaN becomes 0.
        #[allow(clippy::cast_possible_truncation)]
        let percent = |factor: f64| (factor * 100.0).round().min(MAX_PERCENT) as i64;
        Self { x: self.x.stretched(percent(x)), y: self.y.stretched(percent(y)), mean: self.mean }
    }
}

impl Frame {
    /// Returns the pixel of the image that contains the centre of a pixel of the level.
    pub(crate) const fn image_pixel(&self, [x, y]: [i64; 2]) -> [i64; 2] {
        [self.x.image_pixel(x), self.y.image_pixel(y)]
    }
}

/// Returns the length of the intersection of two ranges.
pub(crate) fn overlap([from, to]: [i64; 2], start: i64, end: i64) -> u64 {
    u64::try_from(to.min(end) - from.max(start)).unwrap_or(0)
}

/// A buffer for a part of a row.
#[derive(Debug, Default)]
pub(crate) struct Row {
    mean: bool,
    /// Units in the width of a pixel.
    unit: i64,
    /// Units in the height of a pixel.
    height: i64,
    /// The pixels that are drawn.
    window: [i64; 2],
    /// For the mean: sums of colours, weighted by the covered area in units squared.
    sums: Vec<[u64; 4]>,
    pixels: Vec<Color>,
}

impl Row {
    pub(crate) fn new(frame: &Frame) -> Self {
        let length = usize::try_from(frame.x.length).unwrap_or(0);
        let sums = if frame.mean { vec![[0; 4]; length] } else { Vec::new() };
        let [unit, height] = [frame.x.image, frame.y.image];
        Self { mean: frame.mean, unit, height, window: [0, 0], sums, pixels: vec![CLEAR; length] }
    }

    /// Clears the buffer for a range of pixels of the image, and for the units of a layer.
    pub(crate) fn begin(&mut self, frame: &Frame, window: [i64; 2]) {
        self.window = window;
        (self.unit, self.height) = (frame.x.image, frame.y.image);
        let range = self.range();
        if self.mean {
            self.sums.get_mut(range).unwrap_or_default().fill([0; 4]);
        } else {
            self.pixels.get_mut(range).unwrap_or_default().fill(CLEAR);
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        let [from, to] = self.window.map(|pixel| usize::try_from(pixel).unwrap_or(0));
        from..to
    }

    /// Returns the units of the window.
    pub(crate) const fn units(&self) -> [i64; 2] {
        let [from, to] = self.window;
        [from * self.unit, to * self.unit]
    }

    /// Draws a colour from one unit to another. `weight` is the height in units.
    pub(crate) fn run(&mut self, from: i64, to: i64, color: Color, weight: u64) {
        let [start, end] = self.units();
        let (from, to) = (from.max(start), to.min(end));
        if from >= to || weight == 0 || color == CLEAR {
            return;
        }
        if !self.mean {
            let [first, end] = self.middles(from, to);
            let range = usize::try_from(first).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
            self.pixels.get_mut(range).unwrap_or_default().fill(color);
            return;
        }
        let color = color.map(|part| u64::from(part) * weight);
        let add = |sum: &mut [u64; 4], units: i64| {
            let units = units.unsigned_abs();
            for (sum, part) in sum.iter_mut().zip(color) {
                *sum += part * units;
            }
        };
        let (first, last) = (from / self.unit, (to - 1) / self.unit);
        let range = usize::try_from(first).unwrap_or(0)..usize::try_from(last + 1).unwrap_or(0);
        match self.sums.get_mut(range).unwrap_or_default() {
            [] => {}
            [only] => add(only, to - from),
            [head, middle @ .., tail] => {
                add(head, (first + 1) * self.unit - from);
                for sum in middle {
                    add(sum, self.unit);
                }
                add(tail, to - last * self.unit);
            }
        }
    }

    /// Returns the pixels whose centre lies between two units.
    fn middles(&self, from: i64, to: i64) -> [i64; 2] {
        let [start, end] = self.window;
        [from, to].map(|unit| ((unit - self.unit / 2 + self.unit - 1).div_euclid(self.unit)).clamp(start, end))
    }

    /// Draws a row of pixels, each `step` units wide, from `from` on. Cuts off at `to`.
    pub(crate) fn pixels(&mut self, from: i64, to: i64, step: i64, colors: &[Color], weight: u64) {
        let [start, end] = self.units();
        if !self.mean {
            let [first, end] = self.middles(from.max(start), to.min(end));
            let mut unit = first * self.unit + self.unit / 2 - from;
            let range = usize::try_from(first).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
            for pixel in self.pixels.get_mut(range).unwrap_or_default() {
                let color = usize::try_from(unit / step).ok().and_then(|place| colors.get(place)).copied();
                *pixel = color.unwrap_or(CLEAR);
                unit += self.unit;
            }
            return;
        }
        let skipped = (start - from).max(0) / step;
        let mut left = from + skipped * step;
        for &color in colors.iter().skip(usize::try_from(skipped).unwrap_or(0)) {
            if left >= to.min(end) {
                break;
            }
            self.run(left, (left + step).min(to), color, weight);
            left += step;
        }
    }

    /// Draws a colour in one complete pixel.
    pub(crate) fn set(&mut self, pixel: i64, color: Color) {
        let weight = if self.mean { self.height.unsigned_abs() } else { 1 };
        self.run(pixel * self.unit, (pixel + 1) * self.unit, color, weight);
    }

    /// Returns the start of the window and its pixels.
    pub(crate) fn finish(&mut self) -> (usize, &[Color]) {
        let range = self.range();
        let start = range.start;
        let pixels = self.pixels.get_mut(range.clone()).unwrap_or_default();
        if self.mean {
            let area = self.unit.unsigned_abs() * self.height.unsigned_abs();
            for (pixel, sum) in pixels.iter_mut().zip(self.sums.get(range).unwrap_or_default()) {
                *pixel = sum.map(|sum| u8::try_from((sum + area / 2) / area).unwrap_or(u8::MAX));
            }
        }
        (start, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colors::opaque;

    fn frame(scale: &str, length: u32, mean: bool) -> Frame {
        let axis = Axis::new(0, scale.parse().unwrap(), length);
        Frame { x: axis, y: axis, mean }
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_it_covers() {
        // Two thirds: a pixel of the image covers one and a half of the level.
        let frame = frame("2/3", 2, true);
        let mut row = Row::new(&frame);
        row.begin(&frame, [0, 2]);
        for y in 0..2 {
            let weight = overlap(frame.y.footprint(0, true), frame.y.unit(y), frame.y.unit(y + 1));
            row.pixels(0, 6, 2, &[opaque([30; 3]), opaque([60; 3]), opaque([90; 3])], weight);
        }
        assert_eq!(row.finish().1, [opaque([40; 3]), opaque([80; 3])]);
    }

    #[test]
    fn the_nearest_is_the_one_in_the_middle() {
        let frame = frame("1/3", 2, false);
        let mut row = Row::new(&frame);
        row.begin(&frame, [0, 2]);
        let colors: Vec<_> = (1..=6).map(|part| opaque([part; 3])).collect();
        row.pixels(0, 6, 1, &colors, 1);
        assert_eq!(row.finish().1, [colors[1], colors[4]]);
        row.begin(&frame, [0, 2]);
        row.run(1, 4, colors[0], 1);
        assert_eq!(row.finish().1, [colors[0], CLEAR]);
    }

    #[test]
    fn runs_are_cut_at_the_window() {
        for mean in [true, false] {
            let frame = frame("1/2", 4, mean);
            let mut row = Row::new(&frame);
            row.begin(&frame, [1, 3]);
            row.run(-100, 100, opaque([7; 3]), 2);
            assert_eq!(row.finish(), (1, &[opaque([7; 3]); 2][..]));
        }
    }
}
