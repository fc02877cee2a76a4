//! `mapwright-dmx` against `datamodel`: a large map from bytes and back, as binary and as text.

use std::time::Duration;

use datamodel::Serializer as _;
use datamodel::serializers::{BinarySerializer, KeyValues2Serializer};
use mapwright_dmx::{Document, Element, ElementId, Encoding, Guid, Reference, Value, WriterProfile};
use mapwright_testkit::corpus;

use super::{memory, race, ratio, speed, timed, timed_with};
use crate::fixtures::dmx::document_of_all_types;

/// The map is repeated until it has this number of bytes.
const SIZE: usize = 60_000_000;

pub(super) fn bench() -> Result<(), String> {
    let (name, document) = sample()?;
    let binary = document.to_bytes().map_err(|error| error.to_string())?;
    let mut as_text = document.clone();
    as_text.set_encoding(Encoding::KEYVALUES2_4);
    let text = as_text.to_bytes().map_err(|error| error.to_string())?;
    println!(
        "{name}, {} elements: {} MB as binary 9, {} MB as text. Megabytes of it per second; the factor is over datamodel.\n",
        document.elements.len(),
        binary.len() / 1_000_000,
        text.len() / 1_000_000
    );
    println!("| | mapwright-dmx | datamodel | factor |\n|---|---|---|---|");
    let [ours, theirs] = race([&mut timed(|| Document::from_bytes(&binary)), &mut timed(|| their(&binary))]);
    row("binary read", binary.len(), ours, theirs);
    let [copied, kept, theirs] = race([
        &mut timed(|| Document::from_bytes(&text)),
        &mut timed_with(|| text.clone(), Document::from_vec),
        &mut timed(|| their(&text)),
    ]);
    row("text read, `from_bytes`", text.len(), copied, theirs);
    row("text read, `from_vec`", text.len(), kept, theirs);
    let (header, root) = their(&binary)?;
    let [ours, theirs] = race([
        &mut timed(|| document.to_bytes()),
        &mut timed(|| {
            let mut out = Vec::new();
            BinarySerializer::serialize(&mut out, &header, &root).map(|()| out).map_err(|error| error.to_string())
        }),
    ]);
    row("binary write", binary.len(), ours, theirs);
    let [ours, theirs] = race([
        &mut timed(|| as_text.to_bytes()),
        &mut timed(|| {
            let mut out = Vec::new();
            KeyValues2Serializer::serialize(&mut out, &header, &root).map(|()| out).map_err(|error| error.to_string())
        }),
    ]);
    row("text write", text.len(), ours, theirs);
    println!("\nPeak memory of reading, in multiples of the binary file:\n");
    memory::table(&["dmx", "datamodel"], &binary, binary.len())?;
    println!("\nand of the text:\n");
    memory::table(&["dmx", "dmx, from_vec", "datamodel"], &text, text.len())
}

fn row(what: &str, bytes: usize, ours: Duration, theirs: Duration) {
    println!("| {what} | {} | {} | {} |", speed(bytes, ours), speed(bytes, theirs), ratio(theirs, ours));
}

/// Reads with the other crate.
pub(super) fn their(bytes: &[u8]) -> Result<(datamodel::Header, datamodel::element::Element), String> {
    let mut bytes = bytes;
    datamodel::deserialize(&mut bytes).map_err(|error| error.to_string())
}

/// Returns a map of the corpus or a generated graph, repeated.
pub(super) fn sample() -> Result<(String, Document), String> {
    const MAP: &str = "sbox_hc1_refinery_a_site.vmap";
    let (name, document, parent) = match corpus("vmap").map(|folder| folder.join(MAP)).filter(|path| path.is_file()) {
        Some(path) => {
            let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let document = Document::from_bytes(&bytes).map_err(|error| format!("{MAP}: {error}"))?;
            let world = document.iter().find(|element| element.is("CMapWorld")).ok_or("a map has a world")?.id();
            (MAP, document, world)
        }
        None => {
            let mut document = document_of_all_types(Encoding::BINARY_9);
            let kids = document.iter().skip(1).map(|kid| Reference::Element(kid.id())).collect();
            document.set(ElementId::ROOT, "children", Value::ElementArray(kids));
            ("a graph made here", document, ElementId::ROOT)
        }
    };
    let size = document.to_bytes().map_err(|error| error.to_string())?.len();
    let times = SIZE.div_ceil(size);
    Ok((format!("{name} × {times}"), repeated(document, parent, times)))
}

/// Repeats the children of an element. Each copy has its whole subtree, with its own identities and numbers.
pub(super) fn repeated(mut document: Document, parent: ElementId, times: usize) -> Document {
    let Some(Value::ElementArray(children)) =
        document.element(parent).and_then(|parent| parent.get("children")).cloned()
    else {
        return document;
    };
    let kids = children.iter().filter_map(|child| match child {
        Reference::Element(id) => Some(*id),
        _ => None,
    });
    let subtrees: Vec<Vec<usize>> = kids.map(|kid| subtree(&document, kid)).collect();
    let mut all = children.to_vec();
    let mut next_id = 1_000_000;
    for copy in 1..times {
        for tree in &subtrees {
            let base = document.elements.len();
            let mut moved: Vec<Element> = tree.iter().map(|index| document.elements[*index].clone()).collect();
            let follow = |reference: &mut Reference| {
                if let Reference::Element(id) = reference
                    && let Some(place) = tree.iter().position(|index| *index == id.index())
                {
                    *id = ElementId(u32::try_from(base + place).unwrap_or(u32::MAX));
                }
            };
            for (place, element) in moved.iter_mut().enumerate() {
                element.id = Some(Guid::from_hash(format!("{copy} {base} {place}").as_bytes()));
                for attribute in &mut element.attributes {
                    let name = document.strings.get(attribute.name);
                    match &mut attribute.value {
                        Value::Element(reference) => follow(reference),
                        Value::ElementArray(references) => references.iter_mut().for_each(follow),
                        Value::Int(number) if name == b"nodeID" => {
                            *number = next_id;
                            next_id += 1;
                        }
                        Value::UInt64(number) if name == b"referenceID" => *number = u64::from(next_id.cast_unsigned()),
                        _ => {}
                    }
                }
            }
            document.elements.append(&mut moved);
            all.push(Reference::Element(ElementId(u32::try_from(base).unwrap_or(u32::MAX))));
        }
    }
    document.set(parent, "children", Value::ElementArray(all.into()));
    document.lay_out(WriterProfile::Valve);
    document
}

/// Returns an element and the elements that it reaches, itself first.
fn subtree(document: &Document, root: ElementId) -> Vec<usize> {
    let mut found = vec![root.index()];
    let mut at = 0;
    while let Some(index) = found.get(at).copied() {
        for id in document.elements[index].attributes.iter().flat_map(|attribute| attribute.value.elements()) {
            if !found.contains(&id.index()) {
                found.push(id.index());
            }
        }
        at += 1;
    }
    found
}
