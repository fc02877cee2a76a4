//! Transforms, and the vector operations that they need.

pub use crate::math::{add, cross, dot, multiply, normalize, scale, sub};

/// A 4 × 4 matrix by columns: `m[column][row]`. Points are columns, so `m[3]` is the translation.
pub type Matrix = [[f64; 4]; 4];

/// A 3 × 3 matrix by columns: `m[column][row]`.
pub type Matrix3 = [[f64; 3]; 3];

/// A transform from one space to the space around it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Transform {
    /// Scale, then rotation, then translation.
    Trs {
        /// The translation.
        translation: [f64; 3],
        /// A unit quaternion `x, y, z, w`.
        rotation: [f64; 4],
        /// Factors along the local axes. Negative factors mirror.
        scale: [f64; 3],
    },
    /// Any affine map; the last row is `0 0 0 1`.
    Matrix(Matrix),
}

/// The identity matrix.
pub const IDENTITY_MATRIX: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

impl Transform {
    /// The identity.
    pub const IDENTITY: Self =
        Self::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0, 1.0, 1.0] };

    /// Creates a translation.
    pub const fn translation(translation: [f64; 3]) -> Self {
        Self::Trs { translation, rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0, 1.0, 1.0] }
    }

    /// Returns `true` if the transform is stored as the identity.
    pub fn is_identity(&self) -> bool {
        *self == Self::IDENTITY || *self == Self::Matrix(IDENTITY_MATRIX)
    }

    /// Returns the matrix.
    pub fn matrix(&self) -> Matrix {
        let (t, [x, y, z, w], s) = match *self {
            Self::Matrix(matrix) => return matrix,
            Self::Trs { translation, rotation, scale } => (translation, rotation, scale),
        };
        let columns = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let column = |[a, b, c]: [f64; 3], s: f64| [a * s, b * s, c * s, 0.0];
        let [cx, cy, cz] = columns;
        [column(cx, s[0]), column(cy, s[1]), column(cz, s[2]), [t[0], t[1], t[2], 1.0]]
    }

    /// Composes two transforms: `inner` acts first.
    #[must_use]
    pub fn compose(&self, inner: &Self) -> Self {
        if self.is_identity() {
            return *inner;
        }
        if inner.is_identity() {
            return *self;
        }
        Self::Matrix(multiply(&self.matrix(), &inner.matrix()))
    }

    /// Transforms a point. The identity keeps exactly the same numbers.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        if self.is_identity() {
            return p;
        }
        add(self.vector(p), self.origin())
    }

    /// Transforms a direction. Its length changes with the scale.
    pub fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        if self.is_identity() {
            return v;
        }
        let [x, y, z] = self.linear();
        std::array::from_fn(|row| x[row] * v[0] + y[row] * v[1] + z[row] * v[2])
    }

    /// Transforms a direction by the inverse: [`vector`](Self::vector) of the result is `v`. Returns `None` for a transform
    /// that collapses space.
    pub fn inverse_vector(&self, v: [f64; 3]) -> Option<[f64; 3]> {
        if self.is_identity() {
            return Some(v);
        }
        let normals = self.cofactors();
        let [x, _, _] = self.linear();
        let determinant = dot(x, normals[0]);
        let parts = normals.map(|normal| dot(normal, v) / determinant);
        parts.iter().all(|part| part.is_finite()).then_some(parts)
    }

    /// Returns the origin of the local space in the space around it.
    pub fn origin(&self) -> [f64; 3] {
        match *self {
            Self::Trs { translation, .. } => translation,
            Self::Matrix([_, _, _, [x, y, z, _]]) => [x, y, z],
        }
    }

    /// Returns the matrix without the translation.
    pub fn linear(&self) -> Matrix3 {
        let [x, y, z, _] = self.matrix();
        [x, y, z].map(|[a, b, c, _]| [a, b, c])
    }

    /// Returns the cofactor matrix of the linear part: the inverse transpose times the determinant, computed without division.
    pub(crate) fn cofactors(&self) -> Matrix3 {
        let [x, y, z] = self.linear();
        [cross(y, z), cross(z, x), cross(x, y)]
    }

    /// Returns the determinant of the linear part. It is negative for mirrors, and 0 if space collapses.
    pub fn determinant(&self) -> f64 {
        let [x, y, z] = self.linear();
        dot(cross(x, y), z)
    }

    /// Returns `true` if the transform mirrors, so that faces need the opposite winding.
    pub fn mirrors(&self) -> bool {
        self.determinant() < 0.0
    }

    /// Transforms a normal, to length 1, by the inverse transpose. Returns zero for a transform that collapses space.
    pub fn normal(&self, n: [f64; 3]) -> [f64; 3] {
        if self.is_identity() {
            return n;
        }
        let sign = if self.mirrors() { -1.0 } else { 1.0 };
        let [a, b, c] = self.cofactors();
        normalize(std::array::from_fn(|row| sign * (a[row] * n[0] + b[row] * n[1] + c[row] * n[2]))).unwrap_or([0.0; 3])
    }

    /// Returns translation, rotation and scale: exact for [`Transform::Trs`], and up to rounding for a matrix without shear.
    /// Returns `None` for shear, collapsed axes and numbers that are not finite.
    pub fn to_trs(&self) -> Option<([f64; 3], [f64; 4], [f64; 3])> {
        if let Self::Trs { translation, rotation, scale } = *self {
            return Some((translation, rotation, scale));
        }
        let axes = self.linear();
        let mut scale = axes.map(|axis| dot(axis, axis).sqrt());
        if !scale.iter().all(|s| s.is_normal()) {
            return None;
        }
        if self.mirrors() {
            scale[0] = -scale[0];
        }
        let [x, y, z]: Matrix3 = std::array::from_fn(|i| axes[i].map(|c| c / scale[i]));
        // Files store matrices with seven digits.
        const SHEAR: f64 = 1e-6;
        if [dot(x, y), dot(y, z), dot(z, x)].iter().any(|d| d.abs() > SHEAR) {
            return None;
        }
        Some((self.origin(), quaternion([x, y, z]), scale))
    }

    /// Splits the transform into two that need no shear: the first of the result after the second. The second is a rotation; it is
    /// the identity if the axes already are at right angles. The first may collapse axes.
    ///
    /// This is a singular value decomposition: every linear map is a rotation, then factors along the axes, then a rotation.
    #[must_use]
    pub fn split_shear(&self) -> (Self, Self) {
        let mut axes = self.linear();
        let mut turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        // One-sided Jacobi rotations. Each makes two axes perpendicular; a few rounds suffice for all three.
        const ROUNDS: usize = 40;
        const RIGHT_ANGLE: f64 = 1e-15;
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let [squared_a, squared_b] = [a, b].map(|axis| dot(axes[axis], axes[axis]));
                let product = dot(axes[a], axes[b]);
                if product.abs() <= RIGHT_ANGLE * squared_a.sqrt() * squared_b.sqrt() || !product.is_finite() {
                    continue;
                }
                is_done = false;
                let ratio = (squared_b - squared_a) / (2.0 * product);
                let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + mapwright_io::math::hypot(ratio, 1.0));
                let cosine = 1.0 / mapwright_io::math::hypot(tangent, 1.0);
                let sine = cosine * tangent;
                for columns in [&mut axes, &mut turn] {
                    let [of_a, of_b] = [columns[a], columns[b]];
                    columns[a] = sub(scale(of_a, cosine), scale(of_b, sine));
                    columns[b] = add(scale(of_a, sine), scale(of_b, cosine));
                }
            }
            if is_done {
                break;
            }
        }
        let [x, y, z] = turn;
        // The inverse of a rotation is its transpose.
        let inner = match quaternion([[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]) {
            [0.0, 0.0, 0.0, _] => Self::IDENTITY,
            rotation => Self::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] },
        };
        let column = |[a, b, c]: [f64; 3]| [a, b, c, 0.0];
        let [a, b, c] = self.origin();
        (Self::Matrix([column(axes[0]), column(axes[1]), column(axes[2]), [a, b, c, 1.0]]), inner)
    }

    /// Returns the rotation that turns −Z towards `direction`, with Y as close to up as possible. A zero direction gives the
    /// identity.
    pub fn looking_along(direction: [f64; 3]) -> [f64; 4] {
        let Some(forward) = normalize(direction) else { return [0.0, 0.0, 0.0, 1.0] };
        let z = forward.map(|c| -c);
        let up = if z[1].abs() > 0.999_999 { [0.0, 0.0, -z[1].signum()] } else { [0.0, 1.0, 0.0] };
        let x = normalize(cross(up, z)).unwrap_or([1.0, 0.0, 0.0]);
        quaternion([x, cross(z, x), z])
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Converts a rotation matrix to a unit quaternion `x, y, z, w` (Shepperd's method).
fn quaternion([x, y, z]: Matrix3) -> [f64; 4] {
    let trace = x[0] + y[1] + z[2];
    let q = if trace > 0.0 {
        [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1.0 + trace]
    } else if x[0] >= y[1] && x[0] >= z[2] {
        [1.0 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]]
    } else if y[1] >= z[2] {
        [x[1] + y[0], 1.0 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]]
    } else {
        [z[0] + x[2], y[2] + z[1], 1.0 - x[0] - y[1] + z[2], x[1] - y[0]]
    };
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        dot(sub(a, b), sub(a, b)) < 1e-20
    }

    #[test]
    fn scale_acts_before_rotation_before_translation() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // A quarter turn about Y maps X to −Z.
        let t =
            Transform::Trs { translation: [10.0, 0.0, 0.0], rotation: [0.0, half, 0.0, half], scale: [2.0, 1.0, 1.0] };
        assert!(near(t.point([1.0, 0.0, 0.0]), [10.0, 0.0, -2.0]));
        let both = t.compose(&Transform::translation([0.0, 5.0, 0.0]));
        assert!(near(both.point([1.0, 0.0, 0.0]), [10.0, 5.0, -2.0]));
        let (translation, rotation, scale) = Transform::Matrix(t.matrix()).to_trs().unwrap();
        assert!(
            near(translation, [10.0, 0.0, 0.0]) && near(scale, [2.0, 1.0, 1.0]) && (rotation[1] - half).abs() < 1e-12
        );
    }

    #[test]
    fn a_mirror_keeps_normals_outside() {
        let t = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-1.0, 1.0, 4.0] };
        assert!(t.mirrors());
        assert!(near(t.normal([-1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]));
        assert!(near(t.normal([0.0, 0.0, 1.0]), [0.0, 0.0, 1.0]));
    }

    #[test]
    fn inverse_vectors_restore_directions() {
        let mut sheared = IDENTITY_MATRIX;
        (sheared[0], sheared[1][0]) = ([-2.0, 3.0, 0.5, 0.0], 0.75);
        let rotation = Transform::looking_along([0.3, -0.2, 0.7]);
        let turned = Transform::Trs { translation: [7.0, 8.0, 9.0], rotation, scale: [2.0, -3.0, 4.0] };
        let v = [1.0, -2.0, 0.25];
        for transform in [turned, Transform::Matrix(sheared), Transform::translation([1.0; 3])] {
            assert!(near(transform.inverse_vector(transform.vector(v)).unwrap(), v), "{transform:?}");
        }
        assert_eq!(Transform::IDENTITY.inverse_vector(v), Some(v));
        let flat = Transform::Trs { translation: [0.0; 3], rotation, scale: [2.0, 0.0, 4.0] };
        assert_eq!(flat.inverse_vector(v), None);
        sheared[2] = sheared[0];
        assert_eq!(Transform::Matrix(sheared).inverse_vector(v), None);
    }

    #[test]
    fn looking_along_rotates_minus_z() {
        for direction in [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [0.0, -5.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1e-300]] {
            let rotation = Transform::looking_along(direction);
            let t = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
            assert!(near(t.vector([0.0, 0.0, -1.0]), normalize(direction).unwrap()), "{direction:?}");
        }
    }

    #[test]
    fn sheared_matrices_have_no_trs() {
        let mut matrix = IDENTITY_MATRIX;
        matrix[1][0] = 0.5;
        assert_eq!(Transform::Matrix(matrix).to_trs(), None);
    }

    #[test]
    fn every_matrix_splits_into_two_without_shear() {
        let columns = [
            [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-2.0, 3.0, 0.5], [0.75, 1.0, -4.0], [1e-3, 5.0, 2.0]],
            [[2.0, 0.0, 0.0], [1.9999, 1e-4, 0.0], [0.0, 1e4, -3.0]],
            // Collapsed, to a plane and to a line.
            [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [-1.0, -2.0, -3.0]],
        ];
        for columns in columns {
            let [x, y, z] = columns.map(|[a, b, c]: [f64; 3]| [a, b, c, 0.0]);
            let matrix = Transform::Matrix([x, y, z, [7.0, 8.0, 9.0, 1.0]]);
            let (outer, inner) = matrix.split_shear();
            assert!(inner.to_trs().is_some_and(|(.., scale)| scale == [1.0; 3]), "{columns:?}");
            let [x, y, z] = outer.linear();
            for (a, b) in [(x, y), (y, z), (z, x)] {
                assert!(dot(a, b).abs() <= 1e-12 * (dot(a, a) * dot(b, b)).sqrt() + 1e-12, "{columns:?}: {outer:?}");
            }
            for point in [[0.0; 3], [1.0, -2.0, 0.25], [0.0, 30.0, 4.0]] {
                let [expected, found] = [matrix.point(point), outer.compose(&inner).point(point)];
                let offset = sub(expected, found);
                let size = dot(expected, expected).sqrt();
                assert!(dot(offset, offset).sqrt() <= 1e-12 * size, "{columns:?}: {expected:?} {found:?}");
            }
        }
        let right = Transform::Matrix([[0.0, 2.0, 0.0, 0.0], [0.0; 4], [0.0, 0.0, -3.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        assert_eq!(right.split_shear(), (right, Transform::IDENTITY));
    }

    #[test]
    fn rounding_to_seven_digits_is_not_shear() {
        let rotation = Transform::looking_along([0.3, -0.2, 0.7]);
        let exact = Transform::Trs { translation: [0.0; 3], rotation, scale: [2.0, 3.0, 4.0] }.matrix();
        #[allow(clippy::cast_possible_truncation)]
        let rounded = exact.map(|column| column.map(|number| f64::from(number as f32)));
        let (_, found, _) = Transform::Matrix(rounded).to_trs().unwrap();
        assert!(found.iter().zip(rotation).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {rotation:?}");
    }
}
