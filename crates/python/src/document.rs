//! Documents: opening, querying, editing, comparing, merging and saving them.

use std::path::{Path, PathBuf};

use mapwright::content::resolve_references;
use mapwright::diff::FileDiff;
use mapwright::edit::{Edited, FilesOnDisk};
use mapwright::query::{ListOptions, ObjectList};
use mapwright::vmap::merge::{MergeOptions, Side};
use mapwright::{
    AnyDocument, ContentSource, ConvertOptions, EditOptions, Error, External, Format, Input, Place, Query, ReadOptions,
    SaveOptions, save,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::conversion::{Conversion, Job, Loss, list_losses};
use crate::error::raise;
use crate::options::{Keywords, format, read_options, set_convert_options};
use crate::scene::{Scene, Source};
use crate::table::Table;

/// A file of any format. It never changes: an edit returns another document. Threads can share it.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Document {
    document: AnyDocument,
    /// The bytes that were read, for formats that do not keep their file.
    source: Option<Vec<u8>>,
    options: ReadOptions,
    path: Option<PathBuf>,
    warning: Option<String>,
    is_untrusted: bool,
}

/// A problem or peculiarity of a document.
#[pyclass(frozen, get_all, module = "mapwright")]
pub(crate) struct Finding {
    /// A stable code in lower case with hyphens.
    code: &'static str,
    /// error, warning or note.
    severity: &'static str,
    /// The path in the document.
    path: String,
    /// The position in the file, as text.
    place: Option<String>,
    /// One sentence that states the problem and its consequence.
    message: String,
    /// The number of occurrences.
    count: usize,
    text: String,
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.text)
    }
}

/// The result of one edit.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct EditResult {
    /// The edit.
    #[pyo3(get)]
    edit: String,
    /// The number of objects that matched, if the edit has a query.
    #[pyo3(get)]
    matched: Option<usize>,
    /// The number of objects, fields or cells that changed.
    #[pyo3(get)]
    changed: usize,
    /// A report for people.
    #[pyo3(get)]
    text: String,
    losses: mapwright::scene::Losses,
}

#[pymethods]
impl EditResult {
    /// Rounded values and other differences from the edit.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        list_losses(&self.losses)
    }

    fn __repr__(&self) -> String {
        format!("<EditResult {}: {}>", self.edit, self.text)
    }
}

/// The differences between two documents of one format.
#[pyclass(frozen, module = "mapwright")]
pub(crate) struct Diff(FileDiff);

#[pymethods]
impl Diff {
    /// True if both documents have the same content, stored in other bytes.
    #[getter]
    fn is_equal(&self) -> bool {
        self.0.is_equal()
    }

    /// Returns the differences as `mapwright diff --json` prints them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = py.detach(|| {
            let mut json = Vec::new();
            self.0.write_json(&mut json)?;
            Ok(json)
        });
        parse_json(py, &json.map_err(|error: std::io::Error| raise(py, error.into(), None))?)
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_string())
    }

    fn __repr__(&self) -> String {
        format!("<Diff is_equal={}>", if self.0.is_equal() { "True" } else { "False" })
    }
}

/// Opens a file. A path can lead into an archive. Raises Error.
#[pyfunction]
#[pyo3(signature = (path, *, format = None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    options: Option<Keywords<'_, '_>>,
) -> PyResult<Document> {
    let format = format.map(self::format).transpose()?;
    let is_untrusted = is_untrusted(options)?;
    let mut options = read_options(py, options)?.with_path(&path);
    let read = || {
        if let Some((archive, _)) = ContentSource::open_archive_in(&path)? {
            options.content.extend(&archive);
        }
        let input = Input::open(&path, format, &options)?;
        Document::read(input, options, Some(path.clone()), is_untrusted)
    };
    py.detach(read).map_err(|error| raise(py, error, Some(&path)))
}

/// Reads a document from bytes. The name is only used to detect the format. Raises Error.
#[pyfunction]
#[pyo3(signature = (data, *, name = None, format = None, **options))]
pub(crate) fn from_bytes(
    py: Python<'_>,
    data: PyBackedBytes,
    name: Option<PathBuf>,
    format: Option<&str>,
    options: Option<Keywords<'_, '_>>,
) -> PyResult<Document> {
    let format = format.map(self::format).transpose()?;
    let is_untrusted = is_untrusted(options)?;
    let options = read_options(py, options)?;
    let read = || {
        let input = Input::read(&data[..], name.as_deref(), format, &options)?;
        Document::read(input, options, None, is_untrusted)
    };
    py.detach(read).map_err(|error| raise(py, error, name.as_deref()))
}

fn is_untrusted(options: Option<Keywords<'_, '_>>) -> PyResult<bool> {
    match options.map(|options| options.get_item("untrusted")).transpose()?.flatten() {
        Some(flag) => flag.is_truthy(),
        None => Ok(false),
    }
}

/// Merges two versions of a Source 2 map that have a common base. Returns the map and the conflicts, in which the preferred side wins.
#[pyfunction]
#[pyo3(signature = (base, ours, theirs, *, prefer = "ours"))]
pub(crate) fn merge<'py>(
    py: Python<'py>,
    base: &Document,
    ours: &Document,
    theirs: &Document,
    prefer: &str,
) -> PyResult<(Document, Bound<'py, PyAny>)> {
    let prefer = match prefer {
        "ours" => Side::Ours,
        "theirs" => Side::Theirs,
        other => return Err(PyValueError::new_err(format!("invalid prefer {other:?}: expected ours or theirs"))),
    };
    let merged = || {
        let map = |one: &Document| {
            let format = one.document.format();
            let map = one.document.as_vmap().cloned();
            map.ok_or(Error::Unsupported { format, what: "merged: expected Source 2 maps" })
        };
        let options = MergeOptions::default().with_prefer(prefer);
        let merged = mapwright::vmap::merge::merge(&map(base)?, &map(ours)?, &map(theirs)?, &options)?;
        let conflicts = serde_json::to_vec(&merged.conflicts).map_err(std::io::Error::from)?;
        Ok((ours.with_document(merged.document.into()), conflicts))
    };
    let (document, conflicts) = py.detach(merged).map_err(|error| raise(py, error, None))?;
    Ok((document, parse_json(py, &conflicts)?))
}

impl Document {
    fn read(input: Input, options: ReadOptions, path: Option<PathBuf>, is_untrusted: bool) -> Result<Self, Error> {
        let Input { bytes, format, warning } = input;
        let source = (!format.access().lossless).then(|| bytes.clone());
        let document = AnyDocument::from_vec_as(bytes, format, &options)?;
        Ok(Self { document, source, options, path, warning, is_untrusted })
    }

    /// Returns a document with other content and the same options and path.
    fn with_document(&self, document: AnyDocument) -> Self {
        let (options, path) = (self.options.clone(), self.path.clone());
        Self { document, source: None, options, path, warning: None, is_untrusted: self.is_untrusted }
    }

    fn bytes(&self) -> Result<Vec<u8>, Error> {
        match &self.source {
            Some(source) => Ok(source.clone()),
            None => self.document.to_bytes(),
        }
    }

    /// Returns the options of a conversion to a file.
    fn convert_options(
        &self,
        py: Python<'_>,
        keywords: Option<Keywords<'_, '_>>,
        to: Option<&Path>,
    ) -> PyResult<ConvertOptions> {
        let mut options = if self.is_untrusted { ConvertOptions::service() } else { ConvertOptions::default() };
        options.content = self.options.content.clone();
        let on_disk = self.path.as_ref().filter(|path| path.is_file() && self.options.external != External::None);
        options.level = on_disk.cloned();
        if let Some(stem) = to.and_then(Path::file_stem) {
            options.stem = stem.to_string_lossy().into_owned();
        }
        if to.and_then(Path::extension).is_some_and(|extension| extension.eq_ignore_ascii_case("$$m")) {
            options.dialect = Some(mapwright::wmp::Dialect::Resolved);
        }
        set_convert_options(py, keywords, &mut options)?;
        Ok(options)
    }

    fn convert_to(
        &self,
        py: Python<'_>,
        to: Format,
        options: &ConvertOptions,
        is_strict: bool,
    ) -> PyResult<Conversion> {
        let files = self.options.files();
        let job = Job { to, files: &files, options, path: self.path.as_deref() };
        let mut conversion = job.run(py, || self.document.clone(), is_strict)?;
        conversion.protect(files.into_loaded());
        Ok(conversion)
    }

    /// Lists the objects that a query matches. Unknown fields and values are errors, unless they are allowed.
    fn list(&self, query: &str, fields: Option<Vec<String>>, allow_unknown: bool) -> Result<ObjectList, Error> {
        let query: Query = query.parse()?;
        let options = ListOptions::default().with_fields(fields.unwrap_or_default());
        let list = ObjectList::new(self.document.clone(), &query, options)?;
        if !allow_unknown {
            list.check_known()?;
        }
        Ok(list)
    }
}

#[pymethods]
impl Document {
    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.document.format().name()
    }

    /// The path of the file, or None.
    #[getter]
    fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// A text about a contradiction between content and extension, or None.
    #[getter]
    fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The other files that were read for the document.
    #[getter]
    fn side_files(&self) -> Vec<PathBuf> {
        self.document.side_files().to_vec()
    }

    /// Returns the summary as `mapwright info --json` prints it.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = py.detach(|| serde_json::to_vec(&self.document.info(Some(&self.options.files()))));
        parse_json(py, &json.map_err(|error| PyValueError::new_err(error.to_string()))?)
    }

    /// Returns the summary as text for people.
    fn info_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.info(Some(&self.options.files())).to_string())
    }

    /// Checks the document, together with the files to which it refers.
    fn validate(&self, py: Python<'_>) -> Vec<Finding> {
        let describe = |finding: mapwright::scene::Finding| Finding {
            text: finding.to_string(),
            code: finding.code,
            severity: finding.severity.name(),
            path: finding.path.to_string(),
            place: finding.at.map(|at| Place::from(at).to_string()),
            message: finding.message,
            count: finding.count,
        };
        py.detach(|| self.document.validate_with(&self.options.files()).into_iter().map(describe).collect())
    }

    /// Returns the objects that match a query, each as a dict of its fields.
    #[pyo3(signature = (query = "*", *, fields = None, allow_unknown = false))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        fields: Option<Vec<String>>,
        allow_unknown: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let list = || {
            let mut json = Vec::new();
            self.list(query, fields, allow_unknown)?.write_json(&mut json)?;
            Ok(json)
        };
        let json = py.detach(list).map_err(|error| raise(py, error, self.path.as_deref()))?;
        parse_json(py, &json)
    }

    /// Returns fields of the objects that match a query, as columns. Without fields, these are the default fields of `mapwright query`.
    #[pyo3(signature = (query = "*", *, fields = None, allow_unknown = false))]
    fn table(&self, py: Python<'_>, query: &str, fields: Option<Vec<String>>, allow_unknown: bool) -> PyResult<Table> {
        let list = || Ok(Table::new(self.list(query, fields, allow_unknown)?.to_columns()));
        py.detach(list).map_err(|error| raise(py, error, self.path.as_deref()))
    }

    /// Applies edits in order. Returns the changed document and the result of each edit. If one fails, none is applied.
    #[pyo3(signature = (*edits, allow_no_match = false, create_fields = false))]
    fn edit(
        &self,
        py: Python<'_>,
        edits: &Bound<'_, PyTuple>,
        allow_no_match: bool,
        create_fields: bool,
    ) -> PyResult<(Self, Vec<EditResult>)> {
        let edits: Vec<String> = edits.extract()?;
        if edits.is_empty() {
            return Err(PyTypeError::new_err("edit() needs at least one edit"));
        }
        let options = EditOptions::default().with_allow_no_match(allow_no_match).with_create_fields(create_fields);
        let apply = || {
            let mut document = self.document.clone();
            let edited = document.edit_all(&edits, &options, &mut FilesOnDisk::new(&self.options))?;
            let results = edits.into_iter().zip(edited).map(|(edit, edited)| {
                let Edited { matched, changed, text, losses } = edited;
                EditResult { edit, matched, changed, text, losses }
            });
            Ok((self.with_document(document), results.collect()))
        };
        py.detach(apply).map_err(|error| raise(py, error, self.path.as_deref()))
    }

    /// Compares the document with a newer one of the same format. Returns None if all bytes are equal.
    fn diff(&self, py: Python<'_>, new: &Self) -> PyResult<Option<Diff>> {
        let compare = || FileDiff::between((&self.bytes()?, &self.document), (&new.bytes()?, &new.document));
        let diff = py.detach(compare).map_err(|error| raise(py, error, self.path.as_deref()))?;
        Ok((!diff.has_same_bytes()).then_some(Diff(diff)))
    }

    /// Converts the document to another format.
    #[pyo3(signature = (to, *, strict = false, **options))]
    fn convert(
        &self,
        py: Python<'_>,
        to: &str,
        strict: bool,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<Conversion> {
        let to = format(to)?;
        self.convert_to(py, to, &self.convert_options(py, options, None)?, strict)
    }

    /// Converts the document to a file, whose extension selects the format unless `to` names it. Returns the conversion. With `strict`,
    /// losses raise LossError, and nothing is written.
    #[pyo3(signature = (path, *, to = None, strict = false, overwrite = false, **options))]
    fn convert_file(
        &self,
        py: Python<'_>,
        path: PathBuf,
        to: Option<&str>,
        strict: bool,
        overwrite: bool,
        options: Option<Keywords<'_, '_>>,
    ) -> PyResult<Conversion> {
        let to = target(&path, to)?;
        let options = self.convert_options(py, options, Some(&path))?;
        let conversion = self.convert_to(py, to, &options, strict)?;
        conversion.save(py, path, overwrite)?;
        Ok(conversion)
    }

    /// Converts the document to a scene. With `resolve`, the scene also contains the models, images and prefabs to which the document
    /// refers, from its folder and its content. Their nodes have the property `resolved_from`.
    #[pyo3(signature = (*, resolve = false))]
    fn to_scene(&self, py: Python<'_>, resolve: bool) -> PyResult<Scene> {
        let options = self.convert_options(py, None, None)?;
        let convert = || {
            let mut import = self.document.to_scene()?;
            let mut read = self.document.side_files().to_vec();
            if resolve {
                let (format, level) = (self.document.format(), options.level.as_deref());
                let report =
                    resolve_references(&mut import.scene, format, level, &options.content, options.max_pixel_bytes);
                import.losses.append(report.losses);
                read.extend(report.files);
            }
            Ok((import, read))
        };
        let (import, mut read) = py.detach(convert).map_err(|error| raise(py, error, self.path.as_deref()))?;
        read.extend(self.path.clone());
        let has_shading = self.document.as_scene_file().is_none_or(|file| file.has_shading);
        let (format, is_untrusted) = (self.document.format(), self.is_untrusted);
        Ok(Scene::new(import, Source { format, read, has_shading, is_untrusted }))
    }

    /// Returns the bytes of the file. An unchanged document gives the bytes that were read. Only for lossless formats.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.document.to_bytes());
        Ok(PyBytes::new(py, &bytes.map_err(|error| raise(py, error, self.path.as_deref()))?))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py)
    }

    /// Saves the document atomically: after a failure, an old file is unchanged. Only for lossless formats.
    #[pyo3(signature = (path, *, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let options = SaveOptions::default().with_overwrite(overwrite);
        let saved = py.detach(|| save(&path, &self.document.to_bytes()?, options));
        saved.map_err(|error| raise(py, error, Some(&path)))
    }

    fn __repr__(&self) -> String {
        let path = self.path.as_ref().map(|path| format!(" {:?}", path.display().to_string())).unwrap_or_default();
        format!("<Document {}{path}>", self.format())
    }
}

/// Returns the format of a conversion to a file.
pub(crate) fn target(path: &Path, to: Option<&str>) -> PyResult<Format> {
    match to {
        Some(to) => format(to),
        None => Format::from_path(path).ok_or_else(|| {
            let name = path.display().to_string();
            PyValueError::new_err(format!("the extension of {name:?} belongs to no format: name the format with to="))
        }),
    }
}

/// Returns JSON as Python objects.
fn parse_json<'py>(py: Python<'py>, json: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (PyBytes::new(py, json),))
}
