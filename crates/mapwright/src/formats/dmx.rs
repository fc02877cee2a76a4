//! DMX element graphs, binary and KeyValues2 text.

pub(super) mod encoding;
mod summary;

use std::borrow::Cow;
use std::io::{self, Write};

use mapwright_dmx::{Document, DocumentData, ReadOptions as DmxOptions, WriteOptions};
use mapwright_io::{Confidence, Finding, Path};

use super::FormatEntry;
use crate::diff::DocumentDiff;
use crate::document::{FormatDocument, document_access};
use crate::info::Summary;
use crate::json::{Dump, JsonLayout, invalid_data, refused};
use crate::{AnyDocument, Axis, Conversion, ConvertOptions, Error, FilesBeside, Format, ReadOptions, Rescued};

pub use summary::{DmxInfo, PrefixInfo};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    lossless: true,
    compared_content: Some("elements and their attributes"),
    encodings: &[Format::Dmx, Format::KeyValues2],
    dump_schema: Some(include_str!("../../schemas/dmx.schema.json")),
    sniff,
    read: |bytes, _, options| {
        let document = match bytes {
            Cow::Owned(bytes) => Document::from_vec_with(bytes, &options.dmx())?,
            Cow::Borrowed(bytes) => Document::from_bytes_with(bytes, &options.dmx())?,
        };
        Ok(document.into())
    },
    read_dump: Some(|dump, options| Ok(read_graph(dump, options)?.into())),
    rescue: Some(|bytes, options| {
        let mapwright_dmx::Rescued { document, losses, .. } = Document::rescue(bytes, &options.dmx())?;
        Ok(Rescued { document: document.into(), lost: losses })
    }),
    ..FormatEntry::BASE
};

/// A scene becomes a map, and the map becomes text.
pub(super) static TEXT_ENTRY: FormatEntry = FormatEntry {
    has_instances: true,
    has_hidden_nodes: true,
    up: Some(Axis::Z),
    read: |_, format, _| {
        Err(Error::Unsupported { format, what: "read under that name: name the format vmap or dmx instead" })
    },
    #[cfg(feature = "vmap")]
    game_unit: Some(super::vmap::GAME_UNIT),
    #[cfg(feature = "vmap")]
    write_scene: Some(super::vmap::write_scene),
    ..FormatEntry::BASE
};

document_access!(Document, "an element graph other than a map", as_dmx, as_dmx_mut, into_dmx);

/// Recognizes graphs other than maps, which are a format of their own.
fn sniff(prefix: &[u8]) -> Confidence {
    match Format::Vmap.sniff(prefix) {
        Confidence::No => mapwright_dmx::sniff(prefix),
        _ => Confidence::No,
    }
}

impl ReadOptions {
    pub(crate) fn dmx(&self) -> DmxOptions {
        DmxOptions::default().with_limits(self.limits.clone())
    }
}

impl ConvertOptions {
    /// Returns the options of KeyValues2 text with the limit of the output.
    pub(super) fn limited_text(&self) -> WriteOptions {
        let bytes = self.text.max_output.min(self.max_output);
        self.text.clone().with_max_output(bytes)
    }
}

impl AnyDocument {
    /// Returns the element graph, in formats that are one: maps and other DMX files.
    pub fn graph(&self) -> Option<&Document> {
        #[cfg(feature = "vmap")]
        if let Some(map) = self.as_vmap() {
            return Some(map.graph());
        }
        self.as_dmx()
    }
}

/// Reads the graph of a dump. Older dumps have its `source` in a field beside it.
pub(super) fn read_graph(dump: Dump<'_>, options: &ReadOptions) -> Result<Document, Error> {
    let data: DocumentData = dump.part("graph")?;
    if dump.encoding.profile.is_some() || dump.encoding.packing.is_some() {
        return Err(refused("encoding: a graph has only a source".to_owned()));
    }
    let data = match dump.encoding.source {
        Some(source) => {
            let source = source.get().ok_or_else(|| refused("encoding.source: not bytes".to_owned()))?;
            data.with_source(source)
        }
        None => data,
    };
    data.into_document(&options.dmx()).map_err(invalid_data)
}

/// Writes an element graph as JSON in one line, with everything that the file contains: see [`DocumentData`].
/// [`AnyDocument::from_dump`] builds the same file from it.
///
/// # Errors
/// Errors of the writer.
pub fn write_graph_json(out: &mut dyn Write, graph: &Document) -> io::Result<()> {
    serde_json::to_writer(out, graph).map_err(Into::into)
}

/// Writes a graph as the part of a dump.
pub(super) fn write_graph_part(out: &mut dyn Write, graph: &Document) -> io::Result<()> {
    out.write_all(b",\"graph\":")?;
    write_graph_json(out, graph)
}

/// Returns text of a file, which is usually UTF-8.
pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl FormatDocument for Document {
    fn format(&self) -> Format {
        Format::Dmx
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.to_bytes()?)
    }

    fn validate(&self) -> Vec<Finding> {
        self.validate()
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        Summary::new().with("dmx", &DmxInfo::new(self))
    }

    fn converts_directly(&self, to: Format, options: &ConvertOptions) -> Result<bool, Error> {
        Ok(encoding::converts(self, Format::Dmx, to, options))
    }

    fn convert_directly(self: Box<Self>, to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
        encoding::convert(*self, to, options)
    }

    fn write_dump_parts(&self, out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        write_graph_part(out, self)
    }

    fn diff(&self, other: &dyn FormatDocument) -> Option<DocumentDiff> {
        let diff = mapwright_dmx::diff::Diff::between(self, super::same_type(other)?);
        Some(DocumentDiff::new("graph", diff.is_empty(), diff))
    }

    fn is_text(&self) -> bool {
        self.header.encoding.is_text()
    }

    fn path_at(&self, offset: u64) -> Option<Path> {
        Some(self.path_at(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_are_recognized_unless_they_are_maps() {
        assert_eq!(mapwright_dmx::FORMAT, Format::Dmx.info());
        let (map, other): (&[u8], &[u8]) =
            (b"<!-- dmx encoding keyvalues2 4 format vmap 40 -->", b"<!-- dmx encoding binary 9 format pcf 2 -->\n\0");
        assert_eq!(sniff(other), Confidence::Certain);
        assert_eq!(sniff(map) == Confidence::No, Format::Vmap.is_available());
        assert_eq!(Format::KeyValues2.sniff(map), Confidence::No);
    }

    #[test]
    fn a_difference_in_a_graph_has_a_path_or_a_line() {
        use crate::{Roundtrip, compare};
        use mapwright_dmx::{ElementId, Encoding, Guid, Value};
        use mapwright_io::LineColumn;
        let graph = |encoding, number| {
            let mut graph = Document::new(encoding, "test", 1, "Root", Guid::default());
            graph.set(ElementId::ROOT, "number", Value::Int(number));
            let bytes = graph.to_bytes().unwrap();
            (AnyDocument::from_bytes(&bytes).unwrap(), bytes)
        };
        let difference = |encoding| {
            let ((old, old_bytes), (new, new_bytes)) = (graph(encoding, 7), graph(encoding, 8));
            match compare(&old_bytes, &old, &new_bytes, Some(&new)) {
                Roundtrip::Different(difference) => (difference.path.to_string(), difference.at.text),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(difference(Encoding::BINARY_9), ("elements[0].number".to_owned(), None));
        assert_eq!(difference(Encoding::KEYVALUES2_4), (String::new(), Some(LineColumn { line: 5, column: 18 })));
    }
}
