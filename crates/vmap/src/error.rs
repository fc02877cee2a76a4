//! What reading and writing maps can fail with.

use mapwright_dmx as dmx;
use mapwright_io::{Category, ErrorKind};

/// An error of reading: what, at which byte or line, on which path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing or editing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file or with a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file is no element graph.
    #[error(transparent)]
    Graph(#[from] dmx::ReadErrorKind),
    /// The graph is not that of a map.
    #[error("a DMX file of format {format:?}, not of a map")]
    NotAMap {
        /// The format that the header names.
        format: String,
    },
    /// An element has no attribute of a name that it must have.
    #[error("the attribute is missing")]
    MissingAttribute,
    /// An attribute has another type than it must have.
    #[error("{expected} must stand here, not {found}")]
    AttributeType {
        /// What must stand there, as `int_array`.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Graph(kind) => kind.category(),
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Graph(kind) => kind.help(),
            _ => None,
        }
    }
}

/// What is wrong with a map that is to be written or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The element graph cannot be written.
    #[error(transparent)]
    Graph(#[from] dmx::WriteErrorKind),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Graph(kind) => kind.category(),
        }
    }
}
