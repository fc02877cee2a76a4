//! Options of reading and writing.

use mapwright_io::Limits;

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What reading may cost. An element, an attribute and an item of an array of references, strings or bytes count as items.
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

/// How to write. Style and line ends concern text alone: a binary file is written as the document says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Bytes that the file may have. Where strings stand in their places, as in text, one of a megabyte may be said a million
    /// times.
    pub max_output: u64,
    /// How numbers are spelled that no file has spelled yet.
    pub style: TextStyle,
    /// How lines end that no file has ended yet.
    pub line_end: LineEnd,
}

impl Default for WriteOptions {
    /// 4 GiB of output, as much as can be read back; exact text with LF.
    fn default() -> Self {
        Self { max_output: 1 << 32, style: TextStyle::default(), line_end: LineEnd::default() }
    }
}

/// How numbers are spelled in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TextStyle {
    /// As Hammer does wherever that reads back to the same bits, otherwise with the fewest digits that do.
    #[default]
    Exact,
    /// As Hammer does: ten decimals, also where bits are lost.
    Hammer,
}

/// How lines end in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LineEnd {
    /// LF.
    #[default]
    Lf,
    /// CR LF, as Valve's programs do.
    CrLf,
}

impl WriteOptions {
    /// Changes [`max_output`](Self::max_output).
    #[must_use]
    pub fn with_max_output(mut self, bytes: u64) -> Self {
        self.max_output = bytes;
        self
    }

    /// The same as a size of what is in memory.
    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.max_output).unwrap_or(usize::MAX)
    }

    /// Changes [`style`](Self::style).
    #[must_use]
    pub fn with_style(mut self, style: TextStyle) -> Self {
        self.style = style;
        self
    }

    /// Changes [`line_end`](Self::line_end).
    #[must_use]
    pub fn with_line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
}
