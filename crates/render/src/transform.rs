//! Transforms of images.

use mapwright_io::math;

use crate::colors::{CLEAR, Color};

/// Swaps x and y of an image.
pub(crate) fn transpose(width: usize, colors: &[Color]) -> Vec<Color> {
    let width = width.max(1);
    let rows = colors.len() / width;
    let column = |x: usize| colors.iter().skip(x).step_by(width).take(rows).copied();
    (0..width).flat_map(column).collect()
}

/// Stretches an image to a width and height. Colours are interpolated.
pub(crate) fn stretch(width: usize, colors: &[Color], [across, down]: [usize; 2]) -> Vec<Color> {
    let source = Source::new(width, colors);
    let mut result = Vec::with_capacity(across * down);
    #[allow(clippy::cast_precision_loss, reason = "images fit into memory")]
    let place = |at: usize, from: usize, to: usize| (at as f64 + 0.5) * from as f64 / to as f64 - 0.5;
    for y in 0..down {
        let y = place(y, source.height, down);
        result.extend((0..across).map(|x| source.sample([place(x, source.width, across), y], false)));
    }
    result
}

/// Returns the width and height of an image that is turned clockwise by thousandths of a degree. Its middle stays between the same pixels.
pub(crate) fn turned_size(size: [usize; 2], turn: i32) -> [usize; 2] {
    let (sin, cos) = sin_cos(turn);
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let length = |along: usize, across: usize| {
        let length = (along as f64 * cos.abs() + across as f64 * sin.abs() - 1e-9).ceil().max(1.0) as usize;
        length + (length + along) % 2
    };
    let [width, height] = size;
    [length(width, height), length(height, width)]
}

/// Turns an image clockwise about its middle by thousandths of a degree. Colours are interpolated.
pub(crate) fn turn(width: usize, colors: &[Color], [across, down]: [usize; 2], turn: i32) -> Vec<Color> {
    let source = Source::new(width, colors);
    let (sin, cos) = sin_cos(turn);
    let mut result = Vec::with_capacity(across * down);
    #[allow(clippy::cast_precision_loss, reason = "images fit into memory")]
    let (middle, half) =
        ([source.width, source.height].map(|side| side as f64 / 2.0), [across, down].map(|side| side as f64 / 2.0));
    for y in 0..down {
        #[allow(clippy::cast_precision_loss, reason = "images fit into memory")]
        result.extend((0..across).map(|x| {
            let [x, y] = [x as f64 + 0.5 - half[0], y as f64 + 0.5 - half[1]];
            source.sample([x * cos + y * sin + middle[0] - 0.5, y * cos - x * sin + middle[1] - 0.5], true)
        }));
    }
    result
}

/// Returns sine and cosine of thousandths of a degree.
fn sin_cos(turn: i32) -> (f64, f64) {
    let (sin, cos) = math::sin_cos((f64::from(turn) / 1000.0).to_radians());
    if turn % 90_000 == 0 { (sin.round(), cos.round()) } else { (sin, cos) }
}

/// An image of which colours between pixels are taken.
struct Source<'a> {
    width: usize,
    height: usize,
    colors: &'a [Color],
}

impl<'a> Source<'a> {
    fn new(width: usize, colors: &'a [Color]) -> Self {
        let width = width.max(1);
        Self { width, height: colors.len() / width, colors }
    }

    /// Returns the colour at a position in pixels from the middle of the first one. With `is_cut`, positions outside of the image are clear.
    fn sample(&self, position: [f64; 2], is_cut: bool) -> Color {
        #[allow(clippy::cast_precision_loss, reason = "images fit into memory")]
        let ends = [self.width, self.height].map(|side| side as f64 - 0.5);
        // The tolerance is for sines of multiples of 90 degrees and for positions on the edge.
        let is_outside = position.iter().zip(ends).any(|(at, end)| *at < -0.5 - 1e-6 || *at > end + 1e-6);
        if is_cut && is_outside {
            return CLEAR;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to the image")]
        let neighbours = |at: f64, count: usize| {
            let last = count.saturating_sub(1);
            let floor = at.floor();
            let limit = |at: f64| (at.max(0.0) as usize).min(last);
            (limit(floor), limit(floor + 1.0), ((at - floor) * 256.0).round() as u32)
        };
        let [x, y] = position;
        let ((left, right, share_x), (upper, lower, share_y)) = (neighbours(x, self.width), neighbours(y, self.height));
        let color = |x: usize, y: usize| self.colors.get(y * self.width + x).copied().unwrap_or(CLEAR);
        let mix = |one: [u32; 4], other: [u32; 4], share: u32| {
            let mut mixed = one.map(|part| part * (256 - share));
            mixed.iter_mut().zip(other).for_each(|(part, other)| *part += other * share);
            mixed
        };
        let row = |y: usize| mix(color(left, y).map(u32::from), color(right, y).map(u32::from), share_x);
        mix(row(upper), row(lower), share_y).map(|sum| u8::try_from((sum + (1 << 15)) >> 16).unwrap_or(u8::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colors::opaque;

    fn grays(values: &[u8]) -> Vec<Color> {
        values.iter().map(|value| opaque([*value; 3])).collect()
    }

    #[test]
    fn images_are_transposed() {
        assert_eq!(transpose(3, &grays(&[1, 2, 3, 4, 5, 6])), grays(&[1, 4, 2, 5, 3, 6]));
        assert!(transpose(0, &[]).is_empty());
    }

    #[test]
    fn images_are_stretched() {
        assert_eq!(stretch(2, &grays(&[0, 100]), [4, 1]), grays(&[0, 25, 75, 100]));
        let same = grays(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(stretch(3, &same, [3, 2]), same);
    }

    #[test]
    fn images_are_turned_clockwise() {
        let image = grays(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(turned_size([3, 2], 180_000), [3, 2]);
        assert_eq!(turn(3, &image, [3, 2], 180_000), grays(&[6, 5, 4, 3, 2, 1]));
        let image = grays(&[1, 2, 3, 4]);
        assert_eq!(turn(2, &image, [2, 2], 90_000), grays(&[3, 1, 4, 2]));
        assert_eq!(turned_size([60, 60], 60_000), [82, 82]);
        let turned = turn(2, &image, [4, 4], 45_000);
        assert_eq!((turned[0], turned[15]), (CLEAR, CLEAR), "corners are outside");
    }
}
