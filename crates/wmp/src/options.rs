//! Options of reading.

use mapwright_io::Limits;

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost. Blocks, faces, vertices, entities and objects count as items. Files of 4 GiB and
    /// more are refused, whatever the limits say.
    pub limits: Limits,
}

impl ReadOptions {
    /// Changes [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
