//! What all nodes have.

use std::fmt;

use mapwright_dmx::{ElementId, ElementRef, Value};

use super::entity::{Connection, Connections, Entity, Plug, Plugs};
use super::value::{Texts, view};

/// The number of a node, as Hammer's outliner shows it: unique in a map. 0 is the visibility manager, 1 the world.
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

/// Where a node stands. Transforms are absolute: that of a parent does not apply.
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
    /// At the origin of the world, neither turned nor scaled.
    pub const IDENTITY: Self = Self { origin: [0.0; 3], angles: [0.0; 3], scales: [1.0; 3] };

    /// The three rows of the matrix that takes points of the node to the world: Rz(yaw) · Ry(pitch) · Rx(roll) · scale,
    /// then the origin in the last column.
    pub fn rows(&self) -> [[f64; 4]; 3] {
        let [pitch, yaw, roll] = self.angles.map(|degrees| f64::from(degrees).to_radians());
        let ((sp, cp), (sy, cy), (sr, cr)) = (pitch.sin_cos(), yaw.sin_cos(), roll.sin_cos());
        let [x, y, z] = self.scales.map(f64::from);
        let [ox, oy, oz] = self.origin.map(f64::from);
        [
            [cp * cy * x, (sp * sr * cy - cr * sy) * y, (sp * cr * cy + sr * sy) * z, ox],
            [cp * sy * x, (sp * sr * sy + cr * cy) * y, (sp * cr * sy - sr * cy) * z, oy],
            [-sp * x, sr * cp * y, cr * cp * z, oz],
        ]
    }

    /// Takes a point of the node to the world.
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
    /// A node: what the world consists of. [`kind`](Node::kind) says which one it is.
    ///
    /// A method gives what the attribute says, or what stands in parentheses in its text if the attribute is missing, as many are
    /// in maps of other versions, or is not of a type that can be read so. Whether it is there, and attributes without a method,
    /// the [`element`](Node::element) tells.
    Node {
        /// Whether the compiler leaves the node out (no).
        editor_only: bool = "editorOnly", false;
        /// Whether the node is hidden from the visibility computation of the compiler (no). Whether Hammer shows it is said by
        /// [`Visibility`](crate::Visibility).
        force_hidden: bool = "force_hidden", false;
        /// Whether the transform cannot be changed in Hammer (no). Format 29 on.
        transform_locked: bool = "transformLocked", false;
        /// The extra entry in Hammer's automatic visibility groups (none). Format 40 on.
        custom_vis_group: &'a [u8] = "customVisGroup", b"";
        /// The seed of what is random about the node (0). Format 40 on.
        random_seed: i32 = "randomSeed", 0;
    }
}

impl<'a> Node<'a> {
    /// The element's id: what the methods that change a map take. It holds until the next change of the map is finished.
    pub fn id(self) -> ElementId {
        self.0.id()
    }

    /// The class, as `CMapEntity`.
    pub fn class(self) -> &'a [u8] {
        self.0.class()
    }

    /// The name that the user gave the node, mostly none. Any bytes.
    pub fn name(self) -> &'a [u8] {
        self.0.name()
    }

    /// The number; `None` if the node has none, which Hammer never writes.
    pub fn node_id(self) -> Option<NodeId> {
        self.0.int("nodeID").map(NodeId)
    }

    /// The random identity, which holds from save to save; `None` in format 16, 0 for the world.
    pub fn reference_id(self) -> Option<u64> {
        match self.0.get("referenceID")? {
            Value::UInt64(id) => Some(*id),
            _ => None,
        }
    }

    /// Where the node stands (at the origin, not turned, not scaled).
    pub fn transform(self) -> Transform {
        let vector = |name, default| self.0.vector3(name).unwrap_or(default);
        let Transform { origin, angles, scales } = Transform::IDENTITY;
        Transform {
            origin: vector("origin", origin),
            angles: vector("angles", angles),
            scales: vector("scales", scales),
        }
    }

    /// The nodes that stand below this one, in file order. To walk a whole map use
    /// [`nodes`](crate::Document::nodes), which is safe on cycles.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Node<'a>> {
        self.0.children("children").map(Node)
    }

    /// The key values of an entity; `None` if the node has none. The world, paths and path nodes have them, too.
    pub fn entity(self) -> Option<Entity<'a>> {
        self.0.child("entity_properties").map(|properties| Entity { node: self, properties })
    }

    /// The outputs. Prefabs and instances have them as well as entities.
    pub fn connections(self) -> impl DoubleEndedIterator<Item = Connection<'a>> {
        Connections::of(self.0)
    }

    /// The named inputs and outputs of a map or prefab.
    pub fn plugs(self) -> impl ExactSizeIterator<Item = Plug<'a>> {
        Plugs::of(self.0)
    }

    /// The keys of the node whose values come from map variables.
    pub fn bindings(self) -> impl Iterator<Item = Binding<'a>> {
        let keys = Texts::of(self.0, "variableTargetKeys");
        let variables = Texts::of(self.0, "variableNames");
        keys.iter().zip(variables.iter()).map(|(key, variable)| Binding { key, variable })
    }

    /// The element that an attribute refers to.
    pub(crate) fn child(self, name: &str) -> Option<ElementRef<'a>> {
        self.0.child(name)
    }
}

/// A key of a node that takes its value from a map variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding<'a> {
    /// The key, as `data_name`.
    pub key: &'a [u8],
    /// The name of the variable.
    pub variable: &'a [u8],
}
