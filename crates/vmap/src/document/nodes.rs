//! The tree of nodes.

use mapwright_dmx::{ElementId, Value};

use super::Document;
use super::node::{Node, NodeId};

/// A node with its parent and depth.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// The node.
    pub node: Node<'a>,
    /// The parent; `None` for the world.
    pub parent: Option<Node<'a>>,
    /// Number of ancestors: 0 for the world.
    pub depth: usize,
}

/// The nodes of a map in depth-first order; see [`Document::nodes`].
#[derive(Debug, Clone)]
pub struct Nodes<'a> {
    next: Vec<Visit<'a>>,
    seen: Vec<bool>,
}

impl<'a> Nodes<'a> {
    /// Iterates over a node and its descendants.
    fn below(document: &'a Document, top: Option<Node<'a>>) -> Self {
        let next = top.map(|node| Visit { node, parent: None, depth: 0 }).into_iter().collect();
        Self { next, seen: vec![false; document.graph().elements.len()] }
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Visit<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let visit = self.next.pop()?;
            let Some(seen) = self.seen.get_mut(visit.node.id().index()) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            let (parent, depth) = (Some(visit.node), visit.depth.saturating_add(1));
            self.next.extend(visit.node.children().rev().map(|node| Visit { node, parent, depth }));
            return Some(visit);
        }
    }
}

impl Document {
    /// Returns the world and all nodes below it, depth first and in file order. Each comes once, even if it is a child of several
    /// nodes or of itself.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::below(self, self.world().map(super::root::World::node))
    }

    /// Returns a node and all nodes below it, as [`nodes`](Self::nodes) does. The node itself comes first, with depth 0.
    pub fn nodes_below(&self, top: ElementId) -> Nodes<'_> {
        Nodes::below(self, self.node(top))
    }

    /// Returns a node by the id of its element; `None` if the element is not a node: it has no array `children`.
    pub fn node(&self, id: ElementId) -> Option<Node<'_>> {
        self.graph()
            .element(id)
            .filter(|element| matches!(element.get("children"), Some(Value::ElementArray(_))))
            .map(Node)
    }

    /// Finds the first node with a number in linear time. To find many, iterate over [`nodes`](Self::nodes) once.
    pub fn find(&self, id: NodeId) -> Option<Node<'_>> {
        self.nodes().map(|visit| visit.node).find(|node| node.node_id() == Some(id))
    }
}
