//! Options for reading.

use mapwright_io::Limits;

use crate::Wvr;

/// Options for reading.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits of memory and items. Objects and materials count as items. Cells do not, because they must be in the file.
    pub limits: Limits,
    /// Distance between vertices in metres, for 1WVR to 4WVR, which do not store it.
    pub cell: f32,
    /// Metres per height step, for 1WVR to 4WVR. The engine uses 0.045; old descriptions state 0.05.
    pub height_unit: f32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { limits: Limits::default(), cell: Wvr::CELL, height_unit: Wvr::HEIGHT_UNIT }
    }
}

impl ReadOptions {
    /// Changes [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Changes [`cell`](Self::cell).
    #[must_use]
    pub fn with_cell(mut self, metres: f32) -> Self {
        self.cell = metres;
        self
    }

    /// Changes [`height_unit`](Self::height_unit).
    #[must_use]
    pub fn with_height_unit(mut self, metres: f32) -> Self {
        self.height_unit = metres;
        self
    }
}
