//! Options for reading.

use mapwright_io::Limits;

/// Options for reading.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits of memory and time. Blocks, faces, vertices, entities and objects count as items. Files of 4 GiB and more are
    /// always rejected.
    pub limits: Limits,
}

impl ReadOptions {
    /// Sets [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
