//! Errors of reading and editing texts.

use mapwright_io::{Category, ErrorKind, FaultKind, GIT_LFS_HELP, Position};

/// Error of the readers, with offset, line and column.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error of edits and of writing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Error kinds of the readers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// An exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// A string, comment, condition or binary value without its end. The position is that of its start.
    #[error("{0} has no end")]
    Unended(&'static str),
    /// Bytes that no token begins with.
    #[error("unexpected byte {found:#04x}: expected {expected}")]
    Byte {
        /// The byte.
        found: u8,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// A token in the wrong place.
    #[error("unexpected {found}: expected {expected}")]
    Unexpected {
        /// Description of the token.
        found: &'static str,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// The text ends inside blocks, objects or arrays.
    #[error("the text ends early: expected {expected}")]
    Ended {
        /// Description of the expected part.
        expected: &'static str,
    },
    /// The text does not have the block that files of this kind need.
    #[error("the text has no block {expected}")]
    NoBlock {
        /// Name of the block.
        expected: &'static str,
    },
    /// A binary value with a character that is not a hexadecimal digit, or with an odd number of digits.
    #[error("invalid binary value: expected pairs of hexadecimal digits")]
    Binary,
    /// The text does not begin with the header of KV3.
    #[error("not a KV3 text: expected <!-- kv3")]
    NotKv3,
    /// The header of KV3 is malformed.
    #[error("malformed KV3 header: expected encoding:NAME:version{{GUID}} format:NAME:version{{GUID}} -->")]
    Header,
    /// A KV3 file in another encoding than text.
    #[error("KV3 encoding {name:?} is not supported: expected \"text\"")]
    Encoding {
        /// The name of the encoding.
        name: String,
    },
    /// The bytes are UTF-16.
    #[error("the text is encoded as UTF-16: expected UTF-8 or a Windows code page")]
    Utf16,
    /// The file is a Git LFS pointer.
    #[error("the file is a Git LFS pointer, not a KeyValues text")]
    LfsPointer,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Unended(_) | Self::Ended { .. } => Category::Truncated,
            Self::Encoding { .. } | Self::Utf16 => Category::Unsupported,
            Self::Byte { .. }
            | Self::Unexpected { .. }
            | Self::NoBlock { .. }
            | Self::Binary
            | Self::NotKv3
            | Self::Header
            | Self::LfsPointer => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(GIT_LFS_HELP.to_owned()),
            Self::Utf16 => Some("save the file as UTF-8 without a byte order mark".to_owned()),
            _ => None,
        }
    }
}

/// Error kinds of edits and of writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// A text that the language cannot represent.
    #[error("{text:?} cannot be stored: {reason}")]
    Text {
        /// The text.
        text: String,
        /// The reason.
        reason: &'static str,
    },
    /// An edit of a part of another kind, such as the value of a block.
    #[error("the edited part is {found}: expected {expected}")]
    Kind {
        /// Description of the part.
        found: &'static str,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// Two changes of one edit overlap. The position is in the text before the edit.
    #[error("two changes of one edit overlap")]
    Overlap,
    /// The edited text is not a valid document. The position is in the edited text.
    #[error("the edited text is invalid: {0}")]
    Invalid(Box<ReadErrorKind>),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Text { .. } | Self::Kind { .. } => Category::Unsupported,
            Self::Overlap => Category::Malformed,
            Self::Invalid(kind) => kind.category(),
            Self::Io(_) => Category::Io,
        }
    }
}

/// Converts the error of reading an edited text.
pub(crate) fn invalid(error: ReadError) -> WriteError {
    error.map_kind(|kind| WriteErrorKind::Invalid(Box::new(kind)))
}

/// Creates the error of changes that overlap at an offset.
pub(crate) fn overlap(source: &[u8], at: usize) -> WriteError {
    WriteError::new(WriteErrorKind::Overlap, Position::in_text(source, at))
}
