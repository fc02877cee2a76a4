//! Finding things by what they are, and changing them where they stand.
#![cfg(all(
    feature = "gltf",
    feature = "map",
    feature = "tiled",
    feature = "wings",
    feature = "vmap",
    feature = "wmp",
    feature = "wwd",
    feature = "wrp"
))]

use mapwright::interchange::NoFiles;
use mapwright::io::Assignment;
use mapwright::query::QueryError;
use mapwright::{AnyDocument, ConvertOptions, Error, Format, Query, ReadOptions, convert};
use mapwright_testkit::workspace;
use proptest::prelude::*;

fn read(name: &str) -> (AnyDocument, Vec<u8>) {
    let bytes = std::fs::read(workspace().join("fixtures").join(name)).unwrap();
    (AnyDocument::from_bytes(&bytes).unwrap(), bytes)
}

fn found(document: &AnyDocument, query: &str, field: &str) -> Vec<String> {
    let query: Query = query.parse().unwrap();
    let scene = document.to_scene().unwrap().scene;
    query.items(&scene, document.format().axis_change()).map(|item| item.text(field)).collect()
}

fn set(document: &mut AnyDocument, query: &str, assignments: &[&str]) -> Result<usize, Error> {
    let assignments: Vec<Assignment> = assignments.iter().map(|text| text.parse().unwrap()).collect();
    let changed = document.set(&query.parse()?, &assignments)?;
    assert!(changed.losses.is_empty(), "{:?}", changed.losses);
    Ok(changed.matched)
}

/// Lines that are not the same.
fn lines(a: &[u8], b: &[u8]) -> Vec<String> {
    let split = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (split(a), split(b));
    assert_eq!(a.len(), b.len());
    a.into_iter().zip(b).filter(|(a, b)| a != b).map(|(_, b)| b.trim().to_owned()).collect()
}

fn edit_map(map: &mut mapwright::wmp::Document, text: &str) {
    use mapwright::wmp::query::{EditObjects as _, EditOptions};
    map.apply(&text.parse().unwrap(), &EditOptions::default()).unwrap();
}

#[test]
fn everything_has_a_kind_and_a_place_along_the_axes_of_its_file() {
    let (map, _) = read("wmp/room.wmp");
    assert_eq!(found(&map, "", "kind").len(), found(&map, "kind=*", "kind").len());
    assert_eq!(found(&map, "kind=light & shape=point", "class"), ["light"]);
    let entities = found(&map, "kind=entity & class!=region", "model");
    assert!(!entities.is_empty() && entities.iter().all(|model| !model.is_empty()), "{entities:?}");
    let (terrain, _) = read("wrp/island-8wvr.wrp");
    let models = found(&terrain, "kind=instance", "class");
    assert!(!models.is_empty());
    let one = found(&terrain, &format!("class=\"{}\" & x>=0", models[0]), "model");
    assert!(one.contains(&models[0]));
    let (torus, _) = read("wings/torus.wings");
    assert_eq!(found(&torus, "faces>100 & name~TORUS", "kind"), ["mesh"]);
}

#[test]
fn places_are_those_of_the_files_that_are_read_into_scenes_alone() {
    let made = |name: &str, to: Format| {
        let done = convert(read(name).0, to, &NoFiles, &ConvertOptions::default()).unwrap();
        AnyDocument::from_bytes_as(&done.files.main, to, &ReadOptions::default()).unwrap()
    };
    let places = |document: &AnyDocument, query: &str| ["x", "y", "z"].map(|axis| found(document, query, axis));
    let lamp = places(&read("wmp/room.wmp").0, "shape=point");
    assert_eq!(places(&made("wmp/room.wmp", Format::Map), "shape=point"), lamp);
    assert!(lamp[2][0] != "0" && lamp[2] != lamp[1], "{lamp:?}");
    let things = places(&read("wwd/claw.wwd").0, "kind=entity");
    for format in [Format::Tmx, Format::Tmj] {
        let [x, y, _] = places(&made("wwd/claw.wwd", format), "kind=entity");
        assert_eq!([&x, &y], [&things[0], &things[1]]);
    }
    assert!(things[1].iter().any(|y| y.parse::<f64>().unwrap() > 0.0));
}

#[test]
fn conditions_mean_what_they_say() {
    let (map, _) = read("vmap/room.vmap");
    let all = found(&map, "", "name").len();
    let count = |query: &str| found(&map, query, "name").len();
    let entities = count("kind=entity");
    assert!(entities > 1);
    assert_eq!(count("!kind=entity"), all - entities);
    assert_eq!(count("kind=entity | !(kind=entity)"), all);
    assert_eq!(count("kind=entity&kind=mesh"), 0);
    assert_eq!(count("kind!=entity"), all - entities);
    assert_eq!(count("no_such_field!=1"), 0);
    assert_eq!(count("'kind' = \"ENTITY\""), entities);
    assert_eq!(count("x<=0 | x>0"), all);
    // Texts that are numbers are compared as numbers.
    assert_eq!(found(&map, "class=light* & brightness>0", "class"), found(&map, "class=light*", "class"));
}

#[test]
fn what_is_set_changes_and_nothing_else_does() {
    let (mut map, bytes) = read("wmp/room.wmp");
    assert_eq!(set(&mut map, "kind=light & range>0", &["range=77"]).unwrap(), 1);
    assert_eq!(lines(&bytes, &map.to_bytes().unwrap()).len(), 1);
    assert_eq!(found(&map, "shape=point", "range"), ["77"]);

    let (mut level, bytes) = read("wmp/room.wmp");
    let before = found(&level, "shape=point", "z");
    set(&mut level, "shape=point", &["z+=8"]).unwrap();
    let moved: Vec<f64> = found(&level, "shape=point", "z").iter().map(|z| z.parse().unwrap()).collect();
    assert_eq!(moved, before.iter().map(|z| z.parse::<f64>().unwrap() + 8.0).collect::<Vec<_>>());
    assert_eq!(lines(&bytes, &level.to_bytes().unwrap()).len(), 1);

    let (mut source, _) = read("vmap/room.vmap");
    assert_eq!(found(&source, "class=light*", "kind"), ["light"]);
    set(&mut source, "class=light_omni2", &["intensity=3.5"]).unwrap();
    let losses = told(&mut source, "class=light_omni2", &["name=sun"]);
    assert!(matches!(&losses[..], [loss] if loss.contains("1 output still names \"lamp\"")), "{losses:?}");
    let (mut other, _) = read("vmap/room.vmap");
    let losses = told(&mut other, "class=light_omni2", &["targetname=sun"]);
    assert!(matches!(&losses[..], [loss] if loss.contains("1 output still names \"lamp\"")), "{losses:?}");
    let again = AnyDocument::from_bytes(&source.to_bytes().unwrap()).unwrap();
    assert_eq!(found(&again, "name=sun & brightness=3.5", "class"), ["light_omni2"]);

    let (mut torus, _) = read("wings/torus.wings");
    set(&mut torus, "name=Torus", &["name=ring", "locked=true"]).unwrap();
    assert_eq!(found(&torus, "locked=true", "name"), ["ring"]);

    let (mut terrain, bytes) = read("wrp/island-8wvr.wrp");
    let x: f64 = found(&terrain, "kind=instance", "x")[0].parse().unwrap();
    set(&mut terrain, &format!("kind=instance & x={x}"), &["x+=1"]).unwrap();
    assert_eq!(found(&terrain, "kind=instance", "x")[0].parse::<f64>().unwrap(), x + 1.0);
    assert_eq!(terrain.to_bytes().unwrap().len(), bytes.len());
}

#[test]
fn what_moves_with_its_group_moves_once() {
    let (mut map, _) = read("wmp/room.wmp");
    let places =
        |map: &AnyDocument| -> Vec<f64> { found(map, "kind!=light", "z").iter().map(|z| z.parse().unwrap()).collect() };
    let before = places(&map);
    assert!(!found(&map, "kind=group", "name").is_empty());
    set(&mut map, "kind!=light", &["z+=8", "x-=4", "z+=8"]).unwrap();
    let moved = before.iter().zip(places(&map)).map(|(old, new)| new - old);
    assert!(moved.clone().all(|way| (way - 16.0).abs() < 1e-6), "{:?}", moved.collect::<Vec<_>>());
}

#[test]
fn nothing_that_is_meant_changes_nothing() {
    for name in ["wmp/room.wmp", "vmap/room.vmap", "wings/torus.wings", "wrp/island-8wvr.wrp", "wwd/claw.wwd"] {
        let (mut document, bytes) = read(name);
        assert_eq!(set(&mut document, "name=nobody & kind=group", &["name=a"]).unwrap(), 0);
        assert_eq!(document.to_bytes().unwrap(), bytes, "{name}");
    }
}

#[test]
fn what_is_no_query_and_what_cannot_be_set_is_refused() {
    let at = |text: &str| match text.parse::<Query>() {
        Err(QueryError::Syntax { at, .. }) => at,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(at("kind"), 5);
    assert_eq!(at("name=a b=c"), 8);
    assert_eq!(at("(name=a"), 8);
    assert_eq!(at("a=1 & "), 7);
    assert_eq!(at("a=\"1"), 3);
    assert_eq!(at("x<abc"), 6);
    assert_eq!("(".repeat(200).parse::<Query>(), Err(QueryError::Nested));
    let (mut map, bytes) = read("wmp/room.wmp");
    for wrong in ["kind=mesh", "vertices=3", "range=abc", "range=nan", "z=inf", "visible=maybe", "name+=1"] {
        let error = set(&mut map, "kind=light", &[wrong]).unwrap_err();
        assert!(matches!(error, Error::Query(_)), "{wrong}: {error}");
    }
    assert_eq!(map.to_bytes().unwrap(), bytes);
}

#[test]
fn conversions_take_and_leave_what_is_meant() {
    let options = |only: &[&str], exclude: &[&str]| {
        let queries = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        ConvertOptions::default().with_only(queries(only)).with_exclude(queries(exclude))
    };
    let made = |name: &str, to: Format, options: &ConvertOptions| {
        let done = convert(read(name).0, to, &NoFiles, options)?;
        Ok::<_, Error>(AnyDocument::from_bytes_as(&done.files.main, to, &ReadOptions::default()).unwrap())
    };
    let all = made("wmp/room.wmp", Format::Glb, &options(&[], &[])).unwrap();
    let dark = made("wmp/room.wmp", Format::Glb, &options(&[], &["kind=light"])).unwrap();
    let lights = made("wmp/room.wmp", Format::Glb, &options(&["kind=light"], &["shape!=point"])).unwrap();
    assert!(!found(&all, "kind=light", "name").is_empty() && found(&dark, "kind=light", "name").is_empty());
    assert_eq!(found(&all, "kind=mesh", "name"), found(&dark, "kind=mesh", "name"));
    assert_eq!((found(&lights, "kind=light", "name").len(), found(&lights, "kind=mesh", "name").len()), (1, 0));
    assert!(matches!(made("wmp/room.wmp", Format::Glb, &options(&["name=nobody"], &[])), Err(Error::NoNode(_))));

    let (terrain, _) = read("wrp/island.wrp");
    let models = found(&terrain, "kind=instance", "class");
    let without = made("wrp/island.wrp", Format::Wrp, &options(&[], &[&format!("class='{}'", models[0])])).unwrap();
    let left: Vec<String> = models.iter().filter(|model| **model != models[0]).cloned().collect();
    assert!(!left.is_empty());
    assert_eq!(found(&without, "kind=instance", "class"), left);
}

#[test]
fn a_map_that_is_scaled_keeps_its_version_and_tells_what_is_made_anew() {
    let scaled = |name: &str| {
        let (document, _) = read(name);
        let to = document.format();
        convert(document, to, &NoFiles, &ConvertOptions::default().with_scale(2.0))
    };
    let done = scaled("vmap/room29.vmap").unwrap();
    let AnyDocument::Vmap(map) = AnyDocument::from_bytes(&done.files.main).unwrap() else { panic!("a map") };
    assert_eq!(map.format_version(), 29);
    assert!(done.losses.iter().any(|loss| loss.text.contains("written anew")), "{:?}", done.losses);
    let done = scaled("wmp/room-a4.wmp").unwrap();
    let AnyDocument::Wmp(map) = AnyDocument::from_bytes(&done.files.main).unwrap() else { panic!("a map") };
    assert_eq!(map.dialect, mapwright::wmp::Dialect::A4);
    let error = scaled("wwd/claw.wwd").unwrap_err();
    assert!(error.to_string().contains("scaled"), "{error}");
}

fn query() -> impl Strategy<Value = String> {
    let condition = ("[a-z]{1,4}|'a b'", "=|!=|<|~", "[0-9]{1,3}|\"[a-z ]*\"|'\"'").prop_map(|(field, sign, value)| {
        match (sign.as_str(), value.as_bytes()) {
            ("<", [b'0'..=b'9', ..]) => format!("{field}<{value}"),
            ("<", _) => format!("{field}={value}"),
            _ => format!("{field}{sign}{value}"),
        }
    });
    condition.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join("&"))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join(" | "))),
            inner.prop_map(|one| format!("! {one}")),
        ]
    })
}

proptest! {
    #[test]
    fn a_query_is_what_it_is_written_as(text in query()) {
        let query: Query = text.parse().unwrap();
        prop_assert_eq!(query.to_string().parse::<Query>().unwrap(), query);
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,40}") {
        let _ = text.parse::<Query>();
    }
}

#[test]
fn what_stands_in_something_that_stays_is_moved_all_the_same() {
    let (mut level, _) = read("wwd/claw.wwd");
    let set = |level: &mut AnyDocument, query: &str, assignment: &str| {
        level.set(&query.parse().unwrap(), &[assignment.parse().unwrap()]).unwrap()
    };
    // A plane that the player walks on has no place of its own.
    let changed = set(&mut level, "class=Soldier | name=Action", "x=100");
    assert_eq!(
        (found(&level, "class=Soldier", "x"), found(&level, "name=Action", "x")),
        (vec!["100".into()], vec!["0".into()])
    );
    assert!(changed.losses.iter().any(|loss| loss.text == "x stays \"0\": \"100\" cannot be said"), "{changed:?}");

    let objects = found(&level, "kind=entity", "x");
    set(&mut level, "", "x+=10");
    let moved = objects.iter().map(|x| (x.parse::<f64>().unwrap() + 10.0).to_string());
    assert_eq!(found(&level, "kind=entity", "x"), moved.collect::<Vec<_>>());

    // The start is no thing that could have another name, and stays where it is.
    let start = found(&level, "kind=marker", "x");
    let changed = set(&mut level, "kind=marker", "name=foo");
    assert!(
        changed.losses.iter().any(|loss| loss.text == "name stays \"start\": \"foo\" cannot be said"),
        "{changed:?}"
    );
    assert_eq!(found(&level, "kind=marker & name=start", "x"), start);
}

#[test]
fn numbers_stay_within_those_of_the_file() {
    let (mut terrain, bytes) = read("wrp/island.wrp");
    let far = terrain.set(&"kind=instance".parse().unwrap(), &["y=1e39".parse().unwrap()]).unwrap();
    assert!(far.losses.iter().any(|loss| loss.text.contains("what is too far stays where it was")), "{far:?}");
    assert!(terrain.to_bytes().unwrap() == bytes);
    let assignments = ["x=1e308", "x+=1e308"].map(|text| text.parse().unwrap());
    assert!(terrain.set(&"kind=instance".parse().unwrap(), &assignments).is_err());
}

#[test]
fn what_is_typed_wrongly_is_no_value() {
    for (wrong, at) in
        [("kind==light", 6), ("x=>0", 3), ("kind~=light", 6), ("name=!a", 6), ("a=1 && b=2", 6), ("a=1 || b=2", 6)]
    {
        let error = wrong.parse::<Query>().unwrap_err();
        assert!(matches!(error, QueryError::Syntax { at: found, .. } if found == at), "{wrong}: {error}");
    }
    let query: Query = "name=\"=light\" & (x>0 | !x<-3) & 'a b'=1".parse().unwrap();
    assert_eq!(query.fields(), ["name", "x", "a b"]);
}

#[test]
fn places_that_the_file_rounds_are_taken_as_they_become() {
    let (mut level, _) = read("wwd/claw.wwd");
    let objects = found(&level, "kind=entity", "x");
    let changed = level.set(&Query::default(), &["x+=1.5".parse().unwrap()]).unwrap();
    let moved: Vec<f64> = found(&level, "kind=entity", "x").iter().map(|x| x.parse().unwrap()).collect();
    for (was, is) in objects.iter().zip(&moved) {
        assert!((is - was.parse::<f64>().unwrap() - 1.5).abs() <= 0.5, "{was} {is}");
    }
    assert!(changed.losses.iter().any(|loss| loss.text.starts_with("x is ")), "{changed:?}");

    // Whatever is meant and however far: each ends, and says what it did.
    for name in
        ["vmap/room.vmap", "wmp/room.wmp", "wmp/room-a4.wmp", "wings/torus.wings", "wwd/claw.wwd", "wrp/island.wrp"]
    {
        for assignment in ["x+=10", "x+=1e38", "z=0.125", "y-=0.5"] {
            let (mut document, _) = read(name);
            let count = found(&document, "", "kind").len();
            let changed = document.set(&Query::default(), &[assignment.parse().unwrap()]);
            // Only so far is farther than some formats go.
            let is_refused = changed.is_err() && assignment == "x+=1e38";
            assert!(is_refused || changed.is_ok_and(|changed| changed.matched == count), "{name} {assignment}");
        }
    }
}

#[test]
fn what_arrives_is_not_told_and_what_does_not_is() {
    for name in ["vmap/room.vmap", "wmp/room.wmp", "wings/torus.wings"] {
        for word in ["nan", "inf", "007"] {
            let (mut document, _) = read(name);
            let losses = told(&mut document, "kind=mesh | kind=entity | kind=brush", &[&format!("name={word}")]);
            assert!(!losses.iter().any(|loss| loss.contains("name is")), "{name} {word}: {losses:?}");
            let found = found(&document, "kind=mesh | kind=entity | kind=brush", "name");
            assert!(found.iter().any(|name| name == word), "{name} {word}: {found:?}");
        }
        let (mut document, _) = read(name);
        let query = if name.starts_with("wings") { "kind=mesh" } else { "kind=brush | kind=mesh" };
        let losses = told(&mut document, query, &["intensity=3", "intensity+=1"]);
        let arrived = found(&document, query, "intensity").iter().all(|it| it == "4");
        let said = losses.iter().filter(|loss| loss.contains("intensity")).count();
        assert!(arrived != (said > 0), "{name}: {losses:?}");
    }
}

/// Sets, and what is told of it.
fn told(document: &mut AnyDocument, query: &str, assignments: &[&str]) -> Vec<String> {
    let assignments: Vec<Assignment> = assignments.iter().map(|text| text.parse().unwrap()).collect();
    let changed = document.set(&query.parse().unwrap(), &assignments).unwrap();
    changed.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn what_formats_put_into_other_places_is_done() {
    // Into the vertices.
    let (mut model, _) = read("wings/lights.wings");
    assert_eq!(
        told(&mut model, "name=cube", &["x+=1"]),
        ["approximated: nodes[0]: transform, applied to the vertices: a mesh stands at 0"]
    );
    // Into the objects of a group.
    let (mut terrain, bytes) = read("wrp/island.wrp");
    let heights = found(&terrain, "kind=instance", "y");
    let lines = told(&mut terrain, "kind=group", &["y+=5"]);
    assert!(lines.iter().all(|line| line.starts_with("approximated: objects: 1 that fit to the ground")), "{lines:?}");
    let moved: Vec<f64> = found(&terrain, "kind=instance", "y").iter().map(|y| y.parse().unwrap()).collect();
    assert!(heights.iter().zip(moved).all(|(was, is)| (is - was.parse::<f64>().unwrap() - 5.0).abs() < 1e-4));
    // Nothing is turned, be it by the sign of a zero.
    told(&mut terrain, "kind=group", &["y-=5"]);
    let again = terrain.to_bytes().unwrap();
    let differ = bytes.iter().zip(&again).filter(|(a, b)| a != b).count();
    assert!(bytes.len() == again.len() && differ <= 12, "{differ}");
    // Into the colour of a light.
    let (mut map, _) = read("wmp/room.wmp");
    assert!(told(&mut map, "kind=light & shape=point", &["intensity=4"]).is_empty());
}

#[test]
fn a_terrain_that_moves_leaves_its_objects_alone() {
    let (mut terrain, bytes) = read("wrp/island.wrp");
    let lines = told(&mut terrain, "kind=terrain", &["x=5", "y=2"]);
    assert!(lines.iter().any(|line| line.contains("which stays at the corner of the map")), "{lines:?}");
    assert!(terrain.to_bytes().unwrap() == bytes);
}

#[test]
fn what_lights_of_maps_say_in_keys_can_be_set_by_them() {
    let (mut map, _) = read("vmap/room.vmap");
    assert!(told(&mut map, "kind=light", &["class=light_spot", "brightness=3"]).is_empty());
    assert_eq!(found(&map, "kind=light", "class"), ["light_spot"]);
    assert_eq!(
        (found(&map, "kind=light", "shape"), found(&map, "kind=light", "intensity")),
        (vec!["spot".into()], vec!["3".into()])
    );
    let refused = map.set(&"kind=light".parse().unwrap(), &["intensity=-1".parse().unwrap()]);
    assert!(matches!(refused, Err(Error::Query(QueryError::Value { .. }))), "{refused:?}");
    // What hides a node is not known by hiding it less.
    let bytes = map.to_bytes().unwrap();
    assert_eq!(told(&mut map, "class=prop*", &["hiddenFlags=0"]).len(), 1);
    assert!(map.to_bytes().unwrap() == bytes);
}

#[test]
fn numbers_that_a_field_does_not_take_change_nothing() {
    let (mut level, _) = read("wwd/claw.wwd");
    let lines = told(&mut level, "class=Elevator", &["speed_x=99999999999", "x+=1"]);
    assert_eq!(lines, ["dropped: nodes[4]: speed_x stays \"100\": \"99999999999\" cannot be said"]);
    assert_eq!(
        (found(&level, "class=Elevator", "speed_x"), found(&level, "class=Elevator", "x")),
        (vec!["100".into()], vec!["641".into()])
    );
    let lines = told(&mut level, "class=Elevator", &["x=3000000000"]);
    assert_eq!(lines, ["dropped: nodes[4]: x stays \"641\": \"3000000000\" cannot be said"]);
    // Just beyond a bound is out of bounds, too, and so is what has been no number.
    for (what, field, wish, stays) in [
        ("class=Elevator", "x", "2147483648", "641"),
        ("class=Elevator", "x", "2147627647", "641"),
        ("class=Elevator", "x", "-2147483649", "641"),
        ("class=Soldier", "speed_x", "3000000000", ""),
        ("class=Soldier", "speed_x", "4294967295", ""),
    ] {
        let lines = told(&mut level, what, &[&format!("{field}={wish}")]);
        assert!(
            lines.len() == 1 && lines[0].ends_with(&format!("{field} stays \"{stays}\": \"{wish}\" cannot be said"))
        );
        assert!(found(&level, what, field) == [stays] || stays.is_empty(), "{wish}");
    }
    let (mut map, bytes) = read("wmp/room-wmpb.wmp");
    assert_eq!(told(&mut map, "kind=sound", &["range=4294967296"]).len(), 1);
    assert_eq!(map.to_bytes().unwrap(), bytes);
    assert!(told(&mut map, "kind=sound", &["range=4294967295"]).is_empty());
    let (mut map, bytes) = read("vmap/room.vmap");
    assert_eq!(told(&mut map, "kind=light", &["x=3.4028236e38"]).len(), 1);
    assert_eq!(map.to_bytes().unwrap(), bytes);
    assert!(!told(&mut map, "kind=light", &["x=3.4028235e38"]).iter().any(|line| line.contains("stays")));
    // What is not said is 0.
    assert!(told(&mut level, "class=Soldier", &["speed_x+=10"]).is_empty());
    assert_eq!(found(&level, "class=Soldier", "speed_x"), ["10"]);
}

#[test]
fn numbers_become_zero_and_come_back() {
    for (name, query, field) in [
        ("wwd/claw.wwd", "class=Elevator", "speed_x"),
        ("wwd/claw.wwd", "class=Elevator", "x"),
        ("wmp/room.wmp", "kind=entity & flags>0", "flags"),
        ("vmap/room.vmap", "kind=light", "x"),
    ] {
        let (mut document, bytes) = read(name);
        let before = found(&document, query, field);
        let keys = found(&document, query, "key");
        assert!(!before.is_empty(), "{name} {query}");
        for (key, value) in keys.iter().zip(&before) {
            let it = if key.is_empty() { query.to_owned() } else { format!("key='{key}'") };
            assert!(told(&mut document, &it, &[&format!("{field}=0")]).is_empty(), "{name} {field}");
            assert!(["", "0"].contains(&&*found(&document, &it, field)[0]));
            assert!(told(&mut document, &it, &[&format!("{field}={value}")]).is_empty(), "{name} {field}");
        }
        assert!(document.to_bytes().unwrap() == bytes, "{name} {field}");
    }
}

#[test]
fn what_nothing_has_is_not_zero() {
    for (name, query, field) in [("vmap/room.vmap", "kind=mesh", "foo"), ("wmp/room.wmp", "kind=group", "range")] {
        let (mut document, bytes) = read(name);
        let lines = told(&mut document, query, &[&format!("{field}=0")]);
        assert!(lines[0].ends_with(&format!("{field} stays \"\": \"0\" cannot be said")), "{lines:?}");
        assert!(document.to_bytes().unwrap() == bytes);
    }
    // An empty group has a place, though nothing shows it.
    let (mut map, _) = read("wmp/room.wmp");
    let AnyDocument::Wmp(document) = &mut map else { panic!("a map") };
    edit_map(document, "delete kind=block");
    edit_map(document, "delete kind=light");
    let lines = told(&mut map, "kind=group", &["x=5"]);
    assert!(!lines.iter().any(|line| line.contains("x is")), "{lines:?}");
    // What a light gives is what it is called and how bright it is.
    let (mut map, _) = read("wmp/room-wmpb.wmp");
    let lines = told(&mut map, "name=sun", &["intensity=0.5"]);
    assert!(lines.iter().all(|line| !line.contains("stays")), "{lines:?}");
}

#[test]
fn what_is_not_asked_for_does_not_become() {
    // A class of which the format makes another.
    let (mut map, bytes) = read("vmap/room.vmap");
    for field in ["class", "classname"] {
        let lines = told(&mut map, "kind=light", &[&format!("{field}=prop_static")]);
        let stays = format!("{field} stays \"light_omni2\": \"prop_static\" cannot be said");
        assert!(lines[0].contains(&stays), "{lines:?}");
    }
    assert!(map.to_bytes().unwrap() == bytes);
    // The direction of a sun that stands upright is any.
    let (mut map, _) = read("wmp/room.wmp");
    let AnyDocument::Wmp(document) = &mut map else { panic!("a map") };
    edit_map(document, "set level: elevation=90, azimuth=0");
    let bytes = map.to_bytes().unwrap();
    told(&mut map, "kind=light", &["z+=64"]);
    let AnyDocument::Wmp(document) = &map else { panic!("a map") };
    let level = document.level().unwrap();
    assert_eq!((level.azimuth, level.elevation), (0.0, 90.0));
    assert!(map.to_bytes().unwrap() != bytes);
    told(&mut map, "kind=light", &["z-=64"]);
    assert!(map.to_bytes().unwrap() == bytes);
}

#[test]
fn an_aimed_light_keeps_its_direction() {
    let (mut model, _) = read("wings/lights.wings");
    let aim = |model: &AnyDocument| {
        let scene = model.to_scene().unwrap().scene;
        scene.lights.iter().map(|(_, light)| light.target.map_or(0.0, |[x, ..]| x)).collect::<Vec<_>>()
    };
    let before = aim(&model);
    let lines = told(&mut model, "kind=light", &["x+=1"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("preserved: ")).count(), 3, "{lines:?}");
    let moved: Vec<f64> = before.iter().zip(aim(&model)).map(|(was, is)| is - was).collect();
    // An ambient light and a point have no direction.
    assert_eq!(moved, [0.0, 1.0, 0.0, 1.0, 1.0]);
}

#[test]
fn what_is_not_there_is_not_counted_from() {
    let (mut map, bytes) = read("wmp/room.wmp");
    // The sun and the light of the level have no range.
    let losses = told(&mut map, "kind=light", &["range+=16.5"]);
    assert_eq!(
        losses.iter().filter(|loss| loss.contains("range: there is none that could be counted from")).count(),
        2
    );
    assert_eq!(losses.len(), 2, "{losses:?}");
    assert_ne!(map.to_bytes().unwrap(), bytes);
    told(&mut map, "kind=light", &["range-=16.5"]);
    assert_eq!(map.to_bytes().unwrap(), bytes);
}

#[test]
fn what_has_its_name_in_the_game_alone_is_called_otherwise_there() {
    let (mut map, _) = read("vmap/room.vmap");
    let entity = "kind=entity & class!=worldspawn";
    told(&mut map, entity, &["targetname=guard"]);
    let names = [found(&map, entity, "name"), found(&map, entity, "targetname")];
    assert!(!names[0].is_empty() && names[0] == names[1], "{names:?}");
    assert_eq!(told(&mut map, entity, &["name=other"]), [""; 0]);
    let fields = ["name", "targetname"].map(|field| found(&map, entity, field));
    assert!(fields.iter().flatten().all(|name| name == "other"), "{fields:?}");
}

#[test]
fn letters_of_no_known_encoding_arrive() {
    let (mut map, _) = read("wmp/room.wmp");
    let losses = told(&mut map, "kind=entity", &["name=\u{fc}"]);
    assert!(!losses.iter().any(|loss| loss.contains("name is")), "{losses:?}");
    assert!(found(&map, "kind=entity", "name").contains(&"\\xc3\\xbc".to_owned()));
}

#[test]
fn what_nothing_has_is_told() {
    let (mut map, bytes) = read("wmp/room.wmp");
    let changed = map.set(&"knd=light".parse().unwrap(), &["x=1".parse().unwrap()]).unwrap();
    assert_eq!((changed.matched, changed.unknown), (0, vec!["knd".to_owned()]));
    assert!(map.to_bytes().unwrap() == bytes);
    let error = "kind=lihgt".parse::<Query>().unwrap_err();
    assert!(matches!(&error, QueryError::Kind { kind } if kind == "lihgt"), "{error}");
    let options = ConvertOptions::default().with_exclude(vec![Query::named("nobody")]);
    let losses = convert(map, Format::Obj, &NoFiles, &options).unwrap().losses;
    assert!(losses.iter().any(|loss| loss.text.contains("was to leave out")), "{losses:?}");
}

#[test]
fn words_are_shown_as_they_are_read() {
    for text in ["name=a\"b'c", "'a=b'=\"=x\"", "name=a=b", "x>=1", "name=\"\"", "name='\"'"] {
        let query: Query = text.parse().unwrap();
        assert_eq!(query.to_string().parse::<Query>().unwrap(), query, "{text}");
    }
}

#[test]
fn blocks_of_a_finished_map_stay_where_their_vertices_are() {
    let (mut map, bytes) = read("wmp/room-711.wmp");
    let lines = told(&mut map, "kind=brush", &["x+=16"]);
    assert!(!lines.is_empty() && lines.iter().all(|line| line.starts_with("dropped: block/")), "{lines:?}");
    assert!(map.to_bytes().unwrap() == bytes);
}
