//! Errors of all formats of this crate.

use mapwright_io::FaultKind;
pub use mapwright_io::{Category, Position};
use mapwright_scene::FileError;

/// An error of this crate, with its path and, if known, its position.
///
/// The position and the rest of the path count within [`file`](mapwright_io::Error::file), if the error is in another file that the
/// document refers to.
pub type Error = mapwright_io::Error<ErrorKind>;

/// The kind of an error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Fault(#[from] FaultKind),
    /// The input does not have the format.
    #[error("not in {format} format: found {found}, expected {expected}")]
    NotTheFormat {
        /// The format.
        format: &'static str,
        /// A description of the content.
        found: String,
        /// The expected content.
        expected: &'static str,
    },
    /// The input contradicts the format, as the text states.
    #[error("{0}")]
    Malformed(String),
    /// An index is out of range.
    #[error("index {index} out of range ({count} items)")]
    BadIndex {
        /// The index, counted from 0.
        index: u64,
        /// Number of items.
        count: u64,
    },
    /// A number of the scene is NaN, infinite, or out of the range of the format.
    #[error("{}", not_finite(.0))]
    NotFinite(f64),
    /// A file that the document refers to was not loaded.
    #[error("cannot read the file {name:?}: {reason}")]
    MissingFile {
        /// The name as the document stores it.
        name: String,
        /// The reason.
        reason: FileError,
    },
    /// A legal feature that this crate does not support, as the text states.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The output, or the memory to create it, exceeds a limit.
    #[error(transparent)]
    Excess(#[from] mapwright_scene::Excess),
    /// A limit of the options was reached.
    #[error("more than {limit} {what}")]
    Limit {
        /// The name of the items in the plural.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
}

impl mapwright_io::ErrorKind for ErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Fault(fault) => fault.category(),
            Self::NotTheFormat { .. } | Self::Malformed(_) | Self::BadIndex { .. } => Category::Malformed,
            Self::MissingFile { .. } => Category::Io,
            Self::NotFinite(_) | Self::Unsupported(_) => Category::Unsupported,
            Self::Limit { .. } | Self::Excess(_) => Category::Limit,
        }
    }

    fn help(&self) -> Option<String> {
        let option = match self {
            Self::Fault(fault) => return fault.help(),
            Self::MissingFile { reason: FileError::NotFound, .. } => {
                return Some("put the file at that path, relative to the document".to_owned());
            }
            Self::MissingFile { reason: FileError::Outside, .. } => {
                return Some(
                    "put the file beside the document, or allow External::Any if you trust the document".to_owned(),
                );
            }
            Self::MissingFile { reason: FileError::Disabled, .. } => {
                return Some("allow External::Beside if the folder of the document contains only its files".to_owned());
            }
            Self::NotTheFormat { .. } => {
                return Some("download the file again if it is damaged, or select its format".to_owned());
            }
            Self::Limit { what: "bytes of a terrain in one file", .. } => {
                return Some("write fewer heights with terrain_step, or a .gltf with a separate .bin file".to_owned());
            }
            Self::Excess(excess) => return Some(excess.help().to_owned()),
            Self::Unsupported(what) if what.starts_with("glTF version 1") => {
                return Some("convert it to glTF 2.0, for example with gltf-pipeline -i in.gltf -o out.glb".to_owned());
            }
            Self::Limit { what: "objects", .. } => "max_objects",
            Self::Limit { what: "sides in a brush", .. } => "max_sides",
            Self::Limit { what: "bytes of geometry and images", .. } => "max_bytes",
            Self::Limit { what: "objects, materials and their parts", .. } => "max_items",
            // The other limits belong to the formats and to scenes.
            _ => return None,
        };
        Some(format!("raise {option} in the import options if the document is trusted"))
    }
}

fn not_finite(number: &f64) -> String {
    let problem = if number.is_finite() { "is out of range for the format" } else { "is not a finite number" };
    format!("{number:?} {problem}")
}

/// The error for an exporter whose output would be too large.
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) fn exceeded(excess: mapwright_scene::Excess) -> Error {
    Error::without_position(excess.into())
}

/// An error of [`ErrorKind::Malformed`].
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) fn malformed(path: impl Into<mapwright_io::Path>, text: impl Into<String>) -> Error {
    Error::on_path(ErrorKind::Malformed(text.into()), path)
}

/// An error in a JSON text.
#[cfg(feature = "gltf")]
pub(crate) fn json_error(json: &[u8], error: &serde_json::Error, path: &str) -> Error {
    // serde_json appends the position to its text.
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    malformed(path, text).at(Position::at_line(json, error.line(), error.column()))
}

/// Rejects an invalid scene.
#[cfg(any(feature = "gltf", feature = "obj"))]
pub(crate) fn check(scene: &mapwright_scene::Scene) -> Result<(), Error> {
    match scene.first_error() {
        Some(finding) => Err(malformed(finding.path, finding.message)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use mapwright_io::ErrorKind as _;

    use super::*;

    #[test]
    fn limits_and_missing_files_name_the_next_step() {
        let limit = ErrorKind::Limit { what: "objects", limit: 5 };
        assert!(limit.help().is_some_and(|help| help.contains("max_objects")));
        let missing = ErrorKind::MissingFile { name: "a.bin".into(), reason: FileError::NotFound };
        assert_eq!(missing.category(), Category::Io);
        assert!(missing.help().is_some_and(|help| help.contains("relative to the document")));
    }
}
