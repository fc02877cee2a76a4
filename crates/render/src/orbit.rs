//! Projection of solids.

use mapwright_io::math;
use mapwright_scene::Transform;
use mapwright_scene::transform::{cross, dot};

/// Direction from which solids are seen in parallel projection, as two angles in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    azimuth: f64,
    elevation: f64,
}

impl Orbit {
    /// An isometric view from above the south-east, in which the three axes have equal lengths.
    pub const ISOMETRIC: Self = Self { azimuth: 135.0, elevation: 35.264_389_682_754_654 };

    /// Creates a direction. The azimuth is the bearing of the eye: 0 is north, which is −Z, 90 east, 180 south. The elevation is the
    /// angle above the horizon: 90 is straight down. Returns `None` if the azimuth is not finite or the elevation is not within −90
    /// to 90.
    pub fn new(azimuth: f64, elevation: f64) -> Option<Self> {
        (azimuth.is_finite() && elevation.abs() <= 90.0).then_some(Self { azimuth, elevation })
    }

    /// Returns the bearing of the eye in degrees.
    pub const fn azimuth(self) -> f64 {
        self.azimuth
    }

    /// Returns the angle above the horizon in degrees.
    pub const fn elevation(self) -> f64 {
        self.elevation
    }
}

impl Default for Orbit {
    /// Returns [`ISOMETRIC`](Self::ISOMETRIC).
    fn default() -> Self {
        Self::ISOMETRIC
    }
}

/// Transform to the image: right, down and away from the eye, in units of length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection([[f64; 4]; 3]);

impl Projection {
    /// Creates the transform from the space of the scene.
    pub(crate) fn new(orbit: Orbit) -> Self {
        let ((sin, cos), (high, flat)) = (exact_sin_cos(orbit.azimuth), exact_sin_cos(orbit.elevation));
        let right = [-cos, 0.0, -sin, 0.0];
        let down = [sin * high, -flat, -cos * high, 0.0];
        let away = [-sin * flat, -high, cos * flat, 0.0];
        Self([right, down, away])
    }

    /// Returns the transform from a space inside of this one.
    pub(crate) fn within(&self, world: &Transform) -> Self {
        let columns = world.matrix();
        Self(self.0.map(|[a, b, c, d]| {
            let [x, y, z, w] = columns.map(|[x, y, z, _]| a * x + b * y + c * z);
            [x, y, z, w + d]
        }))
    }

    /// Returns `true` if the transform reverses windings.
    pub(crate) fn is_mirrored(&self) -> bool {
        let [right, down, away] = self.0.map(|[x, y, z, _]| [x, y, z]);
        dot(cross(right, down), away) < 0.0
    }

    /// Returns the rows of the transform of normals, which do not have unit length afterwards. They are mirrored if the transform is.
    pub(crate) fn normal_rows(&self) -> [[f64; 3]; 3] {
        let [right, down, away] = self.0.map(|[x, y, z, _]| [x, y, z]);
        [cross(down, away), cross(away, right), cross(right, down)]
    }

    /// Returns the rows for right and down.
    pub(crate) const fn image_rows(&self) -> [[f64; 4]; 2] {
        let [right, down, _] = self.0;
        [right, down]
    }

    pub(crate) fn project(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }
}

/// Returns sine and cosine of degrees, exact for multiples of 90, so that walls seen from the side are not visible.
fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        degrees => math::sin_cos(degrees.to_radians()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project_rounded(azimuth: f64, elevation: f64, point: [f64; 3]) -> [i64; 3] {
        let projection = Projection::new(Orbit::new(azimuth, elevation).unwrap());
        #[allow(clippy::cast_possible_truncation)]
        projection.project(point).map(|length| length.round() as i64)
    }

    #[test]
    fn east_is_right_from_the_south_and_left_from_the_north() {
        let (east, up, south) = ([10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 10.0]);
        assert_eq!(project_rounded(180.0, 0.0, east), [10, 0, 0]);
        assert_eq!(project_rounded(180.0, 0.0, up), [0, -10, 0]);
        assert_eq!(project_rounded(180.0, 0.0, south), [0, 0, -10]);
        assert_eq!(project_rounded(0.0, 0.0, east), [-10, 0, 0]);
        assert_eq!(project_rounded(90.0, 0.0, south), [-10, 0, 0]);
        assert_eq!(project_rounded(450.0, 0.0, east), [0, 0, -10], "the east is near");
        // From above, as on maps.
        assert_eq!(project_rounded(180.0, 90.0, south), [0, 10, 0]);
        assert_eq!(project_rounded(180.0, 90.0, up), [0, 0, -10]);
    }

    #[test]
    fn axes_have_equal_lengths_in_an_isometric_view() {
        let projection = Projection::new(Orbit::default());
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let [right, down, _] = projection.project(axis);
            assert!((math::hypot(right, down) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        }
    }

    #[test]
    fn invalid_angles_are_rejected() {
        for [azimuth, elevation] in [[f64::NAN, 0.0], [f64::INFINITY, 0.0], [0.0, 90.1], [0.0, f64::NAN]] {
            assert_eq!(Orbit::new(azimuth, elevation), None);
        }
        assert!(Orbit::new(-720.0, -90.0).is_some());
    }
}
