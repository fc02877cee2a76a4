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
    /// arities, and repeated map keys: everything whose bytes can be kept. Validation reports them.
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

/// How terms are printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TextOptions {
    /// How the text is laid out.
    pub layout: Layout,
    /// Which lists are shown as strings.
    pub strings: Strings,
    /// Longer binaries are shown as their length in bytes and a digest, which no Erlang reads back.
    pub max_binary: usize,
}

/// How a text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layout {
    /// In one line, without blanks.
    #[default]
    Compact,
    /// One element per line wherever a term does not fit into the rest of a line.
    Indented {
        /// Bytes that a line should have at most.
        width: usize,
    },
}

/// Which lists of integers are shown as strings. All elements must be printable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Strings {
    /// Printable are 32 to 126 and what Erlang has a letter for: `\n \r \t \v \b \f \e`.
    #[default]
    Ascii,
    /// Also 160 to 255, as Latin-1.
    Latin1,
}

impl Default for TextOptions {
    /// One line, ASCII strings, all bytes of binaries.
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
