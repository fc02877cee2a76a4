//! The angles of Terrain Builder.

use crate::Matrix;
use crate::steps::to_f32;
use mapwright_io::math;

/// Rotation in degrees and scale of an object. The rows aside, up and dir of its matrix are
/// `Ry(yaw) · Rx(−pitch) · Rz(−roll) · scale`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angles {
    /// Rotation around the vertical axis, clockwise from north.
    pub yaw: f64,
    /// Rotation of the nose upwards.
    pub pitch: f64,
    /// Rotation to the side.
    pub roll: f64,
    /// Scale. 1 is the size of the model.
    pub scale: f64,
}

type Rows = [[f64; 3]; 3];

impl Angles {
    /// Returns the angles of a matrix. They cannot represent mirroring and shear, and are ambiguous near a pitch of 90°.
    pub fn from_matrix(matrix: &Matrix) -> Self {
        let scales = matrix.scales();
        let scale = scales.iter().sum::<f64>() / 3.0;
        let [aside, up, dir] =
            [matrix.aside, matrix.up, matrix.dir].map(|axis| axis.map(|number| f64::from(number) / scale));
        let ([_, _, az], [ux, uy, uz], [_, _, dz]) = (aside, up, dir);
        let yaw = (-math::atan2(az, dz)).to_degrees();
        let pitch = math::asin((-uz).clamp(-1.0, 1.0)).to_degrees();
        let roll = math::atan2(ux, uy).to_degrees();
        Self { yaw, pitch, roll, scale }
    }

    /// Returns the matrix at a position.
    pub fn to_matrix(&self, position: [f32; 3]) -> Matrix {
        let (y, p, r) = (self.yaw.to_radians(), -self.pitch.to_radians(), -self.roll.to_radians());
        let ((ys, yc), (ps, pc), (rs, rc)) = (math::sin_cos(y), math::sin_cos(p), math::sin_cos(r));
        let around_y = [[yc, 0.0, -ys], [0.0, 1.0, 0.0], [ys, 0.0, yc]];
        let around_x = [[1.0, 0.0, 0.0], [0.0, pc, ps], [0.0, -ps, pc]];
        let around_z = [[rc, rs, 0.0], [-rs, rc, 0.0], [0.0, 0.0, 1.0]];
        let [aside, up, dir] =
            multiply(multiply(around_y, around_x), around_z).map(|row| row.map(|number| to_f32(number * self.scale)));
        Matrix { aside, up, dir, position }
    }
}

fn multiply(a: Rows, b: Rows) -> Rows {
    let [p, q, r] = b;
    a.map(|[x, y, z]| {
        let mut row = [0.0; 3];
        for (cell, ((p, q), r)) in row.iter_mut().zip(p.iter().zip(q).zip(r)) {
            *cell = x * p + y * q + z * r;
        }
        row
    })
}
