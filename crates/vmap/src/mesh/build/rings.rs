//! Faces with at least three distinct vertices.

use super::{Problem, Soup};

/// No half, no fan.
pub(super) const NONE: usize = usize::MAX;

/// Faces as rings of *halves*: the sides of a face, each from one of its corners to the next.
pub(super) struct Rings {
    /// Vertex at the start of each half.
    pub(super) vertices: Vec<u32>,
    /// Corner of the soup at the start of each half.
    pub(super) corners: Vec<usize>,
    /// Ring of each half.
    pub(super) ring: Vec<usize>,
    /// End of each ring.
    pub(super) ends: Vec<usize>,
    /// Face of the soup that each ring came from.
    pub(super) faces: Vec<u32>,
    /// Opposite half of the neighbour; `NONE` at the border.
    pub(super) partner: Vec<usize>,
}

impl Rings {
    /// Creates rings from the faces of a soup, without repeated vertices.
    pub(super) fn new(soup: &Soup, problems: &mut Vec<Problem>) -> Self {
        let mut rings = Self::with_capacity(soup.vertices.len(), soup.ends.len());
        // Number of the last face at each vertex, counted from 1.
        let mut visits = vec![0_u32; soup.positions.len()];
        let mut ring: Vec<(u32, usize)> = Vec::new();
        for (index, face) in (0..soup.ends.len()).zip(0_u32..) {
            let corners = soup.face(index);
            if let Some(&vertex) =
                soup.vertices[corners.clone()].iter().find(|&&vertex| vertex as usize >= visits.len())
            {
                problems.push(Problem::NoSuchVertex { face, vertex });
                continue;
            }
            ring.clear();
            let mut distinct = 0;
            for corner in corners {
                let vertex = soup.vertices[corner];
                if ring.last().is_some_and(|&(last, _)| last == vertex) {
                    problems.push(Problem::RepeatedVertex { face, vertex });
                    continue;
                }
                distinct += u32::from(std::mem::replace(&mut visits[vertex as usize], face + 1) != face + 1);
                ring.push((vertex, corner));
            }
            while ring.len() > 1 && ring.first().map(|first| first.0) == ring.last().map(|last| last.0) {
                problems.push(Problem::RepeatedVertex { face, vertex: ring[0].0 });
                ring.pop();
            }
            if distinct < 3 {
                problems.push(Problem::TooFewCorners { face });
            } else {
                rings.push(face, ring.iter().copied());
            }
        }
        rings
    }

    fn with_capacity(halves: usize, rings: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(halves),
            corners: Vec::with_capacity(halves),
            ring: Vec::with_capacity(halves),
            ends: Vec::with_capacity(rings),
            faces: Vec::with_capacity(rings),
            partner: Vec::new(),
        }
    }

    fn push(&mut self, face: u32, halves: impl Iterator<Item = (u32, usize)>) {
        for (vertex, corner) in halves {
            self.vertices.push(vertex);
            self.corners.push(corner);
            self.ring.push(self.ends.len());
        }
        self.ends.push(self.vertices.len());
        self.faces.push(face);
    }

    /// Removes the rings that `keep` rejects.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut kept = Self::with_capacity(self.vertices.len(), self.ends.len());
        for ring in (0..self.ends.len()).filter(|&ring| keep(ring)) {
            let halves = self.start(ring)..self.ends[ring];
            kept.push(self.faces[ring], halves.map(|half| (self.vertices[half], self.corners[half])));
        }
        *self = kept;
    }

    pub(super) fn start(&self, ring: usize) -> usize {
        if ring == 0 { 0 } else { self.ends[ring - 1] }
    }

    pub(super) fn next(&self, half: usize) -> usize {
        let ring = self.ring[half];
        if half + 1 == self.ends[ring] { self.start(ring) } else { half + 1 }
    }

    pub(super) fn previous(&self, half: usize) -> usize {
        let ring = self.ring[half];
        if half == self.start(ring) { self.ends[ring] - 1 } else { half - 1 }
    }

    /// Returns the face of the soup that a half belongs to.
    pub(super) fn face(&self, half: usize) -> u32 {
        self.faces[self.ring[half]]
    }

    /// Returns the vertices of a half, the smaller one first.
    pub(super) fn edge(&self, half: usize) -> [u32; 2] {
        let (a, b) = (self.vertices[half], self.vertices[self.next(half)]);
        [a.min(b), a.max(b)]
    }

    /// Pairs halves: the first of one direction with the first of the other, and so on. Returns the halves after the
    /// first pair.
    pub(super) fn pair(&mut self) -> Vec<usize> {
        let mut edges: Vec<([u32; 2], usize)> = (0..self.vertices.len()).map(|half| (self.edge(half), half)).collect();
        edges.sort_unstable();
        self.partner = vec![NONE; self.vertices.len()];
        let mut surplus = Vec::new();
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let forward = |half: usize| self.vertices[half] == group[0].0[0];
            let ways =
                [true, false].map(|way| group.iter().map(|&(_, half)| half).filter(move |&half| forward(half) == way));
            let [there, back] = ways;
            for (a, b) in there.zip(back) {
                self.partner[a] = b;
                self.partner[b] = a;
            }
            if let [_, _, ..] = *group {
                let first = group[0].1;
                let taken = self.partner[first];
                surplus.extend(group.iter().map(|&(_, half)| half).filter(|&half| half != first && half != taken));
            }
        }
        surplus
    }
}
