//! The edges of a mesh, derived from its faces.

use std::ops::Range;

use crate::{Faces, Mesh};

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
    /// Visits each edge with its sides: edges in the order of their vertices, sides in the order of faces. An ordinary edge has
    /// two sides, an edge at a border one, and a non-manifold edge more.
    pub fn for_each_edge(&self, mut visit: impl FnMut(&[EdgeSide])) {
        let mut edges = |sides: &mut Vec<EdgeSide>| {
            sides.sort_unstable();
            sides.chunk_by(|a, b| a.vertices == b.vertices).for_each(&mut visit);
            sides.clear();
        };
        let count = self.positions.len();
        // Counting sort by the smaller vertex, then a sort of the few sides of each vertex: much faster than one sort.
        let around = CornersByVertex::new(&self.faces, count, |vertices, place| {
            let vertex = vertices.get(place).copied();
            vertex.min(next_vertex(vertices, place)).unwrap_or_default()
        });
        let side = |&[face, place]: &[u32; 2]| self.side(face, place);
        let mut sides = Vec::new();
        for vertex in 0..count {
            sides.extend(around.get(vertex).iter().filter_map(side));
            edges(&mut sides);
        }
        // Edges of missing vertices, in broken meshes.
        sides.extend(around.of_other_vertices().iter().filter_map(side));
        edges(&mut sides);
    }

    /// Returns all sides of all edges, in the order of [`for_each_edge`](Self::for_each_edge), which takes less memory.
    pub fn edge_sides(&self) -> Vec<EdgeSide> {
        let mut all = Vec::with_capacity(self.faces.corner_count());
        self.for_each_edge(|sides| all.extend_from_slice(sides));
        all
    }

    /// Returns the side that starts at a corner of a face.
    fn side(&self, face: u32, place: u32) -> Option<EdgeSide> {
        let (range, vertices) = self.faces.corner_range(face as usize).zip(self.faces.get(face as usize))?;
        let place = place as usize;
        let (&vertex, next) = vertices.get(place).zip(next_vertex(vertices, place))?;
        let following = if place + 1 == vertices.len() { 0 } else { place + 1 };
        Some(EdgeSide {
            vertices: [vertex.min(next), vertex.max(next)],
            face,
            start: range.start + place,
            end: range.start + following,
            forward: vertex < next,
        })
    }
}

/// Returns the vertex that follows a corner in its face.
pub(crate) fn next_vertex(vertices: &[u32], place: usize) -> Option<u32> {
    vertices.get(place + 1).or(vertices.first()).copied()
}

/// The corners of faces, grouped by vertices, in the order of faces. A corner is its face and its place there, which takes eight bytes.
pub(crate) struct CornersByVertex {
    /// The end of each vertex in `corners`.
    ends: Vec<usize>,
    corners: Vec<[u32; 2]>,
}

impl CornersByVertex {
    /// Groups all corners by the first `count` vertices. `vertex_of` returns the vertex of a corner from the vertices of its face
    /// and the place there.
    pub(crate) fn new(faces: &Faces, count: usize, vertex_of: impl Fn(&[u32], usize) -> u32) -> Self {
        let group = |vertices: &[u32], place: u32| (vertex_of(vertices, place as usize) as usize).min(count);
        // The number of corners of each vertex, later the first free place of each vertex. Corners of other vertices come last.
        let mut ends = vec![0_usize; count + 1];
        for vertices in faces.iter() {
            for (place, _) in (0_u32..).zip(vertices) {
                if let Some(corners) = ends.get_mut(group(vertices, place)) {
                    *corners += 1;
                }
            }
        }
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        let mut corners = vec![[0_u32; 2]; total];
        for (face, vertices) in (0_u32..).zip(faces.iter()) {
            for (place, _) in (0_u32..).zip(vertices) {
                let next = ends.get_mut(group(vertices, place));
                if let Some(corner) = next.and_then(|next| corners.get_mut(std::mem::replace(next, *next + 1))) {
                    *corner = [face, place];
                }
            }
        }
        Self { ends, corners }
    }

    /// Returns the corners of a vertex.
    pub(crate) fn get(&self, vertex: usize) -> &[[u32; 2]] {
        self.range(vertex..vertex + 1)
    }

    /// Returns the corners of several vertices.
    pub(crate) fn range(&self, vertices: Range<usize>) -> &[[u32; 2]] {
        let end = |count: usize| count.checked_sub(1).map_or(Some(0), |last| self.ends.get(last).copied());
        let range = end(vertices.start).zip(end(vertices.end));
        range.and_then(|(start, end)| self.corners.get(start..end)).unwrap_or_default()
    }

    /// Returns the corners of other vertices.
    fn of_other_vertices(&self) -> &[[u32; 2]] {
        self.get(self.ends.len() - 1)
    }
}
