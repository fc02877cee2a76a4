//! Origin, angles and scales of nodes, in files with Z up.

use mapwright_query::{Field, FieldType};
use mapwright_scene::angles::{self, MINUS_Z_TO_X, X_TO_MINUS_Z};
use mapwright_scene::{AxisChange, Content, Transform, Value};

/// The fields of a pose. Properties with the same name take precedence.
pub(crate) const POSE: &[Field] = {
    const THREE: FieldType = FieldType::Numbers { count: 3, is_whole: false };
    &[
        Field::new("origin", &[], THREE, true, "Position in the world: x, y and z."),
        Field::new("angles", &[], THREE, true, "Pitch, yaw and roll in degrees."),
        Field::new("scales", &[], THREE, true, "Factors along the axes of the object."),
        Field::new("pitch", &[], FieldType::F64, true, "Degrees about the Y axis; positive looks down."),
        Field::new("yaw", &[], FieldType::F64, true, "Degrees about the Z axis, from X to Y."),
        Field::new("roll", &[], FieldType::F64, true, "Degrees about the X axis."),
    ]
};

/// Pitch, yaw and roll in degrees, and scales, in the axes of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    pub(crate) angles: [f64; 3],
    pub(crate) scales: [f64; 3],
}

impl Pose {
    /// Creates the pose of a node from its transform in the world. `None` if that shears or collapses space.
    pub(crate) fn new(world: &Transform, content: &Content, axes: AxisChange) -> Option<Self> {
        let world = if looks_along_minus_z(content) { world.turned(&MINUS_Z_TO_X) } else { *world };
        let (_, rotation, scales) = axes.inverse().transform(&world).to_trs()?;
        Some(Self { angles: angles::from_rotation(rotation), scales })
    }

    /// Returns the transform in the world of a node with this pose. `origin` is in the axes of scenes.
    pub(crate) fn to_world(self, origin: [f64; 3], content: &Content, axes: AxisChange) -> Transform {
        let translation = axes.inverse().apply(origin);
        let rotation = angles::to_rotation(self.angles);
        let world = axes.transform(&Transform::Trs { translation, rotation, scale: self.scales });
        if looks_along_minus_z(content) { world.turned(&X_TO_MINUS_Z) } else { world }
    }

    /// Returns a field other than the origin.
    pub(crate) fn get(&self, field: &str) -> Option<Value> {
        let list = |numbers: [f64; 3]| Value::List(numbers.map(Value::Float).to_vec());
        let [pitch, yaw, roll] = self.angles;
        match field {
            "angles" => Some(list(self.angles)),
            "scales" => Some(list(self.scales)),
            "pitch" => Some(pitch.into()),
            "yaw" => Some(yaw.into()),
            "roll" => Some(roll.into()),
            _ => None,
        }
    }
}

/// Returns `true` if the content points along −Z in scenes. Objects of files with Z up point along X.
fn looks_along_minus_z(content: &Content) -> bool {
    matches!(content, Content::Light(_) | Content::Camera(_))
}

/// Finds a field of a pose, ignoring case.
pub(crate) fn pose_field(field: &str) -> Option<&'static str> {
    POSE.iter().map(|field| field.name).find(|name| name.eq_ignore_ascii_case(field))
}

/// Returns `true` if Z is up: only objects of such files have a pose.
pub(crate) fn has_pose(axes: AxisChange) -> bool {
    axes.apply([0.0, 0.0, 1.0]) == [0.0, 1.0, 0.0]
}

#[cfg(test)]
mod tests {
    use mapwright_scene::Id;

    use super::*;

    #[test]
    fn cameras_and_lights_point_along_x_without_a_turn() {
        let axes = AxisChange::Z_UP_TO_Y_UP;
        for (direction, [pitch, yaw, roll]) in [
            ([1.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
            ([0.0, 1.0, 0.0], [0.0, 90.0, 0.0]),
            ([-1.0, 0.0, -1.0], [45.0, 180.0, 0.0]),
        ] {
            let rotation = Transform::looking_along(axes.apply(direction));
            let world = Transform::Trs { translation: [1.0, 2.0, 3.0], rotation, scale: [1.0; 3] };
            for content in [Content::Camera(Id::new(0)), Content::Light(Id::new(0))] {
                let pose = Pose::new(&world, &content, axes).unwrap();
                let expected = [pitch, yaw, roll];
                let near = pose.angles.iter().zip(expected).all(|(angle, expected): (&f64, f64)| {
                    let turns = (angle - expected) / 360.0;
                    (turns - turns.round()).abs() < 1e-9
                });
                assert!(near, "{direction:?}: {:?}", pose.angles);
                let again = pose.to_world([1.0, 2.0, 3.0], &content, axes);
                assert!(
                    again
                        .matrix()
                        .iter()
                        .flatten()
                        .zip(world.matrix().iter().flatten())
                        .all(|(a, b)| (a - b).abs() < 1e-9)
                );
            }
        }
    }
}
