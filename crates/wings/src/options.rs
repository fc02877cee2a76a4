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

/// How to make a document of a model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Which Erlang's way of writing terms is followed.
    pub profile: etf::WriterProfile,
    /// How the term is wrapped.
    pub packing: etf::Packing,
}

impl Default for EncodeOptions {
    /// `otp17`, compressed: what Wings 1.5 to 2.2 write and every later one reads.
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
