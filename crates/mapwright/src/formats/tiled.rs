//! Maps, tilesets, templates and worlds of Tiled, XML and JSON.

mod summary;

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;

#[cfg(feature = "textures")]
use mapwright_content::{self as content, Outcome, ResolveReport};
use mapwright_io::{Confidence, Finding, Severity};
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::images::{decode_image, undecoded_image_text};
use mapwright_scene::{FileError, FileKind, FileSource, Files, Import, Losses, Scene};
use mapwright_tiled::{
    Document, DocumentKind, ReadOptions as TiledOptions, ReferenceKind, Syntax, resolve_path, scene,
};

use super::FormatEntry;
use crate::convert::Contents;
use crate::diff::DocumentDiff;
use crate::document::FormatDocument;
use crate::info::Summary;
use crate::json::JsonLayout;
use crate::{AnyDocument, Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, ReadOptions};

pub use summary::{TiledInfo, TiledLayer, TiledSet};

pub(super) static XML_ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    imports: true,
    is_drawn: true,
    has_hidden_nodes: true,
    has_pixel_grid: true,
    axes: Some("x to the right, y down the screen, pixels"),
    compared_content: Some(
        "fields, layers with their cells, objects, tilesets and tiles, matched by their ids and names",
    ),
    up: Some(Axis::Y),
    axis_change: scene::AXES,
    encodings: &[Format::Tmx, Format::Tmj],
    dump_schema: Some(include_str!("../../schemas/tmx.schema.json")),
    capabilities: Some(scene::capabilities),
    sniff: |prefix| sniff(prefix, b'<'),
    read: |bytes, _, options| Ok(TiledFile::read(bytes, options)?.into()),
    read_dump: Some(|dump, options| {
        let document = dump.part::<Document>("tiled")?;
        Ok(TiledFile { document, options: options.clone(), side_files: Vec::new() }.into())
    }),
    write_scene: Some(write_scene),
    ..FormatEntry::BASE
};

pub(super) static JSON_ENTRY: FormatEntry = FormatEntry {
    dump_schema: Some(include_str!("../../schemas/tmj.schema.json")),
    sniff: |prefix| sniff(prefix, b'{'),
    ..XML_ENTRY
};

/// Recognizes files in one language, which starts with a character.
fn sniff(prefix: &[u8], start: u8) -> Confidence {
    match super::text_start(prefix).first() {
        Some(first) if *first == start => mapwright_tiled::sniff(prefix),
        _ => Confidence::No,
    }
}

/// A document, and the options with which the files that it refers to are read.
#[derive(Debug, Clone)]
struct TiledFile {
    document: Document,
    options: ReadOptions,
    side_files: Vec<PathBuf>,
}

/// Files are equal if their documents are.
impl PartialEq for TiledFile {
    fn eq(&self, other: &Self) -> bool {
        self.document == other.document
    }
}

impl From<TiledFile> for AnyDocument {
    fn from(file: TiledFile) -> Self {
        Self::new(file)
    }
}

/// Other files are looked for in the content of the default options, which has none.
impl From<Document> for AnyDocument {
    fn from(document: Document) -> Self {
        TiledFile { document, options: ReadOptions::default(), side_files: Vec::new() }.into()
    }
}

impl AnyDocument {
    /// Returns the document if it is a file of Tiled.
    pub fn as_tiled(&self) -> Option<&Document> {
        self.downcast_ref::<TiledFile>().map(|file| &file.document)
    }

    /// Returns the document if it is a file of Tiled, to change it.
    pub fn as_tiled_mut(&mut self) -> Option<&mut Document> {
        self.downcast_mut::<TiledFile>().map(|file| &mut file.document)
    }

    /// Returns the document by value if it is a file of Tiled.
    ///
    /// # Errors
    /// The unchanged document if it is of another format.
    pub fn into_tiled(self) -> Result<Document, Self> {
        self.downcast::<TiledFile>().map(|file| file.document)
    }
}

impl ReadOptions {
    fn tiled(&self) -> TiledOptions {
        let reading = TiledOptions::default();
        let limits = reading.limits.clone().with_max_input(self.limits.max_input);
        let depth = self.limits.max_depth.min(limits.max_depth);
        let limits = limits
            .with_max_depth(depth)
            .with_max_items(self.max_objects.unwrap_or(self.limits.max_items).min(50_000_000));
        reading.with_limits(limits)
    }
}

fn write_scene(
    scene: &mut Scene,
    to: Format,
    files: &dyn FileSource,
    options: &ConvertOptions,
) -> Result<(Files, Losses), Error> {
    let writing = scene::ExportOptions::default()
        .with_syntax(syntax_of(to))
        .with_name(&options.stem)
        .with_max_bytes(options.max_output)
        .with_max_image_bytes(options.max_pixel_bytes);
    let export = scene::from_scene(scene, files, &writing)?;
    Ok((export.document.into_files(), export.losses))
}

fn syntax_of(format: Format) -> Syntax {
    if format == Format::Tmj { Syntax::Json } else { Syntax::Xml }
}

/// A file that a document needs: one that it refers to, or one to which such a file refers.
struct NeededFile {
    /// The path relative to the document.
    path: String,
    kind: ReferenceKind,
    found: Result<PathBuf, FileError>,
    /// The reason why the file, which exists, cannot be used.
    fault: Option<String>,
}

impl NeededFile {
    /// Finds and reads a file. Returns its document, too, if it can refer to other files.
    fn find(
        path: String,
        kind: ReferenceKind,
        (options, max_pixel_bytes): (&TiledOptions, usize),
        files: &FilesBeside,
    ) -> (Self, Option<Document>) {
        let found = files.find(&path, file_kind(kind));
        let read = || {
            let bytes = files.load(&path, file_kind(kind)).map_err(|error| error.to_string())?;
            match kind {
                ReferenceKind::Image => check_image(&bytes, &path, max_pixel_bytes).map(|()| None),
                _ => Document::from_vec_with(bytes, options).map(Some).map_err(|error| error.to_string()),
            }
        };
        let (document, fault) = match found.is_ok().then(read) {
            Some(Ok(document)) => (document, None),
            Some(Err(fault)) => (None, Some(fault)),
            None => (None, None),
        };
        (Self { path, kind, found, fault }, document)
    }
}

/// Decodes an image.
///
/// # Errors
/// The reason why it cannot be decoded.
fn check_image(bytes: &[u8], path: &str, max_bytes: usize) -> Result<(), String> {
    let pixels = decode_image(bytes, path, max_bytes, path, &mut Losses::new());
    pixels.map(drop).ok_or_else(|| undecoded_image_text(bytes, path, max_bytes))
}

const fn file_kind(kind: ReferenceKind) -> FileKind {
    match kind {
        ReferenceKind::Image => FileKind::Image,
        _ => FileKind::Data,
    }
}

/// Lists the files that a document needs, each once: images of tilesets, tilesets of templates, maps of worlds (but not those that match
/// its patterns) and so on. Without content, nothing is listed if the options forbid reading other files.
fn needed_files(document: &Document, options: &ReadOptions, files: &FilesBeside) -> Vec<NeededFile> {
    let reading = options.tiled();
    let max_pixel_bytes = options.max_expanded.and_then(|bytes| usize::try_from(bytes).ok());
    let max_pixel_bytes = max_pixel_bytes.unwrap_or(ConvertOptions::default().max_pixel_bytes);
    let mut needed = Vec::new();
    let mut seen = HashSet::new();
    let below = |referring: &str, document: &Document| -> Vec<(String, ReferenceKind)> {
        document.references().into_iter().map(|it| (resolve_path(referring, &it.path), it.kind)).collect()
    };
    // `./a.png` and `a.png` are one file.
    let mut waiting = VecDeque::from(below("./", document));
    while let Some((path, kind)) = waiting.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let (mut file, document) = NeededFile::find(path, kind, (&reading, max_pixel_bytes), files);
        if !files.content().is_empty() && matches!(file.found, Err(FileError::Disabled)) {
            file.found = Err(FileError::NotFound);
        }
        waiting.extend(document.iter().flat_map(|document| below(&file.path, document)));
        if !matches!(file.found, Err(FileError::Disabled)) {
            needed.push(file);
        }
    }
    needed
}

impl TiledFile {
    fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Self, Error> {
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options.tiled())?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options.tiled())?,
        };
        let files = options.files();
        // They are read when they are needed, but must not be overwritten before.
        let references = document.references().into_iter();
        let side_files = references.filter_map(|it| files.find(&it.path, file_kind(it.kind)).ok()).collect();
        Ok(Self { document, options: options.clone(), side_files })
    }

    fn import_options(&self) -> scene::ImportOptions {
        let reading = scene::ImportOptions::default();
        let max_bytes = self.options.max_expanded.unwrap_or(reading.max_bytes);
        reading.with_max_bytes(max_bytes)
    }
}

impl FormatDocument for TiledFile {
    fn format(&self) -> Format {
        match self.document.syntax() {
            Syntax::Xml => Format::Tmx,
            Syntax::Json => Format::Tmj,
        }
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.document.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.document.validate()
    }

    fn validate_with(&self, files: &FilesBeside) -> Vec<Finding> {
        let mut findings = self.document.validate();
        for NeededFile { path, kind, found, fault } in needed_files(&self.document, &self.options, files) {
            let (missing, damaged, what) = match kind {
                ReferenceKind::Image => ("image-missing", "image-damaged", "image"),
                _ => ("file-missing", "file-damaged", "file"),
            };
            let (code, reason) = match (found, fault) {
                (Err(error), _) => (missing, error.to_string()),
                (Ok(_), Some(fault)) => (damaged, fault),
                (Ok(_), None) => continue,
            };
            findings.push(Finding::new(code, Severity::Warning, format!("{what} {path:?}: {reason}")));
        }
        findings
    }

    #[cfg(feature = "textures")]
    fn list_files(&self, _content: &mapwright_content::ContentSource) -> Option<ResolveReport> {
        let mut report = ResolveReport::default();
        for NeededFile { path, kind, found, fault } in
            needed_files(&self.document, &self.options, &self.options.files())
        {
            let kind = if kind == ReferenceKind::Image {
                content::ReferenceKind::Image
            } else {
                content::ReferenceKind::Other
            };
            let outcome = match (&found, fault) {
                (Err(FileError::NotFound), _) => Outcome::Missing,
                (Err(error), _) => Outcome::Undecodable(error.to_string()),
                (Ok(_), Some(fault)) => Outcome::Undecodable(fault),
                (Ok(_), None) => Outcome::Found(path.clone()),
            };
            report.add(kind, &path, outcome);
            report.files.extend(found);
        }
        Some(report)
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("tiled", &TiledInfo::new(&self.document))
    }

    fn is_part_of_level(&self) -> bool {
        self.document.kind() != DocumentKind::Map
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        let files = self.options.files();
        let mut import = scene::to_scene(&self.document, &files, &self.import_options())?;
        files.report_substitutes(&mut import.losses);
        Ok(import)
    }

    fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        let files = self.options.files();
        let options = self.import_options();
        Ok(scene::merge_scene(&mut self.document, scene, &files, &options)?)
    }

    fn converts_directly(&self, to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        let is_other = to != self.format();
        let is_tiled = matches!(to, Format::Tmx | Format::Tmj);
        Ok(is_tiled && !(is_other && self.document.kind() == DocumentKind::World))
    }

    /// Writes the same file, or the same content in the other language.
    fn convert_directly(self: Box<Self>, to: Format, _options: &ConvertOptions) -> Result<Conversion, Error> {
        let source = Contents { nodes: self.document.records().len(), ..Contents::default() };
        let export = self.document.to_syntax(syntax_of(to))?;
        Ok(Conversion::new(export.document.to_bytes()?, export.losses, source))
    }

    fn objects(&self) -> Option<&dyn Objects> {
        Some(&self.document)
    }

    fn objects_mut(&mut self) -> Option<&mut dyn EditObjects> {
        Some(&mut self.document)
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        out.write_all(b",\"tiled\":")?;
        serde_json::to_writer(out, &self.document).map_err(Into::into)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_tiled::diff::Diff::between(&self.document, &super::same_type::<Self>(other)?.document);
        Some(DocumentDiff::new("tiled", diff.is_empty(), diff))
    }

    fn side_files(&self) -> &[PathBuf] {
        &self.side_files
    }

    fn is_text(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tiled_are_recognized_by_their_start() {
        let xml = b"<?xml version=\"1.0\"?>\n<map version=\"1.10\">";
        let json = b"{ \"compressionlevel\":-1, \"height\":2, \"infinite\":false, \"layers\":[";
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmx.sniff(bytes)), [Confidence::Maybe, Confidence::No]);
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmj.sniff(bytes)), [Confidence::No, Confidence::Maybe]);
        assert_eq!(Format::Tmx.sniff(b"<mapper/>"), Confidence::No);
        let mut extensions = [Format::Tmx, Format::Tmj].map(|format| format.info().extensions).concat();
        extensions.sort_unstable();
        let mut expected = mapwright_tiled::FORMAT.extensions.to_vec();
        expected.sort_unstable();
        assert_eq!(extensions, expected);
    }
}
