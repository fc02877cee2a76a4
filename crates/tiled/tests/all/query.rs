//! Queries and edits as text.

use crate::support;

use mapwright_testkit::laws;
use mapwright_tiled::Document;
use mapwright_tiled::query::{EditObjects, EditOptions, Fields, Objects, Query, Value};
use support::document;

const XML: &str = include_str!("map.tmx");
const JSON: &str = include_str!("map.tmj");

fn select(document: &Document, query: &str) -> Vec<String> {
    let query: Query = query.parse().unwrap_or_else(|error| panic!("{query}: {error}"));
    let found = document.select(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let records = document.records();
    let name = |index: &usize| {
        let record = records[*index];
        format!("{}{}", record.schema().kind, record.number().unwrap_or(-1))
    };
    found.iter().map(name).collect()
}

/// Returns the lines that an edit changes.
fn changed(text: &str, edit: &str) -> Vec<String> {
    let mut document = document(text);
    let options = EditOptions::default().with_create_fields(true);
    document.apply(&edit.parse().unwrap(), &options).unwrap_or_else(|error| panic!("{edit}: {error}"));
    let old: Vec<&str> = text.lines().collect();
    document.as_str().lines().filter(|line| !old.contains(line)).map(|line| line.trim().to_owned()).collect()
}

fn refused(text: &str, edit: &str) -> String {
    let mut document = document(text);
    let error = document.apply(&edit.parse().unwrap(), &EditOptions::default()).unwrap_err();
    assert_eq!(document.as_str(), text, "a refused edit changes nothing");
    error.to_string()
}

#[test]
fn records_are_found_by_their_fields() {
    for text in [XML, JSON] {
        let document = document(text);
        for (query, expected) in [
            ("kind=object and x>1", &["object10", "object18"][..]),
            ("kind=point or shape=ellipse", &["object11", "object12"]),
            ("class=Door", &["object10"]),
            ("kind=tileobject", &["object16"]),
            ("text~hello", &["object17"]),
            (
                "layer=Obj*",
                &[
                    "object10", "object11", "object12", "object13", "object14", "object15", "object16", "object17",
                    "object18",
                ],
            ),
            ("kind=layer and opacity<1", &["layer1"]),
            ("kind=group", &["layer2", "layer4"]),
            ("image=*.png", &["tileset1", "tile1", "layer3"]),
            ("solid=true", &["tile1"]),
            ("tileset=Walls", &["tile1"]),
            ("template=door.tx", &["object18"]),
            ("#12", &["object12"]),
            ("visible=false", &["layer1", "object10"]),
        ] {
            assert_eq!(select(&document, query), expected, "{query}");
        }
    }
}

#[test]
fn queries_and_edits_find_the_same_records() {
    for text in [XML, JSON] {
        let document = document(text);
        let fields = |record: &mapwright_tiled::edit::Record<'_>| {
            let mut fields = Vec::new();
            let schema = record.schema();
            for (index, field) in schema.iter().enumerate() {
                if let Some(value) = record.get(index).filter(|value| !value.to_string().contains(['\n', '"'])) {
                    fields.push((field.name.to_owned(), format!("\"{value}\"")));
                }
            }
            for key in record.free_keys() {
                fields.push((key.to_string(), format!("\"{}\"", record.get_free(&key).unwrap())));
            }
            fields
        };
        let all: Vec<_> = document.records().iter().map(fields).collect();
        let query = |text: &str| document.select(&text.parse().unwrap()).unwrap();
        let edit = |text: &str| {
            let mut changed = document.clone();
            let edit = format!("set {text}: marked=1").parse().unwrap();
            changed.apply(&edit, &EditOptions::default().with_create_fields(true)).ok()?;
            let is_marked = |record: &mapwright_tiled::edit::Record<'_>| record.get_free("marked").is_some();
            Some((0..).zip(changed.records()).filter(|(_, record)| is_marked(record)).map(|(index, _)| index).collect())
        };
        assert!(laws::selection(&all, query, edit) > 50);
    }
}

#[test]
fn edits_change_single_lines() {
    let object = "<object id=\"10\" name=\"A &quot;B&quot;\" type=\"Door\" x=\"1.5\" y=\"-2.25\" width=\"10\" height=\"20\" rotation=\"90\" opacity=\"0.5\" visible=\"0\"/>";
    for (edit, expected) in [
        ("set #10: x+=2", vec![object.replace("1.5", "3.5")]),
        ("set #10: visible=true, class=Gate", vec![object.replace("\"0\"", "\"1\"").replace("Door", "Gate")]),
        ("set kind=text: text=Bye", vec!["Bye</text>".to_owned()]),
        ("set #12: class=Spawn", vec!["<object id=\"12\" x=\"0\" y=\"0\" type=\"Spawn\">".to_owned()]),
        ("set kind=tile: solid=false", vec!["<property name=\"solid\" type=\"bool\" value=\"false\"/>".to_owned()]),
        (
            "set name=Sky: image=night.png",
            vec!["<image source=\"night.png\" trans=\"ff00ff\" width=\"64\" height=\"32\"/>".to_owned()],
        ),
        (
            "rename template door.tx gate.tx",
            vec!["<object id=\"18\" template=\"gate.tx\" x=\"3\" y=\"4\"/>".to_owned()],
        ),
        ("rename image one.* two.png", vec!["<image source=\"two.png\" width=\"14\" height=\"12\"/>".to_owned()]),
        ("rename tileset *ground.tsx a/b.tsx", vec!["<tileset firstgid=\"1\" source=\"a/b.tsx\"/>".to_owned()]),
        ("delete #12", vec![]),
    ] {
        let found = changed(XML, edit);
        // The text of the object starts on the line of its element.
        let found: Vec<_> = found
            .into_iter()
            .map(|line| line.rsplit_once("\">Bye").map_or(line.clone(), |_| "Bye</text>".to_owned()))
            .collect();
        assert_eq!(found, expected, "{edit}");
    }
    assert_eq!(
        changed(XML, "set map: int=8, backgroundcolor=#000000")[1],
        "<property name=\"int\" type=\"int\" value=\"8\"/>"
    );
    // Texts that look like booleans or numbers stay texts.
    assert_eq!(
        changed(XML, "set #12: name=true, class=false, new=true"),
        [
            "<object id=\"12\" x=\"0\" y=\"0\" name=\"true\" type=\"false\">",
            "<property name=\"new\" type=\"bool\" value=\"true\"/>"
        ]
    );
    assert_eq!(changed(JSON, "set #10: name=true, class=5"), ["\"name\": \"true\",", "\"type\": \"5\","]);
    let one = "<map><objectgroup><object id='1' name='1' type='0'/></objectgroup></map>";
    assert_eq!(
        changed(one, "set #1: name=true, class=false"),
        [one.replace("'1' t", "'true' t").replace("'0'", "'false'")]
    );
    assert_eq!(changed(JSON, "set #10: x=4, opacity=1"), ["\"opacity\": 1,", "\"x\": 4,"]);
}

#[test]
fn objects_are_added_copied_and_deleted() {
    for text in [XML, JSON] {
        let mut document = document(text);
        for (edit, expected) in [
            ("add point name=New, x=5, hp=3", "object 30 added"),
            ("duplicate class=Door: x+=100", "1 object duplicated"),
            ("delete kind=group and name=Outer", "15 objects deleted"),
        ] {
            let edited = document
                .apply(&edit.parse().unwrap(), &EditOptions::default())
                .unwrap_or_else(|error| panic!("{edit}: {error}"));
            assert_eq!(edited.text, expected);
            let ids: Vec<_> = document
                .records()
                .iter()
                .filter(|record| record.schema().kind == "object")
                .map(|record| record.number().unwrap())
                .collect();
            match expected {
                "object 30 added" => {
                    assert_eq!(select(&document, "kind=point and hp=3 and x=5"), ["object30"]);
                    assert_eq!(document.as_map().unwrap().next_object_id(), 31);
                }
                "1 object duplicated" => {
                    assert_eq!(ids[..3], [10, 31, 11]);
                    assert_eq!(select(&document, "x=101.5"), ["object31"]);
                }
                _ => assert!(ids.is_empty()),
            }
        }
        // A property refers to a deleted object.
        let codes: Vec<_> = document.validate().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["object-unknown"]);
    }
}

#[test]
fn paths_are_renamed_once() {
    for text in [XML, JSON] {
        for (edit, expected) in
            [("rename material * sky.png", "2 paths renamed"), ("rename texture sky.png sky.png", "0 paths renamed")]
        {
            let mut document = document(text);
            let options = EditOptions::default().with_allow_no_match(true);
            let edited = document.apply(&edit.parse().unwrap(), &options).unwrap();
            assert_eq!(edited.text, expected, "{edit}");
            assert_eq!(document == support::document(text), edited.changed == 0);
        }
        assert_eq!(select(&document(text), "material=*.png"), select(&document(text), "image=*.png"));
    }
}

#[test]
fn all_objects_that_match_are_deleted() {
    for text in [XML, JSON] {
        for (query, deleted) in [
            ("kind=tile or kind=object", 10),
            ("kind=layer or kind=object", 14),
            ("kind=object and layer=Objects", 9),
            ("name=Inner or kind=tile or #12", 12),
        ] {
            let mut document = document(text);
            let edit = format!("delete {query}").parse().unwrap();
            let edited = document.apply(&edit, &EditOptions::default()).unwrap();
            assert_eq!(edited.text, format!("{deleted} objects deleted"), "{query}");
            assert_eq!(select(&document, query), [""; 0], "{query}");
        }
    }
}

#[test]
fn the_size_of_a_layer_is_that_of_its_cells() {
    let map = "<map orientation='orthogonal' width='2' height='1' tilewidth='8' tileheight='8'>\
        <layer id='1' name='' width='2' height='1'><data encoding='csv'>0,0</data></layer></map>";
    let found = refused(map, "set #1: width=7");
    assert!(found.contains("2 cells, expected 7"), "{found}");
}

#[test]
fn impossible_edits_are_refused() {
    for (edit, reason) in [
        ("set #10: solid=1", "no field `solid`"),
        ("set #10: hp=1", "unknown field"),
        ("set #12: image=a.png", "no field `image`"),
        ("set #12: width=a", "a number"),
        ("set kind=tile: solid=3", "true or false"),
        ("set kind=layer: kind=group", "kind"),
        ("set kind=object: id=1", "the id of another object"),
        ("delete kind=tileset", "tilesets cannot be deleted"),
        ("duplicate kind=layer", "only objects"),
        ("add lamp", "unknown kind"),
        ("add point layer=Ground", "no layer of objects is named"),
        ("add tileobject", "expected gid=NUMBER"),
        ("rename sound a b", "unknown kind"),
    ] {
        let found = refused(XML, edit);
        assert!(found.contains(reason), "{edit}: {found}");
    }
    assert!(matches!(document(XML).records()[0].get_by_name("kind"), Some(Value::Word("tileset", _))));
}
