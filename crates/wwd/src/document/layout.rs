//! Where the sections stand, in files that have them elsewhere than all known programs write them.

/// Places of the sections and bytes that belong to none. Offsets count from the start of the file as if it was not compressed.
///
/// It holds for as long as its places fit the document: as many planes, sections of the same sizes. When they do not, the file is
/// written in the usual order, without the residue.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Layout {
    /// The headers of the planes.
    pub planes_offset: u32,
    /// The sections of each plane.
    pub planes: Vec<PlaneLayout>,
    /// The tile properties; 0 if there are none.
    pub tile_properties_offset: u32,
    /// Bytes of the main block.
    pub main_block_size: u32,
    /// Bytes that belong to no section.
    pub residue: Vec<Residue>,
}

/// Places of the sections of a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlaneLayout {
    /// The grid.
    pub tiles_offset: u32,
    /// The names of the image sets.
    pub image_sets_offset: u32,
    /// The objects; 0: none are read, whatever their number says.
    pub objects_offset: u32,
    /// The number of objects that the file declares where their offset is 0.
    pub num_objects: u32,
}

/// Bytes that belong to no section.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Residue {
    /// Where they stand.
    pub offset: u32,
    /// The bytes.
    #[cfg_attr(feature = "serde", serde(with = "mapwright_io::serial::hex"))]
    pub bytes: Vec<u8>,
}
