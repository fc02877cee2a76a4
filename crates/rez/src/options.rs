//! Options for reading and writing.

use mapwright_io::Limits;

/// Treatment of damaged directories and files by the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Reads the rest of the archive. [`Document::damage`](crate::Document::damage) and `validate` report the damage.
    #[default]
    Lenient,
    /// Rejects the archive with the first damage as the error.
    Strict,
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of input, items and depth. Entries count as items.
        pub limits: Limits = Limits::default(), with_limits;
        /// Treatment of damaged directories and files.
        pub mode: Mode = Mode::default(), with_mode;
    }
}

/// Layout of a written archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layout {
    /// An untouched archive is written byte for byte. Edits are appended, so that no byte moves. A new archive is written as `Monolith`.
    #[default]
    Keep,
    /// Writes the archive from scratch as Monolith's packer does: each directory block except the last is followed by zero bytes of
    /// the same size.
    Monolith,
    /// Writes the archive from scratch without unused bytes.
    Compact,
}

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone)]
    pub struct WriteOptions {
        /// Layout of the archive.
        pub layout: Layout = Layout::default(), with_layout;
    }
}
