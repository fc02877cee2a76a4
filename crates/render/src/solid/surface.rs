//! The look of a face, and numbers that change along it.

use crate::colors::Color;

use super::textures::TextureUse;

/// The look of a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface<'a> {
    /// Colour and opacity. The texture, if there is one, is multiplied by it.
    pub(crate) color: Color,
    pub(crate) texture: Option<TextureUse<'a>>,
}

/// The look at a corner of a face.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CornerLook {
    /// Texture coordinates, relative to the top left.
    pub(crate) uv: [f64; 2],
    /// The vertex colour, which multiplies that of the surface.
    pub(crate) tint: [f64; 3],
    /// The projected unit normal. `None`: that of the plane of the face.
    pub(crate) normal: Option<[f64; 3]>,
}

/// Numbers that change linearly along a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gradient<const N: usize> {
    middle: [f64; 2],
    mean: [f64; N],
    /// Change to the right and down.
    slope: [[f64; 2]; N],
}

impl<const N: usize> Gradient<N> {
    /// Fits a gradient to the values of corners by least squares, which is exact for triangles.
    pub(crate) fn new(corners: &[[f64; 3]], values: &[[f64; N]]) -> Self {
        #[allow(clippy::cast_precision_loss)]
        let count = corners.len().max(1) as f64;
        let (mut middle, mut mean) = ([0.0; 2], [0.0; N]);
        for (&[x, y, _], values) in corners.iter().zip(values) {
            middle = [middle[0] + x / count, middle[1] + y / count];
            mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += value / count);
        }
        // Sums of products: right × right, right × down, down × down, and each with the values.
        let (mut squares, mut products) = ([0.0; 3], [[0.0; 2]; N]);
        for (&[x, y, _], values) in corners.iter().zip(values) {
            let (x, y) = (x - middle[0], y - middle[1]);
            squares = [squares[0] + x * x, squares[1] + x * y, squares[2] + y * y];
            for ((product, value), mean) in products.iter_mut().zip(values).zip(mean) {
                *product = [product[0] + x * (value - mean), product[1] + y * (value - mean)];
            }
        }
        let [xx, xy, yy] = squares;
        let determinant = xx * yy - xy * xy;
        // A face seen from the side is a line. It has one value.
        let is_line = determinant <= 1e-12 * xx * yy;
        let slope = products.map(|[x, y]| match is_line {
            true => [0.0; 2],
            false => [(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant],
        });
        Self { middle, mean, slope }
    }

    /// Returns the values at a position.
    pub(crate) fn at(&self, x: f64, y: f64) -> [f64; N] {
        let (x, y) = (x - self.middle[0], y - self.middle[1]);
        let mut values = self.mean;
        values.iter_mut().zip(&self.slope).for_each(|(value, [right, down])| *value += right * x + down * y);
        values
    }

    /// Returns the change to the right and down of each value.
    pub(crate) const fn slope(&self) -> &[[f64; 2]; N] {
        &self.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_interpolate_triangles_and_average_other_faces() {
        let corners = [[0.0, 0.0, 5.0], [4.0, 0.0, 6.0], [0.0, 2.0, 7.0]];
        let gradient = Gradient::new(&corners, &[[1.0, 0.0], [3.0, 0.0], [0.0, 1.0]]);
        for (&[x, y, _], expected) in corners.iter().zip([[1.0, 0.0], [3.0, 0.0], [0.0, 1.0]]) {
            let found = gradient.at(x, y);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
        assert!((gradient.slope()[0][0] - 0.5).abs() < 1e-12);
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let saddle = Gradient::new(&square, &[[0.0], [1.0], [0.0], [1.0]]);
        assert!((saddle.at(0.3, 0.9)[0] - 0.5).abs() < 1e-12);
        let line = Gradient::new(&[[0.0; 3], [1.0, 1.0, 0.0], [2.0, 2.0, 9.0]], &[[0.0], [3.0], [6.0]]);
        assert_eq!(line.at(7.0, -7.0), [3.0]);
    }
}
