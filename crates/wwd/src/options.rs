//! Options of reading and writing.

use mapwright_io::Limits;

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost. Planes, objects, image sets and tile properties count as items.
    pub limits: Limits,
    /// Which sizes of the header are accepted.
    pub header_size: HeaderSize,
}

/// Which sizes of the header are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum HeaderSize {
    /// Those that the engine takes: 1524 and, as a header that ends early, less.
    #[default]
    AsEngine,
    /// Also larger ones, as if they were 1524. The number is kept, and validation reports it.
    Any,
}

impl ReadOptions {
    /// Changes [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Changes [`header_size`](Self::header_size).
    #[must_use]
    pub fn with_header_size(mut self, header_size: HeaderSize) -> Self {
        self.header_size = header_size;
        self
    }
}

/// How to write.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The program whose output is reproduced. `None`: an unchanged main block is written as it was read, a changed one with the
    /// document's own [`profile`](crate::Document::profile).
    pub profile: Option<WriterProfile>,
}

impl WriteOptions {
    /// Changes [`profile`](Self::profile).
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
