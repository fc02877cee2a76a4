//! `query`, `edit` of any format, `completions`, `man`.

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
fn query_prints_table_csv_and_json() {
    let folder = folder();
    let table = folder.run(["query", "kind=light & range>0", "room.wmp"]).ends(0);
    let lines: Vec<&str> = table.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("kind") && lines[1].starts_with("light"), "{table:?}");
    let csv = folder.run(["query", "--csv", "--fields", "name,range", "kind=light", "room.wmp"]).ends(0);
    assert!(csv.out.starts_with("name,range\r\n"), "{csv:?}");
    let json = folder.run(["query", "--json", "kind=light", "room.wmp"]).ends(0).object();
    assert_eq!((&json["schema"], &json["items"][0]["kind"]), (&"mapwright.query/1".into(), &"light".into()));
    assert!(json["items"][0]["range"].is_number() && json["items"][0]["colour"].is_array(), "{json}");
    // Several files and folders, each with its name.
    let all = folder.run(["query", "kind=entity | kind=object", "."]).ends(0);
    assert!(all.out.starts_with("file") && all.out.contains("island.wrp") && all.out.contains("room.vmap"), "{all:?}");
    let none = folder.run(["query", "kind=light & kind=block", "room.wmp"]).ends(0);
    assert!(none.out.is_empty() && none.talk.contains("no objects match"), "{none:?}");
    let wrong = folder.run(["query", "kind=light &", "room.wmp"]).ends(2);
    assert!(wrong.talk.contains("column 13: expected a condition"), "{wrong:?}");
    let wrong = folder.run(["query", "kind=lihgt", "room.wmp"]).ends(2);
    assert!(wrong.talk.contains("did you mean `light`?"), "{wrong:?}");
    // A field that one of several files has is known.
    folder.run(["query", "brightness>0", "room.wmp", "room.vmap"]).ends(0);
    let wrong = folder.run(["query", "brigthness>0", "room.wmp", "room.vmap"]).ends(2);
    assert!(wrong.talk.contains("unknown field `brigthness`"), "{wrong:?}");
}

#[test]
fn edit_sets_fields_and_changes_nothing_else() {
    let folder = folder();
    let old = String::from_utf8(folder.read("room.wmp")).unwrap();
    let dry = folder.run(["edit", "--dry-run", "room.wmp", "set kind=light: range=77"]).ends(0);
    assert!(dry.out.starts_with("set kind=light: range=77: 1 of 1 object changed\n"), "{dry:?}");
    folder.run(["edit", "room.wmp", "set kind=light: range=77", "-o", "new.wmp"]).ends(0);
    let new = String::from_utf8(folder.read("new.wmp")).unwrap();
    assert_eq!(old.lines().zip(new.lines()).filter(|(old, new)| old != new).count(), 1);
    assert_eq!(old.as_bytes(), folder.read("room.wmp"));
    folder.run(["edit", "--force", "room.vmap", "set class=light*: intensity=3"]).ends(0);
    let found = folder.run(["query", "--csv", "--fields", "brightness", "class=light*", "room.vmap"]).ends(0);
    assert!(found.out.lines().skip(1).all(|line| line == "3") && found.out.lines().count() > 1, "{found:?}");
    // Edits that fail write nothing.
    for (edit, error) in [
        ("set kind=light: faces=3", "objects of the kind `light` have no field `faces`"),
        ("set kind=light: range=far", "invalid value `far` for `range`: expected a number"),
        ("set kind=light: rnage=3", "unknown field `rnage`; did you mean `range`?"),
        ("set knid=light: range=3", "unknown field `knid`; did you mean `kind`?"),
        ("set kind=light and range=1: range=3", "no object matches `kind=light and range=1`"),
        ("set kind=group: range=5", "objects of the kind `group` have no field `range`"),
    ] {
        let wrong = folder.run(["edit", "room.wmp", edit, "-o", "no.wmp"]).ends(2);
        assert!(wrong.talk.contains(error) && !folder.at("no.wmp").exists(), "{edit}: {wrong:?}");
    }
    let none = folder.run(["edit", "--dry-run", "--allow-no-match", "room.wmp", "set range=1: range=3"]).ends(0);
    assert!(none.out.starts_with("set range=1: range=3: 0 of 0 objects changed"), "{none:?}");
    let key = "set class=light*: mapwright_note='a b'";
    folder.run(["edit", "room.vmap", key, "-o", "no.vmap"]).ends(2);
    folder.run(["edit", "--create-field", "room.vmap", key, "-o", "key.vmap"]).ends(0);
    let found = folder.run(["query", "--csv", "--fields", "mapwright_note", "class=light*", "key.vmap"]).ends(0);
    assert!(found.out.contains("a b"), "{found:?}");
}

#[test]
fn queries_and_edits_of_levels_use_the_same_fields() {
    let folder = Folder::new();
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wwd/claw.wwd");
    folder.write("claw.wwd", std::fs::read(level).unwrap());
    let query = "logic=Ele* and score==0";
    let count = |file: &str, query: &str| {
        folder.run(["query", "--csv", "--fields", "logic", query, file]).ends(0).out.lines().count() - 1
    };
    let found = count("claw.wwd", query);
    assert!(found > 0);
    folder.run(["edit", "claw.wwd", &format!("set {query}: speed_x=151"), "-o", "new.wwd"]).ends(0);
    assert_eq!(count("new.wwd", "speed_x=151"), found);
    folder.write("script.txt", "# two edits\nset logic=ele*: speed_x=7\ndelete logic=Soldier\n");
    folder.run(["edit", "--script", "script.txt", "claw.wwd", "-o", "two.wwd"]).ends(0);
    assert_eq!((count("two.wwd", "logic=Soldier"), count("two.wwd", "speed_x=7")), (0, found));
    let wrong = folder.run(["edit", "claw.wwd", "set lgoic=Rat: x=1", "-o", "no.wwd"]).ends(2);
    assert!(wrong.talk.contains("unknown field `lgoic`; did you mean `logic`?"), "{wrong:?}");
    folder.run(["edit", "claw.wwd", "set logic=Elevator: speed_x=99999999999", "-o", "no.wwd"]).ends(2);
    assert!(!folder.at("no.wwd").exists());
}

#[test]
fn completions_and_man_pages_are_written() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(["completions", shell]).ends(0);
        assert!(script.out.contains("roundtrip"), "{shell}: {script:?}");
    }
    assert!(folder.run(["man"]).ends(0).out.contains(".TH mapwright 1"));
    folder.run(["man", "-d", "pages"]).ends(0);
    for page in ["mapwright.1", "mapwright-convert.1", "mapwright-edit.1"] {
        assert!(folder.at("pages").join(page).exists(), "{page}");
    }
    folder.write("file", "");
    folder.run(["man", "-d", "file/below"]).ends(1);
}
