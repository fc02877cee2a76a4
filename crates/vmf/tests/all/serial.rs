//! Maps as serde data.

use mapwright_testkit::hexdiff;
use mapwright_vmf::{Document, ReadOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::properties::map_text;
use crate::support::{corpus_maps, map};

fn data(map: &Document) -> Value {
    serde_json::to_value(map).expect("a map is data")
}

fn built(data: &Value) -> Document {
    serde_json::from_str(&data.to_string()).unwrap_or_else(|error| panic!("{error}: {data:#}"))
}

fn check(name: &str, text: &[u8]) {
    let again = built(&data(&map(text)));
    if let Some(diff) = hexdiff(text, again.as_bytes()) {
        panic!("{name}: {diff}");
    }
}

#[test]
fn usual_maps_are_values_only() {
    let text = "world\r\n{\r\n\t\"id\" \"1\"\r\n\tsolid\r\n\t{\r\n\t\t\"id\" \"2\"\r\n\t}\r\n}\r\nentity\r\n{\r\n}\r\n";
    let expected = json!({
        "line_end": "\\x0d\\x0a",
        "items": [
            { "block": "world", "items": [
                { "key": "id", "value": "1" },
                { "block": "solid", "items": [{ "key": "id", "value": "2" }] },
            ] },
            { "block": "entity", "items": [] },
        ],
    });
    assert_eq!(data(&map(text)), expected);
    check("usual", text.as_bytes());
}

#[test]
fn changed_values_are_formatted_and_others_keep_their_text() {
    let text = "// c\nworld { a  1 b  2 } // d";
    let mut data = data(&map(text));
    let world = json!({ "lead": "// c\\x0a", "block": "world", "text": "world {", "tail": " ", "items": [
        { "lead": " ", "key": "a", "value": "1", "text": "a  1" },
        { "lead": " ", "key": "b", "value": "2", "text": "b  2" },
    ] });
    assert_eq!(data, json!({ "line_end": "\\x0a", "items": [world], "tail": " // d" }));
    data["items"][0]["items"][0]["value"] = "5".into();
    assert_eq!(built(&data).as_bytes().escape_ascii().to_string(), "// c\\nworld { \\\"a\\\" \\\"5\\\" b  2 } // d");
    data["items"][0]["block"] = "hidden".into();
    data["items"].as_array_mut().unwrap().push(json!({ "block": "entity", "items": [] }));
    let expected = "// c\nhidden\n{ \"a\" \"5\" b  2 }\nentity\n{\n} // d";
    assert_eq!(String::from_utf8_lossy(built(&data).as_bytes()), expected);
}

#[test]
fn escapes_belong_to_the_data() {
    let text = b"entity\n{\n\t\"a\" \"b \\\"c\\\"\"\n}\n";
    let map = Document::from_bytes_with(text, &ReadOptions::default().with_escapes(true)).unwrap();
    let data = data(&map);
    assert_eq!(data["escapes"], true);
    assert_eq!(built(&data), map);
}

#[test]
fn data_that_is_no_map_is_rejected() {
    let with = |item: Value| json!({ "line_end": "\n", "items": [{ "block": "world", "items": [item] }] });
    let valid = |data: &Value| serde_json::from_value::<Document>(data.clone()).is_ok();
    assert!(valid(&with(json!({ "key": "a", "value": "b" }))));
    assert!(valid(&with(json!({ "block": "a b", "items": [] }))));
    for bad in [
        json!({}),
        json!({ "line_end": "\n", "items": [] }),
        json!({ "line_end": "\n", "items": [], "unknown": 1 }),
        with(json!({ "key": "a" })),
        with(json!({ "key": "a", "items": [] })),
        with(json!({ "key": "a", "value": "b", "block": "c" })),
        with(json!({ "key": "a", "value": "b\"c" })),
        with(json!({ "block": "b\"c", "items": [] })),
        with(json!({ "key": "a", "value": "b", "lead": "{" })),
        with(json!({ "key": "a", "value": "b", "more": "c" })),
    ] {
        assert!(!valid(&bad), "{bad}");
    }
}

#[test]
fn deep_maps_are_rejected() {
    let text = format!("world {{ {} {} }}", "a { ".repeat(200), "} ".repeat(200));
    let limits = mapwright_vmf::io::Limits::default().with_max_depth(u32::MAX);
    let map = Document::from_bytes_with(text.as_bytes(), &ReadOptions::default().with_limits(limits)).unwrap();
    assert!(serde_json::to_value(&map).unwrap_err().to_string().contains("more than 64 levels"));
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
