//! Options for reading and writing.

use mapwright_scene::{Brush, Estimate};

mapwright_io::options! {
    /// Options for [`to_scene`](super::to_scene).
    #[derive(Debug, Clone, PartialEq)]
    pub struct ImportOptions {
        /// Metres per unit of length, which the file does not store. `None`: unknown. Default: 1/32.
        pub metres_per_unit: Option<f64> = Some(super::METRES), with_metres_per_unit;
        /// Maximum number of sides of a brush. Default: [`Brush::MAX_SIDES`].
        pub max_sides: usize = Brush::MAX_SIDES, with_max_sides;
        /// Maximum number of entities, brushes and key values together. `None`: in proportion to the file.
        pub max_objects: Option<u64> = None, with_max_objects;
    }
}

mapwright_io::options! {
    /// Options for [`from_scene`](super::from_scene).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExportOptions {
        /// The format of texture projections.
        pub projection: ProjectionFormat = ProjectionFormat::Auto, with_projection;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_bytes: u64 = Estimate::MAX_BYTES, with_max_bytes;
    }
}

/// The format of texture projections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ProjectionFormat {
    /// Standard if it stores all projections exactly, else Valve 220.
    #[default]
    Auto,
    /// Standard Quake: shift, rotation and scale on axes that follow from the normal of the face. Other projections are approximated.
    Standard,
    /// Valve 220: with texture axes.
    Valve,
}
