//! Edits change only what they must.

use mapwright_qmap::io::Category;
use mapwright_qmap::query::{EditObjects, EditOptions, Objects};
use mapwright_qmap::{Document, Edit, Entity, Mapping, Primitive, ReadOptions};
use mapwright_testkit::laws;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::properties::map_text;
use crate::support::{corpus_maps, cube, map};

/// A map with comments and unusual formatting.
fn level() -> String {
    format!(
        "// Game: Quake\r\n// entity 0\r\n{{\r\n\"classname\" \"worldspawn\" // the world\r\n// brush 0\r\n{{\r\n{}}}\r\n\
         // brush 1\r\n{{\r\n{}}}\r\n}}\r\n// entity 1\r\n{{\r\n\"classname\" \"light\"\r\n\"origin\" \"08 -0 1e1\"\r\n\"light\" \"0300\"\r\n}}\r\n",
        cube("stone 0 0 0 1 1").replace('\n', "\r\n"),
        cube("\"{iron\" -0 1e1 0 1 .5 0 0 0 // c").replace('\n', "\r\n"),
    )
}

/// Applies an edit to a map.
fn edited(text: &str, line: &str) -> String {
    let mut map = map(text);
    let options = EditOptions::default().with_create_fields(true);
    map.apply(&line.parse().expect("an edit"), &options).unwrap_or_else(|error| panic!("{line}: {error}"));
    String::from_utf8(map.as_bytes().to_vec()).expect("UTF-8")
}

/// Returns the lines that differ, as `-old` and `+new`.
fn changes(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let lines = |sign: char, lines: &[&str]| lines.iter().map(|line| format!("{sign}{line}")).collect::<Vec<_>>();
    [lines('-', &old[start..old.len() - end]), lines('+', &new[start..new.len() - end])].concat()
}

fn error(text: &str, line: &str) -> String {
    let mut map = map(text);
    let before = map.clone();
    let error = map.apply(&line.parse().expect("an edit"), &EditOptions::default()).unwrap_err();
    assert!(map == before, "a failed edit changes nothing");
    error.to_string()
}

#[test]
fn a_new_value_changes_its_token() {
    let level = level();
    let check = |line: &str, expected: &[&str]| assert_eq!(changes(&level, &edited(&level, line)), expected, "{line}");
    check("set class=light: light=200", &["-\"light\" \"0300\"\r", "+\"light\" \"200\"\r"]);
    check("set class=light: x=16", &["-\"origin\" \"08 -0 1e1\"\r", "+\"origin\" \"16 -0 1e1\"\r"]);
    check("set class=light: x+=1", &["-\"origin\" \"08 -0 1e1\"\r", "+\"origin\" \"9 -0 1e1\"\r"]);
    check("set kind=world: z=-8", &["+\"origin\" \"0 0 -8\"\r"]);
    check("set class=light: light=300", &["-\"light\" \"0300\"\r", "+\"light\" \"300\"\r"]);
    check("set class=light: origin=\"8 0 10\"", &[]);
    check("set class=light: style=2", &["+\"style\" \"2\"\r"]);
    check("set class=light: name=torch", &["+\"targetname\" \"torch\"\r"]);
    check("set level: wad=a.wad", &["+\"wad\" \"a.wad\"\r"]);
    check("set kind=world: message=\"say \\\"hi\\\"\"", &["+\"message\" \"say \\\"hi\\\"\"\r"]);
}

#[test]
fn coordinates_of_an_invalid_origin_are_not_replaced() {
    let text = "{ \"classname\" \"light\" \"origin\" \"1 2 foo\" }\n";
    assert!(error(text, "set *: x=5").contains("an entity whose origin is three numbers"));
    assert_eq!(edited(text, "set *: origin=\"1 2 3\", x=5"), text.replace("1 2 foo", "5 2 3"));
}

#[test]
fn textures_are_renamed_in_their_form() {
    let level = level();
    let renamed = edited(&level, "rename texture stone metal");
    assert_eq!(renamed, level.replace(" stone ", " metal "));
    let quoted = edited(&level, "rename material stone \"with space\"");
    assert_eq!(quoted, level.replace(" stone ", " \"with space\" "));
    assert_eq!(edited(&level, "rename texture {i* gold"), level.replace("{iron", "gold"));
    assert_eq!(edited(&level, "set texture=stone: texture=a"), level.replace(" stone ", " a "));
    let patch = "{ \"classname\" \"worldspawn\" { patchDef2 { a/b ( 1 1 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } } }";
    assert_eq!(edited(patch, "rename texture a/b c"), patch.replace("a/b", "c"));
    let both = patch.replacen("{ patch", &format!("{{ {} }} {{ patch", cube("a/b 0 0 0 1 1")), 1);
    let report = map(both).apply(&"rename texture a/b c".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!((report.changed, &*report.text), (7, "texture of 6 faces and 1 patch renamed"));
    assert!(error(&level, "rename texture x y").contains("no texture is named x"));
    assert!(error(&level, "rename sound x y").contains("expected texture or material"));
}

#[test]
fn deleted_blocks_take_their_comments_with_them() {
    let level = level();
    let light =
        "// entity 1\r\n{\r\n\"classname\" \"light\"\r\n\"origin\" \"08 -0 1e1\"\r\n\"light\" \"0300\"\r\n}\r\n";
    let without_light = edited(&level, "delete class=light");
    assert_eq!(without_light, level.replace(light, ""));
    let brush = format!("// brush 0\r\n{{\r\n{}}}\r\n", cube("stone 0 0 0 1 1").replace('\n', "\r\n"));
    assert_eq!(edited(&level, "delete texture=stone"), level.replace(&brush, ""));
    // An entity is deleted with its brushes.
    let all = edited(&level, "delete *");
    assert_eq!(all, "// Game: Quake\r\n");
    assert_eq!(map(&all).entity_count(), 0);
}

#[test]
fn all_entities_of_a_map_without_a_header_are_deleted() {
    for text in [
        "{\n}\n{\n}\n",
        "{ \"a\" \"b\" }\r\n{ }",
        "// entity 0\n{\n}\n// entity 1\n{\n}\n",
        "\u{feff}// entity 0\n{\n}\n// entity 1\n{\n}\n",
        "{}{}",
    ] {
        let rest = edited(text, "delete *");
        assert_eq!(rest.trim_start_matches('\u{feff}').trim(), "", "{text:?}");
        assert_eq!(map(edited(text, "delete number=0")).entity_count(), 1, "{text:?}");
    }
}

#[test]
fn edits_of_one_long_line_take_linear_time() {
    let start = std::time::Instant::now();
    let text = "{}".repeat(100_000);
    let mut map = map(&text);
    let options = EditOptions::default().with_create_fields(true);
    let mut apply = |edit: &str| map.apply(&edit.parse().expect("an edit"), &options).expect("applied").changed;
    assert_eq!(apply("set *: a=1"), 100_000);
    assert_eq!(apply("delete *"), 100_000);
    assert_eq!(map.entity_count(), 0);
    // Quadratic time is more than 10¹⁰ steps, which take minutes in a test.
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn copies_follow_their_originals() {
    let level = level();
    let copied = edited(&level, "duplicate class=light: x+=64, style=3");
    let copy = [
        "+{\r",
        "+\"classname\" \"light\"\r",
        "+\"origin\" \"72 -0 1e1\"\r",
        "+\"light\" \"0300\"\r",
        "+\"style\" \"3\"\r",
        "+}\r",
    ];
    assert_eq!(changes(&level, &copied), copy);
    let brush = map(edited(&level, "duplicate texture={iron: texture=gold"));
    let textures: Vec<_> =
        brush.primitives().map(|brush| brush.faces().next().unwrap().texture().into_owned()).collect();
    assert_eq!(textures, [b"stone".to_vec(), b"{iron".to_vec(), b"gold".to_vec()]);
    // Layers and groups get a new id.
    let groups = "{ \"classname\" \"func_group\" \"_tb_type\" \"_tb_group\" \"_tb_id\" \"7\" }\n";
    let map = map(edited(groups, "duplicate kind=group"));
    assert_eq!(map.entities().map(Entity::editor_id).collect::<Vec<_>>(), [Some(7), Some(8)]);
}

#[test]
fn new_entities_are_last_and_counted() {
    let level = level();
    let added = edited(&level, "add light origin=\"0 0 64\", light=250");
    let entity = [
        "+// entity 2\r",
        "+{\r",
        "+\"classname\" \"light\"\r",
        "+\"origin\" \"0 0 64\"\r",
        "+\"light\" \"250\"\r",
        "+}\r",
    ];
    assert_eq!(changes(&level, &added), entity);
    assert_eq!(edited("{ }", "add entity class=a"), "{ }\n{\n\"classname\" \"a\"\n}\n");
    assert!(error("{ }", "add entity x=1").contains("a new entity needs a class"));
    for kind in ["brush", "Patch", "primitive", "world", "other"] {
        let expected = format!("cannot add {kind}: expected entity or a class");
        assert!(error("{ }", &format!("add {kind} texture=stone")).contains(&expected), "{kind}");
    }
}

#[test]
fn fields_describe_entities_and_primitives() {
    let text = "{ \"classname\" \"worldspawn\" }\n\
        { \"classname\" \"func_group\" \"_tb_type\" \"_tb_layer\" \"_tb_id\" \"1\" \"_tb_name\" \"Upper\" }\n\
        { \"classname\" \"func_group\" \"_tb_type\" \"_tb_group\" \"_tb_id\" \"1\" \"_tb_name\" \"Hall\" \"_tb_layer\" \"1\" }\n\
        { \"classname\" \"light\" \"_tb_group\" \"1\" \"Style\" \"5\" }\n{ \"classname\" \"door\" { } { mesh { } } }\n";
    let map = map(text);
    let select = |query: &str| map.select(&query.parse().unwrap()).unwrap();
    assert_eq!(select("kind=entity"), [0, 1, 2, 3, 4]);
    assert_eq!((select("kind=layer"), select("kind=group"), select("kind=point")), (vec![1], vec![2], vec![3]));
    assert_eq!((select("layer=upper"), select("group=Hall"), select("name=Upper")), (vec![2, 3], vec![3], vec![1]));
    assert_eq!(
        (select("style>4"), select("brushes=1"), select("class=door and kind=brush")),
        (vec![3], vec![4], vec![5])
    );
    assert_eq!((select("kind=other"), select("entity=4 and index=1"), select("#3")), (vec![6], vec![6], vec![3]));
    assert!(map.select(&"rnage=4".parse().unwrap()).is_err());
}

#[test]
fn flags_of_faces_have_names() {
    let level = level();
    let map = map(&level);
    let select = |query: &str| map.select(&query.parse().unwrap()).unwrap();
    assert_eq!((select("contents=0"), select("value=0")), (vec![2], vec![2]));
    let water = edited(&level, "set texture={iron: contents=WATER|DETAIL, flags=WARP, value=1.5");
    assert_eq!(water, level.replace(".5 0 0 0 // c", ".5 134217760 8 1.5 // c"));
    let more = edited(&water, "set contents~DETAIL: flags+=TRANS33, contents-=DETAIL");
    assert_eq!(more, level.replace(".5 0 0 0 // c", ".5 32 24 1.5 // c"));
    // Faces without flags get all three numbers.
    let stone = edited(&level, "set texture=stone: flags=NODRAW");
    assert_eq!(stone, level.replace("stone 0 0 0 1 1", "stone 0 0 0 1 1 0 128 0"));
    assert!(error(&level, "set texture=stone: flags=NOTHING").contains("NODRAW"));
}

#[test]
fn texts_that_would_end_early_are_rejected() {
    assert!(
        error(&level(), "set class=light: light=\"a\\\"}b\"").contains("a quote in it precedes a line end or a brace")
    );
    let mut map = map(level());
    let edited = map.apply(&r#"set class=light: light="C:\\dir\\""#.parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!(edited.losses.len(), 1, "{edited:?}");
    assert_eq!(map.entities().last().unwrap().get("light"), Some(&br"C:\dir\\"[..]));
    let fragment = format!("{{\n{}}}\n", cube("a 0 0 0 1 1"));
    let mut map = crate::support::map(fragment);
    let create = EditOptions::default().with_create_fields(true);
    assert!(map.apply(&"set kind=entity: a=1".parse().unwrap(), &create).is_err(), "a fragment has no keys");
}

#[test]
fn mappings_and_flags_change_number_by_number() {
    let old = map(level());
    let face = old.primitives().nth(1).and_then(|brush| brush.faces().next()).unwrap();
    let mut edit = Edit::new(&old);
    let mapping = Mapping::Standard { shift: [-0.0, 10.0], rotation: 45.0, scale: [1.0, 0.5] };
    edit.set_mapping(face, mapping).unwrap();
    edit.set_extra(face, &["1", "2", "3"]).unwrap();
    let new = edit.apply().unwrap();
    let texts = [old.as_bytes(), new.as_bytes()].map(|text| String::from_utf8_lossy(text).into_owned());
    let expected = [
        "-( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) \"{iron\" -0 1e1 0 1 .5 0 0 0 // c\r",
        "+( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) \"{iron\" -0 1e1 45 1 .5 1 2 3 // c\r",
    ];
    assert_eq!(changes(&texts[0], &texts[1]), expected);
    let mut edit = Edit::new(&old);
    let error = edit.set_mapping(face, Mapping::Matrix([[0.0; 3]; 2])).unwrap_err().to_string();
    let expected =
        "the edited part is a face with a standard mapping: expected a face with a matrix at line 16, column 1";
    assert_eq!(error, expected);
    assert!(
        edit.set_mapping(face, Mapping::Standard { shift: [f64::NAN; 2], rotation: 0.0, scale: [1.0; 2] }).is_err()
    );
    for bad in ["}", "a b", "", "//", "\"a\"", "(1", "1\n( 0 0 0 )"] {
        assert!(edit.set_extra(face, &[bad]).is_err(), "{bad}");
    }
    edit.remove_face(face);
    assert_eq!(edit.apply().unwrap().face_count(), 11);
}

#[test]
fn matrices_of_brush_primitives_change_number_by_number() {
    for plane in ["brushDef { ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )", "brushDef3 { ( 0 0 1 -8 )"] {
        let text = format!("{{ {{ {plane} ( ( 01 0 0 ) ( 0 1.0 5 ) ) \"a\" 0 0 0 }} }} }}");
        let old = map(&text);
        let face = old.primitives().next().and_then(|brush| brush.faces().next()).unwrap();
        let matrix = Mapping::Matrix([[1.0, 0.25, 0.0], [0.0, 1.0, 6.0]]);
        let mut edit = Edit::new(&old);
        edit.set_mapping(face, matrix).unwrap();
        let new = edit.apply().unwrap();
        let expected = text.replace("( 01 0 0 ) ( 0 1.0 5 )", "( 01 0.25 0 ) ( 0 1.0 6 )");
        assert_eq!(String::from_utf8_lossy(new.as_bytes()), expected);
        assert!(new.primitives().flat_map(Primitive::faces).all(|face| face.mapping() == matrix));
    }
}

#[test]
fn edited_maps_keep_the_limits_of_reading() {
    let text = "{ \"classname\" \"worldspawn\" }\n";
    let long = "x".repeat(70_000);
    let edit = |map: &Document| {
        let mut edit = Edit::new(map);
        edit.set(map.worldspawn().unwrap(), "message", &long).unwrap();
        edit.apply()
    };
    let error = edit(&map(text)).unwrap_err();
    let expected = "the edited text cannot be read: max_text of 70002 exceeds the limit of 65536 at line 1";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(error.category(), Category::Limit);
    let options = ReadOptions::default().with_max_text(100_000);
    let read = Document::from_bytes_with(text.as_bytes(), &options).unwrap();
    let edited = edit(&read).unwrap();
    assert_eq!(edited.worldspawn().unwrap().get("message"), Some(long.as_bytes()));
    // A second edit has the same limits.
    assert!(edit(&edited).is_ok() && edited != read);
}

/// Checks that queries and edits select the same objects.
fn check_selection(map: &Document) -> usize {
    let mut fields = Vec::new();
    map.visit(&mut |object| {
        let schema = object.schema();
        let own =
            schema.iter().enumerate().filter_map(|(index, field)| Some((field.name.to_owned(), object.get(index)?)));
        // Lists print all of their values.
        let own = own.filter(|(_, value)| !matches!(value, mapwright_qmap::query::Value::Any(_)));
        let quote = |text: String| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        fields.push(own.map(|(name, value)| (name, quote(value.to_string()))).collect::<Vec<_>>());
    });
    let query = |text: &str| {
        let query = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        map.select(&query).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let edit = |text: &str| {
        let mut edited = map.clone();
        let options = EditOptions::default().with_create_fields(true);
        edited.apply(&format!("set {text}: zz_mark=1").parse().expect("an edit"), &options).ok()?;
        Some(edited.select(&"zz_mark=1".parse().expect("a query")).expect("a known field"))
    };
    laws::selection(&fields, query, edit)
}

#[test]
fn queries_and_edits_select_the_same_objects() {
    assert!(check_selection(&map(level())) > 5);
    for path in corpus_maps().iter().filter(|path| path.metadata().is_ok_and(|file| file.len() < 3000)).take(12) {
        check_selection(&Document::from_vec(std::fs::read(path).expect("a file")).expect("a map"));
    }
}

proptest! {
    #[test]
    fn a_new_texture_changes_one_face(text in map_text(), place: Index, name in "[ -~]{0,6}") {
        let old = map(&text);
        let faces: Vec<_> = old.primitives().flat_map(Primitive::faces).collect();
        if !faces.is_empty() {
            let chosen = place.index(faces.len());
            let mut edit = Edit::new(&old);
            if edit.set_texture(faces[chosen], &name).is_ok() {
                let new = edit.apply().unwrap();
                let again: Vec<_> = new.primitives().flat_map(Primitive::faces).collect();
                prop_assert_eq!(again.len(), faces.len());
                for (index, (old, new)) in faces.iter().zip(&again).enumerate() {
                    let expected = if index == chosen { name.clone().into_bytes() } else { old.texture().into_owned() };
                    prop_assert_eq!(new.texture().into_owned(), expected);
                    prop_assert!(old.mapping() == new.mapping() && old.extra().eq(new.extra()));
                }
            }
        }
    }

    #[test]
    fn a_key_that_is_added_and_removed_leaves_nothing(text in map_text(), place: Index, value in "[ -~]{0,6}") {
        let old = map(&text);
        if old.entity_count() > 0 {
            let chosen = place.index(old.entity_count());
            let mut edit = Edit::new(&old);
            if edit.insert_pair(old.entity(chosen).unwrap(), "zz", &value).is_ok() {
                let with = edit.apply().unwrap();
                prop_assert_eq!(with.entity_count(), old.entity_count());
                let pair = with.entity(chosen).unwrap().pair("zz").unwrap();
                let escaped = value.replace('"', "\\\"");
                prop_assert_eq!(pair.value().first(), escaped.as_bytes().first());
                let mut edit = Edit::new(&with);
                edit.remove_pair(pair);
                let without = edit.apply().unwrap();
                let pairs = |map: &Document| map.entities().flat_map(|entity| entity.pairs().map(|pair| format!("{pair:?}")).collect::<Vec<_>>()).collect::<Vec<_>>();
                prop_assert_eq!(pairs(&without), pairs(&old));
            }
        }
    }

    #[test]
    fn deleted_objects_are_gone(text in map_text(), place: Index) {
        let mut new = map(&text);
        let mut count = 0;
        new.visit(&mut |_| count += 1);
        if count > 0 {
            let chosen = place.index(count);
            let old = new.clone();
            new.delete(&[chosen]).unwrap();
            let primitives = old.entities().map(|entity| entity.primitives().len());
            // Objects are entities, each followed by its primitives.
            let (mut entity, mut first) = (0, 0);
            for size in primitives {
                if chosen <= first + size { break; }
                first += size + 1;
                entity += 1;
            }
            let is_entity = chosen == first;
            let lost = if is_entity { old.entity(entity).unwrap().primitives().len() } else { 1 };
            prop_assert_eq!(new.primitive_count(), old.primitive_count() - lost);
            prop_assert!(new.entity_count() <= old.entity_count());
        }
    }
}
