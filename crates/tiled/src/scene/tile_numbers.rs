//! Numbers that a map gives to the tiles of its scene.

use std::collections::HashMap;

use mapwright_scene::{Cell, TileLayer};

/// The numbers of tiles, without flags.
#[derive(Debug, Default)]
pub(super) struct TileNumbers {
    /// The first number of each tile set, by its index in the scene.
    pub(super) sets: HashMap<usize, u32>,
    /// The numbers of words.
    pub(super) words: HashMap<u32, u32>,
}

impl TileNumbers {
    /// Returns the number of a tile. 0 is an empty cell.
    pub(super) fn gid(&self, tile: TileOfCell) -> Option<u32> {
        match tile {
            TileOfCell::Empty => Some(0),
            TileOfCell::Tile(set, tile) => self.sets.get(&set)?.checked_add(tile),
            TileOfCell::Word(word) => self.words.get(&word).copied(),
        }
    }
}

/// The tile of a cell: the index of its set in the scene and the tile, or a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TileOfCell {
    Empty,
    Tile(usize, u32),
    Word(u32),
}

impl TileOfCell {
    /// Returns the tile that a word of a layer represents.
    pub(super) fn from_word(layer: &TileLayer, word: u32) -> Self {
        match Cell::from_word(word) {
            Cell::Empty => Self::Empty,
            Cell::Fill => Self::Word(word),
            Cell::Tile { set, tile } => match layer.tile_sets.get(usize::from(set)) {
                Some(set) => Self::Tile(set.index(), tile.into()),
                None => Self::Word(word),
            },
        }
    }
}
