//! Shared functions of the tests: reading documents, and showing them as text.

#![allow(dead_code, reason = "each test uses a part")]

use std::fmt::Write as _;

use mapwright_dmx::{Attribute, Document, Item, ReadError, Reference, ValueType};
use mapwright_testkit::{Refusal, witness::hex};

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Shows a document line by line in the format of another decoder (`dmx_dump.py`), but with all bytes.
pub(crate) fn dump(document: &Document) -> String {
    let header = &document.header;
    let mut out = String::new();
    let (encoding, format) = (header.encoding, quote(&header.format));
    let _ = writeln!(out, "dmx \"{}\" {} {format} {}", encoding.name.name(), encoding.version, header.format_version);
    for block in &document.prefix {
        let _ = writeln!(out, "prefix {}", block.len());
        block.iter().for_each(|attribute| line(&mut out, document, attribute));
    }
    for (index, element) in document.elements.iter().enumerate() {
        let (class, name) = (quote(document.string(element.class)), quote(document.string(element.name)));
        let id = element.id.map_or_else(|| "-".to_owned(), |id| id.to_string());
        let _ = writeln!(out, "element {index} {class} {name} {id}");
        element.attributes.iter().for_each(|attribute| line(&mut out, document, attribute));
    }
    out
}

/// Shows also what the other decoder does not print, to compare documents completely.
pub(crate) fn meaning(document: &Document) -> String {
    let links: Vec<i32> = document.elements.iter().map(|element| element.link).collect();
    format!("{}links {links:?}\ntrailing {}\n", dump(document), hex(&document.trailing))
}

fn line(out: &mut String, document: &Document, Attribute { name, value }: &Attribute) {
    let type_name = match value.value_type() {
        ValueType::ObjectId => "objectid",
        other => other.name(),
    };
    let items = value.items().map(|one| item(document, one)).collect::<Vec<_>>().join(", ");
    let _ = match value.array_len() {
        None => writeln!(out, "  {} {type_name} {items}", quote(document.string(*name))),
        Some(count) => writeln!(out, "  {} {type_name}_array {count} [{items}]", quote(document.string(*name))),
    };
}

fn item(document: &Document, item: Item<'_>) -> String {
    match item {
        Item::Element(Reference::Null) => "null".to_owned(),
        Item::Element(Reference::Element(id)) => format!("@{}", id.0),
        Item::Element(Reference::External(id)) => {
            format!("ext:{}", String::from_utf8_lossy(document.string(*id)).to_lowercase())
        }
        Item::Int(number) | Item::Time(number) => number.to_string(),
        Item::Float(float) => floats(&[*float]),
        Item::Bool(byte) | Item::UInt8(byte) => byte.to_string(),
        Item::String(id) => quote(document.string(*id)),
        Item::Binary(bytes) => format!("{} {}", bytes.len(), hex(bytes)),
        Item::ObjectId(id) => id.to_string(),
        Item::Color(color) => color.map(|part| part.to_string()).join(" "),
        Item::Vector2(row) => floats(row),
        Item::Vector3(row) | Item::QAngle(row) => floats(row),
        Item::Vector4(row) | Item::Quaternion(row) => floats(row),
        Item::Matrix(rows) => floats(rows),
        Item::UInt64(number) => format!("{number:#x}"),
    }
}

fn floats(floats: &[f32]) -> String {
    let bits: Vec<String> = floats.iter().map(|float| format!("{:08x}", float.to_bits())).collect();
    bits.join(" ")
}

fn quote(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => out.push_str(&format!("\\x{byte:02x}")),
            0x20..=0x7E => out.push(char::from(*byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out + "\""
}
