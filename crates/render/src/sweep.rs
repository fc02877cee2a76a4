//! Which of many things a row touches.

use std::collections::BTreeSet;

/// Which of many things a row touches, row after row.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// First row, row behind the last, place; by first row.
    rows: Vec<(i64, i64, usize)>,
    next: usize,
    active: BTreeSet<usize>,
    ends: Vec<i64>,
}

impl Sweep {
    /// Of things of which the first row and the one behind the last are known.
    pub(crate) fn new(rows: impl Iterator<Item = [i64; 2]>) -> Self {
        let mut rows: Vec<_> = rows.enumerate().map(|(place, [first, end])| (first, end, place)).collect();
        let ends = rows.iter().map(|&(_, end, _)| end).collect();
        rows.sort_unstable();
        Self { rows, next: 0, active: BTreeSet::new(), ends }
    }

    /// The places that row `y` touches, in order; rows are asked for from the top.
    pub(crate) fn to(&mut self, y: i64) -> &BTreeSet<usize> {
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
