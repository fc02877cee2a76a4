//! Options of reading and writing.

use mapwright_etf as etf;
use mapwright_io::Limits;

/// Options for reading.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits on memory and size.
    pub limits: Limits,
    /// Tolerance for invalid terms.
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

/// Options for writing.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Treatment of the compressed stream.
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

/// Encoding of a new document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// The Erlang release whose encoding of terms is reproduced.
    pub profile: etf::WriterProfile,
    /// Compression of the term.
    pub packing: etf::Packing,
}

impl Default for EncodeOptions {
    /// `otp17`, compressed: the output of Wings 1.5 to 2.2, which every later one reads.
    fn default() -> Self {
        Self { profile: etf::WriterProfile::Otp17, packing: etf::Packing::Compressed { trailing: Vec::new() } }
    }
}

impl EncodeOptions {
    /// Changes [`profile`](Self::profile).
    #[must_use]
    pub fn with_profile(mut self, profile: etf::WriterProfile) -> Self {
        self.profile = profile;
        self
    }

    /// Changes [`packing`](Self::packing).
    #[must_use]
    pub fn with_packing(mut self, packing: etf::Packing) -> Self {
        self.packing = packing;
        self
    }
}
