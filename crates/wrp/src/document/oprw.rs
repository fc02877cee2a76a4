//! OPRW.

mod map_info;
mod parts;

pub use map_info::{MapInfo, MapShape};
pub use parts::{Entity, OprwMaterial, Packed, PackedPart, Road, RoadPiece, RoadPoint};

use super::{Elevations, Ground, Objects, same_bits, step};
use crate::OprwVersion;

/// A terrain as the games load it: OPRW, versions 2, 3 and 12 to 25. What a version does not have is empty or `None`.
///
/// Grids go row by row from the south, each from the west. Values that the game computes from others (offsets of objects, heights of
/// peaks and the like) are not renewed when the others are changed.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Oprw {
    /// Which of its many versions.
    pub version: OprwVersion,
    /// The number of the application (on Steam) that the terrain belongs to. Since 25.
    pub app_id: Option<u32>,
    /// Cells of the material grid from west to east, and from south to north. Always 256 by 256 in version 2.
    pub land: [u32; 2],
    /// Vertices of the height grid from west to east, and from south to north: usually a multiple of [`land`](Self::land).
    pub terrain: [u32; 2],
    /// Metres of a cell of the material grid. Versions 2 and 3 do not say it: 50.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub cell: f32,
    /// What is in each cell, as bits: water, forest, roads, objects, gradient. They differ in 2 and 3, in 12 to 18, and since 19. 32
    /// bits in 2 and 3, then 16.
    pub geography: Vec<u32>,
    /// The sounds of each cell: 1 sea, 2 trees, 3 meadow, 4 hill and more. Since 12 the grid has as many rows as columns.
    pub sound: Vec<u8>,
    /// The summits: x, height and z in metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub peaks: Vec<[f32; 3]>,
    /// One place in [`materials`](Self::materials) per cell. Versions 2 and 3 take it for signed.
    pub cells: Vec<u16>,
    /// Shifts of colour and texture per cell, in 32 bits in versions 2 and 3, then in 16. Until 20.
    pub random: Vec<u32>,
    /// Grass per vertex. Since 18.
    pub grass: Vec<u8>,
    /// The main texture per vertex. Since 22.
    pub primary_texture: Vec<u8>,
    /// One height in metres per vertex. Those of versions below 18 are read like the others, but no real file has shown that they are.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub heights: Vec<f32>,
    /// The textures, later materials. The first one stands for the sea, and has no name since 12.
    pub materials: Vec<OprwMaterial>,
    /// The objects. Their [models](Objects::models) are the file's own list, in which not all need be used.
    pub objects: Objects,
    /// The parameter of each object's shape; mostly 2. Since 14.
    pub shapes: Vec<u32>,
    /// Objects that the game simulates. Since 15.
    pub entities: Vec<Entity>,
    /// Where the objects of each cell begin, in bytes from the first one. Since 12.
    pub object_offsets: Vec<u32>,
    /// Where the map's information on each cell begins, in bytes. Since 12.
    pub map_offsets: Vec<u32>,
    /// Whether each cell is to be kept in memory. Since 12.
    pub persistent: Vec<u8>,
    /// How finely the ground at each vertex is to be drawn. Since 12.
    pub subdivision: Vec<u8>,
    /// The largest number of an object. Since 12.
    pub max_object_id: Option<u32>,
    /// The roads, ordered by cell: those of the west first, of each column those of the south. Since 12.
    pub roads: Vec<Road>,
    /// The size of the roads in bytes that the file states, if they have another.
    pub stated_road_size: Option<u32>,
    /// What the game's map shows. Since 12.
    pub map_info: Vec<MapInfo>,
    /// What follows in that list if it is of an unknown kind.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub map_rest: Vec<u8>,
    /// The size of that list in bytes that the file states, if it ends before.
    pub stated_map_size: Option<u32>,
    /// The negative number that ends the list of objects in versions 2 and 3; usually −1. The game also takes a list that just ends.
    pub terminator: Option<i32>,
    /// Bytes at the end that are none of this.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::bytes", default, skip_serializing_if = "Vec::is_empty")
    )]
    pub after: Vec<u8>,
    /// The packed grids as they were read. Each is written again if it still says what the grid says; else the grid is packed anew,
    /// and other programs may pack it better. Documents are equal whatever stands here.
    pub packed: Vec<Packed>,
}

impl Oprw {
    /// Metres of a cell in versions 2 and 3.
    pub const ELDER_CELL: f32 = 50.0;
    /// Cells of each side, and vertices, in version 2.
    pub const COLD_WAR_CRISIS_SIZE: u32 = 256;

    /// The ground.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            size: self.terrain,
            step: step(self.cell, self.land, self.terrain),
            heights: Elevations::Metres(&self.heights),
        }
    }

    /// The material of a cell.
    pub fn material(&self, index: u16) -> Option<&[u8]> {
        self.materials.get(usize::from(index)).map(|material| material.name.as_slice())
    }

    /// The size of the grid of sounds.
    pub(crate) const fn sound_size(version: OprwVersion, land: [u32; 2]) -> [u32; 2] {
        let [columns, _] = land;
        if version.is_elder() { land } else { [columns, columns] }
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
