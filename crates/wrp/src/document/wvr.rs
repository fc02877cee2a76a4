//! Documents of 1WVR to 4WVR.

use mapwright_io::FixedBytes;

use super::{Elevations, Ground, Objects, same_bits};
use crate::Version;

/// 1WVR to 4WVR: the terrain formats of the editors of Operation Flashpoint. The engine calls the last three RVW 2 to 4.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Wvr {
    /// Version.
    pub version: Version,
    /// Number of cells from west to east, and from south to north.
    pub size: [u32; 2],
    /// Height of each vertex in steps of [`height_unit`](Self::height_unit), row by row from the south, each from the west. Vertex
    /// (x, z) is the south-west corner of cell (x, z).
    pub heights: Vec<i16>,
    /// Index into [`names`](Self::names) of each cell, in the same order. 0 is the sea, except in 1WVR. The game replaces indices
    /// that are out of range with 0.
    pub textures: Vec<i16>,
    /// Texture name of each slot, empty for unused slots. There are 512 slots; in 1WVR and some 2WVR files there are 256.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::slots"))]
    pub names: Vec<FixedBytes<32>>,
    /// The objects.
    pub objects: Objects,
    /// Roads. Only in 1WVR. Roads that cannot be read are in [`after`](Self::after).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub nets: Option<Nets>,
    /// The record without a name that ends the list, including leftover bytes.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::maybe_bytes", default, skip_serializing_if = "Option::is_none")
    )]
    pub terminator: Option<Vec<u8>>,
    /// Trailing bytes: records after the terminator, or a partial record.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub after: Vec<u8>,
    /// Distance between vertices in metres. Not stored in the file but in the configuration of the game. Default: 50; see
    /// [`ReadOptions::cell`](crate::ReadOptions::cell).
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// Metres per height step. Not stored in the file. The engine uses 0.045 for every cell size.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub height_unit: f32,
}

/// The roads of 1WVR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Nets {
    /// The roads.
    pub nets: Vec<Net>,
    /// The header that ends the list: the name `EndOfNets`, and 40 unknown bytes.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub end: [u8; 64],
}

/// A road of 1WVR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Net {
    /// A name of 24 bytes, five unknown words (pointers of the program), a type from 0 to 2, three unknown floats, and a scale.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub header: [u8; 64],
    /// Parts of the road.
    pub parts: Vec<SubNet>,
    /// The eight bytes that end the parts: a position of zeros.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub end: [u8; 8],
}

/// A part of a road of 1WVR: its position in cells as two floats, then three floats, the stepping, and two words. Only the meaning
/// of the position is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubNet(pub [u8; 32]);

impl Net {
    /// Returns the name, which is the texture of the road.
    pub fn name(&self) -> &[u8] {
        let field = self.header.get(..24).unwrap_or_default();
        field.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

impl Wvr {
    /// Metres per height step in the engine.
    pub const HEIGHT_UNIT: f32 = 0.045;
    /// Distance between vertices in Operation Flashpoint, in metres.
    pub const CELL: f32 = 50.0;
    /// Texture index of the sea in 2WVR to 4WVR. Its cells have no land surface.
    pub const SEA: i16 = 0;

    /// Creates a flat 4WVR at sea level with 512 empty slots, a terminator of zeros and no objects. The game requires a square whose
    /// side is a power of two, up to 2048.
    pub fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|cells| usize::try_from(cells).unwrap_or(0));
        let cells = columns.saturating_mul(rows);
        Self {
            version: Version::Wvr4,
            size,
            heights: vec![0; cells],
            textures: vec![Self::SEA; cells],
            names: vec![FixedBytes { raw: [0; 32] }; Version::Wvr4.slot_count()],
            objects: Objects::default(),
            nets: None,
            terminator: Some(vec![0; Version::Wvr4.record_size()]),
            after: Vec::new(),
            cell: Self::CELL,
            height_unit: Self::HEIGHT_UNIT,
        }
    }

    /// Returns the ground surface.
    pub fn ground(&self) -> Ground<'_> {
        let step = f64::from(self.cell);
        let heights = Elevations::Steps(&self.heights, self.height_unit);
        Ground { size: self.size, step: [step, step], heights }
    }

    /// Returns `true` if a texture index is the sea: 0, except in 1WVR, where 0 is an ordinary texture.
    pub const fn is_sea(&self, index: i16) -> bool {
        index == Self::SEA && !matches!(self.version, Version::Wvr1)
    }

    /// Returns the texture name of an index. `None` for the sea, empty slots, and indices that are out of range.
    pub fn texture(&self, index: i16) -> Option<&FixedBytes<32>> {
        if self.is_sea(index) {
            return None;
        }
        let name = self.names.get(usize::try_from(index).ok()?)?;
        (!name.text().is_empty()).then_some(name)
    }
}

impl PartialEq for Wvr {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
            && self.size == other.size
            && self.heights == other.heights
            && self.textures == other.textures
            && self.names == other.names
            && self.objects == other.objects
            && self.nets == other.nets
            && self.terminator == other.terminator
            && self.after == other.after
            && same_bits(&[self.cell, self.height_unit], &[other.cell, other.height_unit])
    }
}
