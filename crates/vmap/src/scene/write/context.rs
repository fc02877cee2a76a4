//! State that the steps of writing share.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene::{Content, Losses, MeshId, Node, NodeId, Scene, Transform};

use super::super::conventions::{is_rounded, narrow};
use super::super::linked::LinkedScene;
use super::reachable::{ReachableNode, reachable_nodes};
use crate::{Editor, HiddenFlags, WriteError};

/// A scene that is written into a map.
pub(super) struct WriteContext<'a, 'e, 'm> {
    pub(super) scene: &'a Scene,
    /// The scene of the map before the change; `None` for a new map.
    pub(super) base: Option<&'a LinkedScene>,
    pub(super) editor: &'e mut Editor<'m>,
    pub(super) losses: Losses,
    pub(super) reachable: Vec<ReachableNode>,
    /// Element of each node; `None` for unreachable nodes and for content that maps do not have.
    pub(super) elements: Vec<Option<ElementId>>,
    /// Node of the base for each node; `None` for new ones.
    pub(super) old: Vec<Option<NodeId>>,
    /// World transform of each node of the base.
    pub(super) old_worlds: Vec<Option<Transform>>,
    /// The element of the world.
    pub(super) world: ElementId,
    pub(super) groups: TargetGroups,
    /// Numbers of nodes that overlays refer to: the one in the scene, and the one in the map.
    pub(super) numbers: HashMap<i64, i32>,
    /// Nodes whose visibility changes.
    pub(super) hidden: Vec<(ElementId, HiddenFlags)>,
    /// Number of numbers that single precision cannot represent.
    pub(super) rounded: usize,
    /// Number of strings from which zero bytes were removed.
    pub(super) shortened_texts: usize,
}

/// Groups that instances refer to.
#[derive(Default)]
pub(super) struct TargetGroups {
    /// Group for each node that instances show.
    pub(super) by_node: HashMap<NodeId, ElementId>,
    /// Groups that wrap a single element, by element. The group is its parent instead of that of the node.
    pub(super) wrapped: HashMap<ElementId, ElementId>,
    /// Groups of meshes that several new nodes share; `None` until the group is created.
    pub(super) by_mesh: HashMap<MeshId, Option<ElementId>>,
}

impl TargetGroups {
    /// Returns `true` if nodes with this content become instances of a shared mesh.
    pub(super) fn is_shared(&self, content: &Content) -> bool {
        matches!(content, Content::Mesh(id) if self.by_mesh.contains_key(id))
    }
}

impl<'a, 'e, 'm> WriteContext<'a, 'e, 'm> {
    pub(super) fn new(
        scene: &'a Scene,
        base: Option<&'a LinkedScene>,
        editor: &'e mut Editor<'m>,
        losses: Losses,
    ) -> Result<Self, WriteError> {
        let world = editor.world()?;
        Ok(Self {
            scene,
            base,
            editor,
            losses,
            reachable: reachable_nodes(scene),
            elements: vec![None; scene.nodes.len()],
            old: vec![None; scene.nodes.len()],
            old_worlds: Vec::new(),
            world,
            groups: TargetGroups::default(),
            numbers: HashMap::new(),
            hidden: Vec::new(),
            rounded: 0,
            shortened_texts: 0,
        })
    }

    /// Returns the element of a node.
    pub(super) fn element(&self, id: NodeId) -> Option<ElementId> {
        self.elements[id.index()]
    }

    /// Returns an element of the map.
    pub(super) fn element_ref(&mut self, id: ElementId) -> Option<ElementRef<'_>> {
        self.editor.map().graph().element(id)
    }

    /// Returns the base node that this node came from.
    pub(super) fn old_node(&self, id: NodeId) -> Option<&'a Node> {
        Some(&self.base?.scene.nodes[self.old[id.index()]?])
    }

    /// Returns the world transform of a node in the base.
    pub(super) fn old_world(&self, id: NodeId) -> Option<Transform> {
        self.old_worlds[self.old[id.index()]?.index()]
    }

    /// Returns the element to add a new node below.
    pub(super) fn parent_element(&self, reachable: &ReachableNode) -> ElementId {
        // Elements of stored cameras are not nodes and have no children.
        let is_stored_camera =
            |id: &NodeId| matches!(self.scene.nodes[*id].content, Content::Camera(_)) && self.old_node(*id).is_some();
        let parent = reachable.parent.filter(|id| !is_stored_camera(id));
        parent.and_then(|parent| self.element(parent)).unwrap_or(self.world)
    }

    /// Returns the elements of the base that no node of the scene has any more.
    pub(super) fn removed_elements(&self) -> HashSet<ElementId> {
        let kept: HashSet<ElementId> = self.elements.iter().flatten().copied().collect();
        let old = self.base.map_or(&[][..], |base| base.elements.as_slice());
        old.iter().copied().filter(|element| !kept.contains(element)).collect()
    }

    /// Rounds to single precision and counts numbers that change.
    pub(super) fn narrow(&mut self, number: f64) -> f32 {
        self.rounded += usize::from(is_rounded(number));
        narrow(number)
    }

    /// Removes zero bytes from a string, and counts strings that change. Binary files end strings with a zero byte.
    pub(super) fn without_zero_bytes(&mut self, text: &str) -> String {
        let plain = text.replace('\0', "");
        self.shortened_texts += usize::from(plain.len() != text.len());
        plain
    }

    /// Gives an attribute a value, unless it has it already. Discards elements that only the old value referred to.
    pub(super) fn set(&mut self, element: ElementId, name: &str, value: Value) {
        if self.element_ref(element).and_then(|element| element.get(name)) != Some(&value) {
            self.discard_value(element, name);
            self.editor.graph_mut().set(element, name, value);
        }
    }

    /// Gives an attribute a value, unless a new element lacks the attribute and the value is the default.
    pub(super) fn set_unless_default(
        &mut self,
        element: ElementId,
        name: &str,
        value: Value,
        default: &Value,
        is_new: bool,
    ) {
        let is_stated = self.element_ref(element).is_some_and(|element| element.get(name).is_some());
        if is_stated || !is_new || value != *default {
            self.set(element, name, value);
        }
    }

    /// Removes an attribute, and discards elements that only it referred to.
    pub(super) fn unset(&mut self, element: ElementId, name: &str) {
        self.discard_value(element, name);
        self.editor.graph_mut().unset(element, name);
    }

    fn discard_value(&mut self, element: ElementId, name: &str) {
        let old = self.element_ref(element).and_then(|element| element.get(name));
        let elements: Vec<ElementId> = old.map_or_else(Vec::new, |old| old.elements().collect());
        elements.into_iter().for_each(|old| self.editor.discard(old));
    }

    /// Sets an attribute to a string, unless it is equal already.
    pub(super) fn set_text(&mut self, element: ElementId, name: &str, text: &str) {
        let text = self.without_zero_bytes(text);
        if self.element_ref(element).and_then(|element| element.text(name)) != Some(text.as_bytes()) {
            let value = self.editor.graph_mut().string_value(text);
            self.editor.graph_mut().set(element, name, value);
        }
    }

    /// Sets an attribute to a list of strings, unless it is equal already.
    pub(super) fn set_texts(&mut self, element: ElementId, name: &str, texts: &[String]) {
        let graph = self.editor.graph_mut();
        let is_same = graph.element(element).is_some_and(|element| {
            matches!(element.get(name), Some(Value::StringArray(_)))
                && element.texts(name).eq(texts.iter().map(String::as_bytes))
        });
        if !is_same {
            let value = graph.string_array(texts);
            graph.set(element, name, value);
        }
    }
}

/// Returns the path of a node of the scene in losses.
pub(super) fn node_path(id: NodeId) -> String {
    format!("nodes[{}]", id.index())
}
