//! Changing a map.
//!
//! [`Document::edit`] hands out an [`Editor`]. What it does keeps numbers of nodes unique, leaves nothing behind that nothing uses,
//! and when it is done the map is laid out as the program that wrote it would have: only what an edit must change is changed.

mod add;
mod assets;
mod entity;
mod ids;
mod mesh;
mod new;
mod remove;
mod tree;

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{self as dmx, ElementId, Reference, Value};
use mapwright_io::Position;

use crate::{Document, HiddenFlags, Node, Transform, WriteError, WriteErrorKind};
pub use entity::Output;
use ids::Ids;
pub use new::MapOptions;

/// How a map is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EditOptions {
    /// What the random identities of new elements are made of. `None`: of the map, so that the same change of the same map always
    /// gives the same bytes.
    pub seed: Option<u64>,
}

impl EditOptions {
    /// The same with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}

/// A map while it is changed: see [`Document::edit`].
///
/// Elements keep their ids until the edit is finished. A method that fails has changed nothing.
#[derive(Debug)]
pub struct Editor<'a> {
    map: &'a mut Document,
    ids: Ids,
    /// New children that stand in no array yet: arrays are packed, and adding one by one would copy them each time.
    pending: HashMap<ElementId, Vec<Reference>>,
    /// Children that are to be dropped from arrays, for the same reason.
    taken: HashMap<ElementId, HashSet<ElementId>>,
    /// The nodes that each node is a child of, from the first move on until the graph is changed otherwise.
    parents: Option<HashMap<ElementId, Vec<ElementId>>>,
    /// What was taken out of the tree.
    removed: Vec<ElementId>,
    /// An element of each class that was asked for.
    models: HashMap<Vec<u8>, ElementId>,
    /// Assets that are to be listed.
    assets: Vec<Vec<u8>>,
}

impl Document {
    /// Changes the map.
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
    /// When the closure returns, elements that the changes left without use are removed and the map is laid out as it was before,
    /// in the order of Hammer if it had that. That takes time in proportion to the map, so make many changes in one edit.
    /// [`ElementId`]s from before do not hold afterwards.
    ///
    /// What the closure returns is passed on and not looked at: if it gives up half way, what it did until then stays. Where that
    /// must not be, edit a clone.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Editor<'_>) -> R) -> R {
        self.edit_with(&EditOptions::default(), change)
    }

    /// Changes the map as [`edit`](Self::edit), with options.
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
    fn new(map: &'a mut Document, seed: Option<u64>) -> Self {
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
    /// The map as it is now, but for the list of assets, which is brought up to date when the edit is finished.
    pub fn map(&mut self) -> &Document {
        self.flush();
        self.map
    }

    /// The element graph, to change what has no method here.
    pub fn graph_mut(&mut self) -> &mut dmx::Document {
        self.flush();
        self.parents = None;
        self.map.graph_mut()
    }

    /// The world: the parent of what belongs to no group.
    ///
    /// # Errors
    /// If the map has none.
    pub fn world(&self) -> Result<ElementId, WriteError> {
        self.map.world().map(|world| world.node().id()).ok_or_else(|| error(WriteErrorKind::NoPart { name: "world" }))
    }

    /// Moves, turns and scales a node. Its children stay where they are, as transforms are absolute.
    ///
    /// # Errors
    /// If the element is no node.
    pub fn set_transform(&mut self, node: ElementId, transform: Transform) -> Result<(), WriteError> {
        let Transform { origin, angles, scales } = transform;
        self.node(node)?;
        self.set(node, "origin", Value::Vector3(origin));
        self.set(node, "angles", Value::QAngle(angles));
        self.set(node, "scales", Value::Vector3(scales));
        Ok(())
    }

    /// Gives a node another name, which Hammer's outliner shows.
    ///
    /// # Errors
    /// If the element is no node or the name holds a zero byte.
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

    /// Shows or hides a node in Hammer. The compiler does not care; for that set `editorOnly`.
    ///
    /// # Errors
    /// If the element is no node, or the map has no visibility manager.
    pub fn set_hidden(&mut self, node: ElementId, flags: HiddenFlags) -> Result<(), WriteError> {
        self.set_all_hidden(&[(node, flags)])
    }

    /// Shows or hides many nodes, in time that grows with the number of all.
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
        // What another program left unequal is put right.
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

    /// A random identity that no element has.
    #[cfg(feature = "scene")]
    pub(crate) fn guid(&mut self) -> dmx::Guid {
        self.ids.guid(self.map)
    }

    /// The number that a node of another map has, if no node has it here, or one that is free.
    pub(crate) fn claim_number(&mut self, number: i32) -> i32 {
        self.ids.claim_number(self.map, number)
    }

    /// Lets others have the numbers and identities of nodes that go.
    pub(crate) fn release(&mut self, nodes: &HashSet<ElementId>) {
        for node in nodes.iter().filter_map(|id| self.map.graph().element(*id)).map(Node) {
            self.ids.release(self.map, node.node_id().map(|id| id.0), node.reference_id());
        }
    }

    /// The identity that a node of another map has, if no node has it here; zero, which says that there is none, always.
    pub(crate) fn claim_reference(&mut self, reference: u64) -> Option<u64> {
        if reference == 0 { Some(0) } else { self.ids.claim_reference(self.map, reference) }
    }

    /// A random identity that no node has.
    pub(crate) fn reference(&mut self) -> u64 {
        self.ids.reference(self.map)
    }

    /// The identity that an element of another map has, if no element has it here, or one that is free.
    pub(crate) fn claim_guid(&mut self, guid: Option<dmx::Guid>) -> dmx::Guid {
        self.ids.claim_guid(self.map, guid)
    }

    /// Lets an element go when the edit is finished, with what only it refers to, if nothing refers to it then.
    pub(crate) fn discard(&mut self, element: ElementId) {
        self.removed.push(element);
    }

    /// A node, if the element is one.
    fn node(&self, id: ElementId) -> Result<Node<'_>, WriteError> {
        self.map.node(id).ok_or_else(|| error(WriteErrorKind::NoNode { element: id }))
    }

    /// Gives an attribute another value, unless it has that already.
    fn set(&mut self, element: ElementId, name: &str, value: Value) {
        let same = self.map.graph().element(element).and_then(|element| element.get(name)) == Some(&value);
        if !same {
            self.map.graph_mut().set(element, name, value);
        }
    }

    /// Gives an attribute another text, unless it has that already: two ids may be of the same text.
    fn set_text(&mut self, element: ElementId, name: impl AsRef<[u8]>, text: &[u8]) {
        let name = name.as_ref();
        let same = self.map.graph().element(element).and_then(|element| element.text(name)) == Some(text);
        if !same {
            let value = self.map.graph_mut().string_value(text);
            self.map.graph_mut().set(element, name, value);
        }
    }
}

/// An error of editing, which has no place in a file.
fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::new(kind, Position::default())
}

/// A text that can be written: binary files end texts with a zero byte.
fn text(text: &[u8]) -> Result<&[u8], WriteError> {
    if text.contains(&0) { Err(error(dmx::WriteErrorKind::Nul.into())) } else { Ok(text) }
}
