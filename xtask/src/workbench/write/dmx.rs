//! Element graphs for srctools, each with a list of its contents. `datamodel` is run in this process.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mapwright_dmx::{Document, ElementId, Encoding, EncodingName, Item, Reference, WriterProfile};

use crate::fixtures::dmx::{document_of_all_types, document_of_graph};

pub(super) fn write(folder: &Path) -> Result<(), String> {
    let mut count = 0;
    for (name, make) in [("types", document_of_all_types as fn(Encoding) -> Document), ("graph", document_of_graph)] {
        let binary = (1..=5).map(|version| Encoding { name: EncodingName::Binary, version });
        let text = Encoding { name: EncodingName::KeyValues2, version: 1 };
        for encoding in binary.chain([text]) {
            let mut document = make(encoding);
            // srctools fails at single matrices, truncates arrays of them, has another name for them, and has no identities as values.
            for attribute in [
                "matrix",
                "matrix array",
                "empty matrix array",
                "elementid",
                "elementid array",
                "empty elementid array",
            ] {
                document.unset(ElementId::ROOT, attribute);
            }
            // In arrays of binary files, it only reads ASCII.
            let strings = document.string_array(["one", "", "two words"]);
            document.set(ElementId::ROOT, "string array", strings);
            document.lay_out(WriterProfile::Valve);
            let path = folder.join(format!("{name}-{}{}.dmx", encoding.name.name(), encoding.version));
            let bytes = document.to_bytes().map_err(|error| format!("{}: {error}", path.display()))?;
            fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
            let list = path.with_extension("txt");
            fs::write(&list, listed(&document)).map_err(|error| format!("{}: {error}", list.display()))?;
            count += 1;
        }
        ask_datamodel(name, &make(Encoding::BINARY_9))?;
    }
    println!("{count} graphs");
    Ok(())
}

/// Reads and writes a document with the other crate, and compares the contents. That crate drops prefix attributes and elements that
/// the root does not reach, and creates elements for external references.
fn ask_datamodel(name: &str, document: &Document) -> Result<(), String> {
    use datamodel::Serializer as _;
    let bytes = document.to_bytes().map_err(|error| format!("{name}: {error}"))?;
    let (header, root) = datamodel::deserialize(&mut bytes.as_slice())
        .map_err(|error| format!("{name}: datamodel rejects it: {error}"))?;
    let mut written = Vec::new();
    datamodel::serializers::BinarySerializer::serialize(&mut written, &header, &root)
        .map_err(|error| format!("{name}: datamodel cannot write it again: {error}"))?;
    let theirs = Document::from_bytes(&written).map_err(|error| format!("{name}: output of datamodel: {error}"))?;
    let (ours, theirs) = (listed(document), listed(&theirs));
    // External references have become elements without attributes after the others.
    let known = |line: &&str| !line.contains("ext:");
    let different = ours.lines().filter(known).find(|line| !theirs.lines().any(|other| other == *line));
    match different {
        Some(line) => Err(format!("{name}: missing in datamodel: {line}")),
        None => Ok(()),
    }
}

/// Lists the elements that the root reaches and their attributes, one line each. Fields are separated by tabs. Floats are bits; strings
/// and bytes are hexadecimal digits.
fn listed(document: &Document) -> String {
    let mut order = vec![ElementId::ROOT];
    let mut at = 0;
    while let Some(id) = order.get(at).copied() {
        let Some(element) = document.element(id) else { break };
        for next in element.attributes().flat_map(|(_, value)| value.elements()) {
            if !order.contains(&next) {
                order.push(next);
            }
        }
        at += 1;
    }
    let mut out = String::new();
    for element in order.into_iter().filter_map(|id| document.element(id)) {
        let guid = element.guid().map_or_else(String::new, |guid| guid.to_string());
        let _ = writeln!(out, "element\t{}\t{}\t{guid}", hex(element.class()), hex(element.name()));
        for (name, value) in element.attributes() {
            let kind = if value.array_len().is_some() { "array" } else { "value" };
            let items = value.items().map(|one| format!("\t{}", item(document, one))).collect::<String>();
            let _ = writeln!(out, "{kind}\t{guid}\t{}\t{}{items}", hex(name), value.value_type().name());
        }
    }
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn item(document: &Document, item: Item<'_>) -> String {
    let floats =
        |floats: &[f32]| floats.iter().map(|float| format!("{:08x}", float.to_bits())).collect::<Vec<_>>().join(" ");
    match item {
        Item::Element(Reference::Null) => "null".to_owned(),
        Item::Element(Reference::Element(id)) => {
            let guid = document.element(*id).and_then(mapwright_dmx::ElementRef::guid);
            guid.map_or_else(String::new, |guid| guid.to_string())
        }
        Item::Element(Reference::External(id)) => format!("ext:{}", String::from_utf8_lossy(document.string(*id))),
        Item::Int(number) | Item::Time(number) => number.to_string(),
        Item::Float(float) => floats(&[*float]),
        Item::Bool(byte) | Item::UInt8(byte) => byte.to_string(),
        Item::String(id) => hex(document.string(*id)),
        Item::Binary(bytes) => hex(bytes),
        Item::ObjectId(id) => id.to_string(),
        Item::Color(color) => color.map(|part| part.to_string()).join(" "),
        Item::Vector2(row) => floats(row),
        Item::Vector3(row) | Item::QAngle(row) => floats(row),
        Item::Vector4(row) | Item::Quaternion(row) => floats(row),
        Item::Matrix(rows) => floats(rows),
        Item::UInt64(number) => number.to_string(),
    }
}
