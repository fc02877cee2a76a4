//! The native module of the Python package `mapwright`: classes and functions over the crate `mapwright`, without logic of their own.
//!
//! | module | content |
//! |---|---|
//! | `document` | opening, editing, comparing, merging and saving documents |
//! | `conversion` | results of conversions, and losses |
//! | `scene` | scenes, with views of their columns |
//! | `build` | scenes from arrays |
//! | `table` | fields of objects as columns |
//! | `array` | views of memory as NumPy arrays |
//! | `options` | keyword arguments as options |
//! | `error` | errors as exceptions |

mod array;
mod build;
mod conversion;
mod document;
mod error;
mod options;
mod scene;
mod table;

use pyo3::prelude::*;

/// The native module of the package `mapwright`.
#[pymodule(gil_used = false)]
mod _native {
    use std::ffi::OsString;

    use mapwright::{Format, PREFIX, Query};
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::build::build_scene;
    #[pymodule_export]
    use crate::conversion::{Conversion, Loss};
    #[pymodule_export]
    use crate::document::{Diff, Document, EditResult, Finding, from_bytes, merge, open};
    #[pymodule_export]
    use crate::scene::{Camera, CornerColumn, Entity, Image, InstanceSet, Light, Material, Mesh, Node, Scene, Terrain};
    #[pymodule_export]
    use crate::table::{Column, Table};

    use crate::error::raise;

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Returns the format of a file by its first bytes and its name, or None.
    #[pyfunction]
    #[pyo3(signature = (data, *, name = None))]
    fn detect(data: &[u8], name: Option<std::path::PathBuf>) -> Option<&'static str> {
        let start = data.get(..PREFIX).unwrap_or(data);
        mapwright::detect(start, name.as_deref()).format.map(Format::name)
    }

    /// Returns the format of a file on disk, or None.
    #[pyfunction]
    fn detect_file(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Option<&'static str>> {
        use std::io::Read as _;
        let mut start = Vec::new();
        let read = std::fs::File::open(&path).and_then(|file| file.take(PREFIX as u64).read_to_end(&mut start));
        read.map_err(|error| raise(py, error.into(), Some(&path)))?;
        Ok(mapwright::detect(&start, Some(&path)).format.map(Format::name))
    }

    /// Checks the syntax of a query. Raises QueryError.
    #[pyfunction]
    fn check_query(py: Python<'_>, query: &str) -> PyResult<()> {
        query.parse::<Query>().map(drop).map_err(|error| raise(py, error.into(), None))
    }

    /// Returns all formats, each as a dict: name, title, extensions, and what the package does with files of it.
    #[pyfunction]
    fn formats(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
        let describe = |format: Format| {
            let (info, access) = (format.info(), format.access());
            let fields = PyDict::new(py);
            fields.set_item("name", format.name())?;
            fields.set_item("title", info.title)?;
            fields.set_item("extensions", info.extensions.to_vec())?;
            fields.set_item("lossless", access.lossless)?;
            fields.set_item("to_scene", access.import)?;
            fields.set_item("from_scene", access.export)?;
            Ok(fields)
        };
        Format::available().map(describe).collect()
    }

    /// Runs the command with its arguments, of which the first is the name of the program, and returns the exit status.
    #[pyfunction]
    fn run_command(py: Python<'_>, args: Vec<OsString>) -> u8 {
        py.detach(|| mapwright_cli::run_for_status(args))
    }
}
