//! Options of reading and writing.

use mapwright_io::Limits;

/// Strictness of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Accepts the terms that `binary_to_term` of Erlang/OTP 25 accepts.
    #[default]
    Strict,
    /// As `Strict`, and also accepts floats that are not finite, malformed text floats, atoms that are not UTF-8, impossible bit counts and
    /// arities, and repeated map keys. Validation reports them.
    Lenient,
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of memory, items and depth.
        pub limits: Limits = Limits::default(), with_limits;
        /// Strictness of the reader.
        pub mode: Mode = Mode::default(), with_mode;
    }
}

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone)]
    pub struct WriteOptions {
        /// Treatment of the compressed stream.
        pub stream: Stream = Stream::default(), with_stream;
    }
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

mapwright_io::options! {
    /// Options for printing terms.
    #[derive(Debug, Clone)]
    pub struct TextOptions {
        /// Line layout.
        pub layout: Layout = Layout::default(), with_layout;
        /// Lists that are printed as strings.
        pub strings: Strings = Strings::default(), with_strings;
        /// Largest binary that is printed in full, in bytes. A longer one is printed as its length and a digest, which Erlang
        /// cannot read. Default: no limit.
        pub max_binary: usize = usize::MAX, with_max_binary;
    }
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
    /// Characters 32 to 126 and the characters with an Erlang escape: `\n \r \t \v \b \f \e`.
    #[default]
    Ascii,
    /// As `Ascii`, and characters 160 to 255 as Latin-1.
    Latin1,
}
