//! Matrices as angles, as Terrain Builder has them.

use crate::Matrix;
use crate::steps::narrow;

/// How an object is turned, in degrees, and its size: the rows aside, up and dir of its matrix are
/// `Ry(yaw) · Rx(−pitch) · Rz(−roll) · scale`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angles {
    /// Around the vertical, clockwise from north.
    pub yaw: f64,
    /// Nose up.
    pub pitch: f64,
    /// To the side.
    pub roll: f64,
    /// 1 for an object of its own size.
    pub scale: f64,
}

type Rows = [[f64; 3]; 3];

impl Angles {
    /// The angles of a matrix. A matrix that is mirrored or sheared has none that give it back, and near a pitch of 90° several
    /// do.
    pub fn of(matrix: &Matrix) -> Self {
        let scales = matrix.scales();
        let scale = scales.iter().sum::<f64>() / 3.0;
        let [aside, up, dir] =
            [matrix.aside, matrix.up, matrix.dir].map(|axis| axis.map(|number| f64::from(number) / scale));
        let ([_, _, az], [ux, uy, uz], [_, _, dz]) = (aside, up, dir);
        let yaw = (-az.atan2(dz)).to_degrees();
        let pitch = (-uz).clamp(-1.0, 1.0).asin().to_degrees();
        let roll = ux.atan2(uy).to_degrees();
        Self { yaw, pitch, roll, scale }
    }

    /// A matrix at a place.
    pub fn matrix(&self, position: [f32; 3]) -> Matrix {
        let (y, p, r) = (self.yaw.to_radians(), -self.pitch.to_radians(), -self.roll.to_radians());
        let ((ys, yc), (ps, pc), (rs, rc)) = (y.sin_cos(), p.sin_cos(), r.sin_cos());
        let around_y = [[yc, 0.0, -ys], [0.0, 1.0, 0.0], [ys, 0.0, yc]];
        let around_x = [[1.0, 0.0, 0.0], [0.0, pc, ps], [0.0, -ps, pc]];
        let around_z = [[rc, rs, 0.0], [-rs, rc, 0.0], [0.0, 0.0, 1.0]];
        let [aside, up, dir] =
            product(product(around_y, around_x), around_z).map(|row| row.map(|number| narrow(number * self.scale)));
        Matrix { aside, up, dir, position }
    }
}

fn product(a: Rows, b: Rows) -> Rows {
    let [p, q, r] = b;
    a.map(|[x, y, z]| {
        let mut row = [0.0; 3];
        for (place, ((p, q), r)) in row.iter_mut().zip(p.iter().zip(q).zip(r)) {
            *place = x * p + y * q + z * r;
        }
        row
    })
}
