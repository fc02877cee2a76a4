//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};
use mapwright_keyvalues as keyvalues;

/// An error of reading: the problem, its offset, line and column.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of edits and of writing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// A problem of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file is not a KeyValues text.
    #[error(transparent)]
    Text(#[from] keyvalues::ReadErrorKind),
    /// The text is not that of a map.
    #[error("not a map: expected a block `versioninfo`, `world` or `entity` outside of other blocks")]
    NotAMap,
}

impl From<FaultKind> for ReadErrorKind {
    fn from(kind: FaultKind) -> Self {
        Self::Text(kind.into())
    }
}

impl From<std::io::Error> for ReadErrorKind {
    fn from(error: std::io::Error) -> Self {
        Self::Text(error.into())
    }
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Text(kind) => kind.category(),
            Self::NotAMap => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Text(kind) => kind.help(),
            Self::NotAMap => None,
        }
    }
}

/// A reason why a map cannot be changed or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The text cannot be changed like that.
    #[error(transparent)]
    Text(#[from] keyvalues::WriteErrorKind),
    /// An output with a field that its separator would split.
    #[error("the output {0:?} cannot be stored: a target, an input or a number contains the separator")]
    Output(String),
    /// An edit of the world that only other entities allow.
    #[error("the world cannot be {0}")]
    World(&'static str),
    /// Values of variables that are longer than a limit allows.
    #[error("the values of variables exceed the limit of {0} bytes")]
    Variables(usize),
    /// The scene needs more bytes than the options allow, or more memory than the system has.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The scene contradicts itself.
    #[cfg(feature = "scene")]
    #[error("the scene contradicts itself: {0}")]
    Scene(String),
}

impl From<std::io::Error> for WriteErrorKind {
    fn from(error: std::io::Error) -> Self {
        Self::Text(error.into())
    }
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Text(kind) => kind.category(),
            Self::Output(_) | Self::World(_) => Category::Unsupported,
            Self::Variables(_) => Category::Limit,
            #[cfg(feature = "scene")]
            Self::Limit(_) => Category::Limit,
            #[cfg(feature = "scene")]
            Self::Scene(_) => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            #[cfg(feature = "scene")]
            Self::Scene(_) => Some("repair the scene: `Scene::validate` lists its problems".to_owned()),
            _ => None,
        }
    }
}
