//! Edits change only what they must.

use mapwright_testkit::laws;
use mapwright_vmf::query::{EditObjects, EditOptions, Objects, Value};
use mapwright_vmf::{Connection, Document, Edit, Entity, ReadOptions, Separator, Side, Solid};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::properties::map_text;
use crate::support::{box_sides, corpus_map, corpus_maps, map};

/// A map with a world, a brush entity, a hidden entity and outputs.
fn level() -> String {
    let sides = |id| box_sides([0, 0, 0], [64, 64, 64], id, "\t\t\t\"material\" \"DEV/FLOOR\"\n");
    format!(
        "world\n{{\n\t\"id\" \"1\"\n\t\"classname\" \"worldspawn\"\n\tsolid\n\t{{\n\t\t\"id\" \"2\"\n{}\t}}\n}}\n\
         entity\n{{\n\t\"id\" \"5\"\n\t\"classname\" \"func_door\"\n\t\"targetname\" \"door\"\n\t\"origin\" \"01 2 3.50\"\n\
         \tconnections\n\t{{\n\t\t\"OnOpen\" \"lamp,TurnOn,,0,-1\"\n\t\t\"OnClose\" \"lamp,TurnOff,,1.5,1\"\n\t}}\n\
         \tsolid\n\t{{\n\t\t\"id\" \"3\"\n{}\t}}\n\teditor\n\t{{\n\t\t\"visgroupid\" \"7\"\n\t}}\n}}\n\
         hidden\n{{\n\tentity\n\t{{\n\t\t\"id\" \"6\"\n\t\t\"classname\" \"light\"\n\t\t\"targetname\" \"lamp\"\n\t\t\"model\" \"models/a.mdl\"\n\t}}\n}}\n\
         visgroups\n{{\n\tvisgroup\n\t{{\n\t\t\"name\" \"doors\"\n\t\t\"visgroupid\" \"7\"\n\t}}\n}}\n",
        sides(1),
        sides(7)
    )
}

fn apply(text: &str, edit: &str) -> Result<(String, String), String> {
    let mut map = map(text);
    let options = EditOptions::default().with_create_fields(true);
    let edited =
        map.apply(&edit.parse().map_err(|error| format!("{error}"))?, &options).map_err(|error| error.to_string())?;
    Ok((String::from_utf8(map.to_bytes().unwrap()).unwrap(), edited.text))
}

/// Applies an edit to the level.
fn edited(edit: &str) -> String {
    apply(&level(), edit).unwrap_or_else(|error| panic!("{edit}: {error}")).0
}

fn refused(edit: &str) -> String {
    apply(&level(), edit).expect_err(edit)
}

/// Returns the lines that only one of two texts has.
fn difference(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let only = |one: &str, other: &str| {
        let mut others: Vec<&str> = other.lines().collect();
        let is_only = |line: &&str| match others.iter().position(|other| other == line) {
            Some(at) => {
                others.swap_remove(at);
                false
            }
            None => true,
        };
        one.lines().filter(is_only).map(|line| line.trim().to_owned()).collect()
    };
    (only(old, new), only(new, old))
}

#[test]
fn set_changes_single_values() {
    let level = level();
    for (edit, old, new) in [
        ("set class=func_door: name=gate", "\"targetname\" \"door\"", "\"targetname\" \"gate\""),
        ("set name=door: y+=10", "\"origin\" \"01 2 3.50\"", "\"origin\" \"01 12 3.50\""),
        ("set name=door: origin=\"7 8 9\"", "\"origin\" \"01 2 3.50\"", "\"origin\" \"7 8 9\""),
        ("set hidden=true: model=b.mdl", "\"model\" \"models/a.mdl\"", "\"model\" \"b.mdl\""),
        ("set level: classname=x", "\"classname\" \"worldspawn\"", "\"classname\" \"x\""),
        ("set kind=world: class=x", "\"classname\" \"worldspawn\"", "\"classname\" \"x\""),
    ] {
        assert_eq!(edited(edit), level.replace(old, new), "{edit}");
    }
    let speed = edited("set solids>0 and kind!=world: speed=100, Angles=\"0 90 0\"");
    let expected = "\"01 2 3.50\"\n\t\"speed\" \"100\"\n\t\"angles\" \"0 90 0\"\n";
    assert_eq!(speed.to_lowercase(), level.replace("\"01 2 3.50\"\n", expected).to_lowercase());
    let material = edited("set kind=solid and entity=5: material=brick/wall");
    let (gone, new) = difference(&level, &material);
    assert_eq!(
        (gone, new),
        (vec!["\"material\" \"DEV/FLOOR\"".to_owned(); 6], vec!["\"material\" \"brick/wall\"".to_owned(); 6])
    );
    assert_eq!(edited("set name=door: x=1"), level);
}

#[test]
fn queries_find_entities_and_solids() {
    let map = map(level());
    for (query, expected) in [
        ("*", 5),
        ("kind=entity", 3),
        ("kind=world", 1),
        ("kind=solid", 2),
        ("kind=solid and entity_class=func_door", 1),
        ("material=DEV/*", 2),
        ("visgroup=doors", 1),
        ("hidden=true", 1),
        ("outputs=2", 1),
        ("sides=6 and displacement=false", 2),
        ("kind=entity and #5", 1),
        ("z>3 and x<2", 1),
        ("targetname=lamp", 1),
    ] {
        assert_eq!(map.select(&query.parse().unwrap()).unwrap().len(), expected, "{query}");
    }
}

#[test]
fn deleted_objects_leave_nothing() {
    let level = level();
    let map = map(&level);
    let without = |range: std::ops::Range<usize>| [&level[..range.start], &level[range.end + 1..]].concat();
    let block = |name| map.blocks(name).next().unwrap().range();
    assert_eq!(edited("delete name=door"), without(block("entity")));
    assert_eq!(edited("delete name=door or (kind=solid and id=3)"), without(block("entity")));
    // The block `hidden` exists only for the entity.
    assert_eq!(edited("delete class=light"), without(block("hidden")));
    let solid = map.world().unwrap().solids().next().unwrap().item().range();
    assert_eq!(edited("delete kind=solid and id=2"), without(solid.start - 1..solid.end));
    assert!(refused("delete kind=world").contains("the world cannot be deleted"));
    let shared = "world { } hidden { entity { id 1 } entity { id 2 } }";
    assert_eq!(apply(shared, "delete id=1").unwrap().0, "world { } hidden { entity { id 2 } }");
}

#[test]
fn copies_have_new_ids_and_are_after_their_originals() {
    let level = level();
    let copy = edited("duplicate name=door: name=door2, x+=100");
    let new = map(&copy);
    let [door, again, lamp] = new.entities().collect::<Vec<_>>()[..] else { panic!("{copy}") };
    assert_eq!((door.id(), again.id(), lamp.id()), (Some(5), Some(7), Some(6)));
    assert_eq!((again.text("targetname").as_deref(), again.origin()), (Some("door2"), Some([101.0, 2.0, 3.5])));
    let solid = again.solids().next().unwrap();
    let sides: Vec<_> = solid.sides().map(Side::id).collect();
    assert_eq!((solid.id(), sides), (Some(4), (13..19).map(Some).collect()));
    let (gone, added) = difference(&level, &copy);
    assert_eq!(
        (gone.len(), added.len()),
        (
            0,
            map(&level)
                .blocks("entity")
                .next()
                .unwrap()
                .range()
                .map(|at| level.as_bytes()[at])
                .filter(|&byte| byte == b'\n')
                .count()
                + 1
        )
    );
    assert!(new.validate().iter().all(|finding| finding.code != "id-duplicate"));
    // Line ends and indentation are those of the original.
    let windows = level.replace('\n', "\r\n");
    assert_eq!(apply(&windows, "duplicate name=door: name=door2, x+=100").unwrap().0, copy.replace('\n', "\r\n"));
    let hidden = map(edited("duplicate class=light"));
    assert_eq!(hidden.blocks("hidden").map(|block| block.items().count()).collect::<Vec<_>>(), [1, 1]);
    let solids = map(edited("duplicate kind=solid and id=2: material=x"));
    let materials: Vec<_> = solids
        .world()
        .unwrap()
        .solids()
        .map(|solid| solid.sides().next().unwrap().material().unwrap().into_owned())
        .collect();
    assert_eq!(materials, ["DEV/FLOOR", "x"]);
    assert!(refused("duplicate *").contains("the world cannot be duplicated"));
}

#[test]
fn new_entities_are_after_the_others() {
    let level = level();
    let added = edited("add light targetname=new, origin=\"1 2 3\"");
    let block =
        "entity\n{\n\t\"id\" \"7\"\n\t\"classname\" \"light\"\n\t\"targetname\" \"new\"\n\t\"origin\" \"1 2 3\"\n}\n";
    assert_eq!(added, level.replace("visgroups\n", &format!("{block}visgroups\n")));
    assert_eq!(edited("add entity class=light, targetname=new, origin=\"1 2 3\""), added);
    assert!(refused("add entity origin=\"1 2 3\"").contains("needs a class"));
    assert!(refused("add solid").contains("cannot add a solid"));
    let first = apply(&String::from_utf8(Document::new().to_bytes().unwrap()).unwrap(), "add light").unwrap().0;
    assert!(first.contains("}\nentity\n{\n\t\"id\" \"2\"\n\t\"classname\" \"light\"\n}\ncameras\n"), "{first}");
}

#[test]
fn materials_and_models_are_renamed() {
    let level = level();
    assert_eq!(edited("rename material dev/floor a/b"), level.replace("DEV/FLOOR", "a/b"));
    assert_eq!(edited("rename texture DEV/* a/b"), level.replace("DEV/FLOOR", "a/b"));
    assert_eq!(edited("rename model models/a.mdl b.mdl"), level.replace("models/a.mdl", "b.mdl"));
    assert!(refused("rename material nothing x").contains("no material is named nothing"));
    assert!(refused("rename sound a b").contains("expected material or model"));
    let overlay =
        "entity { classname info_overlay material a } entity { classname infodecal texture a } entity { material a }";
    assert_eq!(apply(overlay, "rename material a b").unwrap().0, overlay.replacen(" a ", " b ", 2));
}

#[test]
fn outputs_are_added_changed_and_removed() {
    let level = level();
    let new = "\t\t\"OnClose\" \"lamp,TurnOff,,1.5,1\"\n";
    let added = edited("output add name=door: OnBlocked !self Kill \"a b\" 0.5 1");
    assert_eq!(added, level.replace(new, &format!("{new}\t\t\"OnBlocked\" \"!self,Kill,a b,0.5,1\"\n")));
    let block = "\t\t\"model\" \"models/a.mdl\"\n";
    let added = edited("output add class=light: OnUser1 door Open");
    let text = "\t\tconnections\n\t\t{\n\t\t\t\"OnUser1\" \"door,Open,,0,-1\"\n\t\t}\n";
    assert_eq!(added, level.replace(block, &format!("{block}{text}")));
    let changed = edited("output set name=door: On* target=bulb, delay+=1");
    let expected =
        level.replace("lamp,TurnOn,,0,-1", "bulb,TurnOn,,1,-1").replace("lamp,TurnOff,,1.5,1", "bulb,TurnOff,,2.5,1");
    assert_eq!(changed, expected);
    assert_eq!(edited("output set name=door: OnOpen name=OnUser1"), level.replace("OnOpen", "OnUser1"));
    assert_eq!(edited("output remove name=door: OnClose"), level.replace(new, ""));
    assert_eq!(edited("output remove name=door: * lamp *Off"), level.replace(new, ""));
    // The separator is that of the other outputs.
    let escapes = level
        .replace(",TurnO", "\x1bTurnO")
        .replace(",,", "\x1b\x1b")
        .replace(",-1", "\x1b-1")
        .replace("5,1", "5\x1b1");
    let added = apply(&escapes, "output add class=light: OnUser1 door Open \"a,b\"").unwrap().0;
    assert!(added.contains("\"OnUser1\" \"door\x1bOpen\x1ba,b\x1b0\x1b-1\""), "{added}");
    for (edit, expected) in [
        ("output add name=door: OnOpen a,b c", "cannot be stored"),
        ("output add name=door: OnOpen a", "output add QUERY: EVENT TARGET INPUT"),
        ("output add name=door: OnOpen a b c x", "output add QUERY"),
        ("output remove name=door: OnNothing", "nothing matches"),
        ("output remove name=door:", "output remove QUERY"),
        ("output set name=door: OnOpen", "output set QUERY"),
        ("output set name=door: OnOpen color=red", "color"),
        ("output add name=nothing: OnOpen a b", "no object"),
        ("output", "output add QUERY"),
        ("outputs add name=door: OnOpen a b", "unknown edit"),
    ] {
        let error = refused(edit);
        assert!(error.to_lowercase().contains(&expected.to_lowercase()), "{edit}: {error}");
    }
}

#[test]
fn quotes_are_stored_only_in_maps_with_escapes() {
    assert!(refused("set name=door: message='a \"b\"'").contains("without quotes"));
    assert!(refused("set kind=solid: material='a\"b'").contains("without quotes"));
    assert!(refused("output add name=door: On\\\" a b").contains("no escapes for quotes"));
    let options = ReadOptions::default().with_escapes(true);
    let mut map = Document::from_bytes_with(b"entity\n{\n\t\"a\" \"b\"\n}\n", &options).unwrap();
    map.apply(&"set *: a='c \"d\"'".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!(map.as_bytes(), b"entity\n{\n\t\"a\" \"c \\\"d\\\"\"\n}\n");
    map.apply(&"duplicate *".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!(map.entities().filter(|entity| entity.text("a").as_deref() == Some("c \"d\"")).count(), 2);
}

#[test]
fn connections_keep_their_separator() {
    let map = map("entity { connections { OnA \"a\x1bb\x1bc,d\x1b0\x1b1\" } }");
    let output = map.entities().next().unwrap().outputs().next().unwrap();
    let mut edit = Edit::new(&map);
    let connection = Connection { delay: 2.5, ..output.connection().unwrap() };
    edit.set_connection(output, &connection).unwrap();
    assert_eq!(edit.apply().unwrap().as_bytes(), b"entity { connections { OnA \"a\x1bb\x1bc,d\x1b2.5\x1b1\" } }");
    let comma = Connection { separator: Separator::Comma, target: "a,b".to_owned(), ..connection };
    assert!(Edit::new(&map).set_connection(output, &comma).is_err());
}

/// Checks that queries and edits select the same objects.
fn check_selection(map: &Document) -> usize {
    let mut fields = Vec::new();
    map.visit(&mut |object| {
        let schema = object.schema();
        let own =
            schema.iter().enumerate().filter_map(|(index, field)| Some((field.name.to_owned(), object.get(index)?)));
        // Lists print all of their values.
        let own = own.filter(|(_, value)| !matches!(value, Value::Any(_)));
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
    for path in corpus_maps().iter().filter(|path| path.metadata().is_ok_and(|file| file.len() < 8000)) {
        check_selection(&corpus_map(path));
    }
}

proptest! {
    #[test]
    fn a_value_that_is_set_is_read_again(text in map_text(), place: Index, value in "[ -!#-~]{0,6}") {
        let old = map(&text);
        let keys: Vec<_> = old.text().walk().filter(|item| !item.is_block()).collect();
        let chosen = place.index(keys.len());
        let mut edit = Edit::new(&old);
        edit.set_value(keys[chosen], &value).unwrap();
        let new = edit.apply().unwrap();
        let again: Vec<_> = new.text().walk().filter(|item| !item.is_block()).collect();
        prop_assert_eq!(again.len(), keys.len());
        for (index, (old, new)) in keys.iter().zip(&again).enumerate() {
            let expected = if index == chosen { Some(value.as_bytes().into()) } else { old.value() };
            prop_assert_eq!((new.name(), new.value()), (old.name(), expected));
        }
    }

    #[test]
    fn copies_that_are_removed_leave_nothing(text in map_text(), place: Index) {
        let old = map(&text);
        let entities: Vec<_> = old.entities().collect();
        if !entities.is_empty() {
            let chosen = place.index(entities.len());
            let mut edit = Edit::new(&old);
            edit.duplicate_entity(entities[chosen]).unwrap();
            let copied = edit.apply().unwrap();
            prop_assert_eq!(copied.entities().count(), entities.len() + 1);
            prop_assert_eq!(copied.solids().count(), old.solids().count() + entities[chosen].solids().count());
            let ids = |map: &Document| map.solids().flat_map(Solid::sides).filter_map(Side::id).max();
            prop_assert!(ids(&copied) >= ids(&old));
            let mut edit = Edit::new(&copied);
            edit.remove_entity(copied.entities().nth(chosen + 1).unwrap()).unwrap();
            let removed = edit.apply().unwrap();
            prop_assert_eq!(removed.as_bytes().escape_ascii().to_string(), old.as_bytes().escape_ascii().to_string());
        }
    }

    #[test]
    fn outputs_can_be_added_to_any_entity(text in map_text(), place: Index, target in "[a-z*!@ -]{0,5}", delay in 0.0..1e6_f64) {
        let old = map(&text);
        let entities: Vec<Entity<'_>> = old.all_entities().collect();
        if !entities.is_empty() {
            let entity = entities[place.index(entities.len())];
            let separator = old.output_separator();
            let connection = Connection { target, input: "b".to_owned(), parameter: ",".to_owned(), delay, times: -1, separator };
            let mut edit = Edit::new(&old);
            edit.insert_output(entity, "OnB", &connection).unwrap();
            let new = edit.apply().unwrap();
            let outputs = |map: &Document| map.all_entities().flat_map(Entity::outputs).count();
            prop_assert_eq!(outputs(&new), outputs(&old) + 1);
            let added = new.all_entities().nth(place.index(entities.len())).unwrap();
            prop_assert!(added.outputs().any(|output| output.connection().as_ref() == Some(&connection)));
        }
    }
}
