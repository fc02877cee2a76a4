//! Axes of files and scenes.

use mapwright_scene::AxisChange;

use crate::document::Matrix;

/// Change of axes from files to scenes: (x, y, z) → (x, y, −z). In files z points north.
pub const AXES: AxisChange = AxisChange::FLIP_Z;

/// Affine transform of a scene: three axes and a position.
pub(super) type Affine = [[f64; 3]; 4];

/// Converts a matrix to the axes of scenes. Only signs change, so the result is exact.
pub(super) fn to_affine(matrix: &Matrix) -> Affine {
    let Matrix { aside, up, dir, position } = *matrix;
    let flip = |axis: [f32; 3]| AXES.apply(axis.map(f64::from));
    [flip(aside), flip(up), flip(dir).map(|number| -number), flip(position)]
}

/// Converts a transform of a scene to a matrix.
pub(super) fn to_matrix([aside, up, dir, position]: Affine) -> Matrix {
    #[allow(clippy::cast_possible_truncation)] // The formats store f32.
    let flip = |axis: [f64; 3]| AXES.apply(axis).map(|number| number as f32);
    Matrix { aside: flip(aside), up: flip(up), dir: flip(dir.map(|number| -number)), position: flip(position) }
}

#[cfg(test)]
mod tests {
    use super::AXES;

    #[test]
    fn north_is_forward() {
        assert_eq!(AXES.apply([1.0, 2.0, 3.0]), [1.0, 2.0, -3.0]);
        assert!(AXES.reverses_winding());
    }
}
