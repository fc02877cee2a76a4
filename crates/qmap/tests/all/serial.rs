//! Maps as serde data.

use mapwright_qmap::Document;
use mapwright_testkit::hexdiff;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::properties::map_text;
use crate::support::{corpus_maps, cube, map};

fn data(map: &Document) -> Value {
    serde_json::to_value(map).expect("a map is data")
}

fn built(data: &Value) -> Document {
    serde_json::from_str(&data.to_string()).unwrap_or_else(|error| panic!("{error}: {data:#}"))
}

fn check(name: &str, text: &[u8]) {
    let map = map(text);
    let again = built(&data(&map));
    if let Some(diff) = hexdiff(text, again.as_bytes()) {
        panic!("{name}: {diff}");
    }
}

#[test]
fn usual_maps_are_values_only() {
    let text = format!(
        "{{\n\"classname\" \"worldspawn\"\n{{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a [ 1 0 0 0.5 ] [ 0 -1 0 0 ] 0 1 1 8 0 0\n}}\n{{\nbrushDef3\n{{\n\
         ( 0 0 1 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"a b\" 0 0 0\n}}\n}}\n}}\n{{\n\"classname\" \"x\"\n{{\n{}}}\n}}\n",
        cube("t 0 -0 45 1 1")
    );
    let data = data(&map(&text));
    assert_eq!(data["line_end"], "\\x0a", "{data:#}");
    let world = &data["entities"][0];
    assert_eq!(world["parts"][0], json!({ "kind": "key", "key": "classname", "value": "worldspawn" }));
    let face = json!({
        "kind": "face",
        "points": [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        "texture": "a",
        "axes": [[1.0, 0.0, 0.0, 0.5], [0.0, -1.0, 0.0, 0.0]],
        "rotation": 0.0,
        "scale": [1.0, 1.0],
        "extra": ["8", "0", "0"],
    });
    assert_eq!(world["parts"][1], json!({ "kind": "brush", "parts": [face] }));
    assert_eq!(world["parts"][2]["kind"], "brushDef3");
    let printed = data.to_string();
    for word in ["lead", "tail", "\"text\"", "head"] {
        assert!(!printed.contains(word), "{word} in {data:#}");
    }
    check("usual", text.as_bytes());
}

#[test]
fn changed_values_are_formatted_and_others_keep_their_text() {
    let text = "// Game: Quake\r\n{\r\n\"a\"  \"1\"\r\n\"b\"  \"2\"\r\n{\r\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) t 01 0 0 1 1 // c\r\n}\r\n}\r\n";
    let mut data = data(&map(text));
    assert_eq!(data["entities"][0]["lead"], "// Game: Quake\\x0d\\x0a");
    data["entities"][0]["parts"][0]["value"] = "5".into();
    data["entities"][0]["parts"][2]["parts"][0]["texture"] = "stone".into();
    let expected = text.replace("\"a\"  \"1\"", "\"a\" \"5\"").replace("t 01", "stone 1");
    assert_eq!(String::from_utf8_lossy(built(&data).as_bytes()), expected);
}

#[test]
fn data_that_is_no_map_is_rejected() {
    for bad in [
        json!({}),
        json!({ "line_end": "\n", "entities": [{ "parts": [{ "kind": "face", "texture": "a" }] }] }),
        json!({ "line_end": "\n", "entities": [{ "parts": [{ "kind": "brush", "parts": [{ "kind": "brush", "parts": [] }] }] }] }),
        json!({ "line_end": "\n", "entities": [], "unknown": 1 }),
    ] {
        assert!(serde_json::from_value::<Document>(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn parts_in_the_wrong_place_are_rejected_by_their_kind() {
    let mut data = data(&map(format!("{{\n{{\n{}}}\n}}\n", cube("t 0 0 0 1 1"))));
    let brush = data["entities"][0]["parts"][0].clone();
    let face = brush["parts"][0].clone();
    let error = |data: &Value| serde_json::from_value::<Document>(data.clone()).unwrap_err().to_string();
    data["entities"][0]["parts"] = json!([face]);
    assert!(error(&data).starts_with("unknown variant `face`"), "{}", error(&data));
    data["entities"][0]["parts"] = json!([{ "kind": "brush", "parts": [brush] }]);
    assert!(error(&data).starts_with("unknown variant `brush`"), "{}", error(&data));
}

#[test]
fn corpus_maps_are_built_byte_for_byte() {
    for path in corpus_maps() {
        check(&path.display().to_string(), &std::fs::read(&path).expect("a file"));
    }
}

proptest! {
    #[test]
    fn any_map_is_built_byte_for_byte(text in map_text()) {
        check("the map", &text);
    }
}
