//! OPRW.

mod map_info;
mod parts;

pub use map_info::{MapInfo, MapShape};
pub use parts::{Entity, OprwMaterial, Packed, PackedPart, Road, RoadPiece, RoadPoint};

use super::{Elevations, Ground, Objects, same_bits, vertex_spacing};
use crate::OprwVersion;

/// OPRW, versions 2, 3 and 12 to 25: the format that the games load. Parts that a version does not have are empty or `None`.
///
/// Grids are stored row by row from the south, each from the west. Precomputed values, such as object offsets and peak heights, are
/// not updated if the values that they depend on change.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Oprw {
    /// Version.
    pub version: OprwVersion,
    /// Steam application ID of the game. Since 25.
    pub app_id: Option<u32>,
    /// Number of cells of the material grid from west to east, and from south to north. Always 256×256 in version 2.
    pub land: [u32; 2],
    /// Number of vertices of the height grid from west to east, and from south to north. Usually a multiple of [`land`](Self::land).
    pub terrain: [u32; 2],
    /// Cell size of the material grid in metres. Versions 2 and 3 do not store it; it is 50.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// Content of each cell as bits: water, forest, roads, objects, gradient. The bits differ in 2 and 3, in 12 to 18, and since 19.
    /// There are 32 bits in 2 and 3, later 16.
    pub geography: Vec<u32>,
    /// Sound of each cell: 1 is sea, 2 trees, 3 meadow, 4 hill; there are more. Since 12 the grid has as many rows as columns.
    pub sound: Vec<u8>,
    /// Peaks: x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub peaks: Vec<[f32; 3]>,
    /// Index into [`materials`](Self::materials) of each cell. Signed in versions 2 and 3.
    pub cells: Vec<u16>,
    /// Random colour and texture offset of each cell: 32 bits in versions 2 and 3, 16 bits in 12 to 20, absent later.
    pub random: Vec<u32>,
    /// Grass of each vertex. Since 18.
    pub grass: Vec<u8>,
    /// Main texture of each vertex. Since 22.
    pub primary_texture: Vec<u8>,
    /// Height of each vertex in metres. The layout in versions below 18 is assumed to be the same; no real file confirms it.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub heights: Vec<f32>,
    /// The textures, later materials. The first one is the sea and has no name since 12.
    pub materials: Vec<OprwMaterial>,
    /// The objects. Their [models](Objects::models) are the list of the file, which may contain unused models.
    pub objects: Objects,
    /// Shape parameter of each object, usually 2. Since 14.
    pub shapes: Vec<u32>,
    /// Objects that the game simulates. Since 15.
    pub entities: Vec<Entity>,
    /// Offset of the first object of each cell, in bytes from the first object. Since 12.
    pub object_offsets: Vec<u32>,
    /// Offset of the map information of each cell, in bytes. Since 12.
    pub map_offsets: Vec<u32>,
    /// For each cell, whether the game keeps it in memory. Since 12.
    pub persistent: Vec<u8>,
    /// Subdivision of the drawn ground at each vertex. Since 12.
    pub subdivision: Vec<u8>,
    /// Largest object ID. Since 12.
    pub max_object_id: Option<u32>,
    /// The roads, ordered by cell: column by column from the west, each from the south. Since 12.
    pub roads: Vec<Road>,
    /// Size of the roads in bytes as stored in the file, if it is wrong.
    pub stated_road_size: Option<u32>,
    /// Items on the map of the game. Since 12.
    pub map_info: Vec<MapInfo>,
    /// The rest of that list from the first item of an unknown kind.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub map_rest: Vec<u8>,
    /// Size of that list in bytes as stored in the file, if the file ends earlier.
    pub stated_map_size: Option<u32>,
    /// Negative ID that ends the object list in versions 2 and 3, usually −1. The game also accepts a list without it.
    pub terminator: Option<i32>,
    /// Trailing bytes.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub after: Vec<u8>,
    /// The packed grids as they were read. The writer reuses the bytes if they still unpack to the grid, else it packs the grid again,
    /// perhaps less tightly than other programs. Equality of documents ignores this field.
    pub packed: Vec<Packed>,
}

impl Oprw {
    /// Cell size in versions 2 and 3, in metres.
    pub const LEGACY_CELL: f32 = 50.0;
    /// Number of cells and vertices per side in version 2.
    pub const COLD_WAR_CRISIS_SIZE: u32 = 256;

    /// Returns the ground surface.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            size: self.terrain,
            step: vertex_spacing(self.cell, self.land, self.terrain),
            heights: Elevations::Metres(&self.heights),
        }
    }

    /// Returns the name of a material.
    pub fn material(&self, index: u16) -> Option<&[u8]> {
        self.materials.get(usize::from(index)).map(|material| material.name.as_slice())
    }

    /// Returns the size of the sound grid.
    pub(crate) const fn sound_size(version: OprwVersion, land: [u32; 2]) -> [u32; 2] {
        let [columns, _] = land;
        if version.is_legacy() { land } else { [columns, columns] }
    }
}

impl PartialEq for Oprw {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
            && self.app_id == other.app_id
            && self.land == other.land
            && self.terrain == other.terrain
            && same_bits(&[self.cell], &[other.cell])
            && self.geography == other.geography
            && self.sound == other.sound
            && same_bits(self.peaks.as_flattened(), other.peaks.as_flattened())
            && self.cells == other.cells
            && self.random == other.random
            && self.grass == other.grass
            && self.primary_texture == other.primary_texture
            && same_bits(&self.heights, &other.heights)
            && self.materials == other.materials
            && self.objects == other.objects
            && self.shapes == other.shapes
            && self.entities == other.entities
            && self.object_offsets == other.object_offsets
            && self.map_offsets == other.map_offsets
            && self.persistent == other.persistent
            && self.subdivision == other.subdivision
            && self.max_object_id == other.max_object_id
            && self.roads == other.roads
            && self.stated_road_size == other.stated_road_size
            && self.map_info == other.map_info
            && self.map_rest == other.map_rest
            && self.stated_map_size == other.stated_map_size
            && self.terminator == other.terminator
            && self.after == other.after
    }
}
