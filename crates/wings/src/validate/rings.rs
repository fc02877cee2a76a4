//! The rings of faces by the rule of Wings' own consistency check.
//!
//! It is laxer than what a polygon needs, for which see [`WingedMesh::rings`]: it walks from the lowest-numbered edge of a
//! face and does not care about edges of that face elsewhere.

use super::report::Tally;
use crate::{Corner, Side, WingedMesh};

/// What came of the walks around all faces of a mesh.
#[derive(Default)]
pub(super) struct Walk {
    /// The numbers of the faces, ascending.
    pub(super) faces: Vec<u32>,
    /// Corners of the faces that are whole, in the order of `faces`.
    pub(super) corners: Vec<Corner>,
    /// Where each face ends in `corners`. Those of broken faces are empty.
    pub(super) ends: Vec<usize>,
    /// Broken faces, by their numbers.
    pub(super) broken: Tally,
    /// Faces of more than one ring.
    pub(super) split: Tally,
    /// Faces of two corners.
    pub(super) thin: Tally,
    /// Edges with one face on both sides.
    pub(super) one_face: Tally,
    /// Edges that name edges which do not exist.
    pub(super) no_edge: Tally,
}

impl Walk {
    pub(super) fn new(mesh: &WingedMesh) -> Self {
        let mut walk = Self::default();
        let mut sides = Vec::with_capacity(mesh.edges.len().saturating_mul(2));
        for (index, edge) in mesh.edges.iter().enumerate() {
            let names = [edge.left.predecessor, edge.left.successor, edge.right.predecessor, edge.right.successor];
            if names.iter().any(|&name| name as usize >= mesh.edges.len()) {
                walk.no_edge.count(index);
            }
            if edge.left.face == edge.right.face {
                walk.one_face.count(index);
            }
            sides.extend([(edge.left.face, index), (edge.right.face, index)]);
        }
        sides.sort_unstable();
        let mut vertices = Vec::new();
        for group in sides.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(face, start)) = group.first() else { continue };
            let begin = walk.corners.len();
            if ring(mesh, face, start, group.len(), &mut walk.corners, &mut vertices).is_none() {
                walk.corners.truncate(begin);
                walk.broken.count(face as usize);
            } else {
                let count = walk.corners.len().saturating_sub(begin);
                if count < group.len() {
                    walk.split.count(face as usize);
                }
                if count == 2 {
                    walk.thin.count(face as usize);
                }
            }
            walk.faces.push(face);
            walk.ends.push(walk.corners.len());
        }
        walk
    }

    /// The faces with their corners, none for broken ones.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[Corner])> {
        let mut start = 0;
        self.faces.iter().zip(&self.ends).map(move |(&face, &end)| {
            let corners = self.corners.get(start..end).unwrap_or_default();
            start = end;
            (face, corners)
        })
    }
}

/// Walks around a face along the predecessors, and back along the successors, which must lead past the same vertices.
fn ring(
    mesh: &WingedMesh,
    face: u32,
    start: usize,
    most: usize,
    corners: &mut Vec<Corner>,
    vertices: &mut Vec<u32>,
) -> Option<()> {
    vertices.clear();
    let mut at = start;
    loop {
        let edge = mesh.edges.get(at)?;
        let side = match face {
            _ if edge.left.face == face => Side::Left,
            _ if edge.right.face == face => Side::Right,
            _ => return None,
        };
        // The walk may run into a circle that leads past its start.
        if vertices.len() >= most {
            return None;
        }
        corners.push(Corner { edge: u32::try_from(at).ok()?, side });
        vertices.push(match side {
            Side::Left => edge.end,
            Side::Right => edge.start,
        });
        at = edge.wing(side).predecessor as usize;
        if at == start {
            break;
        }
    }
    for &vertex in vertices.iter().rev() {
        let edge = mesh.edges.get(at)?;
        at = match face {
            _ if edge.start == vertex && edge.left.face == face => edge.left.successor as usize,
            _ if edge.end == vertex && edge.right.face == face => edge.right.successor as usize,
            _ => return None,
        };
    }
    vertices.sort_unstable();
    let repeats = vertices.windows(2).any(|pair| pair.first() == pair.last());
    (at == start && vertices.len() > 1 && !repeats).then_some(())
}
