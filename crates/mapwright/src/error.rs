//! The error of this crate.

use std::error::Error as StdError;
use std::fmt;
use std::path::PathBuf;

use mapwright_interchange as interchange;
use mapwright_io::{Category, ErrorKind, LineColumn, Position};

use crate::Format;

/// An error of any format, or of this crate.
///
/// All errors answer the same questions: [`category`](Self::category), [`message`](Self::message), [`place`](Self::place),
/// [`path`](Self::path), [`help`](Self::help).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of a format could not be read, or a document or scene could not be written in it.
    #[error(transparent)]
    Format(FormatError),
    /// Neither the content nor the extension belongs to a known format.
    #[error("unknown format")]
    UnknownFormat,
    /// This build has no support for a format.
    #[error("this build of mapwright cannot read or write {0} files")]
    Unavailable(Format),
    /// The input is longer than allowed.
    #[error("the input has more than {limit} byte{}", if *.limit == 1 { "" } else { "s" })]
    InputLimit {
        /// The limit of [`Limits::max_input`](mapwright_io::Limits::max_input).
        limit: u64,
    },
    /// A conversion creates more items than allowed after instances are expanded.
    #[error("too many items: {asked} after instances are expanded, {limit} are allowed")]
    Items {
        /// The number of items.
        asked: u64,
        /// The limit of [`ConvertOptions::max_items`](crate::ConvertOptions::max_items).
        limit: u64,
    },
    /// A conversion needs more bytes than allowed, or more memory than the system has.
    #[error(transparent)]
    Excess(#[from] mapwright_scene::Excess),
    /// The result of a conversion would show nothing of the source.
    #[error("the output would show nothing of the source, which contains {contents}: {to} files store {stored}")]
    Empty {
        /// The format of the target.
        to: Format,
        /// The kinds of content in the source.
        contents: String,
        /// The kinds of content that the target can store.
        stored: String,
    },
    /// Two files of different formats cannot be compared.
    #[error("cannot compare {old} with {new}")]
    DifferentFormats {
        /// The format of the old file.
        old: Format,
        /// The format of the new file.
        new: Format,
    },
    /// A format does not support an operation.
    #[error("{format} files cannot be {what}")]
    Unsupported {
        /// The format.
        format: Format,
        /// The operation as a participle: `created from a scene`.
        what: &'static str,
    },
    /// Invalid UTF-16, or UTF-16 text of a format whose files come back byte for byte.
    #[error("the file is UTF-16 text, expected UTF-8")]
    Utf16,
    /// JSON that is not a dump of a document.
    #[error("{message}")]
    Dump {
        /// The problem.
        message: String,
        /// Line, counted from 1; 0 if only the part is known, which the message names.
        line: u64,
        /// Column, counted from 1.
        column: u64,
    },
    /// An invalid query, or a value that a field cannot have.
    #[error(transparent)]
    Query(#[from] crate::query::QueryError),
    /// A scale that is not finite and positive, or that makes numbers of the scene infinite.
    #[error("invalid scale {0:?}: expected a positive number that keeps all coordinates finite")]
    Scale(f64),
    /// A version of the map format that new maps cannot have.
    #[error("invalid map format {0}: expected 18 to 40")]
    MapFormat(u32),
    /// Another file that an edit reads cannot be used.
    #[error("{file}: {error}")]
    EditFile {
        /// The file, as the edit names it.
        file: String,
        /// The problem.
        error: Box<Error>,
    },
    /// An edit needs a file of another format.
    #[error("expected {expected}, found {found}")]
    UnexpectedFormat {
        /// The expected format, as text for people.
        expected: &'static str,
        /// The format of the file.
        found: Format,
    },
    /// A list or table that an edit reads is damaged.
    #[error("{0}")]
    List(String),
    /// A list that would replace all objects is empty.
    #[error("the file contains no objects")]
    NoObjects,
    /// The file to be written exists.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Two files to be written have the same path, or paths that some file systems do not distinguish.
    #[error("{} would be written twice, with different content", .0.display())]
    SameFile(PathBuf),
    /// Two files with different content would be copied to the same path.
    #[error("{} is the copy of another file", .0.display())]
    CopiedTwice(PathBuf),
    /// A file to be written would replace a file that is read.
    #[error("{} is an input and would be overwritten", .0.display())]
    ReplacesInput(PathBuf),
    /// A file could not be written.
    #[error("{} cannot be written: {error}", .path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A folder or archive of a [`ContentSource`](crate::ContentSource) cannot be used.
    #[error("{}: {error}", .folder.display())]
    Content {
        /// The folder or archive.
        folder: PathBuf,
        /// The problem.
        error: std::io::Error,
    },
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// An error of a format, with the type that the crate of the format gives it.
///
/// [`downcast_ref`](Self::downcast_ref) returns the original error, such as a `mapwright::wwd::ReadError`.
pub struct FormatError(Box<dyn ErasedError>);

/// The questions that the error of every format answers.
trait ErasedError: StdError + Send + Sync {
    fn category(&self) -> Category;
    fn message(&self) -> String;
    fn place(&self) -> Option<Place>;
    fn path(&self) -> String;
    fn help(&self) -> Option<String>;
    fn side_file(&self) -> Option<&str>;
    fn as_error(&self) -> &(dyn StdError + 'static);
}

impl<K: ErrorKind> ErasedError for mapwright_io::Error<K> {
    fn category(&self) -> Category {
        self.kind().category()
    }

    fn message(&self) -> String {
        self.kind().to_string()
    }

    fn place(&self) -> Option<Place> {
        self.position().map(Place::from)
    }

    fn path(&self) -> String {
        self.path().within_file().to_string()
    }

    fn help(&self) -> Option<String> {
        self.kind().help()
    }

    fn side_file(&self) -> Option<&str> {
        self.file()
    }

    fn as_error(&self) -> &(dyn StdError + 'static) {
        self
    }
}

impl<K: ErrorKind> From<mapwright_io::Error<K>> for Error {
    fn from(error: mapwright_io::Error<K>) -> Self {
        Self::Format(FormatError(Box::new(error)))
    }
}

impl FormatError {
    /// Returns the error of the format, if it has this type.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.0.as_error().downcast_ref()
    }
}

impl fmt::Debug for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl StdError for FormatError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

/// A place in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The number of bytes before the place.
    Offset(Position),
    /// A place in a text.
    Line {
        /// 1 for the first line.
        line: u64,
        /// 1 for the first byte of a line; 0 if only the line is known.
        column: u64,
    },
}

impl From<Position> for Place {
    /// Returns the line and column for text, and the offset for anything else.
    fn from(at: Position) -> Self {
        match at.text {
            Some(LineColumn { line, column }) => Self::Line { line: line.into(), column: column.into() },
            None => Self::Offset(at),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offset(position) => position.fmt(f),
            Self::Line { line, column: 0 } => write!(f, "line {line}"),
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

impl Error {
    /// Returns the error for another file that an edit reads.
    pub(crate) fn in_edit_file(self, file: &str) -> Self {
        Self::EditFile { file: file.to_owned(), error: Box::new(self) }
    }

    /// Returns the category.
    pub fn category(&self) -> Category {
        match self {
            Self::Format(error) => error.0.category(),
            Self::UnknownFormat
            | Self::Unavailable(_)
            | Self::Unsupported { .. }
            | Self::DifferentFormats { .. }
            | Self::UnexpectedFormat { .. }
            | Self::NoObjects
            | Self::Empty { .. }
            | Self::Query(_)
            | Self::Scale(_)
            | Self::MapFormat(_) => Category::Unsupported,
            Self::EditFile { error, .. } => error.category(),
            Self::Dump { .. } | Self::List(_) | Self::Utf16 => Category::Malformed,
            Self::InputLimit { .. } | Self::Items { .. } | Self::Excess(_) => Category::Limit,
            Self::Exists(_)
            | Self::SameFile(_)
            | Self::CopiedTwice(_)
            | Self::ReplacesInput(_)
            | Self::Save { .. }
            | Self::Content { .. }
            | Self::Io(_) => Category::Io,
        }
    }

    /// Returns the problem without its place.
    pub fn message(&self) -> String {
        match self {
            Self::Format(error) => error.0.message(),
            Self::EditFile { error, .. } => error.message(),
            _ => self.to_string(),
        }
    }

    /// Returns the place of the problem in the input. Errors of writing and of the operating system have none.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Format(error) => error.0.place(),
            Self::EditFile { error, .. } => error.place(),
            Self::Dump { line: line @ 1.., column, .. } => Some(Place::Line { line: *line, column: *column }),
            _ => None,
        }
    }

    /// Returns the name of the file with the problem, if it is not the input but a file that the input or an edit names, such as a tileset.
    /// Place and path then refer to that file.
    pub fn side_file(&self) -> Option<&str> {
        match self {
            Self::Format(error) => error.0.side_file(),
            Self::EditFile { file, error } => error.side_file().or(Some(file)),
            _ => None,
        }
    }

    /// Returns the path of the part of the document or scene that has the problem.
    pub fn path(&self) -> Option<String> {
        match self {
            Self::Format(error) => Some(error.0.path()).filter(|path| !path.is_empty()),
            Self::EditFile { error, .. } => error.path(),
            _ => None,
        }
    }

    /// Returns one line that states what to do next, if there is something to do.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::Format(error) => error.0.help()?,
            Self::EditFile { error, .. } => return error.help(),
            Self::NoObjects => "use the edit `delete *` to delete all objects".to_owned(),
            Self::UnknownFormat => "name the format if the file is damaged at its start".to_owned(),
            Self::Unavailable(format) => {
                format!("build it with the feature \"{}\"", format.feature().unwrap_or(format.name()))
            }
            Self::DifferentFormats { .. } => "convert one of them to the format of the other".to_owned(),
            Self::Utf16 => "save the text as UTF-8; in PowerShell, write it with -o FILE instead of >".to_owned(),
            Self::ReplacesInput(_) => "write into another folder".to_owned(),
            Self::SameFile(_) => "give the main file another name".to_owned(),
            Self::CopiedTwice(_) => "copy these levels into different folders".to_owned(),
            Self::Save { path, error } if is_below_file(path, error) => {
                "a part of the path is a file; files are not written into archives, so name a path in a folder"
                    .to_owned()
            }
            Self::Content { .. } => "name a folder with files of the game, or its REZ archive".to_owned(),
            Self::Items { .. } => "raise max_items in the convert options if the file is trusted".to_owned(),
            Self::Excess(excess) => excess.help().to_owned(),
            Self::Empty { .. } => "set allow_empty in the convert options to write it anyway".to_owned(),
            Self::InputLimit { .. } => "raise max_input in the read options if the file is trusted".to_owned(),
            _ => return None,
        };
        #[cfg(feature = "heightmap")]
        let is_heightmap = |error: &FormatError| error.downcast_ref::<mapwright_heightmap::Error>().is_some();
        #[cfg(not(feature = "heightmap"))]
        let is_heightmap = |_: &FormatError| false;
        let help = match self {
            Self::Format(error) if error.downcast_ref::<interchange::Error>().is_some() || is_heightmap(error) => {
                // The limits of all formats have one set of names here.
                let option =
                    help.strip_prefix("state it with ").and_then(|it| it.strip_suffix(" in the import options"));
                let stated = option.map(|option| format!("state it with heightmap.{option} in the read options"));
                let help = stated.unwrap_or(help);
                help.replace("max_items", "max_objects")
                    .replace("max_bytes in the import options", "max_expanded in the read options")
            }
            _ => help,
        };
        // All exporters share one limit here.
        Some(help.replace("max_bytes in the export options", "max_output in the convert options"))
    }
}

/// Returns `true` if a file or folder could not be created because a part of its path is a file. The kind of the error depends on the system.
fn is_below_file(path: &std::path::Path, error: &std::io::Error) -> bool {
    // A folder cannot replace a file.
    let is_file = error.kind() == std::io::ErrorKind::AlreadyExists && path.is_file();
    is_file || path.ancestors().skip(1).any(std::path::Path::is_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_etf as etf;

    #[test]
    fn errors_of_formats_keep_their_type_and_position() {
        let error = Error::from(etf::Document::from_bytes(&[131, 104, 1, 0]).unwrap_err());
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!(error.place(), Some(Place::Offset(Position::file(3))));
        assert_eq!(error.path().as_deref(), Some("[0]"));
        assert!(error.to_string().starts_with(&error.message()), "{error}");
        let Error::Format(inner) = &error else { panic!("an error of a format: {error:?}") };
        assert!(inner.downcast_ref::<etf::ReadError>().is_some());
        fn assert_send_sync<T: Send + Sync + 'static>() {}
        assert_send_sync::<Error>();
    }

    #[test]
    fn errors_of_the_operating_system_have_no_place() {
        let error = Error::from(std::io::Error::other("disk"));
        assert_eq!((error.category(), error.place(), error.path()), (Category::Io, None, None));
    }
}
