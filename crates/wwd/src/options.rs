//! Options of reading and writing.

use mapwright_io::Limits;

/// Options of reading.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits of memory and items. Planes, objects, image sets and tile properties count as items.
    pub limits: Limits,
    /// The header sizes that are accepted.
    pub header_size: HeaderSize,
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

impl ReadOptions {
    /// Sets [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`header_size`](Self::header_size).
    #[must_use]
    pub fn with_header_size(mut self, header_size: HeaderSize) -> Self {
        self.header_size = header_size;
        self
    }
}

/// Options of writing.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The program whose output is reproduced. `None`: an unchanged main block is written as it was read, a changed one with the
    /// document's own [`profile`](crate::Document::profile).
    pub profile: Option<WriterProfile>,
}

impl WriteOptions {
    /// Sets [`profile`](Self::profile).
    #[must_use]
    pub fn with_profile(mut self, profile: Option<WriterProfile>) -> Self {
        self.profile = profile;
        self
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
