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
        // Sorted by the smaller vertex by counting, and then within each vertex, which is a few sides: much faster than
        // sorting all of them.
        let mut smaller = Vec::with_capacity(self.faces.corner_count());
        self.each_side(|side| smaller.push(side.vertices[0]));
        let starts = starts(&smaller, self.positions.len());
        let none = EdgeSide { vertices: [0; 2], face: 0, start: 0, end: 0, forward: false };
        let mut sides = vec![none; self.faces.corner_count()];
        let mut next = starts.clone();
        let mut all_placed = starts.last() == Some(&sides.len());
        self.each_side(|side| {
            let place = next.get_mut(side.vertices[0] as usize);
            match place.and_then(|place| sides.get_mut(std::mem::replace(place, *place + 1))) {
                Some(entry) => *entry = side,
                None => all_placed = false,
            }
        });
        if all_placed {
            for range in starts.windows(2) {
                if let &[start, end] = range
                    && let Some(sides) = sides.get_mut(start..end)
                {
                    sides.sort_unstable();
                }
            }
        } else {
            // A broken mesh with vertices that do not exist.
            sides.clear();
            self.each_side(|side| sides.push(side));
            sides.sort_unstable();
        }
        sides
    }

    /// Goes through the sides of all edges, face by face.
    fn each_side(&self, mut visit: impl FnMut(EdgeSide)) {
        for (face, vertices) in (0_u32..).zip(self.faces.iter()) {
            let first = self.faces.corner_range(face as usize).map_or(0, |range| range.start);
            for (place, &vertex) in vertices.iter().enumerate() {
                let following = if place + 1 == vertices.len() { 0 } else { place + 1 };
                let next = vertices.get(following).copied().unwrap_or(vertex);
                visit(EdgeSide {
                    vertices: [vertex.min(next), vertex.max(next)],
                    face,
                    start: first + place,
                    end: first + following,
                    forward: vertex < next,
                });
            }
        }
    }
}

/// Where the items of each vertex begin, if items are put in the order of their vertices; at the end, how many there are.
/// Vertices that do not exist have no items.
pub(crate) fn starts(vertices: &[u32], count: usize) -> Vec<usize> {
    let mut starts = vec![0_usize; count + 1];
    for &vertex in vertices {
        if let Some(count) = starts.get_mut(vertex as usize + 1) {
            *count += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    starts
}
