//! Options of reading and writing.

/// How [`to_scene`](super::to_scene) reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// The largest number of bytes that the pixels of one image may take; larger images stay files. 256 MiB.
    pub max_image_bytes: usize,
    /// The largest number of objects, materials, textures and properties of materials together: a line of four
    /// bytes can make an object of many hundred. 100,000.
    pub max_items: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { max_image_bytes: 256 << 20, max_items: 100_000 }
    }
}

impl ImportOptions {
    /// The same with another limit for the pixels of one image.
    #[must_use]
    pub const fn with_max_image_bytes(mut self, bytes: usize) -> Self {
        self.max_image_bytes = bytes;
        self
    }

    /// The same with another limit for the number of items.
    #[must_use]
    pub const fn with_max_items(mut self, items: usize) -> Self {
        self.max_items = items;
        self
    }
}

/// How [`from_scene`](super::from_scene) writes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// The name of the file without its extension; the material library is named after it. `scene`.
    pub name: String,
    /// When normals are written.
    pub normals: Normals,
    /// In which order objects are written.
    pub order: ObjectOrder,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
    /// Maximum bytes of memory for decoding one image file, and for all image files together that decode to more than 64 times their
    /// size. Other images are left out and reported. Default: 1 GiB.
    pub max_image_bytes: usize,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            name: "scene".into(),
            normals: Normals::Needed,
            order: ObjectOrder::Scene,
            max_bytes: mapwright_scene::Estimate::MAX_BYTES,
            max_image_bytes: 1 << 30,
        }
    }
}

impl ExportOptions {
    /// Changes [`max_image_bytes`](Self::max_image_bytes).
    #[must_use]
    pub const fn with_max_image_bytes(mut self, bytes: usize) -> Self {
        self.max_image_bytes = bytes;
        self
    }

    /// The same with another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same with another rule for normals.
    #[must_use]
    pub const fn with_normals(mut self, normals: Normals) -> Self {
        self.normals = normals;
        self
    }

    /// The same with another order.
    #[must_use]
    pub const fn with_order(mut self, order: ObjectOrder) -> Self {
        self.order = order;
        self
    }

    /// The same with another limit for the output.
    #[must_use]
    pub const fn with_max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }
}

/// When normals are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Normals {
    /// For meshes that store normals or have both hard and soft edges.
    #[default]
    Needed,
    /// For all meshes.
    Always,
    /// For none.
    Never,
}

/// In which order objects are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ObjectOrder {
    /// That of the scene.
    #[default]
    Scene,
    /// The reverse: that of the exporter of Wings 3D.
    Reversed,
}
