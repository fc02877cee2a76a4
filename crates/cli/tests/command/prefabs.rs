//! Source 2 maps with prefabs, materials and models in other files.

use std::path::Path;

use mapwright::scene::{Content, Entity, Material, Mesh, Node, Prefab, Scene, TextureUsage, Transform, UvSet};
use mapwright::vmap::scene::{AXES, ExportOptions, METRES_PER_UNIT, from_scene};
use mapwright::{AnyDocument, Format};

use crate::folder::Folder;

/// A black PNG of one pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
    0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf,
    0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

fn scene() -> Scene {
    Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() }
}

/// Adds a triangle with a material at a place in the axes of maps.
fn triangle(scene: &mut Scene, name: &str, material: &str, place: [f64; 3]) {
    let reference = Some(material.to_owned());
    let material = scene.materials.push(Material { reference, ..Material::new(material) });
    let mesh = scene.meshes.push(Mesh {
        positions: vec![[0.0; 3], [8.0, 0.0, 0.0], [0.0, 0.0, -8.0]],
        faces: [[0, 1, 2]].into_iter().collect(),
        face_materials: vec![Some(material)],
        uv_sets: vec![UvSet {
            corners: vec![Some([0.0, 0.0]), Some([1.0, 0.0]), Some([0.0, 1.0])],
            ..UvSet::default()
        }],
        ..Mesh::default()
    });
    add(scene, name, Content::Mesh(mesh), place);
}

fn add(scene: &mut Scene, name: &str, content: Content, place: [f64; 3]) {
    let transform = Transform::translation(AXES.apply(place));
    scene.add_node(None, Node { transform, ..Node::new(name, content) });
}

fn add_prefab(scene: &mut Scene, path: &str, place: [f64; 3]) {
    add(scene, "", Content::Prefab(Prefab { reference: path.to_owned(), ..Prefab::default() }), place);
}

fn add_entity(scene: &mut Scene, class: &str, model: Option<&str>, keys: &[(&str, &str)], place: [f64; 3]) {
    let properties = keys.iter().copied().collect();
    let entity = Entity { class: class.to_owned(), model: model.map(str::to_owned), properties, ..Entity::default() };
    let entity = scene.entities.push(entity);
    add(scene, "", Content::Entity(entity), place);
}

fn save(folder: &Folder, path: &str, scene: &Scene) {
    let map = from_scene(scene, &ExportOptions::default()).unwrap().document;
    save_bytes(folder, path, map.to_bytes().unwrap());
}

fn save_bytes(folder: &Folder, path: &str, bytes: impl AsRef<[u8]>) {
    std::fs::create_dir_all(folder.at(path).parent().unwrap()).unwrap();
    folder.write(path, bytes);
}

/// Writes an addon: a map with a prefab in a prefab, an instance, a 3D skybox, two crates, and files that are missing.
pub(crate) fn write_addon(folder: &Folder, addon: &str) {
    let at = |path: &str| format!("{addon}/{path}");
    let mut inner = scene();
    triangle(&mut inner, "inner", "materials/brick.vmat", [0.0, 0.0, 10.0]);
    save(folder, &at("maps/prefabs/inner.vmap"), &inner);
    let mut outer = scene();
    triangle(&mut outer, "outer", "materials/brick.vmat", [0.0; 3]);
    add_prefab(&mut outer, "maps/prefabs/inner.vmap", [100.0, 0.0, 0.0]);
    save(folder, &at("maps/prefabs/outer.vmap"), &outer);
    let mut sky = scene();
    triangle(&mut sky, "tower", "materials/stone.vmat", [2.0, 0.0, 0.0]);
    add_entity(&mut sky, "sky_camera", None, &[("scale", "16")], [0.0; 3]);
    save(folder, &at("maps/sky.vmap"), &sky);

    let mut map = scene();
    triangle(&mut map, "floor", "materials/stone.vmat", [0.0; 3]);
    add_prefab(&mut map, "maps/prefabs/outer.vmap", [0.0, 50.0, 0.0]);
    add_prefab(&mut map, "maps/prefabs/gone.vmap", [0.0; 3]);
    let group = map.add_node(None, Node::default());
    triangle(&mut map, "part", "materials/brick.vmat", [0.0; 3]);
    if let Some(part) = map.roots.pop()
        && let Some(group) = map.nodes.get_mut(group)
    {
        group.children.push(part);
    }
    add(&mut map, "copy", Content::Instance(group), [0.0, 0.0, 200.0]);
    add_entity(&mut map, "skybox_reference", None, &[("targetMapName", "maps/sky.vmap")], [0.0; 3]);
    for (model, x) in [("models/crate.vmdl", 20.0), ("models/crate.vmdl", 40.0), ("models/gone.vmdl", 60.0)] {
        add_entity(&mut map, "prop_static", Some(model), &[], [x, 0.0, 0.0]);
    }
    add_entity(&mut map, "prop_static", Some("models/gone.vmdl"), &[], [80.0, 0.0, 0.0]);
    save(folder, &at("maps/main.vmap"), &map);

    for name in ["brick", "stone", "wood"] {
        let keys =
            format!("\tTextureColor \"materials/{name}_color.png\"\n\tTextureNormal \"materials/gone_normal.tga\"\n");
        save_bytes(
            folder,
            &at(&format!("materials/{name}.vmat")),
            format!("Layer0\n{{\n\tshader \"vr_complex.vfx\"\n{keys}}}"),
        );
        save_bytes(folder, &at(&format!("materials/{name}_color.png")), PNG);
    }
    let points = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nvt 0 0\nvt 1 0\nvt 0 1\n";
    let faces = "f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n";
    let obj = format!("{points}usemtl materials/wood.vmat\n{faces}");
    save_bytes(folder, &at("models/crate.obj"), obj);
}

const MISSING: [&str; 3] = ["maps/prefabs/gone.vmap", "models/gone.vmdl", "materials/gone_normal.tga"];

#[test]
fn a_map_comes_with_its_prefabs_materials_and_models() {
    let folder = Folder::new();
    write_addon(&folder, "content/hlvr_addons/mine");
    let map = "content/hlvr_addons/mine/maps/main.vmap";
    let json = folder.run(["convert", "--json", map, "out.glb"]).ends(0).object();
    let losses: Vec<String> =
        json["losses"].as_array().unwrap().iter().map(|loss| loss["text"].as_str().unwrap().to_owned()).collect();
    for path in MISSING {
        let is_missing = |text: &&String| text.contains(path) && text.contains("no such file");
        assert_eq!(losses.iter().filter(is_missing).count(), 1, "{path}: {losses:?}");
    }
    let glb = folder.read("out.glb");
    let result =
        AnyDocument::from_bytes_as(&glb, Format::Glb, &Default::default()).unwrap().into_scene().unwrap().scene;
    let mut places = Vec::new();
    for visit in result.walk() {
        let Content::Mesh(mesh) = visit.node.content else { continue };
        for face in 0..result.meshes[mesh].faces.len() {
            let material = &result.materials[result.meshes[mesh].face_material(face).unwrap()];
            assert!(material.texture(&TextureUsage::BaseColor).is_some(), "{material:?}");
        }
        let corner = visit.world.point(result.meshes[mesh].positions[0]);
        #[allow(clippy::cast_possible_truncation)]
        places.push(corner.map(|part| part.round() as i64));
    }
    places.sort_unstable();
    // Axes of scenes: (x, z, −y). Floor, part, outer, inner, copy, tower and the two crates.
    let expected = [[0, 0, 0], [0, 0, 0], [0, 0, -50], [100, 10, -50], [0, 200, 0], [32, 0, 0], [20, 0, 0], [40, 0, 0]];
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(places, expected);

    // Without content roots, only the map itself is converted. A map does not get the meshes of its files.
    let bare = folder.run(["convert", "--external", "none", "--json", map, "bare.glb"]).ends(0).object();
    assert!(!bare["losses"].to_string().contains("no such file"), "{bare}");
    assert!(bare["losses"][0]["text"].as_str().unwrap().contains("files that the level refers to"), "{bare}");
    assert!(folder.read("bare.glb").len() < glb.len());
    folder.run(["convert", "out.glb", "back.vmap"]).ends(0);
    let info = folder.run(["info", "--json", "back.vmap"]).ends(0).object();
    // The floor, and the definition of the instances. The map refers to its prefabs again.
    let nodes = info["vmap"]["nodes"].as_array().unwrap();
    let prefabs = nodes.iter().find(|row| row["name"] == "CMapPrefab").map(|row| &row["count"]);
    assert_eq!((&info["vmap"]["totals"]["meshes"], prefabs), (&2.into(), Some(&2.into())), "{nodes:?}");
    let image = folder.run(["render", map, "-o", "map.png"]).ends(0);
    assert!(image.talk.contains("models missing, drawn as boxes"), "{image:?}");
}

#[test]
fn the_files_of_a_map_are_listed_checked_and_copied() {
    let folder = Folder::new();
    write_addon(&folder, "mine");
    let list = folder
        .run(["info", "--json", "--content", "mine", "mine/maps/main.vmap", "--copy-to", "packed"])
        .ends(0)
        .object();
    let rows = list["references"].as_array().unwrap();
    let missing: Vec<&str> =
        rows.iter().filter(|row| row["file"].is_null()).map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(missing.len(), MISSING.len(), "{missing:?}");
    assert!(MISSING.iter().all(|path| missing.contains(path)), "{missing:?}");
    let copied = list["copied"].as_array().unwrap().len();
    for path in
        ["maps/main.vmap", "maps/prefabs/inner.vmap", "maps/sky.vmap", "materials/brick_color.png", "models/crate.obj"]
    {
        assert_eq!(folder.read(format!("packed/{path}")), folder.read(format!("mine/{path}")), "{path}");
    }
    // The copy is complete: it lacks what the original lacks.
    let again = folder.run(["info", "--json", "--content", "packed", "packed/maps/main.vmap"]).ends(0).object();
    let found = |list: &serde_json::Value| {
        list["references"].as_array().unwrap().iter().filter(|it| !it["file"].is_null()).count()
    };
    assert_eq!(found(&again), found(&list));
    assert_eq!(found(&again) + 1, copied);

    let check = folder.run(["check", "--json", "--all", "--content", "mine", "mine/maps/main.vmap"]).ends(0).object();
    let findings = check["findings"].as_array().unwrap();
    for path in MISSING {
        let is_of_path = |it: &&serde_json::Value| {
            it["code"].as_str().unwrap().ends_with("-missing") && it["message"].as_str().unwrap().contains(path)
        };
        assert_eq!(findings.iter().filter(is_of_path).count(), 1, "{path}: {findings:?}");
    }
    assert!(!folder.run(["check", "mine/maps/main.vmap"]).ends(0).out.contains("-missing]"));

    // Other files with the names of copies are replaced only with --force, and links are not followed.
    folder.write("packed/models/crate.obj", b"mine");
    folder.run(["info", "mine/maps/main.vmap", "--copy-to", "packed"]).ends(1);
    assert_eq!(folder.read("packed/models/crate.obj"), b"mine");
    folder.run(["info", "mine/maps/main.vmap", "--copy-to", "packed", "--force"]).ends(0);
    assert_eq!(folder.read("packed/models/crate.obj"), folder.read("mine/models/crate.obj"));
    #[cfg(unix)]
    {
        std::fs::create_dir(folder.at("elsewhere")).unwrap();
        std::fs::create_dir(folder.at("linked")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", folder.at("linked/maps")).unwrap();
        let refused = folder.run(["info", "mine/maps/main.vmap", "--copy-to", "linked"]).ends(1);
        assert!(refused.talk.contains("link"), "{refused:?}");
        assert_eq!(std::fs::read_dir(folder.at("elsewhere")).unwrap().count(), 0);
    }
    assert!(!Path::new(&folder.at("packed/models/gone.vmdl")).exists());
}
