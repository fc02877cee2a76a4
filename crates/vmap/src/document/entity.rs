//! Entities, their key values and outputs.

use mapwright_dmx::{ElementRef, Value};

use super::node::Node;
use super::value::{FromAttribute, Texts, view};

/// The attribute among the key values that is no key: typed values, which two Half-Life: Alyx maps have.
pub(crate) const TYPED: &[u8] = b"ELEM_NAME__ENT_ATTR_TYPES";

/// A node with key values.
#[derive(Debug, Clone, Copy)]
pub struct Entity<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) properties: ElementRef<'a>,
}

impl<'a> Entity<'a> {
    /// What all nodes have.
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// The element that holds the key values, `EditGameClassProps`.
    pub fn properties(self) -> ElementRef<'a> {
        self.properties
    }

    /// The class of the game, as `light_omni`: the key `classname` (empty).
    pub fn classname(self) -> &'a [u8] {
        self.get("classname").unwrap_or_default()
    }

    /// The name by which outputs find the entity: the key `targetname` (empty).
    pub fn targetname(self) -> &'a [u8] {
        self.get("targetname").unwrap_or_default()
    }

    /// The value of a key.
    pub fn get(self, key: impl AsRef<[u8]>) -> Option<&'a [u8]> {
        self.properties.text(key)
    }

    /// All keys with their values, which are text also where they are numbers, in file order.
    pub fn keys(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a [u8])> {
        self.properties.attributes().filter_map(move |(key, value)| match value {
            Value::String(text) => Some((key, self.properties.document().string(*text))),
            _ => None,
        })
    }

    /// Values that have types (`ELEM_NAME__ENT_ATTR_TYPES`), as an element. Rare.
    pub fn typed_values(self) -> Option<ElementRef<'a>> {
        self.properties.child(TYPED)
    }

    /// Whether the node is made by another one (no).
    pub fn is_procedural(self) -> bool {
        self.node.element().flag("isProceduralEntity").unwrap_or(false)
    }

    /// The normal of the surface on which the entity was placed (0 0 1).
    pub fn hit_normal(self) -> [f32; 3] {
        self.node.element().vector3("hitNormal").unwrap_or([0.0, 0.0, 1.0])
    }

    /// The bones of a posed ragdoll: name, position, rotation as x, y, z, w. As many as all three arrays have.
    pub fn bones(self) -> impl Iterator<Item = (&'a [u8], [f32; 3], [f32; 4])> {
        let element = self.node.element();
        let positions: &[[f32; 3]] = FromAttribute::read(element, "bonePositions").unwrap_or_default();
        let rotations: &[[f32; 4]] = FromAttribute::read(element, "boneRotations").unwrap_or_default();
        let names = Texts::of(element, "boneNames");
        names.iter().zip(positions).zip(rotations).map(|((name, position), rotation)| (name, *position, *rotation))
    }
}

view! {
    /// An output: what happens elsewhere when something happens here.
    Connection {
        /// The event, as `OnTrigger`.
        output: &'a [u8] = "outputName", b"";
        /// What the target's name means (7). Only 7, a name, has been seen.
        target_type: i32 = "targetType", 7;
        /// The name of the entities that are told; `world` and `worldspawn` mean the map itself.
        target: &'a [u8] = "targetName", b"";
        /// What they are told, as `Enable`.
        input: &'a [u8] = "inputName", b"";
        /// A value that replaces the event's own (empty).
        parameter: &'a [u8] = "overrideParam", b"";
        /// Seconds until they are told (0).
        delay: f64 = "delay", 0.0;
        /// How often this happens (−1: without limit).
        times_to_fire: i32 = "timesToFire", -1;
    }
}

pub(super) struct Connections;

impl Connections {
    pub(super) fn of<'a>(element: ElementRef<'a>) -> impl DoubleEndedIterator<Item = Connection<'a>> {
        element.children("connectionsData").map(Connection)
    }
}

/// A named input or output of a map or prefab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plug<'a> {
    /// The name, as `PowerOn`.
    pub name: &'a [u8],
    /// Not known; −1 in every file seen.
    pub data_type: Option<i32>,
    /// Not known; 3 in every file seen.
    pub plug_type: Option<i32>,
    /// Free text.
    pub description: &'a [u8],
}

pub(super) struct Plugs;

impl Plugs {
    pub(super) fn of<'a>(element: ElementRef<'a>) -> impl ExactSizeIterator<Item = Plug<'a>> {
        let list = element.child("relayPlugData");
        let texts = |name| list.map(|list| Texts::of(list, name));
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
}
