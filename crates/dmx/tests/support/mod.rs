//! What the tests share: how documents are read, and what they say as text.

#![allow(dead_code, reason = "each test uses a part")]

use std::fmt::Write as _;

use mapwright_dmx::{Attribute, Document, Guid, ReadError, Reference, Value, ValueType};
use mapwright_testkit::Refusal;

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Everything that a document says, line by line, in the words of another decoder (`dmx_dump.py`), but with all bytes.
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

/// The same, and what the other decoder does not print: for documents that should be equal in all that they say.
pub(crate) fn meaning(document: &Document) -> String {
    let links: Vec<i32> = document.elements.iter().map(|element| element.link).collect();
    format!("{}links {links:?}\ntrailing {}\n", dump(document), hex(&document.trailing))
}

fn line(out: &mut String, document: &Document, Attribute { name, value }: &Attribute) {
    let type_name = match value.value_type() {
        ValueType::ObjectId => "objectid",
        other => other.name(),
    };
    let items = items(document, value).join(", ");
    let _ = match value.array_len() {
        None => writeln!(out, "  {} {type_name} {items}", quote(document.string(*name))),
        Some(count) => writeln!(out, "  {} {type_name}_array {count} [{items}]", quote(document.string(*name))),
    };
}

fn items(document: &Document, value: &Value) -> Vec<String> {
    let reference = |reference: &Reference| match reference {
        Reference::Null => "null".to_owned(),
        Reference::Element(id) => format!("@{}", id.0),
        Reference::External(id) => format!("ext:{}", String::from_utf8_lossy(document.string(*id)).to_lowercase()),
    };
    let string = |id: &_| quote(document.string(*id));
    let bytes = |bytes: &[u8]| format!("{} {}", bytes.len(), hex(bytes));
    match value {
        Value::Element(item) => vec![reference(item)],
        Value::ElementArray(items) => items.iter().map(reference).collect(),
        Value::Int(item) | Value::Time(item) => vec![item.to_string()],
        Value::IntArray(items) | Value::TimeArray(items) => items.iter().map(ToString::to_string).collect(),
        Value::Float(item) => vec![floats(&[*item])],
        Value::FloatArray(items) => items.iter().map(|item| floats(&[*item])).collect(),
        Value::Bool(item) | Value::UInt8(item) => vec![item.to_string()],
        Value::BoolArray(items) | Value::UInt8Array(items) => items.iter().map(ToString::to_string).collect(),
        Value::String(item) => vec![string(item)],
        Value::StringArray(items) => items.iter().map(string).collect(),
        Value::Binary(item) => vec![bytes(item)],
        Value::BinaryArray(items) => items.iter().map(|item| bytes(item)).collect(),
        Value::ObjectId(item) => vec![item.to_string()],
        Value::ObjectIdArray(items) => items.iter().map(Guid::to_string).collect(),
        Value::Color(item) => vec![color(item)],
        Value::ColorArray(items) => items.iter().map(color).collect(),
        Value::Vector2(item) => vec![floats(item)],
        Value::Vector2Array(items) => items.iter().map(|item| floats(item)).collect(),
        Value::Vector3(item) | Value::QAngle(item) => vec![floats(item)],
        Value::Vector3Array(items) | Value::QAngleArray(items) => items.iter().map(|item| floats(item)).collect(),
        Value::Vector4(item) | Value::Quaternion(item) => vec![floats(item)],
        Value::Vector4Array(items) | Value::QuaternionArray(items) => items.iter().map(|item| floats(item)).collect(),
        Value::Matrix(item) => vec![floats(&item[..])],
        Value::MatrixArray(items) => items.iter().map(|item| floats(item)).collect(),
        Value::UInt64(item) => vec![format!("{item:#x}")],
        Value::UInt64Array(items) => items.iter().map(|item| format!("{item:#x}")).collect(),
    }
}

fn floats(floats: &[f32]) -> String {
    let bits: Vec<String> = floats.iter().map(|float| format!("{:08x}", float.to_bits())).collect();
    bits.join(" ")
}

fn color(color: &[u8; 4]) -> String {
    color.map(|part| part.to_string()).join(" ")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
