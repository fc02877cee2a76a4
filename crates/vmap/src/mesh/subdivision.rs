//! Displacement grids of faces.

#![allow(clippy::arithmetic_side_effects, reason = "counts items in memory and computes with floats")]

mod evaluate;

use std::ops::Range;

use super::SubdivisionData;

/// The samples of one corner: a square grid over the part of the face between the corner, the midpoints of its two edges and
/// the centre of the face.
///
/// Sample `j · side + i` lies `i / (side − 1)` of the way from the corner to the midpoint of the edge to the **next** corner, and
/// `j / (side − 1)` of the way to the midpoint of the edge to the **previous** corner. The last sample lies at the centre of the face.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Level, 1 or more.
    pub level: u32,
    /// Samples in a row: 2^(level − 1) + 1.
    pub side: usize,
    /// Range of the samples in every stream of the subdivision data.
    pub samples: Range<usize>,
}

/// Returns the number of samples of a corner with a level.
pub(super) fn samples(level: i32) -> u64 {
    side(level).map_or(u64::MAX, |side| side.saturating_mul(side))
}

/// Returns the number of samples in a row; 0 for no grid, `None` if it is too large.
fn side(level: i32) -> Option<u64> {
    let Ok(level) = u32::try_from(level) else { return Some(0) };
    match level.checked_sub(1) {
        None => Some(0),
        Some(halvings) => 1_u64.checked_shl(halvings)?.checked_add(1).filter(|_| halvings < 32),
    }
}

impl SubdivisionData {
    /// Returns the grid of every corner. `None` if there are no streams, or if the length of one does not match the levels:
    /// then the corners of samples are unknown.
    pub fn grids(&self) -> Option<Vec<Option<Grid>>> {
        let wanted = self.levels.iter().fold(0_u64, |sum, &level| sum.saturating_add(samples(level)));
        let wanted = usize::try_from(wanted).ok()?;
        if self.streams.is_empty() || self.streams.iter().any(|stream| stream.data.len() != wanted) {
            return None;
        }
        let mut start = 0_usize;
        let mut grid = |&level: &i32| {
            let side = side(level).and_then(|side| usize::try_from(side).ok()).filter(|&side| side > 0)?;
            let end = start.saturating_add(side.saturating_mul(side));
            let samples = std::mem::replace(&mut start, end)..end;
            Some(Grid { level: level.unsigned_abs(), side, samples })
        };
        Some(self.levels.iter().map(&mut grid).collect())
    }
}
