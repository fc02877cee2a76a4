//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind, GIT_LFS_HELP};

use crate::document::editor::MAX_CONTAINERS;

/// An error of reading: the problem, its offset, line and column, and its path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of edits and of writing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// A problem of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// An exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// Something else than expected.
    #[error("expected {expected}, found \"{found}\"")]
    Expected {
        /// Description of the expected part.
        expected: &'static str,
        /// The text in its place.
        found: String,
    },
    /// The text ends inside a part.
    #[error("the text ends early: expected {expected}")]
    Ended {
        /// Description of the expected part.
        expected: &'static str,
    },
    /// A part without its end. The position is that of its start.
    #[error("{0} has no end")]
    Unended(&'static str),
    /// The bytes are UTF-16.
    #[error("the text is encoded as UTF-16: expected ASCII, UTF-8 or a code page")]
    Utf16,
    /// The file is a Git LFS pointer.
    #[error("the file is a Git LFS pointer, not a map")]
    LfsPointer,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Ended { .. } | Self::Unended(_) => Category::Truncated,
            Self::Expected { .. } => Category::Malformed,
            Self::Utf16 | Self::LfsPointer => Category::Unsupported,
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

/// A reason why a map cannot be changed or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene needs more bytes than the options allow, or more memory than the system has.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The scene contradicts itself.
    #[error("the scene contradicts itself: {0}")]
    Scene(String),
    /// A number that a map cannot store.
    #[error("the number {0} cannot be stored: expected a finite number")]
    Number(f64),
    /// A text with a quote before a line end or `}`, where the quote would end it.
    #[error("the text \"{0}\" cannot be stored: a quote in it precedes a line end or a brace")]
    Text(String),
    /// A text that is not one word or number, for the words after the mapping of a face.
    #[error("{0:?} cannot be stored after a texture: expected one word or number without brackets and quotes")]
    Word(String),
    /// An edit of a part of another kind, such as a key of brushes outside of entities.
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
    /// The edited text is not a map, or exceeds a limit of reading. The position is in the edited text.
    #[error("the edited text cannot be read: {0}")]
    Invalid(Box<ReadErrorKind>),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Number(_) | Self::Text(_) | Self::Word(_) | Self::Kind { .. } => Category::Unsupported,
            #[cfg(feature = "scene")]
            Self::Limit(_) => Category::Limit,
            Self::Overlap | Self::Scene(_) => Category::Malformed,
            Self::Invalid(kind) => kind.category(),
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            Self::Invalid(kind) => kind.help(),
            _ => None,
        }
    }
}

/// A key of an editor that cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum EditorProblem {
    /// A layer or group without an id.
    #[error("the layer or group has no whole number `_tb_id`: nothing can be in it")]
    NoId,
    /// A layer or group with the id of another one.
    #[error("another layer or group has the same `_tb_id`: members are in the first one")]
    DuplicateId,
    /// A reference to a layer or group that does not exist.
    #[error("`{0}` refers to no layer or group: the entity is in the default layer")]
    UnknownId(&'static str),
    /// A group that is inside itself.
    #[error("the group is inside itself: it is in the default layer")]
    Cycle,
    /// An entity in too many nested groups.
    #[error("the entity is in more than {MAX_CONTAINERS} nested groups: it is in the default layer")]
    TooDeep,
}
