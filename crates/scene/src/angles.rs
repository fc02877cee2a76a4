//! Pitch, yaw and roll in degrees, as the editors of Quake and its descendants store rotations: roll about X first, then pitch about
//! Y, then yaw about Z. Z is up, X is ahead, and positive pitch looks down. Rotations are unit quaternions in the same axes.

use crate::Transform;
use mapwright_io::math::{atan2, hypot, sin_cos};

/// Angles have this number of steps per degree. Differences below a step are rounding noise.
const STEPS: f64 = 1e9;

/// Returns the rotation of angles. Its component of largest magnitude is positive.
pub fn to_rotation(angles: [f64; 3]) -> [f64; 4] {
    // Remove whole turns first: sines of large numbers are noise.
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(|degrees| sin_cos((degrees % 360.0).to_radians() / 2.0));
    let rotation = [
        cy * cp * sr - sy * sp * cr,
        cy * sp * cr + sy * cp * sr,
        sy * cp * cr - cy * sp * sr,
        cy * cp * cr + sy * sp * sr,
    ];
    let largest = rotation.iter().fold(0.0_f64, |largest, &c| if c.abs() > largest.abs() + 1e-9 { c } else { largest });
    if largest < 0.0 { rotation.map(|c| -c) } else { rotation }
}

/// Returns the angles of a rotation: pitch from −90° to 90°, yaw and roll from −180° to 180°. If X points straight up or down,
/// the roll is 0. Angles are rounded to nine decimals, so that a right angle is exactly 90.
pub fn from_rotation(rotation: [f64; 4]) -> [f64; 3] {
    let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    let [x, y, z] = turn.linear();
    let level = hypot(x[0], x[1]);
    let (yaw, roll) = if level > 1e-9 { (atan2(x[1], x[0]), atan2(y[2], z[2])) } else { (atan2(-y[0], y[1]), 0.0) };
    [atan2(-x[2], level), yaw, roll].map(|angle| {
        let angle = (angle.to_degrees() * STEPS).round() / STEPS;
        // Adding 0 removes the sign of a negative zero.
        if angle == -180.0 { 180.0 } else { angle + 0.0 }
    })
}

/// A turn of nodes with a direction, in the axes of scenes: entities of maps look along +X, lights and cameras of scenes along −Z.
/// [`turned`](Transform::turned) by it, a node that looked along +X in its own axes looks in the same direction along −Z.
pub const X_TO_MINUS_Z: Transform = quarter_turn(-std::f64::consts::FRAC_1_SQRT_2);

/// The inverse of [`X_TO_MINUS_Z`].
pub const MINUS_Z_TO_X: Transform = quarter_turn(std::f64::consts::FRAC_1_SQRT_2);

const fn quarter_turn(y: f64) -> Transform {
    let rotation = [0.0, y, 0.0, std::f64::consts::FRAC_1_SQRT_2];
    Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] }
}

#[cfg(test)]
mod tests {
    use mapwright_io::math::{cos, sin};

    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn angles_match_the_rotation_matrix_of_the_editor() {
        let [p, y, r] = [30.0_f64, 50.0, 70.0].map(f64::to_radians);
        let (sp, cp, sy, cy, sr, cr) = (sin(p), cos(p), sin(y), cos(y), sin(r), cos(r));
        let rotation = to_rotation([30.0, 50.0, 70.0]);
        let [x, y, z] = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] }.linear();
        assert!(near(&x, &[cp * cy, cp * sy, -sp]));
        assert!(near(&y, &[sp * sr * cy - cr * sy, sp * sr * sy + cr * cy, sr * cp]));
        assert!(near(&z, &[sp * cr * cy + sr * sy, sp * cr * sy - sr * cy, cr * cp]));
        assert!(near(&from_rotation(rotation), &[30.0, 50.0, 70.0]));
    }

    #[test]
    fn right_angles_are_exact() {
        for angles in [[0.0, 90.0, 0.0], [0.0, -90.0, 0.0], [45.0, 180.0, 30.0], [-30.5, 135.0, -60.0]] {
            assert_eq!(from_rotation(to_rotation(angles)), angles);
        }
    }

    #[test]
    fn vertical_directions_have_unique_angles() {
        for given in [[90.0, 20.0, 0.0], [-90.0, -130.0, 0.0], [0.0, 180.0, 0.0], [0.0, 0.0, 0.0]] {
            assert!(
                near(&from_rotation(to_rotation(given)), &given),
                "{given:?} {:?}",
                from_rotation(to_rotation(given))
            );
        }
        // There a roll is the same as a yaw.
        let both = to_rotation([90.0, 20.0, 50.0]);
        assert!(near(&from_rotation(both), &[90.0, -30.0, 0.0]), "{:?}", from_rotation(both));
    }
}
