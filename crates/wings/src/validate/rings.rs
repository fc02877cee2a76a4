//! Rings of faces by the rules of Wings' consistency check.
//!
//! It accepts more than [`WingedMesh::rings`]: edges of a face outside the ring with its lowest-numbered edge are ignored. But
//! it also requires that the successors follow the same ring backwards.

use std::convert::Infallible;

use super::report::Tally;
use crate::{Corner, Rings, Side, WingedMesh};

/// The results of walking around all faces of a mesh.
#[derive(Default)]
pub(super) struct Walk {
    /// The rings. Those of broken faces are empty.
    pub(super) rings: Rings,
    /// Broken faces.
    pub(super) broken: Tally,
    /// Faces with more than one ring.
    pub(super) split: Tally,
    /// Faces with two corners.
    pub(super) thin: Tally,
    /// Edges with one face on both sides.
    pub(super) one_face: Tally,
    /// Edges that refer to edges which do not exist.
    pub(super) no_edge: Tally,
}

impl Walk {
    pub(super) fn new(mesh: &WingedMesh) -> Self {
        let mut walk = Self::default();
        for (index, edge) in mesh.edges.iter().enumerate() {
            let names = [edge.left.predecessor, edge.left.successor, edge.right.predecessor, edge.right.successor];
            if names.iter().any(|&name| name as usize >= mesh.edges.len()) {
                walk.no_edge.count(index);
            }
            if edge.left.face == edge.right.face {
                walk.one_face.count(index);
            }
        }
        let mut vertices = Vec::new();
        let Ok(rings) = mesh.walk(|face, count, corners, walked| {
            let is_whole = walked.is_ok() && repeats_corners(mesh, face, corners, &mut vertices);
            if !is_whole {
                walk.broken.count(face as usize);
            } else if corners.len() < count {
                walk.split.count(face as usize);
            }
            if is_whole && corners.len() == 2 {
                walk.thin.count(face as usize);
            }
            Ok::<bool, Infallible>(is_whole)
        });
        Self { rings, ..walk }
    }
}

/// Returns `true` if the successors follow the ring backwards, past the same vertices and past each only once.
fn repeats_corners(mesh: &WingedMesh, face: u32, corners: &[Corner], vertices: &mut Vec<u32>) -> bool {
    let Some(start) = corners.first().map(|corner| corner.edge) else { return false };
    let far_end = |corner: &Corner| {
        let edge = mesh.edges.get(corner.edge as usize)?;
        Some(if corner.side == Side::Left { edge.end } else { edge.start })
    };
    vertices.clear();
    vertices.extend(corners.iter().filter_map(far_end));
    let mut at = start;
    for &vertex in vertices.iter().rev() {
        at = match mesh.edges.get(at as usize) {
            Some(edge) if edge.start == vertex && edge.left.face == face => edge.left.successor,
            Some(edge) if edge.end == vertex && edge.right.face == face => edge.right.successor,
            _ => return false,
        };
    }
    vertices.sort_unstable();
    let repeats = vertices.windows(2).any(|pair| pair.first() == pair.last());
    at == start && vertices.len() > 1 && !repeats
}
