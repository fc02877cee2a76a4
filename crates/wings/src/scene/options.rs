//! Options of the conversions.

use mapwright_scene::Estimate;

use crate::EncodeOptions;

mapwright_io::options! {
    /// Options for [`to_scene`](super::to_scene).
    #[derive(Debug, Clone)]
    pub struct ImportOptions {
        /// Treatment of virtual mirrors.
        pub mirror: Mirror = Mirror::default(), with_mirror;
    }
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

mapwright_io::options! {
    /// Options for [`from_scene`](super::from_scene) and [`merge_scene`](super::merge_scene).
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// Encoding and compression of the terms. The default can be read by every Wings since 1.5.
        pub encode: EncodeOptions = EncodeOptions::default(), with_encode;
        /// Condition for merging vertices with equal positions.
        pub weld: Weld = Weld::default(), with_weld;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
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
