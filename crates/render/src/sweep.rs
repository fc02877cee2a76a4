//! Sweep line over intervals of rows.

use std::collections::BTreeSet;

/// Finds the intervals that contain a row, for ascending rows.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// First row, row after the last, and index; sorted by first row.
    rows: Vec<(i64, i64, usize)>,
    next: usize,
    active: BTreeSet<usize>,
    ends: Vec<i64>,
}

impl Sweep {
    /// Creates the sweep line. Each interval has a first row and an exclusive end.
    pub(crate) fn new(rows: impl Iterator<Item = [i64; 2]>) -> Self {
        let mut rows: Vec<_> = rows.enumerate().map(|(place, [first, end])| (first, end, place)).collect();
        let ends = rows.iter().map(|&(_, end, _)| end).collect();
        rows.sort_unstable();
        Self { rows, next: 0, active: BTreeSet::new(), ends }
    }

    /// Returns the indices of the intervals that contain row `y`, ascending. Rows must not descend.
    pub(crate) fn advance_to(&mut self, y: i64) -> &BTreeSet<usize> {
        let ends = &self.ends;
        self.active.retain(|&place| ends.get(place).is_some_and(|&end| end > y));
        while let Some(&(first, end, place)) = self.rows.get(self.next).filter(|(first, ..)| *first <= y) {
            debug_assert!(first <= y);
            self.next += 1;
            if end > y {
                self.active.insert(place);
            }
        }
        &self.active
    }
}
