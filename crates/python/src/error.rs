//! Errors of the library as Python exceptions, whose classes are in `mapwright._errors`.

use std::io;
use std::path::Path;

use mapwright::io::Category;
use mapwright::{Error, Place};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the exception for an error. `path` is the file that was read.
pub(crate) fn raise(py: Python<'_>, error: Error, path: Option<&Path>) -> PyErr {
    exception(py, &error, path).unwrap_or_else(|failure| failure)
}

fn exception(py: Python<'_>, error: &Error, path: Option<&Path>) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    fields.set_item("category", error.category().name())?;
    fields.set_item("path", error.path())?;
    fields.set_item("help", error.help())?;
    fields.set_item("place", error.place().map(|place| place.to_string()))?;
    match error.place() {
        Some(Place::Offset(at)) => fields.set_item("offset", at.offset)?,
        Some(Place::Line { line, column }) => {
            fields.set_item("line", line)?;
            fields.set_item("column", Some(column).filter(|column| *column > 0))?;
        }
        None => {}
    }
    let written = match error {
        Error::Exists(path) | Error::SameFile(path) | Error::CopiedTwice(path) | Error::ReplacesInput(path) => {
            Some(path.as_path())
        }
        Error::Save { path, .. } | Error::Content { folder: path, .. } => Some(path.as_path()),
        _ => None,
    };
    let file = error.side_file().map(Path::new).or(written).or(path);
    fields.set_item("file", file.map(|file| file.to_string_lossy()))?;
    if let Some(error) = io_error(error) {
        fields.set_item("errno", error.raw_os_error())?;
    }
    let class = py.import("mapwright._errors")?.getattr(class_name(error))?;
    let text = match path.filter(|_| io_error(error).is_some() && written.is_none()) {
        Some(path) => format!("{}: {error}", path.display()),
        None => error.to_string(),
    };
    Ok(PyErr::from_value(class.call((text,), Some(&fields))?))
}

/// Returns the error of the operating system in an error.
fn io_error(error: &Error) -> Option<&io::Error> {
    match error {
        Error::Io(error) | Error::Save { error, .. } | Error::Content { error, .. } => Some(error),
        _ => None,
    }
}

fn class_name(error: &Error) -> &'static str {
    match error {
        Error::Query(_) => "QueryError",
        Error::Exists(_) => "ExistingFileError",
        _ => match (error.category(), io_error(error).map(io::Error::kind)) {
            (_, Some(io::ErrorKind::NotFound)) => "MissingFileError",
            (_, Some(io::ErrorKind::AlreadyExists)) => "ExistingFileError",
            (_, Some(io::ErrorKind::PermissionDenied)) => "FilePermissionError",
            (Category::Io, _) => "FileError",
            (Category::Limit, _) => "LimitError",
            (Category::Unsupported, _) => "UnsupportedError",
            _ => "MalformedError",
        },
    }
}
