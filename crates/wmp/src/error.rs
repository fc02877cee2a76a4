//! What reading and writing can fail with.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::Dialect;

/// An error of reading: what, at which byte of the file (in text also line and column), on which path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: what, and on which path of the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// Something else that is called `.wmp`.
    #[error("not a map of WED but {0}")]
    Other(crate::Other),
    /// Nothing in it looks like a map.
    #[error("not a map: neither WMPB at its start nor \"// WMP2\", a version or a section of one")]
    Unknown,
    /// A version that is not known.
    #[error("a map of version {found}: 510, 710 and 711 are known")]
    Version {
        /// What the file says.
        found: String,
    },
    /// Something else stands where this is expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the grammar wants.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A section is not closed.
    #[error("{what} is not closed")]
    Unclosed {
        /// What it is.
        what: &'static str,
    },
    /// A count that is not that of the items behind it.
    #[error("{declared} {what} are declared, there are {found}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// What the file says.
        declared: u64,
        /// How many there are.
        found: u64,
    },
    /// A face names a vertex that its block does not have.
    #[error("vertex {index} of a block that has {vertices}")]
    Vertex {
        /// The vertex.
        index: u64,
        /// Vertices of the block.
        vertices: usize,
    },
    /// The reader failed.
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

/// Why a document cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene makes more bytes than the options allow, or more than the system has memory for.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// Something that the dialect has no words for. Converting to it says what is lost.
    #[error("{what} cannot be said in the {} dialect", .dialect.name())]
    Dialect {
        /// What it is.
        what: &'static str,
        /// The dialect of the document.
        dialect: Dialect,
    },
    /// A name that would be read as something else.
    #[error("the name \"{name}\" cannot be written: {why}")]
    Name {
        /// The name.
        name: String,
        /// What is in the way.
        why: &'static str,
    },
    /// A number that text cannot say, or that does not fit into its place.
    #[error("{value} cannot be written as {what}")]
    Number {
        /// The number.
        value: f64,
        /// What it would be.
        what: &'static str,
    },
    /// The objects of a binary map are no tree.
    #[error("object {number} {why}: the nodes of a binary map are a tree")]
    Tree {
        /// The object.
        number: u32,
        /// What is wrong with it.
        why: &'static str,
    },
    /// More bytes or items than the format counts.
    #[error("{count} {what}: the format counts to {most}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The largest count.
        most: u64,
    },
    /// The scene that is to be written contradicts itself.
    #[error("the scene contradicts itself: {0}")]
    Scene(String),
    /// The writer failed.
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
