//! Merging of two versions of a map.

use crate::folder::Folder;

/// A folder with a map, and two others that were made of it: `base.vmap`, `ours.vmap`, `theirs.vmap`.
fn with_sides(ours: &[&str], theirs: &[&str]) -> Folder {
    let folder = Folder::with_map();
    folder.write("base.vmap", folder.read("map.vmap"));
    for (side, fields) in [("ours.vmap", ours), ("theirs.vmap", theirs)] {
        let edit = format!("set class=light_omni2: {}", fields.join(", "));
        folder.run(["edit", "--create-field", "map.vmap", "-o", side, &edit]).ends(0);
    }
    folder
}

const MERGE: [&str; 4] = ["merge", "base.vmap", "ours.vmap", "theirs.vmap"];

fn merge<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&MERGE[..], args].concat()
}

#[test]
fn changes_of_both_sides_are_merged_into_one_map() {
    let folder = with_sides(&["x=100"], &["model=models/lantern.vmdl"]);
    let done = folder.run(merge(&["-o", "both.vmap"])).ends(0);
    assert_eq!((done.out.as_str(), done.talk.as_str()), ("", ""));
    let both = folder.run(["query", "class=light_omni2", "both.vmap", "--csv", "--fields", "x,model"]).ends(0).out;
    assert!(both.contains("100,models/lantern.vmdl"), "{both}");
    // To standard output the same.
    assert_eq!(folder.run(merge(&["-o", "-"])).ends(0).bytes, folder.read("both.vmap"));
    // In the place of ours, as a merge driver does.
    folder.run(merge(&["--force"])).ends(0);
    folder.same("ours.vmap", "both.vmap");
}

#[test]
fn conflicts_are_reported_unless_a_side_is_preferred() {
    let folder = with_sides(&["x=100", "model=models/a.vmdl"], &["x=200", "y=7"]);
    let done = folder.run(merge(&["-o", "both.vmap"])).ends(9);
    assert_eq!(done.out, "CMapEntity light_omni2 #2 at 100, 2, 3: origin: base 1 2 3, ours 100 2 3, theirs 200 7 3\n");
    assert_eq!(done.talk, "1 conflict; the result contains the value of ours\n");
    folder.run(["diff", "ours.vmap", "both.vmap"]).ends(0);
    assert_eq!(folder.run(merge(&["-o", "quiet.vmap", "--quiet"])).ends(9).out, "");

    let done = folder.run(merge(&["-o", "theirs too.vmap", "--prefer", "theirs"])).ends(0);
    assert!(done.out.contains("origin: base 1 2 3, ours 100 2 3, theirs 200 7 3"), "{}", done.out);
    let both =
        folder.run(["query", "class=light_omni2", "theirs too.vmap", "--csv", "--fields", "x,model"]).ends(0).out;
    assert!(both.contains("200,models/a.vmdl"), "{both}");

    let json = folder.run(merge(&["--dry-run", "--json"])).ends(9).object();
    assert_eq!((&json["schema"], &json["settled"]), (&"mapwright.merge/1".into(), &false.into()));
    let conflict = &json["conflicts"][0];
    assert_eq!((&conflict["kind"], &conflict["field"]), (&"field".into(), &"origin".into()));
    assert_eq!((&conflict["node"]["number"], &conflict["theirs"]), (&2.into(), &"200 7 3".into()));
    assert!(json.get("output").is_none());
    // The result is shown.
    let done = folder.run(merge(&["--dry-run", "--prefer", "theirs"])).ends(0);
    assert!(done.out.contains("origin: 100 2 3 → 200 7 3"), "{}", done.out);
}

#[test]
fn invalid_merges_are_rejected() {
    let folder = with_sides(&["x=100"], &["y=200"]);
    let before = folder.read("ours.vmap");
    let done = folder.run(MERGE).ends(2);
    assert!(done.talk.contains("--force to replace ours"), "{}", done.talk);
    folder.run(merge(&["-o", "theirs.vmap", "--force"])).ends(2);
    folder.run(merge(&["-o", "map.vmap"])).ends(1);
    folder.run(merge(&["-o", "-", "--json"])).ends(2);
    folder.run(["merge", "base.vmap", "ours.vmap", "nowhere.vmap", "--force"]).ends(1);
    folder.write("cube.wings", Folder::with_cube().read("cube.wings"));
    let done = folder.run(["merge", "base.vmap", "ours.vmap", "cube.wings", "--force"]).ends(7);
    assert!(done.talk.contains("cannot merge wings files; supported: vmap"), "{}", done.talk);
    assert!(folder.read("ours.vmap") == before);
    // Git passes an empty file if there is no base. Here both sides have the same node.
    folder.write("base.vmap", "");
    folder.run(merge(&["-o", "both.vmap"])).ends(9);
    let both = folder.run(["query", "class=light_omni2", "both.vmap", "--csv", "--fields", "x,y"]).ends(0).out;
    assert!(both.contains("100,2"), "{both}");
}
