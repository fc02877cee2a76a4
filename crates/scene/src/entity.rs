//! Game objects: entities, sounds, paths.

use crate::Properties;

/// A game object with a class, ordered key values and connections.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Entity {
    /// The class.
    pub class: String,
    /// The model as the file stores it. The scene does not resolve it.
    pub model: Option<String>,
    /// Key values in order.
    pub properties: Properties,
    /// Connections to other entities, in order.
    pub connections: Vec<Connection>,
}

/// A connection from an output of an entity to an input of another.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Connection {
    /// The output: an event.
    pub output: String,
    /// Name of the other entity.
    pub target: String,
    /// Kind of the target name: a code of the format. `None`: not stored.
    pub target_type: Option<i32>,
    /// The input that the event triggers.
    pub input: String,
    /// Parameter of the input.
    pub parameter: String,
    /// Delay in seconds.
    pub delay: f64,
    /// Maximum number of times that the connection fires. `None`: unlimited.
    pub times: Option<u32>,
}

/// A sound at the origin of its node.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sound {
    /// Name or path of the sound file, exactly as in the source. The scene does not resolve it.
    pub reference: String,
    /// Volume, where 1 is normal. `None`: not stored.
    pub volume: Option<f64>,
    /// Audible range in units of length. `None`: not stored.
    pub range: Option<f64>,
    /// Other data of the file.
    pub properties: Properties,
}

/// A path through points, in the space of its node.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Path {
    /// The name; may be empty.
    pub name: String,
    /// The points in order.
    pub points: Vec<PathPoint>,
    /// Edges between points, if the path is a graph. Empty: each point leads to the next.
    pub edges: Vec<PathEdge>,
    /// `true` if the last point leads back to the first.
    pub closed: bool,
    /// Other data of the file.
    pub properties: Properties,
}

/// A point of a path.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PathPoint {
    /// The position.
    pub position: [f64; 3],
    /// Incoming and outgoing tangents of the curve. `None`: straight.
    pub tangents: Option<[[f64; 3]; 2]>,
    /// Other data of the file.
    pub properties: Properties,
}

/// An edge between two points of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PathEdge {
    /// Index of the first point in [`Path::points`].
    pub from: u32,
    /// Index of the second point.
    pub to: u32,
    /// The weight as the file stores it.
    pub weight: f64,
}
