//! Options for reading.

use mapwright_io::Limits;

use crate::Wvr;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory and items. Objects and materials count as items. Cells do not, because they must be in the file.
        pub limits: Limits = Limits::default(), with_limits;
        /// Distance between vertices in metres, for 1WVR to 4WVR, which do not store it.
        pub cell: f32 = Wvr::CELL, with_cell;
        /// Metres per height step, for 1WVR to 4WVR. The engine uses 0.045; old descriptions state 0.05.
        pub height_unit: f32 = Wvr::HEIGHT_UNIT, with_height_unit;
    }
}
