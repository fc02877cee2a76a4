//! Documents as JSON.
#![cfg(feature = "serde")]

use mapwright_dmx::{Document, ElementId, Encoding, Guid, Reference, Value};
use mapwright_testkit::{files_below, workspace};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::strategies;

fn through_json(document: &Document) -> Document {
    let json = serde_json::to_string(document).unwrap();
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {}", &json[..json.len().min(2000)]))
}

#[test]
fn fixtures_come_back_byte_for_byte() {
    let mut files = 0;
    for path in ["dmx", "vmap"].iter().flat_map(|folder| files_below(&workspace().join("fixtures").join(folder))) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = Document::from_bytes(&bytes) else { continue };
        assert!(through_json(&document).to_bytes().unwrap() == bytes, "{}", path.display());
        files += 1;
    }
    assert!(files > 10, "{files}");
}

proptest! {
    #[test]
    fn any_document_comes_back(document in strategies::document()) {
        let bytes = document.to_bytes().unwrap();
        prop_assert_eq!(through_json(&document).to_bytes().unwrap(), bytes);
    }
}

fn document() -> Document {
    Document::new(Encoding::BINARY_9, "test", 3, "Root", Guid::default())
}

#[test]
fn every_type_has_its_form() {
    let mut graph = document();
    let bytes = graph.string_value(b"\xff");
    let texts = graph.string_array(["a\"b", ""]);
    let external = Reference::External(graph.intern("00000000-0000-0000-0000-000000000001"));
    let references = Value::ElementArray([Reference::Element(ElementId::ROOT), external].into());
    let floats = Value::FloatArray([-0.0, 1e20, 1e-20, f32::INFINITY, 7.038_531e-26].into());
    let cases = [
        (Value::Element(Reference::Null), "element", json!(null)),
        (references, "element_array", json!([0, {"external": "00000000-0000-0000-0000-000000000001"}])),
        (Value::Int(-7), "int", json!(-7)),
        (Value::Float(0.5), "float", json!(0.5)),
        // The shortest digits of the last number give other bits when they are read as a double.
        (floats, "float_array", json!([-0.0, 1e20, 1e-20, {"bits": "7f800000"}, {"bits": "15ae43fd"}])),
        (Value::BoolArray([0, 1, 2].into()), "bool_array", json!([false, true, 2])),
        (bytes, "string", json!({"bytes": "ff"})),
        (texts, "string_array", json!(["a\"b", ""])),
        (Value::Binary([0, 255].into()), "binary", json!("00ff")),
        (Value::BinaryArray([].into()), "binary_array", json!([])),
        (Value::Time(15), "time", json!(15)),
        (Value::Color([1, 2, 3, 4]), "color", json!([1, 2, 3, 4])),
        (Value::Vector2Array([[1.0, 2.0]].into()), "vector2_array", json!([[1.0, 2.0]])),
        (Value::QAngle([1.0, 2.0, 3.0]), "qangle", json!([1.0, 2.0, 3.0])),
        (Value::UInt64(u64::MAX), "uint64", json!("0xffffffffffffffff")),
        (Value::UInt8Array([1, 2].into()), "uint8_array", json!([1, 2])),
    ];
    for (index, (value, _, _)) in cases.iter().enumerate() {
        graph.set(ElementId::ROOT, format!("a{index}"), value.clone());
    }
    let text = serde_json::to_string(&graph).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    let attributes = &json["elements"][0]["attributes"];
    for (index, (_, kind, expected)) in cases.iter().enumerate() {
        assert_eq!(attributes[index], json!({"name": format!("a{index}"), "type": kind, "value": expected}));
    }
    assert_eq!((&json["encoding"], &json["format_version"]), (&json!("binary 9"), &json!(3)));
    assert_eq!(json["elements"][0]["id"], "00000000-0000-0000-0000-000000000000");
    let back: Document = serde_json::from_str(&text).unwrap();
    for (index, (value, _, _)) in cases.iter().enumerate() {
        let read = back.root().unwrap().get(format!("a{index}")).unwrap();
        assert!(mapwright_dmx::diff::same_value((&back, read), (&graph, value)), "{index}");
    }
}

#[test]
fn a_changed_text_keeps_the_formatting_of_the_rest() {
    let text = "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n// by hand\n\"DmElement\"\n{\n\"a\"   \"int\" \"01\"\n\"b\" \"int\" \"2\"\n}\n";
    let mut json = serde_json::to_value(Document::from_bytes(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(json["source"], text);
    json["elements"][0]["attributes"][1]["value"] = 3.into();
    let changed: Document = serde_json::from_value(json).unwrap();
    assert_eq!(String::from_utf8(changed.to_bytes().unwrap()).unwrap(), text.replace("\"2\"", "\"3\""));
}

#[test]
fn faulty_values_are_reported_with_their_path() {
    let mut graph = document();
    graph.set(ElementId::ROOT, "a", Value::Int(1));
    for (pointer, value, expected) in [
        ("/elements/0/attributes/0/value", json!(1.5), "type \"int\" in elements[0].attributes[0].value"),
        ("/elements/0/attributes/0/type", json!("word"), "type \"word\""),
        (
            "/elements/0/attributes/0/value",
            json!({"bits": "0", "b": 2}),
            "type \"int\" in elements[0].attributes[0].value",
        ),
        ("/elements/0/id", json!("1"), "identity"),
        ("/encoding", json!("binary"), "expected an encoding"),
        ("/elements/0/class", json!({"bytes": "f"}), "hexadecimal digits"),
        ("/elements/0/klass", json!(""), "klass"),
    ] {
        let mut json = serde_json::to_value(&graph).unwrap();
        match json.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => json["elements"][0]["klass"] = value,
        }
        let error = serde_json::from_value::<Document>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
