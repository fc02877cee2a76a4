//! Levels as JSON.
#![cfg(feature = "serde")]

use mapwright_testkit::{files_below, workspace};
use mapwright_wwd::diff::Diff;
use mapwright_wwd::{
    Cell, Document, DocumentData, HeaderSize, Object, Plane, ReadErrorKind, ReadOptions, WriterProfile,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::strategies::document;

fn through_json(document: &Document) -> Document {
    let json = serde_json::to_string(document).unwrap();
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {}", &json[..json.len().min(2000)]))
}

#[test]
fn fixtures_come_back_byte_for_byte() {
    let mut levels = 0;
    for path in files_below(&workspace().join("fixtures/wwd")) {
        let bytes = std::fs::read(&path).unwrap();
        let options = ReadOptions::default().with_header_size(HeaderSize::Any);
        let Ok(document) = Document::from_bytes_with(&bytes, &options) else { continue };
        assert!(through_json(&document).to_bytes().unwrap() == bytes, "{}", path.display());
        levels += 1;
    }
    assert!(levels > 5);
}

proptest! {
    #[test]
    fn any_document_comes_back(document in document()) {
        let back = through_json(&document);
        prop_assert_eq!(&back, &document);
        prop_assert_eq!(back.to_bytes().unwrap(), document.to_bytes().unwrap());
    }
}

/// A level with a row of tiles and an object.
fn level() -> Document {
    let mut level = Document::new();
    let tiles = [Cell::EMPTY, Cell::EMPTY, Cell::EMPTY, 5, 5, Cell::FILL, 65536].to_vec().into();
    let object = Object { logic: b"Elevator\xff".to_vec(), x: -3, ..Object::default() };
    let objects = [object].into_iter().collect();
    level.planes.push(Plane { tiles, tiles_wide: 7, tiles_high: 1, objects, ..Plane::default() });
    level
}

#[test]
fn values_that_are_0_or_empty_are_left_out() {
    let json = serde_json::to_value(level()).unwrap();
    assert_eq!(
        json,
        json!({
            "profile": "editor",
            "header": {"header_size": 1524, "flags": 3},
            "planes": [{
                "fields": {"tiles_wide": 7, "tiles_high": 1},
                "image_sets": [],
                "tiles": [[[3, null], 5, 5, "fill", 65536]],
                "objects": [{"x": -3, "logic": "Elevator\\xff"}],
            }],
        })
    );
}

#[test]
fn profiles_are_read_by_their_former_name() {
    let mut level = level();
    level.profile = WriterProfile::WapMap;
    let mut json = serde_json::to_value(level).unwrap();
    json["style"] = json.as_object_mut().unwrap().remove("profile").unwrap();
    assert_eq!(serde_json::from_value::<Document>(json).unwrap().profile, WriterProfile::WapMap);
}

#[test]
fn faulty_values_are_reported_with_their_path() {
    for (pointer, value, expected) in [
        ("/planes/0/tiles/0", json!([1]), "invalid number of cells 1: expected 7 in planes[0].tiles[0]"),
        ("/planes/0/tiles/0", json!([[8, null]]), "more cells than the 7 columns in planes[0].tiles[0]"),
        ("/planes/0/objects/0", json!({"x": "east"}), "in planes[0].objects[0]"),
        ("/header", json!({"header_size": 5}), "header"),
        ("/planes/0/objects/0", json!({"logik": ""}), "logik"),
        ("/planes/0/image_sets", json!(["a\\x00b"]), "NUL"),
        ("/planes/0/tiles/0/0", json!([1, [1, 2]]), "expected a cell"),
    ] {
        let mut json = serde_json::to_value(level()).unwrap();
        *json.pointer_mut(pointer).unwrap() = value;
        json["stored"] = json!({"adler32": 0});
        let error = serde_json::from_value::<Document>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn grids_and_objects_are_limited() {
    let json = |cells: u32, objects: usize| {
        let fields = json!({"tiles_wide": cells, "tiles_high": 1});
        let plane =
            json!({"fields": fields, "image_sets": [], "tiles": [[[cells, 0]]], "objects": vec![json!({}); objects]});
        json!({"profile": "editor", "header": {"header_size": 1524}, "planes": [plane]})
    };
    let mut options = ReadOptions::default();
    options.limits.max_decompressed = 4 * (4 + 71);
    let build = |json: Value| serde_json::from_value::<DocumentData>(json).unwrap().into_document(&options);
    build(json(4, 1)).unwrap();
    for (json, path) in [(json(4, 2), "planes[0].objects[1]"), (json(76, 0), "planes[0].tiles[0]")] {
        let error = build(json).unwrap_err();
        assert_eq!(error.path().to_string(), path);
        assert!(matches!(error.kind(), ReadErrorKind::Data(_)), "{error}");
    }
}

#[test]
fn differences_have_old_and_new_values() {
    let (old, mut new) = (level(), level());
    new.trailer = b"\0!".to_vec();
    new.planes[0].tiles[3] = 6;
    new.planes[0].objects[0].x = 4;
    let json = serde_json::to_value(Diff::between(&old, &new)).unwrap();
    assert_eq!(json["trailer"], json!({"old": "", "new": "\\x00!"}));
    let plane = &json["planes"][0];
    assert_eq!(plane["cells"], json!([{"row": 0, "column": 3, "count": 1, "old": 5, "new": 6}]));
    let object = |x: i32| json!({"index": 0, "logic": "Elevator\\xff", "image_set": "", "x": x, "y": 0});
    let fields = json!([{"field": "x", "old": -3, "new": 4}]);
    assert_eq!(plane["objects"]["changed"], json!([{"old": object(-3), "new": object(4), "fields": fields}]));
    assert_eq!((&json["profile"], &json["tile_properties"]["table"]), (&Value::Null, &Value::Null));
}
