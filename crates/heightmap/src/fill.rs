//! Missing heights.

use std::ops::RangeInclusive;

use mapwright_io::format_count;

/// Heights above this are not terrain heights.
const HIGHEST: f32 = 1e30;

/// The replacement of missing heights.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NoData {
    /// A height.
    Height(f32),
    /// Heights from those around, as [`interpolate_missing`] finds them.
    Interpolate,
}

/// Returns `true` for NaN, infinite numbers, and numbers that are too large for a height.
pub fn is_missing(height: f32) -> bool {
    height.is_nan() || height.abs() > HIGHEST
}

/// Replaces missing heights of a grid with `columns` columns by interpolation. Other heights do not change. Returns `false` if no
/// height exists.
///
/// The grid is halved until no height is missing: a height is the mean of up to four finer ones. Missing heights are then
/// interpolated linearly from the next coarser grid.
pub fn interpolate_missing(heights: &mut [f32], columns: u32) -> bool {
    let columns = columns.max(1) as usize;
    let finest: Vec<f64> =
        heights.iter().map(|&height| if is_missing(height) { f64::NAN } else { f64::from(height) }).collect();
    let mut levels = vec![Level { columns, rows: heights.len() / columns, values: finest }];
    while let Some(last) = levels.last().filter(|last| last.values.iter().any(|value| value.is_nan())) {
        if last.values.len() <= 1 {
            return false;
        }
        let coarser = last.halved();
        levels.push(coarser);
    }
    // From the coarsest grid back to the finest.
    let mut filled = levels.pop().unwrap_or(Level { columns, rows: 0, values: Vec::new() });
    while let Some(mut finer) = levels.pop() {
        finer.fill_from(&filled);
        filled = finer;
    }
    for (height, value) in heights.iter_mut().zip(&filled.values).filter(|(height, _)| is_missing(**height)) {
        #[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
        let value = *value as f32;
        *height = value;
    }
    true
}

/// A grid whose missing values are NaN.
struct Level {
    columns: usize,
    rows: usize,
    values: Vec<f64>,
}

impl Level {
    fn get(&self, column: usize, row: usize) -> Option<f64> {
        let is_inside = column < self.columns && row < self.rows;
        is_inside.then(|| self.values.get(row * self.columns + column).copied())?
    }

    fn halved(&self) -> Self {
        let (columns, rows) = (self.columns.div_ceil(2), self.rows.div_ceil(2));
        let mean = |index: usize| {
            let (column, row) = (index % columns * 2, index / columns * 2);
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
            let present = four.filter_map(|(x, y)| self.get(column + x, row + y)).filter(|value| !value.is_nan());
            let (sum, count) = present.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            sum / count
        };
        Self { columns, rows, values: (0..columns * rows).map(mean).collect() }
    }

    fn fill_from(&mut self, coarse: &Self) {
        for index in 0..self.values.len() {
            if self.values.get(index).is_some_and(|value| value.is_nan()) {
                let height = coarse.interpolated(index % self.columns, index / self.columns);
                if let Some(value) = self.values.get_mut(index) {
                    *value = height;
                }
            }
        }
    }

    /// Returns the height at the centre of a cell of the next finer grid.
    fn interpolated(&self, column: usize, row: usize) -> f64 {
        let place = |index: usize, count: usize| {
            let last = count.saturating_sub(1);
            #[allow(clippy::cast_precision_loss)] // Below 2⁵³.
            let exact = ((index as f64 + 0.5) / 2.0 - 0.5).clamp(0.0, last as f64);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to the last index.
            let low = exact.floor() as usize;
            (low, (low + 1).min(last), exact.fract())
        };
        let ((west, east, u), (north, south, v)) = (place(column, self.columns), place(row, self.rows));
        let at = |column, row| self.get(column, row).unwrap_or(f64::NAN);
        let upper = at(west, north) * (1.0 - u) + at(east, north) * u;
        let lower = at(west, south) * (1.0 - u) + at(east, south) * u;
        upper * (1.0 - v) + lower * v
    }
}

/// The missing heights of a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Missing {
    pub(super) count: u64,
    columns: RangeInclusive<u32>,
    rows: RangeInclusive<u32>,
}

impl Missing {
    /// Finds the missing heights. Returns `None` if all exist.
    pub(super) fn find(heights: &[f32], columns: u32) -> Option<Self> {
        let place = |index: usize| {
            let index = index as u64;
            let columns = u64::from(columns.max(1));
            [index % columns, index / columns].map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        };
        let missing = heights.iter().enumerate().filter(|(_, height)| is_missing(**height));
        missing.map(|(index, _)| place(index)).fold(None, |found: Option<Self>, [column, row]| {
            let Some(Self { count, columns, rows }) = found else {
                return Some(Self { count: 1, columns: column..=column, rows: row..=row });
            };
            let with =
                |range: RangeInclusive<u32>, number: u32| *range.start().min(&number)..=*range.end().max(&number);
            Some(Self { count: count + 1, columns: with(columns, column), rows: with(rows, row) })
        })
    }

    /// Describes the heights, with the area on the map that contains them. Rows are numbered from the north.
    pub(super) fn describe(&self, rows: u32, spacing: [f64; 2], corner: Option<[f64; 2]>) -> String {
        let [x, y] = corner.unwrap_or_default();
        let east = |column: u32| x + f64::from(column) * spacing[0];
        let north = |row: u32| y + f64::from(rows.saturating_sub(1).saturating_sub(row)) * spacing[1];
        let range = |range: &RangeInclusive<u32>| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}–{last}"),
        };
        format!(
            "{} without a height: columns {}, rows {} from the north-west; east {} to {}, north {} to {}",
            format_count(self.count, "sample"),
            range(&self.columns),
            range(&self.rows),
            east(*self.columns.start()),
            east(*self.columns.end()),
            north(*self.rows.end()),
            north(*self.rows.start()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the definition of the method; the sums come from an independent implementation of it.
    #[test]
    fn holes_are_filled_from_their_surroundings() {
        let mut grid = [1.0, 2.0, f32::NAN, 4.0, 5.0, f32::INFINITY, 7.0, 8.0, 9.0];
        assert!(interpolate_missing(&mut grid, 3));
        // Averages of the next grid: 3, 2, 7.5 … of [1 2 4 5], [NaN inf], [7 8], [9].
        assert_eq!([grid[0], grid[1], grid[3], grid[8]], [1.0, 2.0, 4.0, 9.0]);
        assert!(grid.iter().all(|height| height.is_finite() && (1.0..=9.0).contains(height)), "{grid:?}");
        assert!(!interpolate_missing(&mut [f32::NAN; 6], 2));
        let mut line = [0.0, f32::NAN];
        assert!(interpolate_missing(&mut line, 2));
        assert_eq!(line, [0.0, 0.0]);
    }

    #[test]
    fn missing_heights_are_described_by_their_area() {
        let mut grid = vec![0.0; 20];
        (grid[6], grid[13]) = (f32::NAN, 3.4e38);
        let missing = Missing::find(&grid, 5).unwrap();
        assert_eq!(
            missing.describe(4, [10.0, 10.0], Some([500.0, 100.0])),
            "2 samples without a height: columns 1–3, rows 1–2 from the north-west; east 510 to 530, north 110 to 120"
        );
        assert_eq!(Missing::find(&[0.0, -9999.0], 2), None);
    }
}
