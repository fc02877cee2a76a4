//! Vertices as rows of words, each different row once.

/// Rows of a fixed number of words, which are written as they are, and a table that finds them again.
pub(super) struct Rows {
    width: usize,
    words: Vec<u32>,
    count: u32,
    /// Row numbers plus one by hash, open addressing; 0: free. A power of two long, at most half full.
    table: Vec<u32>,
}

/// So many steps from its place a row is looked for. Rows made to have the same place would take forever otherwise;
/// that some of them are then written twice is no harm.
const MAX_STEPS: usize = 64;

impl Rows {
    /// No rows. `expected` of them make the table as large as it will be.
    pub(super) fn new(width: usize, expected: usize) -> Self {
        let slots = expected.saturating_mul(2).next_power_of_two().max(16);
        Self { width, words: Vec::with_capacity(expected.saturating_mul(width) / 2), count: 0, table: vec![0; slots] }
    }

    /// The number of a row; a new one if there was none with these words. There are never more rows than calls, which
    /// must not be more than `expected`.
    pub(super) fn insert(&mut self, row: &[u32]) -> u32 {
        let mask = self.table.len() - 1;
        let mut slot = hash(row) & mask;
        for _ in 0..MAX_STEPS {
            match self.table.get(slot).copied() {
                Some(0) | None => {
                    if let Some(entry) = self.table.get_mut(slot) {
                        *entry = self.count + 1;
                    }
                    break;
                }
                Some(number) if self.row(number - 1) == row => return number - 1,
                Some(_) => slot = (slot + 1) & mask,
            }
        }
        self.words.extend_from_slice(row);
        self.count += 1;
        self.count - 1
    }

    fn row(&self, number: u32) -> &[u32] {
        let start = number as usize * self.width;
        self.words.get(start..start + self.width).unwrap_or_default()
    }

    /// The number of rows.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// The words of all rows.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }
}

/// Multiplies and folds, so that every bit of a row reaches every bit of the result.
#[allow(clippy::cast_possible_truncation)] // folding keeps the part that a table needs
fn hash(row: &[u32]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    };
    let pairs = row.chunks(2).map(|pair| pair.iter().fold(0_u64, |pair, &word| pair << 32 | u64::from(word)));
    pairs.fold(row.len() as u64 ^ FACTOR, fold) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_one() {
        let mut rows = Rows::new(3, 100);
        let numbers: Vec<u32> = (0..100).map(|i| rows.insert(&[i % 10, 7, i % 5])).collect();
        assert_eq!(rows.len(), 10);
        assert_eq!(numbers[..12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]);
        assert_eq!(rows.words()[3..6], [1, 7, 1]);
    }

    #[test]
    fn a_full_table_ends() {
        let mut rows = Rows::new(1, 1);
        for i in 0..100 {
            rows.insert(&[i]);
        }
        assert_eq!(rows.len(), 100);
    }
}
