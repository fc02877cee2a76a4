//! Options for reading and writing.

use mapwright_scene::Estimate;

use crate::Syntax;

/// The encoding of the cells of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CellEncoding {
    /// Base64 of a zlib stream.
    #[default]
    Zlib,
    /// Numbers: separated by commas in XML, an array in JSON.
    Plain,
}

mapwright_io::options! {
    /// Options of [`from_scene`](super::from_scene).
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The language of the map.
        pub syntax: Syntax = Syntax::Xml, with_syntax;
        /// The encoding of cells.
        pub cells: CellEncoding = CellEncoding::Zlib, with_cells;
        /// Prefix of the names of the images beside the map. Default: `scene`.
        pub name: String = "scene".into(), with_name(impl Into<String>);
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
        /// Maximum bytes of memory for decoding one image file, and for all image files together that decode to more than 64 times
        /// their size. Other images are left out and reported. Default: 1 GiB.
        pub max_image_bytes: usize = 1 << 30, with_max_image_bytes;
    }
}

mapwright_io::options! {
    /// Options of [`to_scene`](super::to_scene).
    #[derive(Debug, Clone)]
    pub struct ImportOptions {
        /// Maximum number of bytes that a map expands to: 4 per pixel, and 4 per cell, including cells between the chunks
        /// of an infinite map. Images beyond it stay references; anything else is an error. Default: 256 MiB.
        pub max_bytes: u64 = 256 << 20, with_max_bytes;
    }
}
