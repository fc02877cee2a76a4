//! How to write and read.

/// What a glTF document is packed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Container {
    /// One file, `.glb`, with everything in it.
    #[default]
    Glb,
    /// A JSON file, `.gltf`, with a `.bin` file and pictures beside it.
    Gltf,
}

/// How to write.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// What the document is packed as.
    pub container: Container,
    /// The name that the files beside a `.gltf` begin with.
    pub name: String,
    /// Whether hidden nodes are written, which glTF shows; else they are left out with all that is below them.
    pub hidden: bool,
    /// Whether to write what rebuilds the polygons: the numbers of the vertices as the attribute `_VERTEX`, and notes
    /// in `extras`. Other programs pass over it. Without it a mesh comes back as triangles.
    pub polygons: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { container: Container::Glb, name: "scene".into(), hidden: false, polygons: true }
    }
}

impl ExportOptions {
    /// Changes [`container`](Self::container).
    #[must_use]
    pub fn with_container(mut self, container: Container) -> Self {
        self.container = container;
        self
    }

    /// Changes [`name`](Self::name).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Changes [`hidden`](Self::hidden).
    #[must_use]
    pub fn with_hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Changes [`polygons`](Self::polygons).
    #[must_use]
    pub fn with_polygons(mut self, polygons: bool) -> Self {
        self.polygons = polygons;
        self
    }
}

/// How to read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Whether vertices at exactly the same place become one, so that meshes close that were split for their normals
    /// or texture coordinates. Documents that this crate wrote say themselves what belongs together.
    pub weld: bool,
    /// Whether PNG pictures become plain pixels of 8 bits per channel; else they stay files.
    pub decode_images: bool,
    /// How many corners of faces and instances a document may have. `None`: a million, and four for each byte of the
    /// document and its buffers; documents may use the same numbers many times.
    pub max_corners: Option<u64>,
    /// How many objects the JSON may have. `None`: 100,000, and one for each 16 bytes; `{}` takes a hundred times the
    /// memory that it takes in the text.
    pub max_objects: Option<u64>,
    /// How many bytes of pixels a picture may have when it is decoded.
    pub max_image_bytes: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { weld: true, decode_images: false, max_corners: None, max_objects: None, max_image_bytes: 1 << 28 }
    }
}

impl ImportOptions {
    /// Changes [`weld`](Self::weld).
    #[must_use]
    pub fn with_weld(mut self, weld: bool) -> Self {
        self.weld = weld;
        self
    }

    /// Changes [`decode_images`](Self::decode_images).
    #[must_use]
    pub fn with_decode_images(mut self, decode_images: bool) -> Self {
        self.decode_images = decode_images;
        self
    }

    /// Changes [`max_corners`](Self::max_corners).
    #[must_use]
    pub fn with_max_corners(mut self, max_corners: u64) -> Self {
        self.max_corners = Some(max_corners);
        self
    }

    /// Changes [`max_objects`](Self::max_objects).
    #[must_use]
    pub fn with_max_objects(mut self, max_objects: u64) -> Self {
        self.max_objects = Some(max_objects);
        self
    }

    /// Changes [`max_image_bytes`](Self::max_image_bytes).
    #[must_use]
    pub fn with_max_image_bytes(mut self, max_image_bytes: usize) -> Self {
        self.max_image_bytes = max_image_bytes;
        self
    }
}
