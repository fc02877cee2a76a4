//! Terms as text.

use crate::support;

use mapwright_etf::{Builder, Layout, Strings, TextOptions, Tree, WriterProfile};
use mapwright_testkit::Refusal;
use support::hex;

fn built(build: impl FnOnce(&mut Builder)) -> Tree {
    let mut builder = Builder::new(WriterProfile::Otp17);
    build(&mut builder);
    builder.finish().unwrap()
}

/// `{wings,2,{[{object,"tetra",{winged,[],[0.0,1.5],<<1,2>>}}],[],[]}}`, nested as in Wings files.
fn scene() -> Tree {
    built(|term| {
        term.tuple(3);
        term.atom("wings");
        term.integer(2);
        term.tuple(3);
        term.begin_list();
        term.tuple(3);
        term.atom("object");
        term.text("tetra");
        term.tuple(4);
        term.atom("winged");
        term.text("");
        term.begin_list();
        term.float(0.0);
        term.float(1.5);
        term.end_list();
        term.binary(&[1, 2]);
        term.end_list();
        term.text("");
        term.text("");
    })
}

#[test]
fn a_scene_prints_as_erlang_does() {
    let text = r#"{wings,2,{[{object,"tetra",{winged,[],[0.0,1.5],<<1,2>>}}],[],[]}}"#;
    assert_eq!(scene().to_string(), text);
    assert_eq!(scene().root().to_text(), text);
    assert_eq!(format!("{:?}", scene()), text);
}

#[test]
fn the_indented_form_splits_long_terms() {
    let indented = |width| scene().root().to_text_with(&TextOptions::default().with_layout(Layout::Indented { width }));
    assert_eq!(indented(80), scene().to_string());
    assert_eq!(
        indented(40),
        "{wings,\n 2,\n {[{object,\n    \"tetra\",\n    {winged,[],[0.0,1.5],<<1,2>>}}],\n  [],\n  []}}"
    );
    let all_lines: String = indented(0).lines().map(|line| line.trim_start_matches(' ')).collect();
    assert_eq!(all_lines, scene().to_string(), "only line ends and blanks are added");
}

#[test]
fn maps_and_improper_lists_are_indented_too() {
    let map = built(|term| {
        term.map(2);
        term.atom("key");
        term.begin_list();
        term.atom("a");
        term.atom("tail");
        term.end_improper_list();
        term.atom("other");
        term.map(0);
    });
    assert_eq!(map.to_string(), "#{key => [a|tail],other => #{}}");
    let text = map.root().to_text_with(&TextOptions::default().with_layout(Layout::Indented { width: 16 }));
    assert_eq!(text, "#{key => [a|tail],\n other => #{}}");
    let text = map.root().to_text_with(&TextOptions::default().with_layout(Layout::Indented { width: 4 }));
    assert_eq!(text, "#{key => [a|\n  tail],\n other => #{}}");
}

#[test]
fn only_printable_lists_are_strings() {
    let string = |bytes: &[u8]| {
        let length = u16::try_from(bytes.len()).unwrap();
        Tree::from_bytes(&[b"\x6b".as_slice(), &length.to_be_bytes(), bytes].concat()).unwrap()
    };
    assert_eq!(string(b"a\n\r\t\x0b\x08\x0c\x1b\\").to_string(), r#""a\n\r\t\v\b\f\e\\""#);
    for (bytes, text) in [(&b"a\0"[..], "[97,0]"), (b"\x7f", "[127]"), (b"a\xe9", "[97,233]")] {
        assert_eq!(string(bytes).to_string(), text);
    }
    let latin1 = TextOptions::default().with_strings(Strings::Latin1);
    assert_eq!(string(b"a\xe9").root().to_text_with(&latin1), "\"aé\"");
    assert_eq!(string(b"a\x9f").root().to_text_with(&latin1), "[97,159]");
    // Neither an improper list nor one with a character above 255 is a string.
    assert_eq!(Tree::from_bytes(&hex("6c 00000001 6161 6162")).unwrap().to_string(), "[97|98]");
    assert_eq!(Tree::from_bytes(&hex("6c 00000001 62 00000416 6a")).unwrap().to_string(), "[1046]");
    // In any encoding.
    assert_eq!(Tree::from_bytes(&hex("6c 00000002 62 00000061 6162 6a")).unwrap().to_string(), "\"ab\"");
}

#[test]
fn long_binaries_can_be_shortened() {
    let binary = built(|term| term.binary(b"foobar"));
    let short = |max| binary.root().to_text_with(&TextOptions::default().with_max_binary(max));
    assert_eq!(short(6), "<<102,111,111,98,97,114>>");
    // The published test value of FNV-1a for "foobar".
    assert_eq!(short(5), "<<… 6 bytes, fnv1a 16#85944171f73967e8>>");
}

#[test]
fn debugging_shows_the_start_only() {
    let long = built(|term| term.text(&"é".repeat(30_000)));
    let text = format!("{long:?}");
    assert!(text.starts_with("[233,233,") && text.ends_with("… (30003 bytes)") && text.len() < 300, "{text}");
    assert!(format!("{:?}", mapwright_etf::Document::new(long)).len() < 500);
}

#[test]
fn floats_that_are_not_finite_print() {
    let read = |bytes: &str| {
        let tree = Tree::from_bytes_with(&hex(bytes), &support::lenient()).map_err(|e| Refusal::new("", None, e));
        tree.unwrap().to_string()
    };
    assert_eq!(read("46 7ff8000000000000"), "NaN");
    assert_eq!(read("46 fff0000000000000"), "-inf");
    assert_eq!(read("76 0001 ff"), "'\u{FFFD}'");
    assert_eq!(read("4d 00000001 09 ff"), "<<255:9>>");
    assert_eq!(read("4d 00000001 00 ff"), "<<0:0>>");
}
