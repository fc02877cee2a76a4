//! Things of the game: entities, sounds, paths.

use crate::Properties;

/// A thing of the game with a class, ordered key values and connections.
///
/// | in | |
/// |---|---|
/// | wings, wrp | – |
/// | vmap | `CMapEntity`, and the world itself |
/// | WMP | an entity: file name, action, skills, flags; a region: class `region`, its box as `min` and `max` |
/// | WWD | an object; the class is its logic |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Entity {
    /// What it is.
    pub class: String,
    /// The model it shows, as the file spells it; never resolved by the scene.
    pub model: Option<String>,
    /// Its key values in order.
    pub properties: Properties,
    /// What it makes other entities do, in order.
    pub connections: Vec<Connection>,
}

/// An output of an entity wired to an input of another.
///
/// | in | |
/// |---|---|
/// | vmap | `DmeConnectionData` |
/// | others | – |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Connection {
    /// The event.
    pub output: String,
    /// The name of the other entity.
    pub target: String,
    /// What kind of thing that name is of: a code of the format (vmap: `targetType`, 7 wherever it was seen); `None`: not
    /// said.
    pub target_type: Option<i32>,
    /// What it is to do.
    pub input: String,
    /// What it is told besides.
    pub parameter: String,
    /// Seconds to wait.
    pub delay: f64,
    /// How often this works; `None`: always.
    pub times: Option<u32>,
}

/// A sound at the origin of its node.
///
/// | in | |
/// |---|---|
/// | WMP | a sound: file, volume, range |
/// | wrp | a sound of an OPRW |
/// | others | – (entities) |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sound {
    /// The file, as the source spells it; never resolved by the scene.
    pub reference: String,
    /// How loud, 1 being plain; `None`: not said.
    pub volume: Option<f64>,
    /// How far it is heard, in units of length; `None`: not said.
    pub range: Option<f64>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// A line through points, in the space of its node.
///
/// | in | |
/// |---|---|
/// | vmap | `CMapPath`, `CMapCable`, `CTrajectoryPath` |
/// | WMP | a path |
/// | others | – |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Path {
    /// The name; may be empty.
    pub name: String,
    /// The points in order.
    pub points: Vec<PathPoint>,
    /// Edges between points, where the path is a graph: from, to and a weight. Empty: point after point.
    pub edges: Vec<PathEdge>,
    /// Whether the last point leads back to the first.
    pub closed: bool,
    /// What else the file says about it.
    pub properties: Properties,
}

/// A point of a path.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PathPoint {
    /// The place.
    pub position: [f64; 3],
    /// Tangents of the curve on the way in and out; `None`: straight.
    pub tangents: Option<[[f64; 3]; 2]>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// A way between two points of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PathEdge {
    /// Where it starts: a place in [`Path::points`].
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The weight that the file gives it.
    pub weight: f64,
}
