//! One error for all formats.

use std::path::PathBuf;

use mapwright_etf as etf;
use mapwright_io::{Category, ErrorKind, Path, Position};

use crate::Format;

/// What can go wrong in the facade: the errors of all formats, and its own.
///
/// All of them answer the same questions: [`category`](Self::category), [`message`](Self::message),
/// [`position`](Self::position), [`path`](Self::path), [`help`](Self::help).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An Erlang term could not be read.
    #[error(transparent)]
    Etf(#[from] etf::ReadError),
    /// An Erlang term could not be written.
    #[error(transparent)]
    EtfWrite(#[from] etf::WriteError),
    /// A Wings 3D scene could not be read.
    #[cfg(feature = "wings")]
    #[error(transparent)]
    Wings(#[from] mapwright_wings::ReadError),
    /// A Wings 3D scene could not be written.
    #[cfg(feature = "wings")]
    #[error(transparent)]
    WingsWrite(#[from] mapwright_wings::WriteError),
    /// Neither content nor extension lead to a format.
    #[error("the format is not known")]
    UnknownFormat,
    /// The input is longer than allowed.
    #[error("the input has more than {limit} bytes")]
    InputLimit {
        /// The limit of [`ReadOptions::max_input`](crate::ReadOptions::max_input).
        limit: u64,
    },
    /// A format cannot do what it was asked for.
    #[error("{format} files cannot be {what}")]
    Unsupported {
        /// The format.
        format: Format,
        /// What was asked for: `made from a scene`.
        what: &'static str,
    },
    /// A file stands where one was to be written.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// A file could not be written.
    #[error("{} cannot be written: {error}", .path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Error {
    /// What the error is about.
    pub fn category(&self) -> Category {
        match self {
            Self::Etf(error) => error.category(),
            Self::EtfWrite(error) => error.category(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.category(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.category(),
            Self::UnknownFormat | Self::Unsupported { .. } => Category::Unsupported,
            Self::InputLimit { .. } => Category::Limit,
            Self::Exists(_) | Self::Save { .. } | Self::Io(_) => Category::Io,
        }
    }

    /// What went wrong, without its place.
    pub fn message(&self) -> String {
        match self {
            Self::Etf(error) => error.kind().to_string(),
            Self::EtfWrite(error) => error.kind().to_string(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.kind().to_string(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.kind().to_string(),
            _ => self.to_string(),
        }
    }

    /// Where in the input it went wrong. Errors of writing and of the operating system have no such place.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Etf(error) => Some(error.position()).filter(|_| error.category() != Category::Io),
            #[cfg(feature = "wings")]
            Self::Wings(error) => Some(error.position()).filter(|_| error.category() != Category::Io),
            _ => None,
        }
    }

    /// In which part of the document it went wrong.
    pub fn path(&self) -> Option<&Path> {
        let path = match self {
            Self::Etf(error) => error.path(),
            Self::EtfWrite(error) => error.path(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.path(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.path(),
            _ => return None,
        };
        Some(path).filter(|path| !path.is_empty())
    }

    /// One line on what to do next, where there is something to do.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Etf(error) => error.kind().help(),
            Self::EtfWrite(error) => error.kind().help(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.kind().help(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.kind().help(),
            Self::UnknownFormat => Some("name the format if the file is damaged at its start".to_owned()),
            Self::InputLimit { .. } => Some("raise max_input in the read options if the file is trusted".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_all_formats_answer_alike() {
        let error = Error::from(etf::Document::from_bytes(&[131, 104, 1, 0]).unwrap_err());
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!(error.position(), Some(Position::file(3)));
        assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("[0]"));
        assert!(error.to_string().starts_with(&error.message()), "{error}");
        fn is_good<T: Send + Sync + 'static>() {}
        is_good::<Error>();
    }

    #[test]
    fn errors_of_the_system_have_no_place() {
        let error = Error::from(std::io::Error::other("disk"));
        assert_eq!((error.category(), error.position(), error.path()), (Category::Io, None, None));
    }
}
