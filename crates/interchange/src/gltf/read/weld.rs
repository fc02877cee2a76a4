//! Rows that are the same vertex.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use mapwright_io::parallel;

/// Number of rows that one table finds without leaving the cache of a processor.
const ROWS: usize = 1 << 13;
/// Maximum number of parts into which rows are divided.
const MAX_PARTS: usize = 1 << 10;

/// Returns for each row the index of the first row with an equal position and number. Rows without a number are vertices of their own unless
/// they are welded.
///
/// Equal rows have equal hashes, so that rows are divided by hash into parts, which threads search one by one. One large table would miss
/// the cache with nearly every row.
pub(super) fn first_equal(positions: &[[f64; 3]], numbers: &[Option<u32>], weld: bool) -> Vec<u32> {
    let hasher = DefaultHashBuilder::default();
    // Adding 0 makes both zeros equal.
    let key = |row: u32| {
        let position = positions.get(row as usize).copied().unwrap_or_default();
        (position.map(|number| (number + 0.0).to_bits()), numbers.get(row as usize).copied().flatten())
    };
    let index = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    let hashes = parallel::collect(positions.len(), |row| Hashed::new(&hasher, key(index(row)), index(row)));
    let mut first: Vec<u32> = (0..positions.len()).map(index).collect();
    let can_equal = |hashed: &Hashed| weld || numbers.get(hashed.row as usize).copied().flatten().is_some();
    let parts = divide(&hashes, can_equal);
    let found = parallel::map(parts, |part| {
        let mut known: HashTable<Hashed> = HashTable::with_capacity(part.len());
        let mut found = Vec::new();
        for hashed in part {
            let is_same = |other: &Hashed| other.hash == hashed.hash && key(other.row) == key(hashed.row);
            match known.entry(hashed.spread(), is_same, |other| other.spread()) {
                Entry::Occupied(entry) => found.push((hashed.row, entry.get().row)),
                Entry::Vacant(entry) => {
                    entry.insert(hashed);
                }
            }
        }
        found
    });
    for (row, same) in found.into_iter().flatten() {
        if let Some(first) = first.get_mut(row as usize) {
            *first = same;
        }
    }
    first
}

/// A row and the hash of its vertex.
#[derive(Clone, Copy)]
struct Hashed {
    hash: u32,
    row: u32,
}

impl Hashed {
    #[allow(clippy::cast_possible_truncation)] // half of the hash is enough
    fn new(hasher: &DefaultHashBuilder, key: impl Hash, row: u32) -> Self {
        Self { hash: hasher.hash_one(key) as u32, row }
    }

    /// Returns a hash whose upper bits differ as well, which the table needs.
    const fn spread(self) -> u64 {
        (self.hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Divides rows by their hashes into parts of about [`ROWS`], each in the order of rows. Leaves out rows by a function.
fn divide(hashes: &[Hashed], is_kept: impl Fn(&Hashed) -> bool) -> Vec<Vec<Hashed>> {
    let count = hashes.len().div_ceil(ROWS).next_power_of_two().min(MAX_PARTS);
    let mut parts: Vec<Vec<Hashed>> = (0..count).map(|_| Vec::with_capacity(hashes.len() / count)).collect();
    for hashed in hashes.iter().filter(|hashed| is_kept(hashed)) {
        if let Some(part) = parts.get_mut(hashed.hash as usize % count) {
            part.push(*hashed);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_refer_to_the_first() {
        let positions: Vec<[f64; 3]> =
            (0..100_000_u32).map(|row| [f64::from(row % 30_000), 0.0, -0.0 * f64::from(row % 2)]).collect();
        let numbers = vec![None; positions.len()];
        let expected = (0..100_000_u32).map(|row| row % 30_000);
        assert!(first_equal(&positions, &numbers, true).into_iter().eq(expected));
        assert!(first_equal(&positions, &numbers, false).into_iter().eq(0..100_000));
    }

    #[test]
    fn numbers_separate_vertices_at_one_place() {
        let numbers = [Some(1), Some(2), None, Some(1), None];
        let positions = [[1.0; 3]; 5];
        assert_eq!(first_equal(&positions, &numbers, true), [0, 1, 2, 0, 2]);
        assert_eq!(first_equal(&positions, &numbers, false), [0, 1, 2, 0, 4]);
        assert!(first_equal(&[], &[], true).is_empty());
    }
}
