//! Files made again of what was dumped of them. Real ones are by `cargo xtask corpus`.
#![cfg(all(feature = "vmap", feature = "wings"))]

use std::fs;

use mapwright::{AnyDocument, Error, Format, JsonLayout, ReadOptions};
use mapwright_testkit::{files_below, workspace};
use serde_json::Value as Json;

fn dump(document: &AnyDocument) -> String {
    let mut json = Vec::new();
    document.write_dump(&mut json, JsonLayout::OneLine).unwrap();
    String::from_utf8(json).unwrap()
}

fn build(json: &str) -> Result<Vec<u8>, Error> {
    AnyDocument::from_dump(json.as_bytes(), &ReadOptions::default())?.to_bytes()
}

/// The number of files.
fn all_come_back(folder: &std::path::Path) -> usize {
    let mut files = 0;
    for path in files_below(folder) {
        let bytes = fs::read(&path).unwrap();
        let Ok(document) = AnyDocument::from_bytes(&bytes) else { continue };
        if document.term().is_none() && document.graph().is_none() {
            continue;
        }
        let built = build(&dump(&document)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(built == bytes, "{} does not come back", path.display());
        files += 1;
    }
    files
}

#[test]
fn fixtures_are_restored() {
    for format in ["wings", "vmap", "dmx"] {
        assert!(all_come_back(&workspace().join("fixtures").join(format)) > 0, "{format}");
    }
}

fn term(bytes: &[u8]) -> AnyDocument {
    AnyDocument::from_bytes_as(bytes, Format::Etf, &ReadOptions::default()).unwrap()
}

#[test]
fn terms_of_every_encoding_are_restored() {
    for bytes in [
        &b"\x83a\x07"[..],
        // An integer in five bytes that fits one, a tuple with a long count, a byte after the end.
        b"\x83b\0\0\0\x07",
        b"\x83i\0\0\0\x01a\x07",
        b"\x83a\x07!",
        // Beyond 64 bits, a list with a tail, bits, a map, a pid.
        b"\x83n\x09\0\0\0\0\0\0\0\0\0\x01",
        b"\x83l\0\0\0\x01ahai",
        b"\x83M\0\0\0\x01\x03\xe0",
        b"\x83t\0\0\0\x02a\x01a\x02a\x03j",
        b"\x83gs\x01n\0\0\0\x01\0\0\0\x02\x03",
        b"\x83n\x08\0\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x83k\0\x02hi",
        b"\x83w\x02hi",
    ] {
        let json = dump(&term(bytes));
        assert!(build(&json).unwrap() == bytes, "{json}");
    }
    assert_eq!(dump(&term(b"\x83a\x07")), r#"{"format":"etf","term":7,"encoding":{"packing":"plain"}}"#);
}

#[test]
fn terms_of_each_compressor_are_restored() {
    let list = format!(r#"["a",{}]"#, vec!["1000"; 1000].join(","));
    for packing in ["", r#","encoding":{"packing":"fast"}"#] {
        let json = format!(r#"{{"format":"etf","term":{list}{packing}}}"#);
        let bytes = build(&json).unwrap();
        assert_eq!(dump(&term(&bytes)), json);
    }
}

#[test]
fn changed_terms_are_encoded_by_their_profile() {
    let changed = dump(&term(b"\x83b\0\0\0\x07!")).replace("\"term\":7", "\"term\":8");
    assert!(changed.contains("\"source\":"), "{changed}");
    assert_eq!(build(&changed).unwrap(), b"\x83a\x08!");
    assert_eq!(build(r#"{"format":"etf","term":["a",1.5,{"tuple":[]}]}"#).unwrap()[0], 131);
}

#[test]
fn changed_graphs_keep_the_rest_of_their_text() {
    let text = "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n// by hand\n\"DmElement\"\n{\n\"a\"   \"int\" \"01\"\n\"b\" \"int\" \"2\"\n}\n";
    let document = AnyDocument::from_bytes(text.as_bytes()).unwrap();
    let json = dump(&document);
    assert_eq!(build(&json).unwrap(), text.as_bytes());
    let mut changed: Json = serde_json::from_str(&json).unwrap();
    changed["graph"]["elements"][0]["attributes"][1]["value"] = 3.into();
    let built = String::from_utf8(build(&changed.to_string()).unwrap()).unwrap();
    assert_eq!(built, text.replace("\"2\"", "\"3\""));
}

#[test]
fn invalid_dumps_are_rejected_with_the_path() {
    for (json, message) in [
        (r#"{"format":"etf"}"#, "missing \"term\""),
        (r#"{"format":"vmap"}"#, "missing \"graph\""),
        (r#"{"format":"etf","term":{"tupel":[]}}"#, "unknown field"),
        (r#"{"format":"etf","term":{"binary":"0"}}"#, "not a term: these fields do not belong together"),
        (r#"{"format":"etf","term":{"tuple":[],"tail":1}}"#, "not a term: these fields do not belong together"),
        (r#"{"format":"etf","term":{"tuple":[],"text":"a"}}"#, "not a term: these fields do not belong together"),
        (r#"{"format":"etf","term":1e30}"#, "64 bits"),
        (r#"{"format":"etf","term":7,"encoding":{"profile":"otp1"}}"#, "unknown profile \"otp1\""),
        (
            r#"{"format":"dmx","graph":{"encoding":"binary 9","format":"dmx","format_version":1,"prefix":[],"strings":[],
            "elements":[{"class":"A","name":"","id":"00000000-0000-0000-0000-000000000000","attributes":[
            {"name":"a","type":"int","value":1.5}]}]}}"#,
            "elements[0].attributes[0]",
        ),
        (
            r#"{"format":"dmx","graph":{"encoding":"binary 9","format":"dmx","format_version":1,"prefix":[],"strings":[],
            "elements":[]},"encoding":{"packing":"plain"}}"#,
            "a graph has only a source",
        ),
    ] {
        let error = build(json).expect_err(json).to_string();
        assert!(error.contains(message), "{json}: {error}");
    }
}
