//! Options of reading and writing.

use mapwright_io::Limits;

/// Which terms are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// What `binary_to_term` of Erlang/OTP 25 accepts.
    #[default]
    Strict,
    /// Also floats that are not finite, malformed text floats, atoms that are not UTF-8, impossible bit counts and
    /// repeated map keys: everything whose bytes can be kept. Validation reports them.
    Lenient,
}

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost.
    pub limits: Limits,
    /// Which terms are accepted.
    pub mode: Mode,
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
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }
}

/// How to write.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// What happens to the compressed stream.
    pub stream: Stream,
}

/// What happens to a compressed stream on writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Stream {
    /// The stream that was read is written as long as the term is unchanged.
    #[default]
    Keep,
    /// The term is compressed anew.
    Renew,
}

impl WriteOptions {
    /// Changes [`stream`](Self::stream).
    #[must_use]
    pub fn with_stream(mut self, stream: Stream) -> Self {
        self.stream = stream;
        self
    }
}
