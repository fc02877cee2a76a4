//! The position of a grid of pixels on the map.

use crate::Error;
use crate::crs::needs_gdal;

/// The affine transform from columns and rows to the map, of the corners of pixels: x = x0 + a · column + b · row, and y = y0 + d ·
/// column + e · row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Affine {
    pub(super) x: [f64; 3],
    pub(super) y: [f64; 3],
}

/// The position of a grid whose rows run east.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    /// Distance between points, east and north; positive.
    pub(super) spacing: [f64; 2],
    /// East and north of the south-western point.
    pub(super) corner: [f64; 2],
    /// `true` if columns run west, and if rows run north.
    pub(super) is_flipped: [bool; 2],
}

impl Affine {
    /// Moves the transform from the centres of pixels to their corners.
    pub(super) fn moved_from_centres(self) -> Self {
        let half = |[start, column, row]: [f64; 3]| [start - (column + row) / 2.0, column, row];
        Self { x: half(self.x), y: half(self.y) }
    }

    /// Returns the position of a place in the grid.
    pub(super) fn apply(&self, column: f64, row: f64) -> [f64; 2] {
        [self.x, self.y].map(|[start, across, down]| start + across * column + down * row)
    }

    /// Returns the position of the grid. Rejects rotated grids.
    pub(super) fn placement(&self, [columns, rows]: [u32; 2], extension: &str) -> Result<Placement, Error> {
        let ([_, a, b], [_, d, e]) = (self.x, self.y);
        if b.abs() > a.abs() * 1e-9 || d.abs() > e.abs() * 1e-9 {
            let command = format!("gdalwarp -r bilinear -dstnodata -9999 in.{extension} out.tif");
            return Err(needs_gdal("rotated grids are not supported".to_owned(), command));
        }
        let is_flipped = [a < 0.0, e > 0.0];
        let column = if a < 0.0 { f64::from(columns) - 0.5 } else { 0.5 };
        let row = if e > 0.0 { 0.5 } else { f64::from(rows) - 0.5 };
        Ok(Placement { spacing: [a.abs(), e.abs()], corner: self.apply(column, row), is_flipped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_may_run_in_all_directions_but_not_rotated() {
        let affine = |a, e| Affine { x: [100.0, a, 0.0], y: [50.0, 0.0, e] }.placement([3, 2], "tif").unwrap();
        let expected = |corner, is_flipped| Placement { spacing: [10.0, 5.0], corner, is_flipped };
        assert_eq!(affine(10.0, -5.0), expected([105.0, 42.5], [false, false]));
        assert_eq!(affine(10.0, 5.0), expected([105.0, 52.5], [false, true]));
        assert_eq!(affine(-10.0, -5.0), expected([75.0, 42.5], [true, false]));
        let rotated = Affine { x: [0.0, 10.0, 1.0], y: [0.0, 1.0, -10.0] };
        assert_eq!(rotated.placement([3, 2], "tif").unwrap_err().to_string(), "rotated grids are not supported");
        assert_eq!(rotated.moved_from_centres().x, [-5.5, 10.0, 1.0]);
    }
}
