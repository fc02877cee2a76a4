//! What OPRW lists, and how it keeps grids.

use super::super::{Matrix, same_bits};

/// A texture (2 and 3) or a material of OPRW.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct OprwMaterial {
    /// The file's name.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub name: Vec<u8>,
    /// 2 and 3: whether the texture repeats; the game does not read it. Later called major; its meaning is not known.
    pub flag: u8,
}

/// An object that the game simulates.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Entity {
    /// The class.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub class: Vec<u8>,
    /// The model.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub shape: Vec<u8>,
    /// Where it is: x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f32; 3],
    /// The number of its object: bits 0 to 10 count within the cell, 11 to 20 are the cell's x, 21 to 30 its z.
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
    /// The cell in whose list it is: x and z.
    pub cell: [u32; 2],
    /// Where it meets others.
    pub points: Vec<RoadPoint>,
    /// The number of its object, as in [`Entity::object_id`].
    pub object_id: u32,
    /// What it looks like. Since 16.
    pub piece: Option<Box<RoadPiece>>,
}

/// A place where roads meet.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RoadPoint {
    /// x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f32; 3],
    /// How they meet. Since 24; before it is 0.
    pub kind: u8,
}

impl PartialEq for RoadPoint {
    fn eq(&self, other: &Self) -> bool {
        same_bits(&self.position, &other.position) && self.kind == other.kind
    }
}

/// What a part of a road looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RoadPiece {
    /// The model.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub model: Vec<u8>,
    /// Where it stands.
    pub matrix: Matrix,
}

/// A packed grid as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Packed {
    /// Which grid.
    pub part: PackedPart,
    /// A tree, or a block packed with LZSS or LZO and what belongs to it.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
}

/// The grids that can be packed, as the fields of [`Oprw`](super::Oprw) are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are described")]
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
    /// All of them, in the order of the file.
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

    /// The field's name.
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
