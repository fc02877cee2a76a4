//! Faces that winged edges can represent: simple rings of existing vertices, without duplicates.

use super::orient::dot;
use super::pair::normal;
use super::polygons::Repairs;
use crate::{PolygonCorner, Polygons, RepairKind};

/// Valid faces. A *half* is a directed edge of a face. Its number is that of the corner at which it starts.
#[derive(Debug, Default)]
pub(super) struct FaceSoup {
    pub(super) corners: Vec<PolygonCorner>,
    /// The face of each corner.
    pub(super) face: Vec<usize>,
    /// The end of each face in `corners`.
    pub(super) ends: Vec<usize>,
    /// The face of the input that each face comes from.
    pub(super) source: Vec<u32>,
}

impl FaceSoup {
    /// Selects the valid faces, and splits those that pass a vertex twice.
    pub(super) fn new(polygons: &Polygons, repairs: &mut Repairs) -> Self {
        let mut soup = Self::default();
        let finite = |vertex: u32| {
            polygons.positions.get(vertex as usize).is_some_and(|position| position.iter().all(|c| c.is_finite()))
        };
        // Position of each vertex on the path, counted from 1.
        let mut places = vec![0_usize; polygons.positions.len()];
        let mut path: Vec<PolygonCorner> = Vec::new();
        for (source, ring) in (0_u32..).zip(polygons.faces()) {
            if !ring.iter().all(|corner| finite(corner.vertex)) {
                repairs.add(RepairKind::MissingVertex, source);
                continue;
            }
            let before = soup.ends.len();
            for &corner in ring {
                let vertex = corner.vertex as usize;
                if places[vertex] > 0 {
                    // The path returns to a vertex: the loop becomes a face.
                    let loop_start = places[vertex] - 1;
                    soup.push_if_real(&path[loop_start..], source);
                    path.drain(loop_start..).for_each(|corner| places[corner.vertex as usize] = 0);
                }
                path.push(corner);
                places[vertex] = path.len();
            }
            soup.push_if_real(&path, source);
            path.drain(..).for_each(|corner| places[corner.vertex as usize] = 0);
            match soup.ends.len() - before {
                0 => repairs.add(RepairKind::DegenerateFace, source),
                1 if soup.ring(before).len() == ring.len() => {}
                _ if soup.has_opening(before, polygons) => repairs.add(RepairKind::CoveredOpening, source),
                _ => repairs.add(RepairKind::RepeatedVertex, source),
            }
        }
        soup.drop_duplicates(repairs)
    }

    /// Returns `true` if the faces from `first` on, which were one face, are wound differently: they surround an opening.
    fn has_opening(&self, first: usize, polygons: &Polygons) -> bool {
        let normals: Vec<[f64; 3]> = (first..self.ends.len()).map(|face| normal(self, face, polygons)).collect();
        let whole = normals.iter().fold([0.0; 3], |sum, n| [sum[0] + n[0], sum[1] + n[1], sum[2] + n[2]]);
        normals.iter().any(|&normal| dot(normal, whole) < 0.0)
    }

    /// Adds a face if it has three or more corners.
    fn push_if_real(&mut self, ring: &[PolygonCorner], source: u32) {
        if ring.len() >= 3 {
            self.push(ring.iter().copied(), source);
        }
    }

    pub(super) fn push(&mut self, ring: impl IntoIterator<Item = PolygonCorner>, source: u32) {
        let face = self.ends.len();
        self.corners.extend(ring);
        self.face.resize(self.corners.len(), face);
        self.ends.push(self.corners.len());
        self.source.push(source);
    }

    pub(super) fn start(&self, face: usize) -> usize {
        if face == 0 { 0 } else { self.ends[face - 1] }
    }

    pub(super) fn ring(&self, face: usize) -> &[PolygonCorner] {
        &self.corners[self.start(face)..self.ends[face]]
    }

    /// Returns the next half around the face.
    pub(super) fn next(&self, half: usize) -> usize {
        let face = self.face[half];
        if half + 1 == self.ends[face] { self.start(face) } else { half + 1 }
    }

    /// Returns the previous half around the face.
    pub(super) fn previous(&self, half: usize) -> usize {
        let face = self.face[half];
        if half == self.start(face) { self.ends[face] - 1 } else { half - 1 }
    }

    /// Returns the vertices at the start and the end of a half.
    pub(super) fn vertices(&self, half: usize) -> [u32; 2] {
        [self.corners[half].vertex, self.corners[self.next(half)].vertex]
    }

    /// Reverses the winding of a face. Its first corner stays the first.
    pub(super) fn turn(&mut self, face: usize) {
        let (start, end) = (self.start(face), self.ends[face]);
        self.corners[start + 1..end].reverse();
    }

    /// Returns all halves with the sorted vertices of their edges. Halves of one edge are adjacent.
    pub(super) fn edges(&self) -> Vec<([u32; 2], usize)> {
        let edge = |half: usize| {
            let [a, b] = self.vertices(half);
            ([a.min(b), a.max(b)], half)
        };
        let mut edges: Vec<_> = (0..self.corners.len()).map(edge).collect();
        edges.sort_unstable();
        edges
    }

    /// Removes faces with the same ring as an earlier one.
    fn drop_duplicates(self, repairs: &mut Repairs) -> Self {
        let vertices: Vec<u32> = self.corners.iter().map(|corner| corner.vertex).collect();
        // Rings are simple, so starting at the smallest vertex makes equal rings comparable.
        let rings: Vec<(&[u32], &[u32])> = (0..self.ends.len())
            .map(|face| {
                let ring = &vertices[self.start(face)..self.ends[face]];
                let first = (0..ring.len()).min_by_key(|&place| ring[place]).unwrap_or(0);
                let (head, tail) = ring.split_at(first);
                (tail, head)
            })
            .collect();
        let canonical = |face: usize| rings[face].0.iter().chain(rings[face].1);
        let mut order: Vec<usize> = (0..rings.len()).collect();
        order.sort_by(|&a, &b| canonical(a).cmp(canonical(b)).then(a.cmp(&b)));
        let mut doubles: Vec<usize> = order
            .chunk_by(|&a, &b| canonical(a).eq(canonical(b)))
            .flat_map(|same| same.iter().skip(1).copied())
            .collect();
        if doubles.is_empty() {
            return self;
        }
        doubles.sort_unstable();
        let mut unique = Self::default();
        for face in 0..self.ends.len() {
            if doubles.binary_search(&face).is_ok() {
                repairs.add(RepairKind::DuplicateFace, self.source[face]);
            } else {
                unique.push(self.ring(face).iter().copied(), self.source[face]);
            }
        }
        unique
    }
}
