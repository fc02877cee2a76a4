//! Results of conversions, and losses.

use std::path::{Path, PathBuf};

use mapwright::scene::FileSource;
use mapwright::scene::{LossKind, Losses};
use mapwright::{AnyDocument, ConvertOptions, Error, Format, SaveOptions, convert, save_set};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyType};

use crate::error::raise;

/// A difference that a conversion or an edit causes.
#[pyclass(frozen, get_all, eq, hash, module = "mapwright")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Loss {
    /// dropped, approximated, synthesized, repaired or preserved. Preserved data is not lost.
    kind: &'static str,
    /// The path of the first occurrence in the source. Empty for the whole document.
    path: String,
    /// The number of occurrences.
    count: usize,
    /// A short text that names what was lost.
    text: String,
}

#[pymethods]
impl Loss {
    #[new]
    fn new(kind: &str, path: String, count: usize, text: String) -> PyResult<Self> {
        let named = LossKind::ALL.map(LossKind::name).into_iter().find(|name| *name == kind);
        let kind = named.ok_or_else(|| PyValueError::new_err(format!("invalid kind {kind:?}")))?;
        Ok(Self { kind, path, count, text })
    }

    /// Returns the class and its arguments, which are sent to other processes.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (&'static str, String, usize, String)) {
        let Self { kind, path, count, text } = this.get();
        (this.get_type(), (kind, path.clone(), *count, text.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<Loss {self}>")
    }

    fn __str__(&self) -> String {
        self.to_string()
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, path, text, count } = self;
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        write!(f, "{kind}: {path}{text}{times}")
    }
}

/// Returns losses as a list.
pub(crate) fn list_losses(losses: &Losses) -> Vec<Loss> {
    let one = |loss: &mapwright::scene::Loss| Loss {
        kind: loss.kind.name(),
        path: loss.path.to_string(),
        count: loss.count,
        text: loss.text.clone(),
    };
    losses.iter().map(one).collect()
}

/// The result of a conversion.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Conversion {
    /// The format of the file.
    format: Format,
    data: Py<PyBytes>,
    side_files: Vec<(String, Py<PyBytes>)>,
    losses: Losses,
    /// The input and the files that were read for it, which are not replaced.
    read: Vec<PathBuf>,
}

/// A conversion that is to be done.
pub(crate) struct Job<'a> {
    pub(crate) to: Format,
    pub(crate) files: &'a (dyn FileSource + Sync),
    pub(crate) options: &'a ConvertOptions,
    /// The path of the source, for errors.
    pub(crate) path: Option<&'a Path>,
}

impl Job<'_> {
    /// Converts a document. Other threads run meanwhile.
    pub(crate) fn run(
        &self,
        py: Python<'_>,
        document: impl FnOnce() -> AnyDocument + Send,
        is_strict: bool,
    ) -> PyResult<Conversion> {
        let (to, files, options) = (self.to, self.files, self.options);
        let converted = py.detach(|| {
            let document = document();
            let mut read = document.side_files().to_vec();
            let conversion = convert(document, to, files, options)?;
            read.extend_from_slice(&conversion.read);
            Ok((conversion, read))
        });
        let (conversion, mut read) = converted.map_err(|error| raise(py, error, self.path))?;
        read.extend(self.path.map(Path::to_owned));
        let losses = conversion.losses;
        if is_strict && losses.lost_count() > 0 {
            let count = losses.lost_count();
            let message = format!("{count} {} in the conversion to {to}", if count == 1 { "loss" } else { "losses" });
            let fields = PyDict::new(py);
            fields.set_item("losses", list_losses(&losses))?;
            fields.set_item("file", self.path.map(|path| path.to_string_lossy()))?;
            let class = py.import("mapwright._errors")?.getattr("LossError")?;
            return Err(PyErr::from_value(class.call((message,), Some(&fields))?));
        }
        let side = conversion.files.side.into_iter();
        Ok(Conversion {
            format: to,
            data: PyBytes::new(py, &conversion.files.main).unbind(),
            side_files: side.map(|file| (file.name, PyBytes::new(py, &file.data).unbind())).collect(),
            losses,
            read,
        })
    }
}

impl Conversion {
    /// Adds files that were read for the conversion.
    pub(crate) fn protect(&mut self, files: Vec<PathBuf>) {
        self.read.extend(files);
    }
}

#[pymethods]
impl Conversion {
    /// The format of the file.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    /// The bytes of the file.
    #[getter]
    fn data(&self, py: Python<'_>) -> Py<PyBytes> {
        self.data.clone_ref(py)
    }

    /// The files beside the file, by name.
    #[getter]
    fn side_files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        self.side_files.iter().try_for_each(|(name, data)| files.set_item(name, data))?;
        Ok(files)
    }

    /// All differences between the source and the files.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        list_losses(&self.losses)
    }

    /// The number of losses. Preserved data does not count.
    #[getter]
    fn lost_count(&self) -> usize {
        self.losses.lost_count()
    }

    /// Saves the file and the files beside it atomically: after a failure, old files are unchanged. Files that were read for the
    /// conversion are never replaced.
    #[pyo3(signature = (path, *, overwrite = false))]
    pub(crate) fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut set: Vec<(PathBuf, PyBackedBytes)> = Vec::with_capacity(self.side_files.len() + 1);
        for (name, data) in &self.side_files {
            set.push((folder.join(name), data.bind(py).clone().into()));
        }
        set.push((path.clone(), self.data.bind(py).clone().into()));
        let saved = py.detach(|| {
            // A path in an archive is no file on disk, but the archive is one.
            let on_disk = |path: &PathBuf| path.ancestors().find(|path| path.is_file())?.canonicalize().ok();
            let read: Vec<PathBuf> = self.read.iter().filter_map(on_disk).collect();
            let is_read = |path: &PathBuf| path.canonicalize().is_ok_and(|path| read.contains(&path));
            if let Some((path, _)) = set.iter().find(|(path, _)| is_read(path)) {
                return Err(Error::ReplacesInput(path.clone()));
            }
            let set: Vec<(&Path, &[u8])> = set.iter().map(|(path, data)| (path.as_path(), &**data)).collect();
            save_set(&set, SaveOptions::default().with_overwrite(overwrite))
        });
        saved.map_err(|error| raise(py, error, Some(&path)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (format, size, losses) = (self.format, self.data.bind(py).len()?, self.losses.lost_count());
        Ok(format!("<Conversion to {format}: {size} bytes, lost_count={losses}>"))
    }
}
