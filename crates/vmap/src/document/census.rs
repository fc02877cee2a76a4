//! How much of what a map has.

use std::collections::{BTreeMap, HashMap};

use super::value::{FromAttribute, Texts};
use super::{Document, NodeKind};

/// How much of what a map has: see [`Document::census`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Census<'a> {
    /// How many nodes there are of each class, the world included.
    pub nodes: BTreeMap<&'a [u8], usize>,
    /// How many nodes with keys there are of each `classname`, the world excluded.
    pub entities: BTreeMap<&'a [u8], usize>,
    /// Outputs of all nodes.
    pub outputs: usize,
    /// Nodes that Hammer does not show.
    pub hidden: usize,
    /// All meshes together.
    pub meshes: MeshTotals,
}

/// What meshes have together, by the lengths of their index arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MeshTotals {
    /// Nodes with a mesh.
    pub meshes: usize,
    /// Vertices.
    pub vertices: usize,
    /// Edges; each is two half-edges.
    pub edges: usize,
    /// Faces.
    pub faces: usize,
    /// Materials, as often as meshes have them.
    pub materials: usize,
}

impl Document {
    /// Counts nodes, entities and meshes below the world.
    pub fn census(&self) -> Census<'_> {
        let mut census = Census::default();
        let mut classnames = HashMap::new();
        let bump = |count: &mut usize| *count = count.saturating_add(1);
        for node in self.nodes().map(|visit| visit.node) {
            bump(census.nodes.entry(node.class()).or_default());
            census.outputs = census.outputs.saturating_add(node.connections().count());
            if let (Some(entity), false) = (node.entity(), matches!(node.kind(), NodeKind::World(_))) {
                // Nodes may share their keys, which may be many.
                let id = entity.properties().id();
                let classname = *classnames.entry(id).or_insert_with(|| entity.classname());
                bump(census.entities.entry(classname).or_default());
            }
            if let Some(data) = node.mesh().and_then(super::MapMesh::data) {
                let length = |name| <&[i32]>::read(data, name).map_or(0, <[i32]>::len);
                let MeshTotals { meshes, vertices, edges, faces, materials } = census.meshes;
                census.meshes = MeshTotals {
                    meshes: meshes.saturating_add(1),
                    vertices: vertices.saturating_add(length("vertexEdgeIndices")),
                    edges: edges.saturating_add(length("edgeVertexIndices") / 2),
                    faces: faces.saturating_add(length("faceEdgeIndices")),
                    materials: materials.saturating_add(Texts::of(data, "materials").len()),
                };
            }
        }
        census.hidden = self.visibility().map_or(0, |visibility| visibility.hidden().count());
        census
    }
}
