//! What went wrong, where, on which path.

use std::fmt;

use crate::FileError;

/// What an error is about, coarse enough to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The input ended early.
    Truncated,
    /// The input contradicts the format, or the scene what every format asks for.
    Malformed,
    /// Legal, but this version of the crate does not read or write it, or the format cannot hold it.
    Unsupported,
    /// A limit of the options was reached; the caller can raise it.
    Limit,
    /// A file that belongs to the document could not be read.
    Io,
}

impl Category {
    /// The category in lower case, as a command line prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::Io => "io",
        }
    }
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ended early.
    #[error("{needed} bytes needed, {left} left")]
    Truncated {
        /// Bytes that had to follow.
        needed: u64,
        /// Bytes that did.
        left: u64,
    },
    /// The input is nothing of the format at all.
    #[error("this is no {format} file: {found}, where {expected} was expected")]
    NotTheFormat {
        /// The format.
        format: &'static str,
        /// What there is instead; in words.
        found: String,
        /// What every file of the format has there.
        expected: &'static str,
    },
    /// The input is not what the format says; in words.
    #[error("{0}")]
    Malformed(String),
    /// A number that points to nothing.
    #[error("index {index}, but there are only {count}")]
    BadIndex {
        /// The number, counted from 0.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// A number of the scene that is infinite, no number, or too large or too small for the format that is written.
    #[error("{0:?} is not a finite number that the format can hold")]
    NotFinite(f64),
    /// A file that the document refers to was not loaded.
    #[error("cannot read the file {name:?}: {reason}")]
    MissingFile {
        /// The name as the document stores it.
        name: String,
        /// Why it was not loaded.
        reason: FileError,
    },
    /// A heightmap of a scene that has no terrain, or none of the name.
    #[error("{}", no_terrain(.wanted.as_deref(), .names))]
    NoTerrain {
        /// The name that was asked for.
        wanted: Option<String>,
        /// The names that there are.
        names: Vec<String>,
    },
    /// What was to be written could not be, in the words of the system.
    #[error("it could not be written: {0}")]
    Write(String),
    /// Something legal that this crate does not do; in words.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The output, or the memory to create it, exceeds a limit.
    #[error(transparent)]
    Excess(#[from] mapwright_scene::Excess),
    /// More than the options allow.
    #[error("more than {limit} {what}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        limit: u64,
    },
}

impl ErrorKind {
    /// The category of this error.
    pub const fn category(&self) -> Category {
        match self {
            Self::Truncated { .. } => Category::Truncated,
            Self::NotTheFormat { .. } | Self::Malformed(_) | Self::BadIndex { .. } => Category::Malformed,
            Self::MissingFile { .. } | Self::Write(_) => Category::Io,
            Self::NotFinite(_) | Self::NoTerrain { .. } | Self::Unsupported(_) => Category::Unsupported,
            Self::Limit { .. } | Self::Excess(_) => Category::Limit,
        }
    }

    /// One line on what to do next, where there is something to do.
    pub fn help(&self) -> Option<String> {
        let option = match self {
            Self::MissingFile { reason: FileError::NotFound, .. } => {
                return Some("put the file beside the document, where its name leads".to_owned());
            }
            Self::MissingFile { reason: FileError::Outside, .. } => {
                return Some("put the file beside the document, or allow External::Any if you trust it".to_owned());
            }
            Self::MissingFile { reason: FileError::Disabled, .. } => {
                return Some("allow External::Beside if the folder of the document contains only its files".to_owned());
            }
            Self::NotTheFormat { .. } => {
                return Some("get the file again if it is damaged, or name the format that it is of".to_owned());
            }
            Self::Limit { what: "bytes of a height field in one file", .. } => {
                return Some(
                    "write every second height or fewer, with terrain_step, or a .gltf with its bytes beside it"
                        .to_owned(),
                );
            }
            Self::NoTerrain { names, .. } if names.is_empty() => {
                return Some("heightmaps are made of levels that have ground as a height field: wrp".to_owned());
            }
            Self::Excess(excess) => return Some(excess.help().to_owned()),
            Self::Limit { what: "objects", .. } => "max_objects",
            Self::Limit { what: "sides in a brush", .. } => "max_sides",
            Self::Limit {
                what: "bytes of geometry and pictures" | "bytes of cells and pictures" | "bytes of heights",
                ..
            } => "max_bytes",
            Self::Limit { what: "objects, materials and their parts", .. } => "max_items",
            // What is left are limits of the formats and of the scene.
            _ => return None,
        };
        Some(format!("raise {option} in the import options if the document is trusted"))
    }
}

fn no_terrain(wanted: Option<&str>, names: &[String]) -> String {
    match wanted {
        Some(wanted) if !names.is_empty() => format!("no height field has the name {wanted:?}; there are {names:?}"),
        _ => "there is no height field".to_owned(),
    }
}

/// The error for an exporter that would make too much.
#[cfg(any(feature = "gltf", feature = "heightmap", feature = "map", feature = "obj", feature = "tiled"))]
pub(crate) fn exceeded(excess: mapwright_scene::Excess) -> Error {
    Error::new(excess.into(), "")
}

/// Refuses files that are larger than the options allow.
#[cfg(any(feature = "gltf", feature = "heightmap", feature = "obj", feature = "tiled"))]
pub(crate) fn check_size(files: &crate::Files, max_bytes: u64) -> Result<(), Error> {
    let side = files.side.iter().map(|file| file.data.len() as u64).fold(0, u64::saturating_add);
    let needed = side.saturating_add(files.main.len() as u64);
    let excess = mapwright_scene::Excess::Limit { needed, limit: max_bytes };
    if needed > max_bytes { Err(exceeded(excess)) } else { Ok(()) }
}

/// Refuses a scene that contradicts itself.
#[cfg(any(feature = "gltf", feature = "heightmap", feature = "map", feature = "obj", feature = "tiled"))]
pub(crate) fn check(scene: &mapwright_scene::Scene) -> Result<(), Error> {
    match scene.first_broken() {
        Some(problem) => Err(Error::malformed(problem.path, problem.text)),
        None => Ok(()),
    }
}

/// A place in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Position {
    /// Bytes before the place.
    Offset(u64),
    /// A place in a text.
    Line {
        /// 1 for the first line.
        line: u64,
        /// 1 for the first byte of a line; 0 where only the line is known.
        column: u64,
    },
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Offset(offset) => write!(f, "offset {offset} ({offset:#x})"),
            Self::Line { line, column: 0 } => write!(f, "line {line}"),
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// An error with its place in the input, where there is one, and its path in the document or scene; one word wide.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    kind: ErrorKind,
    at: Option<Position>,
    path: String,
    /// The file beside the document.
    file: Option<String>,
}

impl Error {
    /// An error on a path, such as `nodes[3].mesh`.
    pub fn new(kind: ErrorKind, path: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, at: None, path: path.into(), file: None }))
    }

    /// An error of [`ErrorKind::Malformed`].
    #[cfg(any(test, feature = "gltf", feature = "heightmap", feature = "map", feature = "obj", feature = "tiled"))]
    pub(crate) fn malformed(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed(text.into()), path)
    }

    /// The same error with its place in the input.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.0.at = Some(position);
        self
    }

    /// The same error in a file that the document names: position and path are those in that file.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> Self {
        self.0.file = Some(name.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What the error is about.
    pub fn category(&self) -> Category {
        self.0.kind.category()
    }

    /// Where in the input, if that is known.
    pub fn position(&self) -> Option<Position> {
        self.0.at
    }

    /// The file with the error, as the document names it; `None` if it is the document itself.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Where in the document (reading) or in the scene (writing); empty: the whole.
    pub fn path(&self) -> &str {
        &self.0.path
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.0.path)?;
        }
        write!(f, "{}", self.0.kind)?;
        if let Some(file) = &self.0.file {
            write!(f, " in {file:?}")?;
        }
        match self.0.at {
            Some(position) => write!(f, " at {position}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, at, path, file } = &*self.0;
        f.debug_struct("Error").field("kind", kind).field("at", at).field("path", path).field("file", file).finish()
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_where_and_on_which_path() {
        let error = Error::new(ErrorKind::BadIndex { index: 7, count: 2 }, "nodes[3].mesh").at(Position::Offset(20));
        assert_eq!(error.to_string(), "nodes[3].mesh: index 7, but there are only 2 at offset 20 (0x14)");
        assert_eq!(error.category(), Category::Malformed);
        let limit = ErrorKind::Limit { what: "objects", limit: 5 };
        assert!(limit.help().is_some_and(|help| help.contains("max_objects")));
        assert_eq!(
            ErrorKind::MissingFile { name: "a.bin".into(), reason: FileError::NotFound }.category(),
            Category::Io
        );
        let error = Error::malformed("", "no number").at(Position::Line { line: 3, column: 0 });
        assert_eq!(error.to_string(), "no number at line 3");
        let error = error.in_file("a.tsx");
        assert_eq!((error.file(), &*error.to_string()), (Some("a.tsx"), "no number in \"a.tsx\" at line 3"));
    }
}
