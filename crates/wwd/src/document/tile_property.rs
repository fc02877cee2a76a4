//! Tile properties: what tiles are to the touch.

use super::Rect;

/// The table of tile properties with its header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct TileProperties {
    /// 32 in all known files: bytes of this header. The engine does not read it.
    pub size: u32,
    /// 0 in all known files.
    pub reserved_04: u32,
    /// 0 in all known files.
    pub reserved_0c: [u32; 5],
    /// One for each tile, by the frame of its image set.
    pub items: Vec<TileProperty>,
}

impl Default for TileProperties {
    /// An empty table.
    fn default() -> Self {
        Self { size: 32, reserved_04: 0, reserved_0c: [0; 5], items: Vec::new() }
    }
}

/// What one tile is to the touch.
///
/// Attributes are 0 clear, 1 solid, 2 ground (solid from above), 3 climb, 4 death; Gruntz has more of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "crate::serial::TilePropertyData", try_from = "crate::serial::TilePropertyData")
)]
pub struct TileProperty {
    /// 0 in all known files. The engine does not read it.
    pub reserved_04: u32,
    /// Width in pixels: 64 in Claw, 32 in Gruntz.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The attributes.
    pub shape: Shape,
}

/// Where which attribute is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// The same everywhere.
    Single(i32),
    /// One in a rectangle, another around it.
    Double {
        /// Around.
        outside: i32,
        /// Within.
        inside: i32,
        /// The rectangle in pixels of the tile.
        rect: Rect,
    },
    /// One for each pixel, row by row: width times height of them. In known files they are no more than what stood in memory.
    Mask(Vec<u8>),
}

impl Shape {
    /// The code of its kind in the file.
    pub const fn code(&self) -> u32 {
        match self {
            Self::Single(_) => 1,
            Self::Double { .. } => 2,
            Self::Mask(_) => 3,
        }
    }
}
