//! Options of the conversions.

use mapwright_scene::Estimate;

use crate::EncodeOptions;

/// Options for [`to_scene`](super::to_scene).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Treatment of virtual mirrors.
    pub mirror: Mirror,
}

/// Treatment of virtual mirrors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mirror {
    /// Keep them virtual.
    #[default]
    Keep,
    /// Make both halves real, as Wings does when it exports.
    Freeze,
}

impl ImportOptions {
    /// Changes [`mirror`](Self::mirror).
    #[must_use]
    pub fn with_mirror(mut self, mirror: Mirror) -> Self {
        self.mirror = mirror;
        self
    }
}

/// Options for [`from_scene`](super::from_scene) and [`merge_scene`](super::merge_scene).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Encoding and compression of the terms. The default can be read by every Wings since 1.5.
    pub encode: EncodeOptions,
    /// Condition for merging vertices with equal positions.
    pub weld: Weld,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { encode: EncodeOptions::default(), weld: Weld::default(), max_bytes: Estimate::MAX_BYTES }
    }
}

/// Condition for merging vertices with equal positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weld {
    /// Merge if the mesh is open and merging closes some of it. Other formats split vertices where texture coordinates or
    /// normals differ.
    #[default]
    Open,
    /// Never merge.
    Never,
}

impl ExportOptions {
    /// Changes [`encode`](Self::encode).
    #[must_use]
    pub fn with_encode(mut self, encode: EncodeOptions) -> Self {
        self.encode = encode;
        self
    }

    /// Changes [`weld`](Self::weld).
    #[must_use]
    pub fn with_weld(mut self, weld: Weld) -> Self {
        self.weld = weld;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}
