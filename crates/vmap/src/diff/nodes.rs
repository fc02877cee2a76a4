//! The trees of two maps.

use std::collections::HashMap;

use mapwright_dmx::diff::{FieldChange, Matching};
use mapwright_dmx::{ElementId, ElementRef};
use mapwright_io::diff::join_first;

use crate::document::Node;
use crate::{Document, HiddenFlags};

/// The nodes of a map with their parents and children.
pub(super) struct Tree<'a> {
    map: &'a Document,
    /// Nodes in depth-first order.
    pub(super) order: Vec<ElementId>,
    parents: HashMap<ElementId, Option<ElementId>>,
    children: HashMap<ElementId, Vec<ElementId>>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(map: &'a Document) -> Self {
        let mut tree = Self { map, order: Vec::new(), parents: HashMap::new(), children: HashMap::new() };
        for visit in map.nodes() {
            let (id, parent) = (visit.node.id(), visit.parent.map(Node::id));
            tree.order.push(id);
            tree.parents.insert(id, parent);
            if let Some(parent) = parent {
                tree.children.entry(parent).or_default().push(id);
            }
        }
        tree
    }

    pub(super) fn has(&self, id: ElementId) -> bool {
        self.parents.contains_key(&id)
    }

    pub(super) fn node(&self, id: ElementId) -> Option<Node<'a>> {
        if self.has(id) { self.map.graph().element(id).map(Node) } else { None }
    }

    fn parent(&self, id: ElementId) -> Option<ElementId> {
        self.parents.get(&id).copied().flatten()
    }

    /// Compares the parent of a node and the order of its children.
    pub(super) fn compare_places(
        &self,
        new: &Self,
        pairs: &Matching<'_>,
        (one, other): (ElementId, ElementId),
        label: &dyn Fn(ElementRef<'_>) -> String,
    ) -> Vec<FieldChange> {
        let mut fields = Vec::new();
        let (before, now) = (self.parent(one), new.parent(other));
        if before.map(|parent| pairs.new_of(parent)) != now.map(Some) {
            let name = |tree: &Self, parent: Option<ElementId>| {
                parent.and_then(|id| tree.node(id)).map_or("none".to_owned(), |node| label(node.element()))
            };
            fields.push(FieldChange::new("parent", name(self, before), name(new, now)));
        }
        let children = |tree: &Self, id: ElementId| tree.children.get(&id).cloned().unwrap_or_default();
        let stayed = |child: &ElementId| pairs.new_of(*child).filter(|child| new.parent(*child) == Some(other));
        let olds: Vec<_> = children(self, one).iter().filter_map(stayed).collect();
        let stayed = |child: &ElementId| pairs.old_of(*child).is_some_and(|child| self.parent(child) == Some(one));
        let news: Vec<_> = children(new, other).into_iter().filter(stayed).collect();
        let moved: Vec<_> = olds.into_iter().zip(news).filter(|(old, new)| old != new).collect();
        if !moved.is_empty() {
            let names = |ids: &mut dyn Iterator<Item = ElementId>| {
                join_first(ids.filter_map(|id| new.node(id)), |node| label(node.element()))
            };
            let (old, new) = (names(&mut moved.iter().map(|pair| pair.0)), names(&mut moved.iter().map(|pair| pair.1)));
            fields.push(FieldChange::new("order of children", old, new));
        }
        fields
    }
}

/// Pairs the roots and the nodes of two maps. The first node is the world.
pub(crate) fn pair_nodes(pairs: &mut Matching<'_>, old: &[ElementId], new: &[ElementId]) {
    pairs.add(ElementId::ROOT, ElementId::ROOT);
    if let (Some(old), Some(new)) = (old.first(), new.first()) {
        pairs.add(*old, *new);
    }
    let reference = |element| Node(element).reference_id().filter(|id| *id != 0);
    pairs.by_unique_key(old, new, reference);
    let number = |element| Node(element).node_id().map(|id| (id, Node(element).class()));
    pairs.by_unique_key(old, new, number);
    pairs.by_unique_key(old, new, ElementRef::guid);
}

/// Returns the flags of the nodes that the visibility manager lists.
pub(super) fn hidden_flags(map: &Document) -> HashMap<ElementId, HiddenFlags> {
    let nodes = map.visibility().into_iter().flat_map(crate::Visibility::nodes);
    nodes.map(|(node, flags)| (node.id(), flags)).collect()
}

pub(crate) fn hidden_text(flags: HiddenFlags) -> String {
    flags.name().map_or_else(|| flags.0.to_string(), str::to_owned)
}
