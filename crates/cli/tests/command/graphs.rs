//! Source 2 maps and other DMX files.

use crate::folder::Folder;

#[test]
fn info_describes_graphs_and_maps() {
    let folder = Folder::with_map();
    let text = folder.run(["map.vmap"]).ends(0).out;
    for part in [
        "map.vmap: Source 2 Hammer map, ",
        "encoding         \"binary 9\"",
        "format version   40",
        "profile          valve",
        "editor build     10430",
        "totals           2 nodes, 1 entity, 1 output",
        "thumbnail        format jpg, 3 bytes",
        "1 × light_omni2",
        "models/lamp.vmdl  models     1",
        "right-handed, Z up, inches; 1 unit is 0.0254 m",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.run(["--json", "map.vmap"]).ends(0).object();
    assert_eq!((&json["format"], &json["metres_per_unit"]), (&"vmap".into(), &0.0254.into()));
    assert_eq!((&json["dmx"]["encoding"], &json["dmx"]["profile"]), (&"binary 9".into(), &"valve".into()));
    assert_eq!(json["vmap"]["entities"], serde_json::json!([{"name": "light_omni2", "count": 1}]));
    assert_eq!(json["vmap"]["totals"]["outputs"], 1);
    let json = folder.run(["--json", "map.txt"]).ends(0).object();
    assert_eq!((&json["format"], &json["dmx"]["encoding"]), (&"vmap".into(), &"keyvalues2 4".into()));
}

#[test]
fn text_and_binary_become_each_other() {
    let folder = Folder::with_map();
    folder.run(["convert", "--strict", "map.vmap", "again.txt"]).ends(0);
    folder.same("again.txt", "map.txt");
    folder.run(["convert", "--strict", "again.txt", "again.vmap"]).ends(0);
    folder.same("again.vmap", "map.vmap");
    folder.run(["convert", "--strict", "map.vmap", "same.vmap"]).ends(0);
    folder.same("same.vmap", "map.vmap");
    let done = folder.run(["convert", "--json", "map.vmap", "--to", "kv2", "--dry-run"]).ends(0).object();
    // The copy of the prefix counts as one.
    assert_eq!((&done["to"], &done["source"]["elements"]), (&"kv2".into(), &6.into()));
    std::fs::create_dir(folder.at("maps")).unwrap();
    std::fs::rename(folder.at("same.vmap"), folder.at("maps/same.vmap")).unwrap();
    folder.write("maps/other.dmx", "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n\"DmElement\" { }\n");
    folder.run(["convert", "maps", "-d", "texts", "--to", "kv2"]).ends(0);
    folder.same("texts/same.kv2", "map.txt");
    assert!(folder.read("texts/other.kv2").starts_with(b"<!-- dmx encoding keyvalues2 1 "));
    // Other graphs are no maps, and no files for that.
    let done = folder.run(["convert", "maps", "-d", "maps2", "--to", "vmap"]).ends(0);
    assert!(done.talk.ends_with("1 ok, 1 skipped (not supported by this command)\n"), "{}", done.talk);
}

#[test]
fn hammers_text_style_reports_lost_digits() {
    let folder = Folder::with_map();
    let hammer = ["convert", "--text-style", "hammer", "--line-end", "crlf", "map.vmap", "hammer.txt"];
    let done = folder.run(hammer).ends(0);
    assert!(done.talk.contains("approximated  1, such as elements: floats that this text rounds: 1"), "{}", done.talk);
    let text = String::from_utf8(folder.read("hammer.txt")).unwrap();
    assert!(text.contains("\"gridspacing\" \"float\" \"0\"\r\n"), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    folder.run(["convert", "--strict", "--text-style", "hammer", "map.vmap", "none.txt"]).ends(3);
    // Text keeps its formatting by default.
    folder.run(["convert", "hammer.txt", "kept.txt"]).ends(0);
    folder.same("kept.txt", "hammer.txt");
    folder.run(["convert", "map.txt", "--line-end", "crlf", "crlf.txt"]).ends(0);
    let [crlf, lf] = ["crlf.txt", "map.txt"].map(|name| String::from_utf8(folder.read(name)).unwrap());
    assert_eq!(crlf.replace("\r\n", "\n"), lf);
    assert_eq!(crlf.matches('\n').count(), crlf.matches("\r\n").count());
}

#[test]
fn dump_prints_text_or_json_or_an_image() {
    let folder = Folder::with_map();
    let text = String::from_utf8(folder.read("map.txt")).unwrap();
    assert_eq!(folder.run(["dump", "map.vmap"]).ends(0).out, text);
    assert_eq!(folder.run(["dump", "map.txt"]).ends(0).out, text);
    let json = folder.run(["dump", "--json", "map.vmap"]).ends(0).object();
    assert_eq!((&json["schema"], &json["graph"]["format"]), (&"mapwright.dump/1".into(), &"vmap".into()));
    let elements = json["graph"]["elements"].as_array().unwrap();
    let entity = elements.iter().find(|element| element["class"] == "CMapEntity").unwrap();
    let origin = serde_json::json!({"name": "origin", "type": "vector3", "value": [1.0, 2.0, 3.0]});
    assert_eq!(entity["attributes"][0], origin);
    assert_eq!(folder.run(["dump", "--thumbnail", "map.vmap"]).ends(0).bytes, b"\xff\xd8\xff");
    folder
        .write("other.dmx", "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n\"DmElement\" { \"a\" \"int\" \"1\" }\n");
    assert!(
        folder.run(["dump", "--thumbnail", "other.dmx"]).ends(7).talk.contains("the map contains no preview image")
    );
    folder.run(["dump", "--thumbnail", "--json", "map.vmap"]).ends(2);
}

#[test]
fn other_graphs_are_kept_but_no_scenes() {
    let folder = Folder::new();
    let text = "<!-- dmx encoding keyvalues2 1 format dmx 1 -->\n\"DmElement\"\n{\n\t\"name\" \"string\" \"\"\n\t\"a\" \"int\" \"1\"\n}\n\n";
    folder.write("a.dmx", text);
    let done = folder.run(["convert", "a.dmx", "b.dmx"]).ends(0);
    assert!(
        done.talk.contains("synthesized   1, such as elements: ids of elements, computed from their index: 1"),
        "{}",
        done.talk
    );
    // Programs of its time read no newer one.
    assert!(folder.read("b.dmx").starts_with(b"<!-- dmx encoding binary 5 format dmx 1 -->\n\0"));
    folder.run(["roundtrip", "a.dmx", "b.dmx"]).ends(0);
    assert!(folder.run(["info", "b.dmx"]).ends(0).out.contains("1 × DmElement"));
    let done = folder.run(["convert", "b.dmx", "b.glb"]).ends(7);
    assert!(done.talk.contains("cannot convert dmx to glb"), "{}", done.talk);
    folder.run(["convert", "b.dmx", "b.vmap"]).ends(7);
    let done = folder.run(["info", "--from", "kv2", "a.dmx"]).ends(7);
    assert!(done.talk.contains("name the format vmap or dmx instead"), "{}", done.talk);
    folder.write("notes.txt", "nothing");
    folder.run(["info", "notes.txt"]).ends(5);
}

#[test]
fn files_that_are_not_maps_are_refused_with_the_reason() {
    let folder = Folder::with_map();
    folder.write("lfs.vmap", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    let done = folder.run(["info", "lfs.vmap"]).ends(7);
    assert!(done.talk.contains("a Git LFS pointer") && done.talk.contains("help: fetch the file itself: git lfs pull"));
    folder.write("json.vtex", "{\"Sequences\": []}");
    let done = folder.run(["info", "json.vtex"]).ends(4);
    assert!(done.talk.contains("not a DMX file: expected <!-- dmx, found \"{"), "{}", done.talk);
    folder.write("old.dmx", "<!-- dmx encoding keyvalues 1 format dmx 1 -->\n");
    folder.run(["info", "old.dmx"]).ends(7);
    let whole = folder.read("map.vmap");
    folder.write("cut.vmap", &whole[..whole.len() - 1]);
    let done = folder.run(["check", "cut.vmap"]).ends(4);
    assert!(done.talk.contains("error[truncated]") && done.talk.contains(" in elements["), "{}", done.talk);
    let damaged: Vec<u8> =
        whole.iter().flat_map(|&byte| if byte < 128 { vec![byte] } else { "\u{FFFD}".into() }).collect();
    folder.write("damaged.vmap", damaged);
    assert!(folder.run(["check", "damaged.vmap"]).ends(4).talk.contains("treated it as text"));
}

#[test]
fn an_error_in_text_shows_its_line() {
    let folder = Folder::new();
    folder.write(
        "bad.txt",
        "<!-- dmx encoding keyvalues2 4 format vmap 40 -->\n\"CMapRootElement\"\n{\n\t\"a\" \"int\" \"x\"\n}\n",
    );
    let done = folder.run(["check", "bad.txt"]).ends(4);
    assert!(done.talk.contains("--> bad.txt at line 4, column 12 in elements[0].a\n"), "{}", done.talk);
    assert!(done.talk.contains("   | 4   \"a\" \"int\" \"x\"\n   |               ^\n"), "{}", done.talk);
    let json = folder.run(["check", "--json", "bad.txt"]).ends(4).object();
    assert_eq!((&json["line"], &json["column"]), (&4.into(), &12.into()));
}

#[test]
fn check_and_roundtrip_accept_graphs() {
    let folder = Folder::with_map();
    let done = folder.run(["check", "map.vmap", "map.txt"]).ends(0);
    assert!(done.out.contains("map.vmap: "), "{done:?}");
    let done = folder.run(["roundtrip", "map.vmap"]).ends(0);
    assert!(done.out.starts_with("map.vmap: byte for byte, vmap, "), "{done:?}");
}

#[test]
fn models_become_maps_and_maps_models() {
    let folder = Folder::with_cube();
    for source in ["cube.obj", "cube.wings"] {
        let done = folder.run(["convert", "-f", source, "cube.vmap"]).ends(0);
        assert!(done.talk.contains("Y up to Z up, scale 1"), "{}", done.talk);
        let json = folder.run(["info", "--json", "cube.vmap"]).ends(0).object();
        let totals = &json["vmap"]["totals"];
        assert_eq!((&totals["meshes"], &totals["faces"], &totals["vertices"]), (&1.into(), &6.into(), &8.into()));
        assert_eq!(totals["bounds"], serde_json::json!([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]));
        folder.run(["check", "-q", "cube.vmap"]).ends(0);
    }
    folder.run(["convert", "cube.obj", "cube.kv2", "--scale", "16"]).ends(0);
    assert!(folder.read("cube.kv2").starts_with(b"<!-- dmx encoding keyvalues2 4 format vmap "));
    for target in ["again.glb", "again.gltf", "again.obj", "again.wings"] {
        let done = folder.run(["convert", "cube.vmap", target]).ends(0);
        assert!(done.talk.contains("Z up to Y up, scale 1"), "{}", done.talk);
        let json = folder.run(["info", "--json", target]).ends(0).object();
        let totals = if target.ends_with("wings") { &json["wings"]["totals"] } else { &json["scene"]["totals"] };
        assert_eq!((&totals["vertices"], &totals["faces"]), (&8.into(), &6.into()), "{target}");
    }
    let done = folder.run(["convert", "-f", "--json", "cube.vmap", "again.glb"]).ends(0).object();
    assert_eq!((&done["source_up"], &done["target_up"]), (&"z".into(), &"y".into()));
    folder.run(["convert", "-f", "--target-up", "y", "cube.obj", "cube.vmap"]).ends(7);
    folder.run(["convert", "-f", "--target-up", "z", "cube.obj", "cube.vmap"]).ends(0);
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let folder = Folder::with_map();
    for (option, value, target) in [
        ("--text-style", "hammer", "a.vmap"),
        ("--line-end", "lf", "a.vmap"),
        ("--line-end", "crlf", "a.glb"),
        ("--map-format", "29", "a.glb"),
    ] {
        let done = folder.run(["convert", option, value, "map.vmap", target]).ends(2);
        assert!(done.talk.contains(&format!("{option} applies to ")), "{}", done.talk);
        assert!(!folder.at(target).exists());
    }
    for version in ["17", "41", "x"] {
        let done = folder.run(["convert", "--map-format", version, "map.vmap", "a.vmap"]).ends(2);
        assert!(done.talk.contains("for --map-format: expected "), "{}", done.talk);
    }
}

#[test]
fn new_maps_have_the_format_that_is_asked_for() {
    let folder = Folder::with_cube();
    for version in ["18", "29", "40"] {
        folder.run(["convert", "-f", "--map-format", version, "cube.obj", "cube.vmap"]).ends(0);
        folder.run(["check", "-q", "cube.vmap"]).ends(0);
        let json = folder.run(["info", "--json", "cube.vmap"]).ends(0).object();
        assert_eq!(json["vmap"]["format_version"].to_string(), version);
    }
}

#[test]
fn findings_of_one_kind_are_one_entry() {
    let folder = Folder::with_map();
    let far: Vec<String> = (1..=5).map(|n| format!("\"element\" \"5eed0000-0000-4000-8000-00000000000{n}\"")).collect();
    let text = format!(
        "<!-- dmx encoding keyvalues2 4 format dmx 1 -->\n\"A\"\n{{\n\t\"id\" \"elementid\" \"5eed0000-0000-4000-8000-00000000000a\"\n\t\"x\" \
         \"element_array\"\n\t[\n\t\t{}\n\t]\n}}\n",
        far.join(",\n\t\t")
    );
    folder.write("far.dmx", text.as_bytes());
    let done = folder.run(["check", "far.dmx"]).ends(0);
    assert!(done.out.contains("(5 findings of this kind)") && done.out.contains("… and 2 more (--all)"), "{done:?}");
    assert_eq!((done.out.matches("note[external]").count(), done.out.matches("--> elements[0].x[").count()), (1, 3));
    let done = folder.run(["check", "--all", "far.dmx"]).ends(0);
    assert_eq!((done.out.matches("note[external]").count(), done.out.matches("--> elements[0].x[").count()), (5, 5));
    // JSON has the same entries.
    let json = folder.run(["check", "--json", "far.dmx"]).ends(0).object();
    let of_kind = |json: &serde_json::Value| {
        let findings = json["findings"].as_array().unwrap().iter();
        findings.filter(|one| one["code"] == "external").cloned().collect::<Vec<_>>()
    };
    let grouped = of_kind(&json);
    assert_eq!((grouped.len(), &grouped[0]["count"]), (1, &5.into()), "{json}");
    let paths: Vec<_> = grouped[0]["places"].as_array().unwrap().iter().map(|place| place["path"].clone()).collect();
    assert_eq!(paths, ["elements[0].x[0]", "elements[0].x[1]", "elements[0].x[2]"]);
    assert_eq!(grouped[0]["path"], paths[0]);
    let each = of_kind(&folder.run(["check", "--json", "--all", "far.dmx"]).ends(0).object());
    assert_eq!(each.len(), 5);
    assert!(each.iter().all(|one| one["count"] == 1 && one.get("places").is_none()), "{each:?}");
}

#[test]
fn prefabs_beside_a_map_are_searched_for_the_targets_of_outputs() {
    use mapwright::vmap::{Document, Output, WriteError};
    let map = |name: &str, target: &str, prefab: Option<&str>| {
        let mut map = Document::new();
        map.edit(|map| {
            let world = map.world()?;
            let start = map.add_entity(world, "info_player_start")?;
            map.set_key(start, "targetname", name)?;
            map.add_output(start, &Output::new("OnUser1", target, "Open"))?;
            prefab.map(|path| map.add_prefab(world, path)).transpose()?;
            Ok::<(), WriteError>(())
        })
        .unwrap();
        map.to_bytes().unwrap()
    };
    let folder = Folder::new();
    std::fs::create_dir_all(folder.at("maps/prefabs")).unwrap();
    folder.write("maps/level.vmap", map("start", "door", Some("maps/prefabs/p.vmap")));
    let findings = || folder.run(["check", "--all", "maps/level.vmap"]).ends(0).out;
    assert!(
        findings().contains("note[output-target]") && findings().contains("1 prefab was not read"),
        "{}",
        findings()
    );
    folder.write("maps/prefabs/p.vmap", map("door", "door", None));
    assert!(!findings().contains("output-target"), "{}", findings());
    folder.write("maps/prefabs/p.vmap", map("gate", "gate", None));
    assert!(findings().contains("warning[output-target]"), "{}", findings());
}
