//! Changed cells.

use mapwright_scene::{Attribute, Losses, TileLayer};

use super::super::flips::{is_flips, parse_flips, with_flips};
use super::super::tile_numbers::{TileNumbers, TileOfCell};
use crate::cells::{Cells, Chunk};
use crate::view::Layer;
use crate::{Edit, WriteError};

/// Writes the cells that differ.
pub(super) fn merge_cells<'a>(
    edit: &mut Edit<'a>,
    layer: Layer<'a>,
    [old, new]: [&TileLayer; 2],
    numbers: &TileNumbers,
    path: &str,
    losses: &mut Losses,
) -> Result<(), WriteError> {
    if old.size != new.size {
        losses.dropped(path, "another size of the tile layer");
        return Ok(());
    }
    if old.cells == new.cells && old.attributes == new.attributes && old.tile_sets == new.tile_sets {
        return Ok(());
    }
    let chunks = || layer.cells().into_iter().flat_map(Cells::chunks).map(Chunk::origin);
    let [left, top] = [chunks().map(|[x, _]| x).min().unwrap_or(0), chunks().map(|[_, y]| y).min().unwrap_or(0)];
    let [old_flips, new_flips] = [old, new].map(flips);
    let flags = |column: Option<&Attribute>, index: usize| column.and_then(|it| it.values.get(index)).copied();
    let columns = old.size[0].max(1) as usize;
    let (mut changes, mut unknown) = (Vec::new(), 0_usize);
    for (index, (old_cell, new_cell)) in old.cells.iter().zip(&new.cells).enumerate() {
        let [old_flags, new_flags] = [flags(old_flips, index), flags(new_flips, index)].map(|it| it.unwrap_or(0.0));
        let [old_tile, new_tile] =
            [(old, old_cell), (new, new_cell)].map(|(layer, cell)| TileOfCell::from_word(layer, *cell));
        if old_tile == new_tile && old_flags == new_flags {
            continue;
        }
        let number = numbers.gid(new_tile);
        let flips = parse_flips(new_flags).unwrap_or(0);
        let coordinate = |at: Option<usize>, first: i32| i32::try_from(at?).ok()?.checked_add(first);
        let place = coordinate(index.checked_rem(columns), left).zip(coordinate(index.checked_div(columns), top));
        match number.zip(place) {
            Some((number, (x, y))) => changes.push(([x, y], with_flips(number, flips))),
            None => unknown = unknown.saturating_add(1),
        }
    }
    if unknown > 0 {
        losses.dropped(path, format!("cells with tiles that the map does not have: {unknown}"));
    }
    edit.set_cells(layer, &changes)
}

fn flips(layer: &TileLayer) -> Option<&Attribute> {
    layer.attributes.iter().find(|column| is_flips(column))
}
