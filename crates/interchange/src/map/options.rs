//! Options of reading and writing.

use mapwright_scene::Brush;

/// How [`to_scene`](super::to_scene) reads.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Metres in a unit of length, which the file does not say. 1/32.
    pub metres_per_unit: Option<f64>,
    /// The most sides that a brush may have. [`Brush::MOST_SIDES`].
    pub max_sides: usize,
    /// The most entities, brushes and key values together. `None`: in proportion to the file.
    pub max_objects: Option<u64>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { metres_per_unit: Some(super::METRES), max_sides: Brush::MOST_SIDES, max_objects: None }
    }
}

impl ImportOptions {
    /// The same with another unit; `None`: not known.
    #[must_use]
    pub const fn with_metres_per_unit(mut self, metres: Option<f64>) -> Self {
        self.metres_per_unit = metres;
        self
    }

    /// The same with another limit for the sides of a brush.
    #[must_use]
    pub const fn with_max_sides(mut self, sides: usize) -> Self {
        self.max_sides = sides;
        self
    }

    /// The same with another limit for entities, brushes and key values.
    #[must_use]
    pub const fn with_max_objects(mut self, objects: Option<u64>) -> Self {
        self.max_objects = objects;
        self
    }
}

/// How [`from_scene`](super::from_scene) writes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// How textures are spelled.
    pub spelling: Spelling,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { spelling: Spelling::Auto, max_bytes: mapwright_scene::Estimate::MAX_BYTES }
    }
}

impl ExportOptions {
    /// The same with another spelling.
    #[must_use]
    pub const fn with_spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// The same with another limit for the output.
    #[must_use]
    pub const fn with_max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }
}

/// How the textures of faces are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Spelling {
    /// Standard where it can say all faces exactly, else Valve's.
    #[default]
    Auto,
    /// Shift, turn and scale on axes that the direction of the face gives; of other textures the nearest.
    Standard,
    /// Axes of their own: Valve 220.
    Valve,
}
