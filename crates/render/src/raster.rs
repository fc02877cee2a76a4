//! From pixels of the level to pixels of the picture, one row at a time.
//!
//! Both are counted in *units*, so that all is in whole numbers: with a scale of n/d, a pixel of the level is n units wide and
//! one of the picture d. Places in the level are at most 2³² pixels from the area's corner and n and d at most 2²⁰, so that units
//! stay far below 2⁶³.

use crate::Ratio;
use crate::colors::{CLEAR, Color};

/// One axis of the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    /// The pixel of the level at which the picture starts.
    pub(crate) origin: i64,
    /// Units in a pixel of the level.
    pub(crate) level: i64,
    /// Units in a pixel of the picture.
    pub(crate) picture: i64,
    /// Pixels of the picture.
    pub(crate) length: i64,
}

impl Axis {
    pub(crate) fn new(origin: i64, scale: Ratio, length: u32) -> Self {
        Self { origin, level: scale.picture().into(), picture: scale.level().into(), length: length.into() }
    }

    /// The unit at which a pixel of the level starts.
    pub(crate) const fn unit(&self, pixel: i64) -> i64 {
        (pixel - self.origin) * self.level
    }

    /// The units that decide about a pixel of the picture: all of it, or the one in its middle.
    pub(crate) const fn footprint(&self, pixel: i64, mean: bool) -> [i64; 2] {
        let start = pixel * self.picture;
        if mean {
            return [start, start + self.picture];
        }
        let middle = start + self.picture / 2;
        [middle, middle + 1]
    }

    /// The pixels of the picture that these pixels of the level touch.
    pub(crate) fn touched(&self, from: i64, to: i64) -> [i64; 2] {
        let first = self.unit(from).div_euclid(self.picture);
        let end = (self.unit(to) - 1).div_euclid(self.picture) + 1;
        [first.clamp(0, self.length), end.clamp(0, self.length)]
    }

    /// The pixel of the picture in which a pixel of the level has its middle.
    pub(crate) const fn place(&self, pixel: i64) -> i64 {
        (self.unit(pixel) + self.level / 2).div_euclid(self.picture)
    }
}

/// Both axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Whether a pixel is the mean of what it covers.
    pub(crate) mean: bool,
}

impl Frame {
    /// The pixel of the picture in which a pixel of the level has its middle.
    pub(crate) const fn place(&self, [x, y]: [i64; 2]) -> [i64; 2] {
        [self.x.place(x), self.y.place(y)]
    }
}

/// How many units two ranges have in common.
pub(crate) fn overlap([from, to]: [i64; 2], start: i64, end: i64) -> u64 {
    u64::try_from(to.min(end) - from.max(start)).unwrap_or(0)
}

/// A row of the picture while it is drawn; all that is drawn takes turns with it.
#[derive(Debug)]
pub(crate) struct Row {
    mean: bool,
    /// Units in a pixel.
    unit: i64,
    /// The pixels that are drawn.
    window: [i64; 2],
    /// For the mean: colours times the units squared that they cover.
    sums: Vec<[u64; 4]>,
    pixels: Vec<Color>,
}

impl Row {
    pub(crate) fn new(frame: &Frame) -> Self {
        let length = usize::try_from(frame.x.length).unwrap_or(0);
        let sums = if frame.mean { vec![[0; 4]; length] } else { Vec::new() };
        Self { mean: frame.mean, unit: frame.x.picture, window: [0, 0], sums, pixels: vec![CLEAR; length] }
    }

    /// Starts anew between two pixels of the picture.
    pub(crate) fn begin(&mut self, window: [i64; 2]) {
        self.window = window;
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

    /// The units of the window.
    pub(crate) const fn units(&self) -> [i64; 2] {
        let [from, to] = self.window;
        [from * self.unit, to * self.unit]
    }

    /// A colour from one unit to another, as high as `weight` units.
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

    /// The pixels whose middle lies between two units.
    fn middles(&self, from: i64, to: i64) -> [i64; 2] {
        let [start, end] = self.window;
        [from, to].map(|unit| ((unit - self.unit / 2 + self.unit - 1).div_euclid(self.unit)).clamp(start, end))
    }

    /// A row of pixels, each `step` units wide, of which the first starts at `from`; what reaches beyond `to` is cut off.
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

    /// A colour in one pixel, where what covers it was found out otherwise.
    pub(crate) fn set(&mut self, pixel: i64, color: Color) {
        let weight = if self.mean { self.unit.unsigned_abs() } else { 1 };
        self.run(pixel * self.unit, (pixel + 1) * self.unit, color, weight);
    }

    /// The window's pixels, and where it starts.
    pub(crate) fn finish(&mut self) -> (usize, &[Color]) {
        let range = self.range();
        let start = range.start;
        let pixels = self.pixels.get_mut(range.clone()).unwrap_or_default();
        if self.mean {
            let area = self.unit.unsigned_abs().pow(2);
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
        // Two thirds: a pixel covers one and a half.
        let frame = frame("2/3", 2, true);
        let mut row = Row::new(&frame);
        row.begin([0, 2]);
        for y in 0..2 {
            let weight = overlap(frame.y.footprint(0, true), frame.y.unit(y), frame.y.unit(y + 1));
            row.pixels(0, 6, 2, &[opaque([30; 3]), opaque([60; 3]), opaque([90; 3])], weight);
        }
        assert_eq!(row.finish().1, [opaque([40; 3]), opaque([80; 3])]);
    }

    #[test]
    fn the_nearest_is_the_one_in_the_middle() {
        let mut row = Row::new(&frame("1/3", 2, false));
        row.begin([0, 2]);
        let colors: Vec<_> = (1..=6).map(|part| opaque([part; 3])).collect();
        row.pixels(0, 6, 1, &colors, 1);
        assert_eq!(row.finish().1, [colors[1], colors[4]]);
        row.begin([0, 2]);
        row.run(1, 4, colors[0], 1);
        assert_eq!(row.finish().1, [colors[0], CLEAR]);
    }

    #[test]
    fn runs_are_cut_at_the_window() {
        for mean in [true, false] {
            let mut row = Row::new(&frame("1/2", 4, mean));
            row.begin([1, 3]);
            row.run(-100, 100, opaque([7; 3]), 2);
            assert_eq!(row.finish(), (1, &[opaque([7; 3]); 2][..]));
        }
    }
}
