//! Edits of text maps change only what they must.

use crate::support;

use std::sync::Arc;

use mapwright_wmp::{
    Block, Chunk, Counts, Dialect, Document, Entity, EntityKind, Face, Level, LineEnd, Member, MemberKind, Mesh, Model,
    Name, Object, Shape, Start, WriteErrorKind,
};
use support::{is_binary, maps};

/// Handmade formatting: comments, spaces, zeros, an unknown section, sections without blank lines between.
const BY_HAND: &str = "// WMP2\n// WMPIO V 1.30\n// Created 01.02.2020 \nversion 710\n\
blocks 01\nentities 1 // the level\nobjects 2\n\
wed {\n palette {\n  00 0A ff\n }\n wad { \n  0 0 0 0 0\n  <a b.wad>  1 // used\n }\n}\n\
extra 5 {\n something { \n }\n}\n\
block 0 {\n vertices 4 faces 2 // two\n 0.0 0 0   1.50 0 0\n 0 1.250000 0 0 0 -0\n\n\
\x20 3 0 1 2 : brick ( 1.0 0 0 0 )( 0 -1 0 0 ) 0 0 0 1.0 1 : 00 0 50 ndef   // first\n\
\x20 3  0 2 3 : brick (1 0 0 0) (0 -1 0 0) 0 0 0 1 1 : 0000 0 50 ndef\t// second\n { // end\n  00000\n  ndef // none\n  0\n }\n}\n\
level 0 {\t// Root level\n <a.$$w>\n <p.pcx> // palette\n 030\n 45.50\n 35\n <ndef>\n 1 2 3 // sun\n}\n\
object 0 {\n (0 0 0) (0 0 0) (1 1 1)\n object 1\n level 0\n}\n// a place\nobject 1 {\n (1.000 2 3)(0 0 0) (1 1 1) // here\n block 0\n}\n// end";

fn by_hand() -> Document {
    Document::from_bytes(BY_HAND.as_bytes()).expect("a map")
}

#[track_caller]
fn assert_edited_text(document: &Document, from: &str, to: &str) {
    assert_eq!(BY_HAND.matches(from).count(), 1, "{from}");
    let written = String::from_utf8(document.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, BY_HAND.replace(from, to));
    assert_eq!(Document::from_bytes(written.as_bytes()).expect("a map"), *document);
}

fn mesh(document: &mut Document, block: usize) -> &mut Mesh {
    match &mut document.blocks[block].shape {
        Shape::Mesh(mesh) => mesh,
        Shape::Planes(_) => panic!("a mesh"),
    }
}

#[test]
fn a_token_of_a_handmade_map_changes_alone() {
    let mut map = by_hand();
    mesh(&mut map, 0).vertices[1][1] = 7.25;
    assert_edited_text(&map, "1.50 0 0", "1.50 7.25 0");
    let mut map = by_hand();
    mesh(&mut map, 0).vertices[3][2] = 0.0;
    assert_edited_text(&map, "0 0 -0", "0 0 0");
    let mut map = by_hand();
    mesh(&mut map, 0).faces[0].texture = "stone".into();
    assert_edited_text(&map, "3 0 1 2 : brick", "3 0 1 2 : stone");
    let mut map = by_hand();
    mesh(&mut map, 0).faces[0].flags.0 = 5;
    assert_edited_text(&map, ": 00 0", ": 0101 0");
    let mut map = by_hand();
    map.blocks[0].material = "mtl".into();
    assert_edited_text(&map, "ndef // none", "mtl // none");
    let mut map = by_hand();
    map.objects[1].position[0] = -4.5;
    assert_edited_text(&map, "(1.000 2 3)", "(-4.5 2 3)");
    let mut map = by_hand();
    map.objects[1].name = "here".into();
    assert_edited_text(&map, "object 1 {", "object 1 {  // here");
    let mut map = by_hand();
    map.header.counts = Some(Counts { blocks: 1, entities: 1, objects: 3 });
    assert_edited_text(&map, "objects 2", "objects 3");
    let mut map = by_hand();
    map.wed.as_mut().expect("settings").wads[0].path = "c:\\x y.wad".into();
    assert_edited_text(&map, "<a b.wad>", "<c:\\x y.wad>");
    let mut map = by_hand();
    let EntityKind::Level(level) = &mut map.entities[0].kind else { panic!("a level") };
    (level.azimuth, level.script) = (46.0, "main.c".into());
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, BY_HAND.replace("45.50", "46").replace("<ndef>", "<main.c>"));
}

#[test]
fn reverted_changes_change_nothing() {
    let mut map = by_hand();
    mesh(&mut map, 0).vertices[1][1] = 7.25;
    mesh(&mut map, 0).vertices[1][1] = 0.0;
    let _: &mut Object = &mut map.objects[1];
    assert_eq!(map.to_bytes().expect("a map"), BY_HAND.as_bytes());
}

#[test]
fn faces_of_handmade_maps_can_be_added_and_removed() {
    let mut map = by_hand();
    mesh(&mut map, 0).faces.remove(0);
    let mut expected = BY_HAND.replace("faces 2 // two", "faces 1 // two");
    let start = expected.find("\n\n  3 0 1 2").expect("a face");
    let end = expected.find("\n  3  0 2 3").expect("another");
    expected.replace_range(start..end, "");
    assert_eq!(String::from_utf8(map.to_bytes().expect("a map")).expect("text"), expected);

    let mut map = by_hand();
    let face = Face { texture: "stone".into(), ..mesh(&mut map, 0).faces[0].clone() };
    mesh(&mut map, 0).faces.insert(1, face);
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    let new = "\n\t3  0 1 2 : stone ( 1 0 0 0 ) ( 0 -1 0 0 ) 0 0 0 1 1 : 0000 0 50 ndef\n  3  0 2 3";
    let expected = BY_HAND.replace("faces 2 // two", "faces 3 // two").replace("\n  3  0 2 3", new);
    assert_eq!(written, expected);
}

#[test]
#[ignore = "needs the corpus"]
fn parts_of_corpus_maps_can_be_added_and_removed() {
    let mut map = by_hand();
    map.blocks.clear();
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    let (start, end) = (BY_HAND.find("extra 5").expect("a block"), BY_HAND.find("level 0 {").expect("a level"));
    assert_eq!(written, [&BY_HAND[..start], &BY_HAND[end..]].concat(), "with the lines before it");
    assert_eq!(Document::from_bytes(written.as_bytes()).expect("a map"), map);

    let mut map = by_hand();
    map.entities.push(Entity::new(1, EntityKind::Start(Start { name: "pos".into(), word_04: 0 })).into());
    map.objects
        .push(Object { members: vec![Member { kind: MemberKind::Start, number: 1 }].into(), ..Object::new(2) }.into());
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    let object = "object 2 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tstart 1\n}\n\n// end";
    let expected = BY_HAND.replace("// sun\n}\n", "// sun\n}\nstart 1 {\n\tpos\n}\n\n").replace("// end", "// END");
    let expected = expected.replacen("// END\n", "// end\n", 1).replace("// END", object);
    assert_eq!(written, expected);
    map.wed = None;
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert!(!written.contains("wed {") && written.contains("extra 5 {"));
}

#[test]
fn line_ends_are_changed_all_at_once() {
    let mut map = by_hand();
    map.line_end = LineEnd::Crlf;
    let written = map.to_bytes().expect("a map");
    assert_eq!(written, BY_HAND.replace('\n', "\r\n").as_bytes());
    let mut back = Document::from_bytes(&written).expect("a map");
    assert_eq!(back, map);
    back.objects[1].position[0] = -4.5;
    back.line_end = LineEnd::Lf;
    assert_eq!(back.to_bytes().expect("a map"), BY_HAND.replace("(1.000 2", "(-4.5 2").as_bytes());
}

#[test]
fn maps_without_a_version_keep_their_dialect() {
    let text = BY_HAND.replace("version 710\n", "");
    let mut map = Document::from_bytes(text.as_bytes()).expect("a map");
    assert_eq!(map.dialect, Dialect::A7);
    map.objects[1].position[0] = -4.5;
    assert_eq!(map.to_bytes().expect("a map"), text.replace("(1.000 2", "(-4.5 2").as_bytes());
    map.blocks.clear();
    let written = map.to_bytes().expect("a map");
    assert_eq!(Document::from_bytes(&written).expect("a map"), map);
}

#[test]
fn parts_in_another_order_keep_it() {
    let text = "// WMP2\n\nversion 710\n\nobject 0 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tlevel 0\n}\nstart 1 {\n\tpos\n}\n\
                object 1 {\n\t(0 0 0) (0 0 0) (1 1 1)\n\tstart 1\n}\n";
    let mut map = Document::from_bytes(text.as_bytes()).expect("a map");
    map.objects[0].position[2] = 8.0;
    assert_eq!(map.to_bytes().expect("a map"), text.replacen("(0 0 0)", "(0 0 8)", 1).as_bytes());
    map.objects.insert(1, Object::new(5).into());
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert!(written.find("object 5").expect("it") < written.find("start 1").expect("it"), "{written}");
    assert_eq!(Document::from_bytes(written.as_bytes()).expect("a map"), map);
}

/// Returns the number of lines between the common start and the common end of two texts.
fn differing(old: &[u8], new: &[u8]) -> usize {
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let front = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    new.len().saturating_sub(front + back.min(new.len() - front))
}

#[test]
#[ignore = "needs the corpus"]
fn an_edit_of_a_corpus_map_changes_one_line() {
    let Some(maps) = maps(|bytes| !is_binary(bytes)) else { return };
    for (name, _, bytes) in &maps {
        let read = || Document::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let check = |what: &str, map: &Document, lines: usize| {
            let written = map.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(differing(bytes, &written), lines, "{name}: {what}");
            assert!(Document::from_bytes(&written).expect("a map") == *map, "{name}: {what}");
        };
        let map = read();
        for block in some(map.blocks.len()) {
            let mut map = read();
            match &mut map.blocks[block].shape {
                Shape::Planes(faces) => change_slightly(&mut faces[0].points[1][0]),
                Shape::Mesh(mesh) => change_slightly(&mut mesh.vertices[0][1]),
            }
            check("a point", &map, 1);
        }
        for object in some(map.objects.len()) {
            let mut map = read();
            // The root, blocks and paths of resolved maps have no position.
            let is_placed = |kind| !matches!(kind, MemberKind::Object | MemberKind::Block | MemberKind::Path);
            if map.dialect != Dialect::Resolved
                || map.objects[object].members.iter().all(|member| is_placed(member.kind))
            {
                change_slightly(&mut map.objects[object].position[2]);
                check("a place", &map, 1);
            }
        }
        if !map.blocks.is_empty() {
            let mut map = read();
            let block = map.blocks.remove(0);
            let removed = map.to_bytes().expect("a map");
            assert!(removed.len() < bytes.len());
            map.blocks.insert(0, block);
            check("nothing", &map, 0);
        }
        let mut map = read();
        let block = Block { number: 9999, ..block(map.dialect) };
        map.blocks.push(block.into());
        if map.dialect != Dialect::Resolved || map.level().is_some() {
            let written = map.to_bytes().expect("a map");
            assert!(Document::from_bytes(&written).expect("a map").blocks == map.blocks, "{name}");
            map.blocks.pop();
            check("nothing", &map, 0);
        }
    }
}

/// Returns a few indices, including the last.
fn some(count: usize) -> impl Iterator<Item = usize> {
    (0..count).rev().step_by((count / 8).max(1))
}

/// Changes a number by an amount that text can represent.
fn change_slightly(number: &mut f64) {
    *number = ((*number + 0.25) * 1e6).round() / 1e6;
}

fn block(dialect: Dialect) -> Block {
    let mut block = Block::new(0, Mesh::default());
    if dialect == Dialect::A4 {
        (block.shape, block.index) = (Shape::Planes(Vec::new()), None);
    }
    block
}

#[test]
fn a_resolved_map_keeps_its_sections() {
    let text = "// Wed (6.731.01)\nversion 711\n{ // 1\n 0\n a.$$w\n p.pcx\n {\n  vertices 1 faces 1\n  0 0 0\n\
                \x20 1 0 : a ( 1 0 0 0 ) ( 0 1 0 0 ) : 00 0 50 ndef // x\n  {\n   0\n   ndef\n  }\n }\n}\n{\n 5\n 45.0\n 35\n}\n\
                { // it\n 1\n 1.0 2 3 // here\n 0 0 0\n pos\n}\n{\n 1\n 4 5 6\n 0 0 0\n pos\n}\n";
    let read = || Document::from_bytes(text.as_bytes()).expect("a map");
    let mut map = read();
    assert_eq!((map.blocks.len(), map.entities.len(), map.objects.len()), (1, 3, 4));
    assert_eq!((map.entities[0].comment.clone(), map.entities[1].comment.clone()), ("1".into(), "it".into()));
    map.objects[2].position[1] = 2.5;
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, text.replace("1.0 2 3", "1.0 2.5 3"));
    let mut map = read();
    let EntityKind::Level(level) = &mut map.entities[0].kind else { panic!("a level") };
    level.elevation = 30.0;
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, text.replace(" 35", " 30"));
    let EntityKind::Level(level) = &mut map.entities[0].kind else { panic!("a level") };
    (level.elevation, level.wad) = (35.0, "b.$$w".into());
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, text.replace("a.$$w", "b.$$w"));
    let mut map = read();
    map.entities.remove(1);
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, text.replace("{ // it\n 1\n 1.0 2 3 // here\n 0 0 0\n pos\n}\n", ""));
    let mut map = read();
    mesh(&mut map, 0).faces[0].texture = "b".into();
    let written = String::from_utf8(map.to_bytes().expect("a map")).expect("text");
    assert_eq!(written, text.replace(": a (", ": b ("));
    map.objects[1].position[0] = 1.0;
    assert!(matches!(
        map.to_bytes().expect_err("blocks have no other position").kind(),
        WriteErrorKind::Dialect { .. }
    ));
}

#[test]
fn values_that_text_cannot_store_are_rejected() {
    let refused = |change: &dyn Fn(&mut Document)| {
        let mut map = by_hand();
        change(&mut map);
        let error = map.to_bytes().expect_err("it cannot be stored");
        (error.path().to_string(), error.into_kind())
    };
    let (path, kind) = refused(&|map| mesh(map, 0).vertices[2][0] = f64::NAN);
    assert_eq!(path, "blocks[0].vertices[2]");
    assert!(matches!(kind, WriteErrorKind::Number { .. }));
    for name in ["a b", "a\nb", "//"] {
        let (path, kind) = refused(&|map| mesh(map, 0).faces[1].texture = name.into());
        assert_eq!(path, "blocks[0].faces[1].texture");
        assert!(matches!(kind, WriteErrorKind::Name { .. }));
    }
    for name in ["a\nb", " a", "a // b", "}"] {
        assert!(
            matches!(refused(&|map| map.blocks[0].material = name.into()).1, WriteErrorKind::Name { .. }),
            "{name}"
        );
    }
    for name in ["a\nb", "a>b"] {
        let path = |map: &mut Document| map.wed.as_mut().expect("settings").wads[0].path = name.into();
        assert!(matches!(refused(&path).1, WriteErrorKind::Name { .. }), "{name}");
    }
    assert!(matches!(refused(&|map| map.dialect = Dialect::A4).1, WriteErrorKind::Dialect { .. }));
    let mut map = by_hand();
    map.blocks[0].material = Name::from("a>b, c//d {e}");
    assert_edited_text(&map, "ndef // none", "a>b, c//d {e} // none");
}

#[track_caller]
fn is_unsupported(map: &Document, change: impl Fn(&mut Document)) {
    let mut map = map.clone();
    change(&mut map);
    let error = map.to_bytes().expect_err("it cannot be stored");
    assert!(matches!(error.kind(), WriteErrorKind::Dialect { .. }), "{error}");
}

fn level(map: &mut Document) -> &mut Level {
    match &mut map.entities[0].kind {
        EntityKind::Level(level) => level,
        _ => panic!("a level"),
    }
}

#[test]
fn values_of_binary_maps_are_rejected_in_text() {
    let chunk = || Chunk { index: 0, bytes: vec![0; 8] };
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Resolved] {
        let map = with_model(dialect);
        assert!(map.to_bytes().is_ok());
        is_unsupported(&map, |map| map.header.words = [711, 2, 0]);
        is_unsupported(&map, |map| map.header.extra.push(chunk()));
        is_unsupported(&map, |map| map.header.around.push(chunk()));
        is_unsupported(&map, |map| level(map).word_04 = 1);
        is_unsupported(&map, |map| map.entities[0].extra.push(chunk()));
        is_unsupported(&map, |map| model(map).media = Some(0x300));
        is_unsupported(&map, |map| map.entities[1].kind = EntityKind::Start(Start { name: "a".into(), word_04: 1 }));
        let path = mapwright_wmp::Path { name: "a".into(), word_04: 1, ..Default::default() };
        is_unsupported(&map, |map| map.entities[1].kind = EntityKind::Path(path.clone()));
        for object in 0..2 {
            is_unsupported(&map, |map| map.objects[object].word_04 = 1);
            is_unsupported(&map, |map| map.objects[object].kind = Some(7));
            is_unsupported(&map, |map| map.objects[object].extra.push(chunk()));
        }
        // Values that all files have need not be stored.
        let mut usual = map.clone();
        usual.header.words = [710, 2, 0];
        model(&mut usual).media = Some(0x200);
        assert!(usual.to_bytes().is_ok());
    }
}

#[test]
fn values_that_resolved_maps_cannot_store_are_rejected() {
    let map = with_model(Dialect::Resolved);
    is_unsupported(&map, |map| level(map).nexus = 30);
    is_unsupported(&map, |map| level(map).script = "main.c".into());
    is_unsupported(&map, |map| level(map).colours.push([0.0; 3]));
    is_unsupported(&map, |map| map.objects[1].scale = [2.0; 3]);
    is_unsupported(&map, |map| model(map).scale = [2.0; 3]);
    is_unsupported(&map, |map| map.objects.push(Object::new(2).into()));
    is_unsupported(&map, |map| map.wed = Some(Default::default()));
    let mut light = map.clone();
    light.entities[1].kind = EntityKind::Light(Default::default());
    light.objects[1].members[0].kind = MemberKind::Light;
    assert!(light.to_bytes().is_ok());
    is_unsupported(&light, |map| map.objects[1].scale = [2.0; 3]);
}

#[test]
fn a_numeric_name_is_not_written_where_an_albedo_is_read() {
    for dialect in [Dialect::A5, Dialect::A7, Dialect::Resolved] {
        let mut map = with_model(dialect);
        model(&mut map).tail = vec!["12".into(), "0".into()];
        is_unsupported(&map, |map| model(map).albedo = None);
        let read = Document::from_bytes(&map.to_bytes().expect("a map")).expect("a map");
        assert_eq!(read.entities[1], map.entities[1]);
    }
    // The type of a short model implies that it has none.
    let mut map = with_model(Dialect::Resolved);
    (model(&mut map).albedo, model(&mut map).tail) = (None, vec!["12".into()]);
    Arc::make_mut(&mut model(&mut map).skills).truncate(8);
    let read = Document::from_bytes(&map.to_bytes().expect("a map")).expect("a map");
    assert_eq!(read.entities[1], map.entities[1]);
}

/// Returns a map with a model of twenty skills.
fn with_model(dialect: Dialect) -> Document {
    let mut map = Document::new(dialect);
    let model = Model {
        scale: [1.0; 3],
        file: "a.mdl".into(),
        name: "a".into(),
        action: Name::NONE,
        skills: Arc::new(vec![0.0.into(); 20]),
        flags: Default::default(),
        ambient: 0.0,
        albedo: Some(50.0),
        tail: Vec::new(),
        media: None,
        flag_digits: None,
    };
    map.entities.push(Entity::new(1, EntityKind::Model(model)).into());
    map.objects
        .push(Object { members: vec![Member { kind: MemberKind::Model, number: 1 }].into(), ..Object::new(1) }.into());
    map.objects[0].members.push(Member { kind: MemberKind::Object, number: 1 });
    map
}

fn model(map: &mut Document) -> &mut Model {
    match &mut map.entities[1].kind {
        EntityKind::Model(model) => model,
        _ => panic!("a model"),
    }
}
