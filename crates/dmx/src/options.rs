//! Options of reading and writing.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options of reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory and items. Elements, attributes and items of arrays of references, strings or bytes count as items.
        pub limits: Limits = Limits::default(), with_limits;
    }
}

mapwright_io::options! {
    /// Options of writing. Style and line ends apply to text only.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {
        /// Maximum size of the file in bytes. Text repeats strings, so that a small document can become a large file.
        /// Default: 4 GiB, which is what can be read back.
        pub max_output: u64 = 1 << 32, with_max_output;
        /// Formatting of new numbers in text.
        pub style: TextStyle = TextStyle::default(), with_style;
        /// Line ends of new lines in text.
        pub line_end: LineEnd = LineEnd::default(), with_line_end;
    }
}

/// Formatting of numbers in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TextStyle {
    /// As Hammer where that reads back to the same bits, otherwise with the fewest digits that do.
    #[default]
    Exact,
    /// As Hammer: ten decimals, even if bits are lost.
    Hammer,
}

/// Line ends of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LineEnd {
    /// LF.
    #[default]
    Lf,
    /// CR LF, as Valve's programs write.
    CrLf,
}

impl WriteOptions {
    /// Returns the maximum as a size in memory.
    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.max_output).unwrap_or(usize::MAX)
    }
}
