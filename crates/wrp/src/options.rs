//! Options of reading.

use mapwright_io::Limits;

use crate::Wvr;

/// How to read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost. Objects and materials count as items, cells do not: they have to be in the file.
    pub limits: Limits,
    /// Metres from vertex to vertex of terrains that do not say it: 1WVR to 4WVR.
    pub cell: f32,
    /// Metres per step of height of the same: 0.045 in the engine. Old descriptions say 0.05.
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
