//! The frame that every scene is in, and the ways into it.
//!
//! | what | in a scene |
//! |---|---|
//! | axes | right-handed, **Y up**, −Z forward: glTF's frame |
//! | front of a face | the side from which its corners run counter-clockwise |
//! | angles | radians |
//! | texture coordinates | origin at the top left, v down, unless the set [says otherwise](crate::UvOrigin) |
//! | image rows | from the top |
//! | lengths | in the file's own unit, [declared](crate::Scene::metres_per_unit), never scaled |
//! | colours | in the file's own space, [declared](crate::Scene::color_space) |
//! | lights, cameras | look along −Z of their node |
//!
//! Axis swaps and signs are the only changes on the way in, so the way back is exact. Every format states its own as one
//! [`AxisChange`].

use crate::{Brush, ColorSpace, Mesh, TextureProjection, Transform};

/// A swap of axes with signs. Applying it and its inverse gives the very same numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisChange {
    /// Which coordinate of the source each coordinate of the result is.
    from: [usize; 3],
    /// What it is multiplied with: 1 or −1.
    sign: [f64; 3],
}

impl AxisChange {
    /// No change: wings, glTF, OBJ as most programs write it.
    pub const NONE: Self = Self { from: [0, 1, 2], sign: [1.0, 1.0, 1.0] };
    /// (x, y, z) → (x, z, −y): Z up to Y up, both right-handed. vmap, WMP, Quake maps.
    pub const Z_UP_TO_Y_UP: Self = Self { from: [0, 2, 1], sign: [1.0, 1.0, -1.0] };
    /// (x, y, z) → (x, y, −z): left-handed with Z forward to −Z forward. wrp. Turns the winding of faces over.
    pub const FLIP_Z: Self = Self { from: [0, 1, 2], sign: [1.0, 1.0, -1.0] };
    /// (x, y, z) → (x, −y, z): y down the screen to Y up. WWD. Turns the winding of faces over.
    pub const FLIP_Y: Self = Self { from: [0, 1, 2], sign: [1.0, -1.0, 1.0] };

    /// Where a point or direction goes.
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.from;
        [p[a] * self.sign[0], p[b] * self.sign[1], p[c] * self.sign[2]]
    }

    /// The change that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::NONE;
        for (to, (&from, &sign)) in self.from.iter().zip(&self.sign).enumerate() {
            inverse.from[from] = to;
            inverse.sign[from] = sign;
        }
        inverse
    }

    /// Whether it turns left into right, so that the corners of faces must be taken in reverse.
    pub fn reverses_winding(&self) -> bool {
        // Each swap of two axes and each negative sign turns once.
        let swapped = (0..3).filter(|&i| self.from[i] != i).count() == 2;
        let negative = self.sign.iter().filter(|&&sign| sign < 0.0).count() % 2 == 1;
        swapped != negative
    }

    /// The same transform in the new frame.
    #[must_use]
    pub fn transform(&self, transform: &Transform) -> Transform {
        match *transform {
            Transform::Trs { translation, rotation: [x, y, z, w], scale } => {
                // An axis of rotation is a pseudovector: a mirror turns the sense.
                let axis = self.apply([x, y, z]);
                let [x, y, z] = if self.reverses_winding() { axis.map(|c| -c) } else { axis };
                let [a, b, c] = self.from;
                Transform::Trs {
                    translation: self.apply(translation),
                    rotation: [x, y, z, w],
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

    /// The same projection in the new frame: it gives the same texel for the changed point.
    #[must_use]
    pub fn projection(&self, projection: &TextureProjection) -> TextureProjection {
        let axis = |[x, y, z, constant]: [f64; 4]| {
            let [x, y, z] = self.apply([x, y, z]);
            [x, y, z, constant]
        };
        TextureProjection { u: axis(projection.u), v: axis(projection.v), ..*projection }
    }

    /// Changes positions, normals, projections and, where it must, the winding of a mesh.
    pub fn mesh(&self, mesh: &mut Mesh) {
        mesh.positions.iter_mut().for_each(|p| *p = self.apply(*p));
        mesh.normals.iter_mut().flatten().for_each(|n| *n = self.apply(*n));
        mesh.face_projections.iter_mut().for_each(|projection| *projection = self.projection(projection));
        if self.reverses_winding() {
            mesh.reverse_winding();
        }
    }

    /// Changes points, projections and, where it must, the winding of a brush.
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

/// Takes a channel from sRGB to linear (IEC 61966-2-1). Values beyond 0 to 1 go on along the curve.
pub fn srgb_to_linear(c: f64) -> f64 {
    if c < 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Takes a channel from linear to sRGB (IEC 61966-2-1).
pub fn linear_to_srgb(c: f64) -> f64 {
    if c < 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

impl ColorSpace {
    /// A colour of this space in linear light. Opacity is no colour and is not for this function.
    pub fn to_linear(self, rgb: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Srgb => rgb.map(srgb_to_linear),
            Self::Linear => rgb,
        }
    }

    /// A colour of this space in sRGB.
    pub fn to_srgb(self, rgb: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Srgb => rgb,
            Self::Linear => rgb.map(linear_to_srgb),
        }
    }

    /// A colour of this space with a fourth number, which stays, in sRGB.
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
    fn the_named_changes_are_what_they_say() {
        let p = [1.0, 2.0, 3.0];
        assert_eq!(AxisChange::Z_UP_TO_Y_UP.apply(p), [1.0, 3.0, -2.0]);
        assert_eq!(AxisChange::FLIP_Z.apply(p), [1.0, 2.0, -3.0]);
        assert_eq!(AxisChange::FLIP_Y.apply(p), [1.0, -2.0, 3.0]);
        assert_eq!(ALL.map(|change| change.reverses_winding()), [false, false, true, true]);
    }

    #[test]
    fn every_change_comes_back_to_the_same_numbers() {
        for change in ALL {
            let back = change.inverse();
            assert_eq!(back.apply(change.apply([0.1, -0.2, 0.3])), [0.1, -0.2, 0.3]);
            for transform in [turned(), Transform::Matrix(turned().matrix())] {
                assert_eq!(back.transform(&change.transform(&transform)), transform);
            }
        }
    }

    #[test]
    fn a_changed_transform_moves_changed_points_alike() {
        let p = [0.5, -1.5, 2.5];
        for change in ALL {
            for transform in [turned(), Transform::Matrix(turned().matrix())] {
                let (a, b) = (change.apply(transform.point(p)), change.transform(&transform).point(change.apply(p)));
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{change:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_changed_projection_gives_the_same_texel() {
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
    fn srgb_follows_its_two_pieces() {
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
    fn the_fourth_number_of_a_colour_is_no_colour() {
        let color = [0.0, 0.5, 1.0, 0.25];
        assert_eq!(ColorSpace::Srgb.color_to_srgb(color), color);
        assert_eq!(ColorSpace::Linear.color_to_srgb(color), [0.0, linear_to_srgb(0.5), linear_to_srgb(1.0), 0.25]);
    }
}
