//! 8WVR.

use super::{Elevations, Ground, Matrix, Objects, same_bits, vertex_spacing};

/// 8WVR: the terrain format of Visitor 3, Buldozer and Terrain Builder.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Wvr8 {
    /// Number of cells of the material grid from west to east, and from south to north.
    pub land: [u32; 2],
    /// Number of vertices of the height grid from west to east, and from south to north. Usually a multiple of [`land`](Self::land).
    pub terrain: [u32; 2],
    /// Cell size of the *material* grid in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// Height of each vertex in metres, row by row from the south, each from the west. −0.0 and NaN occur.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub heights: Vec<f32>,
    /// Index into [`materials`](Self::materials) of each cell, in the same order. May be out of range.
    pub cells: Vec<u16>,
    /// The materials. Each is a list of file names, usually with no name (the first material) or one.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::name_lists"))]
    pub materials: Vec<Vec<Vec<u8>>>,
    /// The objects. The first one without a name is not here; it is the sentinel.
    pub objects: Objects,
    /// The object without a name that ends the list.
    pub sentinel: Option<Sentinel>,
    /// Trailing bytes that are not an object.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub after: Vec<u8>,
}

/// The object without a name that ends the list of 8WVR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Sentinel {
    /// Number of objects after it. 0 in normal files.
    pub followed_by: usize,
    /// Twelve NaN, whose bits identify the program.
    pub matrix: Matrix,
    /// ID. Uninitialized in files of Bohemia's tools.
    pub id: i32,
}

impl Sentinel {
    /// Bits of each number in the sentinels of Bohemia's tools.
    pub const WORD: u32 = 0x7fc8_7f88;

    /// Creates a sentinel as Bohemia's tools do, with ID 0.
    pub fn new() -> Self {
        Self { followed_by: 0, matrix: Matrix::from_numbers([f32::from_bits(Self::WORD); 12]), id: 0 }
    }
}

impl Default for Sentinel {
    fn default() -> Self {
        Self::new()
    }
}

impl Wvr8 {
    /// Creates a flat terrain at sea level with one unnamed material, a sentinel and no objects. `subdivision` is the number of
    /// vertices per cell along each side.
    pub fn new(land: [u32; 2], cell: f32, subdivision: u32) -> Self {
        let count = |size: [u32; 2]| {
            let [columns, rows] = size.map(|cells| usize::try_from(cells).unwrap_or(0));
            columns.saturating_mul(rows)
        };
        let terrain = land.map(|cells| cells.saturating_mul(subdivision));
        Self {
            land,
            terrain,
            cell,
            heights: vec![0.0; count(terrain)],
            cells: vec![0; count(land)],
            materials: vec![Vec::new()],
            objects: Objects::default(),
            sentinel: Some(Sentinel::new()),
            after: Vec::new(),
        }
    }

    /// Returns the ground surface.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            size: self.terrain,
            step: vertex_spacing(self.cell, self.land, self.terrain),
            heights: Elevations::Metres(&self.heights),
        }
    }

    /// Returns the first file name of a material.
    pub fn material(&self, index: u16) -> Option<&[u8]> {
        self.materials.get(usize::from(index))?.first().map(Vec::as_slice)
    }
}

impl PartialEq for Wvr8 {
    fn eq(&self, other: &Self) -> bool {
        self.land == other.land
            && self.terrain == other.terrain
            && same_bits(&[self.cell], &[other.cell])
            && same_bits(&self.heights, &other.heights)
            && self.cells == other.cells
            && self.materials == other.materials
            && self.objects == other.objects
            && self.sentinel == other.sentinel
            && self.after == other.after
    }
}
