//! 8WVR.

use super::{Elevations, Ground, Matrix, Objects, same_bits, step};

/// A terrain as Visitor 3, Buldozer and Terrain Builder exchange it: 8WVR.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Wvr8 {
    /// Cells of the material grid from west to east, and from south to north.
    pub land: [u32; 2],
    /// Vertices of the height grid from west to east, and from south to north: usually a multiple of [`land`](Self::land).
    pub terrain: [u32; 2],
    /// Metres of a cell of the *material* grid.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// One height in metres per vertex, row by row from the south, each from the west. −0.0 and NaN occur.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub heights: Vec<f32>,
    /// One place in [`materials`](Self::materials) per cell, in the same order; may be beyond it.
    pub cells: Vec<u16>,
    /// The materials: each a list of file names, nearly always none (the first) or one.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::name_lists"))]
    pub materials: Vec<Vec<Vec<u8>>>,
    /// The objects; one without a name is only the sentinel if it is the first such.
    pub objects: Objects,
    /// The object without a name that ends the list.
    pub sentinel: Option<Sentinel>,
    /// Bytes at the end that are no object.
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
    /// How many objects stand behind it: none, but for odd files.
    pub followed_by: usize,
    /// Twelve NaN, whose bits tell the program.
    pub matrix: Matrix,
    /// In files of Bohemia's tools an uninitialised number.
    pub id: i32,
}

impl Sentinel {
    /// The bits of each number in sentinels of Bohemia's tools.
    pub const WORD: u32 = 0x7fc8_7f88;

    /// A sentinel as Bohemia's tools write it at the end, with 0 for the uninitialised number.
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
    /// A flat terrain at sea level with nothing on it: one material without a name, and a sentinel. `subdivision` is the number of
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

    /// The ground.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            size: self.terrain,
            step: step(self.cell, self.land, self.terrain),
            heights: Elevations::Metres(&self.heights),
        }
    }

    /// The material of a cell: its first file name.
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
