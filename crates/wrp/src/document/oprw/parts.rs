//! Items of the OPRW lists, and packed grids.

use super::super::{Matrix, same_bits};

/// A texture (2 and 3) or a material of OPRW.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct OprwMaterial {
    /// File name.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub name: Vec<u8>,
    /// In 2 and 3: `1` if the texture repeats; the game ignores it. Later called "major"; unknown.
    pub flag: u8,
}

/// An object that the game simulates.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Entity {
    /// Class.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub class: Vec<u8>,
    /// Model.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub shape: Vec<u8>,
    /// Position: x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f32; 3],
    /// ID of its object. Bits 0 to 10 are the index within the cell, 11 to 20 the x of the cell, 21 to 30 its z.
    pub object_id: u32,
}

impl PartialEq for Entity {
    fn eq(&self, other: &Self) -> bool {
        self.class == other.class
            && self.shape == other.shape
            && same_bits(&self.position, &other.position)
            && self.object_id == other.object_id
    }
}

/// A part of a road.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Road {
    /// The cell that lists the road: x and z.
    pub cell: [u32; 2],
    /// Connections with other roads.
    pub points: Vec<RoadPoint>,
    /// ID of its object, as in [`Entity::object_id`].
    pub object_id: u32,
    /// Appearance. Since 16.
    pub piece: Option<Box<RoadPiece>>,
}

/// A connection between roads.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RoadPoint {
    /// Position: x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f32; 3],
    /// Kind of connection. Since 24; 0 in earlier versions.
    pub kind: u8,
}

impl PartialEq for RoadPoint {
    fn eq(&self, other: &Self) -> bool {
        same_bits(&self.position, &other.position) && self.kind == other.kind
    }
}

/// Appearance of a part of a road.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RoadPiece {
    /// Model.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub model: Vec<u8>,
    /// Transform.
    pub matrix: Matrix,
}

/// A packed grid as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Packed {
    /// The grid.
    pub part: PackedPart,
    /// A tree, or an LZSS or LZO block with its checksum or end mark.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
}

/// The grids that can be packed. The names are those of the fields of [`Oprw`](super::Oprw).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields have docs")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PackedPart {
    Geography,
    Sound,
    Cells,
    Random,
    Grass,
    PrimaryTexture,
    Heights,
    ObjectOffsets,
    MapOffsets,
    Persistent,
    Subdivision,
}

impl PackedPart {
    /// All grids in file order.
    pub const ALL: [Self; 11] = [
        Self::Geography,
        Self::Sound,
        Self::Cells,
        Self::Random,
        Self::Grass,
        Self::PrimaryTexture,
        Self::Heights,
        Self::ObjectOffsets,
        Self::MapOffsets,
        Self::Persistent,
        Self::Subdivision,
    ];

    /// Returns the name of the field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Geography => "geography",
            Self::Sound => "sound",
            Self::Cells => "cells",
            Self::Random => "random",
            Self::Grass => "grass",
            Self::PrimaryTexture => "primary_texture",
            Self::Heights => "heights",
            Self::ObjectOffsets => "object_offsets",
            Self::MapOffsets => "map_offsets",
            Self::Persistent => "persistent",
            Self::Subdivision => "subdivision",
        }
    }
}
