//! Errors of reading.

use mapwright_io::{Category, ErrorKind, FaultKind, GIT_LFS_HELP};

/// Error of the readers, with offset, line and column.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error kinds of the readers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// An exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// A string without its closing quote. The position is that of its start.
    #[error("string has no end")]
    Unended,
    /// A token in the wrong place.
    #[error("unexpected {found}: expected {expected}")]
    Unexpected {
        /// Description of the token.
        found: &'static str,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// The text ends inside a class, a list or parentheses.
    #[error("the text ends early: expected {expected}")]
    Ended {
        /// Description of the expected part.
        expected: &'static str,
    },
    /// The bytes are UTF-16.
    #[error("the text is encoded as UTF-16: expected UTF-8 or Windows-1252")]
    Utf16,
    /// The file is a Git LFS pointer.
    #[error("the file is a Git LFS pointer, not Forge Game Data")]
    LfsPointer,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Unended | Self::Ended { .. } => Category::Truncated,
            Self::Utf16 => Category::Unsupported,
            Self::Unexpected { .. } | Self::LfsPointer => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(GIT_LFS_HELP.to_owned()),
            Self::Utf16 => Some("save the file as UTF-8".to_owned()),
            _ => None,
        }
    }
}
