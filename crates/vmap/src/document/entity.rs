//! Entities, their key values and outputs.

use mapwright_dmx::{ElementRef, Value};

use super::node::Node;
use super::value::{FromAttribute, Texts, view};

/// The attribute among the key values that is not a key: typed values, which two Half-Life: Alyx maps have.
pub(crate) const TYPED: &[u8] = b"ELEM_NAME__ENT_ATTR_TYPES";

/// A node with key values.
#[derive(Debug, Clone, Copy)]
pub struct Entity<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) properties: ElementRef<'a>,
}

impl<'a> Entity<'a> {
    /// Returns the node.
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Returns the element with the key values, `EditGameClassProps`.
    pub fn properties(self) -> ElementRef<'a> {
        self.properties
    }

    /// Returns the class in the game, such as `light_omni`: the key `classname`. Default: empty.
    pub fn classname(self) -> &'a [u8] {
        self.get("classname").unwrap_or_default()
    }

    /// Returns the name by which outputs find the entity: the key `targetname`. Default: empty.
    pub fn targetname(self) -> &'a [u8] {
        self.get("targetname").unwrap_or_default()
    }

    /// Returns the value of a key.
    pub fn get(self, key: impl AsRef<[u8]>) -> Option<&'a [u8]> {
        self.properties.text(key)
    }

    /// Returns all keys with their values in file order. Numbers are stored as text, too.
    pub fn keys(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a [u8])> {
        self.properties.attributes().filter_map(move |(key, value)| match value {
            Value::String(text) => Some((key, self.properties.document().string(*text))),
            _ => None,
        })
    }

    /// Returns the element with typed values (`ELEM_NAME__ENT_ATTR_TYPES`). Rare.
    pub fn typed_values(self) -> Option<ElementRef<'a>> {
        self.properties.child(TYPED)
    }

    /// Returns `true` if another node generates this one. Default: `false`.
    pub fn is_procedural(self) -> bool {
        self.node.element().flag("isProceduralEntity").unwrap_or(false)
    }

    /// Returns the normal of the surface on which the entity was placed. Default: 0 0 1.
    pub fn hit_normal(self) -> [f32; 3] {
        self.node.element().vector3("hitNormal").unwrap_or([0.0, 0.0, 1.0])
    }

    /// Returns the bones of a posed ragdoll: name, position, rotation as x, y, z, w. The shortest of the three arrays counts.
    pub fn bones(self) -> impl Iterator<Item = (&'a [u8], [f32; 3], [f32; 4])> {
        let element = self.node.element();
        let positions: &[[f32; 3]] = FromAttribute::read(element, "bonePositions").unwrap_or_default();
        let rotations: &[[f32; 4]] = FromAttribute::read(element, "boneRotations").unwrap_or_default();
        let names = Texts::new(element, "boneNames");
        names.iter().zip(positions).zip(rotations).map(|((name, position), rotation)| (name, *position, *rotation))
    }
}

view! {
    /// An output: an event of this node that triggers inputs of others.
    Connection {
        /// The event, such as `OnTrigger`.
        output: &'a [u8] = "outputName", b"";
        /// Type of the target. Default: 7, an entity name, which is the only observed value.
        target_type: i32 = "targetType", 7;
        /// The name of the target entities; `world` and `worldspawn` are the map itself.
        target: &'a [u8] = "targetName", b"";
        /// The input to trigger, such as `Enable`.
        input: &'a [u8] = "inputName", b"";
        /// A value that replaces the event's own. Default: empty.
        parameter: &'a [u8] = "overrideParam", b"";
        /// Delay in seconds. Default: 0.
        delay: f64 = "delay", 0.0;
        /// Maximum number of times that the output fires (−1: unlimited).
        times_to_fire: i32 = "timesToFire", -1;
    }
}

/// A named input or output of a map or prefab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plug<'a> {
    /// The name, such as `PowerOn`.
    pub name: &'a [u8],
    /// Unknown. Observed value: −1.
    pub data_type: Option<i32>,
    /// Unknown. Observed value: 3.
    pub plug_type: Option<i32>,
    /// Free text.
    pub description: &'a [u8],
}

/// Returns the named inputs and outputs of a node.
pub(super) fn plugs<'a>(element: ElementRef<'a>) -> impl ExactSizeIterator<Item = Plug<'a>> {
    let list = element.child("relayPlugData");
    let texts = |name| list.map(|list| Texts::new(list, name));
    let ints = |name| list.and_then(|list| <&'a [i32]>::read(list, name)).unwrap_or_default();
    let (names, descriptions) = (texts("names"), texts("descriptions"));
    let (data_types, plug_types) = (ints("dataTypes"), ints("plugTypes"));
    let count = names.map_or(0, Texts::len);
    (0..count).map(move |index| Plug {
        name: names.and_then(|names| names.get(index)).unwrap_or_default(),
        data_type: data_types.get(index).copied(),
        plug_type: plug_types.get(index).copied(),
        description: descriptions.and_then(|texts| texts.get(index)).unwrap_or_default(),
    })
}
