//! Options of the conversion between maps and scenes.

use mapwright_scene::Estimate;

use crate::Separator;

/// Options of [`to_scene`](super::to_scene).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {}

mapwright_io::options! {
    /// Options of [`from_scene`](super::from_scene) and [`merge_scene`](super::merge_scene).
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// The separator of outputs. Default: that of the scene or map, else a comma.
        pub separator: Option<Separator> = None, with_separator;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}
