//! Vectors and matrices. This is the only module that uses the library for them, so that none of its types is public.

use glam::{DMat4, DQuat, DVec3};

use crate::transform::Matrix;

/// Adds two vectors.
pub fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    (DVec3::from(a) + DVec3::from(b)).into()
}

/// Subtracts two vectors.
pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    (DVec3::from(a) - DVec3::from(b)).into()
}

/// Multiplies a vector by a factor.
pub fn scale(a: [f64; 3], factor: f64) -> [f64; 3] {
    (DVec3::from(a) * factor).into()
}

/// Returns the dot product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    DVec3::from(a).dot(b.into())
}

/// Returns the cross product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    DVec3::from(a).cross(b.into()).into()
}

/// Returns the unit vector in the same direction, or `None` for zero and for vectors that are not finite.
pub fn normalize(a: [f64; 3]) -> Option<[f64; 3]> {
    let vector = DVec3::from(a);
    // Scale first, so that squares of very long and very short vectors stay in range.
    let largest = vector.abs().max_element();
    if largest == 0.0 || !vector.is_finite() {
        return None;
    }
    let scaled = vector / largest;
    // The square root of the standard library is exact on every system, and an instruction on most.
    Some((scaled / scaled.dot(scaled).sqrt()).into())
}

/// Multiplies two matrices: `b` acts first.
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    (DMat4::from_cols_array_2d(a) * DMat4::from_cols_array_2d(b)).to_cols_array_2d()
}

/// Multiplies two rotations: `b` acts first.
pub(crate) fn multiply_rotations(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    (DQuat::from_array(a) * DQuat::from_array(b)).to_array()
}

/// Returns the rotation back.
pub(crate) fn inverse_rotation(rotation: [f64; 4]) -> [f64; 4] {
    DQuat::from_array(rotation).conjugate().to_array()
}

/// Rotates a vector.
pub(crate) fn rotate(rotation: [f64; 4], vector: [f64; 3]) -> [f64; 3] {
    (DQuat::from_array(rotation) * DVec3::from(vector)).into()
}
