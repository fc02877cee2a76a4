//! Options of reading and writing.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options of reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory and items. Planes, objects, image sets and tile properties count as items.
        pub limits: Limits = Limits::default(), with_limits;
        /// The header sizes that are accepted.
        pub header_size: HeaderSize = HeaderSize::default(), with_header_size;
    }
}

/// The header sizes that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum HeaderSize {
    /// The sizes that the engine accepts: 1524, and less for a header that ends early.
    #[default]
    AsEngine,
    /// Larger sizes, too. They are read as 1524, written back unchanged, and reported by validation.
    Any,
}

mapwright_io::options! {
    /// Options of writing.
    #[derive(Debug, Clone)]
    pub struct WriteOptions {
        /// The program whose output is reproduced. `None`: an unchanged main block is written as it was read, a changed one with the
        /// document's own [`profile`](crate::Document::profile).
        pub profile: Option<WriterProfile> = None, with_profile;
    }
}

/// The program whose compressor and checksum are reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum WriterProfile {
    /// WapWorld and its successor GLE, the original editors: zlib 1.0.4 at level 6.
    #[default]
    Editor,
    /// WapMap: zlib 1.2 at level 9.
    WapMap,
}

impl WriterProfile {
    /// All profiles.
    pub(crate) const ALL: [Self; 2] = [Self::Editor, Self::WapMap];
}
