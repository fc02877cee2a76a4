//! The tree of nodes.

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error};
use crate::{Node, WriteError, WriteErrorKind};

impl Editor<'_> {
    /// Takes a node with all below it from its parent to another. It keeps its place in the world, as transforms are absolute.
    ///
    /// # Errors
    /// If either is no node, if the node is the world or the visibility manager, or if the parent is the node or below it.
    pub fn move_to(&mut self, node: ElementId, parent: ElementId) -> Result<(), WriteError> {
        self.flush();
        self.node(parent)?;
        self.movable(node)?;
        if self.map.nodes_below(node).any(|visit| visit.node.id() == parent) {
            return Err(error(WriteErrorKind::Below));
        }
        let parents: Vec<ElementId> = self.parents(node);
        if parents == [parent] {
            return Ok(());
        }
        for old in parents {
            self.drop_children(old, |child| child == node);
        }
        self.pending.entry(parent).or_default().push(Reference::Element(node));
        Ok(())
    }

    /// Refuses what has its place.
    pub(super) fn movable(&self, node: ElementId) -> Result<(), WriteError> {
        let found = self.node(node)?;
        let fixed = found.element().is("CMapWorld") || found.element().is("CVisibilityMgr");
        let class = String::from_utf8_lossy(found.class()).into_owned();
        if fixed { Err(error(WriteErrorKind::OnlyOne { class })) } else { Ok(()) }
    }

    /// The nodes that a node is a child of: one, if all is well.
    fn parents(&self, node: ElementId) -> Vec<ElementId> {
        let nodes = self.map.graph().iter().filter_map(|element| self.map.node(element.id()));
        nodes.filter(|parent| parent.children().any(|child| child.id() == node)).map(Node::id).collect()
    }

    /// Drops children of a node.
    pub(super) fn drop_children(&mut self, parent: ElementId, unwanted: impl Fn(ElementId) -> bool) {
        if let Some(Value::ElementArray(children)) = self.map.graph_mut().value_mut(parent, "children") {
            *children = without(children, unwanted);
        }
    }

    /// Writes down the children that were added.
    pub(super) fn flush(&mut self) {
        for (parent, new) in self.pending.drain() {
            if let Some(Value::ElementArray(children)) = self.map.graph_mut().value_mut(parent, "children") {
                *children = children.iter().copied().chain(new).collect();
            }
        }
    }
}

/// References but for some.
pub(super) fn without(references: &[Reference], unwanted: impl Fn(ElementId) -> bool) -> Box<[Reference]> {
    let wanted = |reference: &&Reference| !matches!(reference, Reference::Element(id) if unwanted(*id));
    references.iter().filter(wanted).copied().collect()
}
