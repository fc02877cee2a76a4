//! The grammar of KV3 text.

use crate::support;

use mapwright_keyvalues::ReadErrorKind;
use mapwright_keyvalues::io::{Category, Confidence, Limits};
use mapwright_keyvalues::kv3::{Data, Document, ReadOptions, Value, sniff};
use support::{HEADER, text};

fn document(value: &str) -> Document {
    Document::from_bytes(&text(value)).unwrap_or_else(|error| panic!("{value:?}: {error}"))
}

/// Formats a value with its structure.
fn outline(value: Value<'_>) -> String {
    let key = value.key_text().map_or_else(String::new, |key| format!("{key}="));
    let flags: String = value.flags().map(|flag| format!("{flag}:")).collect();
    let items = || value.items().map(outline).collect::<Vec<_>>().join(" ");
    let data = match value.data() {
        Data::Object => format!("{{{}}}", items()),
        Data::Array => format!("[{}]", items()),
        Data::Text(text) => format!("'{}'", text.escape_ascii()),
        Data::Binary(bytes) => format!("#{bytes:?}"),
        Data::Double(value) => format!("{value:?}"),
        Data::Int(value) => value.to_string(),
        Data::UInt(value) => format!("{value}u"),
        Data::Bool(value) => value.to_string(),
        Data::Null => "null".to_owned(),
    };
    format!("{key}{flags}{data}")
}

#[test]
fn values_of_every_kind_are_read() {
    for (value, expected) in [
        ("null", "null"),
        ("{ a = 1 b = 2, \"c d\" = 3 e.f = 4 }", "{a=1 b=2 c d=3 e.f=4}"),
        ("[ 1, 2.5, [ ], { }, ]", "[1 2.5 [] {}]"),
        (r#""a\"\\\'\n\t\r\x""#, r#"'a\"\\\'\n\t\r\\x'"#),
        ("\"\"\"\na \"b\"\nc\n\"\"\"", r#"'a \"b\"\nc'"#),
        ("\"\"\"\r\na\r\n\"\"\"", "'a'"),
        ("\"\"", "''"),
        ("[ true, false, null, nan, inf ]", "[true false null NaN inf]"),
        ("[ -1, +2, 0x1F, -0x10, 1e3, .5, 2., -1.5E-2 ]", "[-1 2 31 -16 1000.0 0.5 2.0 -0.015]"),
        (
            "[ 9223372036854775807, 18446744073709551615, 18446744073709551616 ]",
            "[9223372036854775807 18446744073709551615u 1.8446744073709552e19]",
        ),
        ("#[ 00 ff\n1 2 ]", "#[0, 255, 18]"),
        (
            "{ m = resource:\"a.vmdl\" n = panorama:subclass:{ x = 1 } }",
            "{m=resource:'a.vmdl' n=panorama:subclass:{x=1}}",
        ),
        ("{ // one\n a = /* two */ 1 }", "{a=1}"),
        ("{ true = 1 nullx = null }", "{true=1 nullx=null}"),
    ] {
        assert_eq!(outline(document(value).root()), expected, "{value}");
    }
}

#[test]
fn views_convert_values() {
    let document = document("{ a = [ 1, 2.5, 3 ] b = true c = 0 d = \"x\" e = 18446744073709551615 }");
    let root = document.root();
    let get = |key: &str| root.get(key).unwrap();
    assert_eq!(get("a").as_array(), Some([1.0, 2.5, 3.0]));
    assert_eq!((get("a").as_array::<2>(), get("a").as_array::<4>(), get("a").is_array()), (None, None, true));
    assert_eq!((get("b").as_bool(), get("c").as_bool(), get("d").as_bool()), (Some(true), Some(false), None));
    assert_eq!(
        (get("c").as_i64(), get("e").as_i64(), get("e").as_f64()),
        (Some(0), None, Some(1.844_674_407_370_955_2e19))
    );
    assert_eq!((get("d").as_text().as_deref(), get("c").as_text()), (Some("x"), None));
    assert!(root.get("f").is_none() && root.is_object() && get("d").get("x").is_none());
    assert_eq!(document.value_count(), 9);
}

#[test]
fn the_header_names_encoding_and_format() {
    let document = document("1");
    let header = document.header();
    assert_eq!((&*header.encoding, &*header.format), ("text", "generic"));
    assert_eq!(header.encoding_version, "e21c7f3c-8a33-41c5-9977-a76d3a32aa0d");
    assert_eq!(header.format_version, "7412167c-06e9-4698-aff2-e63eb59037e7");
    assert_eq!(sniff(b"<!-- kv3 encoding:"), Confidence::Certain);
    assert_eq!(sniff(b"<!-- dmx encoding"), Confidence::No);
    let kind = |bytes: &[u8]| Document::from_bytes(bytes).unwrap_err().into_kind();
    assert!(matches!(kind(b"Layer0 { }"), ReadErrorKind::NotKv3));
    assert!(matches!(kind(b"<!-- kv3 encoding:text -->"), ReadErrorKind::Header));
    let binary = HEADER.replace(":text:", ":binary_lz4:");
    assert!(matches!(kind(binary.as_bytes()), ReadErrorKind::Encoding { name } if name == "binary_lz4"));
    let marked = [b"\xEF\xBB\xBF", &text("{ }")[..]].concat();
    assert!(Document::from_bytes(&marked).is_ok());
}

#[test]
fn text_after_the_root_is_reported() {
    let findings = document("{ }\n m_x = [ 1 ]\n\0\0").validate();
    assert_eq!(findings.len(), 1);
    let expected = "warning[trailing-text]: 12 bytes after the root value: other programs may reject the file or ignore them at line 3, column 2";
    assert_eq!(findings[0].to_string().replace("13 bytes", "12 bytes"), expected);
    for complete in ["{ }", "{ }\n", "{ } // end\n", "{ }\r\n\0"] {
        assert!(document(complete).validate().is_empty(), "{complete:?}");
    }
    assert_eq!(document("{ }\nx").trailing(), b"\nx");
}

#[test]
fn errors_state_their_line() {
    for (value, expected) in [
        ("", "the text ends early: expected a value at line 2, column 1"),
        ("{ a = 1", "the text ends early: expected a key or `}` at line 2, column 8"),
        ("[ 1 2 ]", "unexpected number: expected `,` or `]` at line 2, column 5"),
        ("[ , ]", "unexpected `,`: expected a value at line 2, column 3"),
        ("{ a 1 }", "unexpected number: expected `=` at line 2, column 5"),
        ("{ , a = 1 }", "unexpected `,`: expected a key or `}` at line 2, column 3"),
        ("{ a|b = 1 }", "unexpected word: expected a key or `}` at line 2, column 3"),
        ("{ a = b }", "unexpected word: expected a value at line 2, column 7"),
        ("\"a", "string has no end at line 2, column 1"),
        ("\"\"\"a\"\"", "multi-line string has no end at line 2, column 1"),
        ("#[ 0 ]", "invalid binary value: expected pairs of hexadecimal digits at line 2, column 1"),
        ("#[ 00", "binary value has no end at line 2, column 1"),
        ("{ a = 1 /* }", "comment has no end at line 2, column 9"),
        ("[ 1; ]", "unexpected byte 0x3b: expected a value or `]` at line 2, column 4"),
    ] {
        let error = Document::from_bytes(&text(value)).expect_err(value);
        assert_eq!(error.to_string(), expected, "{value:?}");
    }
}

#[test]
fn limits_are_kept() {
    let deep = text(&["[".repeat(201), "]".repeat(201)].concat());
    let category = |bytes: &[u8], options: &ReadOptions| {
        Document::from_bytes_with(bytes, options).map_err(|error| error.category()).err()
    };
    let default = ReadOptions::default();
    assert_eq!(category(&deep, &default), Some(Category::Limit));
    assert_eq!(category(&deep, &default.clone().with_limits(Limits::default())), None);
    let few = default.with_limits(Limits::default().with_max_items(3));
    assert_eq!(category(&text("[ 1, 2 ]"), &few), None);
    assert_eq!(category(&text("[ 1, 2, 3 ]"), &few), Some(Category::Limit));
}
