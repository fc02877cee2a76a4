//! Options of reading and writing.

use mapwright_etf as etf;
use mapwright_io::Limits;

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost.
    pub limits: Limits,
    /// Which terms are accepted.
    pub mode: etf::Mode,
}

impl ReadOptions {
    /// Changes [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Changes [`mode`](Self::mode).
    #[must_use]
    pub fn with_mode(mut self, mode: etf::Mode) -> Self {
        self.mode = mode;
        self
    }
}

/// How to write.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// What happens to the compressed stream.
    pub stream: etf::Stream,
}

impl WriteOptions {
    /// Changes [`stream`](Self::stream).
    #[must_use]
    pub fn with_stream(mut self, stream: etf::Stream) -> Self {
        self.stream = stream;
        self
    }
}
