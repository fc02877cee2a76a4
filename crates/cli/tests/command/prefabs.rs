//! Source 2 maps with prefabs, materials and models in other files.

use std::path::Path;

use mapwright::scene::{Content, Scene, TextureUsage};
use mapwright::{AnyDocument, Format};
use mapwright_testkit::{files_below, fixtures};

use crate::folder::Folder;

/// Copies the addon of the fixtures: a map with prefabs in prefabs, an instance, a 3D skybox and models. Three files are missing.
pub(crate) fn write_addon(folder: &Folder, addon: &str) {
    let fixtures = fixtures("addon");
    for file in files_below(&fixtures) {
        let path = folder.at(addon).join(file.strip_prefix(&fixtures).unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(file, path).unwrap();
    }
}

fn read_glb(folder: &Folder, path: &str) -> Scene {
    let glb = folder.read(path);
    AnyDocument::from_bytes_as(&glb, Format::Glb, &Default::default()).unwrap().into_scene().unwrap().scene
}

const MISSING: [&str; 3] = ["maps/prefabs/gone.vmap", "models/gone.vmdl", "materials/gone_normal.tga"];

#[test]
fn a_map_comes_with_its_prefabs_materials_and_models() {
    let folder = Folder::new();
    write_addon(&folder, "content/hlvr_addons/mine");
    let map = "content/hlvr_addons/mine/maps/house.vmap";
    let json = folder.run(["convert", "--json", map, "out.glb"]).ends(0).object();
    let losses: Vec<String> =
        json["losses"].as_array().unwrap().iter().map(|loss| loss["text"].as_str().unwrap().to_owned()).collect();
    for path in MISSING {
        let is_missing = |text: &&String| text.contains(path) && text.contains("no such file");
        assert_eq!(losses.iter().filter(is_missing).count(), 1, "{path}: {losses:?}");
    }
    let result = read_glb(&folder, "out.glb");
    let mut places = Vec::new();
    for visit in result.walk() {
        let Content::Mesh(mesh) = visit.node.content else { continue };
        for face in 0..result.meshes[mesh].faces.len() {
            let material = &result.materials[result.meshes[mesh].face_material(face).unwrap()];
            assert!(material.texture(&TextureUsage::BaseColor).is_some(), "{material:?}");
        }
        #[allow(clippy::cast_possible_truncation)]
        places.push(visit.world.origin().map(|part| part.round() as i64));
    }
    places.sort_unstable();
    // Axes of scenes: (x, z, −y).
    let mut expected = vec![
        // The room, the instance, and the tower of the skybox at 16 · ((100, 0, 32) − (0, 0, 8)).
        [0, 0, 0],
        [-128, -112, -128],
        [1600, 384, 0],
        // The leaves of the doors with their handles. The second door is turned by 90°.
        [0, -64, -200],
        [24, -64, -200],
        [200, -64, 0],
        [200, -64, -24],
        // The shade of the lamp, its bulb, and the crates.
        [0, 108, 0],
        [0, 100, 0],
        [128, -112, 128],
        [128, -112, 64],
    ];
    expected.sort_unstable();
    assert_eq!(places, expected);
    // Names are unique, as in the game.
    let names: Vec<&str> =
        result.walk().map(|visit| &*visit.node.name).filter(|name| name.ends_with("_leaf")).collect();
    assert!(names.len() == 2 && names[0] != names[1], "{names:?}");

    // Options for prefabs and materials.
    folder.run(["convert", "--subdivide", map, "fine.glb"]).ends(0);
    let faces = |scene: &Scene| scene.meshes.items().iter().map(|mesh| mesh.faces.len()).sum::<usize>();
    let (coarse, fine) = (faces(&result), faces(&read_glb(&folder, "fine.glb")));
    // The displaced side has 16 faces instead of one. Both doors share it.
    assert_eq!(fine, coarse + 15);
    folder.run(["convert", "--flip-green", map, "green.glb"]).ends(0);
    assert_eq!(faces(&read_glb(&folder, "green.glb")), coarse);
    assert_ne!(folder.read("green.glb"), folder.read("out.glb"));

    // Without content roots, only the map itself is converted. A map does not get the meshes of its files.
    let bare = folder.run(["convert", "--external", "none", "--json", map, "bare.glb"]).ends(0).object();
    assert!(!bare["losses"].to_string().contains("no such file"), "{bare}");
    assert!(bare["losses"][0]["text"].as_str().unwrap().contains("files that the level refers to"), "{bare}");
    assert!(folder.read("bare.glb").len() < folder.read("out.glb").len());
    // Also outside of an addon, missing files are reported.
    folder.write("alone.vmap", folder.read(map));
    let alone = folder.run(["convert", "--json", "alone.vmap", "alone.glb"]).ends(0).object();
    let text = alone["losses"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("the level is below no folder `maps`"), "{alone}");
    folder.run(["convert", "out.glb", "back.vmap"]).ends(0);
    let info = folder.run(["info", "--json", "back.vmap"]).ends(0).object();
    // The room, and the definition of the instance. The map refers to its prefabs again.
    let nodes = info["vmap"]["nodes"].as_array().unwrap();
    let prefabs = nodes.iter().find(|row| row["name"] == "CMapPrefab").map(|row| &row["count"]);
    assert_eq!((&info["vmap"]["totals"]["meshes"], prefabs), (&2.into(), Some(&4.into())), "{nodes:?}");
    let image = folder.run(["render", map, "-o", "map.png"]).ends(0);
    assert!(image.talk.contains("1 model missing, drawn as a box"), "{image:?}");
}

#[test]
fn uses_of_a_path_in_several_spellings_are_counted_once() {
    let folder = Folder::new();
    write_addon(&folder, "mine");
    for (material, image) in [("wood", "Materials\\x\\..\\nope.tga"), ("metal", "materials/nope.tga")] {
        let path = format!("mine/materials/{material}.vmat");
        let text = String::from_utf8(folder.read(&path)).unwrap();
        folder.write(&path, text.replace(&format!("materials\\{material}_color.tga"), image));
    }
    let uses = |command: &[&str]| -> Vec<u64> {
        let done = folder.run([command, &["--json", "--content", "mine", "mine/maps/house.vmap"]].concat()).object();
        let rows = done["references"].as_array().cloned().unwrap_or_default();
        let rows = rows.iter().filter(|row| row["path"].as_str().is_some_and(|path| path.ends_with("nope.tga")));
        rows.map(|row| row["uses"].as_u64().unwrap()).collect()
    };
    assert_eq!(uses(&["info"]), [2]);
    let converted = folder.run(["convert", "-v", "mine/maps/house.vmap", "house.glb"]).ends(0);
    let losses: Vec<&str> = converted.talk.lines().filter(|line| line.contains("nope.tga")).collect();
    assert!(losses.len() == 1 && losses[0].contains("uses: 2"), "{losses:?}");
}

#[test]
fn the_files_of_a_map_are_listed_checked_and_copied() {
    let folder = Folder::new();
    write_addon(&folder, "mine");
    let list = folder
        .run(["info", "--json", "--content", "mine", "mine/maps/house.vmap", "--copy-to", "packed"])
        .ends(0)
        .object();
    let rows = list["references"].as_array().unwrap();
    let missing: Vec<&str> =
        rows.iter().filter(|row| row["file"].is_null()).map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(missing.len(), MISSING.len(), "{missing:?}");
    assert!(MISSING.iter().all(|path| missing.contains(path)), "{missing:?}");
    let copied = list["copied"].as_array().unwrap().len();
    for path in [
        "maps/house.vmap",
        "maps/prefabs/handle.vmap",
        "maps/house_sky.vmap",
        "materials/plaster_color.png",
        "models/crate.dmx",
    ] {
        assert_eq!(folder.read(format!("packed/{path}")), folder.read(format!("mine/{path}")), "{path}");
    }
    // The copy is complete: it lacks what the original lacks.
    let again = folder.run(["info", "--json", "--content", "packed", "packed/maps/house.vmap"]).ends(0).object();
    let found = |list: &serde_json::Value| {
        list["references"].as_array().unwrap().iter().filter(|it| !it["file"].is_null()).count()
    };
    assert_eq!(found(&again), found(&list));
    assert_eq!(found(&again) + 1, copied);

    let check = folder.run(["check", "--json", "--all", "--content", "mine", "mine/maps/house.vmap"]).ends(0).object();
    let findings = check["findings"].as_array().unwrap();
    for path in MISSING {
        let is_of_path = |it: &&serde_json::Value| {
            it["code"].as_str().unwrap().ends_with("-missing") && it["message"].as_str().unwrap().contains(path)
        };
        assert_eq!(findings.iter().filter(is_of_path).count(), 1, "{path}: {findings:?}");
    }
    assert!(!folder.run(["check", "mine/maps/house.vmap"]).ends(0).out.contains("-missing]"));
    assert!(findings.iter().all(|finding| finding["code"] != "file-replaced"), "{findings:?}");

    // An image replaces a material.
    std::fs::remove_file(folder.at("packed/materials/wood.vmat")).unwrap();
    let check = folder.run(["check", "--all", "--content", "packed", "packed/maps/house.vmap"]).ends(0).out;
    let replaced: Vec<&str> = check.lines().filter(|line| line.contains("[file-replaced]")).collect();
    let [line] = replaced[..] else { panic!("{check}") };
    assert!(
        line.contains("\"Materials/Wood.vmat\": no such file, \"materials/wood_color.tga\" is used instead"),
        "{line}"
    );
    folder.write("packed/materials/wood.vmat", folder.read("mine/materials/wood.vmat"));

    // Other files with the names of copies are replaced only with --force, and links are not followed.
    folder.write("packed/models/crate.dmx", b"mine");
    folder.run(["info", "mine/maps/house.vmap", "--copy-to", "packed"]).ends(1);
    assert_eq!(folder.read("packed/models/crate.dmx"), b"mine");
    folder.run(["info", "mine/maps/house.vmap", "--copy-to", "packed", "--force"]).ends(0);
    assert_eq!(folder.read("packed/models/crate.dmx"), folder.read("mine/models/crate.dmx"));
    #[cfg(unix)]
    {
        std::fs::create_dir(folder.at("elsewhere")).unwrap();
        std::fs::create_dir(folder.at("linked")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", folder.at("linked/maps")).unwrap();
        let refused = folder.run(["info", "mine/maps/house.vmap", "--copy-to", "linked"]).ends(1);
        assert!(refused.talk.contains("link"), "{refused:?}");
        assert_eq!(std::fs::read_dir(folder.at("elsewhere")).unwrap().count(), 0);
    }
    assert!(!Path::new(&folder.at("packed/models/gone.vmdl")).exists());
}

#[test]
fn copies_of_different_maps_do_not_replace_each_other() {
    let folder = Folder::new();
    write_addon(&folder, "mine");
    write_addon(&folder, "other");
    // Equal files are copied once.
    folder.run(["info", "mine", "other", "--copy-to", "packed"]).ends(0);
    assert_eq!(folder.read("packed/models/crate.dmx"), folder.read("mine/models/crate.dmx"));
    folder.write("other/models/crate.dmx", folder.read("mine/models/lamp.vmdl"));
    let both =
        folder.run(["info", "--force", "mine/maps/house.vmap", "other/maps/house.vmap", "--copy-to", "packed"]).ends(8);
    let line = "/other/models/crate.dmx: packed/models/crate.dmx is the copy of another file";
    assert!(both.out.contains(line), "{both:?}");
    assert_eq!(folder.read("packed/models/crate.dmx"), folder.read("mine/models/crate.dmx"));
    // Levels of one name keep their folders.
    for name in ["levels/1/cube.wings", "levels/2/cube.wings"] {
        std::fs::create_dir_all(folder.at(name).parent().unwrap()).unwrap();
        folder.write(name, std::fs::read(fixtures("wings").join("torus.wings")).unwrap());
    }
    folder.run(["info", "levels", "--copy-to", "copies"]).ends(0);
    assert_eq!(folder.read("copies/2/cube.wings"), folder.read("levels/2/cube.wings"));
    // A folder with inputs could lose them.
    for target in ["mine", "other/maps"] {
        let inputs = ["mine/maps/house.vmap", "other/maps/house.vmap"];
        let refused = folder.run(["info", "--force", inputs[0], inputs[1], "--copy-to", target]).ends(2);
        assert!(refused.talk.contains("contains the input"), "{refused:?}");
    }
    // A link out of the content is reported, and the other files are copied.
    #[cfg(unix)]
    {
        folder.write("secret.tga", folder.read("mine/materials/wood_color.tga"));
        std::fs::remove_file(folder.at("mine/materials/wood_color.tga")).unwrap();
        std::os::unix::fs::symlink("../../secret.tga", folder.at("mine/materials/wood_color.tga")).unwrap();
        let list = folder.run(["info", "--json", "mine/maps/house.vmap", "--copy-to", "third"]).ends(1).object();
        assert!(list["copied"].as_array().unwrap().len() > 3, "{list}");
        let [not_copied] = &list["not_copied"].as_array().unwrap()[..] else { panic!("{list}") };
        assert!(not_copied["problem"].as_str().unwrap().contains("leads out of the folder"), "{list}");
        assert!(!Path::new(&folder.at("third/materials/wood_color.tga")).exists());
    }
}

#[test]
fn outputs_never_replace_the_files_of_a_map() {
    let folder = Folder::new();
    write_addon(&folder, "mine");
    let map = "mine/maps/house.vmap";
    for file in ["mine/materials/plaster_color.png", "mine/models/lamp.vmdl"] {
        let before = folder.read(file);
        for args in [
            &["check", map][..],
            &["check", "--content", "mine", map],
            &["info", map],
            &["dump", map],
            &["diff", map, map],
            &["roundtrip", map],
            &["edit", map, "--allow-no-match", "set name=nothing: x=1"],
        ] {
            let done = folder.run([args, &["--force", "-o", file]].concat()).ends(2);
            assert!(done.talk.contains("refers to and would be overwritten"), "{args:?}: {done:?}");
        }
        assert!(folder.read(file) == before);
    }
}
