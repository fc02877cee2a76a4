//! Options for reading and writing.

use mapwright_scene::Estimate;

mapwright_io::options! {
    /// Options for [`to_scene`](super::to_scene).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ImportOptions {
        /// Maximum number of bytes for the pixels of one image. Larger images stay encoded files. Default: 256 MiB.
        pub max_image_bytes: usize = 256 << 20, with_max_image_bytes;
        /// Maximum number of objects, materials, textures and properties of materials together. A line of four bytes can create an
        /// object of many hundred. Default: 100,000.
        pub max_items: usize = 100_000, with_max_items;
    }
}

mapwright_io::options! {
    /// Options for [`from_scene`](super::from_scene).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportOptions {
        /// Name of the file without its extension. The material library is named after it. Default: `scene`.
        pub name: String = "scene".into(), with_name(impl Into<String>);
        /// When normals are written.
        pub normals: Normals = Normals::Needed, with_normals;
        /// The order of objects.
        pub order: ObjectOrder = ObjectOrder::Scene, with_order;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
        /// Maximum bytes of memory for decoding one image file, and for all image files together that decode to more than 64 times
        /// their size. Other images are left out and reported. Default: 1 GiB.
        pub max_image_bytes: usize = 1 << 30, with_max_image_bytes;
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

/// The order of objects in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ObjectOrder {
    /// The order of the scene.
    #[default]
    Scene,
    /// The reverse order, as the exporter of Wings 3D writes them.
    Reversed,
}
