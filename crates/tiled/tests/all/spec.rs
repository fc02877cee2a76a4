//! The languages, from their specifications.

use crate::support;

use mapwright_tiled::io::Category;
use mapwright_tiled::{Document, DocumentKind, Item, ItemKind, ReadErrorKind, Syntax};
use support::{document, find};

#[test]
fn the_root_determines_the_kind() {
    for (text, kind) in [
        ("<map/>", DocumentKind::Map),
        (
            "\u{FEFF}\n<?xml version='1.0'?><!-- a --><!DOCTYPE map SYSTEM \"a>b\"><map></map >\n<?p?><!---->",
            DocumentKind::Map,
        ),
        ("<tileset name=\"a\"/>", DocumentKind::Tileset),
        ("<template/>", DocumentKind::Template),
        ("{\"type\":\"map\"}", DocumentKind::Map),
        ("\u{FEFF} {\"layers\":[], \"tilewidth\":1}", DocumentKind::Map),
        ("{\"type\":\"tileset\"}", DocumentKind::Tileset),
        ("{\"tilewidth\":1}", DocumentKind::Tileset),
        ("{\"type\":\"template\"}", DocumentKind::Template),
        ("{\"maps\":[]}", DocumentKind::World),
    ] {
        let document = document(text);
        assert_eq!(document.kind(), kind, "{text}");
        assert_eq!(document.syntax(), if text.contains('<') { Syntax::Xml } else { Syntax::Json });
        assert_eq!(document.to_bytes().unwrap(), text.as_bytes());
    }
}

#[test]
fn items_have_names_texts_and_ranges() {
    let xml = "<map a = '1&quot;&#10;' b=\"\r\n\"><!-- <c/> -->x<c d=\"2\"/>y&amp;<![CDATA[<z>]]><e ></e\n></map>";
    let document = document(xml);
    let root = document.root();
    assert_eq!(root.range(), 0..xml.len());
    assert_eq!((root.get("a").unwrap().text(), root.get("b").unwrap().text()), ("1\"\n".into(), " ".into()));
    assert_eq!(root.text(), "xy&<z>");
    let names: Vec<_> = root.items().map(Item::name).collect();
    assert_eq!(names, ["a", "b", "c", "e"]);
    let text = |path: &[&str]| &xml[find(&document, path).range()];
    assert_eq!(text(&["a"]), "a = '1&quot;&#10;'");
    assert_eq!(text(&["c"]), "<c d=\"2\"/>");
    assert_eq!(text(&["c", "d"]), "d=\"2\"");
    assert_eq!(text(&["e"]), "<e ></e\n>");

    let json = r#"{ "type":"map", "a\n" : [1, -2.5e3,true,null], "b":[{"c":"\u00e9"}, "d", []], "type" :"map"}"#;
    let document = support::document(json);
    let text = |path: &[&str]| &json[find(&document, path).range()];
    assert_eq!(text(&["a\n"]), r#""a\n" : [1, -2.5e3,true,null]"#);
    assert_eq!(find(&document, &["a\n"]).numbers().collect::<Vec<_>>(), [Some(1.0), Some(-2500.0), None, None]);
    assert_eq!(find(&document, &["a\n"]).items().count(), 0);
    assert_eq!(find(&document, &["b", "0", "c"]).text(), "é");
    assert_eq!((text(&["b", "1"]), find(&document, &["b", "1"]).name()), ("\"d\"", "".into()));
    assert_eq!(find(&document, &["b", "2"]).kind(), ItemKind::Array);
    assert_eq!(document.root().get("type").unwrap().range().end, json.len() - 1, "the last one counts");
    assert_eq!(document.item_count(), 9);
}

#[test]
fn invalid_texts_are_rejected_where_they_are_wrong() {
    use ReadErrorKind as K;
    type Is = fn(&K) -> bool;
    let cases: &[(&str, usize, Is)] = &[
        ("", 0, |kind| matches!(kind, K::Ended { .. })),
        ("map", 0, |kind| matches!(kind, K::Unexpected { found: 'm', .. })),
        ("<svg/>", 0, |kind| matches!(kind, K::Root(_))),
        ("{\"a\":1}", 0, |kind| matches!(kind, K::Root(_))),
        ("{\"type\":\"a\"}", 0, |kind| matches!(kind, K::Root(_))),
        ("(function(name,data){", 0, |kind| matches!(kind, K::JavaScript)),
        ("<map>", 5, |kind| matches!(kind, K::Ended { .. })),
        ("<map></mop>", 5, |kind| matches!(kind, K::EndTag { .. })),
        ("<map/><map/>", 6, |kind| matches!(kind, K::Unexpected { found: '<', .. })),
        ("<map/> x", 7, |kind| matches!(kind, K::Unexpected { found: 'x', .. })),
        ("<map a='1' a='2'/>", 11, |kind| matches!(kind, K::DuplicateAttribute(_))),
        ("<map a='1'b='2'/>", 10, |kind| matches!(kind, K::Unexpected { found: 'b', .. })),
        ("<map a=1/>", 7, |kind| matches!(kind, K::Unexpected { found: '1', .. })),
        ("<map a='<'/>", 8, |kind| matches!(kind, K::Unexpected { found: '<', .. })),
        ("<map a='&nbsp;'/>", 8, |kind| matches!(kind, K::Entity(name) if name == "nbsp")),
        ("<map>a&#0;</map>", 6, |kind| matches!(kind, K::Entity(_))),
        ("<map>a&amp</map>", 6, |kind| matches!(kind, K::Entity(_))),
        ("<!DOCTYPE map [<!ENTITY a 'b'>]><map>&a;</map>", 0, |kind| matches!(kind, K::Doctype)),
        ("<map><!DOCTYPE map></map>", 6, |kind| matches!(kind, K::Unexpected { found: '!', .. })),
        ("<map><!-- a", 5, |kind| matches!(kind, K::Unended("comment"))),
        ("{\"type\":\"map\",}", 14, |kind| matches!(kind, K::Unexpected { found: '}', .. })),
        ("{\"type\":\"map\"} {", 15, |kind| matches!(kind, K::Unexpected { found: '{', .. })),
        ("{\"type\":\"map\" \"a\":1}", 14, |kind| matches!(kind, K::Unexpected { .. })),
        ("{\"a\":01}", 6, |kind| matches!(kind, K::Unexpected { found: '1', .. })),
        ("{\"a\":1.}", 7, |kind| matches!(kind, K::Unexpected { found: '}', .. })),
        ("{\"a\":[1,]}", 8, |kind| matches!(kind, K::Unexpected { found: ']', .. })),
        ("{\"a\":\"\\x\"}", 7, |kind| matches!(kind, K::Unexpected { found: 'x', .. })),
        ("{\"a\":\"\n\"}", 6, |kind| matches!(kind, K::Unexpected { found: '\n', .. })),
        ("{\"a\":NaN}", 5, |kind| matches!(kind, K::Unexpected { found: 'N', .. })),
        ("{\"a\":[", 6, |kind| matches!(kind, K::Ended { .. })),
    ];
    for (text, offset, is_expected) in cases {
        let error = Document::from_bytes(text.as_bytes()).expect_err(text);
        assert!(is_expected(error.kind()), "{text}: {error}");
        assert_eq!(error.position().map(|at| at.offset), Some(*offset as u64), "{text}: {error}");
    }
    let error = Document::from_bytes(b"<map a='\xE9'/>").unwrap_err();
    assert!(matches!(error.kind(), K::NotUtf8) && error.position().unwrap().offset == 8);
    let error = Document::from_bytes(b"\xFF\xFE<\0m\0").unwrap_err();
    assert!(matches!(error.kind(), K::Utf16) && error.category() == Category::Unsupported);
    let error = Document::from_bytes(b"version https://git-lfs.github.com/spec/v1\n").unwrap_err();
    assert!(matches!(error.kind(), K::LfsPointer) && error.category() == Category::Unsupported);
}

#[test]
fn sniffing_needs_only_the_start() {
    use mapwright_tiled::io::Confidence;
    for text in [
        "<?xml version=\"1.0\"?>\n<map version=\"1.10\">",
        "<!-- <svg> -->\n<!DOCTYPE map>\n<?p >?><map/>",
        "\u{FEFF}<tileset>",
        "<template>\n",
        "{ \"compressionlevel\":-1, \"layers\":[",
        "{\"tileheight\":1,\"tilewidth\":1,\"layers\":[]}",
        "{\"maps\":[{\"fileName\":\"a.tmx\"",
        "{\"patterns\":[{\"regexp\":\"",
        "{\"object\":{\"gid\":1},\"tileset\":{",
        "{ \"columns\":1, \"image\":\"a.png\", \"tilecount\":1",
    ] {
        assert_eq!(mapwright_tiled::sniff(text.as_bytes()), Confidence::Maybe, "{text}");
    }
    for text in [
        "",
        "<mapper/>",
        "<svg>",
        "{}",
        "map",
        "<!DOCTYPE html>\n<html><body><map name='a'></map><template></template>",
        "<!-- <map> -->",
        "<!-- <map>",
        "<",
        "{\"class_name\":\"Model\", \"layers\":[]}",
        "{\"fileName\":\"a\"}",
    ] {
        assert_eq!(mapwright_tiled::sniff(text.as_bytes()), Confidence::No, "{text}");
    }
}
