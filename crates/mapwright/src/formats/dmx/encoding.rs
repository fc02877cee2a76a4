//! Element graphs in another encoding: binary as text and back, without a scene.

use mapwright_dmx::{Document, Encoding, EncodingName, Value, ValueType, WriteOptions, WriterProfile};
use mapwright_scene::Losses;

use crate::convert::Contents;
use crate::{Conversion, ConvertOptions, Error, Format};

/// Returns `true` if the target is an encoding of the same graph and the options do not ask for another format version.
pub(in crate::formats) fn converts(graph: &Document, from: Format, to: Format, options: &ConvertOptions) -> bool {
    let has_same_version = options.map_format.is_none_or(|version| version == graph.header.format_version);
    has_same_version && (from == to || to == Format::KeyValues2)
}

/// Writes a graph in the encoding of the target.
pub(in crate::formats) fn convert(
    mut graph: Document,
    to: Format,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let mut losses = Losses::default();
    let encoding = graph.header.encoding;
    if to == Format::KeyValues2 {
        if !encoding.is_text() {
            to_text(&mut graph, &options.text, &mut losses);
        } else if options.text != WriteOptions::default() {
            graph.forget_source();
        }
    } else if encoding.is_text() {
        report_synthesized_ids(&graph, &mut losses);
        let binary = binary_encoding(&graph);
        graph.set_encoding(binary);
    }
    let source = Contents { elements: graph.elements.len(), ..Contents::default() };
    let main = graph.to_bytes_with(&options.limited_text())?;
    Ok(Conversion::new(main, losses, source))
}

/// Converts a binary graph to text.
pub(in crate::formats) fn to_text(graph: &mut Document, options: &WriteOptions, losses: &mut Losses) {
    report_lost_in_text(graph, options, losses);
    let binary = graph.header.encoding;
    graph.set_encoding(text_encoding(binary));
    let back = binary_encoding(graph);
    if back != binary {
        losses.approximated("header", format!("{binary}: reading this text and writing it as binary gives {back}"));
    }
}

/// Returns the text encoding for the programs that read this binary. Programs of Source 1 support neither the types nor the prefix of
/// version 4.
fn text_encoding(binary: Encoding) -> Encoding {
    match binary.version {
        ..=5 => Encoding { name: EncodingName::KeyValues2, version: 1 },
        _ => Encoding::KEYVALUES2_4,
    }
}

/// Returns the newest binary encoding for the programs that read this text. It supports all types of values in the graph.
fn binary_encoding(text: &Document) -> Encoding {
    let is_old = |value: &Value| value.value_type() == ValueType::ObjectId;
    let version = match text.header.encoding.version {
        ..=3 if values(text).any(is_old) => 2,
        ..=3 => 5,
        _ => return Encoding::BINARY_9,
    };
    Encoding { name: EncodingName::Binary, version }
}

/// Reports what a binary file stores and text does not.
fn report_lost_in_text(graph: &Document, options: &WriteOptions, losses: &mut Losses) {
    let floats = graph.lossy_floats(options.style);
    if floats > 0 {
        losses.approximated("elements", format!("floats that this text rounds: {floats}"));
    }
    if graph.profile() != Some(WriterProfile::Valve) {
        losses.approximated("elements", "the order of elements and strings becomes that of Valve's programs");
    }
    let unused = graph.unused_strings().filter(|string| !STANDARD_STRINGS.contains(string)).count();
    if unused > 0 {
        losses.dropped("strings", format!("unused strings of the table: {unused}"));
    }
    if graph.prefix_slot() > 0 {
        losses.approximated("prefix", "the copy of the prefix attributes moves to the usual place, after the root");
    }
    if !graph.trailing.is_empty() {
        losses.dropped("trailing", format!("bytes after the end: {}", graph.trailing.len()));
    }
    let links = graph.elements.iter().filter(|element| element.link != -1).count();
    if links > 0 {
        losses.dropped("elements", format!("link fields of elements: {links}"));
    }
    let booleans = values(graph).map(count_invalid_booleans).sum::<usize>();
    if booleans > 0 {
        losses.approximated("elements", format!("booleans other than 0 and 1, which become 1: {booleans}"));
    }
}

/// Strings that Valve's programs always put into the table.
const STANDARD_STRINGS: [&[u8]; 3] = [b"name", b"$prefix_attribute$", b""];

fn values(graph: &Document) -> impl Iterator<Item = &Value> {
    let attributes = graph.elements.iter().flat_map(|element| &element.attributes);
    attributes.chain(graph.prefix.iter().flatten()).map(|attribute| &attribute.value)
}

fn count_invalid_booleans(value: &Value) -> usize {
    match value {
        Value::Bool(byte) => usize::from(*byte > 1),
        Value::BoolArray(bytes) => bytes.iter().filter(|&&byte| byte > 1).count(),
        _ => 0,
    }
}

/// Reports what a binary file requires and the text does not state.
fn report_synthesized_ids(graph: &Document, losses: &mut Losses) {
    let without = graph.elements.iter().filter(|element| element.id.is_none()).count();
    if without > 0 {
        losses.synthesized("elements", format!("ids of elements, computed from their index: {without}"));
    }
}
