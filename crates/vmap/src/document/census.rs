//! Counts the parts of a map.

use std::collections::{BTreeMap, HashMap};

use super::value::{FromAttribute, Texts};
use super::{Document, NodeKind};

/// Counts of the parts of a map; see [`Document::census`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Census<'a> {
    /// Number of nodes of each class, including the world.
    pub nodes: BTreeMap<&'a [u8], usize>,
    /// Number of nodes with keys for each `classname`, except for the world.
    pub entities: BTreeMap<&'a [u8], usize>,
    /// Number of outputs of all nodes.
    pub outputs: usize,
    /// Number of nodes that Hammer hides.
    pub hidden: usize,
    /// Totals of all meshes.
    pub meshes: MeshTotals,
}

/// Totals of meshes, by the lengths of their index arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MeshTotals {
    /// Number of nodes with a mesh.
    pub meshes: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges; each is two half-edges.
    pub edges: usize,
    /// Number of faces.
    pub faces: usize,
    /// Number of materials, once for each mesh that uses them.
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
                    materials: materials.saturating_add(Texts::new(data, "materials").len()),
                };
            }
        }
        census.hidden = self.visibility().map_or(0, |visibility| visibility.hidden().count());
        census
    }
}
