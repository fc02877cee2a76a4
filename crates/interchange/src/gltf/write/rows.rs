//! The unique vertices of a primitive.

/// A corner for each row of a primitive, and a list of rows for each vertex of the mesh.
///
/// Lists by vertex are faster than hashes: consecutive faces share vertices that are close in memory.
pub(super) struct Rows {
    corners: Vec<u32>,
    /// The last row of each vertex and the previous row of each row. `NONE` ends the list.
    last: Vec<u32>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Maximum number of compared rows of a vertex. A vertex with a thousand rows would otherwise need a million comparisons.
/// Duplicate rows do no harm.
const MAX_STEPS: usize = 64;

impl Rows {
    /// Creates an empty list for a mesh with this many vertices.
    pub(super) fn new(vertices: usize) -> Self {
        Self { corners: Vec::new(), last: vec![NONE; vertices], before: Vec::new() }
    }

    /// Reserves memory for the rows of a primitive with this many corners.
    pub(super) fn reserve(&mut self, corners: usize) {
        self.corners.reserve(corners.min(self.last.len()));
    }

    /// Returns the index of the row of a corner at a vertex. If it is not the same as that of an earlier corner there, as a function compares
    /// them, it is new.
    pub(super) fn insert(&mut self, vertex: u32, corner: u32, is_same: impl Fn(u32) -> bool) -> u32 {
        let last = self.last.get(vertex as usize).copied().unwrap_or(NONE);
        let mut number = last;
        for _ in 0..MAX_STEPS {
            let Some(&other) = self.corners.get(number as usize) else { break };
            if is_same(other) {
                return number;
            }
            number = self.before.get(number as usize).copied().unwrap_or(NONE);
        }
        self.before.push(last);
        self.push(vertex, corner)
    }

    /// Returns the index of the row of a corner at a vertex whose corners are all the same. The rows of a primitive are inserted either
    /// this way or by [`insert`](Self::insert).
    pub(super) fn insert_vertex(&mut self, vertex: u32, corner: u32) -> u32 {
        match self.last.get(vertex as usize) {
            Some(&row) if row != NONE => row,
            _ => self.push(vertex, corner),
        }
    }

    fn push(&mut self, vertex: u32, corner: u32) -> u32 {
        let number = u32::try_from(self.corners.len()).unwrap_or(NONE);
        self.corners.push(corner);
        if let Some(last) = self.last.get_mut(vertex as usize) {
            *last = number;
        }
        number
    }

    /// Returns the corner of each row, and removes all rows. `vertex_of` returns the vertex of a corner.
    pub(super) fn take(&mut self, vertex_of: impl Fn(u32) -> u32) -> Vec<u32> {
        for &corner in &self.corners {
            if let Some(last) = self.last.get_mut(vertex_of(corner) as usize) {
                *last = NONE;
            }
        }
        self.before.clear();
        std::mem::take(&mut self.corners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_of_a_vertex_are_one() {
        let mut rows = Rows::new(10);
        for _ in 0..2 {
            let vertex = |corner: u32| corner % 10;
            let numbers: Vec<u32> =
                (0..40).map(|corner| rows.insert(vertex(corner), corner, |other| other % 20 == corner % 20)).collect();
            assert_eq!(numbers[18..22], [18, 19, 0, 1]);
            assert!(rows.take(vertex).into_iter().eq(0..20));
        }
    }

    #[test]
    fn vertices_have_one_row_if_all_corners_are_the_same() {
        let mut rows = Rows::new(3);
        for _ in 0..2 {
            let vertices = [2, 0, 2, 1, 0];
            let numbers: Vec<u32> =
                (0_u32..).zip(vertices).map(|(corner, vertex)| rows.insert_vertex(vertex, corner)).collect();
            assert_eq!(numbers, [0, 1, 0, 2, 1]);
            assert_eq!(rows.take(|corner| vertices[corner as usize]), [0, 1, 3]);
        }
    }

    #[test]
    fn a_vertex_with_many_rows_takes_bounded_time() {
        let mut rows = Rows::new(1);
        for corner in 0..200 {
            rows.insert(0, corner, |other| other % 100 == corner % 100);
        }
        assert_eq!(rows.take(|_| 0).len(), 200);
    }
}
