//! Files in memory to which documents refer.

use js_sys::{Array, Map, Object};
use mapwright::edit::EditFiles;
use mapwright::{AnyDocument, ContentSource, Error, Format, ReadOptions, detect, to_utf8};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{io_error, usage};
use crate::value::bytes;

/// The place of the files in reports.
const PLACE: &str = "";

/// Reads a `Map` or an object from paths to bytes. A path is relative to the folder of the game or the project. A REZ archive is read as
/// the files in it.
///
/// The files in the folder of `document`, its path below the same folder, are found by names relative to that folder, too.
pub(crate) fn content(files: &JsValue, document: Option<&str>) -> Result<ContentSource, JsValue> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut content = ContentSource::default();
    for entry in entries(files)?.iter() {
        let entry = Array::from(&entry);
        let path = entry.get(0).as_string().ok_or_else(|| usage("expected paths of files as strings"))?;
        let data = bytes(&entry.get(1)).ok_or_else(|| usage(&format!("expected the bytes of {path}")))?;
        if detect(&data, None).format == Some(Format::Rez) {
            content.add_archive(&path, data).map_err(|error| io_error(&format!("{path}: {error}")))?;
        } else {
            all.push((path, data));
        }
    }
    let folder = document.map(|path| path.replace('\\', "/"));
    let mut source = ContentSource::default();
    if let Some((folder, _)) = folder.as_deref().and_then(|path| path.rsplit_once('/')) {
        let below = |path: &str| Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned());
        let beside = all.iter().filter_map(|(path, data)| Some((below(path)?, data.clone())));
        source.add_files(PLACE, beside.collect::<Vec<_>>());
    }
    source.add_files(PLACE, all);
    source.extend(&content);
    Ok(source)
}

/// Returns the pairs of a `Map` or an object.
fn entries(files: &JsValue) -> Result<Array, JsValue> {
    if let Some(map) = files.dyn_ref::<Map>() {
        return Ok(Array::from(&map.entries()));
    }
    let object = files.dyn_ref::<Object>().ok_or_else(|| usage("expected files as a Map or an object"))?;
    Ok(Object::entries(object))
}

/// The files that edits name, among the content of a document.
pub(crate) struct FilesOfEdits<'a>(pub(crate) &'a ReadOptions);

impl FilesOfEdits<'_> {
    fn read(&self, file: &str) -> Result<Vec<u8>, Error> {
        let found = self.0.content.find(file).ok_or(std::io::ErrorKind::NotFound);
        Ok(found.map_err(std::io::Error::from)?.read()?)
    }
}

impl EditFiles for FilesOfEdits<'_> {
    fn document(&mut self, file: &str, format: Option<Format>) -> Result<AnyDocument, Error> {
        let bytes = self.read(file)?;
        let format = format.or_else(|| detect(&bytes, Some(file.as_ref())).format).ok_or(Error::UnknownFormat)?;
        AnyDocument::from_vec_as(bytes, format, self.0)
    }

    fn text(&mut self, file: &str) -> Result<Vec<u8>, Error> {
        Ok(to_utf8(&self.read(file)?).map_err(|_| Error::Utf16)?.into_owned())
    }
}
