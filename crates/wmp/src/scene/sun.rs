//! Direction of the sun ⇄ rotation of a light.

use mapwright_io::math;
use mapwright_scene::Transform;

use super::AXES;
use super::values::round_noise;

/// Returns the rotation of a light that shines from a direction in degrees.
pub(super) fn rotation(azimuth: f64, elevation: f64) -> [f64; 4] {
    let (sin, cos) = math::sin_cos(azimuth.to_radians());
    let (up, flat) = math::sin_cos(elevation.to_radians());
    Transform::looking_along(AXES.apply([-cos * flat, -sin * flat, -up]))
}

/// Returns azimuth and elevation in degrees of the direction from which a light shines.
pub(super) fn direction(transform: &Transform) -> (f64, f64) {
    let [x, y, z] = AXES.inverse().apply(transform.vector([0.0, 0.0, 1.0]));
    // Unrounded, an azimuth just below 0 would become 360.
    let azimuth = round_noise(math::atan2(y, x).to_degrees());
    (
        if azimuth < 0.0 { azimuth + 360.0 } else { azimuth + 0.0 },
        round_noise(math::atan2(z, math::hypot(x, y)).to_degrees()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_survive_as_rotations() {
        for (azimuth, elevation) in [(0.0, 60.0), (45.0, 35.0), (300.0, -10.0)] {
            let rotation = rotation(azimuth, elevation);
            let (a, e) = direction(&Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] });
            assert!((a - azimuth).abs() < 1e-9 && (e - elevation).abs() < 1e-9, "{a} {e}");
        }
    }
}
