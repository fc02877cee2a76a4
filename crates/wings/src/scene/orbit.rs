//! The orbit of a camera around a point.

use mapwright_io::math;
use mapwright_scene::{Properties, Transform, Value, transform};

/// A camera as Wings stores it. Angles are in degrees. Files negate `target`; this type does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Orbit {
    /// The point that the camera turns around.
    pub(super) target: [f64; 3],
    pub(super) distance: f64,
    pub(super) azimuth: f64,
    pub(super) elevation: f64,
    /// Distances by which the camera is moved sideways and up.
    pub(super) tracking: [f64; 2],
}

pub(super) const DISTANCE: &str = "distance_to_aim";
pub(super) const AZIMUTH: &str = "azimuth";
pub(super) const ELEVATION: &str = "elevation";
pub(super) const TRACKING: &str = "tracking";

impl Orbit {
    /// Returns the transform of the camera: turned by the elevation about X, then by the azimuth about Y.
    pub(super) fn transform(&self) -> Transform {
        let (sin_y, cos_y) = math::sin_cos(-self.azimuth.to_radians() / 2.0);
        let (sin_x, cos_x) = math::sin_cos(-self.elevation.to_radians() / 2.0);
        let rotation = [cos_y * sin_x, sin_y * cos_x, -sin_y * sin_x, cos_y * cos_x];
        let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        let [x, y] = self.tracking;
        let translation = transform::add(self.target, turn.vector([-x, -y, self.distance]));
        Transform::Trs { translation, rotation, scale: [1.0; 3] }
    }

    /// Returns the orbit as properties of the camera, from which [`from_properties`](Self::from_properties) restores it.
    pub(super) fn to_properties(self) -> Properties {
        let mut properties = Properties::new();
        properties.push(DISTANCE, self.distance);
        properties.push(AZIMUTH, self.azimuth);
        properties.push(ELEVATION, self.elevation);
        properties.push(TRACKING, self.tracking.map(Value::Float).to_vec());
        properties
    }

    pub(super) fn from_properties(properties: &Properties, target: [f64; 3]) -> Option<Self> {
        let number = |key: &str| properties.get(key).and_then(Value::as_f64);
        let Some(Value::List(tracking)) = properties.get(TRACKING) else { return None };
        let [x, y] = tracking.as_slice() else { return None };
        Some(Self {
            target,
            distance: number(DISTANCE)?,
            azimuth: number(AZIMUTH)?,
            elevation: number(ELEVATION)?,
            tracking: [x.as_f64()?, y.as_f64()?],
        })
    }

    /// Returns the orbit around `target` of a camera with the transform `world`. Also returns `true` if the camera had to be
    /// turned upright, because an orbit has no roll.
    pub(super) fn from_transform(world: &Transform, target: [f64; 3]) -> (Self, bool) {
        let axis = |v| transform::normalize(world.vector(v));
        let forward = axis([0.0, 0.0, -1.0]).unwrap_or([0.0, 0.0, -1.0]);
        let elevation = math::asin((-forward[1]).clamp(-1.0, 1.0)).to_degrees();
        let level = math::hypot(forward[0], forward[2]);
        let azimuth = if level > 1e-9 {
            math::atan2(forward[0], -forward[2]).to_degrees()
        } else {
            // Straight down or up: only the right axis gives the azimuth.
            axis([1.0, 0.0, 0.0]).map_or(0.0, |right| math::atan2(right[2], right[0]).to_degrees())
        };
        let mut orbit = Self { target, distance: 0.0, azimuth, elevation, tracking: [0.0; 2] };
        let turn = orbit.transform();
        let away = transform::sub(world.origin(), target);
        let along = |v| transform::dot(turn.vector(v), away);
        orbit.distance = along([0.0, 0.0, 1.0]);
        let [x, y] = [along([1.0, 0.0, 0.0]), along([0.0, 1.0, 0.0])];
        // Treat rounding errors as no tracking.
        let tiny = 1e-12 * transform::dot(away, away).sqrt().max(1.0);
        orbit.tracking = [x, y].map(|c| if c.abs() <= tiny { 0.0 } else { -c });
        let up = axis([0.0, 1.0, 0.0]).unwrap_or([0.0, 1.0, 0.0]);
        let rolled = transform::dot(up, turn.vector([0.0, 1.0, 0.0])) < 1.0 - 1e-9;
        (orbit, rolled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_has_the_position_that_wings_computes() {
        let orbit =
            Orbit { target: [-1.0, -2.0, -3.0], distance: 5.0, azimuth: 90.0, elevation: 30.0, tracking: [0.5, 0.25] };
        let transform = orbit.transform();
        let expected = [-5.455_127_018_92, 0.283_493_649_05, -3.5];
        assert!(transform.origin().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-10), "{transform:?}");
        let back = Orbit::from_transform(&transform, orbit.target);
        let pairs = [
            (back.0.distance, 5.0),
            (back.0.azimuth, 90.0),
            (back.0.elevation, 30.0),
            (back.0.tracking[0], 0.5),
            (back.0.tracking[1], 0.25),
        ];
        assert!(!back.1 && pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{back:?}");
        let again = Orbit::from_properties(&orbit.to_properties(), orbit.target);
        assert_eq!(again, Some(orbit));
    }

    #[test]
    fn cameras_that_look_straight_down_keep_their_azimuth() {
        for azimuth in [-100.0, 0.0, 35.0] {
            let orbit = Orbit { target: [0.0; 3], distance: 4.0, azimuth, elevation: 90.0, tracking: [0.0; 2] };
            let (back, rolled) = Orbit::from_transform(&orbit.transform(), [0.0; 3]);
            assert!(!rolled && (back.azimuth - azimuth).abs() < 1e-6, "{back:?}");
        }
    }
}
