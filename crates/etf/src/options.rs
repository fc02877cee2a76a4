//! Options of reading and writing.

use mapwright_io::Limits;

/// Strictness of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Accepts the terms that `binary_to_term` of Erlang/OTP 25 accepts.
    #[default]
    Strict,
    /// Also accepts floats that are not finite, malformed text floats, atoms that are not UTF-8, impossible bit counts and
    /// arities, and repeated map keys. Validation reports them.
    Lenient,
}

/// Options for reading.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits of memory, items and depth.
    pub limits: Limits,
    /// Strictness of the reader.
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

/// Options for writing.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Treatment of the compressed stream.
    pub stream: Stream,
}

/// Treatment of a compressed stream by the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Stream {
    /// Write the original stream if the term is unchanged.
    #[default]
    Keep,
    /// Compress the term again.
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

/// Options for printing terms.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TextOptions {
    /// Line layout.
    pub layout: Layout,
    /// Lists that are printed as strings.
    pub strings: Strings,
    /// Largest binary that is printed in full, in bytes. A longer one is printed as its length and a digest, which Erlang
    /// cannot read.
    pub max_binary: usize,
}

/// Line layout of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layout {
    /// One line without spaces.
    #[default]
    Compact,
    /// One element per line for each term that does not fit a line.
    Indented {
        /// Preferred maximum length of a line, in bytes.
        width: usize,
    },
}

/// Lists of integers that are printed as strings. All elements must be printable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Strings {
    /// Printable are 32 to 126 and the characters with an Erlang escape: `\n \r \t \v \b \f \e`.
    #[default]
    Ascii,
    /// Also 160 to 255, as Latin-1.
    Latin1,
}

impl Default for TextOptions {
    /// Prints one line, ASCII strings, and all bytes of binaries.
    fn default() -> Self {
        Self { layout: Layout::default(), strings: Strings::default(), max_binary: usize::MAX }
    }
}

impl TextOptions {
    /// Changes [`layout`](Self::layout).
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Changes [`strings`](Self::strings).
    #[must_use]
    pub fn with_strings(mut self, strings: Strings) -> Self {
        self.strings = strings;
        self
    }

    /// Changes [`max_binary`](Self::max_binary).
    #[must_use]
    pub fn with_max_binary(mut self, bytes: usize) -> Self {
        self.max_binary = bytes;
        self
    }
}
