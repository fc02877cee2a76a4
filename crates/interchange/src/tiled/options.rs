//! How to write and read.

/// What a map is spelled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Format {
    /// XML, `.tmx`.
    #[default]
    Tmx,
    /// JSON, `.tmj`; older versions of Tiled name it `.json`.
    Tmj,
}

/// How the cells of layers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CellEncoding {
    /// Base64 of a zlib stream.
    #[default]
    Zlib,
    /// Numbers: separated by commas in XML, an array in JSON.
    Plain,
}

/// How to write.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// What the map is spelled in.
    pub format: Format,
    /// How the cells are written.
    pub cells: CellEncoding,
    /// The name that the pictures beside the map begin with.
    pub name: String,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
    /// Maximum bytes of memory for decoding one image file, and for all image files together that decode to more than 64 times their
    /// size. Other images are left out and reported. Default: 1 GiB.
    pub max_image_bytes: usize,
}

impl Default for ExportOptions {
    fn default() -> Self {
        let max_bytes = mapwright_scene::Estimate::MAX_BYTES;
        let (format, cells, name) = (Format::Tmx, CellEncoding::Zlib, "scene".into());
        Self { format, cells, name, max_bytes, max_image_bytes: 1 << 30 }
    }
}

impl ExportOptions {
    /// Changes [`max_image_bytes`](Self::max_image_bytes).
    #[must_use]
    pub fn with_max_image_bytes(mut self, max_image_bytes: usize) -> Self {
        self.max_image_bytes = max_image_bytes;
        self
    }

    /// Changes [`format`](Self::format).
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Changes [`cells`](Self::cells).
    #[must_use]
    pub fn with_cells(mut self, cells: CellEncoding) -> Self {
        self.cells = cells;
        self
    }

    /// Changes [`name`](Self::name).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// How to read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ImportOptions {
    /// How many bytes may be made of a map: 4 for each cell, also of those that lie between the chunks of an infinite map, and
    /// 4 for each pixel. Pictures that go beyond it stay references, anything else is refused. 256 MiB.
    pub max_bytes: u64,
    /// How many objects of JSON, or elements of XML, a file may have. `None`: 20,000, and one for each 32 bytes of JSON or 12 of
    /// XML.
    pub max_objects: Option<u64>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { max_bytes: 256 << 20, max_objects: None }
    }
}

impl ImportOptions {
    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Changes [`max_objects`](Self::max_objects).
    #[must_use]
    pub fn with_max_objects(mut self, max_objects: u64) -> Self {
        self.max_objects = Some(max_objects);
        self
    }

    /// How many objects a file may have.
    pub(super) fn objects(&self, file: &[u8]) -> u64 {
        // No shorter ones come often: a property of JSON, a cell in the oldest XML.
        let each = if file.trim_ascii_start().starts_with(b"<") { 12 } else { 32 };
        self.max_objects.unwrap_or(20_000 + file.len() as u64 / each)
    }
}
