//! Rotations, and the angles that the dialects store for them.
//!
//! Rotations are right-handed. Matrices are rows of columns: `m[row][column]`.

use mapwright_io::math;

use std::f64::consts::FRAC_PI_2;

use crate::Dialect;

/// A rotation, possibly with a scale.
pub(crate) type Matrix = [[f64; 3]; 3];

/// The identity.
pub(crate) const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Returns the dot product.
pub(crate) fn dot([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    ax * bx + ay * by + az * bz
}

/// Returns the cross product.
pub(crate) fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// Returns the sum.
pub(crate) fn add([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ax + bx, ay + by, az + bz]
}

/// Returns the vector from `b` to `a`.
pub(crate) fn sub([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ax - bx, ay - by, az - bz]
}

/// Applies a matrix to a vector.
pub(crate) fn apply([x, y, z]: &Matrix, v: [f64; 3]) -> [f64; 3] {
    [dot(*x, v), dot(*y, v), dot(*z, v)]
}

/// Multiplies matrices: the second is applied first.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let [[b00, b01, b02], [b10, b11, b12], [b20, b21, b22]] = *b;
    let columns = [[b00, b10, b20], [b01, b11, b21], [b02, b12, b22]];
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// Returns a matrix that scales first.
pub(crate) fn scaled(m: &Matrix, [sx, sy, sz]: [f64; 3]) -> Matrix {
    m.map(|[x, y, z]| [x * sx, y * sy, z * sz])
}

fn about_x(angle: f64) -> Matrix {
    let (s, c) = math::sin_cos(angle);
    [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
}

fn about_y(angle: f64) -> Matrix {
    let (s, c) = math::sin_cos(angle);
    [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
}

fn about_z(angle: f64) -> Matrix {
    let (s, c) = math::sin_cos(angle);
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// Returns the rotation of the engine's angles: pan, tilt and roll in degrees, `Rz(pan) Ry(-tilt) Rx(roll)`.
pub(crate) fn engine_rotation(angles: [f64; 3]) -> Matrix {
    let [pan, tilt, roll] = angles.map(f64::to_radians);
    product(&product(&about_z(pan), &about_y(-tilt)), &about_x(roll))
}

/// Returns the engine's angles of a rotation: degrees from 0 to below 360. In gimbal lock, roll is 0.
pub(crate) fn engine_angles(m: &Matrix) -> [f64; 3] {
    let [[m00, m01, _], [m10, m11, _], [m20, m21, m22]] = *m;
    let tilt = math::asin(m20.clamp(-1.0, 1.0));
    let (pan, roll) = if m20.abs() < 0.999_999_9 {
        (math::atan2(m10, m00), math::atan2(m21, m22))
    } else {
        (math::atan2(-m01, m11), 0.0)
    };
    [pan, tilt, roll].map(|angle| {
        let degrees = angle.to_degrees().rem_euclid(360.0);
        // Rounding to six decimals can give 360 for angles just below 0, and -0.
        if degrees < 360.0 - 5e-7 { degrees + 0.0 } else { 0.0 }
    })
}

/// Returns `true` if headings of a dialect run clockwise, from Y.
const fn is_clockwise(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::A4 | Dialect::A5)
}

/// Returns the rotation of groups and blocks.
pub(crate) fn object_rotation(dialect: Dialect, angles: [f64; 3]) -> Matrix {
    if dialect == Dialect::Resolved {
        return engine_rotation(angles);
    }
    let [heading, x, y] = angles;
    let heading = if is_clockwise(dialect) { -heading } else { heading };
    product(&product(&about_z(heading), &about_x(x)), &about_y(y))
}

/// Returns the rotation of entities. For `reversed` ones the compiler reverses the heading and measures it from Y, as in A5.
pub(crate) fn entity_rotation(dialect: Dialect, angles: [f64; 3], reversed: bool) -> Matrix {
    let turn = object_rotation(dialect, angles);
    if is_clockwise(dialect) {
        return product(&turn, &about_z(FRAC_PI_2));
    }
    if reversed && dialect != Dialect::Resolved {
        let [heading, x, y] = angles;
        return product(&about_z(FRAC_PI_2 - heading), &product(&about_x(x), &about_y(y)));
    }
    turn
}

/// Returns the angles of a group or block.
pub(crate) fn object_angles(dialect: Dialect, m: &Matrix) -> [f64; 3] {
    if dialect == Dialect::Resolved {
        return engine_angles(m);
    }
    let [[m00, m01, _], [m10, m11, _], [m20, m21, m22]] = *m;
    let x = math::asin(m21.clamp(-1.0, 1.0));
    let (heading, y) = if m21.abs() < 0.999_999_9 {
        (math::atan2(-m01, m11), math::atan2(-m20, m22))
    } else {
        (math::atan2(m10, m00), 0.0)
    };
    [if is_clockwise(dialect) { -heading } else { heading }, x, y].map(|angle| angle + 0.0)
}

/// Returns the angles of an entity.
pub(crate) fn entity_angles(dialect: Dialect, m: &Matrix, reversed: bool) -> [f64; 3] {
    if is_clockwise(dialect) {
        return object_angles(dialect, &product(m, &about_z(-FRAC_PI_2)));
    }
    let [heading, x, y] = object_angles(dialect, m);
    if reversed && dialect != Dialect::Resolved { [FRAC_PI_2 - heading, x, y] } else { [heading, x, y] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &Matrix, b: &Matrix) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn angles_survive_a_round_trip() {
        let turns = [[0.0, 0.0, 0.0], [10.0, 20.0, 30.0], [200.0, 300.0, 100.0], [359.0, 90.0, 0.0], [7.0, 270.0, 0.0]];
        for angles in turns {
            let turn = engine_rotation(angles);
            assert!(near(&engine_rotation(engine_angles(&turn)), &turn), "{angles:?}");
            for dialect in Dialect::ALL {
                assert!(
                    near(&object_rotation(dialect, object_angles(dialect, &turn)), &turn),
                    "{angles:?} {dialect:?}"
                );
                for reversed in [false, true] {
                    let back = entity_rotation(dialect, entity_angles(dialect, &turn, reversed), reversed);
                    assert!(near(&back, &turn), "{angles:?} {dialect:?} {reversed}");
                }
            }
        }
    }

    #[test]
    fn headings_of_a5_run_clockwise_from_y() {
        let pan =
            |dialect, angles, reversed| engine_angles(&entity_rotation(dialect, angles, reversed)).map(f64::round);
        assert_eq!(pan(Dialect::A5, [FRAC_PI_2, 0.0, 0.0], false), [0.0, 0.0, 0.0]);
        assert_eq!(pan(Dialect::A5, [0.0, 0.1, 0.2], false), [90.0, 6.0, 11.0]);
        assert_eq!(pan(Dialect::A7, [FRAC_PI_2, 0.0, 0.0], false), [90.0, 0.0, 0.0]);
        assert_eq!(pan(Dialect::Binary, [FRAC_PI_2 / 3.0, 0.0, 0.0], true), [60.0, 0.0, 0.0]);
        assert_eq!(pan(Dialect::Resolved, [30.0, 350.0, 20.0], true), [30.0, 350.0, 20.0]);
    }
}
