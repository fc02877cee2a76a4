//! Options for reading and writing.

use mapwright_scene::Estimate;

/// The packaging of a glTF document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Container {
    /// One file, `.glb`, that contains everything.
    #[default]
    Glb,
    /// A JSON file, `.gltf`, with a `.bin` file and images beside it.
    Gltf,
}

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The packaging of the document.
        pub container: Container = Container::Glb, with_container;
        /// Prefix of the names of the files beside a `.gltf`. Default: `scene`.
        pub name: String = "scene".into(), with_name(impl Into<String>);
        /// Writes hidden nodes, which glTF shows. Otherwise they are left out with their children. Default: `false`.
        pub hidden: bool = false, with_hidden;
        /// Writes faces with [tool materials](mapwright_scene::Material::is_tool). Otherwise they are left out without a loss. Default: `true`.
        pub tools: bool = true, with_tools;
        /// Writes metadata that restores polygons: vertex numbers as the attribute `_VERTEX`, and notes in `extras`. Other programs
        /// ignore it. Otherwise a mesh is read back as triangles. Default: `true`.
        pub polygons: bool = true, with_polygons;
        /// Writes every N-th height of a terrain along each side, and the last; 0 counts as 1. Textures and objects keep their
        /// positions. Default: 1.
        pub terrain_step: u32 = 1, with_terrain_step;
        /// Writes the placeholder boxes of models in other files as one mesh for each instance set and model, instead of instances of
        /// one box. Programs that create an object for each instance need hours for a hundred thousand. Default: `false`.
        pub bake_boxes: bool = false, with_bake_boxes;
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
        /// Joins vertices at exactly the same position, so that meshes close that were split for their normals or texture coordinates.
        /// Documents that this crate wrote store which vertices belong together. Default: `true`.
        pub weld: bool = true, with_weld;
        /// Decodes PNG images to pixels of 8 bits per channel. Otherwise they stay encoded files. Default: `false`.
        pub decode_images: bool = false, with_decode_images;
        /// Maximum number of bytes that a document expands to: 256 per corner and instance plus their texture coordinates and colours
        /// (documents can use the same numbers many times), images, and 4 per pixel. Images whose pixels exceed it stay encoded
        /// files; anything else is an error. `None`: 256 MiB, and 128 for each byte of the document and its buffers.
        pub max_bytes: Option<u64> = None, with_max_bytes(u64);
        /// Maximum number of JSON objects. `None`: 100,000, and one for each 16 bytes. An object takes up to a hundred times the memory
        /// of its text.
        pub max_objects: Option<u64> = None, with_max_objects(u64);
    }
}
