//! Tile properties: the collision attributes of tiles.

use super::Rect;

/// The table of tile properties with its header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct TileProperties {
    /// Size of this header in bytes: 32 in all known files. The engine does not read it.
    pub size: u32,
    /// 0 in all known files.
    pub reserved_04: u32,
    /// 0 in all known files.
    pub reserved_0c: [u32; 5],
    /// One property per tile, indexed by the frame of its image set.
    pub items: Vec<TileProperty>,
}

impl Default for TileProperties {
    /// Creates an empty table.
    fn default() -> Self {
        Self { size: 32, reserved_04: 0, reserved_0c: [0; 5], items: Vec::new() }
    }
}

/// Collision attributes of a tile.
///
/// Attributes are 0 clear, 1 solid, 2 ground (solid from above), 3 climb, 4 death. Gruntz has more.
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
    /// The attributes and the areas that they apply to.
    pub shape: Shape,
}

/// The attributes of the pixels of a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// One attribute for all pixels.
    Single(i32),
    /// One attribute in a rectangle, another around it.
    Double {
        /// Attribute around the rectangle.
        outside: i32,
        /// Attribute in the rectangle.
        inside: i32,
        /// The rectangle, in pixels of the tile.
        rect: Rect,
    },
    /// One attribute per pixel, row by row. In known files the values are random memory.
    Mask(Vec<u8>),
}

impl Shape {
    /// Returns the code of this shape in the file.
    pub const fn code(&self) -> u32 {
        match self {
            Self::Single(_) => 1,
            Self::Double { .. } => 2,
            Self::Mask(_) => 3,
        }
    }
}
