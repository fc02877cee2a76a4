//! 1WVR to 4WVR.

use mapwright_io::FixedBytes;

use super::{Elevations, Ground, Objects, same_bits};
use crate::Version;

/// A terrain of Operation Flashpoint's editors: 1WVR to 4WVR. The engine calls the last three RVW 2 to 4.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Wvr {
    /// Which of the four.
    pub version: Version,
    /// Cells from west to east, and from south to north.
    pub size: [u32; 2],
    /// One height per vertex in steps of [`height_unit`](Self::height_unit), row by row from the south, each from the west. Vertex
    /// (x, z) is the south-west corner of cell (x, z).
    pub heights: Vec<i16>,
    /// One place in [`names`](Self::names) per cell, in the same order. 0 is the sea, but for 1WVR; the game takes numbers beyond the table for 0.
    pub textures: Vec<i16>,
    /// The texture of each slot; empty ones are not used. 512, in 1WVR and some 2WVR 256.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::slots"))]
    pub names: Vec<FixedBytes<32>>,
    /// The objects.
    pub objects: Objects,
    /// Roads; only in 1WVR, and only if they could be read: else their bytes are [`after`](Self::after).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub nets: Option<Nets>,
    /// The record without a name that ends the list for the game; what programs left in its bytes is kept.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::maybe_bytes", default, skip_serializing_if = "Option::is_none")
    )]
    pub terminator: Option<Vec<u8>>,
    /// What follows: records behind the terminator, or a part of one.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub after: Vec<u8>,
    /// Metres from one vertex to the next. Not in the file but in the configuration of the game: 50 unless the
    /// [options of reading](crate::ReadOptions::cell) say otherwise.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// Metres of one step of height. Not in the file: 0.045 in the engine, whatever the cell.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub height_unit: f32,
}

/// The roads of 1WVR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Nets {
    /// The roads.
    pub nets: Vec<Net>,
    /// The header that ends the list: the name `EndOfNets`, and 40 bytes of unknown meaning.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub end: [u8; 64],
}

/// A road of 1WVR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Net {
    /// A name of 24 bytes, five words of unknown meaning (pointers of the program), a type from 0 to 2, three floats of unknown
    /// meaning, and a scale.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub header: [u8; 64],
    /// The parts.
    pub parts: Vec<SubNet>,
    /// The eight bytes that end the parts: a place of zeros.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::record"))]
    pub end: [u8; 8],
}

/// A part of a road of 1WVR: its place in cells as two floats, three floats, the stepping, and two words, all but the place of
/// unknown meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubNet(pub [u8; 32]);

impl Net {
    /// The name: the texture of the road.
    pub fn name(&self) -> &[u8] {
        let field = self.header.get(..24).unwrap_or_default();
        field.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

impl Wvr {
    /// Metres per step of height in the engine: 0.045.
    pub const HEIGHT_UNIT: f32 = 0.045;
    /// Metres from vertex to vertex in Operation Flashpoint.
    pub const CELL: f32 = 50.0;
    /// The index of the texture that is drawn as sea and has no land, in 2WVR to 4WVR.
    pub const SEA: i16 = 0;

    /// A flat 4WVR at sea level, with nothing on it: 512 empty slots and a clean terminator. The game wants a square of a power of
    /// two, up to 2048.
    pub fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|cells| usize::try_from(cells).unwrap_or(0));
        let cells = columns.saturating_mul(rows);
        Self {
            version: Version::Wvr4,
            size,
            heights: vec![0; cells],
            textures: vec![Self::SEA; cells],
            names: vec![FixedBytes { raw: [0; 32] }; Version::Wvr4.slots()],
            objects: Objects::default(),
            nets: None,
            terminator: Some(vec![0; Version::Wvr4.record()]),
            after: Vec::new(),
            cell: Self::CELL,
            height_unit: Self::HEIGHT_UNIT,
        }
    }

    /// The ground.
    pub fn ground(&self) -> Ground<'_> {
        let step = f64::from(self.cell);
        let heights = Elevations::Steps(&self.heights, self.height_unit);
        Ground { size: self.size, step: [step, step], heights }
    }

    /// Whether that number is the sea: 0, but for 1WVR, where it is an ordinary texture.
    pub const fn is_sea(&self, index: i16) -> bool {
        index == Self::SEA && !matches!(self.version, Version::Wvr1)
    }

    /// The texture of a cell: the name in its slot, `None` for sea, empty slots and numbers beyond the table.
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
