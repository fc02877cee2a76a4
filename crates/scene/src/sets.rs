//! Named selections.

use crate::{NodeId, Properties};

/// A named selection of nodes or of parts of their meshes.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NamedSet {
    /// The name. Empty: the current selection.
    pub name: String,
    /// The members in order.
    pub members: Vec<(NodeId, Elements)>,
    /// Other data of the file.
    pub properties: Properties,
}

/// The part of a node in a set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Elements {
    /// The whole node.
    Node,
    /// Vertices of its mesh.
    Vertices(Vec<u32>),
    /// Edges of its mesh: the two vertices, smaller first.
    Edges(Vec<[u32; 2]>),
    /// Faces of its mesh.
    Faces(Vec<u32>),
}
