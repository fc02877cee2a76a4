//! Levels of Claw and Gruntz.

use crate::folder::Folder;

/// A folder with the levels of these names.
fn with(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        let path = mapwright_testkit::workspace().join("fixtures/wwd").join(name);
        folder.write(name, std::fs::read(&path).unwrap());
    }
    folder
}

/// Every level that the project made.
const ALL: [&str; 8] =
    ["claw.wwd", "gruntz.wwd", "masks.wwd", "moved.wwd", "odd.wwd", "plain.wwd", "trailing.wwd", "wapmap.wwd"];

#[test]
fn levels_come_back() {
    let folder = with(&ALL);
    folder.run(["roundtrip", "."]).ends(0);
}

#[test]
fn dump_and_build_give_the_file_again() {
    let folder = with(&ALL);
    std::fs::create_dir(folder.at("dumps")).unwrap();
    for name in ALL {
        let dump = folder.run(["dump", name]).ends(0);
        assert!(dump.out.lines().count() > 10, "{name}");
        folder.write(format!("dumps/{name}.json"), dump.bytes);
        let line = folder.run(["dump", "--json", name]).ends(0);
        assert_eq!((line.out.lines().count(), &line.object()["schema"]), (1, &"mapwright.dump/1".into()));
        let built = folder.pipe(&line.bytes, ["build", "-", "-o", "-"]).ends(0);
        assert!(built.bytes == folder.read(name), "{name}");
    }
    folder.run(["build", "dumps", "-d", "built"]).ends(0);
    for name in ALL {
        assert!(folder.read(format!("built/{name}.wwd")) == folder.read(name), "{name}");
    }
    let again = folder.run(["build", "dumps", "-d", "built"]).ends(8);
    assert!(again.talk.contains("--force replaces it"), "{again:?}");
}

#[test]
fn an_edited_dump_makes_an_edited_level() {
    let folder = with(&["claw.wwd"]);
    let dump = folder.run(["dump", "claw.wwd"]).ends(0).out;
    folder.write("claw.json", dump.replace("\"movement_x\":50", "\"movement_x\":60"));
    let report = folder.run(["build", "--json", "claw.json", "-o", "new.wwd"]).ends(0).object();
    assert_eq!((&report["schema"], &report["output"]), (&"mapwright.build/1".into(), &"new.wwd".into()));
    folder.run(["roundtrip", "new.wwd"]).ends(0);
    let checked = folder.run(["check", "--json", "new.wwd"]).ends(0).object();
    assert!(!checked["findings"].as_array().unwrap().iter().any(|one| one["code"] == "checksum"), "{checked}");
    folder.write("bad.json", dump.replace("\"movement_x\"", "\"movment_x\""));
    let bad = folder.run(["build", "bad.json", "-o", "bad.wwd"]).ends(4);
    assert!(bad.talk.contains("there is no field movment_x"), "{bad:?}");
    folder.write("torn.json", &dump[..100]);
    let torn = folder.run(["build", "torn.json", "-o", "bad.wwd"]).ends(4);
    assert!(torn.talk.contains(" at line "), "{torn:?}");
    folder.run(["build", "claw.json"]).ends(2);
}

#[test]
fn a_larger_header_is_read_on_request() {
    let folder = with(&["claw.wwd"]);
    let mut bytes = folder.read("claw.wwd");
    bytes[..4].copy_from_slice(&44474_u32.to_le_bytes());
    folder.write("odd.wwd", bytes);
    let refused = folder.run(["info", "odd.wwd"]).ends(4);
    assert!(refused.talk.contains("help: --any-header-size reads it as if the size was 1524"), "{refused:?}");
    folder.run(["roundtrip", "--any-header-size", "odd.wwd"]).ends(0);
}

#[test]
fn info_tells_who_wrote_a_level_and_what_is_in_it() {
    let folder = with(&["claw.wwd", "wapmap.wwd"]);
    let text = folder.run(["claw.wwd"]).ends(0).out;
    for part in ["WAP32 level", "written by  WapWorld or GLE", "Claw, level 1", "planes (3)", "logics (", "properties "]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.run(["info", "--json", "claw.wwd"]).ends(0).object();
    let level = &json["wwd"];
    assert_eq!((&level["game"], &level["level_number"]), (&"Claw".into(), &1.into()));
    assert_eq!(level["provenance"]["checksums"][0], "WapWorld and GLE");
    assert_eq!(level["planes"].as_array().unwrap().len(), 3);
    let objects: u64 = level["planes"].as_array().unwrap().iter().map(|plane| plane["objects"].as_u64().unwrap()).sum();
    assert_eq!(level["objects"], objects);
    let counted: u64 = level["logics"].as_array().unwrap().iter().map(|logic| logic["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, objects);
    let text = folder.run(["wapmap.wwd"]).ends(0).out;
    for part in ["written by  WapMap", "notes ("] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn formats_have_levels() {
    let formats = Folder::new().run(["formats", "--json"]).ends(0).object();
    let level = formats["formats"].as_array().unwrap().iter().find(|format| format["name"] == "wwd").unwrap();
    assert_eq!((&level["lossless"], &level["import"], &level["export"]), (&true.into(), &true.into(), &true.into()));
}

/// A level with a checksum of no program and a plane of a wrong size.
fn broken(folder: &Folder, name: &str) {
    let dump = folder.run(["dump", "--json", "claw.wwd"]).ends(0).out;
    let built = folder.pipe(dump.replacen("\"width_px\":", "\"width_px\":1", 1).as_bytes(), ["build", "-", "-o", "-"]);
    let mut bytes = built.ends(0).bytes;
    bytes[0x2EC] ^= 1;
    folder.write(name, bytes);
}

#[test]
fn check_repairs_levels() {
    let folder = with(&["claw.wwd"]);
    broken(&folder, "broken.wwd");
    let before = folder.read("broken.wwd");
    let found = folder.run(["check", "--strict", "broken.wwd"]).ends(9);
    assert!(found.out.contains("warning[checksum]") && found.out.contains("warning[pixel-size]"), "{found:?}");
    let dry = folder.run(["check", "--fix", "--dry-run", "broken.wwd"]).ends(0);
    assert!(dry.out.contains("broken.wwd: 2 things would be repaired\n"), "{dry:?}");
    folder.run(["check", "--fix", "broken.wwd"]).ends(2);
    assert!(folder.read("broken.wwd") == before);
    let json = folder.run(["check", "--fix", "--json", "broken.wwd", "-o", "mended.wwd"]).ends(0).object();
    assert_eq!((json["fixes"].as_array().unwrap().len(), &json["output"]), (2, &"mended.wwd".into()));
    assert!(folder.read("mended.wwd") == folder.read("claw.wwd"), "what was broken is as it was");
    folder.run(["check", "--fix", "broken.wwd", "-o", "mended.wwd"]).ends(1);
    folder.run(["check", "--fix", "--force", "."]).ends(0);
    assert!(folder.read("broken.wwd") == folder.read("claw.wwd"));
    folder.run(["check", "--fix", "--force", "broken.wwd"]).ends(0);
    folder.run(["check", "--drop-objects", "broken.wwd"]).ends(2);
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    folder.run(["check", "--fix", "--force", "cube.obj"]).ends(7);
}
