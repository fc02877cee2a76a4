//! The rules of the format, each on a text of its own.

use mapwright_qmap::io::{Category, Confidence, Limits};
use mapwright_qmap::{Document, Face, Mapping, Plane, Primitive, PrimitiveKind, ReadOptions, decode_text, sniff};

use crate::support::{cube, map};

/// Returns a map with one brush of one face.
fn with_face(face: &str) -> Document {
    map(format!("{{\n{{\n{face}\n}}\n}}\n"))
}

fn face(map: &Document) -> Face<'_> {
    map.primitives().next().expect("a brush").faces().next().expect("a face")
}

fn extra(map: &Document) -> Vec<String> {
    face(map).extra().map(|word| decode_text(word).into_owned()).collect()
}

fn error(text: impl AsRef<[u8]>) -> String {
    Document::from_bytes(text.as_ref()).unwrap_err().to_string()
}

const POINTS: &str = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )";

#[test]
fn every_byte_up_to_the_space_is_white_space() {
    let map = map(b"\xef\xbb\xbf\0\x01{\x0b\"a\"\x0c\"b\"\r\r{\x1f}\t}\n");
    let entity = map.entities().next().unwrap();
    assert_eq!((entity.get("a"), entity.primitives().len()), (Some(&b"b"[..]), 1));
}

#[test]
fn comments_end_with_the_line_in_all_three_forms() {
    let map = map("// one\r{ ; two { \n \"a\" //three }\r\n\"b // c ; d\"}");
    assert_eq!(map.entities().next().unwrap().get("a"), Some(&b"b // c ; d"[..]));
    assert_eq!(map.header_comments().collect::<Vec<_>>(), [b"// one"]);
}

#[test]
fn a_quote_after_an_odd_number_of_backslashes_belongs_to_the_string() {
    for (text, value) in [
        (r#"{ "k" "a \"b\" c" }"#, r#"a \"b\" c"#),
        ("{ \"wad\" \"C:\\dir\\\"\n}", "C:\\dir\\"),
        ("{ \"wad\" \"C:\\dir\\\"\r\n}", "C:\\dir\\"),
        ("{ \"wad\" \"C:\\dir\\\"}", "C:\\dir\\"),
        (r#"{ "k" "a\\" }"#, r"a\\"),
        (r#"{ "k" "a\\\" b" }"#, r#"a\\\" b"#),
        ("{ \"k\" \"two\nlines\" }", "two\nlines"),
    ] {
        let map = map(text);
        let pair = map.entities().next().unwrap().pairs().next().unwrap();
        assert_eq!(decode_text(pair.value()), value, "{text}");
    }
}

#[test]
fn text_that_is_not_utf8_is_windows_1252() {
    let map = map(b"{ \"message\" \"\x93caf\xe9\x94\" }");
    let entity = map.entities().next().unwrap();
    assert_eq!(entity.text("message").as_deref(), Some("\u{201C}café\u{201D}"));
    assert_eq!(entity.get("message"), Some(&b"\x93caf\xe9\x94"[..]));
}

#[test]
fn a_string_without_an_end_is_reported_where_it_begins() {
    let error = Document::from_bytes(b"{\n\"a\" \"b\n}\n").unwrap_err();
    assert_eq!(error.to_string(), "a string has no end at line 2, column 5 in entities[0]");
    assert_eq!(error.category(), Category::Truncated);
}

#[test]
fn a_texture_is_a_string_or_everything_up_to_the_next_space() {
    for (token, name) in [
        ("{fence", "{fence"),
        ("*water[1]", "*water[1]"),
        ("a(b)c", "a(b)c"),
        ("+0button", "+0button"),
        ("!cur_90", "!cur_90"),
        ("a\"b", "a\"b"),
        ("5", "5"),
        ("\"with space\"", "with space"),
        (r#""a\"b\\c\d""#, r#"a"b\c\d"#),
        ("\"\"", ""),
    ] {
        let map = with_face(&format!("{POINTS} {token} 1 2 3 4 5"));
        assert_eq!(decode_text(&face(&map).texture()), name);
        assert_eq!(decode_text(face(&map).texture_token()), token);
        let expected = Mapping::Standard { shift: [1.0, 2.0], rotation: 3.0, scale: [4.0, 5.0] };
        assert_eq!(face(&map).mapping(), expected, "{token}");
    }
}

#[test]
fn numbers_have_their_forms_and_others_are_rejected() {
    let map = with_face("(-0 1e1 +.5)(5. 1E-2 0)( 0 0 1 ) t -0 1e1 90.000000000000014 -1 .5");
    let points = [[-0.0, 10.0, 0.5], [5.0, 0.01, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(face(&map).plane(), Plane::Points(points));
    assert_eq!(face(&map).mapping_words().next(), Some(&b"-0"[..]));
    for bad in ["nan", "inf", "0x1F", "1e", "1,5", "--1", "1.2.3"] {
        let text = format!("{{\n{{\n( 0 0 {bad} ) ( 0 1 0 ) ( 0 0 1 ) t 0 0 0 1 1\n}}\n}}\n");
        assert_eq!(
            error(text),
            format!("expected a number, found \"{bad}\" at line 3, column 7 in entities[0].primitives[0]")
        );
    }
}

#[test]
fn faces_have_four_forms() {
    let map = with_face(&format!("{POINTS} t [ 1 0 0 8 ] [ 0 -1 0 4.5 ] 30 0.5 2"));
    let valve = Mapping::Valve { u: [1.0, 0.0, 0.0, 8.0], v: [0.0, -1.0, 0.0, 4.5], rotation: 30.0, scale: [0.5, 2.0] };
    assert_eq!(face(&map).mapping(), valve);

    let map = with_face(&format!("brushDef {{ {POINTS} ( ( 1 2 3 ) ( 4 5 6 ) ) a/b 7 8 9 }}"));
    let matrix = Mapping::Matrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!((face(&map).mapping(), face(&map).kind()), (matrix, PrimitiveKind::BrushDef));
    assert_eq!(face(&map).surface_flags(), Some([7.0, 8.0, 9.0]));

    let map = with_face("brushDef3 { ( 0 0 -1 64 ) ( ( 1 2 3 ) ( 4 5 6 ) ) \"a/b\" 0 0 0 }");
    assert_eq!(face(&map).plane(), Plane::Equation([0.0, 0.0, -1.0, 64.0]));
    assert_eq!((face(&map).mapping(), decode_text(&face(&map).texture())), (matrix, "a/b".into()));
}

#[test]
fn further_words_in_the_same_line_belong_to_a_face() {
    let map = with_face(&format!("{POINTS} t 0 0 0 1 1 0 0 0 +trans 0.5 // c"));
    assert_eq!(extra(&map), ["0", "0", "0", "+trans", "0.5"]);
    let map = with_face(&format!("{POINTS} t 0 0 0 1 1\n{POINTS} t 0 0 0 1 1 0"));
    assert_eq!((extra(&map).len(), map.face_count()), (0, 2));
    let range = face(&map).range();
    assert_eq!(&map.as_bytes()[range], format!("{POINTS} t 0 0 0 1 1").as_bytes());
    // In the next line, they are a key and its value.
    let map = with_face(&format!("{POINTS} t 0 0 0 1 1\nkey 5"));
    assert_eq!((extra(&map).len(), map.primitives().next().unwrap().pairs().len()), (0, 1));
}

#[test]
fn patches_have_rows_of_control_points() {
    let row = |x: i32| format!("( ( {x} 0 0 0 0 ) ( {x} 8 0 0 0.5 ) ( {x} 16 4 0 1 ) )");
    let rows = [row(0), row(8), row(16)].join("\n");
    let text = format!(
        "{{ {{ patchDef2 {{ a ( 3 3 0 0 0 ) ( {rows} ) \"k\" \"v\" }} }} {{ patchDef3 {{ \"b c\" ( 3 3 4 5 0 0 0 ) ({rows}) }} }} }}"
    );
    let map = map(text);
    let patches: Vec<_> = map.primitives().map(|primitive| primitive.patch().expect("a patch")).collect();
    assert_eq!((patches[0].row_count(), patches[0].column_count(), patches[0].subdivisions()), (3, 3, None));
    assert_eq!((patches[1].subdivisions(), decode_text(&patches[1].texture())), (Some([4.0, 5.0]), "b c".into()));
    let last = patches[1].points().last().unwrap();
    assert_eq!((last.position, last.uv), ([16.0, 16.0, 4.0], [0.0, 1.0]));
    assert_eq!(map.primitives().next().unwrap().pairs().next().unwrap().value(), b"v");
    for bad in ["2.5", "-1"] {
        let expected = format!("expected a whole number of control points, found \"{bad}\" at line 1, column 23");
        assert!(error(format!("{{ {{ patchDef2 {{ a ( 3 {bad} 0 0 0 ) ( ) }} }} }}")).starts_with(&expected), "{bad}");
    }
    assert!(error("{ { patchDef2 { a ( 2 1 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } } }").contains("`(` of a row"));
}

#[test]
fn unknown_primitives_are_kept() {
    let map = map("{ { terrainDef { a ( 1 ) { b } } } { mesh { \"c\" } } }");
    let names: Vec<_> = map.primitives().map(Primitive::name).collect();
    assert_eq!(names, [Some(&b"terrainDef"[..]), Some(&b"mesh"[..])]);
}

#[test]
fn maps_of_doom_3_have_a_version() {
    let doom = map("Version 2\n// entity 0\n{ \"classname\" \"worldspawn\" }");
    assert_eq!((doom.version(), doom.entity_count()), (Some(2.0), 1));
    assert_eq!(map("{ }").version(), None);
}

#[test]
fn brushes_outside_of_entities_are_one_entity() {
    let text = format!("// brush 0\n{{\n{}}}\n// brush 1\n{{\n{}}}\n", cube("a 0 0 0 1 1"), cube("b 0 0 0 1 1"));
    let map = map(&text);
    let entity = map.entities().next().unwrap();
    assert_eq!((map.entity_count(), entity.primitives().len(), entity.pairs().len()), (1, 2, 0));
    assert!(entity.is_fragment() && text.as_bytes()[entity.range()].starts_with(b"{\n( 0"));
}

#[test]
fn of_duplicate_keys_the_first_counts_and_keys_may_follow_brushes() {
    let map = map(format!("{{ \"a\" \"1\" {{ {} }} \"a\" \"2\" \"b\" \"3\" }}", cube("t 0 0 0 1 1")));
    let entity = map.entities().next().unwrap();
    assert_eq!((entity.get("a"), entity.get("b"), entity.pairs().len()), (Some(&b"1"[..]), Some(&b"3"[..]), 3));
}

#[test]
fn limits_are_errors() {
    let read = |text: &str, options: ReadOptions| {
        let error = Document::from_bytes_with(text.as_bytes(), &options).unwrap_err();
        assert_eq!(error.category(), Category::Limit);
        error.to_string()
    };
    let options = ReadOptions::default;
    assert_eq!(
        read("{}{}", options().with_max_entities(1)),
        "max_entities of 2 exceeds the limit of 1 at line 1, column 3"
    );
    let brush = format!("{{ {{ {} }} }}", cube("t 0 0 0 1 1"));
    assert!(read(&brush, options().with_max_faces(5)).contains("in entities[0].primitives[0]"));
    assert!(read("{ \"a\" \"bcd\" }", options().with_max_text(4)).starts_with("max_text of 5"));
    let patch = "{ { patchDef2 { a ( 3 101 0 0 0 ) ( ) } } }";
    assert!(read(patch, options()).starts_with("max_patch of 101 exceeds the limit of 99 at line 1, column 23"));
    let patch = patch.replace("101", "1e9");
    assert!(read(&patch, options().with_max_patch(usize::MAX)).starts_with("max_patch of 1000000000 exceeds"));
    let items = options().with_limits(Limits::default().with_max_items(1));
    assert!(read("{ a b c d }", items).starts_with("the input has more than 1 item"));
    assert!(read("{ { mesh { { { } } } } }", options()).starts_with("the input is nested more than 4 levels deep"));
}

#[test]
fn other_files_are_rejected_with_the_reason() {
    assert!(error(b"\xff\xfe{\0}\0").contains("UTF-16"));
    assert!(error("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n").contains("Git LFS"));
    assert!(error("{ \"a\" }").starts_with("expected the value of a key, found \"}\""));
    assert!(error("{ \"a\" \"b\"").starts_with("an entity has no end at line 1, column 1"));
    assert!(error("x").starts_with("expected `{` of an entity, found \"x\""));
}

#[test]
fn maps_are_recognized_by_their_first_words() {
    let sniff = |text: &str| sniff(text.as_bytes());
    assert_eq!(sniff("// Game: Quake\n// entity 0\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
    assert_eq!(sniff("Version 2\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
    assert_eq!(sniff("{ { ( 0 0 0 )"), Confidence::Maybe);
    assert_eq!(sniff("{ ( 0 0 0 ) ( 0"), Confidence::Maybe);
    for other in ["{\"asset\": {}}", "// WMP2\n// ACKWED\nblocks 1", "// only", "", "<?xml version=\"1.0\"?>"] {
        assert_eq!(sniff(other), Confidence::No, "{other}");
    }
}
