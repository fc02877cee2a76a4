//! State that the steps of writing share, and lists whose entries are nodes of the scene.

use std::collections::HashMap;

use mapwright_scene::{Content, Losses, Node, NodeId, Scene, Transform, Visit};

use crate::scene::imported::ImportedScene;
use crate::{Model, WriteError};

/// State that the steps of writing share.
pub(super) struct WriteContext<'a> {
    pub(super) scene: &'a Scene,
    /// The document that the scene came from, as it was read.
    pub(super) base: Option<&'a ImportedScene>,
    /// The model that is written. It begins as the model of the base.
    pub(super) model: Model,
    pub(super) losses: Losses,
    /// State of the nodes by index.
    nodes: Vec<NodeState>,
    /// Nodes of the base by key, without those that a node of the scene has claimed.
    unclaimed: HashMap<&'a str, NodeId>,
}

/// State of a node that depends on its ancestors.
#[derive(Clone, Default)]
struct NodeState {
    /// `true` if the node or an ancestor is locked.
    is_locked: bool,
    world: Transform,
}

impl<'a> WriteContext<'a> {
    pub(super) fn new(scene: &'a Scene, base: Option<&'a ImportedScene>, losses: Losses) -> Self {
        let mut nodes = vec![NodeState::default(); scene.nodes.len()];
        for visit in scene.walk() {
            let is_locked = visit.node.locked || visit.parent.is_some_and(|parent| nodes[parent.index()].is_locked);
            nodes[visit.id.index()] = NodeState { is_locked, world: visit.world };
        }
        let keys = base.map(|base| base.scene.nodes.iter().filter_map(|(id, node)| Some((node.key.as_deref()?, id))));
        Self {
            scene,
            base,
            model: base.map_or_else(|| Model { version: 2, ..Model::default() }, |base| base.model.clone()),
            losses,
            nodes,
            unclaimed: keys.into_iter().flatten().collect(),
        }
    }

    /// Returns `true` if a node or an ancestor is locked.
    pub(super) fn is_locked(&self, node: NodeId) -> bool {
        self.nodes[node.index()].is_locked
    }

    /// Returns the transform from the space of a node to that of the scene.
    pub(super) fn world(&self, node: Option<NodeId>) -> Transform {
        node.map_or_else(Transform::default, |node| self.nodes[node.index()].world)
    }

    /// Finds the entry of a list with the key of a node. Only the first node with a key gets its entry.
    pub(super) fn claim_entry(&mut self, node: &'a Node, list: &str) -> Option<(usize, &'a Node)> {
        let key = node.key.as_deref()?;
        let index = key.strip_prefix(list)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        let old = self.unclaimed.remove(key)?;
        Some((index, &self.base?.scene.nodes[old]))
    }
}

/// A node that is written as an entry of a list, with its content.
pub(super) struct Entry<'v, 'a, C> {
    pub(super) visit: &'v Visit<'a>,
    pub(super) content: &'a C,
    /// The node that the entry was read into, with its content.
    pub(super) old: Option<(&'a Node, &'a C)>,
    pub(super) path: String,
}

impl<C: PartialEq> Entry<'_, '_, C> {
    /// Returns `true` if neither the node nor its content has changed.
    pub(super) fn is_unchanged(&self) -> bool {
        let is_same = |(node, content): (&Node, &C)| *node == *self.visit.node && content == self.content;
        self.old.is_some_and(is_same) && self.visit.parent.is_none()
    }
}

/// Writes nodes as entries of a list. Old entries come first and keep their order; new ones follow.
///
/// `content` returns the content of a node, and `write_entry` changes an old entry or makes a new one.
pub(super) fn write_entries<'a, T: Clone, C>(
    context: &mut WriteContext<'a>,
    list: &str,
    olds: &[T],
    visits: &[Visit<'a>],
    content: fn(&'a Scene, &Content) -> Option<&'a C>,
    mut write_entry: impl FnMut(&mut WriteContext<'a>, Option<T>, &Entry<'_, 'a, C>) -> Result<T, WriteError>,
) -> Result<Vec<T>, WriteError> {
    let mut written: Vec<(usize, T)> = Vec::new();
    for visit in visits {
        let old = context.claim_entry(visit.node, list);
        let old = old.and_then(|(index, node)| Some((index, node, content(&context.base?.scene, &node.content)?)));
        let index = old.map_or(usize::MAX, |(index, ..)| index);
        let entry = Entry {
            visit,
            content: content(context.scene, &visit.node.content).expect("nodes were selected by their content"),
            old: old.map(|(_, node, content)| (node, content)),
            path: format!("nodes[{}]", visit.id.index()),
        };
        written.push((index, write_entry(context, olds.get(index).cloned(), &entry)?));
    }
    written.sort_by_key(|(index, _)| *index);
    Ok(written.into_iter().map(|(_, entry)| entry).collect())
}
