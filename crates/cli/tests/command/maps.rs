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
