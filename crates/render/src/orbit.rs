//! From where solids are seen.

use mapwright_scene::Transform;
use mapwright_scene::transform::{cross, dot};

/// From where solids are seen, in parallel projection: a direction, given by two angles in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    azimuth: f64,
    elevation: f64,
}

impl Orbit {
    /// From above the south-east: an isometric view, in which the three axes are of one length.
    pub const ISOMETRIC: Self = Self { azimuth: 135.0, elevation: 35.264_389_682_754_654 };

    /// From the azimuth, which is where the eye is as a bearing: 0 is north, which is −Z, 90 east, 180 south; and from that high above
    /// the horizon: 90 is straight from above. `None` for azimuths that are no numbers or infinite, and for elevations not within −90 to
    /// 90.
    pub fn new(azimuth: f64, elevation: f64) -> Option<Self> {
        (azimuth.is_finite() && elevation.abs() <= 90.0).then_some(Self { azimuth, elevation })
    }

    /// Degrees from north by east.
    pub const fn azimuth(self) -> f64 {
        self.azimuth
    }

    /// Degrees above the horizon.
    pub const fn elevation(self) -> f64 {
        self.elevation
    }
}

impl Default for Orbit {
    /// [`ISOMETRIC`](Self::ISOMETRIC).
    fn default() -> Self {
        Self::ISOMETRIC
    }
}

/// From a space to the picture: how far right, down, and away from the eye a point is, in units of length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight([[f64; 4]; 3]);

impl Sight {
    /// From the space of the scene.
    pub(crate) fn new(orbit: Orbit) -> Self {
        let ((sin, cos), (high, flat)) = (exact(orbit.azimuth), exact(orbit.elevation));
        let right = [-cos, 0.0, -sin, 0.0];
        let down = [sin * high, -flat, -cos * high, 0.0];
        let away = [-sin * flat, -high, cos * flat, 0.0];
        Self([right, down, away])
    }

    /// From a space inside of this one.
    pub(crate) fn of(&self, world: &Transform) -> Self {
        let columns = world.matrix();
        Self(self.0.map(|[a, b, c, d]| {
            let [x, y, z, w] = columns.map(|[x, y, z, _]| a * x + b * y + c * z);
            [x, y, z, w + d]
        }))
    }

    /// Whether fronts go round with the clock.
    pub(crate) fn mirrors(&self) -> bool {
        let [right, down, away] = self.0.map(|[x, y, z, _]| [x, y, z]);
        dot(cross(right, down), away) < 0.0
    }

    /// How far right and down alone.
    pub(crate) const fn flat(&self) -> [[f64; 4]; 2] {
        let [right, down, _] = self.0;
        [right, down]
    }

    pub(crate) fn point(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }
}

/// Sine and cosine of degrees, without a rounding where they are 0 or 1: walls that are seen from the side stay out of sight.
fn exact(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        degrees => degrees.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(azimuth: f64, elevation: f64, point: [f64; 3]) -> [i64; 3] {
        let sight = Sight::new(Orbit::new(azimuth, elevation).unwrap());
        #[allow(clippy::cast_possible_truncation)]
        sight.point(point).map(|length| length.round() as i64)
    }

    #[test]
    fn east_is_right_from_the_south_and_left_from_the_north() {
        let (east, up, south) = ([10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 10.0]);
        assert_eq!(seen(180.0, 0.0, east), [10, 0, 0]);
        assert_eq!(seen(180.0, 0.0, up), [0, -10, 0]);
        assert_eq!(seen(180.0, 0.0, south), [0, 0, -10]);
        assert_eq!(seen(0.0, 0.0, east), [-10, 0, 0]);
        assert_eq!(seen(90.0, 0.0, south), [-10, 0, 0]);
        assert_eq!(seen(450.0, 0.0, east), [0, 0, -10], "the east is near");
        // From above, as on maps.
        assert_eq!(seen(180.0, 90.0, south), [0, 10, 0]);
        assert_eq!(seen(180.0, 90.0, up), [0, 0, -10]);
    }

    #[test]
    fn axes_are_of_one_length_in_an_isometric_view() {
        let sight = Sight::new(Orbit::default());
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let [right, down, _] = sight.point(axis);
            assert!((right.hypot(down) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        }
    }

    #[test]
    fn angles_that_are_none_are_refused() {
        for [azimuth, elevation] in [[f64::NAN, 0.0], [f64::INFINITY, 0.0], [0.0, 90.1], [0.0, f64::NAN]] {
            assert_eq!(Orbit::new(azimuth, elevation), None);
        }
        assert!(Orbit::new(-720.0, -90.0).is_some());
    }
}
