//! Archives as JSON.

use mapwright_rez::{Document, Layout, WriteOptions};
use mapwright_testkit::{corpus, files_below};
use serde_json::{Value, json};

use crate::support::{archive, directory, file, levels, to_u32};

fn again(document: &Document) -> Vec<u8> {
    let json = serde_json::to_string(document).unwrap();
    let built: Document = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json:.2000}"));
    built.to_bytes().unwrap()
}

#[test]
#[ignore = "needs the corpus"]
fn every_corpus_archive_is_built_from_its_json() {
    let Some(folder) = corpus("rez") else { return };
    let mut packed = 0;
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = Document::from_bytes(&bytes) else { continue };
        assert!(again(&document) == bytes, "{}", path.display());
        packed += usize::from(serde_json::to_value(&document).unwrap()["layout"] == "monolith");
    }
    assert!(packed >= 4, "{packed}");
}

#[test]
fn a_packed_archive_is_its_entries() {
    let document = levels();
    let json = serde_json::to_value(&document).unwrap();
    assert_eq!(json["layout"], "monolith");
    let entries = json["entries"].as_array().unwrap();
    let coin = entries.iter().find(|entry| entry["file"]["name"] == "COIN").unwrap();
    assert_eq!(coin["file"]["level"], 2);
    assert_eq!((&coin["file"]["type"], &coin["file"]["data"]), (&json!("PID"), &json!("6120636f696e")));
    assert_eq!(again(&document), document.to_bytes().unwrap());
    let compact = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    let compact = Document::from_vec(compact).unwrap();
    assert_eq!(serde_json::to_value(&compact).unwrap()["layout"], "compact");
    assert_eq!(again(&compact), compact.to_bytes().unwrap());
    // Edits are part of the JSON.
    let mut edited = document.clone();
    edited.add("LEVEL2/A.TXT", b"text", None).unwrap();
    assert_eq!(again(&edited), edited.to_bytes().unwrap());
}

#[test]
fn entries_without_a_layout_are_packed_as_monolith_does() {
    let json = r#"{"header":{"title":"T","time":5},"entries":[{"directory":{"name":"D"}},
        {"file":{"name":"B","level":1,"type":"TXT","data":"62","position":2}},
        {"file":{"name":"A","data":"61","position":1}},{"file":{"name":"E"}}]}"#;
    let document: Document = serde_json::from_str(json).unwrap();
    let mut expected = Document::new();
    expected.header.title = mapwright_rez::Title::from_text(b"T").unwrap();
    expected.header.time = 5;
    expected.add("A", b"a", None).unwrap();
    expected.add("D/B.TXT", b"b", None).unwrap();
    expected.add("E", b"", None).unwrap();
    assert_eq!(document, expected);
    assert_eq!(document.to_bytes().unwrap(), expected.to_bytes().unwrap());
}

#[test]
fn damage_and_overlaps_survive() {
    let root =
        [file(168, 4, "A", 0), file(170, 4, "B", 0), file(900, 4, "FAR", 0), directory(4, 4, "D"), vec![1]].concat();
    let bytes = archive([174, to_u32(root.len())], &[b"abcdef".to_vec(), root, b"end".to_vec()].concat());
    let document = Document::from_vec(bytes.clone()).unwrap();
    assert_eq!(again(&document), bytes);
    let json: Value = serde_json::to_value(&document).unwrap();
    assert_eq!(json["layout"]["exact"].as_array().unwrap().len(), 1);
    assert_eq!(json["entries"][0]["file"]["size"], 4);
}

#[test]
fn json_that_is_no_archive_is_rejected() {
    let mut exact = serde_json::to_value({
        let mut edited = levels();
        edited.add("X.TXT", b"text", None).unwrap();
        edited
    })
    .unwrap();
    exact["header"]["time"] = json!(1);
    let header = r#""header":{"title":"","time":0}"#;
    let deep: Vec<_> = (0..70).map(|level| format!(r#"{{"directory":{{"name":"D","level":{level}}}}}"#)).collect();
    for (json, expected) in [
        ("{}".to_owned(), "missing field"),
        (exact.to_string(), "exact layout does not match the entries"),
        (
            format!(r#"{{{header},"layout":{{"exact":[{{"position":5,"bytes":"00"}}]}},"entries":[]}}"#),
            "expected bytes at position 0, found position 5",
        ),
        (format!(r#"{{{header},"entries":[{{"file":{{"name":"A","type":"ABCDE"}}}}]}}"#), "type has 5 bytes"),
        (format!(r#"{{{header},"entries":[{{"file":{{"name":"A","size":3}}}}]}}"#), "has a size without data"),
        (format!(r#"{{{header},"entries":[{{"file":{{"name":"A","kind":1}}}}]}}"#), "kind of a directory"),
        (format!(r#"{{{header},"entries":[{{"file":{{"names":"A"}}}}]}}"#), "unknown field `names`"),
        (format!(r#"{{{header},"entries":[{{"file":{{"name":"A","level":1}}}}]}}"#), "level 1 of an entry is too deep"),
        (format!(r#"{{{header},"entries":[{}]}}"#, deep.join(",")), "level 65 of an entry is too deep"),
    ] {
        let error = serde_json::from_str::<Document>(&json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
