//! Writes ESRI ASCII grids.

use std::io::{self, Write};

use mapwright_scene::Losses;

use super::{
    number::millionths,
    text::{HeightFormatter, NO_DATA},
};
use crate::{Corner, ExportOptions, grid::Grid, options::CORNER_IS_POINT};

/// Writes the header and the rows as Terrain Builder does: keywords with 14 columns, and a space after every height.
pub(super) fn write(
    grid: &Grid<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
    losses: &mut Losses,
) -> io::Result<()> {
    let half = match options.corner.unwrap_or_default() {
        Corner::Point => {
            losses.preserved(grid.path.as_str(), CORNER_IS_POINT);
            0.0
        }
        Corner::Cell => 0.5,
    };
    let [[x, dx], [y, dy]] = [0, 1].map(|axis: usize| {
        let step = grid.spacing.get(axis).copied().unwrap_or(1.0);
        [grid.corner.get(axis).copied().unwrap_or_default() - half * step, step]
    });
    let mut head = vec![
        ("ncols", grid.columns.to_string()),
        ("nrows", grid.rows.to_string()),
        ("xllcorner", millionths(x)),
        ("yllcorner", millionths(y)),
    ];
    if dx == dy {
        head.push(("cellsize", millionths(dx)));
    } else {
        head.extend([("dx", millionths(dx)), ("dy", millionths(dy))]);
        losses.preserved(format!("{}.spacing", grid.path), "as dx and dy, which few programs support");
    }
    head.push(("NODATA_value", NO_DATA.to_string()));
    for (keyword, value) in head {
        writeln!(out, "{keyword:<14}{value}")?;
    }
    let mut formatter = HeightFormatter::new(&grid.heights, options.numbers);
    let mut line = Vec::new();
    formatter.rows(grid, |formatter, heights| {
        line.clear();
        for height in heights {
            formatter.height_or_no_data(height, &mut line);
            line.push(b' ');
        }
        line.push(b'\n');
        out.write_all(&line)
    })?;
    formatter.report(grid, losses);
    Ok(())
}
