//! Differences between grids, collected into rectangles.

use super::HeightArea;
use crate::Document;

/// Maximum number of separate rectangles. Further differences are joined into one more.
const MAX_AREAS: usize = 1000;

/// A rectangle of a grid that contains differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Area {
    /// South-west cell, counted from the west and from the south.
    pub at: [u32; 2],
    /// Columns and rows.
    pub size: [u32; 2],
    /// Number of cells that differ.
    pub changed: u64,
}

/// Returns the areas of heights and of cells that differ.
pub(super) fn compare(old: &Document, new: &Document) -> (Vec<HeightArea>, Vec<Area>) {
    let (before, after) = (old.ground(), new.ground());
    let mut heights = Vec::new();
    if before.size == after.size {
        let same = |vertex: usize| {
            let [a, b] = [&before, &after].map(|ground| ground.heights.get(vertex).unwrap_or(0.0));
            a.to_bits() == b.to_bits()
        };
        for area in areas(before.size, same) {
            let mut by = [f64::INFINITY, f64::NEG_INFINITY];
            for_each_cell(before.size, &area, |vertex| {
                if same(vertex) {
                    return;
                }
                let [a, b] = [&before, &after].map(|ground| f64::from(ground.heights.get(vertex).unwrap_or(0.0)));
                // Round to millimetres: the decimals of f32 beyond them are not significant.
                let change = ((b - a) * 1000.0).round() / 1000.0;
                if change.is_finite() {
                    by = [by[0].min(change), by[1].max(change)];
                }
            });
            // Heights that are not finite have no change in metres.
            let by = if by[0] <= by[1] { by } else { [0.0; 2] };
            heights.push(HeightArea { area, by });
        }
    }
    let grid = |document: &Document| -> ([u32; 2], Vec<u16>) {
        match document {
            Document::Wvr(terrain) => {
                (terrain.size, terrain.textures.iter().map(|index| index.cast_unsigned()).collect())
            }
            Document::Wvr8(terrain) => (terrain.land, terrain.cells.clone()),
            Document::Oprw(terrain) => (terrain.land, terrain.cells.clone()),
        }
    };
    let ((old_size, old), (new_size, new)) = (grid(old), grid(new));
    let cells = if old_size == new_size { areas(old_size, |cell| old.get(cell) == new.get(cell)) } else { Vec::new() };
    (heights, cells)
}

/// Returns rectangles that contain all cells that differ. Runs that touch in neighbouring rows are joined.
fn areas([columns, rows]: [u32; 2], same: impl Fn(usize) -> bool) -> Vec<Area> {
    // A file may declare a grid without columns but with billions of rows.
    let rows = if columns == 0 { 0 } else { rows };
    let mut done: Vec<Area> = Vec::new();
    // Rectangles that reach the previous row, ordered by column.
    let mut open: Vec<Area> = Vec::new();
    let mut vertex = 0_usize;
    for row in 0..rows {
        let mut runs: Vec<Area> = Vec::new();
        for column in 0..columns {
            if !same(vertex) {
                match runs.last_mut() {
                    Some(run) if run.at[0].saturating_add(run.size[0]) == column => {
                        run.size[0] = run.size[0].saturating_add(1);
                        run.changed = run.changed.saturating_add(1);
                    }
                    _ => runs.push(Area { at: [column, row], size: [1, 1], changed: 1 }),
                }
            }
            vertex = vertex.saturating_add(1);
        }
        let mut before = open.into_iter().peekable();
        let mut now: Vec<Area> = Vec::new();
        for run in runs {
            let mut joined = run;
            // Rectangles that end before the run are complete; those that touch it are joined with it.
            while let Some(area) = before.peek().copied() {
                if end_column(&area) < joined.at[0] {
                    done.push(area);
                } else if area.at[0] <= end_column(&joined) {
                    joined = join(area, joined);
                } else {
                    break;
                }
                before.next();
            }
            match now.last_mut() {
                // One rectangle of the previous rows covers both runs.
                Some(last) if end_column(last) >= joined.at[0] => *last = join(*last, joined),
                _ => now.push(joined),
            }
        }
        done.extend(before);
        open = now;
        if done.len() > MAX_AREAS
            && let Some(all) = done.split_off(MAX_AREAS).into_iter().reduce(join)
        {
            done.push(all);
        }
    }
    done.extend(open);
    done.sort_by_key(|area| (area.at[1], area.at[0]));
    done
}

/// Returns the column after the last one.
const fn end_column(area: &Area) -> u32 {
    area.at[0].saturating_add(area.size[0])
}

fn join(a: Area, b: Area) -> Area {
    let start = |axis: fn(&Area) -> u32| axis(&a).min(axis(&b));
    let at = [start(|area| area.at[0]), start(|area| area.at[1])];
    let top = |area: &Area| area.at[1].saturating_add(area.size[1]);
    let end = [end_column(&a).max(end_column(&b)), top(&a).max(top(&b))];
    let size = [end[0].saturating_sub(at[0]), end[1].saturating_sub(at[1])];
    Area { at, size, changed: a.changed.saturating_add(b.changed) }
}

/// Calls `call` with the index of each cell of an area.
fn for_each_cell([columns, _]: [u32; 2], area: &Area, mut call: impl FnMut(usize)) {
    for row in area.at[1]..area.at[1].saturating_add(area.size[1]) {
        let start = u64::from(row).saturating_mul(columns.into());
        for column in area.at[0]..end_column(area) {
            call(usize::try_from(start.saturating_add(column.into())).unwrap_or(usize::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_areas(rows: &[&str]) -> Vec<([u32; 2], [u32; 2], u64)> {
        let columns = u32::try_from(rows[0].len()).unwrap();
        let cells: Vec<u8> = rows.concat().into_bytes();
        let size = [columns, u32::try_from(rows.len()).unwrap()];
        areas(size, |cell| cells[cell] == b'.').into_iter().map(|area| (area.at, area.size, area.changed)).collect()
    }

    #[test]
    fn touching_cells_are_one_rectangle() {
        assert_eq!(find_areas(&["....", "...."]), []);
        assert_eq!(find_areas(&["##..", "##.#"]), [([0, 0], [2, 2], 4), ([3, 1], [1, 1], 1)]);
        assert_eq!(find_areas(&["#...", "....", "#..."]), [([0, 0], [1, 1], 1), ([0, 2], [1, 1], 1)]);
        assert_eq!(find_areas(&["#.#.", "###."]), [([0, 0], [3, 2], 5)]);
        assert_eq!(find_areas(&["###.", "#.#."]), [([0, 0], [3, 2], 5)]);
    }

    #[test]
    fn the_number_of_rectangles_is_limited() {
        let size = [4000, 3];
        let found = areas(size, |cell| cell % 2 == 1);
        assert!(found.len() <= 4000 && found.iter().map(|area| area.changed).sum::<u64>() == 6000);
    }
}
