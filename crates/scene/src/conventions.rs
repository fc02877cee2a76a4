//! The coordinate frame of all scenes, and conversions into it.
//!
//! | what | in a scene |
//! |---|---|
//! | axes | right-handed, **Y up**, −Z forward, as in glTF |
//! | front of a face | the side from which its corners are counter-clockwise |
//! | angles | radians |
//! | texture coordinates | origin at the top left, v down, unless the set has [another origin](crate::UvOrigin) |
//! | image rows | from the top |
//! | lengths | in the file's own unit, [declared](crate::Scene::metres_per_unit), never scaled |
//! | colours | in the file's own space, [declared](crate::Scene::color_space) |
//! | lights, cameras | look along −Z of their node |
//!
//! Conversions only swap axes and change signs, so the way back is exact. Every format states its conversion as one
//! [`AxisChange`].

use crate::{Brush, ColorSpace, CornerColumn, Mesh, TextureProjection, Transform};
use mapwright_io::math::powf;

/// A permutation of axes with signs. The inverse restores exactly the same numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisChange {
    /// Source axis of each coordinate of the result.
    from: [usize; 3],
    /// Sign of each coordinate of the result: 1 or −1.
    sign: [f64; 3],
}

impl AxisChange {
    /// No change.
    pub const NONE: Self = Self { from: [0, 1, 2], sign: [1.0, 1.0, 1.0] };
    /// (x, y, z) → (x, z, −y): Z up to Y up, both right-handed.
    pub const Z_UP_TO_Y_UP: Self = Self { from: [0, 2, 1], sign: [1.0, 1.0, -1.0] };
    /// (x, y, z) → (x, y, −z): left-handed with Z forward to −Z forward. Reverses the winding of faces.
    pub const FLIP_Z: Self = Self { from: [0, 1, 2], sign: [1.0, 1.0, -1.0] };
    /// (x, y, z) → (x, −y, z): y down the screen to Y up. Reverses the winding of faces.
    pub const FLIP_Y: Self = Self { from: [0, 1, 2], sign: [1.0, -1.0, 1.0] };

    /// Converts a point or direction.
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.from;
        [p[a] * self.sign[0], p[b] * self.sign[1], p[c] * self.sign[2]]
    }

    /// Returns the inverse.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::NONE;
        for (to, (&from, &sign)) in self.from.iter().zip(&self.sign).enumerate() {
            inverse.from[from] = to;
            inverse.sign[from] = sign;
        }
        inverse
    }

    /// Returns `true` if the change mirrors, so that the winding of faces must be reversed.
    pub fn reverses_winding(&self) -> bool {
        // Each swap of two axes mirrors, and so does each negative sign.
        let swapped = (0..3).filter(|&i| self.from[i] != i).count() == 2;
        let negative = self.sign.iter().filter(|&&sign| sign < 0.0).count() % 2 == 1;
        swapped != negative
    }

    /// Converts a rotation, a quaternion.
    #[must_use]
    pub fn rotation(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        // An axis of rotation is a pseudovector: a mirror reverses the sense of rotation.
        let axis = self.apply([x, y, z]);
        let [x, y, z] = if self.reverses_winding() { axis.map(|c| -c) } else { axis };
        [x, y, z, w]
    }

    /// Converts a transform.
    #[must_use]
    pub fn transform(&self, transform: &Transform) -> Transform {
        match *transform {
            Transform::Trs { translation, rotation, scale } => {
                let [a, b, c] = self.from;
                Transform::Trs {
                    translation: self.apply(translation),
                    rotation: self.rotation(rotation),
                    scale: [scale[a], scale[b], scale[c]],
                }
            }
            Transform::Matrix(matrix) => {
                let [a, b, c] = self.from;
                let column = |from: usize, sign: f64| {
                    let [x, y, z, w] = matrix[from];
                    let [x, y, z] = self.apply([x, y, z]);
                    [x * sign, y * sign, z * sign, w]
                };
                let [s, t, u] = self.sign;
                Transform::Matrix([column(a, s), column(b, t), column(c, u), column(3, 1.0)])
            }
        }
    }

    /// Converts a texture projection: the converted point has the same texel.
    #[must_use]
    pub fn projection(&self, projection: &TextureProjection) -> TextureProjection {
        let axis = |[x, y, z, constant]: [f64; 4]| {
            let [x, y, z] = self.apply([x, y, z]);
            [x, y, z, constant]
        };
        TextureProjection { u: axis(projection.u), v: axis(projection.v), ..*projection }
    }

    /// Converts positions, normals and projections of a mesh, and its winding if the change mirrors.
    pub fn mesh(&self, mesh: &mut Mesh) {
        mesh.positions.iter_mut().for_each(|p| *p = self.apply(*p));
        let normals = mesh.normals.iter_mut().flat_map(CornerColumn::rows_mut);
        normals.for_each(|n| *n = self.apply(*n));
        mesh.face_projections.iter_mut().for_each(|projection| *projection = self.projection(projection));
        if self.reverses_winding() {
            mesh.reverse_winding();
        }
    }

    /// Converts points and projections of a brush, and its winding if the change mirrors.
    pub fn brush(&self, brush: &mut Brush) {
        brush.vertices.iter_mut().for_each(|p| *p = self.apply(*p));
        for side in &mut brush.sides {
            side.plane = side.plane.map(|p| self.apply(p));
            side.projection = self.projection(&side.projection);
            if self.reverses_winding() {
                side.plane.reverse();
                side.corners.reverse();
            }
        }
    }
}

/// Converts a channel from sRGB to linear (IEC 61966-2-1). Values outside 0 to 1 follow the same curve.
pub fn srgb_to_linear(c: f64) -> f64 {
    if c < 0.04045 { c / 12.92 } else { powf((c + 0.055) / 1.055, 2.4) }
}

/// Converts a channel from linear to sRGB (IEC 61966-2-1).
pub fn linear_to_srgb(c: f64) -> f64 {
    if c < 0.003_130_8 { c * 12.92 } else { 1.055 * powf(c, 1.0 / 2.4) - 0.055 }
}

impl ColorSpace {
    /// Converts a colour of this space to linear light. Not for opacity.
    pub fn to_linear(self, rgb: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Srgb => rgb.map(srgb_to_linear),
            Self::Linear => rgb,
        }
    }

    /// Converts a colour of this space to sRGB.
    pub fn to_srgb(self, rgb: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Srgb => rgb,
            Self::Linear => rgb.map(linear_to_srgb),
        }
    }

    /// Converts a colour of this space to sRGB. The fourth number is unchanged.
    pub fn color_to_srgb(self, [r, g, b, rest]: [f64; 4]) -> [f64; 4] {
        let [r, g, b] = self.to_srgb([r, g, b]);
        [r, g, b, rest]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [AxisChange; 4] = [AxisChange::NONE, AxisChange::Z_UP_TO_Y_UP, AxisChange::FLIP_Z, AxisChange::FLIP_Y];

    fn turned() -> Transform {
        Transform::Trs {
            translation: [1.0, 2.0, 3.0],
            rotation: Transform::looking_along([0.3, -0.2, 0.7]),
            scale: [2.0, 3.0, 4.0],
        }
    }

    #[test]
    fn axis_change_constants_match_their_names() {
        let p = [1.0, 2.0, 3.0];
        assert_eq!(AxisChange::Z_UP_TO_Y_UP.apply(p), [1.0, 3.0, -2.0]);
        assert_eq!(AxisChange::FLIP_Z.apply(p), [1.0, 2.0, -3.0]);
        assert_eq!(AxisChange::FLIP_Y.apply(p), [1.0, -2.0, 3.0]);
        assert_eq!(ALL.map(|change| change.reverses_winding()), [false, false, true, true]);
    }

    #[test]
    fn every_axis_change_is_exactly_reversible() {
        for change in ALL {
            let back = change.inverse();
            assert_eq!(back.apply(change.apply([0.1, -0.2, 0.3])), [0.1, -0.2, 0.3]);
            for transform in [turned(), Transform::Matrix(turned().matrix())] {
                assert_eq!(back.transform(&change.transform(&transform)), transform);
            }
        }
    }

    #[test]
    fn converted_transforms_move_converted_points() {
        let p = [0.5, -1.5, 2.5];
        for change in ALL {
            for transform in [turned(), Transform::Matrix(turned().matrix())] {
                let (a, b) = (change.apply(transform.point(p)), change.transform(&transform).point(change.apply(p)));
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{change:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn converted_projections_give_the_same_texel() {
        let projection = TextureProjection {
            u: [0.5, 0.25, 0.125, 3.0],
            v: [0.0, -1.0, 2.0, 5.0],
            offset: [1.0, 2.0],
            scale: [0.5, 2.0],
            rotation: 0.3,
            local: true,
        };
        let p = [3.0, -7.0, 11.0];
        for change in ALL {
            let (a, b) = (projection.texel(p), change.projection(&projection).texel(change.apply(p)));
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        }
    }

    #[test]
    fn srgb_conversion_has_two_pieces() {
        assert_eq!(srgb_to_linear(0.0), 0.0);
        assert_eq!(srgb_to_linear(1.0), 1.0);
        assert!((srgb_to_linear(0.5) - 0.214_041_140_482_232_55).abs() < 1e-15);
        assert!((srgb_to_linear(0.04) - 0.04 / 12.92).abs() < 1e-18);
        for i in 0..=1000 {
            let c = f64::from(i) / 1000.0;
            assert!((linear_to_srgb(srgb_to_linear(c)) - c).abs() < 1e-6, "{c}");
        }
    }

    #[test]
    fn the_fourth_number_of_a_colour_is_not_converted() {
        let color = [0.0, 0.5, 1.0, 0.25];
        assert_eq!(ColorSpace::Srgb.color_to_srgb(color), color);
        assert_eq!(ColorSpace::Linear.color_to_srgb(color), [0.0, linear_to_srgb(0.5), linear_to_srgb(1.0), 0.25]);
    }
}
