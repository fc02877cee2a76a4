//! Every finding on a document that has nothing but it.

use mapwright_dmx::io::Severity;
use mapwright_dmx::{
    Attribute, Document, ElementId, Encoding, EncodingName, Guid, Reference, StringId, Strings, Value, WriterProfile,
};

const ROOT: ElementId = ElementId::ROOT;

fn plain(version: u8) -> Document {
    let encoding = Encoding { name: EncodingName::Binary, version };
    let mut document = Document::new(encoding, "dmx", 1, "DmElement", Guid([1; 16]));
    document.lay_out(WriterProfile::Valve);
    document
}

/// A second element that the root refers to.
fn with_child() -> Document {
    let mut document = plain(9);
    let kid = document.push("DmElement", "kid", Guid([2; 16]));
    document.set(ROOT, "kid", Value::Element(Reference::Element(kid)));
    document
}

fn findings(document: &Document) -> Vec<(&'static str, Severity, String)> {
    let all = document.validate().into_iter().filter(|finding| finding.code != "layout");
    all.map(|finding| (finding.code, finding.severity, finding.path.to_string())).collect()
}

#[track_caller]
fn assert_single_finding(document: &Document, severity: Severity, code: &'static str, path: &str) {
    assert_eq!(findings(document), [(code, severity, path.to_owned())]);
}

#[track_caller]
fn warns(document: &Document, code: &'static str, path: &str) {
    assert_single_finding(document, Severity::Warning, code, path);
    assert!(document.to_bytes().is_ok(), "a warning can be written");
}

#[track_caller]
fn fails(document: &Document, code: &'static str, path: &str) {
    assert_single_finding(document, Severity::Error, code, path);
    assert!(document.to_bytes().is_err(), "an error cannot be written");
}

#[test]
fn a_valid_document_has_no_findings() {
    for version in [1, 2, 3, 4, 5, 7, 9] {
        assert_eq!(findings(&plain(version)), []);
    }
    assert_eq!(findings(&with_child()), []);
}

#[test]
fn unwritable_documents_have_errors() {
    let mut document = plain(9);
    document.strings = Strings::default();
    document.elements.clear();
    fails(&document, "no-elements", "");

    let mut document = plain(9);
    document.set(ROOT, "far", Value::ElementArray([Reference::Null, Reference::Element(ElementId(7))].into()));
    fails(&document, "element-range", "elements[0].far[1]");

    let mut document = plain(5);
    document.set(ROOT, "big", Value::UInt64Array([1].into()));
    fails(&document, "type-missing", "elements[0].big");

    let mut document = with_child();
    document.elements[1].id = None;
    fails(&document, "guid-missing", "elements[1]");

    let mut document = plain(9);
    let texts = document.string_array(["a", "\0"]);
    document.set(ROOT, "texts", texts);
    fails(&document, "string-nul", "elements[0].texts[1]");

    let mut document = plain(5);
    document.prefix.push(Vec::new());
    let found: Vec<_> = findings(&document).into_iter().filter(|found| found.1 == Severity::Error).collect();
    assert_eq!(found, [("prefix-place", Severity::Error, "prefix".to_owned())]);

    let mut document = plain(9);
    document.header.format = b"a b".to_vec();
    fails(&document, "header-words", "header");
}

#[test]
fn findings_about_the_whole_file() {
    for version in [6, 8] {
        warns(&plain(version), "version-unverified", "header");
    }
    let mut document = plain(9);
    document.trailing = b"more".to_vec();
    warns(&document, "trailing-bytes", "trailing");

    // In memory strings are in the table once it was laid out; a use less leaves one unused.
    let mut document = plain(9);
    document.set(ROOT, "forgotten", Value::Int(1));
    document.set(ROOT, "__bind", Value::Int(1));
    document.lay_out(WriterProfile::Valve);
    document.unset(ROOT, "forgotten");
    document.unset(ROOT, "__bind");
    assert_single_finding(&document, Severity::Note, "strings-unused", "strings");
    assert!(document.validate()[0].message.contains("\"forgotten\""));
}

#[test]
fn graphs() {
    let mut document = with_child();
    document.push("DmElement", "lost", Guid([3; 16]));
    warns(&document, "unreachable", "elements[2]");

    let mut document = with_child();
    document.elements[1].id = Some(Guid([1; 16]));
    warns(&document, "guid-twice", "elements[1]");
    document.elements[1].id = Some(Guid::NIL);
    warns(&document, "guid-nil", "elements[1]");

    let mut document = plain(9);
    let far = document.intern("00000000-0000-0000-0000-000000000001");
    document.set(ROOT, "far", Value::Element(Reference::External(far)));
    assert_single_finding(&document, Severity::Note, "external", "elements[0].far");
    let finding = document.validate().into_iter().find(|finding| finding.code == "external").unwrap();
    assert!(finding.message.contains("00000000-0000-0000-0000-000000000001"));
}

#[test]
fn prefix_attributes() {
    let mut document = plain(9);
    document.set_prefix("k", Value::Int(1));
    assert_single_finding(&document, Severity::Note, "prefix-copy-missing", "prefix");

    let copy = document.push("DmElement", "", Guid([2; 16]));
    document.set(copy, "k", Value::Int(1));
    assert_eq!(findings(&document), []);
    document.set(copy, "k", Value::Int(2));
    warns(&document, "prefix-copy-differs", "elements[1].k");
    // With `set_prefix`, block and copy agree.
    document.set_prefix("k", Value::Int(3));
    assert_eq!(findings(&document), []);

    document.prefix.push(Vec::new());
    warns(&document, "prefix-blocks", "prefix");
}

#[test]
fn names_of_attributes() {
    let twice = |second: &str| {
        let mut document = plain(9);
        for name in ["one", second] {
            let name = document.intern(name);
            document.elements[0].attributes.push(Attribute { name, value: Value::Int(1) });
        }
        document
    };
    warns(&twice("one"), "attribute-twice", "elements[0].one");
    warns(&twice("ONE"), "attribute-case", "elements[0].ONE");
    let mut document = plain(9);
    let value = document.string_value("not the name of the element");
    document.set(ROOT, "name", value);
    warns(&document, "attribute-name", "elements[0].name");
    document.set(ROOT, "name", Value::Int(1));
    assert_eq!(findings(&document), []);
}

#[test]
fn values() {
    let mut document = plain(9);
    document.set(ROOT, "text", Value::String(StringId::MINUS_ONE));
    warns(&document, "minus-one", "elements[0].text");
    document.header.encoding.version = 7;
    assert_eq!(findings(&document), []);

    let mut document = plain(9);
    let value = document.string_value(b"\xff");
    document.set(ROOT, "text", value);
    assert_single_finding(&document, Severity::Note, "not-utf8", "elements[0].text");

    let mut document = plain(9);
    document.set(ROOT, "truth", Value::BoolArray([0, 1, 2].into()));
    warns(&document, "bool-byte", "elements[0].truth");

    for number in [f32::NAN, f32::INFINITY] {
        let mut document = plain(9);
        document.set(ROOT, "x", Value::Vector3([0.0, number, 1.0]));
        warns(&document, "not-finite", "elements[0].x");
    }

    let mut document = plain(9);
    document.set(ROOT, "x", Value::Vector3([0.0, 0.1, 1.000_000_1e-7]));
    assert_single_finding(&document, Severity::Note, "text-floats", "");
    let findings = document.validate();
    assert!(findings.iter().any(|finding| finding.message.ends_with("rounds 1 float")), "{findings:?}");
}

#[test]
fn layouts_are_named() {
    let layout = |document: &Document| {
        let findings = document.validate();
        findings.into_iter().find(|finding| finding.code == "layout").map(|finding| finding.message).unwrap_or_default()
    };
    let mut document = with_child();
    document.set(ROOT, "aaa", Value::Element(Reference::Null));
    for (profile, words) in [
        (WriterProfile::Valve, "Valve"),
        (WriterProfile::DepthFirst, "Blender"),
        (WriterProfile::BreadthFirst, "srctools"),
    ] {
        document.lay_out(profile);
        assert!(layout(&document).contains(words), "{profile:?}: {}", layout(&document));
    }
    document.lay_out(WriterProfile::Valve);
    document.set(ROOT, "bbb", Value::Int(0));
    assert!(layout(&document).contains("unknown order"), "{}", layout(&document));
}

#[test]
fn repeated_findings_are_counted() {
    let mut document = plain(9);
    document.set(ROOT, "truth", Value::Bool(2));
    for index in 0..149 {
        document.set(ROOT, format!("truth {index}"), Value::Bool(2));
    }
    let findings = findings(&document);
    assert_eq!(findings.len(), 101);
    assert!(document.validate().iter().any(|finding| finding.message == "and 50 more of these"));
}

#[test]
fn parts_that_text_cannot_represent_are_errors() {
    let mut document = plain(9);
    document.set_encoding(mapwright_dmx::Encoding::KEYVALUES2_4);
    let mut twins = document.clone();
    let kids = ["one", "two"].map(|name| twins.push("K", name, Guid([7; 16])));
    for (name, kid) in [("a", kids[0]), ("b", kids[0]), ("c", kids[1])] {
        twins.set(ROOT, name, Value::Element(Reference::Element(kid)));
    }
    let error = |document: &Document| {
        assert!(document.to_bytes().is_err());
        let mut findings = document.validate().into_iter().filter(|finding| finding.severity == Severity::Error);
        findings.next().map(|finding| (finding.code, finding.path.to_string()))
    };
    assert_eq!(error(&twins), Some(("guid-ambiguous", "elements[2]".to_owned())));
    document.elements[0].class = document.intern("$prefix_element$");
    assert_eq!(error(&document), Some(("not-in-text", String::new())));
}

#[test]
fn texts() {
    let text = |line_end: &str, id: &str| {
        let text = format!(
            "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"A\"{line_end}{{\n{id}\t\"x\" \"int\" \"1\"{line_end}}}\n"
        );
        Document::from_bytes(text.as_bytes()).expect("a text")
    };
    let id = "\t\"id\" \"elementid\" \"00000000-0000-0000-0000-000000000001\"\n";
    assert_eq!(findings(&text("\n", id)), []);
    warns(&text("\r\n", id), "line-ends", "");
    assert_single_finding(&text("\n", ""), Severity::Note, "guid-missing", "");
}
