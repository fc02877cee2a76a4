//! Lists that grow without copies.

/// Number of rows in a chunk.
const CHUNK: usize = 1 << 14;

/// A list in chunks. A list of millions of rows grows without a copy, which would take three times its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    pub(crate) fn len(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1).saturating_mul(CHUNK);
        full.saturating_add(self.chunks.last().map_or(0, Vec::len))
    }

    pub(crate) fn push(&mut self, row: T) {
        match self.chunks.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            Some(chunk) => chunk.push(row),
            None => {
                // Small documents have one chunk, which grows.
                let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 1 } else { CHUNK });
                chunk.push(row);
                self.chunks.push(chunk);
            }
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK).copied()
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut()?.last_mut()
    }

    /// Returns the index of the first row for which a condition is false. It must be true for all rows before that one.
    pub(crate) fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        let chunk = self.chunks.partition_point(|chunk| chunk.last().is_some_and(&is_before));
        let within = self.chunks.get(chunk).map_or(0, |chunk| chunk.partition_point(is_before));
        chunk.saturating_mul(CHUNK).saturating_add(within).min(self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_chunks_are_found() {
        let mut rows = Rows::default();
        assert_eq!((rows.len(), rows.get(0)), (0, None));
        for number in 0..CHUNK * 2 + 5 {
            assert_eq!(rows.len(), number);
            rows.push(number);
        }
        assert_eq!((rows.get(CHUNK - 1), rows.get(CHUNK), rows.get(rows.len())), (Some(CHUNK - 1), Some(CHUNK), None));
        for wanted in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, rows.len() - 1, rows.len()] {
            assert_eq!(rows.partition_point(|row| *row < wanted), wanted);
        }
        *rows.last_mut().unwrap() = 7;
        assert_eq!(rows.get(rows.len() - 1), Some(7));
    }
}
