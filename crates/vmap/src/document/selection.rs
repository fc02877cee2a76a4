//! Selection sets.

use mapwright_dmx::ElementRef;

use super::Document;
use super::node::Node;
use super::root::{ints, root_child};
use super::value::view;

view! {
    /// A named set of nodes or faces. Sets form a tree.
    SelectionSet {
        /// Name. Default: empty.
        set_name: &'a [u8] = "selectionSetName", b"";
    }
}

/// Content of a selection set.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum SelectionData<'a> {
    /// Only other sets.
    None,
    /// Nodes.
    Objects(ObjectSelection<'a>),
    /// Faces.
    Faces(FaceSelection<'a>),
    /// Another class: edges or vertices.
    Other(ElementRef<'a>),
}

view! {
    /// Nodes of a selection set.
    ObjectSelection {}
}

impl<'a> ObjectSelection<'a> {
    /// Returns the nodes in order.
    pub fn nodes(self) -> impl Iterator<Item = Node<'a>> {
        self.0.children("selectedObjects").map(Node)
    }
}

view! {
    /// Faces of a selection set. No known file has any, so the relation between the arrays is unknown.
    FaceSelection {}
}

impl<'a> FaceSelection<'a> {
    /// Returns numbers of faces.
    pub fn faces(self) -> &'a [i32] {
        ints(self.0, "faces")
    }

    /// Returns meshes.
    pub fn meshes(self) -> impl Iterator<Item = ElementRef<'a>> {
        self.0.children("meshes")
    }
}

impl<'a> SelectionSet<'a> {
    /// Returns the content.
    pub fn data(self) -> SelectionData<'a> {
        match self.0.child("selectionSetData") {
            None => SelectionData::None,
            Some(data) if data.is("CObjectSelectionSetDataElement") => SelectionData::Objects(ObjectSelection(data)),
            Some(data) if data.is("CFaceSelectionSetDataElement") => SelectionData::Faces(FaceSelection(data)),
            Some(data) => SelectionData::Other(data),
        }
    }

    /// Returns the child sets. To walk the tree, use [`selection_sets`](Document::selection_sets), which is safe on cycles.
    pub fn children(self) -> impl DoubleEndedIterator<Item = SelectionSet<'a>> {
        self.0.children("children").map(SelectionSet)
    }
}

impl Document {
    /// Returns the hidden set at the root of the tree.
    pub fn root_selection_set(&self) -> Option<SelectionSet<'_>> {
        root_child(self, &["rootSelectionSet"]).map(SelectionSet)
    }

    /// Returns all selection sets in depth-first order, each once, with their depth: 0 for the hidden root.
    pub fn selection_sets(&self) -> impl Iterator<Item = (SelectionSet<'_>, usize)> {
        let mut next: Vec<_> = self.root_selection_set().map(|root| (root, 0_usize)).into_iter().collect();
        let mut seen = vec![false; self.graph().elements.len()];
        std::iter::from_fn(move || {
            loop {
                let (set, depth) = next.pop()?;
                let Some(seen) = seen.get_mut(set.0.id().index()) else { continue };
                if !std::mem::replace(seen, true) {
                    next.extend(set.children().rev().map(|child| (child, depth.saturating_add(1))));
                    return Some((set, depth));
                }
            }
        })
    }
}
