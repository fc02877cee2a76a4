//! Differences between maps.

use mapwright_qmap::Document;
use mapwright_qmap::diff::Diff;
use mapwright_qmap::query::{EditObjects, EditOptions};

use crate::support::{corpus_maps, cube, cube_at, map};

fn level() -> String {
    format!(
        "// Game: Quake\n// Format: Standard\n{{\n\"classname\" \"worldspawn\"\n{{\n{}}}\n{{\n{}}}\n}}\n\
         {{ \"classname\" \"light\" \"targetname\" \"a\" }}\n{{ \"classname\" \"light\" \"origin\" \"1 2 3\" }}\n",
        cube("stone 0 0 0 1 1"),
        cube_at([128, 0, 0], 64, "iron 0 0 0 1 1")
    )
}

fn diff(old: &str, new: &str) -> String {
    Diff::between(&map(old), &map(new)).to_string()
}

fn edited(text: &str, line: &str) -> String {
    let mut map = map(text);
    map.apply(&line.parse().expect("an edit"), &EditOptions::default().with_create_fields(true)).expect("applied");
    String::from_utf8(map.as_bytes().to_vec()).expect("UTF-8")
}

#[test]
fn formatting_comments_and_the_order_of_keys_are_no_differences() {
    let old = level();
    let new = old.replace(" 0 0 0 1 1", " 0.0 -0 0 1. 1").replace("// Format", "\n // Format").replace('\n', "\r\n");
    // A negative zero of a mapping is another number.
    assert!(Diff::between(&map(&old), &map(new.replace("-0", "0"))).is_empty());
    let keys = "{ \"a\" \"1\" \"b\" \"2\" }";
    assert_eq!(diff(keys, "{ \"b\" \"2\" \"a\" \"1\" }"), "");
}

#[test]
fn differences_are_lines() {
    let old = level();
    for (line, expected) in [
        ("set name=a: light=250, name=b", "~ entity #1 light a: light: none → 250; targetname: a → b\n"),
        (
            "set texture=iron: texture=gold",
            "~ brush #1 of entity #0 with iron: texture of face 0: iron → gold; texture of face 1: iron → gold; texture of face 2: iron → gold; texture of face 3: iron → gold; texture of face 4: iron → gold; texture of face 5: iron → gold\n",
        ),
        ("delete texture=iron", "- brush #1 of entity #0 with iron\n"),
        ("add info_null origin=\"0 0 0\"", "+ entity #3 info_null\n"),
        ("duplicate name=a", "+ entity #2 light a\n"),
    ] {
        assert_eq!(diff(&old, &edited(&old, line)), expected, "{line}");
    }
    assert_eq!(diff(&old, &old.replace("Standard", "Quake2")), "format: Standard → Quake2\n");
}

#[test]
fn entities_have_the_names_of_queries() {
    let names = "\"targetname\" \"a\" \"name\" \"b\" \"_tb_name\" \"c\"";
    let group = format!("\"classname\" \"func_group\" \"_tb_type\" \"_tb_group\" \"_tb_id\" \"1\" {names}");
    for (entity, name) in
        [(format!("\"classname\" \"x\" {names}"), "x a"), (group, "func_group c"), ("\"name\" \"b\"".to_owned(), "b")]
    {
        let text = format!("{{ {entity} }}\n");
        assert_eq!(diff(&text, ""), format!("- entity #0 {name}\n"));
        let query = format!("name={}", name.rsplit(' ').next().unwrap());
        assert_eq!(edited(&text, &format!("set {query}: z_mark=1")), text.replace(" }\n", " \"z_mark\" \"1\" }\n"));
    }
}

#[test]
fn primitives_that_move_to_another_entity_are_matched() {
    let brush = |texture: &str| format!("{{\n{}}}\n", cube(&format!("{texture} 0 0 0 1 1")));
    let old =
        format!("{{ \"classname\" \"worldspawn\" {} }}\n{{ \"classname\" \"door\" {} }}\n", brush("a"), brush("b"));
    let new =
        format!("{{ \"classname\" \"worldspawn\" }}\n{{ \"classname\" \"door\" {} {} }}\n", brush("b"), brush("a"));
    assert_eq!(diff(&old, &new), "~ brush #0 of entity #0 with a: entity: #0 → #1\nprimitives are in another order\n");
}

#[test]
fn maps_equal_themselves() {
    for path in corpus_maps() {
        let map = Document::from_vec(std::fs::read(&path).expect("a file")).expect("a map");
        let diff = Diff::between(&map, &map);
        assert!(diff.is_empty(), "{}: {diff}", path.display());
    }
}
