//! Queries and edits of any document.
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

use mapwright::query::{Assignment, Edited, Objects, QueryError, Text};
use mapwright::scene::NoFiles;
use mapwright::{AnyDocument, ConvertOptions, Edit, EditOptions, Error, Format, Query, ReadOptions, convert};
use mapwright_testkit::{laws, workspace};

fn read(name: &str) -> (AnyDocument, Vec<u8>) {
    let bytes = std::fs::read(workspace().join("fixtures").join(name)).unwrap();
    (AnyDocument::from_bytes(&bytes).unwrap(), bytes)
}

fn found(document: &AnyDocument, query: &str, field: &str) -> Vec<String> {
    let objects = document.clone().into_objects().unwrap();
    let selection = query.parse::<Query>().unwrap().bind(&objects.vocabulary().with_any_key()).unwrap();
    let mut found = Vec::new();
    objects.visit(&mut |object| {
        if selection.matches(object) {
            found.push(object.get_by_name(field).map(|value| value.to_string()).unwrap_or_default());
        }
    });
    found
}

fn edit(
    document: &mut AnyDocument,
    query: &str,
    assignments: &[&str],
    options: &EditOptions,
) -> Result<Edited, QueryError> {
    let assignments: Vec<Assignment> = assignments.iter().map(|text| text.parse().unwrap()).collect();
    let edit = Edit::Set { query: query.parse()?, assignments };
    match document.edit(&edit, options) {
        Ok(edited) => Ok(edited),
        Err(Error::Query(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

/// Sets fields, which reports nothing else. Returns the number of objects that matched.
fn set(document: &mut AnyDocument, query: &str, assignments: &[&str]) -> Result<usize, QueryError> {
    let edited = edit(document, query, assignments, &EditOptions::default())?;
    assert!(edited.losses.is_empty(), "{:?}", edited.losses);
    Ok(edited.matched.unwrap())
}

/// Sets fields, also new ones. Returns the reports.
fn reports(document: &mut AnyDocument, query: &str, assignments: &[&str]) -> Vec<String> {
    let options = EditOptions::default().with_create_fields(true);
    let edited =
        edit(document, query, assignments, &options).unwrap_or_else(|error| panic!("{assignments:?}: {error}"));
    edited.losses.iter().map(ToString::to_string).collect()
}

/// Fails to set fields, which changes nothing. Returns the error.
fn refused(document: &mut AnyDocument, query: &str, assignments: &[&str]) -> String {
    let bytes = document.to_bytes().unwrap();
    let options = EditOptions::default().with_create_fields(true);
    let error = edit(document, query, assignments, &options).expect_err(&assignments.join(","));
    assert!(document.to_bytes().unwrap() == bytes, "{assignments:?}");
    error.to_string()
}

/// Returns the lines that differ.
fn lines(a: &[u8], b: &[u8]) -> Vec<String> {
    let split = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (split(a), split(b));
    assert_eq!(a.len(), b.len());
    a.into_iter().zip(b).filter(|(a, b)| a != b).map(|(_, b)| b.trim().to_owned()).collect()
}

#[test]
fn everything_has_a_kind_and_a_place_along_the_axes_of_its_file() {
    let (map, _) = read("wmp/room.wmp");
    assert_eq!(found(&map, "", "kind").len(), found(&map, "kind=*", "kind").len());
    assert_eq!(found(&map, "kind=light & range>0", "class"), ["light"]);
    let entities = found(&map, "kind=model", "model");
    assert!(!entities.is_empty() && entities.iter().all(|model| !model.is_empty()), "{entities:?}");
    let (terrain, _) = read("wrp/island-8wvr.wrp");
    let models = found(&terrain, "kind=object", "class");
    assert!(!models.is_empty());
    let one = found(&terrain, &format!("class=\"{}\" & x>=0", models[0]), "model");
    assert!(one.contains(&models[0]));
    let (torus, _) = read("wings/torus.wings");
    assert_eq!(found(&torus, "faces>100 & name~TORUS", "kind"), ["mesh"]);
}

#[test]
fn query_positions_use_the_axes_of_the_file() {
    let made = |name: &str, to: Format| {
        let done = convert(read(name).0, to, &NoFiles, &ConvertOptions::default()).unwrap();
        AnyDocument::from_bytes_as(&done.files.main, to, &ReadOptions::default()).unwrap()
    };
    let places = |document: &AnyDocument, query: &str| ["x", "y", "z"].map(|axis| found(document, query, axis));
    let lamp = places(&read("wmp/room.wmp").0, "kind=light");
    assert_eq!(places(&made("wmp/room.wmp", Format::Map), "class=light"), lamp);
    assert!(lamp[2][0] != "0" && lamp[2] != lamp[1], "{lamp:?}");
    let things = places(&read("wwd/claw.wwd").0, "kind=entity");
    for format in [Format::Tmx, Format::Tmj] {
        let [x, y] = ["x", "y"].map(|axis| found(&made("wwd/claw.wwd", format), "kind=object and name!=start", axis));
        assert_eq!([&x, &y], [&things[0], &things[1]]);
    }
    assert!(things[1].iter().any(|y| y.parse::<f64>().unwrap() > 0.0));
}

#[test]
fn comparisons_select_objects() {
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
    assert_eq!(count("kind in (entity, light) and not kind==light"), entities);
    assert_eq!(count("x<=0 | x>0"), all);
    // Text that is a number compares as a number.
    assert_eq!(found(&map, "class=light* & brightness>0", "class"), found(&map, "class=light*", "class"));
}

#[test]
fn set_changes_nothing_else() {
    let (mut map, bytes) = read("wmp/room.wmp");
    assert_eq!(set(&mut map, "kind=light & range>0", &["range=77"]).unwrap(), 1);
    assert_eq!(lines(&bytes, &map.to_bytes().unwrap()).len(), 1);
    assert_eq!(found(&map, "kind=light", "range"), ["77"]);

    let (mut level, bytes) = read("wmp/room.wmp");
    let before = found(&level, "kind=light", "z");
    set(&mut level, "kind=light", &["z+=8"]).unwrap();
    let moved: Vec<f64> = found(&level, "kind=light", "z").iter().map(|z| z.parse().unwrap()).collect();
    assert_eq!(moved, before.iter().map(|z| z.parse::<f64>().unwrap() + 8.0).collect::<Vec<_>>());
    assert_eq!(lines(&bytes, &level.to_bytes().unwrap()).len(), 1);

    let (mut source, _) = read("vmap/room.vmap");
    assert_eq!(found(&source, "class=light*", "kind"), ["light"]);
    set(&mut source, "class=light_omni2", &["intensity=3.5"]).unwrap();
    let losses = reports(&mut source, "class=light_omni2", &["name=sun"]);
    assert!(
        matches!(&losses[..], [loss] if loss.contains("target of 1 output: \"lamp\" no longer exists")),
        "{losses:?}"
    );
    let (mut other, _) = read("vmap/room.vmap");
    let losses = reports(&mut other, "class=light_omni2", &["targetname=sun"]);
    assert!(
        matches!(&losses[..], [loss] if loss.contains("target of 1 output: \"lamp\" no longer exists")),
        "{losses:?}"
    );
    let again = AnyDocument::from_bytes(&source.to_bytes().unwrap()).unwrap();
    assert_eq!(found(&again, "name=sun & brightness=3.5", "class"), ["light_omni2"]);

    let (mut torus, _) = read("wings/torus.wings");
    set(&mut torus, "name=Torus", &["name=ring", "locked=true"]).unwrap();
    assert_eq!(found(&torus, "locked=true", "name"), ["ring"]);

    let (mut terrain, bytes) = read("wrp/island-8wvr.wrp");
    let x: f64 = found(&terrain, "", "x")[0].parse().unwrap();
    set(&mut terrain, &format!("x={x}"), &["x+=1"]).unwrap();
    assert_eq!(found(&terrain, "", "x")[0].parse::<f64>().unwrap(), x + 1.0);
    assert_eq!(terrain.to_bytes().unwrap().len(), bytes.len());
}

#[test]
fn members_of_a_moved_group_move_once() {
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
fn failed_edits_change_nothing() {
    for name in ["wmp/room.wmp", "vmap/room.vmap", "wings/torus.wings", "wrp/island-8wvr.wrp", "wwd/claw.wwd"] {
        let (mut document, bytes) = read(name);
        let error = set(&mut document, "name=nobody", &["name=a"]).unwrap_err();
        assert_eq!(error, QueryError::NoMatch { query: "name=nobody".to_owned() });
        let options = EditOptions::default().with_allow_no_match(true);
        let edited = edit(&mut document, "name=nobody", &["name=a"], &options).unwrap();
        assert_eq!((edited.matched, edited.changed), (Some(0), 0));
        let error = set(&mut document, "*", &["nmae=a"]).unwrap_err().to_string();
        assert_eq!(error, "unknown field `nmae`; did you mean `name`?");
        let error = set(&mut document, "knid=a", &["name=a"]).unwrap_err().to_string();
        assert_eq!(error, "unknown field `knid`; did you mean `kind`?");
        assert!(document.to_bytes().unwrap() == bytes, "{name}");
    }
    let (mut map, bytes) = read("wmp/room.wmp");
    for wrong in ["kind=block", "number=3", "range=abc", "range=nan", "z=inf", "color=red", "name+=1"] {
        assert!(set(&mut map, "kind=light", &[wrong]).is_err(), "{wrong}");
    }
    let error = set(&mut map, "kind=lihgt", &["x=1"]).unwrap_err().to_string();
    assert!(error.contains("did you mean `light`?"), "{error}");
    assert_eq!(map.to_bytes().unwrap(), bytes);
    let (mut model, _) = read("wings/lights.wings");
    let deleted = model.edit(&"delete kind=light".parse().unwrap(), &EditOptions::default());
    assert!(matches!(deleted, Err(Error::Unsupported { .. })), "{deleted:?}");
}

#[test]
fn conversions_filter_by_only_and_exclude() {
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
    let lights = made("wmp/room.wmp", Format::Glb, &options(&["kind=light"], &["name=sun"])).unwrap();
    let unlit = made("wmp/room.wmp", Format::Glb, &options(&[], &["kind=light", "name=sun"])).unwrap();
    // The sun is a setting of the map, not an object, but can be selected by its name, and only so.
    assert!(made("wmp/hand.wmp", Format::Glb, &options(&["kind=light"], &[])).is_err());
    let count = |document| found(document, "kind=light", "name").len();
    assert_eq!([&all, &dark, &unlit].map(count), [2, 1, 0]);
    assert_eq!(found(&all, "kind=mesh", "name"), found(&dark, "kind=mesh", "name"));
    assert_eq!((found(&lights, "kind=light", "name").len(), found(&lights, "kind=mesh", "name").len()), (1, 0));
    assert!(matches!(
        made("wmp/room.wmp", Format::Glb, &options(&["name=nobody"], &[])),
        Err(Error::Query(QueryError::NoMatch { .. }))
    ));

    let (terrain, _) = read("wrp/island.wrp");
    let models = found(&terrain, "", "class");
    let without = made("wrp/island.wrp", Format::Wrp, &options(&[], &[&format!("class='{}'", models[0])])).unwrap();
    let left: Vec<String> = models.iter().filter(|model| **model != models[0]).cloned().collect();
    assert!(!left.is_empty());
    assert_eq!(found(&without, "", "class"), left);
}

#[test]
fn a_scaled_map_keeps_its_version_and_reports_what_is_created_again() {
    let scaled = |name: &str| {
        let (document, _) = read(name);
        let to = document.format();
        convert(document, to, &NoFiles, &ConvertOptions::default().with_scale(2.0))
    };
    let done = scaled("vmap/room29.vmap").unwrap();
    let map = AnyDocument::from_bytes(&done.files.main).unwrap().into_vmap().unwrap();
    assert_eq!(map.format_version(), 29);
    assert!(done.losses.iter().any(|loss| loss.text.contains("created again")), "{:?}", done.losses);
    let done = scaled("wmp/room-a4.wmp").unwrap();
    let map = AnyDocument::from_bytes(&done.files.main).unwrap().into_wmp().unwrap();
    assert_eq!(map.dialect, mapwright::wmp::Dialect::A4);
    let error = scaled("wwd/claw.wwd").unwrap_err();
    assert!(error.to_string().contains("scaled"), "{error}");
}

#[test]
fn edits_of_levels_change_records() {
    let (mut level, _) = read("wwd/claw.wwd");
    // A plane has no position.
    let error = refused(&mut level, "class=Soldier | name=Action", &["x=100"]);
    assert_eq!(error, "objects of the kind `plane` have no field `x`; select only objects that have it");
    assert_eq!(set(&mut level, "class=Soldier", &["x=100"]), Ok(1));
    assert_eq!(found(&level, "class=Soldier", "x"), ["100"]);
    let objects = found(&level, "kind=entity", "x");
    set(&mut level, "kind=object", &["x+=10"]).unwrap();
    let moved = objects.iter().map(|x| (x.parse::<f64>().unwrap() + 10.0).to_string());
    assert_eq!(found(&level, "kind=entity", "x"), moved.collect::<Vec<_>>());
    // Fields exist whatever their values.
    let all = found(&level, "kind=object", "logic");
    assert_eq!(found(&level, "score=0 or score!=0", "logic"), all);
    set(&mut level, "logic=ele* and score==0", &["speed_x=150"]).unwrap();
    assert_eq!(found(&level, "logic=Elevator", "speed_x"), ["150"]);
    level.edit(&"delete logic=Soldier".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!(found(&level, "kind=object", "logic").len(), all.len() - 1);
}

#[test]
fn numbers_stay_within_those_of_the_file() {
    let (mut terrain, _) = read("wrp/island.wrp");
    for far in ["y=1e39", "x+=1e308"] {
        let error = refused(&mut terrain, "*", &[far]);
        assert!(error.contains("expected a number"), "{error}");
    }
}

#[test]
fn positions_are_set_or_refused() {
    for name in
        ["vmap/room.vmap", "wmp/room.wmp", "wmp/room-a4.wmp", "wings/torus.wings", "wwd/claw.wwd", "wrp/island.wrp"]
    {
        for assignment in ["x+=10", "x+=1e38", "z=0.125", "y-=0.5"] {
            let (mut document, bytes) = read(name);
            let count = found(&document, "", "kind").len();
            match document.edit(&format!("set *: {assignment}").parse().unwrap(), &EditOptions::default()) {
                Ok(edited) => assert_eq!(edited.matched, Some(count), "{name} {assignment}"),
                Err(_) => assert!(document.to_bytes().unwrap() == bytes, "{name} {assignment}"),
            }
        }
    }
}

#[test]
fn text_that_looks_like_a_number_stays_text() {
    for name in ["vmap/room.vmap", "wmp/room.wmp", "wings/torus.wings"] {
        let query = match name.split_once('/') {
            Some(("wings", _)) => "kind=mesh",
            Some(("wmp", _)) => "kind=model",
            _ => "kind=entity & class!=worldspawn",
        };
        for word in ["nan", "inf", "007"] {
            let (mut document, _) = read(name);
            let losses = reports(&mut document, query, &[&format!("name={word}")]);
            assert!(!losses.iter().any(|loss| loss.contains("name is")), "{name} {word}: {losses:?}");
            let found = found(&document, query, "name");
            assert!(found.iter().any(|name| name == word), "{name} {word}: {found:?}");
        }
    }
}

#[test]
fn positions_are_applied_to_vertices() {
    let (mut model, _) = read("wings/lights.wings");
    assert_eq!(
        reports(&mut model, "name=cube", &["x+=1"]),
        ["approximated: nodes[0]: transform, applied to the vertices"]
    );
}

#[test]
fn lights_of_maps_are_set_by_keys() {
    let (mut map, _) = read("vmap/room.vmap");
    assert!(reports(&mut map, "kind=light", &["class=light_spot", "brightness=3"]).is_empty());
    assert_eq!(found(&map, "kind=light", "class"), ["light_spot"]);
    assert_eq!(
        (found(&map, "kind=light", "shape"), found(&map, "kind=light", "intensity")),
        (vec!["spot".into()], vec!["3".into()])
    );
    assert!(refused(&mut map, "kind=light", &["intensity=-1"]).contains("expected 0 or more"));
    assert!(refused(&mut map, "kind=light", &["brightness=abc"]).contains("expected a number"));
    assert!(refused(&mut map, "kind=light", &["brightness="]).contains("expected a number"));
    // The flags that hide a node do not exist while it is visible.
    refused(&mut map, "class=prop*", &["hiddenFlags=0"]);
}

#[test]
fn numbers_out_of_range_change_nothing() {
    let (mut level, _) = read("wwd/claw.wwd");
    for wrong in ["speed_x=99999999999", "x=2147483648", "x+=2147483647", "x=-2147483649", "speed_x=1.5"] {
        let error = refused(&mut level, "class=Elevator", &["z=5", wrong]);
        assert!(error.contains("expected a whole number from -2147483648 to 2147483647"), "{wrong}: {error}");
    }
    let (mut map, _) = read("wmp/room-wmpb.wmp");
    refused(&mut map, "kind=sound", &["range=4294967296"]);
    set(&mut map, "kind=sound", &["range=4294967295"]).unwrap();
    let (mut map, _) = read("vmap/room.vmap");
    refused(&mut map, "kind=light", &["x=3.4028236e38"]);
    reports(&mut map, "kind=light", &["x=3.4028235e38"]);
    let (mut model, _) = read("wings/lights.wings");
    refused(&mut model, "kind=light", &["x=1e300"]);
    refused(&mut model, "kind=light", &["intensity=1e300"]);
    // Its position would be 0 again.
    assert!(refused(&mut model, "name=cube", &["x=5"]).contains("expected += or -="));
    // A field exists also if it is 0.
    assert_eq!(set(&mut level, "class=Soldier", &["speed_x+=10"]), Ok(1));
    assert_eq!(found(&level, "class=Soldier", "speed_x"), ["10"]);
}

#[test]
fn numbers_become_zero_and_come_back() {
    for (name, query, field) in [
        ("wwd/claw.wwd", "class=Elevator", "speed_x"),
        ("wwd/claw.wwd", "class=Elevator", "x"),
        ("wmp/room.wmp", "kind=light", "range"),
        ("vmap/room.vmap", "kind=light", "x"),
    ] {
        let (mut document, bytes) = read(name);
        let before = found(&document, query, field);
        let keys = found(&document, query, "key");
        assert!(!before.is_empty(), "{name} {query}");
        for (key, value) in keys.iter().zip(&before) {
            let it = if key.is_empty() { query.to_owned() } else { format!("key='{key}'") };
            assert!(reports(&mut document, &it, &[&format!("{field}=0")]).is_empty(), "{name} {field}");
            assert!(["", "0"].contains(&&*found(&document, &it, field)[0]));
            assert!(reports(&mut document, &it, &[&format!("{field}={value}")]).is_empty(), "{name} {field}");
        }
        assert!(document.to_bytes().unwrap() == bytes, "{name} {field}");
    }
}

#[test]
fn fields_that_an_object_lacks_cannot_be_zero() {
    let (mut map, _) = read("vmap/room.vmap");
    let error = refused(&mut map, "kind=mesh", &["foo=0"]);
    assert!(error.contains("cannot set foo to \"0\""), "{error}");
    for wrong in ["color=300 0 0", "color=0,-1,0", "class="] {
        refused(&mut map, "kind=light", &[wrong]);
    }
    let (mut map, _) = read("wmp/room.wmp");
    let error = refused(&mut map, "kind=group", &["range=0"]);
    assert!(error.contains("have no field `range`"), "{error}");
}

#[test]
fn classes_of_other_kinds_are_refused() {
    let (mut map, _) = read("vmap/room.vmap");
    for field in ["class", "classname"] {
        let error = refused(&mut map, "kind=light", &[&format!("{field}=prop_static")]);
        assert!(error.contains("cannot set class to \"prop_static\""), "{error}");
    }
}

#[test]
fn an_aimed_light_keeps_its_direction() {
    let (mut model, _) = read("wings/lights.wings");
    let aim = |model: &AnyDocument| {
        let scene = model.to_scene().unwrap().scene;
        scene.lights.iter().map(|(_, light)| light.target.map_or(0.0, |[x, ..]| x)).collect::<Vec<_>>()
    };
    let before = aim(&model);
    let lines = reports(&mut model, "kind=light", &["x+=1"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("preserved: ")).count(), 3, "{lines:?}");
    let moved: Vec<f64> = before.iter().zip(aim(&model)).map(|(was, is)| is - was).collect();
    // An ambient light and a point have no direction.
    assert_eq!(moved, [0.0, 1.0, 0.0, 1.0, 1.0]);
}

#[test]
fn numbers_are_added_and_subtracted() {
    let (mut map, bytes) = read("wmp/room.wmp");
    set(&mut map, "kind=light", &["range+=16.5"]).unwrap();
    assert_ne!(map.to_bytes().unwrap(), bytes);
    set(&mut map, "kind=light", &["range-=16.5"]).unwrap();
    assert_eq!(map.to_bytes().unwrap(), bytes);
    let (mut model, _) = read("wings/lights.wings");
    let error = refused(&mut model, "kind=light", &["range+=16.5"]);
    assert_eq!(error, "`range`: `+=` needs an existing value");
}

#[test]
fn the_name_of_an_entity_is_its_targetname() {
    let (mut map, _) = read("vmap/room.vmap");
    let entity = "kind=entity & class!=worldspawn";
    reports(&mut map, entity, &["targetname=guard"]);
    let names = [found(&map, entity, "name"), found(&map, entity, "targetname")];
    assert!(!names[0].is_empty() && names[0] == names[1], "{names:?}");
    assert_eq!(reports(&mut map, entity, &["name=other"]), [""; 0]);
    let fields = ["name", "targetname"].map(|field| found(&map, entity, field));
    assert!(fields.iter().flatten().all(|name| name == "other"), "{fields:?}");
}

#[test]
fn names_in_unknown_encodings_are_set_by_their_bytes() {
    let (mut map, _) = read("wmp/room.wmp");
    let error = refused(&mut map, "kind=model", &["name=\u{fc}"]);
    assert!(error.contains("expected ASCII text, with other bytes as \\xHH"), "{error}");
    set(&mut map, "kind=model", &["name=\\xfc"]).unwrap();
    assert!(found(&map, "kind=model", "name").contains(&"\\xfc".to_owned()));
}

#[test]
fn exclusions_that_match_nothing_are_errors() {
    let (map, _) = read("wmp/room.wmp");
    let options = ConvertOptions::default().with_exclude(vec![Query::equal("name", "nobody")]);
    let error = convert(map.clone(), Format::Obj, &NoFiles, &options).unwrap_err();
    assert!(matches!(error, Error::Query(QueryError::NoMatch { .. })), "{error}");
    let options = ConvertOptions::default().with_exclude(vec!["knid=light".parse().unwrap()]);
    let error = convert(map.clone(), Format::Obj, &NoFiles, &options).unwrap_err();
    assert!(error.to_string().contains("did you mean `kind`?"), "{error}");
    let options = ConvertOptions::default().with_only(vec!["kind=lihgt".parse().unwrap()]);
    assert!(matches!(convert(map, Format::Obj, &NoFiles, &options), Err(Error::Query(QueryError::Value { .. }))));
}

#[test]
fn blocks_of_a_compiled_map_cannot_be_moved() {
    let (mut map, _) = read("wmp/room-711.wmp");
    refused(&mut map, "kind=brush", &["x+=16"]);
}

/// The fields of every object, as queries compare them. Lists are compared as a whole.
fn fields(document: &AnyDocument) -> Vec<Vec<(String, String)>> {
    let objects = document.clone().into_objects().unwrap();
    let mut all = Vec::new();
    objects.visit(&mut |object| {
        let schema = object.schema();
        let own =
            (0..schema.len()).filter_map(|index| Some((schema.field(index)?.name.to_owned(), object.get(index)?)));
        let free = object.free_keys().into_iter().filter(|key| schema.find(key).is_none());
        let free = free.filter_map(|key| Some((key.to_string(), object.get_free(&key)?)));
        let text = |value: &mapwright::query::Value<'_>| match value {
            mapwright::query::Value::Any(values) => values.first().map(ToString::to_string).unwrap_or_default(),
            value => value.to_string(),
        };
        let pairs = own.chain(free).map(|(field, value)| {
            let value = match &value {
                // Bytes in an unknown encoding are not text.
                mapwright::query::Value::Bytes(bytes) => Text::literal(bytes.to_vec()),
                value => Text::from(text(value).as_str()),
            };
            (format!("\"{field}\""), value.to_string())
        });
        all.push(pairs.collect());
    });
    all
}

#[test]
fn queries_and_edits_select_the_same_objects() {
    for (name, least) in [
        ("wwd/claw.wwd", 100),
        ("vmap/room.vmap", 20),
        ("wings/torus.wings", 5),
        ("wmp/room.wmp", 10),
        ("wmp/room-a4.wmp", 10),
        ("wrp/island.wrp", 0),
    ] {
        let (document, _) = read(name);
        let objects = document.clone().into_objects().unwrap();
        let query = |text: &str| {
            let query = text.parse().unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
            objects.select(&query).unwrap_or_else(|error| panic!("{name}: {text}: {error}"))
        };
        let edit = |text: &str| {
            let mut edited = document.clone();
            let edit: Edit = format!("set {text}: name=marked").parse().unwrap();
            match edited.edit(&edit, &EditOptions::default()) {
                Ok(report) => {
                    let marked = edited.into_objects().unwrap().select(&"name=marked".parse().unwrap()).unwrap();
                    assert_eq!(report.matched, Some(marked.len()), "{name}: {text}");
                    Some(marked)
                }
                Err(Error::Query(QueryError::NoMatch { query })) => panic!("{name}: nothing matches {query}"),
                // Not all objects have names that the format can store.
                Err(_) => None,
            }
        };
        let edited = laws::selection(&fields(&document), query, edit);
        assert!(edited >= least, "{name}: {edited} edits");
    }
}

#[test]
fn places_of_nodes_of_maps_are_set() {
    let (mut map, bytes) = read("vmap/room.vmap");
    let query = "class=light_omni2";
    let light = |map: &AnyDocument| {
        let map = map.as_vmap().unwrap();
        let node = map
            .nodes()
            .map(|visit| visit.node)
            .find(|node| node.entity().is_some_and(|entity| entity.classname() == b"light_omni2"));
        node.unwrap().transform()
    };
    let before = light(&map);
    assert_eq!(set(&mut map, query, &["angles=10,90,0"]).unwrap(), 1);
    assert_eq!(light(&map).angles, [10.0, 90.0, 0.0]);
    assert_eq!(light(&map).origin, before.origin);
    set(&mut map, query, &["yaw+=45", "scales=2,2,2", "origin=1,2,3", "z+=4"]).unwrap();
    let after = light(&map);
    assert_eq!((after.origin, after.scales), ([1.0, 2.0, 7.0], [2.0; 3]));
    assert!(after.angles.iter().zip([10.0, 135.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-4), "{:?}", after.angles);
    // The same fields are found.
    let query = "class=light_omni2 and origin='1 2 7' and yaw>134.9 and yaw<135.1 and pitch>9 and angles!='0 0 0' and scales='2 2 2'";
    assert_eq!(found(&map, query, "class"), ["light_omni2"]);
    assert_eq!(found(&map, "yaw=0 & kind=light", "class"), [""; 0]);
    assert!(set(&mut map, query, &["scales=0,1,1"]).is_err());
    assert!(set(&mut map, query, &["angles=up"]).is_err());
    assert!(map.to_bytes().unwrap() != bytes);
}

#[test]
fn the_world_stays_where_it_is() {
    let (map, _) = read("vmap/room.vmap");
    let mut map = map.into_vmap().unwrap();
    let keyed = map.edit(|map| {
        let world = map.map().world().unwrap().element().id();
        map.set_key(world, "skyname", "dusk")
    });
    keyed.unwrap();
    let mut map = AnyDocument::from(map);
    let error = refused(&mut map, "class=worldspawn", &["z+=8"]);
    assert!(error.contains("worldspawn cannot be moved: add `and class!=worldspawn`"), "{error}");
    // Other entities move without it.
    let before = found(&map, "kind=entity and class!=worldspawn", "z");
    let edited = edit(&mut map, "kind=entity", &["y+=8", "z+=8"], &EditOptions::default()).unwrap();
    let after = found(&map, "kind=entity and class!=worldspawn", "z");
    let number = |text: &String| text.parse::<f64>().unwrap();
    assert!(!before.is_empty());
    assert_eq!(
        after.iter().map(number).collect::<Vec<_>>(),
        before.iter().map(|z| number(z) + 8.0).collect::<Vec<_>>()
    );
    assert_eq!((edited.changed, edited.matched), (before.len(), Some(before.len() + 1)));
    let losses: Vec<String> = edited.losses.iter().map(ToString::to_string).collect();
    let of_world = |loss: &&String| loss.contains("worldspawn cannot be moved: it stays") || loss.contains("the world");
    assert_eq!(losses.iter().filter(of_world).count(), 1, "{losses:?}");
}

#[test]
fn texture_projections_move_with_their_mesh() {
    use mapwright::scene::{Content, Transform};
    let texels = |map: &AnyDocument| {
        let scene = map.clone().into_scene().unwrap().scene;
        let mut texels = Vec::new();
        for visit in scene.walk() {
            let Content::Mesh(id) = visit.node.content else { continue };
            let mesh = &scene.meshes[id];
            for (face, projection) in mesh.faces.iter().zip(&mesh.face_projections) {
                let world: Transform = visit.world;
                texels.extend(
                    face.iter().flat_map(|&vertex| projection.texel(world.point(mesh.positions[vertex as usize]))),
                );
            }
        }
        texels
    };
    let (mut map, _) = read("vmap/room.vmap");
    let before = texels(&map);
    assert!(!before.is_empty());
    for assignments in [&["x+=37", "z-=5"][..], &["yaw+=30"]] {
        let losses = reports(&mut map, "kind=mesh", assignments);
        assert!(losses.iter().all(|loss| loss.contains("rounded to single precision")), "{losses:?}");
        let now = texels(&map);
        assert!(before.iter().zip(&now).all(|(a, b)| (a - b).abs() < 1e-2), "{before:?}\n{now:?}");
    }
}
