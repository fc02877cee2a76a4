//! Errors of reading and writing terms.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::Tag;

/// Error of the reader, with its position and the path of indices to the term.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error of building, editing or writing terms, with the path in the built term. Only errors of [`Edit`](crate::Edit)
/// have a position, which is in the bytes of the edited tree.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Error kinds of the reader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Truncated input, an impossible count, an exceeded limit, a damaged zlib stream, or trailing bytes.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The first byte of a stream is not 131.
    #[error("not an external term: the first byte is {found}, expected 131")]
    Magic {
        /// The first byte.
        found: u8,
    },
    /// A tag that cannot start a term in a file.
    #[error("{} cannot start a term in a file", format_tag(*.tag))]
    Tag {
        /// The tag.
        tag: Tag,
    },
    /// A compressed term with a declared size of 0.
    #[error("declared size of a compressed term is 0")]
    EmptyCompressed,
    /// An atom of more than 255 characters.
    #[error("atom is too long: {length} characters, at most 255 are allowed")]
    AtomLength {
        /// Number of characters.
        length: usize,
    },
    /// A UTF-8 atom with invalid UTF-8.
    #[error("UTF-8 atom contains invalid UTF-8")]
    AtomUtf8,
    /// A float that is not finite.
    #[error("float is not finite")]
    NotFinite,
    /// A text float that Erlang does not accept.
    #[error("text float is not a finite number")]
    FloatText,
    /// A bit string with an impossible number of bits in its last byte.
    #[error("invalid bit count {bits} for the last of {bytes} bytes: expected 1 to 8, or 0 without bytes")]
    BitCount {
        /// Number of used bits in the last byte.
        bits: u8,
        /// Length of the bit string in bytes.
        bytes: usize,
    },
    /// A reference of more than five words.
    #[error("reference has {words} words, at most 5 are allowed")]
    ReferenceWords {
        /// Declared number of words.
        words: u16,
    },
    /// An arity of `fun module:function/arity` that Erlang does not accept: negative, or at least 2⁵⁹.
    #[error("arity of a fun is out of range: expected 0 to 2^59 - 1")]
    ExportArity,
    /// A part of a term has the wrong tag.
    #[error("unexpected {}: expected {expected}", format_tag(*.found))]
    Expected {
        /// Description of the expected part.
        expected: &'static str,
        /// The actual tag.
        found: Tag,
    },
    /// A term that only the node that wrote it can read (tag 121).
    #[error("term with tag 121 (LOCAL) can be read only by the node that wrote it")]
    Local,
    /// A map that contains the same key twice.
    #[error("map contains the same key twice")]
    DuplicateKey,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ReadErrorKind {
    /// Returns a stable code in lower case with hyphens. Kinds that the lenient mode accepts have the same code in
    /// [`Document::validate`](crate::Document::validate).
    pub fn code(&self) -> &'static str {
        match self {
            Self::Input(FaultKind::Truncated { .. } | FaultKind::Count { .. }) => "truncated",
            Self::Input(FaultKind::Trailing { .. }) => "trailing-bytes",
            Self::Input(FaultKind::Limit { .. }) => "limits",
            Self::Input(FaultKind::InflatedSize { .. }) | Self::EmptyCompressed => "size-mismatch",
            Self::Input(FaultKind::Zlib) => "bad-zlib",
            Self::Input(_) => "malformed",
            Self::Magic { .. } => "not-a-term",
            Self::Tag { .. } => "bad-tag",
            Self::AtomLength { .. } => "atom-length",
            Self::AtomUtf8 => "bad-utf8",
            Self::NotFinite => "not-finite",
            Self::FloatText => "float-text",
            Self::BitCount { .. } => "bad-bits",
            Self::ReferenceWords { .. } => "reference-words",
            Self::ExportArity => "export-arity",
            Self::Expected { .. } => "misplaced",
            Self::Local => "local",
            Self::DuplicateKey => "duplicate-key",
            Self::Io(_) => "io",
        }
    }
}

fn format_tag(tag: Tag) -> String {
    match tag.name() {
        Some(name) => format!("tag {} ({name})", tag.0),
        None => format!("tag {}", tag.0),
    }
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::AtomUtf8
            | Self::NotFinite
            | Self::FloatText
            | Self::BitCount { .. }
            | Self::ExportArity
            | Self::DuplicateKey
            | Self::Local => Some("use the lenient mode to read terms that Erlang rejects".to_owned()),
            _ => None,
        }
    }
}

/// Error kinds of building, editing and writing terms.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// A tuple, map or list is unfinished, or the end of a list has no start.
    #[error("a tuple, map or list is unfinished, or the end of a list has no start")]
    Unbalanced,
    /// A list of integers from 0 to 255, which Erlang encodes as a string.
    #[error("a list of integers from 0 to 255 must be written as a string")]
    IntegerList,
    /// The result is not exactly one valid term.
    #[error("{0}")]
    NotATerm(ReadErrorKind),
    /// Two edits change the same bytes.
    #[error("two edits overlap")]
    Overlap,
    /// An edit refers to bytes or a term outside the tree.
    #[error("edit refers to bytes or a term outside the tree")]
    OutOfTree,
    /// The term is too large for the length fields.
    #[error("term is too large: {size} bytes, at most 4 GiB are allowed")]
    TooLarge {
        /// Size in bytes.
        size: u64,
    },
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::NotATerm(kind) => kind.category(),
            Self::Overlap | Self::OutOfTree | Self::Unbalanced | Self::IntegerList => Category::Malformed,
            Self::TooLarge { .. } => Category::Limit,
            Self::Io(_) => Category::Io,
        }
    }
}
