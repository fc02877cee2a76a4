//! Differences of cells.

use crate::Plane;

/// Adjacent cells of a row with the same change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CellRun {
    /// The row.
    pub row: u32,
    /// The first column.
    pub column: u32,
    /// Number of cells.
    pub count: u32,
    /// The old word of each; see [`Cell`](crate::Cell).
    pub old: u32,
    /// The new word of each.
    pub new: u32,
}

/// Compares the cells that both grids have.
pub(super) fn runs(old: &Plane, new: &Plane) -> Vec<CellRun> {
    let width = |plane: &Plane| plane.size().0.max(1) as usize;
    let rows = old.tiles.chunks(width(old)).zip(new.tiles.chunks(width(new)));
    let mut runs: Vec<CellRun> = Vec::new();
    for (row, (old, new)) in (0_u32..).zip(rows) {
        if old == new {
            continue;
        }
        for (column, (&old, &new)) in (0_u32..).zip(old.iter().zip(new)) {
            if old == new {
                continue;
            }
            match runs.last_mut() {
                Some(run)
                    if run.row == row
                        && run.column.saturating_add(run.count) == column
                        && (run.old, run.new) == (old, new) =>
                {
                    run.count = run.count.saturating_add(1);
                }
                _ => runs.push(CellRun { row, column, count: 1, old, new }),
            }
        }
    }
    runs
}
