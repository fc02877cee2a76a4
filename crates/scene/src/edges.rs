//! The edges of a mesh, found from its faces.

use crate::Mesh;

/// One side of an edge: the face that has it, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeSide {
    /// The two vertices, smaller first.
    pub vertices: [u32; 2],
    /// The face.
    pub face: u32,
    /// The place of the corner at which the edge starts, in per-corner columns.
    pub start: usize,
    /// The place of the corner at which it ends.
    pub end: usize,
    /// Whether the face runs from the smaller vertex to the larger: it is then on the left of the edge.
    pub forward: bool,
}

impl EdgeSide {
    /// The corners at the smaller and at the larger vertex.
    pub const fn corners(&self) -> [usize; 2] {
        if self.forward { [self.start, self.end] } else { [self.end, self.start] }
    }
}

impl Mesh {
    /// All sides of all edges: sorted by the vertices of the edge, then by face. Sides of one edge stand together:
    /// two for an ordinary edge, one at a border, more where the mesh is no surface.
    pub fn edge_sides(&self) -> Vec<EdgeSide> {
        let mut sides = Vec::with_capacity(self.faces.corner_count());
        for (face, vertices) in (0_u32..).zip(self.faces.iter()) {
            let first = self.faces.corner_range(face as usize).map_or(0, |range| range.start);
            for (place, &vertex) in vertices.iter().enumerate() {
                let following = if place + 1 == vertices.len() { 0 } else { place + 1 };
                let next = vertices.get(following).copied().unwrap_or(vertex);
                sides.push(EdgeSide {
                    vertices: [vertex.min(next), vertex.max(next)],
                    face,
                    start: first + place,
                    end: first + following,
                    forward: vertex < next,
                });
            }
        }
        sides.sort_unstable();
        sides
    }
}
