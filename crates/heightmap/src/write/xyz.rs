//! Writes heights as lines of x, y and height.

use std::io::{self, Write};

use mapwright_io::format_count;
use mapwright_scene::Losses;

use super::text::HeightFormatter;
use crate::{ExportOptions, grid::Grid};

/// Writes a line for each point, from the north-western one on, row by row. Points without a height are left out.
pub(super) fn write(
    grid: &Grid<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
    losses: &mut Losses,
) -> io::Result<()> {
    let [west, south] = grid.corner;
    let [dx, dy] = grid.spacing;
    let columns: Vec<String> = (0..grid.columns).map(|column| format!("{} ", west + f64::from(column) * dx)).collect();
    let mut formatter = HeightFormatter::new(&grid.heights, options.numbers);
    let mut lines = Vec::new();
    let mut missing = 0_usize;
    let mut southward = (0..grid.rows).rev();
    formatter.rows(grid, |formatter, heights| {
        let y = format!("{} ", south + f64::from(southward.next().unwrap_or_default()) * dy);
        lines.clear();
        for (x, height) in columns.iter().zip(heights) {
            if formatter.is_missing(height) {
                missing = missing.saturating_add(1);
                continue;
            }
            lines.extend_from_slice(x.as_bytes());
            lines.extend_from_slice(y.as_bytes());
            formatter.height(height, &mut lines);
            lines.push(b'\n');
        }
        out.write_all(&lines)
    })?;
    if missing > 0 {
        let text =
            format!("{} without a height, left out; the grid may shrink to the others", format_count(missing, "point"));
        losses.dropped(&*grid.path, text);
    }
    formatter.report(grid, losses);
    Ok(())
}
