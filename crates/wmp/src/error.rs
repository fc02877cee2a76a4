//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::Dialect;

/// An error of reading: the problem, its offset (in text also line and column) and its path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: the problem, and its path in the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// A problem of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// Another format that uses the extension `.wmp`.
    #[error("not a Gamestudio map: this is {0}")]
    Other(crate::Other),
    /// No format is recognised.
    #[error("not a Gamestudio map: expected WMPB, \"// WMP2\", a version line or a section")]
    Unknown,
    /// An unknown version.
    #[error("unknown version {found}: expected 510, 710 or 711")]
    Version {
        /// The version in the file.
        found: String,
    },
    /// Something else than expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected syntax.
        expected: &'static str,
        /// The text or bytes in its place.
        found: String,
    },
    /// An unclosed section.
    #[error("{what} is not closed")]
    Unclosed {
        /// The kind of section.
        what: &'static str,
    },
    /// A count that differs from the number of items after it.
    #[error("{declared} {what} declared, {found} found")]
    Count {
        /// The kind of item.
        what: &'static str,
        /// The count in the file.
        declared: u64,
        /// The number of items.
        found: u64,
    },
    /// A face with a vertex index out of range.
    #[error("vertex index {index} out of range ({vertices} vertices)")]
    Vertex {
        /// The vertex index.
        index: u64,
        /// The number of vertices of the block.
        vertices: usize,
    },
    /// Reading from the source failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Other(_) | Self::Version { .. } => Category::Unsupported,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::Other(other) => other.help().map(str::to_owned),
            _ => None,
        }
    }
}

/// A reason why a document cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene needs more bytes than the options allow, or more memory than the system has.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// A value that the dialect cannot store. Conversion to the dialect reports it as lost.
    #[error("cannot store {what} in the {} dialect", .dialect.name())]
    Dialect {
        /// The value.
        what: &'static str,
        /// The dialect of the document.
        dialect: Dialect,
    },
    /// A name that would be read as something else.
    #[error("cannot write the name \"{name}\": {why}")]
    Name {
        /// The name.
        name: String,
        /// The problem with the name.
        why: &'static str,
    },
    /// A number that text cannot represent, or that its field cannot store.
    #[error("cannot write {value}: expected {what}")]
    Number {
        /// The number.
        value: f64,
        /// The expected range.
        what: &'static str,
    },
    /// The objects of a binary map are not a tree.
    #[error("object {number} {why}: binary maps need a tree")]
    Tree {
        /// The object.
        number: u32,
        /// The problem with it.
        why: &'static str,
    },
    /// More bytes or items than the format can count.
    #[error("too many {what}: {count}, at most {most}")]
    TooMany {
        /// The kind of item.
        what: &'static str,
        /// The number of items.
        count: u64,
        /// The largest count.
        most: u64,
    },
    /// The scene contradicts itself.
    #[error("the scene contradicts itself: {0}")]
    Scene(String),
    /// Writing to the target failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(_) => Category::Limit,
            Self::TooMany { .. } => Category::Limit,
            Self::Dialect { .. } | Self::Name { .. } | Self::Number { .. } => Category::Unsupported,
            Self::Io(_) => Category::Io,
            Self::Tree { .. } | Self::Scene(_) => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            _ => None,
        }
    }
}
