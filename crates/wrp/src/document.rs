//! The document: the content of a file.

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

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("wrp", "Operation Flashpoint, Arma and DayZ terrain", &["wrp"]);

/// Estimates whether bytes are a terrain. Four bytes suffice. Undocumented related formats are recognized, too.
pub fn sniff(bytes: &[u8]) -> Confidence {
    match bytes.first_chunk() {
        Some(b"1WVR" | b"2WVR" | b"3WVR" | b"4WVR" | b"8WVR" | b"OPRW" | b"9VBW" | b"0WZD") => Confidence::Certain,
        _ => Confidence::No,
    }
}

/// A terrain, in file order.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one per file, and it is rarely moved")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Document {
    /// 1WVR to 4WVR: one grid with heights in steps and textures in numbered slots. Written by the editors of Operation Flashpoint.
    Wvr(Wvr),
    /// 8WVR: heights in metres, and materials on a coarser grid. Written by Visitor 3, Buldozer and Terrain Builder.
    Wvr8(Wvr8),
    /// OPRW: the format that the games load.
    Oprw(Oprw),
}

impl Document {
    /// Returns the variant, for example `4WVR` or `OPRW 25`.
    pub fn variant(&self) -> String {
        match self {
            Self::Wvr(terrain) => terrain.version.name().to_owned(),
            Self::Wvr8(_) => "8WVR".to_owned(),
            Self::Oprw(terrain) => format!("OPRW {}", terrain.version.0),
        }
    }

    /// Returns the objects.
    pub fn objects(&self) -> &Objects {
        match self {
            Self::Wvr(terrain) => &terrain.objects,
            Self::Wvr8(terrain) => &terrain.objects,
            Self::Oprw(terrain) => &terrain.objects,
        }
    }

    /// Returns the objects for editing.
    pub fn objects_mut(&mut self) -> &mut Objects {
        match self {
            Self::Wvr(terrain) => &mut terrain.objects,
            Self::Wvr8(terrain) => &mut terrain.objects,
            Self::Oprw(terrain) => &mut terrain.objects,
        }
    }

    /// Returns the matrices of all objects, in the order of [`objects`](Self::objects). In 1WVR and 2WVR objects are upright on the
    /// ground, so their matrices are computed.
    pub fn matrices(&self) -> Cow<'_, [Matrix]> {
        match &self.objects().placements {
            Placements::Matrices(matrices) => Cow::Borrowed(matrices),
            Placements::Headings(headings) => {
                let (ground, cell) = (self.ground(), self.upright_cell());
                Cow::Owned(headings.iter().map(|heading| heading.to_matrix(&ground, cell)).collect())
            }
        }
    }

    /// Returns the unit of the positions of upright objects: the cell size in metres.
    pub(crate) fn upright_cell(&self) -> f32 {
        if let Self::Wvr(terrain) = self { terrain.cell } else { 1.0 }
    }

    /// Returns `true` if objects have IDs.
    pub(crate) fn has_ids(&self) -> bool {
        !matches!(self, Self::Wvr(terrain) if !terrain.version.has_ids())
    }

    /// Returns the ground surface.
    pub fn ground(&self) -> Ground<'_> {
        match self {
            Self::Wvr(terrain) => terrain.ground(),
            Self::Wvr8(terrain) => terrain.ground(),
            Self::Oprw(terrain) => terrain.ground(),
        }
    }

    /// Returns the extent from west to east and from south to north, in metres.
    pub fn extent(&self) -> [f64; 2] {
        let (size, cell) = match self {
            Self::Wvr(terrain) => (terrain.size, terrain.cell),
            Self::Wvr8(terrain) => (terrain.land, terrain.cell),
            Self::Oprw(terrain) => (terrain.land, terrain.cell),
        };
        size.map(|cells| f64::from(cells) * f64::from(cell))
    }
}

/// Returns the distance between the vertices of the height grid in metres, along x and z.
pub(crate) fn vertex_spacing(cell: f32, land: [u32; 2], terrain: [u32; 2]) -> [f64; 2] {
    let ([land_x, land_z], [terrain_x, terrain_z]) = (land.map(f64::from), terrain.map(f64::from));
    let cell = f64::from(cell);
    [cell * land_x / terrain_x, cell * land_z / terrain_z]
}

/// Removes zeros at the end.
pub(crate) fn trim_zeros(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
    bytes.get(..end).unwrap_or(bytes)
}

/// Returns `true` if two lists of floats have the same bits.
pub(crate) fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
