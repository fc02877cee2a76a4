//! Laws on generated texts.

use mapwright_qmap::{Document, Entity, sniff};
use mapwright_testkit::{laws, mutate};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::read;

/// Pieces of texts, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\\\"",
        "// c\n",
        ";c\r",
        "\r\n",
        " ",
        "\t",
        "Version 2",
        "brushDef",
        "brushDef3",
        "patchDef2",
        "patchDef3",
        "mesh",
        "( 0 0 0 )",
        "(0 1 2 3)",
        "( 1 2 3 4 5 )",
        "[ 1 0 0 4 ]",
        "( 3 3 0 0 0 )",
        "1e5",
        "-.5",
        "5.",
        "nan",
        "0x1F",
        "tex",
        "{tex",
        "\"k\" \"v\"",
        "\u{feff}",
    ];
    vec(select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i16>().prop_map(|number| number.to_string()),
        (-1e6..1e6_f64).prop_map(|number| number.to_string()),
        select(vec!["-0", "1e1", ".5", "5.", "+7", "90.000000000000014", "1E-3"]).prop_map(str::to_owned),
    ]
}

/// Numbers with brackets around them, at times with a comment inside.
fn group(open: &'static str, close: &'static str, count: usize) -> impl Strategy<Value = String> {
    let space = select(vec![" ", "\t", "\r\n", " // (\n", " ; 7\n"]);
    (vec((number(), Just(" ")), count), select(vec!["", " "]), space).prop_map(move |(numbers, inner, space)| {
        let numbers: Vec<String> = numbers.into_iter().map(|(number, _)| number).collect();
        let text = numbers.join(if inner.is_empty() { " " } else { space });
        format!("{open}{inner}{text}{inner}{close}")
    })
}

fn texture() -> impl Strategy<Value = String> {
    let names = [
        "a",
        "{fence",
        "*water[1]",
        "a(b)c",
        "+0button",
        "!cur_90",
        "\"with space\"",
        "\"q\\\"\\\\\"",
        "\"\"",
        "a\"b",
        "a/b//c",
        "ä",
    ];
    select(names.to_vec()).prop_map(str::to_owned)
}

fn extra() -> impl Strategy<Value = String> {
    select(vec!["", " 0", " 0 0 0", " 1 2 3.5 255 0 9", " 0 0 0 +trans 0.5", " // c", " //TX1", " ;"])
        .prop_map(str::to_owned)
}

/// A primitive. A brush in no entity begins with a face: with a key, it would be an entity.
fn primitive(keys: &'static [&'static str]) -> impl Strategy<Value = String> {
    let points = || vec(group("(", ")", 3), 3).prop_map(|points| points.join(" "));
    let standard = (points(), texture(), vec(number(), 5), extra())
        .prop_map(|(points, texture, numbers, extra)| format!("{points} {texture} {}{extra}\n", numbers.join(" ")));
    let valve = (points(), texture(), vec(group("[", "]", 4), 2), vec(number(), 3), extra()).prop_map(
        |(points, texture, axes, numbers, extra)| {
            format!("{points} {texture} {} {}{extra}\r\n", axes.join(" "), numbers.join(" "))
        },
    );
    let matrix = || vec(group("(", ")", 3), 2).prop_map(|rows| format!("( {} )", rows.join(" ")));
    let brush_def = (points(), matrix(), texture(), extra())
        .prop_map(|(points, matrix, texture, extra)| format!("{points} {matrix} {texture}{extra}\n"));
    let brush_def3 = (group("(", ")", 4), matrix(), texture(), extra())
        .prop_map(|(plane, matrix, texture, extra)| format!("{plane} {matrix} {texture}{extra}\n"));
    let faces = |face: BoxedStrategy<String>| vec(face, 0..5).prop_map(|faces| faces.concat());
    let brush = faces(prop_oneof![standard, valve].boxed());
    let key = select(keys);
    let patch = (texture(), vec(group("( ", " )", 5), 9)).prop_map(|(texture, points)| {
        let rows: Vec<String> = points.chunks(3).map(|row| format!("( {} )", row.join(" "))).collect();
        format!("patchDef2\n{{\n{texture}\n( 3 3 0 0 0 )\n(\n{}\n)\n\"k\" \"v\"\n}}\n", rows.join("\n"))
    });
    prop_oneof![
        4 => (key.clone(), brush).prop_map(|(key, faces)| format!("{{\n{key}{faces}}}\n")),
        1 => (key, faces(brush_def.boxed())).prop_map(|(key, faces)| format!("{{\nbrushDef\n{{\n{key}{faces}}}\n}}\n")),
        1 => faces(brush_def3.boxed()).prop_map(|faces| format!("{{\nbrushDef3\n{{\n{faces}}}\n}}\n")),
        1 => patch.prop_map(|patch| format!("{{\n{patch}}}\n")),
        1 => Just("{ terrainDef { a ( 1 2 { x } ) \"b\" } }".to_owned()),
    ]
}

/// Maps with every kind of part, as programs write them.
pub(crate) fn map_text() -> impl Strategy<Value = Vec<u8>> {
    let keys = [
        "\"classname\" \"worldspawn\"\n",
        "\"a\" \"b \\\" c\"\r\n",
        "\"wad\" \"C:\\dir\\\"\n",
        "bare word\n",
        "\"x\"\"\n\"",
        "// c\n",
    ];
    let item = prop_oneof![select(keys.to_vec()).prop_map(str::to_owned), primitive(&["", "\"k\" \"v\"\n", "k 5\n"])];
    let entity = vec(item, 0..5).prop_map(|items| format!("// entity\n{{\n{}}}\n", items.concat()));
    let head = select(vec!["", "\u{feff}", "// Game: Quake\n// Format: Valve\n", "Version 2\n"]);
    let fragment = vec(primitive(&[""]), 0..3).prop_map(|primitives| primitives.concat());
    let entities = vec(entity, 0..4).prop_map(|entities| entities.concat());
    (head, prop_oneof![4 => entities, 1 => fragment]).prop_map(|(head, body)| format!("{head}{body}").into_bytes())
}

/// Asks everything that views offer. All ranges must be inside the text, and contain the ranges of their parts.
fn visit(map: &Document) {
    let size = map.as_bytes().len();
    let _ = (map.version(), map.game(), map.format(), map.radiant_layers(), map.editor_tree(), format!("{map:?}"));
    let (mut primitives, mut faces) = (0, 0);
    for entity in map.entities() {
        let range = entity.range();
        assert!(range.start < range.end && range.end <= size);
        assert!(entity.pairs().all(|pair| range.contains(&pair.range().start) && pair.range().end < range.end));
        let _ = (entity.class(), entity.comments().count(), entity.position(), format!("{entity:?}"));
        for primitive in entity.primitives() {
            let inner = primitive.range();
            assert!(range.start <= inner.start && inner.end <= range.end);
            assert_eq!(primitive.entity().map(Entity::range), Some(range.clone()));
            assert!(primitive.pairs().all(|pair| inner.contains(&pair.range().start)));
            let _ = (primitive.comments().count(), primitive.name());
            for face in primitive.faces() {
                let face_range = face.range();
                assert!(inner.start < face_range.start && face_range.end < inner.end, "{face_range:?} in {inner:?}");
                assert!(!face.texture_token().is_empty());
                let _ = (face.surface_flags(), format!("{face:?}"));
                faces += 1;
            }
            assert_eq!(primitive.patch().is_some(), primitive.kind().is_patch());
            if let Some(patch) = primitive.patch() {
                assert_eq!(patch.points().count(), patch.row_count() * patch.column_count());
            }
            primitives += 1;
        }
    }
    assert_eq!((primitives, faces), (map.primitive_count(), map.face_count()));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), pieces in pieces()) {
        for bytes in [&bytes, &pieces] {
            let _ = sniff(bytes);
            if let Some(map) = laws::total(bytes, read) {
                visit(&map);
                laws::exact("the text", bytes, read, Document::to_bytes);
            }
        }
    }

    #[test]
    fn legal_maps_round_trip(text in map_text()) {
        laws::exact("the map", &text, read, Document::to_bytes);
        laws::stable(&text, read, Document::to_bytes);
        visit(&read(&text).unwrap());
    }

    #[test]
    fn damaged_maps_are_stable(text in map_text(), seed: u64) {
        for mutant in mutate::random(&text, std::slice::from_ref(&text), seed).take(20) {
            if let Some(map) = laws::total(&mutant, read) {
                visit(&map);
            }
            laws::stable(&mutant, read, Document::to_bytes);
        }
    }

    #[test]
    fn prefixes_are_rejected_or_shorter_maps(text in map_text()) {
        laws::prefixes(&text, read, |prefix, map| map.as_bytes() == prefix);
    }
}
