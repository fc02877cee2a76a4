//! Offsets of the sections, for files whose order differs from that of all known programs.

/// Offsets of the sections, and bytes that belong to none. Offsets count from the start of the file as if it was not compressed.
///
/// A layout is used as long as it fits the document: the number of planes and the sizes of the sections are unchanged. Otherwise
/// the file is written in the usual order, without the residue.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Layout {
    /// Offset of the headers of the planes.
    pub planes_offset: u32,
    /// The sections of each plane.
    pub planes: Vec<PlaneLayout>,
    /// Offset of the tile properties; 0 if there are none.
    pub tile_properties_offset: u32,
    /// Size of the main block in bytes.
    pub main_block_size: u32,
    /// Bytes that belong to no section.
    pub residue: Vec<Residue>,
}

/// Offsets of the sections of a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlaneLayout {
    /// Offset of the grid.
    pub tiles_offset: u32,
    /// Offset of the names of the image sets.
    pub image_sets_offset: u32,
    /// Offset of the objects. 0: none are read, whatever number the header declares.
    pub objects_offset: u32,
    /// The number of objects that the header declares although their offset is 0.
    pub num_objects: u32,
}

/// Bytes that belong to no section.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Residue {
    /// Offset of the bytes in the file.
    pub offset: u32,
    /// The bytes.
    #[cfg_attr(feature = "serde", serde(with = "mapwright_io::serial::hex"))]
    pub bytes: Vec<u8>,
}
