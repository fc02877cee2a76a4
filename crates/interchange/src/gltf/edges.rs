//! Hard edges, derived from normals.

use mapwright_scene::{
    Mesh,
    transform::{dot, sub},
};

/// Squared distance of two normals that counts as a difference: 0.02°, as in Wings 3D.
const DIFFERENT: f64 = 1e-7;

/// Returns `true` if two unit normals count as different.
pub(super) fn differ(a: [f64; 3], b: [f64; 3]) -> bool {
    let between = sub(a, b);
    dot(between, between) > DIFFERENT
}

/// Returns the edges between two faces whose normals differ at one end or both, sorted, the smaller vertex first.
pub(super) fn split_edges(mesh: &Mesh, normals: &[[f64; 3]]) -> Vec<[u32; 2]> {
    if !vertices_split(mesh, normals) {
        return Vec::new();
    }
    let normal = |corner: usize| normals.get(corner).copied().unwrap_or_default();
    let sides = mesh.edge_sides();
    let is_split = |edge: &[mapwright_scene::EdgeSide]| match edge {
        [a, b] if a.forward != b.forward => {
            let ends = a.corners().into_iter().zip(b.corners());
            ends.into_iter().any(|(a, b)| differ(normal(a), normal(b))).then_some(a.vertices)
        }
        _ => None,
    };
    sides.chunk_by(|a, b| a.vertices == b.vertices).filter_map(is_split).collect()
}

/// Returns `true` if any vertex has different normals. Otherwise no edge is hard, and this is faster to find than edges.
fn vertices_split(mesh: &Mesh, normals: &[[f64; 3]]) -> bool {
    let mut first = vec![None; mesh.positions.len()];
    mesh.faces.corners().iter().zip(normals).any(|(&vertex, &normal)| match first.get_mut(vertex as usize) {
        Some(first) => differ(*first.get_or_insert(normal), normal),
        None => false,
    })
}
