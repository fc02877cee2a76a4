//! What a file says.

mod ground;
mod matrix;
mod objects;
mod oprw;
mod wvr;
mod wvr8;

use std::borrow::Cow;

use mapwright_io::{Confidence, FormatInfo};

pub use ground::{Elevations, Ground};
pub use matrix::{Heading, Matrix};
pub use objects::{Builder, Name, Object, Objects, Placement, Placements};
pub use oprw::{Entity, MapInfo, MapShape, Oprw, OprwMaterial, Packed, PackedPart, Road, RoadPiece, RoadPoint};
pub use wvr::{Net, Nets, SubNet, Wvr};
pub use wvr8::{Sentinel, Wvr8};

/// The format's introduction.
pub const FORMAT: FormatInfo = FormatInfo::new("wrp", "Operation Flashpoint, Arma and DayZ terrain", &["wrp"]);

/// Whether bytes are a terrain; the first four suffice. Relatives that nobody can read are recognised, too.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match bytes.first_chunk() {
        Some(b"1WVR" | b"2WVR" | b"3WVR" | b"4WVR" | b"8WVR" | b"OPRW" | b"9VBW" | b"0WZD") => Confidence::Certain,
        _ => Confidence::No,
    }
}

/// A terrain: what the file says, in its order.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one per file, and it is hardly ever moved")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Document {
    /// 1WVR to 4WVR: one grid with heights in steps and textures in numbered slots. Operation Flashpoint's editors.
    Wvr(Wvr),
    /// 8WVR: heights in metres, materials on a coarser grid. Visitor 3, Buldozer, Terrain Builder.
    Wvr8(Wvr8),
    /// OPRW: as the games load it.
    Oprw(Oprw),
}

impl Document {
    /// The variant as its first four bytes spell it, for OPRW with its number: `4WVR`, `OPRW 25`.
    pub fn variant(&self) -> String {
        match self {
            Self::Wvr(terrain) => terrain.version.name().to_owned(),
            Self::Wvr8(_) => "8WVR".to_owned(),
            Self::Oprw(terrain) => format!("OPRW {}", terrain.version.0),
        }
    }

    /// The objects.
    pub fn objects(&self) -> &Objects {
        match self {
            Self::Wvr(terrain) => &terrain.objects,
            Self::Wvr8(terrain) => &terrain.objects,
            Self::Oprw(terrain) => &terrain.objects,
        }
    }

    /// The objects, to be changed.
    pub fn objects_mut(&mut self) -> &mut Objects {
        match self {
            Self::Wvr(terrain) => &mut terrain.objects,
            Self::Wvr8(terrain) => &mut terrain.objects,
            Self::Oprw(terrain) => &mut terrain.objects,
        }
    }

    /// Where all objects stand, in the order of [`objects`](Self::objects). For 1WVR and 2WVR, whose objects stand upright on the
    /// ground, that is computed.
    pub fn matrices(&self) -> Cow<'_, [Matrix]> {
        match &self.objects().placements {
            Placements::Matrices(matrices) => Cow::Borrowed(matrices),
            Placements::Headings(headings) => {
                let (ground, cell) = (self.ground(), self.upright_cell());
                Cow::Owned(headings.iter().map(|heading| heading.matrix(&ground, cell)).collect())
            }
        }
    }

    /// Metres of the cells in which upright objects count.
    pub(crate) fn upright_cell(&self) -> f32 {
        if let Self::Wvr(terrain) = self { terrain.cell } else { 1.0 }
    }

    /// Whether objects have numbers.
    pub(crate) fn has_ids(&self) -> bool {
        !matches!(self, Self::Wvr(terrain) if !terrain.version.has_ids())
    }

    /// The ground.
    pub fn ground(&self) -> Ground<'_> {
        match self {
            Self::Wvr(terrain) => terrain.ground(),
            Self::Wvr8(terrain) => terrain.ground(),
            Self::Oprw(terrain) => terrain.ground(),
        }
    }

    /// East-west and south-north extent in metres.
    pub fn extent(&self) -> [f64; 2] {
        let (size, cell) = match self {
            Self::Wvr(terrain) => (terrain.size, terrain.cell),
            Self::Wvr8(terrain) => (terrain.land, terrain.cell),
            Self::Oprw(terrain) => (terrain.land, terrain.cell),
        };
        size.map(|cells| f64::from(cells) * f64::from(cell))
    }
}

/// Metres between the vertices of a height grid over a material grid.
pub(crate) fn step(cell: f32, land: [u32; 2], terrain: [u32; 2]) -> [f64; 2] {
    let ([land_x, land_z], [terrain_x, terrain_z]) = (land.map(f64::from), terrain.map(f64::from));
    let cell = f64::from(cell);
    [cell * land_x / terrain_x, cell * land_z / terrain_z]
}

/// Bytes without the zeros at their end.
pub(crate) fn used(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
    bytes.get(..end).unwrap_or(bytes)
}

/// Whether two lists of floats are the same bits.
pub(crate) fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
