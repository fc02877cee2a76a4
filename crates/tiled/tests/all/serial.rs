//! Documents as data.

use crate::support;

use mapwright_testkit::{corpus, files_below};
use mapwright_tiled::Document;
use serde_json::{Value, json};
use support::document;

fn dump(document: &Document) -> Value {
    serde_json::to_value(document).unwrap()
}

#[track_caller]
fn check(name: &str, document: &Document) {
    let built: Document = serde_json::from_value(dump(document)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(built.as_str(), document.as_str(), "{name}");
}

#[test]
fn dumps_are_built_byte_for_byte() {
    for text in [
        include_str!("map.tmx"),
        include_str!("map.tmj"),
        "\u{FEFF}<?xml version='1.0'?>\r\n<map a = '1' b=\"&#65;\"\n ><!-- x --><e/>y<e ></e\n>&lt;<![CDATA[z]]></map >\n<!-- end -->",
    ] {
        check(text, &document(text));
    }
}

#[test]
fn dumps_have_decoded_values() {
    let document = document("<map a=\"&lt;\" b='2'>\n <c/>\n</map>");
    let mut dump = dump(&document);
    let expected = json!({"syntax": "xml", "parts": [
        {"start": "map", "attributes": [["a", "<"], ["b", "2", " b='2'"]]},
        "\n ",
        {"start": "c", "empty": true},
        "\n",
        {"end": "map"},
    ]});
    assert_eq!(dump, expected);
    dump["parts"][0]["attributes"] = json!([["a", "\"&"], ["b", "3", " b='2'"]]);
    let built: Document = serde_json::from_value(dump).unwrap();
    assert_eq!(built.as_str(), "<map a=\"&quot;&amp;\" b=\"3\">\n <c/>\n</map>");
}

#[test]
fn invalid_dumps_are_rejected() {
    for (dump, reason) in [
        (json!({"syntax": "xml", "parts": [{"start": "map"}]}), "ends early"),
        (
            json!({"syntax": "xml", "parts": [{"start": "map", "attributes": [["a", "\u{0}"]], "empty": true}]}),
            "control character",
        ),
        (json!({"syntax": "json", "text": "[]"}), "unexpected '['"),
        (json!({"syntax": "yaml"}), "yaml"),
    ] {
        let error = serde_json::from_value::<Document>(dump).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn dumps_of_real_files_are_built_byte_for_byte() {
    let Some(folder) = corpus("tiled") else { return };
    let mut count = 0;
    for path in files_below(&folder) {
        if let Ok(document) = Document::from_bytes(&std::fs::read(&path).expect("is a file")) {
            check(&path.display().to_string(), &document);
            count += 1;
        }
    }
    assert!(count >= 80, "only {count} files");
}
