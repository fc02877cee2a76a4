//! Differences between maps.

use mapwright_vmf::diff::Diff;
use mapwright_vmf::query::{EditObjects, EditOptions};

use crate::support::{box_sides, corpus_map, corpus_maps, map};

fn level() -> String {
    let sides = |at: i32, material: &str| {
        box_sides([at, 0, 0], [at + 64, 64, 64], 1, &format!("\"material\" \"{material}\"\n"))
    };
    format!(
        "versioninfo {{ mapversion 5 }} world {{ id 1 classname worldspawn solid {{ id 2 {} }} solid {{ id 3 {} }} group {{ id 9 }} }}\n\
         entity\n{{\nid 5\nclassname light\ntargetname a\nconnections {{ OnUser1 \"b,c,,0,-1\" }}\n}}\n\
         entity\n{{\nid 6\nclassname light\norigin \"1 2 3\"\nsolid {{ id 4 {} }} }}\n",
        sides(0, "stone"),
        sides(100, "iron"),
        sides(200, "wood")
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
fn layout_ids_and_the_order_of_keys_are_no_differences() {
    let old = level();
    let new = old.replace('\n', "\r\n\t").replace("id 5\r\n\tclassname light", "ClassName light\n// c\nid 77");
    assert_eq!(diff(&old, &new.replace("\"id\" \"", "\"id\" \"9").replace("id 3", "id 33")), "");
}

#[test]
fn differences_are_lines() {
    let old = level();
    for (line, expected) in [
        ("set name=a: style=2, name=b", "~ entity #5 light a: style: none → 2; targetname: a → b\n"),
        ("set level: skyname=x", "~ world: skyname: none → x\n"),
        ("delete kind=solid and id=3", "- solid #3 of world with iron\n"),
        ("delete id=6 and kind=entity", "- entity #6 light\n- solid #4 of entity #6 light with wood\n"),
        ("add info_null origin=\"0 0 0\"", "+ entity #7 info_null\n"),
        ("duplicate kind=solid and id=3", "+ solid #5 of world with iron\n"),
        ("output set name=a: OnUser1 delay=2", "~ entity #5 light a: connections.onuser1: b,c,,0,-1 → b,c,,2,-1\n"),
        (
            "set kind=solid and id=4: material=gold",
            "~ solid #4 of entity #6 light with wood: material of side 0: wood → gold; material of side 1: wood → gold; \
             material of side 2: wood → gold; material of side 3: wood → gold; material of side 4: wood → gold; \
             material of side 5: wood → gold\n",
        ),
    ] {
        assert_eq!(diff(&old, &edited(&old, line)), expected, "{line}");
    }
    assert_eq!(diff(&old, &old.replace("mapversion 5", "mapversion 6")), "versioninfo.mapversion: 5 → 6\n");
    assert_eq!(diff(&old, &old.replace("group { id 9", "group { id 8")), "~ world: group.id: 9 → 8\n");
    let hidden = format!("{old} hidden {{ entity {{ id 8 classname x }} }}");
    let shown = format!("{old} entity {{ id 8 classname x }}");
    assert_eq!(diff(&hidden, &shown), "~ entity #8 x: hidden: true → false\n");
}

#[test]
fn solids_that_move_to_another_entity_are_matched() {
    let old = level();
    let solid = format!("solid {{ id 3 {} }}", box_sides([100, 0, 0], [164, 64, 64], 1, "\"material\" \"iron\"\n"));
    assert!(old.contains(&solid));
    let new = old.replace(&solid, "").replace("origin \"1 2 3\"\n", &format!("origin \"1 2 3\"\n{solid}"));
    assert_eq!(diff(&old, &new), "~ solid #3 of world with iron: entity: world → entity #6 light\n");
}

#[test]
fn maps_equal_themselves() {
    for path in corpus_maps() {
        let map = corpus_map(&path);
        let diff = Diff::between(&map, &map);
        assert!(diff.is_empty(), "{}: {diff}", path.display());
    }
}
