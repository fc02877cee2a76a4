//! Element graphs from one encoding into another: binary into text and back, without a scene.

use mapwright_dmx::{Document, Encoding, EncodingName, Value, ValueType, WriteOptions, WriterProfile};
use mapwright_interchange::Files;
use mapwright_scene::Losses;

use super::{Contents, Conversion, ConvertOptions};
use crate::{AnyDocument, Error, Format};

/// Whether the target is an encoding of the graph that the document is, as it is.
pub(super) fn is_encoding(document: &AnyDocument, to: Format, options: &ConvertOptions) -> bool {
    let Some(graph) = document.graph() else { return false };
    #[cfg(feature = "vmap")]
    let stays = options.subdivision == mapwright_vmap::scene::Subdivision::Coarse
        && options.map_format.is_none_or(|version| version == graph.header.format_version);
    #[cfg(not(feature = "vmap"))]
    let (stays, _) = (true, (graph, options));
    stays && (document.format() == to || to == Format::KeyValues2)
}

/// Writes a graph in the encoding of the target.
pub(super) fn convert(document: AnyDocument, to: Format, options: &ConvertOptions) -> Result<Conversion, Error> {
    let mut graph = match document {
        #[cfg(feature = "vmap")]
        AnyDocument::Vmap(map) => map.into_graph(),
        AnyDocument::Dmx(graph) => graph,
        other => return Err(Error::Unsupported { format: other.format(), what: "written as an element graph" }),
    };
    let mut losses = Losses::default();
    let encoding = graph.header.encoding;
    if to == Format::KeyValues2 {
        if !encoding.is_text() {
            to_text(&mut graph, &options.text, &mut losses);
        } else if options.text != WriteOptions::default() {
            graph.forget_source();
        }
    } else if encoding.is_text() {
        made_up_in_binary(&graph, &mut losses);
        let binary = binary_of(&graph);
        graph.set_encoding(binary);
    }
    let source = Contents { elements: graph.elements.len(), ..Contents::default() };
    let main = graph.to_bytes_with(&options.text_within_limit())?;
    Ok(Conversion { files: Files { main, side: Vec::new() }, losses, source })
}

/// Makes text of a binary graph.
pub(super) fn to_text(graph: &mut Document, options: &WriteOptions, losses: &mut Losses) {
    lost_in_text(graph, options, losses);
    let binary = graph.header.encoding;
    graph.set_encoding(text_of(binary));
    let back = binary_of(graph);
    if back != binary {
        losses.approximated("header", format!("{binary}: from this text it comes back as {back}"));
    }
}

/// The text that programs read which read this binary: those of Source 1 know neither the types nor the prefix of version 4.
fn text_of(binary: Encoding) -> Encoding {
    match binary.version {
        ..=5 => Encoding { name: EncodingName::KeyValues2, version: 1 },
        _ => Encoding::KEYVALUES2_4,
    }
}

/// The newest binary that programs read which read this text, and that has all types of its values.
fn binary_of(text: &Document) -> Encoding {
    let is_old = |value: &Value| value.value_type() == ValueType::ObjectId;
    let version = match text.header.encoding.version {
        ..=3 if values(text).any(is_old) => 2,
        ..=3 => 5,
        _ => return Encoding::BINARY_9,
    };
    Encoding { name: EncodingName::Binary, version }
}

/// What a binary file says that text has no words for.
fn lost_in_text(graph: &Document, options: &WriteOptions, losses: &mut Losses) {
    let floats = graph.lossy_floats(options.style);
    if floats > 0 {
        losses.approximated("elements", format!("floats that come back from this text with other bits: {floats}"));
    }
    if graph.profile() != Some(WriterProfile::Valve) {
        let what = "elements and strings stand in another order than Valve's, which is the one that text comes back in";
        losses.approximated("elements", what);
    }
    let unused = graph.unused_strings().filter(|string| !ALWAYS.contains(string)).count();
    if unused > 0 {
        losses.dropped("strings", format!("strings of the table that nothing uses: {unused}"));
    }
    if graph.prefix_slot() > 0 {
        let what = "the copy of the prefix attributes does not stand behind the root, where it comes back";
        losses.approximated("prefix", what);
    }
    if !graph.trailing.is_empty() {
        losses.dropped("trailing", format!("bytes behind the end: {}", graph.trailing.len()));
    }
    let links = graph.elements.iter().filter(|element| element.link != -1).count();
    if links > 0 {
        losses.dropped("elements", format!("link fields of elements: {links}"));
    }
    let truths = values(graph).map(odd_truths).sum::<usize>();
    if truths > 0 {
        losses.approximated("elements", format!("truths that are neither 0 nor 1 and become 1: {truths}"));
    }
}

/// Strings that Valve's programs have in the table in any case.
const ALWAYS: [&[u8]; 3] = [b"name", b"$prefix_attribute$", b""];

fn values(graph: &Document) -> impl Iterator<Item = &Value> {
    let attributes = graph.elements.iter().flat_map(|element| &element.attributes);
    attributes.chain(graph.prefix.iter().flatten()).map(|attribute| &attribute.value)
}

fn odd_truths(value: &Value) -> usize {
    match value {
        Value::Bool(byte) => usize::from(*byte > 1),
        Value::BoolArray(bytes) => bytes.iter().filter(|&&byte| byte > 1).count(),
        _ => 0,
    }
}

/// What a binary file has to say and the text does not.
fn made_up_in_binary(graph: &Document, losses: &mut Losses) {
    let without = graph.elements.iter().filter(|element| element.id.is_none()).count();
    if without > 0 {
        losses.synthesized("elements", format!("identities of elements, made of their places: {without}"));
    }
}
