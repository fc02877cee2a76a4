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
    /// Of the heights of a terrain along each side, every so many are written, and the last: 1 writes all.
    /// Textures keep their place; objects are put on the ground as it was.
    pub terrain_step: u32,
    /// Whether the boxes that stand for models elsewhere become meshes, one for each set and model, with all boxes in place; else
    /// one box is instanced. Programs that make an object of every instance take hours for a hundred thousand.
    pub bake_boxes: bool,
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
            container: Container::Glb,
            name: "scene".into(),
            hidden: false,
            polygons: true,
            terrain_step: 1,
            bake_boxes: false,
            max_bytes: mapwright_scene::Estimate::MAX_BYTES,
            max_image_bytes: 1 << 30,
        }
    }
}

impl ExportOptions {
    /// Changes [`max_image_bytes`](Self::max_image_bytes).
    #[must_use]
    pub fn with_max_image_bytes(mut self, max_image_bytes: usize) -> Self {
        self.max_image_bytes = max_image_bytes;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

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

    /// Changes [`terrain_step`](Self::terrain_step); 0 counts as 1.
    #[must_use]
    pub fn with_terrain_step(mut self, terrain_step: u32) -> Self {
        self.terrain_step = terrain_step;
        self
    }

    /// Changes [`bake_boxes`](Self::bake_boxes).
    #[must_use]
    pub fn with_bake_boxes(mut self, bake_boxes: bool) -> Self {
        self.bake_boxes = bake_boxes;
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
    /// How many bytes may be made of a document: of corners and instances, 256 for each and what their texture coordinates
    /// and colours take, since documents may use the same numbers many times; of pictures; and of pixels, 4 bytes for each.
    /// Pictures whose pixels go beyond it stay files, anything else is refused. `None`: 256 MiB, and 128 for each byte
    /// of the document and its buffers.
    pub max_bytes: Option<u64>,
    /// How many objects the JSON may have. `None`: 100,000, and one for each 16 bytes; `{}` takes a hundred times the
    /// memory that it takes in the text.
    pub max_objects: Option<u64>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { weld: true, decode_images: false, max_bytes: None, max_objects: None }
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

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = Some(max_bytes);
        self
    }

    /// Changes [`max_objects`](Self::max_objects).
    #[must_use]
    pub fn with_max_objects(mut self, max_objects: u64) -> Self {
        self.max_objects = Some(max_objects);
        self
    }
}
