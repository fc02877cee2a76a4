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
    /// In which program's way the main block is stored. `None`: as it was read while it is unchanged, and otherwise in the
    /// document's own [`style`](crate::Document::style).
    pub style: Option<Style>,
}

impl WriteOptions {
    /// Changes [`style`](Self::style).
    #[must_use]
    pub fn with_style(mut self, style: Option<Style>) -> Self {
        self.style = style;
        self
    }
}

/// In which program's way the main block is compressed and summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Style {
    /// WapWorld and its successor GLE, the original editors: zlib 1.0.4 at level 6.
    #[default]
    Editor,
    /// WapMap: zlib 1.2 at level 9.
    WapMap,
}

impl Style {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::Editor, Self::WapMap];
}
