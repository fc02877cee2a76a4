//! Schemas of dumps: every dump keeps its own, and a schema accepts what building accepts.
#![cfg(all(feature = "tiled", feature = "vmap", feature = "wings", feature = "wmp", feature = "wrp", feature = "wwd"))]

mod agreement;
mod coverage;
mod samples;

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use mapwright::wwd::{FieldValue, Header, Object, Plane};
use mapwright::{AnyDocument, Format, JsonLayout};
use mapwright_testkit::{corpus, files_below};
use serde_json::Value as Json;

/// Larger files take long, and add nothing new.
const SMALL: u64 = 48 << 10;

fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| format.access().lossless)
}

fn schema(format: Format) -> Json {
    serde_json::from_str(format.dump_schema().expect("it has a dump")).unwrap()
}

fn validator(format: Format) -> Validator {
    jsonschema::validator_for(&schema(format)).unwrap_or_else(|error| panic!("{format}: {error}"))
}

fn dump(document: &AnyDocument) -> Json {
    let mut json = b"{\"schema\":\"mapwright.dump/1\",\"file\":\"name\",".to_vec();
    document.write_dump_fields(&mut json, JsonLayout::OneLine).unwrap();
    json.push(b'}');
    serde_json::from_slice(&json).unwrap()
}

/// The dumps of files below a folder that are small.
fn dumps_below(folder: &Path) -> impl Iterator<Item = (Format, String, Json)> {
    files_below(folder).into_iter().filter_map(|path| {
        if fs::metadata(&path).unwrap().len() > SMALL {
            return None;
        }
        let document = AnyDocument::from_bytes(&fs::read(&path).unwrap()).ok()?;
        let format = document.format();
        format.access().lossless.then(|| (format, path.display().to_string(), dump(&document)))
    })
}

#[track_caller]
fn assert_valid(validator: &Validator, name: &str, json: &Json) {
    if let Some(error) = validator.iter_errors(json).next() {
        let schema = error.schema_path().to_string();
        panic!("{name}: {}: {error:.300} ({schema})", error.instance_path());
    }
}

#[test]
fn formats_with_a_dump_have_a_schema() {
    for &format in Format::ALL {
        assert_eq!(format.dump_schema().is_some(), format.access().lossless, "{format}");
    }
    for format in formats() {
        let schema = schema(format);
        jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(schema["$id"], format!("urn:mapwright:dump:1:{format}"));
        assert_eq!(schema["properties"]["format"]["const"], format.name());
    }
}

/// A schema is what people read to learn what a field is.
#[test]
fn every_property_is_described() {
    for format in formats() {
        let schema = schema(format);
        for pointer in coverage::properties(&schema) {
            let property = schema.pointer(&pointer).unwrap();
            let said = |json: &Json| json["description"].as_str().is_some_and(|text| !text.is_empty());
            let named = property["$ref"].as_str().and_then(|name| schema.pointer(name.strip_prefix('#')?));
            assert!(said(property) || named.is_some_and(said), "{format}: {pointer}");
        }
    }
}

/// Self-contained schemas repeat shared definitions.
#[test]
fn shared_parts_have_equal_schemas() {
    for (one, other) in [(Format::Dmx, Format::Vmap), (Format::Etf, Format::Wings)] {
        let [mut one, mut other] = [one, other].map(schema);
        for schema in [&mut one, &mut other] {
            for name in ["$id", "title", "description"] {
                schema.as_object_mut().unwrap().remove(name);
            }
            schema["properties"]["format"].take();
            if let Some(format) = schema.pointer_mut("/$defs/graph/properties/format") {
                format.take();
            }
        }
        assert_eq!(one, other);
    }
}

#[test]
fn schemas_of_output_are_valid_and_described() {
    for (command, text) in mapwright::OUTPUT_SCHEMAS {
        let schema: Json = serde_json::from_str(text).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|error| panic!("{command}: {error}"));
        let name = schema["properties"]["schema"]["const"].as_str().unwrap();
        assert!(name.starts_with(&format!("mapwright.{command}/")), "{command}: {name}");
        assert_eq!(schema["$id"], format!("urn:{}", name.replace(['.', '/'], ":")));
        assert!(count_described(&schema, command) > 3, "{command}");
    }
}

/// Counts the properties of a schema, which all have a description.
fn count_described(schema: &Json, path: &str) -> usize {
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, property)| {
        let path = format!("{path}.{name}");
        assert!(property["description"].as_str().is_some_and(|text| text.ends_with(['.', '…'])), "{path}");
        1 + count_described(property, &path)
    });
    own.sum::<usize>() + schema.get("items").map_or(0, |items| count_described(items, path))
}

#[test]
fn dumps_of_fixtures_match_their_schemas() {
    for format in formats() {
        let validator = validator(format);
        let mut files = 0;
        for (name, json) in samples::samples(format) {
            assert_valid(&validator, &name, &json);
            files += 1;
        }
        assert!(files > 1, "{format}: {files}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn dumps_of_corpus_files_match_their_schemas() {
    let validators: Vec<_> = formats().map(|format| (format, validator(format))).collect();
    for folder in ["wings", "vmap", "vmf", "dmx", "wwd", "wmp", "wrp"] {
        let Some(folder) = corpus(folder) else { continue };
        let mut files = 0;
        for (format, name, json) in dumps_below(&folder) {
            let (_, validator) = validators.iter().find(|(other, _)| *other == format).unwrap();
            assert_valid(validator, &name, &json);
            files += 1;
        }
        assert!(files > 5, "{}: {files}", folder.display());
        println!("{}: {files} files", folder.display());
    }
}

/// The records of levels are those of the code.
#[test]
fn schemas_of_levels_have_all_fields() {
    let schema = schema(Format::Wwd);
    type Get<'a> = &'a dyn Fn(&str) -> Option<FieldValue>;
    let (header, plane, object) = (Header::default(), Plane::default(), Object::default());
    let records: [(&str, &[&str], Get<'_>); 3] = [
        ("header", Header::FIELDS, &|name| header.field(name)),
        ("plane_fields", Plane::FIELDS, &|name| plane.field(name)),
        ("object", Object::FIELDS, &|name| object.field(name)),
    ];
    for (record, fields, value) in records {
        let said = schema["$defs"][record]["properties"].as_object().unwrap();
        assert_eq!(said.len(), fields.len(), "{record}");
        for field in fields {
            let expected = match value(field).unwrap() {
                FieldValue::Word(_) => "word",
                FieldValue::Int(_) => "int",
                FieldValue::Rect(_) => "rect",
                FieldValue::Text(_) => "text",
                other => panic!("{record}.{field}: {other:?}"),
            };
            assert_eq!(said[*field]["$ref"], format!("#/$defs/{expected}"), "{record}.{field}");
        }
    }
}
