//! Maps of 3D Gamestudio.

use std::path::{Path, PathBuf};

use crate::folder::Folder;

/// A folder with the project's own maps.
fn folder() -> Folder {
    let folder = Folder::new();
    let fixtures: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wmp");
    for name in ["room.wmp", "room-a4.wmp", "room-wmpb.wmp", "hand.wmp"] {
        folder.write(name, std::fs::read(fixtures.join(name)).unwrap());
    }
    folder
}

#[test]
fn maps_are_summarized_and_written_back() {
    let folder = folder();
    let info = folder.run(["info", "room-wmpb.wmp"]).ends(0);
    for part in ["dialect          wmpb", "faces            11", "1 × region", "1 × guard.mdl", "script room.wdl"] {
        assert!(info.out.contains(part), "{part}: {info:?}");
    }
    let json = folder.run(["info", "--json", "room.wmp"]).ends(0).object();
    assert_eq!((&json["wmp"]["dialect"], &json["wmp"]["blocks"]), (&"710".into(), &2.into()));
    folder.run(["roundtrip", "room.wmp", "room-a4.wmp", "room-wmpb.wmp", "hand.wmp"]).ends(0);
    folder.run(["check", "room.wmp"]).ends(0);
}

#[test]
fn dialects_become_each_other() {
    let folder = folder();
    folder.run(["convert", "--dialect", "710", "room-wmpb.wmp", "text.wmp"]).ends(0);
    assert!(folder.read("text.wmp").starts_with(b"// WMP2"));
    folder.run(["convert", "room.wmp", "room.$$M"]).ends(0);
    assert!(String::from_utf8(folder.read("room.$$M")).unwrap().contains("version 711"));
    folder.run(["convert", "--dialect", "wmpb", "room-a4.wmp", "binary.wmp"]).ends(0);
    assert!(folder.read("binary.wmp").starts_with(b"WMPB"));
    let wrong = folder.run(["convert", "--dialect", "711", "room.wmp", "room.glb"]).ends(2);
    assert!(wrong.talk.contains("--dialect applies to Gamestudio maps"), "{wrong:?}");
    folder.run(["convert", "--dialect", "720", "room.wmp", "a.wmp"]).ends(2);
    let dialect = folder.run(["convert", "--to", "$$M", "room.wmp", "-o", "-"]).ends(2);
    assert!(dialect.talk.contains("--to wmp --dialect 711"), "{dialect:?}");
}

#[test]
fn a_map_is_converted_instead_of_the_backups_of_its_editor() {
    let folder = folder();
    let map = folder.read("room.wmp");
    std::fs::create_dir(folder.at("maps")).unwrap();
    for name in ["maps/room.$$M", "maps/room.bak", "maps/room.wmp"] {
        folder.write(name, &map);
    }
    let done = folder.run(["convert", "maps", "-d", "out", "--to", "glb"]).ends(0);
    for name in ["out/room.wmp.glb", "out/room.bak.glb", "out/room.$$M.glb"] {
        assert!(folder.at(name).exists(), "{name}: {}", done.talk);
    }
    folder.run(["render", "--fit", "64", "maps", "-d", "pictures"]).ends(0);
    for name in ["room.$$M.png", "room.bak.png", "room.wmp.png"] {
        assert!(folder.at("pictures").join(name).exists(), "{name}");
    }
}

#[test]
fn a_map_becomes_other_formats_and_comes_from_them() {
    let folder = folder();
    for target in ["room.glb", "room.obj", "room.vmap", "room.wings"] {
        folder.run(["convert", "room-wmpb.wmp", target]).ends(0);
    }
    // Without its invisible face, a block is no closed body.
    folder.run(["convert", "room-wmpb.wmp", "closed.glb", "--keep-hidden-faces"]).ends(0);
    for (glb, blocks) in [("room.glb", 1), ("closed.glb", 2)] {
        let map = glb.replace(".glb", "-again.wmp");
        let done = folder.run(["convert", glb, "-o", &map, "-v"]).ends(0);
        assert_eq!(done.talk.contains("not a closed convex body"), blocks == 1, "{done:?}");
        let json = folder.run(["info", "--json", &map]).ends(0).object();
        assert_eq!((&json["wmp"]["dialect"], &json["wmp"]["blocks"]), (&"710".into(), &blocks.into()));
    }
}

#[test]
fn dump_and_build_give_the_file_again() {
    let folder = folder();
    for name in ["room.wmp", "room-a4.wmp", "room-wmpb.wmp", "hand.wmp"] {
        let dump = folder.run(["dump", name]).ends(0);
        folder.write("map.json", &dump.bytes);
        folder.run(["build", "map.json", "-o", "again.wmp", "--force"]).ends(0);
        assert!(folder.read("again.wmp") == folder.read(name), "{name}");
    }
}

#[test]
fn edits_change_only_what_they_must_and_are_found_by_diff() {
    let folder = folder();
    let edits = ["rename texture wall brick", "set kind=model and #1: ambient=20"];
    folder.run(["edit", "hand.wmp", "-o", "new.wmp", edits[0], edits[1]]).ends(0);
    let [old, new] = ["hand.wmp", "new.wmp"].map(|name| String::from_utf8(folder.read(name)).unwrap());
    let expected = old.replace(": wall (", ": brick (").replace("\n0\n50\nndef", "\n20\n50\nndef");
    assert_eq!(new, expected);
    let diff = folder.run(["diff", "hand.wmp", "new.wmp"]).ends(9);
    assert!(diff.out.contains("brick") && diff.out.contains("ambient"), "{diff:?}");
    let json = folder.run(["diff", "--json", "hand.wmp", "new.wmp"]).ends(9).object();
    assert_eq!(json["map"]["entities"]["changed"][0]["fields"][0]["new"], "20");
    folder.run(["diff", "room.wmp", "room.wmp"]).ends(0);
    let merged = folder.run(["edit", "room.wmp", "-o", "both.wmp", "merge hand.wmp hut 0,0,64"]).ends(0);
    let wrong = folder.run(["edit", "--force", "room.wmp", "-o", "hand.wmp", "merge hand.wmp"]).ends(2);
    assert!(wrong.talk.contains("hand.wmp is an input"), "{wrong:?}");
    assert!(merged.out.contains("merge"), "{merged:?}");
    let json = folder.run(["info", "--json", "both.wmp"]).ends(0).object();
    assert_eq!(json["wmp"]["blocks"], 3);
    folder.run(["edit", "room.wmp", "-o", "no.wmp", "delete name=nobody"]).ends(2);
}

/// A model: MDL5 with a skin of one pixel, three vertices, one triangle and one frame.
fn mdl5() -> Vec<u8> {
    let le = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let scale: Vec<u8> = [1.0_f32; 3].iter().flat_map(|number| number.to_le_bytes()).collect();
    let header = [scale, vec![0; 28], le(&[1, 0, 0, 3, 1, 1, 3, 0, 0])].concat();
    let skin = [&le(&[2, 1, 1])[..], &[0x1f, 0xf8]].concat();
    let triangle = [&[0; 12][..], &[0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0]].concat();
    let vertices = [[0; 8], [8, 0, 0, 0, 0, 0, 0, 0], [0, 0, 8, 0, 0, 0, 0, 0]].concat();
    [&b"MDL5"[..], &le(&[0]), &header, &skin, &triangle, &le(&[2]), &[0; 32], &vertices].concat()
}

#[test]
fn models_come_with_their_map() {
    let folder = folder();
    let losses = |done: &serde_json::Value| done["losses"].as_array().unwrap().clone();
    let is_guard = |loss: &serde_json::Value| loss["text"].as_str().unwrap().contains("guard.mdl");
    let json = folder.run(["convert", "--json", "room.wmp", "bare.glb"]).ends(0).object();
    let lost = losses(&json).into_iter().find(is_guard).unwrap();
    assert_eq!(
        (&lost["kind"], &lost["text"]),
        (&"dropped".into(), &"model \"guard.mdl\": no such file; uses: 1".into())
    );
    let done = folder.run(["render", "--fit", "64", "room.wmp", "-o", "bare.png"]).ends(0);
    assert!(done.talk.contains("2 models missing, drawn as boxes"), "{done:?}");

    std::fs::create_dir(folder.at("art")).unwrap();
    folder.write("art/GUARD.MDL", mdl5());
    let json = folder.run(["convert", "--json", "room.wmp", "room.glb"]).ends(0).object();
    assert!(!losses(&json).iter().any(is_guard), "{json}");
    let glb = folder.read("room.glb");
    let start = b"\"resolved_from\":\"guard.mdl\"";
    assert!(glb.windows(start.len()).any(|part| part == start));
    let done = folder.run(["render", "--fit", "64", "room.wmp", "-o", "room.png"]).ends(0);
    assert!(done.talk.contains("1 model missing, drawn as a box"), "{done:?}");
    // The map refers to the model, so going back adds nothing to it.
    folder.run(["convert", "room.glb", "back.wmp"]).ends(0);
    folder.run(["convert", "bare.glb", "bare.wmp"]).ends(0);
    let summary = |name: &str| folder.run(["info", "--json", name]).ends(0).object()["wmp"].clone();
    for key in ["blocks", "faces", "entities", "textures"] {
        assert_eq!(summary("back.wmp")[key], summary("bare.wmp")[key], "{key}");
    }

    let json = folder.run(["info", "--json", "--content", "art", "room.wmp"]).ends(0).object();
    let references = json["references"].as_array().unwrap();
    let guard = references.iter().find(|it| it["path"] == "guard.mdl").unwrap();
    assert_eq!((&guard["kind"], &guard["file"]), (&"model".into(), &"GUARD.MDL".into()));
    let info = folder.run(["info", "--content", "art", "room.wmp"]).ends(0);
    assert!(info.out.contains("1 × model guard.mdl: GUARD.MDL"), "{info:?}");
}

#[test]
fn files_that_are_not_looked_for_are_one_loss() {
    let folder = folder();
    for options in [["--external", "none"], ["--limits", "service"]] {
        let run = |args: &[&str]| folder.run([&options[..], args].concat()).ends(0);
        let json = run(&["convert", "--json", "--force", "room.wmp", "none.glb"]).object();
        let first = &json["losses"][0];
        let text = first["text"].as_str().unwrap();
        assert_eq!((&first["kind"], &first["path"]), (&"dropped".into(), &"content".into()), "{json}");
        assert!(text.ends_with("files that the level refers to: files outside the document are not read"), "{text}");
        assert!(!json["losses"].to_string().contains("no such file"), "{json}");
        let done = run(&["convert", "--force", "room.wmp", "none.glb"]);
        assert!(done.talk.contains(&format!("such as content: {text}")), "{done:?}");
        assert!(done.talk.contains("help: --external beside reads files"), "{done:?}");
        let done = run(&["render", "--fit", "64", "--force", "room.wmp", "-o", "none.png"]);
        assert!(done.talk.contains(text) && done.talk.contains("--external beside reads files"), "{done:?}");
        // An empty folder of content is searched, so each file is missing.
        let json = run(&["convert", "--json", "--force", "room.wmp", "none.glb", "--content", "."]).object();
        assert!(json["losses"].to_string().contains("no such file"), "{json}");
    }
}

#[test]
fn files_of_the_level_are_never_overwritten() {
    let folder = folder();
    let model = mdl5();
    for name in ["art/guard.mdl", "other/guard.mdl"] {
        std::fs::create_dir(folder.at(name).parent().unwrap()).unwrap();
        folder.write(name, &model);
    }
    let commands: [&[&str]; 7] = [
        &["convert", "room.wmp", "--to", "glb", "-o", "art/guard.mdl"],
        &["convert", "room.wmp", "--to", "obj", "-o", "./art/../art/guard.mdl"],
        &["convert", "room.wmp", "--to", "glb", "--dry-run", "-o", "art/guard.mdl"],
        &["convert", "room.wmp", "-o", "new.glb", "--report", "art/guard.mdl"],
        &["render", "--fit", "64", "room.wmp", "-o", "art/guard.png"],
        &["render", "--fit", "64", "room.wmp", "--sheet", "art/guard.png"],
        &["render", "--fit", "64", "room.wmp", "--html", "-o", "art/guard.html"],
    ];
    // Images and pages need their extension, so their output is a link to the model.
    #[cfg(unix)]
    for name in ["art/guard.png", "art/guard.html"] {
        std::os::unix::fs::symlink("guard.mdl", folder.at(name)).unwrap();
    }
    for command in commands {
        if cfg!(not(unix)) && command[0] == "render" {
            continue;
        }
        let done = folder.run([command, &["--force"]].concat()).ends(2);
        assert!(done.talk.contains("would be overwritten"), "{command:?}: {done:?}");
        assert_eq!(folder.read("art/guard.mdl"), model, "{command:?}");
    }
    // The same file name in another folder is free, and so is a file that no input refers to.
    folder.write("free.glb", "old");
    folder.run(["convert", "room.wmp", "--force", "-o", "free.glb"]).ends(0);
    // A copy in the folder of the game is the file itself.
    folder.run(["info", "room.wmp", "--content", "art", "--copy-to", "art", "--force"]).ends(0);
    assert_eq!(folder.read("art/guard.mdl"), model);
}

#[test]
fn the_script_and_the_palette_of_a_level_are_copied() {
    let folder = folder();
    let missing = folder.run(["check", "--content", ".", "room.wmp"]).ends(0);
    assert!(missing.out.contains("warning[file-missing]") && missing.out.contains("room.wdl"), "{missing:?}");
    assert!(!missing.out.contains("palette.pcx"), "{missing:?}");
    for name in ["ROOM.WDL", "palette.pcx"] {
        folder.write(name, name);
    }
    folder.run(["info", "room.wmp", "--copy-to", "copies"]).ends(0);
    for name in ["ROOM.WDL", "palette.pcx"] {
        assert_eq!(folder.read(format!("copies/{name}")), name.as_bytes());
        let done = folder.run(["convert", "--force", "room.wmp", "--to", "glb", "-o", name]).ends(2);
        assert!(done.talk.contains("would be overwritten"), "{done:?}");
    }
}

#[test]
fn files_of_later_inputs_are_never_overwritten() {
    let folder = folder();
    std::fs::create_dir(folder.at("maps")).unwrap();
    folder.write("maps/guard.wmp", folder.read("hand.wmp"));
    let room = String::from_utf8(folder.read("room.wmp")).unwrap();
    assert!(room.contains("guard.mdl"));
    folder.write("maps/room.wmp", room.replace("guard.mdl", "guard.glb"));
    folder.run(["convert", "maps/guard.wmp", "-o", "maps/guard.glb"]).ends(0);
    let before = folder.read("maps/guard.glb");
    let inputs = ["convert", "maps/guard.wmp", "maps/room.wmp"];
    let convert = inputs.into_iter().chain(["-d", "maps", "--to", "glb", "--scale", "2", "--force"]);
    let done = folder.run(convert).ends(8);
    assert!(done.talk.contains("would be overwritten"), "{done:?}");
    assert_eq!(folder.read("maps/guard.glb"), before);
}
