//! Selection sets.

use mapwright_dmx::ElementRef;

use super::Document;
use super::node::Node;
use super::root::{ints, part};
use super::value::view;

view! {
    /// A set of nodes or faces that the user gave a name. Sets form a tree.
    SelectionSet {
        /// The name (empty).
        set_name: &'a [u8] = "selectionSetName", b"";
    }
}

/// What a selection set holds.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum SelectionData<'a> {
    /// Nothing but other sets.
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
    /// The nodes, in order.
    pub fn nodes(self) -> impl Iterator<Item = Node<'a>> {
        self.0.children("selectedObjects").map(Node)
    }
}

view! {
    /// Faces of a selection set. No file with faces is known, so how the arrays go together is not, either.
    FaceSelection {}
}

impl<'a> FaceSelection<'a> {
    /// Numbers of faces.
    pub fn faces(self) -> &'a [i32] {
        ints(self.0, "faces")
    }

    /// Meshes.
    pub fn meshes(self) -> impl Iterator<Item = ElementRef<'a>> {
        self.0.children("meshes")
    }
}

impl<'a> SelectionSet<'a> {
    /// What it holds.
    pub fn data(self) -> SelectionData<'a> {
        match self.0.child("selectionSetData") {
            None => SelectionData::None,
            Some(data) if data.is("CObjectSelectionSetDataElement") => SelectionData::Objects(ObjectSelection(data)),
            Some(data) if data.is("CFaceSelectionSetDataElement") => SelectionData::Faces(FaceSelection(data)),
            Some(data) => SelectionData::Other(data),
        }
    }

    /// The sets below it. To walk the tree use [`selection_sets`](Document::selection_sets), which is safe on cycles.
    pub fn children(self) -> impl DoubleEndedIterator<Item = SelectionSet<'a>> {
        self.0.children("children").map(SelectionSet)
    }
}

impl Document {
    /// The hidden set above all others.
    pub fn root_selection_set(&self) -> Option<SelectionSet<'_>> {
        part(self, &["rootSelectionSet"]).map(SelectionSet)
    }

    /// All selection sets, depth first, each once, with the number of sets above them: 0 for the hidden one.
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
