//! Edits maps.
//!
//! [`Document::edit`] passes an [`Editor`] to a closure. Its methods keep numbers of nodes unique and remove elements without
//! use. At the end, the map gets the layout of the program that wrote it. An edit changes only what it must.

mod add;
mod assets;
mod entity;
mod ids;
mod mesh;
mod new;
mod remove;
mod tree;
mod variables;

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{self as dmx, ElementId, Reference, Value};
use mapwright_io::Position;

use crate::{Document, HiddenFlags, Node, Transform, WriteError, WriteErrorKind};
pub use entity::Output;
use ids::Ids;
pub use new::MapOptions;
pub(crate) use remove::reached;

mapwright_io::options! {
    /// Options of an edit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct EditOptions {
        /// Seed for the random identities of new elements. `None`: derived from the map, so that the same edit of the same map always
        /// gives the same bytes.
        pub seed: Option<u64> = None, with_seed(u64);
    }
}

/// An edit of a map; see [`Document::edit`].
///
/// Elements keep their ids until the edit ends. A method that fails changes nothing.
#[derive(Debug)]
pub struct Editor<'a> {
    map: &'a mut Document,
    ids: Ids,
    /// New children that are in no array yet. Arrays are packed, so each single addition would copy one.
    pending: HashMap<ElementId, Vec<Reference>>,
    /// Children that must be removed from arrays, for the same reason.
    taken: HashMap<ElementId, HashSet<ElementId>>,
    /// Parents of each node. Computed by the first move, dropped by other changes of the graph.
    parents: Option<HashMap<ElementId, Vec<ElementId>>>,
    /// Elements that were taken out of the tree.
    removed: Vec<ElementId>,
    /// First element of each class that was looked up.
    models: HashMap<Vec<u8>, ElementId>,
    /// Assets to add to the list.
    assets: Vec<Vec<u8>>,
}

impl Document {
    /// Edits the map.
    ///
    /// ```
    /// use mapwright_vmap::{Document, Transform};
    ///
    /// let mut map = Document::new();
    /// map.edit(|map| {
    ///     let world = map.world()?;
    ///     let light = map.add_entity(world, "light_omni")?;
    ///     map.set_key(light, "brightness", "2")?;
    ///     map.set_transform(light, Transform { origin: [0.0, 0.0, 64.0], ..Transform::IDENTITY })
    /// })?;
    /// assert_eq!(map.nodes().count(), 2);
    /// # Ok::<(), mapwright_vmap::WriteError>(())
    /// ```
    ///
    /// When the closure returns, elements that lost their use are removed and the map gets its former layout,
    /// in the order of Hammer if it had that. This takes time in proportion to the map, so make many changes in one edit.
    /// [`ElementId`]s from before are invalid afterwards.
    ///
    /// The result of the closure is returned. If it is an error, the changes up to it stay; to avoid that, edit a clone.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Editor<'_>) -> R) -> R {
        self.edit_with(&EditOptions::default(), change)
    }

    /// Edits the map with the given options, as [`edit`](Self::edit).
    pub fn edit_with<R>(&mut self, options: &EditOptions, change: impl FnOnce(&mut Editor<'_>) -> R) -> R {
        let layout = self.graph().layout();
        let mut editor = Editor::new(self, options.seed);
        let result = change(&mut editor);
        editor.finish();
        self.graph_mut().restore_layout(&layout);
        result
    }
}

impl<'a> Editor<'a> {
    pub(crate) fn new(map: &'a mut Document, seed: Option<u64>) -> Self {
        let ids = Ids::new(map, seed);
        Self {
            map,
            ids,
            pending: HashMap::new(),
            taken: HashMap::new(),
            parents: None,
            removed: Vec::new(),
            models: HashMap::new(),
            assets: Vec::new(),
        }
    }
}

impl Editor<'_> {
    /// Returns the current map. Its list of assets is updated when the edit ends.
    pub fn map(&mut self) -> &Document {
        self.flush();
        self.map
    }

    /// Returns the mutable element graph, for changes that have no method here.
    pub fn graph_mut(&mut self) -> &mut dmx::Document {
        self.flush();
        self.parents = None;
        self.map.graph_mut()
    }

    /// Returns the world: the parent of nodes without a group.
    ///
    /// # Errors
    /// If the map has none.
    pub fn world(&self) -> Result<ElementId, WriteError> {
        self.map.world().map(|world| world.node().id()).ok_or_else(|| error(WriteErrorKind::NoPart { name: "world" }))
    }

    /// Sets the transform of a node. Its children do not move, as transforms are absolute.
    ///
    /// # Errors
    /// If the element is not a node.
    pub fn set_transform(&mut self, node: ElementId, transform: Transform) -> Result<(), WriteError> {
        let Transform { origin, angles, scales } = transform;
        self.node(node)?;
        self.set(node, "origin", Value::Vector3(origin));
        self.set(node, "angles", Value::QAngle(angles));
        self.set(node, "scales", Value::Vector3(scales));
        Ok(())
    }

    /// Sets the name of a node in Hammer's outliner.
    ///
    /// # Errors
    /// If the element is not a node or the name contains a zero byte.
    pub fn set_name(&mut self, node: ElementId, name: impl AsRef<[u8]>) -> Result<(), WriteError> {
        let name = text(name.as_ref())?;
        if self.node(node)?.name() != name {
            let name = self.map.graph_mut().intern(name);
            if let Some(element) = self.map.graph_mut().elements.get_mut(node.index()) {
                element.name = name;
            }
        }
        Ok(())
    }

    /// Shows or hides a node in Hammer. To hide a node from the compiler, set `editorOnly`.
    ///
    /// # Errors
    /// If the element is not a node, or the map has no visibility manager.
    pub fn set_hidden(&mut self, node: ElementId, flags: HiddenFlags) -> Result<(), WriteError> {
        self.set_all_hidden(&[(node, flags)])
    }

    /// Shows or hides many nodes in linear time.
    pub(crate) fn set_all_hidden(&mut self, changes: &[(ElementId, HiddenFlags)]) -> Result<(), WriteError> {
        changes.iter().try_for_each(|(node, _)| self.node(*node).map(|_| ()))?;
        let manager = self.map.visibility().ok_or_else(|| error(WriteErrorKind::NoPart { name: "visbility" }))?;
        let manager = manager.element();
        let mut nodes = match manager.get("nodes") {
            Some(Value::ElementArray(nodes)) => nodes.to_vec(),
            _ => Vec::new(),
        };
        let mut all: Vec<i32> = match manager.get("hiddenFlags") {
            Some(Value::IntArray(flags)) => flags.to_vec(),
            _ => Vec::new(),
        };
        let manager = manager.id();
        // Repair arrays of different length that another program wrote.
        all.resize(nodes.len(), HiddenFlags::VISIBLE.0);
        let listed = nodes.len();
        let mut places: HashMap<Reference, usize> = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            places.entry(*node).or_insert(place);
        }
        for &(node, flags) in changes {
            let node = Reference::Element(node);
            let place = match places.get(&node) {
                Some(&place) => place,
                None if flags.is_visible() => continue,
                None => {
                    places.insert(node, nodes.len());
                    nodes.push(node);
                    all.push(flags.0);
                    continue;
                }
            };
            if let Some(old) = all.get_mut(place) {
                *old = flags.0;
            }
        }
        if nodes.len() > listed {
            self.map.graph_mut().set(manager, "nodes", Value::ElementArray(nodes.into()));
        }
        self.set(manager, "hiddenFlags", Value::IntArray(all.into()));
        Ok(())
    }

    /// Returns a new random identity for an element.
    #[cfg(feature = "scene")]
    pub(crate) fn new_guid(&mut self) -> dmx::Guid {
        self.ids.new_guid(self.map)
    }

    /// Reserves the number of a node of another map. Returns a free one if it is taken.
    pub(crate) fn claim_number(&mut self, number: i32) -> i32 {
        self.ids.claim_number(self.map, number)
    }

    /// Frees the numbers and identities of removed nodes.
    pub(crate) fn release(&mut self, nodes: &HashSet<ElementId>) {
        for node in nodes.iter().filter_map(|id| self.map.graph().element(*id)).map(Node) {
            self.ids.release(self.map, node.node_id().map(|id| id.0), node.reference_id());
        }
    }

    /// Reserves the reference id of a node of another map; `None` if it is taken. 0 is not an id and is never taken.
    pub(crate) fn claim_reference(&mut self, reference: u64) -> Option<u64> {
        if reference == 0 { Some(0) } else { self.ids.claim_reference(self.map, reference) }
    }

    /// Returns a new random reference id.
    pub(crate) fn new_reference(&mut self) -> u64 {
        self.ids.new_reference(self.map)
    }

    /// Reserves the identity of an element of another map. Returns a free one if it is taken.
    pub(crate) fn claim_guid(&mut self, guid: Option<dmx::Guid>) -> dmx::Guid {
        self.ids.claim_guid(self.map, guid)
    }

    /// Removes an element and its parts at the end of the edit, unless something refers to them then.
    pub(crate) fn discard(&mut self, element: ElementId) {
        self.removed.push(element);
    }

    /// Returns the node of an element.
    fn node(&self, id: ElementId) -> Result<Node<'_>, WriteError> {
        self.map.node(id).ok_or_else(|| error(WriteErrorKind::NoNode { element: id }))
    }

    /// Gives an attribute a value, unless it has it already.
    fn set(&mut self, element: ElementId, name: &str, value: Value) {
        let same = self.map.graph().element(element).and_then(|element| element.get(name)) == Some(&value);
        if !same {
            self.map.graph_mut().set(element, name, value);
        }
    }

    /// Sets an attribute to a string, unless it is equal already. Two ids can refer to equal strings.
    fn set_text(&mut self, element: ElementId, name: impl AsRef<[u8]>, text: &[u8]) {
        let name = name.as_ref();
        let same = self.map.graph().element(element).and_then(|element| element.text(name)) == Some(text);
        if !same {
            let value = self.map.graph_mut().string_value(text);
            self.map.graph_mut().set(element, name, value);
        }
    }
}

/// Returns an error without a position in a file.
fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::new(kind, Position::default())
}

/// Checks a string for zero bytes, which end strings in binary files.
fn text(text: &[u8]) -> Result<&[u8], WriteError> {
    if text.contains(&0) { Err(error(dmx::WriteErrorKind::Nul.into())) } else { Ok(text) }
}
