//! What reading and writing terms can fail with.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::Tag;

/// An error of reading: what, at which byte, on which path of tuple and list indices.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of building, editing or writing terms: what, and in what was built on which path. Only an [`Edit`](crate::Edit)
/// that cannot be made has a place, in the bytes of the tree that is edited.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a stream or a term.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed: truncated, a false count, a limit, a damaged zlib stream, bytes after the end.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The first byte of a stream is not 131.
    #[error("not an external term: the first byte is {found}, not 131")]
    Magic {
        /// The byte that stands there.
        found: u8,
    },
    /// A tag that no term begins with in a file.
    #[error("{} begins no term in a file", tag_text(*.tag))]
    Tag {
        /// The tag.
        tag: Tag,
    },
    /// A compressed term that declares no bytes.
    #[error("a compressed term declares a size of 0")]
    EmptyCompressed,
    /// An atom of more than 255 characters.
    #[error("an atom has {length} characters, 255 are allowed")]
    AtomLength {
        /// Characters of the atom.
        length: usize,
    },
    /// A UTF-8 atom that is not UTF-8.
    #[error("a UTF-8 atom holds bytes that are not UTF-8")]
    AtomUtf8,
    /// A float that is not finite.
    #[error("a float is not finite")]
    NotFinite,
    /// A text float that is not a number as Erlang accepts it.
    #[error("a text float does not spell a finite number")]
    FloatText,
    /// A bit string with an impossible number of bits in its last byte.
    #[error("a bit string of {bytes} bytes uses {bits} bits of the last one")]
    BitCount {
        /// Bits used in the last byte.
        bits: u8,
        /// Bytes of the bit string.
        bytes: usize,
    },
    /// A reference of more than five words.
    #[error("a reference has {words} words, 5 are allowed")]
    ReferenceWords {
        /// Declared words.
        words: u16,
    },
    /// An arity of a `fun module:function/arity` that Erlang does not take: below 0, or 2⁵⁹ and more.
    #[error("the arity of a fun is below 0 or too large")]
    ExportArity,
    /// Another term was required by the term around it.
    #[error("{} where {expected} must stand", tag_text(*.found))]
    Expected {
        /// What must stand here.
        expected: &'static str,
        /// The tag that was found.
        found: Tag,
    },
    /// A term that only the node that made it can read (tag 121).
    #[error("only the node that made it can read a term of tag 121 (LOCAL)")]
    Local,
    /// Two equal keys in a map.
    #[error("a map has the same key twice")]
    DuplicateKey,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ReadErrorKind {
    /// A stable code in lower case with hyphens; those that a lenient reader accepts are also codes of
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

fn tag_text(tag: Tag) -> String {
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
            | Self::Local => Some("Erlang refuses this term; the lenient mode of the reader keeps it".to_owned()),
            _ => None,
        }
    }
}

/// What is wrong with a term that is being built, edited or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// A tuple, map or list that is being built is unfinished, or one is ended that was not begun.
    #[error("a tuple, map or list is unfinished, or one is ended that was not begun")]
    Unbalanced,
    /// What was built is not exactly one term that can be read.
    #[error("{0}")]
    NotATerm(ReadErrorKind),
    /// Two edits change the same bytes.
    #[error("two edits overlap")]
    Overlap,
    /// An edit is about bytes or a term that the tree does not have.
    #[error("an edit is about bytes or a term that the tree does not have")]
    OutOfTree,
    /// The term is too large for its length fields.
    #[error("{size} bytes do not fit the format's 4 GiB")]
    TooLarge {
        /// The size that does not fit.
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
            Self::Overlap | Self::OutOfTree | Self::Unbalanced => Category::Malformed,
            Self::TooLarge { .. } => Category::Limit,
            Self::Io(_) => Category::Io,
        }
    }
}
