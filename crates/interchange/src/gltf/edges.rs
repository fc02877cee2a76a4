//! Hard edges, derived from normals.

use mapwright_scene::{
    Mesh, NO_ROW,
    transform::{dot, sub},
};

/// Squared distance of two normals that counts as a difference: 0.02°, as in Wings 3D.
const DIFFERENT: f64 = 1e-7;

/// Returns `true` if two unit normals count as different.
pub(super) fn differ(a: [f64; 3], b: [f64; 3]) -> bool {
    let between = sub(a, b);
    dot(between, between) > DIFFERENT
}

/// Returns the edges between two faces whose normals differ at one end or both, sorted, the smaller vertex first. `rows` has the row of
/// each corner in the column of normals.
pub(super) fn split_edges(mesh: &Mesh, rows: &[u32], normal_of: impl Fn(u32) -> [f64; 3]) -> Vec<[u32; 2]> {
    if !vertices_split(mesh, rows, &normal_of) {
        return Vec::new();
    }
    let normal = |corner: usize| normal_of(rows.get(corner).copied().unwrap_or(NO_ROW));
    let mut edges = Vec::new();
    mesh.for_each_edge(|sides| {
        if let [a, b] = sides
            && a.forward != b.forward
            && a.corners().into_iter().zip(b.corners()).any(|(a, b)| differ(normal(a), normal(b)))
        {
            edges.push(a.vertices);
        }
    });
    edges
}

/// Returns `true` if any vertex may have different normals. Otherwise no edge is hard. This check is faster than the search of edges.
fn vertices_split(mesh: &Mesh, rows: &[u32], normal_of: impl Fn(u32) -> [f64; 3]) -> bool {
    // Two normals that are at most half of the distance from the first are at most the distance from each other.
    let is_far = |a: u32, b: u32| {
        let between = sub(normal_of(a), normal_of(b));
        dot(between, between) > DIFFERENT / 4.0
    };
    // The row of the first corner at each vertex.
    let mut first = vec![None; mesh.positions.len()];
    mesh.faces.corners().iter().zip(rows).any(|(&vertex, &row)| {
        let first = first.get_mut(vertex as usize).map_or(row, |first| *first.get_or_insert(row));
        first != row && is_far(first, row)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_between_normals_that_are_both_near_the_first() {
        // Three faces around vertex 0. Each normal there is near that of the first face, but the last two differ.
        let near = 2e-4;
        let mesh = Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
            faces: [[0, 1, 2], [0, 2, 3], [0, 3, 4]].into_iter().collect(),
            ..Mesh::default()
        };
        let normal = |corner: usize| match corner {
            3 => [near, 0.0, 1.0],
            6 => [-near, 0.0, 1.0],
            _ => [0.0, 0.0, 1.0],
        };
        assert!(!differ(normal(0), normal(3)) && !differ(normal(0), normal(6)) && differ(normal(3), normal(6)));
        let rows: Vec<u32> = (0..9).collect();
        assert_eq!(split_edges(&mesh, &rows, |row| normal(row as usize)), [[0, 3]]);
    }
}
