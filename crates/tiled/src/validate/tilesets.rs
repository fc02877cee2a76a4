//! Tilesets in maps and in their own files.

use std::collections::HashSet;

use super::Report;
use crate::view::Tileset;

pub(super) fn check(tileset: Tileset<'_>, report: &mut Report) {
    if tileset.source().is_some() {
        return;
    }
    let mut ids = HashSet::new();
    for tile in tileset.tiles() {
        if !ids.insert(tile.id()) {
            report.warning("tile-duplicate", tile.item(), format_args!("id {} of the tile is already used", tile.id()));
        }
    }
    // In one image, ids are below the number of tiles. Each tile with an image is listed.
    let count = tileset.tile_count();
    let is_known = |id: i32| ids.contains(&id) || (tileset.columns() > 0 && (0..count).contains(&id)) || count == 0;
    for tile in tileset.tiles() {
        for frame in tile.animation().filter(|frame| !is_known(frame.tile_id())) {
            let message = format_args!(
                "the animation of tile {} shows tile {}, which the tileset does not have",
                tile.id(),
                frame.tile_id()
            );
            report.warning("tile-unknown", frame.item(), message);
        }
    }
    for set in tileset.wang_sets() {
        let colors = set.colors().count();
        for tile in set.tiles() {
            if !is_known(tile.tile_id()) {
                let message = format_args!("tile {} of the Wang set is not in the tileset", tile.tile_id());
                report.warning("tile-unknown", tile.item(), message);
            }
            let is_valid = |found: [u32; 8]| found.iter().all(|&color| color as usize <= colors);
            if !tile.colors().is_some_and(is_valid) {
                let message =
                    format_args!("the colours of tile {} are not eight numbers up to {colors}", tile.tile_id());
                report.warning("wangid-invalid", tile.item(), message);
            }
        }
    }
}
