//! Element graphs from one encoding into another: binary into text and back, without a scene.

use mapwright_dmx::{Document, Encoding, EncodingName, Profile, Reference, StringId, Value, WriteOptions};
use mapwright_interchange::Files;
use mapwright_scene::Losses;

use super::{Contents, Conversion, ConvertOptions};
use crate::{AnyDocument, Error, Format};

/// Whether the target is an encoding of the graph that the document is.
pub(super) fn is_encoding(document: &AnyDocument, to: Format) -> bool {
    document.graph().is_some() && (document.format() == to || to == Format::KeyValues2)
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
        graph.set_encoding(binary_of(encoding));
    }
    let source = Contents { elements: graph.elements.len(), ..Contents::default() };
    let main = graph.to_bytes_with(&options.text)?;
    Ok(Conversion { files: Files { main, side: Vec::new() }, losses, source })
}

/// Makes text of a binary graph.
pub(super) fn to_text(graph: &mut Document, options: &WriteOptions, losses: &mut Losses) {
    lost_in_text(graph, options, losses);
    graph.set_encoding(text_of(graph.header.encoding));
}

/// The text that programs read which read this binary: those of Source 1 know neither the types nor the prefix of version 4.
fn text_of(binary: Encoding) -> Encoding {
    match binary.version {
        ..=5 => Encoding { name: EncodingName::KeyValues2, version: 1 },
        _ => Encoding::KEYVALUES2_4,
    }
}

/// The newest binary that programs read which read this text.
fn binary_of(text: Encoding) -> Encoding {
    match text.version {
        ..=3 => Encoding { name: EncodingName::Binary, version: 5 },
        _ => Encoding::BINARY_9,
    }
}

/// What a binary file says that text has no words for.
fn lost_in_text(graph: &Document, options: &WriteOptions, losses: &mut Losses) {
    let floats = graph.lossy_floats(options.style);
    if floats > 0 {
        losses.approximated("elements", format!("floats that come back from this text with other bits: {floats}"));
    }
    if graph.profile() != Some(Profile::Valve) {
        let what = "elements and strings stand in another order than Valve's, which is the one that text comes back in";
        losses.approximated("elements", what);
    }
    let unused = unused_strings(graph);
    if unused > 0 {
        losses.dropped("strings", format!("strings of the table that nothing uses: {unused}"));
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

/// Strings of the table that nothing uses, but for those that Valve's programs put there in any case.
fn unused_strings(graph: &Document) -> usize {
    const ALWAYS: [&[u8]; 3] = [b"name", b"$prefix_attribute$", b""];
    let mut used = std::collections::HashSet::new();
    let mut mark = |id: StringId| used.insert(id);
    for element in &graph.elements {
        mark(element.class);
        mark(element.name);
        for attribute in &element.attributes {
            mark(attribute.name);
            if let Value::String(id) | Value::Element(Reference::External(id)) = attribute.value {
                mark(id);
            }
        }
    }
    let table = graph.strings.iter().take(graph.strings.table_len());
    table.filter(|(id, string)| !used.contains(id) && !ALWAYS.contains(string)).count()
}

/// What a binary file has to say and the text does not.
fn made_up_in_binary(graph: &Document, losses: &mut Losses) {
    let without = graph.elements.iter().filter(|element| element.id.is_none()).count();
    if without > 0 {
        losses.made_up("elements", format!("identities of elements, made of their places: {without}"));
    }
}
