//! Maps, tilesets, templates and worlds of Tiled, XML and JSON.

mod summary;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;

use mapwright_io::{Confidence, Finding, Severity};
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{FileError, FileKind, FileSource, Files, Import, Losses, Scene};
use mapwright_tiled::view::{Image, Layer, Map, Object, Template, Tile, Tileset};
use mapwright_tiled::{Document, DocumentKind, ReadOptions as TiledOptions, Syntax, scene};

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
        let limits = limits.with_max_items(self.max_objects.unwrap_or(self.limits.max_items).min(50_000_000));
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

/// Returns the files that a document names, with their kind.
fn references(document: &Document) -> Vec<(String, FileKind)> {
    let maps = || document.as_map().into_iter();
    let tilesets = || {
        let of_template = document.as_template().and_then(Template::tileset);
        maps().flat_map(Map::tilesets).chain(document.as_tileset()).chain(of_template)
    };
    let layers = || maps().flat_map(Map::all_layers);
    let data = tilesets().filter_map(Tileset::source);
    let data = data.chain(layers().flat_map(Layer::objects).filter_map(Object::template));
    let images =
        tilesets().filter_map(Tileset::image).chain(tilesets().flat_map(Tileset::tiles).filter_map(Tile::image));
    let images = images.chain(layers().filter_map(Layer::image)).filter_map(Image::source);
    let all = data.map(|name| (name, FileKind::Data)).chain(images.map(|name| (name, FileKind::Image)));
    let mut seen = std::collections::HashSet::new();
    all.map(|(name, kind)| (name.into_owned(), kind)).filter(|(name, _)| seen.insert(name.clone())).collect()
}

impl TiledFile {
    fn read(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Self, Error> {
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options.tiled())?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options.tiled())?,
        };
        let files = options.files();
        // They are read when they are needed, but must not be overwritten before.
        let found = references(&document).into_iter().filter_map(|(name, kind)| files.find(&name, kind).ok());
        let side_files = found.collect();
        Ok(Self { document, options: options.clone(), side_files })
    }

    fn import_options(&self) -> scene::ImportOptions {
        let reading = scene::ImportOptions::default();
        let max_bytes = self.options.max_expanded.unwrap_or(reading.max_bytes);
        reading.with_max_bytes(max_bytes)
    }
}

/// Returns a warning for each file that a document names and that is missing.
fn missing_files(document: &Document, files: &FilesBeside) -> Vec<Finding> {
    let finding = |(name, kind): (String, FileKind)| {
        let (code, what) = match kind {
            FileKind::Image => ("image-missing", "image"),
            _ => ("file-missing", "file"),
        };
        match files.find(&name, kind) {
            // The options forbid reading other files.
            Ok(_) | Err(FileError::Disabled) => None,
            Err(reason) => Some(Finding::new(code, Severity::Warning, format!("{what} {name:?}: {reason}"))),
        }
    };
    references(document).into_iter().filter_map(finding).collect()
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
        findings.extend(missing_files(&self.document, files));
        findings
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("tiled", &TiledInfo::new(&self.document))
    }

    fn is_level(&self) -> bool {
        self.document.kind() == DocumentKind::Map
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
