//! Documents.

use std::path::Path;

use js_sys::{Array, Object, Uint8Array};
use mapwright::content::missing_files_legend;
use mapwright::diff::FileDiff;
use mapwright::io::Finding;
use mapwright::page::{Page, PageOptions, Source, image_scale};
use mapwright::query::{ListOptions, ObjectList};
use mapwright::render::{RenderOptions, Scale};
use mapwright::scene::Losses;
use mapwright::vmap::merge::{MergeOptions, Side, merge};
use mapwright::{AnyDocument, Conversion, Drawable, EditOptions, Input, Place, ReadOptions, convert};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{draw_error, error, usage};
use crate::files::{FilesOfEdits, content};
use crate::options::{self, converting, reading};
use crate::value::{from_js, get, parse, set, to_js};

/// A file of any format.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Document {
    document: AnyDocument,
    /// The path below the folder of its files. Empty if the caller named none.
    name: String,
    warning: Option<String>,
    /// The file that was read, for formats that are not written back.
    source: Option<Vec<u8>>,
    bytes: usize,
    options: ReadOptions,
}

#[derive(Serialize)]
struct FindingRow<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    count: usize,
    path: String,
    at: Option<String>,
}

#[derive(Serialize)]
struct EditRow {
    edit: String,
    text: String,
    matched: Option<usize>,
    changed: usize,
    losses: Losses,
}

/// The options of the constructor.
const OPEN_OPTIONS: [&str; 3] = ["name", "format", "files"];

#[wasm_bindgen]
impl Document {
    /// Reads a file. Its content states the format.
    #[wasm_bindgen(constructor)]
    pub fn new(
        bytes: Vec<u8>,
        #[wasm_bindgen(unchecked_optional_param_type = "OpenOptions")] options: JsValue,
    ) -> Result<Document, JsValue> {
        check_keys(&options)?;
        let text = |key: &str| match get(&options, key) {
            None => Ok(None),
            Some(value) => value.as_string().map(Some).ok_or_else(|| usage(&format!("{key} must be a string"))),
        };
        let name = text("name")?;
        let mut reading = reading();
        if let Some(files) = get(&options, "files") {
            reading.content = content(&files, name.as_deref())?;
        }
        let format = text("format")?.map(|format| options::format(&format)).transpose()?;
        let input = Input::read(&bytes[..], name.as_deref().map(Path::new), format, &reading);
        let Input { bytes, format, warning } = input.map_err(error)?;
        let size = bytes.len();
        let source = (!format.access().lossless).then(|| bytes.clone());
        let document = AnyDocument::from_vec_as(bytes, format, &reading).map_err(error)?;
        Ok(Self { document, name: name.unwrap_or_default(), warning, source, bytes: size, options: reading })
    }

    /// The short name of the format.
    #[wasm_bindgen(getter, unchecked_return_type = "FormatName")]
    pub fn format(&self) -> String {
        self.document.format().name().to_owned()
    }

    /// The path that was given when the document was opened.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// A contradiction between the content and the extension of the name.
    #[wasm_bindgen(getter)]
    pub fn warning(&self) -> Option<String> {
        self.warning.clone()
    }

    /// Returns a summary, as `mapwright info --json` prints it. Integers above 2⁵³ are rounded.
    #[wasm_bindgen(unchecked_return_type = "Info")]
    pub fn info(&self) -> JsValue {
        to_js(&self.document.info(Some(&self.options.files())))
    }

    /// Returns a summary as text, as `mapwright info` prints it.
    #[wasm_bindgen(js_name = infoText)]
    pub fn info_text(&self) -> String {
        self.document.info(Some(&self.options.files())).to_string()
    }

    /// Checks the document.
    #[wasm_bindgen(unchecked_return_type = "Finding[]")]
    pub fn validate(&self) -> JsValue {
        let findings = self.document.validate_with(&self.options.files());
        to_js(&findings.iter().map(finding).collect::<Vec<_>>())
    }

    /// Finds objects by their fields.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>[]")]
    pub fn query(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let options::List { fields } = from_js(&options)?;
        let options = ListOptions::default().with_fields(fields);
        let list = ObjectList::new(self.document.clone(), &options::query(query)?, options).map_err(error)?;
        list.check_known().map_err(|problem| error(problem.into()))?;
        let mut json = Vec::new();
        list.write_json(&mut json).map_err(|problem| error(problem.into()))?;
        Ok(parse(&String::from_utf8_lossy(&json)))
    }

    /// Applies edits in order. If one fails, the document stays as it is.
    #[wasm_bindgen(unchecked_return_type = "Edited[]")]
    pub fn edit(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string | string[]")] edits: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "EditOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let options::Edit { allow_no_match, create_fields } = from_js(&options)?;
        let options = EditOptions::default().with_allow_no_match(allow_no_match).with_create_fields(create_fields);
        let edits = match edits.as_string() {
            Some(edit) => vec![edit],
            None if Array::is_array(&edits) => {
                let texts: Option<Vec<String>> = Array::from(&edits).iter().map(|edit| edit.as_string()).collect();
                texts.ok_or_else(|| usage("edits must be strings"))?
            }
            None => return Err(usage("edits must be a string or an array of strings")),
        };
        let edited = self.document.edit_all(&edits, &options, &mut FilesOfEdits(&self.options)).map_err(error)?;
        let rows = edits.into_iter().zip(edited).map(|(edit, edited)| {
            let (matched, changed, text, losses) = (edited.matched, edited.changed, edited.text, edited.losses);
            EditRow { edit, text, matched, changed, losses }
        });
        Ok(to_js(&rows.collect::<Vec<_>>()))
    }

    /// Compares the document with a newer one of the same format.
    #[wasm_bindgen(unchecked_return_type = "Diff")]
    pub fn diff(&self, newer: &Document) -> Result<JsValue, JsValue> {
        let (old, new) = (self.file()?, newer.file()?);
        let diff = FileDiff::between((&old, &self.document), (&new, &newer.document)).map_err(error)?;
        let mut json = Vec::new();
        diff.write_json(&mut json).map_err(|problem| error(problem.into()))?;
        let result = parse(&String::from_utf8_lossy(&json));
        if let Some(object) = result.dyn_ref::<Object>() {
            set(object, "text", diff.to_string());
        }
        Ok(result)
    }

    /// Merges the changes that two Source 2 maps made to a common base.
    #[wasm_bindgen(unchecked_return_type = "Merge")]
    pub fn merge(
        base: &Document,
        ours: &Document,
        theirs: &Document,
        #[wasm_bindgen(unchecked_optional_param_type = "\"ours\" | \"theirs\"")] prefer: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let prefer = match prefer.as_deref() {
            None | Some("ours") => Side::Ours,
            Some("theirs") => Side::Theirs,
            Some(other) => return Err(usage(&format!("unknown side {other}: expected ours or theirs"))),
        };
        let options = MergeOptions::default().with_prefer(prefer);
        let [base, our_map, theirs] = [base, ours, theirs].map(|document| document.document.as_vmap());
        let (Some(base), Some(our_map), Some(theirs)) = (base, our_map, theirs) else {
            return Err(usage("only Source 2 maps can be merged"));
        };
        let merged = merge(base, our_map, theirs, &options).map_err(|problem| error(problem.into()))?;
        let result = Object::new();
        set(&result, "conflicts", to_js(&merged.conflicts));
        let document = Self {
            document: merged.document.into(),
            name: ours.name.clone(),
            warning: None,
            source: None,
            bytes: ours.bytes,
            options: ours.options.clone(),
        };
        set(&result, "document", document);
        Ok(result.into())
    }

    /// Converts the document to another format.
    #[wasm_bindgen(unchecked_return_type = "Conversion")]
    pub fn convert(
        &self,
        #[wasm_bindgen(unchecked_param_type = "FormatName")] to: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "ConvertOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let to = options::format(to)?;
        let options = from_js::<options::Convert>(&options)?.into_options(self.stem())?;
        let options = options.with_content(self.options.content.clone());
        let converted = convert(self.document.clone(), to, &self.options.files(), &options).map_err(error)?;
        Ok(conversion(converted))
    }

    /// Returns an HTML page with an interactive view of the document, a list of its objects, and its summary.
    pub fn page(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PageOptions")] options: JsValue,
    ) -> Result<String, JsValue> {
        let options::Page { image_size, hidden, tools } = from_js(&options)?;
        let files = self.options.files();
        let info = self.document.info(Some(&files));
        let limits = converting().with_content(self.options.content.clone());
        let render = RenderOptions::default().with_hidden(hidden).with_tools(tools);
        let drawable = self.document.clone().into_drawable(render, &limits).map_err(error)?;
        let Drawable { scene, mut render, imported: mut losses, losses: missing_images, missing, .. } = drawable;
        losses.append(missing_images);
        // Levels of tiles have no 3D view.
        render.scale = match image_size {
            Some(size) if scene.tile_layers.is_empty() => Scale::Fit(size),
            _ => image_scale(&scene),
        };
        let missing = missing_files_legend(&missing);
        let name = Path::new(&self.name).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let source =
            Source { name: &name, bytes: self.bytes, info: &info, scene: &scene, losses: &losses, missing: &missing };
        let options = PageOptions::default().with_render(render).with_max_image_bytes(limits.max_pixel_bytes);
        let page = Page::new(&source, &files, &options).map_err(draw_error)?;
        let mut html = Vec::new();
        page.write_to(&mut html).map_err(|problem| error(problem.into()))?;
        String::from_utf8(html).map_err(|problem| usage(&problem.to_string()))
    }

    /// Writes the file. An unchanged document gives the bytes that were read.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>, JsValue> {
        self.document.to_bytes().map_err(error)
    }
}

impl Document {
    /// Returns the bytes of the document: as it would be written, or as it was read if its format is not written back.
    fn file(&self) -> Result<Vec<u8>, JsValue> {
        match &self.source {
            Some(source) => Ok(source.clone()),
            None => self.to_bytes(),
        }
    }

    /// Returns the name without folder and extension.
    fn stem(&self) -> &str {
        Path::new(&self.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("scene")
    }
}

/// Reports unknown keys of the options of the constructor. The others may contain bytes, which JSON cannot.
fn check_keys(options: &JsValue) -> Result<(), JsValue> {
    if options.is_undefined() || options.is_null() {
        return Ok(());
    }
    let object = options.dyn_ref::<Object>().ok_or_else(|| usage("options must be an object"))?;
    for key in Object::keys(object).iter().filter_map(|key| key.as_string()) {
        if !OPEN_OPTIONS.contains(&&*key) {
            let known = OPEN_OPTIONS.join(", ");
            return Err(usage(&format!("invalid options: unknown field `{key}`, expected one of {known}")));
        }
    }
    Ok(())
}

fn finding(finding: &Finding) -> FindingRow<'_> {
    FindingRow {
        severity: finding.severity.name(),
        code: finding.code,
        message: &finding.message,
        count: finding.count,
        path: finding.path.to_string(),
        at: finding.at.map(|at| Place::from(at).to_string()),
    }
}

fn conversion(converted: Conversion) -> JsValue {
    let result = Object::new();
    let side_files = Array::new();
    for file in &converted.files.side {
        let object = Object::new();
        set(&object, "name", &*file.name);
        set(&object, "data", Uint8Array::from(file.data.as_slice()));
        side_files.push(&object);
    }
    set(&result, "data", Uint8Array::from(converted.files.main.as_slice()));
    set(&result, "sideFiles", side_files);
    set(&result, "losses", to_js(&converted.losses));
    set(&result, "lost", converted.losses.lost_count() as f64);
    set(&result, "source", to_js(&converted.source));
    let read = converted.read.iter().map(|path| JsValue::from(path.to_string_lossy().into_owned()));
    set(&result, "filesRead", read.collect::<Array>());
    result.into()
}
