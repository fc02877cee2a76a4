//! Tile sets with the numbers that the map gives to their tiles.

use std::collections::HashMap;

use mapwright_scene::TileSetId;

use crate::codes::ObjectAlignment;

/// A tile set of the map, with the numbers of its tiles.
#[derive(Debug)]
pub(super) struct NumberedSet {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) kind: SetKind,
    /// The anchor of objects with a tile of this set: fractions of their width and height from the top left corner.
    pub(super) anchor: [f64; 2],
    pub(super) tile_size: [u32; 2],
    /// Sizes of tiles with images of their own.
    pub(super) sizes: HashMap<u32, [u32; 2]>,
    /// The highest tile that a cell or object shows, plus one.
    pub(super) shown: u32,
    /// `true` if the file of the set is missing.
    pub(super) is_missing: bool,
}

impl NumberedSet {
    /// Returns the size of a tile.
    pub(super) fn size_of(&self, tile: u32) -> [u32; 2] {
        self.sizes.get(&tile).copied().unwrap_or(self.tile_size)
    }
}

/// The content of a tile set.
#[derive(Debug)]
pub(super) enum SetKind {
    /// Tiles.
    Tiles(TileSetId),
    /// Tiles for words of cells.
    Words(HashMap<u32, u32>),
}

/// The anchor of tile objects in maps that do not name another one.
pub(super) const BOTTOM_LEFT: [f64; 2] = [0.0, 1.0];

/// Returns the anchor of tile objects.
pub(super) fn anchor(alignment: ObjectAlignment, is_isometric: bool) -> [f64; 2] {
    match alignment {
        ObjectAlignment::Unspecified if is_isometric => [0.5, 1.0],
        ObjectAlignment::Unspecified | ObjectAlignment::BottomLeft => BOTTOM_LEFT,
        ObjectAlignment::TopLeft => [0.0, 0.0],
        ObjectAlignment::Top => [0.5, 0.0],
        ObjectAlignment::TopRight => [1.0, 0.0],
        ObjectAlignment::Left => [0.0, 0.5],
        ObjectAlignment::Center => [0.5, 0.5],
        ObjectAlignment::Right => [1.0, 0.5],
        ObjectAlignment::Bottom => [0.5, 1.0],
        ObjectAlignment::BottomRight => [1.0, 1.0],
    }
}
