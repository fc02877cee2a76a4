//! Moves nodes in the tree.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, Reference, Value};

use super::{Editor, error};
use crate::{Document, Node, WriteError, WriteErrorKind};

impl Editor<'_> {
    /// Moves a node with its descendants to another parent. Its world transform stays, as transforms are absolute.
    ///
    /// The first move of an edit, and the first after a removal or a call of [`graph_mut`](Self::graph_mut), takes time in
    /// proportion to the map; others in proportion to the depth of the new parent.
    ///
    /// # Errors
    /// If either is not a node, if the node is the world or the visibility manager, or if the parent is the node or below it.
    pub fn move_to(&mut self, node: ElementId, parent: ElementId) -> Result<(), WriteError> {
        self.node(parent)?;
        self.check_movable(node)?;
        if self.parents.is_none() {
            self.flush();
        }
        let map = &*self.map;
        let parents = self.parents.get_or_insert_with(|| parents(map));
        if is_above(parents, node, parent) {
            return Err(error(WriteErrorKind::Below));
        }
        let old = parents.remove(&node).unwrap_or_default();
        if old == [parent] {
            parents.insert(node, old);
            return Ok(());
        }
        for old in old {
            self.taken.entry(old).or_default().insert(node);
        }
        self.adopt(parent, node);
        Ok(())
    }

    /// Rejects nodes that cannot move: the world and the visibility manager.
    pub(super) fn check_movable(&self, node: ElementId) -> Result<(), WriteError> {
        let found = self.node(node)?;
        let fixed = found.element().is("CMapWorld") || found.element().is("CVisibilityMgr");
        let class = String::from_utf8_lossy(found.class()).into_owned();
        if fixed { Err(error(WriteErrorKind::OnlyOne { class })) } else { Ok(()) }
    }

    /// Adds a child without a parent to a node.
    pub(super) fn adopt(&mut self, parent: ElementId, child: ElementId) {
        self.pending.entry(parent).or_default().push(Reference::Element(child));
        if let Some(parents) = &mut self.parents {
            parents.entry(child).or_default().push(parent);
        }
    }

    /// Writes pending changes of children to their arrays.
    pub(super) fn flush(&mut self) {
        let changed: HashSet<ElementId> = self.pending.keys().chain(self.taken.keys()).copied().collect();
        for parent in changed {
            let taken = self.taken.remove(&parent).unwrap_or_default();
            let mut new = self.pending.remove(&parent).unwrap_or_default();
            if !taken.is_empty() {
                new = self.remaining_children(parent, &new, &taken);
            }
            if let Some(Value::ElementArray(children)) = self.map.graph_mut().value_mut(parent, "children") {
                let kept = retain_references(children, |child| taken.contains(&child));
                *children = kept.into_iter().chain(new).collect();
            }
        }
    }

    /// Returns the new children that were not moved away again. A child that came back has its last position.
    fn remaining_children(&self, parent: ElementId, new: &[Reference], taken: &HashSet<ElementId>) -> Vec<Reference> {
        let parents = |child: &ElementId| self.parents.as_ref().and_then(|parents| parents.get(child));
        let mut seen = HashSet::new();
        let stays = |child: &&Reference| match child {
            Reference::Element(id) if taken.contains(id) => {
                parents(id).is_some_and(|parents| parents.contains(&parent)) && seen.insert(*id)
            }
            _ => true,
        };
        let mut stayed: Vec<Reference> = new.iter().rev().filter(stays).copied().collect();
        stayed.reverse();
        stayed
    }
}

/// Returns the parents of each node; one in a valid map.
fn parents(map: &Document) -> HashMap<ElementId, Vec<ElementId>> {
    let mut parents: HashMap<ElementId, Vec<ElementId>> = HashMap::new();
    for parent in map.graph().iter().filter_map(|element| map.node(element.id())) {
        for child in parent.children().map(Node::id) {
            let above = parents.entry(child).or_default();
            if above.last() != Some(&parent.id()) {
                above.push(parent.id());
            }
        }
    }
    parents
}

/// Returns `true` if a node is the other or one of its ancestors.
fn is_above(parents: &HashMap<ElementId, Vec<ElementId>>, node: ElementId, other: ElementId) -> bool {
    let mut seen = HashSet::from([other]);
    let mut next = vec![other];
    while let Some(id) = next.pop() {
        if id == node {
            return true;
        }
        next.extend(parents.get(&id).into_iter().flatten().filter(|parent| seen.insert(**parent)));
    }
    false
}

/// Returns the references except for unwanted ones.
pub(super) fn retain_references(references: &[Reference], unwanted: impl Fn(ElementId) -> bool) -> Box<[Reference]> {
    let wanted = |reference: &&Reference| !matches!(reference, Reference::Element(id) if unwanted(*id));
    references.iter().filter(wanted).copied().collect()
}
