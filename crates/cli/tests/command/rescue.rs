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
