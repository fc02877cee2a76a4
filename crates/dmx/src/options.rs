//! Options of reading and writing.

use mapwright_io::Limits;

/// Options of reading.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits of memory and items. Elements, attributes and items of arrays of references, strings or bytes count as items.
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

/// Options of writing. Style and line ends apply to text only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Maximum size of the file in bytes. Text repeats strings, so that a small document can become a large file.
    pub max_output: u64,
    /// Formatting of new numbers in text.
    pub style: TextStyle,
    /// Line ends of new lines in text.
    pub line_end: LineEnd,
}

impl Default for WriteOptions {
    /// 4 GiB of output, which is what can be read back; exact text with LF.
    fn default() -> Self {
        Self { max_output: 1 << 32, style: TextStyle::default(), line_end: LineEnd::default() }
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
    /// Sets [`max_output`](Self::max_output).
    #[must_use]
    pub fn with_max_output(mut self, bytes: u64) -> Self {
        self.max_output = bytes;
        self
    }

    /// Returns the maximum as a size in memory.
    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.max_output).unwrap_or(usize::MAX)
    }

    /// Sets [`style`](Self::style).
    #[must_use]
    pub fn with_style(mut self, style: TextStyle) -> Self {
        self.style = style;
        self
    }

    /// Sets [`line_end`](Self::line_end).
    #[must_use]
    pub fn with_line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}
