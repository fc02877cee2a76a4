//! Options of the conversion between maps and scenes.

use mapwright_scene::Estimate;

use crate::{EditOptions, MapOptions};

/// Options of [`to_scene`](super::to_scene).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Treatment of subdivided and displaced faces.
    pub subdivision: Subdivision,
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

impl ImportOptions {
    /// Changes [`subdivision`](Self::subdivision).
    #[must_use]
    pub fn with_subdivision(mut self, subdivision: Subdivision) -> Self {
        self.subdivision = subdivision;
        self
    }
}

/// Options of [`from_scene`](super::from_scene) and [`merge_scene`](super::merge_scene).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Options of a new map.
    pub map: MapOptions,
    /// Options of a change to an existing map.
    pub edit: EditOptions,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { map: MapOptions::default(), edit: EditOptions::default(), max_bytes: Estimate::MAX_BYTES }
    }
}

impl ExportOptions {
    /// Changes [`map`](Self::map).
    #[must_use]
    pub fn with_map(mut self, map: MapOptions) -> Self {
        self.map = map;
        self
    }

    /// Changes [`edit`](Self::edit).
    #[must_use]
    pub fn with_edit(mut self, edit: EditOptions) -> Self {
        self.edit = edit;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}
