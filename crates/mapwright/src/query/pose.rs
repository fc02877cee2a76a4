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
        let world = if matches!(content, Content::Light(_)) { world.turned(&MINUS_Z_TO_X) } else { *world };
        let (_, rotation, scales) = axes.inverse().transform(&world).to_trs()?;
        Some(Self { angles: angles::from_rotation(rotation), scales })
    }

    /// Returns the transform in the world of a node with this pose. `origin` is in the axes of scenes.
    pub(crate) fn to_world(self, origin: [f64; 3], content: &Content, axes: AxisChange) -> Transform {
        let translation = axes.inverse().apply(origin);
        let rotation = angles::to_rotation(self.angles);
        let world = axes.transform(&Transform::Trs { translation, rotation, scale: self.scales });
        if matches!(content, Content::Light(_)) { world.turned(&X_TO_MINUS_Z) } else { world }
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

/// Finds a field of a pose, ignoring case.
pub(crate) fn pose_field(field: &str) -> Option<&'static str> {
    POSE.iter().map(|field| field.name).find(|name| name.eq_ignore_ascii_case(field))
}

/// Returns `true` if Z is up: only objects of such files have a pose.
pub(crate) fn has_pose(axes: AxisChange) -> bool {
    axes.apply([0.0, 0.0, 1.0]) == [0.0, 1.0, 0.0]
}
