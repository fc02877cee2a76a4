//! `query`, `set`, `completions`, `man`.

use std::path::Path;

use crate::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for name in ["wmp/room.wmp", "vmap/room.vmap", "wrp/island.wrp"] {
        folder.write(name.split('/').next_back().unwrap(), std::fs::read(fixtures.join(name)).unwrap());
    }
    folder
}

#[test]
fn what_is_meant_is_shown_as_table_csv_and_json() {
    let folder = folder();
    let table = folder.run(["query", "kind=light & shape=point", "room.wmp"]).ends(0);
    let lines: Vec<&str> = table.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("class") && lines[1].starts_with("light"), "{table:?}");
    let csv = folder.run(["query", "--csv", "--fields", "class,range", "shape=point", "room.wmp"]).ends(0);
    assert!(csv.out.starts_with("class,range\r\nlight,"), "{csv:?}");
    let json = folder.run(["query", "--json", "shape=point", "room.wmp"]).ends(0).object();
    assert_eq!((&json["schema"], &json["items"][0]["kind"]), (&"mapwright.query/1".into(), &"light".into()));
    assert!(json["items"][0]["range"].is_number() && json["items"][0]["color"].is_array(), "{json}");
    // Several files and folders, each with its name.
    let all = folder.run(["query", "kind=entity | kind=instance", "."]).ends(0);
    assert!(all.out.starts_with("file") && all.out.contains("island.wrp") && all.out.contains("room.vmap"), "{all:?}");
    let none = folder.run(["query", "kind=light & kind=mesh", "room.wmp"]).ends(0);
    assert!(none.out.is_empty() && none.talk.contains("no objects match"), "{none:?}");
    let wrong = folder.run(["query", "kind=light &", "room.wmp"]).ends(2);
    assert!(wrong.talk.contains("at character 13"), "{wrong:?}");
}

#[test]
fn what_is_set_is_written_and_nothing_else_changes() {
    let folder = folder();
    let old = String::from_utf8(folder.read("room.wmp")).unwrap();
    let dry = folder.run(["set", "--dry-run", "shape=point", "room.wmp", "range=77"]).ends(0);
    assert!(dry.out.contains("1 item meant") && dry.out.contains("77"), "{dry:?}");
    folder.run(["set", "shape=point", "room.wmp", "range=77", "-o", "new.wmp"]).ends(0);
    let new = String::from_utf8(folder.read("new.wmp")).unwrap();
    assert_eq!(old.lines().zip(new.lines()).filter(|(old, new)| old != new).count(), 1);
    assert_eq!(old.as_bytes(), folder.read("room.wmp"));
    folder.run(["set", "--force", "class=light*", "room.vmap", "intensity=3"]).ends(0);
    let found = folder.run(["query", "--csv", "--fields", "brightness", "class=light*", "room.vmap"]).ends(0);
    assert!(found.out.lines().skip(1).all(|line| line == "3") && found.out.lines().count() > 1, "{found:?}");
    let wrong = folder.run(["set", "shape=point", "room.wmp", "faces=3", "-o", "no.wmp"]).ends(7);
    assert!(wrong.talk.contains("faces of a light cannot be set"), "{wrong:?}");
    let wrong = folder.run(["set", "shape=point", "room.wmp", "range=far", "-o", "no.wmp"]).ends(7);
    assert!(wrong.talk.contains("range takes a number") && !folder.at("no.wmp").exists(), "{wrong:?}");
}

#[test]
fn shells_and_man_are_told() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(["completions", shell]).ends(0);
        assert!(script.out.contains("roundtrip"), "{shell}: {script:?}");
    }
    assert!(folder.run(["man"]).ends(0).out.contains(".TH mapwright 1"));
    folder.run(["man", "-d", "pages"]).ends(0);
    for page in ["mapwright.1", "mapwright-convert.1", "mapwright-set.1"] {
        assert!(folder.at("pages").join(page).exists(), "{page}");
    }
    folder.write("file", "");
    folder.run(["man", "-d", "file/below"]).ends(1);
}
