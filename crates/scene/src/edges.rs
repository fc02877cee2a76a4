//! The edges of a mesh, derived from its faces.

use crate::Mesh;

/// One side of an edge, with its face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeSide {
    /// The two vertices, the smaller one first.
    pub vertices: [u32; 2],
    /// The face.
    pub face: u32,
    /// Index of the corner at which the edge starts, in per-corner columns.
    pub start: usize,
    /// Index of the corner at which the edge ends.
    pub end: usize,
    /// `true` if the face runs from the smaller vertex to the larger one, so it is on the left of the edge.
    pub forward: bool,
}

impl EdgeSide {
    /// Returns the corners at the smaller and at the larger vertex.
    pub const fn corners(&self) -> [usize; 2] {
        if self.forward { [self.start, self.end] } else { [self.end, self.start] }
    }
}

impl Mesh {
    /// Returns all sides of all edges, sorted by the vertices of the edge, then by face. An ordinary edge has two sides, an
    /// edge at a border one, and a non-manifold edge more.
    pub fn edge_sides(&self) -> Vec<EdgeSide> {
        // Counting sort by the smaller vertex, then a sort of the few sides of each vertex: much faster than one sort.
        let mut smaller = Vec::with_capacity(self.faces.corner_count());
        self.for_each_side(|side| smaller.push(side.vertices[0]));
        let starts = starts(&smaller, self.positions.len());
        let none = EdgeSide { vertices: [0; 2], face: 0, start: 0, end: 0, forward: false };
        let mut sides = vec![none; self.faces.corner_count()];
        let mut next = starts.clone();
        let mut all_placed = starts.last() == Some(&sides.len());
        self.for_each_side(|side| {
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
            // Broken meshes have indices of missing vertices.
            sides.clear();
            self.for_each_side(|side| sides.push(side));
            sides.sort_unstable();
        }
        sides
    }

    /// Visits the sides of all edges, face by face.
    fn for_each_side(&self, mut visit: impl FnMut(EdgeSide)) {
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

/// Returns the index of the first item of each vertex if items are sorted by vertex, and finally the number of items. Missing
/// vertices have no items.
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
