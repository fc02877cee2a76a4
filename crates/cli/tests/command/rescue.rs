//! Recovery of damaged files.

use crate::folder::Folder;

#[test]
fn a_damaged_file_is_written_to_a_new_one() {
    let folder = Folder::with_cube();
    let whole = folder.read("cube.wings");
    folder.write("broken.wings", [&whole[..], b"junk"].concat());
    folder.run(["info", "broken.wings"]).ends(4);
    let done = folder.run(["rescue", "broken.wings", "saved.wings"]).ends(0);
    assert!(done.talk.contains("dropped: payload: 4 bytes after the compressed term"), "{done:?}");
    folder.run(["check", "saved.wings"]).ends(0);
    folder.run(["diff", "saved.wings", "cube.wings"]).ends(0);
    // An existing file needs --force, and the input is never replaced.
    folder.run(["rescue", "broken.wings", "saved.wings"]).ends(1);
    let json = folder.run(["rescue", "--json", "--force", "broken.wings", "-o", "saved.wings"]).ends(0).object();
    assert_eq!((&json["schema"], &json["format"]), (&"mapwright.rescue/1".into(), &"wings".into()));
    assert_eq!(json["lost"].as_array().unwrap().len(), 2);
    for place in ["broken.wings", "./broken.wings"] {
        let refused = folder.run(["rescue", "--force", "broken.wings", place]).ends(2);
        assert!(refused.talk.contains("is an input"), "{refused:?}");
    }
    assert_eq!(folder.read("broken.wings").len(), whole.len() + 4);
    let fine = folder.run(["rescue", "cube.wings", "same.wings"]).ends(0);
    assert!(fine.talk.contains("no damage found") && folder.read("same.wings") == whole, "{fine:?}");
    folder.run(["rescue", "cube.obj", "x.obj"]).ends(7);
    folder.run(["rescue", "broken.wings"]).ends(2);
}

#[test]
fn a_cut_map_keeps_its_complete_meshes() {
    let folder = Folder::with_cube();
    folder.run(["convert", "cube.wings", "cube.vmap"]).ends(0);
    folder.run(["convert", "cube.wings", "cube.kv2"]).ends(0);
    let (text, binary) = (folder.read("cube.kv2"), folder.read("cube.vmap"));
    folder.write("text.vmap", &text[..text.len() * 4 / 5]);
    folder.write("binary.vmap", &binary[..binary.len() - 10]);
    for file in ["text.vmap", "binary.vmap"] {
        folder.run(["info", file]).ends(4);
        let json = folder.run(["rescue", "--json", "--force", file, "saved.vmap"]).ends(0).object();
        let lost = json["lost"].as_array().unwrap();
        assert!(!lost.is_empty() && lost.iter().all(|loss| loss["text"].is_string()), "{json}");
        folder.run(["check", "saved.vmap"]).ends(0);
    }
}

#[test]
fn the_help_names_the_formats_that_can_be_rescued() {
    let folder = Folder::new();
    let help = folder.run(["rescue", "--help"]).ends(0);
    let rescuable = mapwright::Format::ALL.iter().filter(|format| format.is_rescuable());
    let names: Vec<&str> = rescuable.map(|format| format.info().name).collect();
    assert!(help.out.contains(&format!("Supported: {}.", names.join(", "))), "{help:?}");
}
