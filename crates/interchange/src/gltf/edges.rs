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

/// Returns the edges between two faces whose normals differ at one end or both, sorted, the smaller vertex first. `normal` returns the
/// normal of a corner.
pub(super) fn split_edges(mesh: &Mesh, normal: impl Fn(usize) -> [f64; 3]) -> Vec<[u32; 2]> {
    if !vertices_split(mesh, &normal) {
        return Vec::new();
    }
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

/// Returns `true` if any vertex has different normals. Otherwise no edge is hard. This check is faster than the search of edges.
fn vertices_split(mesh: &Mesh, normal: impl Fn(usize) -> [f64; 3]) -> bool {
    /// A vertex without a corner.
    const NONE: usize = usize::MAX;
    let mut first = vec![NONE; mesh.positions.len()];
    mesh.faces.corners().iter().enumerate().any(|(corner, &vertex)| match first.get_mut(vertex as usize) {
        Some(first) if *first == NONE => {
            *first = corner;
            false
        }
        Some(first) => differ(normal(*first), normal(corner)),
        None => false,
    })
}
