//! Sizes, heights and cells.

use super::Report;
use crate::document::{Document, Wvr, Wvr8};

/// Maximum number of cells per side in the engine.
const LARGEST: u32 = 2048;

pub(super) fn check(document: &Document, report: &mut Report) {
    match document {
        Document::Wvr(terrain) => {
            check_sizes(terrain.size, terrain.size, "size", report);
            let [columns, rows] = terrain.size;
            if columns.max(rows) > LARGEST {
                report.error(
                    "grid-over-2048",
                    ("size", None),
                    format_args!("grid of {columns}×{rows} cells: the engine accepts at most {LARGEST} per side"),
                );
            }
            check_textures(terrain, report);
        }
        Document::Wvr8(terrain) => {
            check_sizes(terrain.land, terrain.terrain, "land", report);
            check_cell(terrain.cell, report);
            for (vertex, height) in terrain.heights.iter().enumerate().filter(|(_, height)| !height.is_finite()) {
                report.error("height-nan", ("heights", Some(vertex)), format_args!("height is {height}"));
            }
            check_cells(&terrain.cells, terrain.materials.len(), report);
            check_materials(terrain, report);
        }
        Document::Oprw(terrain) => {
            check_sizes(terrain.land, terrain.terrain, "land", report);
            check_cell(terrain.cell, report);
            check_cells(&terrain.cells, terrain.materials.len(), report);
        }
    }
}

/// Checks the cell size, which 8WVR and OPRW store.
fn check_cell(cell: f32, report: &mut Report) {
    if !(cell.is_finite() && cell > 0.0) {
        report.error("cell-size", ("cell", None), format_args!("invalid cell size: {cell} m"));
    }
}

fn check_sizes(land: [u32; 2], terrain: [u32; 2], field: &'static str, report: &mut Report) {
    let [[lx, lz], [tx, tz]] = [land, terrain];
    let place = (field, None);
    if [lx, lz, tx, tz].contains(&0) {
        report.error("grid-empty", place, "grid has no cells");
    } else if lx != lz || tx != tz {
        report.error(
            "grid-not-square",
            place,
            format_args!("{lx}×{lz} cells, {tx}×{tz} heights: the games require squares"),
        );
    } else if !lx.is_power_of_two() || !tx.is_power_of_two() {
        let text = format_args!("{lx} cells and {tx} heights per side: the games require powers of two");
        report.error("grid-not-power-of-two", place, text);
    }
    if let (Some(x), Some(z)) = (tx.checked_rem(lx), tz.checked_rem(lz))
        && (x != 0 || z != 0 || tx.checked_div(lx) != tz.checked_div(lz))
    {
        let text = format_args!("{tx}×{tz} heights on {lx}×{lz} cells: not the same integer multiple on both sides");
        report.warning("grid-land-terrain-ratio", place, text);
    }
}

fn check_textures(terrain: &Wvr, report: &mut Report) {
    let named: Vec<bool> = terrain.names.iter().map(|name| !name.text().is_empty()).collect();
    for (cell, &index) in terrain.textures.iter().enumerate() {
        match usize::try_from(index).ok().and_then(|index| named.get(index)) {
            None => {
                // The game replaces only larger indices.
                let result = if index == 512 { "the game reads after the end of its table" } else { "drawn as sea" };
                let text = format_args!("texture index {index} out of range ({} slots): {result}", named.len());
                report.error("tex-index-out-of-range", ("textures", Some(cell)), text);
            }
            Some(false) if index != Wvr::SEA => {
                report.warning(
                    "tex-index-unnamed",
                    ("textures", Some(cell)),
                    format_args!("texture slot {index} is empty"),
                );
            }
            Some(_) => {}
        }
    }
}

fn check_cells(cells: &[u16], materials: usize, report: &mut Report) {
    for (cell, index) in cells.iter().enumerate().filter(|(_, index)| usize::from(**index) >= materials) {
        let text = format_args!("material index {index} out of range ({materials} materials)");
        report.warning("material-index-out-of-range", ("cells", Some(cell)), text);
    }
}

fn check_materials(terrain: &Wvr8, report: &mut Report) {
    for (place, names) in terrain.materials.iter().enumerate() {
        if place == 0 && !names.is_empty() {
            report.warning(
                "material-zero-not-null",
                ("materials", Some(0)),
                "first material has a name; usually it has none",
            );
        }
        if names.len() > 1 {
            let text = format_args!("material has {} files", names.len());
            report.note("material-multi-string", ("materials", Some(place)), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Geometry": the largest side that the engine accepts.
    #[test]
    fn the_largest_side_matches_the_description() {
        assert_eq!(LARGEST, 2048);
    }
}
