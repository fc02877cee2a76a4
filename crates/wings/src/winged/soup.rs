//! Faces that winged edges can represent: simple rings of existing vertices, without duplicates.

use super::FaceColumns;
use super::edges::{EdgeIndex, group_by_key};
use super::orient::dot;
use super::pair::normal;
use super::polygons::Repairs;
use crate::RepairKind;

/// Number of a half, an edge or a corner that does not exist.
pub(super) const NONE: u32 = u32::MAX;

/// Valid faces. A *half* is a directed edge of a face. Its number is that of the corner at which it starts.
///
/// Numbers have 32 bits, so that large meshes take little memory. A file of 4 GiB has room for fewer elements.
#[derive(Debug, Default)]
pub(super) struct FaceSoup {
    /// The vertex at which each half starts.
    pub(super) vertices: Vec<u32>,
    /// The corner of the input that each half starts at; [`NONE`] in faces that were added.
    pub(super) corners: Vec<u32>,
    /// The face of each half.
    pub(super) face: Vec<u32>,
    /// The end of each face in the columns of halves.
    pub(super) ends: Vec<u32>,
    /// The face of the input that each face comes from; [`NONE`] for faces that were added.
    pub(super) source: Vec<u32>,
}

impl FaceSoup {
    /// Selects the valid faces, and splits those that pass a vertex twice.
    pub(super) fn new(input: FaceColumns<'_>, repairs: &mut Repairs) -> Self {
        let mut soup = Self::with_capacity(input.face_count(), input.vertices.len());
        let is_finite = |position: &[f64; 3]| position.iter().all(|c| c.is_finite());
        let all_finite = input.positions.iter().all(is_finite);
        let exists = |&vertex: &u32| match input.positions.get(vertex as usize) {
            Some(position) => all_finite || is_finite(position),
            None => false,
        };
        // Position of each vertex on the path, counted from 1.
        let mut places: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, u32)> = Vec::new();
        for (source, (first, ring)) in (0_u32..).zip(input.faces()) {
            if !ring.iter().all(exists) {
                repairs.add(RepairKind::MissingVertex, source);
                continue;
            }
            // Most faces are small and simple.
            if (3..=8).contains(&ring.len()) && is_simple(ring) {
                soup.push((first..).zip(ring).map(|(corner, &vertex)| (vertex, corner)), source);
                continue;
            }
            places.resize(input.positions.len(), 0);
            let before = soup.ends.len();
            for (corner, &vertex) in (first..).zip(ring) {
                if places[vertex as usize] > 0 {
                    // The path returns to a vertex: the loop becomes a face.
                    let loop_start = places[vertex as usize] as usize - 1;
                    soup.push_if_real(&path[loop_start..], source);
                    path.drain(loop_start..).for_each(|(vertex, _)| places[vertex as usize] = 0);
                }
                path.push((vertex, corner));
                places[vertex as usize] = to_u32(path.len());
            }
            soup.push_if_real(&path, source);
            path.drain(..).for_each(|(vertex, _)| places[vertex as usize] = 0);
            match soup.ends.len() - before {
                0 => repairs.add(RepairKind::DegenerateFace, source),
                1 if soup.ring(before).len() == ring.len() => {}
                _ if soup.has_opening(before, input.positions) => repairs.add(RepairKind::CoveredOpening, source),
                _ => repairs.add(RepairKind::RepeatedVertex, source),
            }
        }
        soup
    }

    fn with_capacity(faces: usize, halves: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(halves),
            corners: Vec::with_capacity(halves),
            face: Vec::with_capacity(halves),
            ends: Vec::with_capacity(faces),
            source: Vec::with_capacity(faces),
        }
    }

    /// Returns `true` if the faces from `first` on, which were one face, are wound differently: they surround an opening.
    fn has_opening(&self, first: usize, positions: &[[f64; 3]]) -> bool {
        let normals: Vec<[f64; 3]> =
            (first..self.ends.len()).map(|face| normal(self, to_u32(face), positions)).collect();
        let whole = normals.iter().fold([0.0; 3], |sum, n| [sum[0] + n[0], sum[1] + n[1], sum[2] + n[2]]);
        normals.iter().any(|&normal| dot(normal, whole) < 0.0)
    }

    /// Adds a face if it has three or more corners.
    fn push_if_real(&mut self, ring: &[(u32, u32)], source: u32) {
        if ring.len() >= 3 {
            self.push(ring.iter().copied(), source);
        }
    }

    /// Adds a face, given by its vertices and the corners of the input.
    pub(super) fn push(&mut self, ring: impl Iterator<Item = (u32, u32)>, source: u32) {
        let face = to_u32(self.ends.len());
        for (vertex, corner) in ring {
            self.vertices.push(vertex);
            self.corners.push(corner);
            self.face.push(face);
        }
        self.ends.push(to_u32(self.vertices.len()));
        self.source.push(source);
    }

    /// Returns the number of halves.
    pub(super) fn len(&self) -> u32 {
        to_u32(self.vertices.len())
    }

    pub(super) fn start(&self, face: u32) -> u32 {
        if face == 0 { 0 } else { self.ends[face as usize - 1] }
    }

    pub(super) fn end(&self, face: u32) -> u32 {
        self.ends[face as usize]
    }

    /// Returns the vertices of a face.
    fn ring(&self, face: usize) -> &[u32] {
        let face = to_u32(face);
        &self.vertices[self.start(face) as usize..self.end(face) as usize]
    }

    /// Returns the next half around the face.
    pub(super) fn next(&self, half: u32) -> u32 {
        let face = self.face[half as usize];
        if half + 1 == self.end(face) { self.start(face) } else { half + 1 }
    }

    /// Returns the previous half around the face.
    pub(super) fn previous(&self, half: u32) -> u32 {
        let face = self.face[half as usize];
        if half == self.start(face) { self.end(face) - 1 } else { half - 1 }
    }

    /// Returns the vertex at the start of a half.
    pub(super) fn vertex(&self, half: u32) -> u32 {
        self.vertices[half as usize]
    }

    /// Returns the vertices at the start and the end of a half.
    pub(super) fn ends_of(&self, half: u32) -> [u32; 2] {
        [self.vertex(half), self.vertex(self.next(half))]
    }

    /// Iterates over all halves with the vertices at their start and end, in order.
    pub(super) fn halves(&self) -> Halves<'_> {
        Halves { soup: self, face: 0, half: 0, start: 0, end: 0 }
    }

    /// Reverses the winding of a face. Its first corner stays the first.
    pub(super) fn turn(&mut self, face: u32) {
        let others = self.start(face) as usize + 1..self.end(face) as usize;
        self.vertices[others.clone()].reverse();
        self.corners[others].reverse();
    }

    /// Removes faces with the same ring as an earlier one. Returns `true` if there were any.
    pub(super) fn drop_duplicates(&mut self, vertex_count: usize, repairs: &mut Repairs) -> bool {
        // Rings are simple, so starting at the smallest vertex makes equal rings comparable.
        let canonical = |face: u32| {
            let ring = self.ring(face as usize);
            let first = (0..ring.len()).min_by_key(|&place| ring[place]).unwrap_or(0);
            let (head, tail) = ring.split_at(first);
            tail.iter().chain(head)
        };
        // Equal rings have the same smallest vertex.
        let smallest = |face: u32| canonical(face).next().copied().unwrap_or(0);
        let (mut order, starts) = group_by_key(0..to_u32(self.ends.len()), vertex_count, |face| (smallest(face), face));
        let mut is_double = vec![false; self.ends.len()];
        for bounds in starts.windows(2) {
            let group = &mut order[bounds[0] as usize..bounds[1] as usize];
            group.sort_by(|&a, &b| canonical(a).cmp(canonical(b)));
            for same in group.chunk_by(|&a, &b| canonical(a).eq(canonical(b))) {
                same.iter().skip(1).for_each(|&face| is_double[face as usize] = true);
            }
        }
        if !is_double.contains(&true) {
            return false;
        }
        let mut unique = Self::default();
        for (face, &is_double) in is_double.iter().enumerate() {
            if is_double {
                repairs.add(RepairKind::DuplicateFace, self.source[face]);
            } else {
                let halves = self.start(to_u32(face)) as usize..self.end(to_u32(face)) as usize;
                let ring = halves.map(|half| (self.vertices[half], self.corners[half]));
                unique.push(ring, self.source[face]);
            }
        }
        *self = unique;
        true
    }

    /// Returns the edges, without duplicate faces.
    pub(super) fn unique_edges(&mut self, vertex_count: usize, repairs: &mut Repairs) -> EdgeIndex {
        let edges = EdgeIndex::new(self, vertex_count);
        // Faces with the same ring have halves with the same direction.
        let has_repeated_half = edges.groups().any(|(_, halves)| halves.len() > 2)
            || edges.pairs().any(|[a, b]| self.vertex(a) == self.vertex(b));
        if has_repeated_half && self.drop_duplicates(vertex_count, repairs) {
            return EdgeIndex::new(self, vertex_count);
        }
        edges
    }
}

/// The halves of a soup. See [`FaceSoup::halves`].
#[derive(Debug, Clone)]
pub(super) struct Halves<'s> {
    soup: &'s FaceSoup,
    /// The face after that of the next half.
    face: usize,
    half: u32,
    /// First half of the face.
    start: u32,
    /// End of the face.
    end: u32,
}

impl Iterator for Halves<'_> {
    type Item = (u32, [u32; 2]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.half == self.end {
            self.start = self.end;
            self.end = *self.soup.ends.get(self.face)?;
            self.face += 1;
        }
        let half = self.half;
        self.half += 1;
        let next = if self.half == self.end { self.start } else { self.half };
        Some((half, [self.soup.vertex(half), self.soup.vertex(next)]))
    }
}

/// Returns `true` if no vertex is repeated in a short ring.
fn is_simple(ring: &[u32]) -> bool {
    ring.iter().enumerate().all(|(place, vertex)| !ring[..place].contains(vertex))
}

/// Converts a count. Scenes have fewer than 2³² corners.
pub(super) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("corners have numbers of 32 bits")
}
