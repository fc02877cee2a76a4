//! Sizes, heights and cells.

use std::collections::BTreeMap;

use super::{Area, Report};
use crate::Version;
use crate::document::{Document, Wvr, Wvr8};

const CELLS: [&str; 2] = ["cell", "cells"];
const HEIGHTS: [&str; 2] = ["height", "heights"];

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
            check_steps(terrain, report);
            check_textures(terrain, report);
        }
        Document::Wvr8(terrain) => {
            check_sizes(terrain.land, terrain.terrain, "land", report);
            check_cell(terrain.cell, report);
            let mut areas = BTreeMap::new();
            for (vertex, _) in terrain.heights.iter().enumerate().filter(|(_, height)| !height.is_finite()) {
                Area::add(&mut areas, (), vertex, terrain.terrain[0]);
            }
            for area in areas.values() {
                let text = format_args!("no height: {}", area.describe(HEIGHTS, terrain.ground().step, 0.0));
                report.error("height-nan", ("heights", Some(area.first)), text);
            }
            check_cells(&terrain.cells, terrain.land[0], (terrain.cell, terrain.materials.len()), report);
            check_materials(terrain, report);
        }
        Document::Oprw(terrain) => {
            check_sizes(terrain.land, terrain.terrain, "land", report);
            check_cell(terrain.cell, report);
            check_cells(&terrain.cells, terrain.land[0], (terrain.cell, terrain.materials.len()), report);
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

fn check_steps(terrain: &Wvr, report: &mut Report) {
    let mut areas = BTreeMap::new();
    for (vertex, _) in terrain.heights.iter().enumerate().filter(|(_, height)| **height == -1) {
        Area::add(&mut areas, (), vertex, terrain.size[0]);
    }
    for area in areas.values() {
        let metres = terrain.height_unit;
        let text = format_args!(
            "height -1 (0xFFFF), whose meaning public descriptions call unclear, is -{metres} m: {}",
            area.describe(HEIGHTS, terrain.ground().step, 0.0)
        );
        report.note("height-minus-one", ("heights", Some(area.first)), text);
    }
}

fn check_textures(terrain: &Wvr, report: &mut Report) {
    let named: Vec<bool> = terrain.names.iter().map(|name| !name.text().is_empty()).collect();
    let mut areas = BTreeMap::new();
    for (cell, &index) in terrain.textures.iter().enumerate() {
        let name = usize::try_from(index).ok().and_then(|index| named.get(index));
        if name != Some(&true) || index == Wvr::SEA && terrain.version != Version::Wvr1 {
            Area::add(&mut areas, index, cell, terrain.size[0]);
        }
    }
    for (index, area) in areas {
        let place = ("textures", Some(area.first));
        let area_on_map = area.describe(CELLS, terrain.ground().step, 1.0);
        if usize::try_from(index).ok().is_none_or(|index| index >= named.len()) {
            // The game replaces only larger indices.
            let result = if index == 512 { "the game reads past the end of its table" } else { "drawn as sea" };
            let text =
                format_args!("texture index {index} out of range ({} slots): {result}; {area_on_map}", named.len());
            report.error("tex-index-out-of-range", place, text);
        } else if index != Wvr::SEA {
            report.warning("tex-index-unnamed", place, format_args!("texture slot {index} is empty; {area_on_map}"));
        } else if terrain.version != Version::Wvr1 {
            let text = format_args!("texture index 0 is the sea, without a surface of land; {area_on_map}");
            report.note("tex-index-sea", place, text);
        }
    }
}

fn check_cells(cells: &[u16], columns: u32, (cell, materials): (f32, usize), report: &mut Report) {
    let mut areas = BTreeMap::new();
    for (cell, index) in cells.iter().enumerate().filter(|(_, index)| usize::from(**index) >= materials) {
        Area::add(&mut areas, *index, cell, columns);
    }
    for (index, area) in areas {
        let area_on_map = area.describe(CELLS, [cell.into(); 2], 1.0);
        let text = format_args!("material index {index} out of range ({materials} materials); {area_on_map}");
        report.warning("material-index-out-of-range", ("cells", Some(area.first)), text);
    }
}

fn check_materials(terrain: &Wvr8, report: &mut Report) {
    for (place, names) in terrain.materials.iter().enumerate() {
        if place == 0 && !names.is_empty() {
            report.note(
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
