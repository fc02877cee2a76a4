//! Options of reading and writing.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of the input, of keys and primitives together, and of nested braces. Default: 256 MiB, 50 million items, 4 levels.
        pub limits: Limits = Limits::default().with_max_input(256 << 20).with_max_items(50_000_000).with_max_depth(4), with_limits;
        /// Maximum length of a key or value in bytes. Default: 64 KiB.
        pub max_text: usize = 64 << 10, with_max_text;
        /// Maximum number of entities. Default: 2²⁰.
        pub max_entities: usize = 1 << 20, with_max_entities;
        /// Maximum number of faces. Default: 2²².
        pub max_faces: usize = 1 << 22, with_max_faces;
        /// Maximum number of control points along each side of a patch. Default: 99.
        pub max_patch: usize = 99, with_max_patch;
    }
}

mapwright_io::options! {
    /// Options for writing. There are none yet, because a map is written as its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {}
}
