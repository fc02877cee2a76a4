//! Tile layers and tile sets.

use crate::{Attribute, ImageId, Properties, TileSetId};

/// A grid of tiles in the plane of its node: x right, y up, so that row r of cells lies at negative y below row r − 1.
///
/// | in | |
/// |---|---|
/// | WWD | a plane |
/// | others | – |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileLayer {
    /// The name; may be empty.
    pub name: String,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Width and height of a cell in units of length.
    pub tile_size: [u32; 2],
    /// One word per cell, row by row from the top left; see [`Cell`].
    pub cells: Vec<u32>,
    /// The sets that cells name by their place here.
    pub tile_sets: Vec<TileSetId>,
    /// Whether it repeats along x and y.
    pub wrap: [bool; 2],
    /// How far it moves when the camera moves by 1, along x and y; 1 for the layer that the camera is on.
    pub parallax: [f64; 2],
    /// Larger is nearer.
    pub z: i32,
    /// The colour of filled cells: an index into the palette of the level.
    pub fill: Option<u32>,
    /// Columns without a field of their own: one row per cell ([`Domain::Face`](crate::Domain::Face)), in their order.
    pub attributes: Vec<Attribute>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The fill colour of the layer.
    Fill,
    /// A tile.
    Tile {
        /// A place in [`TileLayer::tile_sets`].
        set: u16,
        /// A place in [`TileSet::tiles`].
        tile: u16,
    },
}

impl Cell {
    /// The word of an empty cell.
    pub const EMPTY: u32 = 0xFFFF_FFFF;
    /// The word of a filled cell.
    pub const FILL: u32 = 0xEEEE_EEEE;

    /// What a word of [`TileLayer::cells`] means: the set in the upper 16 bits, the tile in the lower.
    pub const fn from_word(word: u32) -> Self {
        match word {
            Self::EMPTY => Self::Empty,
            Self::FILL => Self::Fill,
            #[allow(clippy::cast_possible_truncation)]
            _ => Self::Tile { set: (word >> 16) as u16, tile: word as u16 },
        }
    }

    /// The word that means it.
    pub const fn word(self) -> u32 {
        match self {
            Self::Empty => Self::EMPTY,
            Self::Fill => Self::FILL,
            Self::Tile { set, tile } => (set as u32) << 16 | tile as u32,
        }
    }
}

impl Default for TileLayer {
    /// An empty grid of tiles of 1 × 1 that moves with the camera.
    fn default() -> Self {
        Self {
            name: String::new(),
            size: [0; 2],
            tile_size: [1; 2],
            cells: Vec::new(),
            tile_sets: Vec::new(),
            wrap: [false; 2],
            parallax: [1.0; 2],
            z: 0,
            fill: None,
            attributes: Vec::new(),
            properties: Properties::new(),
        }
    }
}

impl TileLayer {
    /// The cell in a column and row.
    pub fn cell(&self, column: u32, row: u32) -> Option<Cell> {
        let [columns, rows] = self.size;
        if column >= columns || row >= rows {
            return None;
        }
        let place = u64::from(row) * u64::from(columns) + u64::from(column);
        self.cells.get(usize::try_from(place).ok()?).map(|&word| Cell::from_word(word))
    }
}

/// Tiles that a layer can show.
///
/// | in | |
/// |---|---|
/// | WWD | an image set, with the tile properties of the level |
/// | others | – |
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileSet {
    /// The name.
    pub name: String,
    /// The tiles; cells name them by their place.
    pub tiles: Vec<Tile>,
    /// What else the file says about it.
    pub properties: Properties,
}

/// One tile.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tile {
    /// Its picture, where there is one.
    pub image: Option<ImageId>,
    /// What touches it.
    pub collision: Collision,
    /// What else the file says about it.
    pub properties: Properties,
}

/// What a tile is to the touch. Attributes are codes of the format (WWD: 0 clear, 1 solid, 2 ground, 3 climb, 4 death).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Collision {
    /// Not said.
    #[default]
    Unknown,
    /// The same everywhere.
    Uniform(u32),
    /// One attribute in a rectangle, another around it.
    Rectangle {
        /// Around.
        outside: u32,
        /// Within.
        inside: u32,
        /// Left, top, right, bottom in pixels of the tile, y down, the last two included.
        bounds: [i32; 4],
    },
    /// An attribute for each pixel.
    Mask {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Row by row from the top left.
        attributes: Vec<u32>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_cells_are_two_spellings() {
        for word in [0, 1, 0x0002_0003, Cell::EMPTY, Cell::FILL, 0xEEEE_EE00] {
            assert_eq!(Cell::from_word(word).word(), word);
        }
        assert_eq!(Cell::from_word(0x0002_0003), Cell::Tile { set: 2, tile: 3 });
    }
}
