//! Tile layers and tile sets.

use crate::{Attribute, CellLayout, ImageId, Properties, TileSetId};

/// A grid of tiles in the plane of its node, with x to the right and y up. The node is at the upper left corner of the rectangle around the
/// cells, which are at negative y. Row r of cells is below row r − 1.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileLayer {
    /// The name; may be empty.
    pub name: String,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Width and height of a cell in units of length.
    pub tile_size: [u32; 2],
    /// The arrangement of the cells.
    pub layout: CellLayout,
    /// One word per cell, row by row from the top left. See [`Cell`].
    pub cells: Vec<u32>,
    /// Tile sets. Cells refer to them by index.
    pub tile_sets: Vec<TileSetId>,
    /// The layer repeats along x and y.
    pub wrap: [bool; 2],
    /// Movement of the layer when the camera moves by 1, along x and y. 1 for the layer of the camera.
    pub parallax: [f64; 2],
    /// Depth order: larger values are nearer.
    pub z: i32,
    /// Colour of filled cells: an index into the palette of the level.
    pub fill: Option<u32>,
    /// Other columns: one row per cell ([`Domain::Face`](crate::Domain::Face)), in their order.
    pub attributes: Vec<Attribute>,
    /// Other data of the file.
    pub properties: Properties,
}

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Cell {
    /// No tile.
    Empty,
    /// The fill colour of the layer.
    Fill,
    /// A tile.
    Tile {
        /// Index into [`TileLayer::tile_sets`].
        set: u16,
        /// Index into [`TileSet::tiles`].
        tile: u16,
    },
}

impl Cell {
    /// The value of an empty cell.
    pub const EMPTY: u32 = 0xFFFF_FFFF;
    /// The value of a filled cell.
    pub const FILL: u32 = 0xEEEE_EEEE;

    /// Decodes a word of [`TileLayer::cells`]: the set in the upper 16 bits, the tile in the lower.
    pub const fn from_word(word: u32) -> Self {
        match word {
            Self::EMPTY => Self::Empty,
            Self::FILL => Self::Fill,
            #[allow(clippy::cast_possible_truncation)]
            _ => Self::Tile { set: (word >> 16) as u16, tile: word as u16 },
        }
    }

    /// Encodes the cell as a word.
    pub const fn word(self) -> u32 {
        match self {
            Self::Empty => Self::EMPTY,
            Self::Fill => Self::FILL,
            Self::Tile { set, tile } => (set as u32) << 16 | tile as u32,
        }
    }
}

impl Default for TileLayer {
    /// An empty grid with tiles of 1 × 1 that moves with the camera.
    fn default() -> Self {
        Self {
            name: String::new(),
            size: [0; 2],
            tile_size: [1; 2],
            layout: CellLayout::Orthogonal,
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
    /// Returns the cell in a column and row.
    pub fn cell(&self, column: u32, row: u32) -> Option<Cell> {
        let [columns, rows] = self.size;
        if column >= columns || row >= rows {
            return None;
        }
        let place = u64::from(row) * u64::from(columns) + u64::from(column);
        self.cells.get(usize::try_from(place).ok()?).map(|&word| Cell::from_word(word))
    }
}

/// Tiles that layers refer to.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileSet {
    /// The name.
    pub name: String,
    /// The tiles. Cells refer to them by index.
    pub tiles: Vec<Tile>,
    /// Other data of the file.
    pub properties: Properties,
}

/// One tile.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tile {
    /// The image, if there is one.
    pub image: Option<ImageId>,
    /// Collision attributes.
    pub collision: Collision,
    /// Other data of the file.
    pub properties: Properties,
}

/// Collision attributes of a tile. Attributes are codes of the format that the scene was read from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Collision {
    /// Not stored.
    #[default]
    Unknown,
    /// One attribute for the whole tile.
    Uniform(u32),
    /// One attribute inside a rectangle, another outside.
    Rectangle {
        /// Attribute outside.
        outside: u32,
        /// Attribute inside.
        inside: u32,
        /// Left, top, right and bottom in pixels of the tile, with y down. Right and bottom are inclusive.
        bounds: [i32; 4],
    },
    /// An attribute for each pixel.
    Mask {
        /// Width of the tile in pixels.
        width: u32,
        /// Height of the tile in pixels.
        height: u32,
        /// Attributes, row by row from the top left.
        attributes: Vec<u32>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_cells_convert_both_ways() {
        for word in [0, 1, 0x0002_0003, Cell::EMPTY, Cell::FILL, 0xEEEE_EE00] {
            assert_eq!(Cell::from_word(word).word(), word);
        }
        assert_eq!(Cell::from_word(0x0002_0003), Cell::Tile { set: 2, tile: 3 });
    }
}
