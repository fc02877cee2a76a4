//! Element graphs as JSON.

mod build;

use std::io::{self, Write};

use mapwright_dmx::{Attribute, Document, Element, Item, Reference};

use super::{hex, string};

pub(crate) use build::{graph, write_spelling};

/// Writes an element graph as JSON, in one line, with everything that the file says.
///
/// | part | JSON |
/// |---|---|
/// | graph | `{"encoding":"binary 9","format":"vmap","format_version":40,"prefix":[[ATTRIBUTE,…],…],"strings":["…",…],"elements":[ELEMENT,…]}`, and `"trailing":"hex"` for bytes behind the end |
/// | element | `{"class":"…","name":"…","id":"GUID","attributes":[ATTRIBUTE,…]}`; no `id` where a text gives none; `"link":n` where it is not −1 |
/// | attribute | `{"name":"…","type":"int","value":VALUE}`; arrays have the type `int_array` and an array of values |
/// | `element` | the index of the element, counted from 0; `null`; `{"external":"GUID"}` for one of another file |
/// | `int`, `uint8` | number |
/// | `float` | number that reads back to the same float; `{"bits":"7fc00000"}` where it is not finite |
/// | `bool` | `true`, `false`; a number for bytes above 1 |
/// | `string` | string; `{"bytes":"hex"}` where it is not UTF-8 |
/// | `binary` | string in hexadecimal |
/// | `time` | number of units of 0.1 ms |
/// | `color` | `[red,green,blue,alpha]` |
/// | `vector2` … `quaternion`, `matrix` | array of numbers, as `float`; a matrix row by row |
/// | `elementid` | `"GUID"` |
/// | `uint64` | string, `"0x…"`: more digits than numbers have in most programs |
///
/// `strings` is the string table of a binary file, in which also strings stand that nothing uses. What is not there is the
/// spelling of a text file, and which of several equal strings of the table is meant.
/// [`write_dump`](crate::AnyDocument::write_dump) says it.
///
/// # Errors
/// Those of the writer.
pub fn write_graph_json(out: &mut dyn Write, graph: &Document) -> io::Result<()> {
    let header = &graph.header;
    write!(out, "{{\"encoding\":\"{}\",\"format\":", header.encoding)?;
    bytes(out, &header.format)?;
    write!(out, ",\"format_version\":{},\"prefix\":", header.format_version)?;
    list(out, &graph.prefix, |out, block| attributes(out, graph, block))?;
    out.write_all(b",\"strings\":")?;
    list(out, graph.strings.iter().take(graph.strings.table_len()), |out, (_, string)| bytes(out, string))?;
    out.write_all(b",\"elements\":")?;
    list(out, &graph.elements, |out, item| element(out, graph, item))?;
    if !graph.trailing.is_empty() {
        out.write_all(b",\"trailing\":")?;
        blob(out, &graph.trailing)?;
    }
    out.write_all(b"}")
}

fn element(out: &mut dyn Write, graph: &Document, element: &Element) -> io::Result<()> {
    out.write_all(b"{\"class\":")?;
    bytes(out, graph.string(element.class))?;
    out.write_all(b",\"name\":")?;
    bytes(out, graph.string(element.name))?;
    if let Some(id) = element.id {
        write!(out, ",\"id\":\"{id}\"")?;
    }
    if element.link != -1 {
        write!(out, ",\"link\":{}", element.link)?;
    }
    out.write_all(b",\"attributes\":")?;
    attributes(out, graph, &element.attributes)?;
    out.write_all(b"}")
}

fn attributes(out: &mut dyn Write, graph: &Document, attributes: &[Attribute]) -> io::Result<()> {
    list(out, attributes, |out, Attribute { name, value }| {
        out.write_all(b"{\"name\":")?;
        bytes(out, graph.string(*name))?;
        let is_array = value.array_len().is_some();
        let array = if is_array { "_array" } else { "" };
        write!(out, ",\"type\":\"{}{array}\",\"value\":", value.value_type().name())?;
        let mut items = value.items();
        if is_array {
            list(out, items, |out, one| item(out, graph, one))?;
        } else {
            items.try_for_each(|one| item(out, graph, one))?;
        }
        out.write_all(b"}")
    })
}

fn item(out: &mut dyn Write, graph: &Document, item: Item<'_>) -> io::Result<()> {
    match item {
        Item::Element(Reference::Null) => out.write_all(b"null"),
        Item::Element(Reference::Element(id)) => write!(out, "{}", id.0),
        Item::Element(Reference::External(id)) => {
            out.write_all(b"{\"external\":")?;
            bytes(out, graph.string(*id))?;
            out.write_all(b"}")
        }
        Item::Int(number) | Item::Time(number) => write!(out, "{number}"),
        Item::Float(one) => float(out, one),
        Item::Bool(byte) => truth(out, *byte),
        Item::String(id) => bytes(out, graph.string(*id)),
        Item::Binary(bytes) => blob(out, bytes),
        Item::ObjectId(id) => write!(out, "\"{id}\""),
        Item::Color(color) => list(out, color, number),
        Item::Vector2(row) => list(out, row, float),
        Item::Vector3(row) | Item::QAngle(row) => list(out, row, float),
        Item::Vector4(row) | Item::Quaternion(row) => list(out, row, float),
        Item::Matrix(rows) => list(out, rows, float),
        Item::UInt64(number) => write!(out, "\"{number:#x}\""),
        Item::UInt8(byte) => number(out, byte),
    }
}

fn list<T>(
    out: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    let mut separator: &[u8] = b"[";
    for one in items {
        out.write_all(separator)?;
        item(out, one)?;
        separator = b",";
    }
    out.write_all(if separator == b"[" { b"[]" } else { b"]" })
}

fn number(out: &mut dyn Write, number: &u8) -> io::Result<()> {
    write!(out, "{number}")
}

fn float(out: &mut dyn Write, float: &f32) -> io::Result<()> {
    if float.is_finite() { write!(out, "{float:?}") } else { write!(out, "{{\"bits\":\"{:08x}\"}}", float.to_bits()) }
}

fn truth(out: &mut dyn Write, byte: u8) -> io::Result<()> {
    match byte {
        0 => out.write_all(b"false"),
        1 => out.write_all(b"true"),
        byte => write!(out, "{byte}"),
    }
}

fn bytes(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    match std::str::from_utf8(bytes) {
        Ok(text) => string(out, text),
        Err(_) => {
            out.write_all(b"{\"bytes\":")?;
            blob(out, bytes)?;
            out.write_all(b"}")
        }
    }
}

fn blob(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(b"\"")?;
    hex(out, bytes)?;
    out.write_all(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_dmx::{ElementId, Encoding, Guid, Value};

    #[test]
    fn every_type_has_its_form() {
        let mut graph = Document::new(Encoding::BINARY_9, "test", 3, "Root", Guid::default());
        let odd = graph.string_value(b"\xff");
        let texts = graph.string_array(["a\"b", ""]);
        let elsewhere = Reference::External(graph.intern("00000000-0000-0000-0000-000000000001"));
        let nobody = "00000000-0000-0000-0000-000000000000";
        for (index, (value, kind, expected)) in [
            (Value::Element(Reference::Null), "element", "null".to_owned()),
            (
                Value::ElementArray([Reference::Element(ElementId::ROOT), elsewhere].into()),
                "element_array",
                r#"[0,{"external":"00000000-0000-0000-0000-000000000001"}]"#.to_owned(),
            ),
            (Value::Int(-7), "int", "-7".to_owned()),
            (Value::Float(0.1), "float", "0.1".to_owned()),
            (
                Value::FloatArray([-0.0, 1e20, 1e-20, f32::INFINITY].into()),
                "float_array",
                r#"[-0.0,1e20,1e-20,{"bits":"7f800000"}]"#.to_owned(),
            ),
            (Value::BoolArray([0, 1, 2].into()), "bool_array", "[false,true,2]".to_owned()),
            (odd, "string", r#"{"bytes":"ff"}"#.to_owned()),
            (texts, "string_array", r#"["a\"b",""]"#.to_owned()),
            (Value::Binary([0, 255].into()), "binary", r#""00ff""#.to_owned()),
            (Value::BinaryArray([].into()), "binary_array", "[]".to_owned()),
            (Value::Time(15), "time", "15".to_owned()),
            (Value::ObjectId(Guid::default()), "elementid", format!("\"{nobody}\"")),
            (Value::Color([1, 2, 3, 4]), "color", "[1,2,3,4]".to_owned()),
            (Value::Vector2Array([[1.0, 2.0]].into()), "vector2_array", "[[1.0,2.0]]".to_owned()),
            (Value::QAngle([1.0, 2.0, 3.0]), "qangle", "[1.0,2.0,3.0]".to_owned()),
            (Value::UInt64(u64::MAX), "uint64", r#""0xffffffffffffffff""#.to_owned()),
            (Value::UInt8Array([1, 2].into()), "uint8_array", "[1,2]".to_owned()),
        ]
        .into_iter()
        .enumerate()
        {
            graph.set(ElementId::ROOT, format!("a{index}"), value);
            let mut out = Vec::new();
            write_graph_json(&mut out, &graph).unwrap();
            let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(json["elements"][0]["attributes"][index]["type"], kind);
            let text = String::from_utf8(out).unwrap();
            assert!(text.ends_with(&format!("\"type\":\"{kind}\",\"value\":{expected}}}]}}]}}")), "{text}");
        }
        let mut out = Vec::new();
        write_graph_json(&mut out, &graph).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!((&json["encoding"], &json["format_version"]), (&"binary 9".into(), &3.into()));
        assert_eq!((&json["elements"][0]["class"], &json["elements"][0]["id"]), (&"Root".into(), &nobody.into()));
    }
}
