//! Vertices as unique rows of words.

/// Rows of a fixed number of words as they are written, and a list of rows for each vertex of the mesh.
///
/// Lists by vertex are faster than hashes: consecutive faces share vertices that are close in memory.
pub(super) struct Rows {
    width: usize,
    words: Vec<u32>,
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
    pub(super) fn new(width: usize, vertices: usize) -> Self {
        let words = Vec::with_capacity(vertices.saturating_mul(width));
        Self { width, words, last: vec![NONE; vertices], before: Vec::with_capacity(vertices) }
    }

    /// Returns the index of a row of a vertex, and adds the row if it is new.
    pub(super) fn insert(&mut self, vertex: u32, row: &[u32]) -> u32 {
        let last = self.last.get(vertex as usize).copied().unwrap_or(NONE);
        let mut number = last;
        for _ in 0..MAX_STEPS {
            if number == NONE {
                break;
            }
            let start = number as usize * self.width;
            if self.words.get(start..start + self.width) == Some(row) {
                return number;
            }
            number = self.before.get(number as usize).copied().unwrap_or(NONE);
        }
        let number = self.len();
        self.words.extend_from_slice(row);
        self.before.push(last);
        if let Some(last) = self.last.get_mut(vertex as usize) {
            *last = number;
        }
        number
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.before.len()).unwrap_or(NONE)
    }

    /// Returns the words of all rows.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_of_a_vertex_are_one() {
        let mut rows = Rows::new(2, 10);
        let numbers: Vec<u32> = (0..40).map(|i| rows.insert(i % 10, &[i % 10, i % 20])).collect();
        assert_eq!(rows.len(), 20);
        assert_eq!(numbers[18..22], [18, 19, 0, 1]);
        assert_eq!(rows.words()[22..24], [1, 11]);
    }

    #[test]
    fn a_vertex_with_many_rows_takes_bounded_time() {
        let mut rows = Rows::new(1, 1);
        for row in (0..100).chain(0..100) {
            rows.insert(0, &[row]);
        }
        assert_eq!(rows.len(), 200);
    }
}
