//! Attributes of all nodes.

use std::fmt;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_io::math;

use super::entity::{Connection, Entity, Plug, plugs};
use super::value::{Texts, view};

/// The number of a node, as in Hammer's outliner. Unique in a map; 0 is the visibility manager, 1 the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub i32);

impl NodeId {
    /// The visibility manager.
    pub const VISIBILITY: Self = Self(0);
    /// The world.
    pub const WORLD: Self = Self(1);
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The transform of a node. Transforms are absolute: that of a parent does not apply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Position in Hammer units (inches), Z up.
    pub origin: [f32; 3],
    /// Pitch, yaw and roll in degrees; positive pitch looks down.
    pub angles: [f32; 3],
    /// Factors along the node's own axes.
    pub scales: [f32; 3],
}

impl Transform {
    /// At the origin of the world, not rotated, not scaled.
    pub const IDENTITY: Self = Self { origin: [0.0; 3], angles: [0.0; 3], scales: [1.0; 3] };

    /// Returns the three rows of the matrix from node space to world space: Rz(yaw) · Ry(pitch) · Rx(roll) · scale,
    /// with the origin in the last column.
    pub fn rows(&self) -> [[f64; 4]; 3] {
        let [pitch, yaw, roll] = self.angles.map(|degrees| f64::from(degrees).to_radians());
        let ((sp, cp), (sy, cy), (sr, cr)) = (math::sin_cos(pitch), math::sin_cos(yaw), math::sin_cos(roll));
        let [x, y, z] = self.scales.map(f64::from);
        let [ox, oy, oz] = self.origin.map(f64::from);
        [
            [cp * cy * x, (sp * sr * cy - cr * sy) * y, (sp * cr * cy + sr * sy) * z, ox],
            [cp * sy * x, (sp * sr * sy + cr * cy) * y, (sp * cr * sy - sr * cy) * z, oy],
            [-sp * x, sr * cp * y, cr * cp * z, oz],
        ]
    }

    /// Converts a point from node space to world space.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = point;
        self.rows().map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

view! {
    /// A node of the world. [`kind`](Node::kind) returns the view for its class.
    ///
    /// Methods return the value of an attribute. If the attribute is missing, as many are in other versions, or has another type, they
    /// return the default. The [`element`](Node::element) has all attributes, including those without a method.
    Node {
        /// `true` if the compiler ignores the node. Default: `false`.
        editor_only: bool = "editorOnly", false;
        /// `true` if the visibility computation of the compiler ignores the node. Default: `false`. For visibility in Hammer, see
        /// [`Visibility`](crate::Visibility).
        force_hidden: bool = "force_hidden", false;
        /// `true` if Hammer does not allow changes of the transform. Default: `false`. Since format 29.
        transform_locked: bool = "transformLocked", false;
        /// The extra entry in Hammer's automatic visibility groups. Default: empty. Since format 40.
        custom_vis_group: &'a [u8] = "customVisGroup", b"";
        /// Seed for random properties of the node. Default: 0. Since format 40.
        random_seed: i32 = "randomSeed", 0;
    }
}

impl<'a> Node<'a> {
    /// Returns the id of the element, which identifies the node in edits. Valid until the next edit of the map ends.
    pub fn id(self) -> ElementId {
        self.0.id()
    }

    /// Returns the class, such as `CMapEntity`.
    pub fn class(self) -> &'a [u8] {
        self.0.class()
    }

    /// Returns the name that the user gave the node; mostly empty. Any bytes.
    pub fn name(self) -> &'a [u8] {
        self.0.name()
    }

    /// Returns the number; `None` if the node has none, which Hammer never writes.
    pub fn node_id(self) -> Option<NodeId> {
        self.0.int("nodeID").map(NodeId)
    }

    /// Returns the random identity, which survives saving; `None` in format 16, 0 for the world.
    pub fn reference_id(self) -> Option<u64> {
        match self.0.get("referenceID")? {
            Value::UInt64(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the transform. Default: the identity.
    pub fn transform(self) -> Transform {
        let vector = |name, default| self.0.vector3(name).unwrap_or(default);
        let Transform { origin, angles, scales } = Transform::IDENTITY;
        Transform {
            origin: vector("origin", origin),
            angles: vector("angles", angles),
            scales: vector("scales", scales),
        }
    }

    /// Returns the children in file order. To walk a whole map, use
    /// [`nodes`](crate::Document::nodes), which is safe on cycles.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Node<'a>> {
        self.0.children("children").map(Node)
    }

    /// Returns the key values; `None` if the node has none. Entities, the world, paths and path nodes have them.
    pub fn entity(self) -> Option<Entity<'a>> {
        self.0.child("entity_properties").map(|properties| Entity { node: self, properties })
    }

    /// Returns the outputs. Entities, prefabs and instances have them.
    pub fn connections(self) -> impl DoubleEndedIterator<Item = Connection<'a>> {
        self.0.children("connectionsData").map(Connection)
    }

    /// Returns the named inputs and outputs of a map or prefab.
    pub fn plugs(self) -> impl ExactSizeIterator<Item = Plug<'a>> {
        plugs(self.0)
    }

    /// Returns the keys whose values come from map variables.
    pub fn bindings(self) -> impl Iterator<Item = Binding<'a>> {
        let keys = Texts::new(self.0, "variableTargetKeys");
        let variables = Texts::new(self.0, "variableNames");
        keys.iter().zip(variables.iter()).map(|(key, variable)| Binding { key, variable })
    }

    /// Returns the element that an attribute refers to.
    pub(crate) fn child(self, name: &str) -> Option<ElementRef<'a>> {
        self.0.child(name)
    }
}

/// A key of a node that takes its value from a map variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding<'a> {
    /// Name of the key, such as `data_name`.
    pub key: &'a [u8],
    /// Name of the variable.
    pub variable: &'a [u8],
}
