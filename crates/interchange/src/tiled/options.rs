//! Options for reading and writing.

use mapwright_scene::Estimate;

/// The encoding of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Format {
    /// XML, `.tmx`.
    #[default]
    Tmx,
    /// JSON, `.tmj`; older versions of Tiled name it `.json`.
    Tmj,
}

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
    /// Options for writing.
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The encoding of the map.
        pub format: Format = Format::Tmx, with_format;
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
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ImportOptions {
        /// Maximum number of bytes that a map expands to: 4 per pixel, and 4 per cell, including cells between the chunks
        /// of an infinite map. Images beyond it stay references; anything else is an error. Default: 256 MiB.
        pub max_bytes: u64 = 256 << 20, with_max_bytes;
        /// Maximum number of JSON objects or XML elements in a file. `None`: 20,000, and one for each 32 bytes of JSON or 12 of XML.
        pub max_objects: Option<u64> = None, with_max_objects(u64);
    }
}

impl ImportOptions {
    /// Returns the maximum number of objects of a file.
    pub(super) fn max_objects_of(&self, file: &[u8]) -> u64 {
        // Shorter ones are rare: a property in JSON, a cell in the oldest XML.
        let each = if file.trim_ascii_start().starts_with(b"<") { 12 } else { 32 };
        self.max_objects.unwrap_or(20_000 + file.len() as u64 / each)
    }
}
