//! Options of the conversion between maps and scenes.

use mapwright_scene::Estimate;

use crate::{EditOptions, MapOptions};

mapwright_io::options! {
    /// Options of [`to_scene`](super::to_scene).
    #[derive(Debug, Clone)]
    pub struct ImportOptions {
        /// Treatment of subdivided and displaced faces.
        pub subdivision: Subdivision = Subdivision::default(), with_subdivision;
    }
}

/// Treatment of subdivided and displaced faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subdivision {
    /// Keep the control mesh, so that the scene can be written back into its map.
    #[default]
    Coarse,
    /// Replace each face by its displaced quads, as players see it.
    Fine,
}

mapwright_io::options! {
    /// Options of [`from_scene`](super::from_scene) and [`merge_scene`](super::merge_scene).
    #[derive(Debug, Clone)]
    pub struct ExportOptions {
        /// Options of a new map.
        pub map: MapOptions = MapOptions::default(), with_map;
        /// Options of a change to an existing map.
        pub edit: EditOptions = EditOptions::default(), with_edit;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}
