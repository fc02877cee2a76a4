//! Files of made-up levels of 3D Gamestudio: models, textures, sprites, and bad content.
#![cfg(all(feature = "fs", feature = "wmp"))]

use std::fs;
use std::path::Path;

use mapwright_content::ContentSource;
use mapwright_content::resolve::{Gamestudio, Outcome, ReferenceKind, ResolveOptions, ResolveReport, resolve};
use mapwright_scene::{
    AlphaMode, Content, Entity, FileError, ImageSource, Material, Node, NodeId, Scene, Transform, Value,
};
use mapwright_testkit::gamestudio::{archive, bmp, dds, grid, map, mdl2, pcx, texture, tga_pixel, wmb7};

/// Flags of entities.
const INVISIBLE: i64 = 1 << 8;
const TRANSLUCENT: i64 = 1 << 10;
const OVERLAY: i64 = 1 << 12;

fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// WAD7 with a texture of one pixel.
fn wad(name: &str) -> Vec<u8> {
    archive("WAD7", &[(5, name, texture(name, [1, 1], [5, 0, 0, 0], &[1, 2, 3, 255]))])
}

/// MDL7 with an external skin.
fn mdl7(skin: &str) -> Vec<u8> {
    grid("MDL7", 2, 8, skin)
}

fn add_model(scene: &mut Scene, file: &str, flags: i64) -> NodeId {
    let mut entity = Entity { model: Some(file.to_owned()), ..Entity::default() };
    entity.properties.push("flags", flags);
    let entity = scene.entities.push(entity);
    scene.add_node(None, Node::new(file, Content::Entity(entity)))
}

fn resolve_in(scene: &mut Scene, folder: &Path) -> ResolveReport {
    let mut content = ContentSource::default();
    assert!(content.add_folder_of_level(folder).unwrap());
    let level = Some("level.wmp".to_owned());
    let options = ResolveOptions::default().with_level(level.clone());
    let report = resolve(scene, &content, &Gamestudio::new(scene, level), &options);
    assert_eq!(scene.first_error(), None);
    report
}

fn outcome(report: &ResolveReport, kind: ReferenceKind, path: &str) -> Outcome {
    let found = report.references.iter().find(|it| it.kind == kind && it.path == path);
    found.unwrap_or_else(|| panic!("no reference {path:?} in {:?}", report.references)).outcome.clone()
}

fn material(scene: &Scene, entity: NodeId) -> &Material {
    let child = &scene.nodes[scene.nodes[entity].children[0]];
    let Content::Mesh(mesh) = child.content else { panic!("a mesh") };
    &scene.materials[scene.meshes[mesh].face_material(0).unwrap()]
}

fn pixel(scene: &Scene, material: &Material) -> Vec<u8> {
    match &scene.images[material.textures[0].image].source {
        ImageSource::Pixels(pixels) => pixels.data.clone(),
        other => panic!("pixels: {other:?}"),
    }
}

#[test]
fn models_sprites_and_map_entities_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "level.wmp", b"");
    write(at, "art/Tank.MDL", mdl7("skin.tga"));
    // The skin in the folder of the model precedes that in the folder of the level.
    write(at, "skin.tga", tga_pixel([9, 9, 9]));
    write(at, "art/SKIN.TGA", tga_pixel([0, 0, 0]));
    write(at, "old.mdl", mdl2("MDL2"));
    write(at, "fire.tga", tga_pixel([1, 2, 3]));
    write(at, "house.wmb", b"WMB7");
    write(at, "house.wmp", fs::read("../../fixtures/wmp/room.wmp").unwrap());
    write(at, "cut.mdl", &mdl2("MDL2")[..100]);
    let mut scene = Scene::default();
    // The skin has the index 200 everywhere.
    let mut palette = vec![0; 768];
    palette[600..603].copy_from_slice(&[7, 8, 9]);
    scene.properties.push("palette", palette);
    let tank = add_model(&mut scene, "C:\\game\\tank.mdl", 0);
    let overlay = add_model(&mut scene, "tank.mdl", OVERLAY);
    let unseen = add_model(&mut scene, "tank.mdl", INVISIBLE);
    let old = add_model(&mut scene, "old.mdl", 0);
    let fire = add_model(&mut scene, "fire.tga", 0);
    let turned = add_model(&mut scene, "fire.tga", TRANSLUCENT);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    scene.nodes.get_mut(turned).unwrap().transform =
        Transform::Trs { translation: [0.0; 3], rotation: [0.0, half, 0.0, half], scale: [1.0; 3] };
    let house = add_model(&mut scene, "house.wmb", 0);
    for file in ["cut.mdl", "none.mdl", "..\\..\\etc\\passwd", "level.wmb"] {
        add_model(&mut scene, file, 0);
    }

    let report = resolve_in(&mut scene, at);
    let child = |id: NodeId| &scene.nodes[scene.nodes[id].children[0]];
    assert_eq!(child(tank).content, child(unseen).content);
    assert_ne!(child(tank).content, child(overlay).content);
    assert!(child(tank).visible && !child(unseen).visible);
    assert_eq!(pixel(&scene, material(&scene, tank)), [0, 0, 0, 255]);
    assert_eq!(pixel(&scene, material(&scene, overlay)), [0; 4]);
    assert_eq!(material(&scene, tank).alpha, AlphaMode::Opaque);
    assert_eq!(material(&scene, overlay).alpha, AlphaMode::Mask(0.5));
    assert_eq!(pixel(&scene, material(&scene, old)), [7, 8, 9, 255].repeat(32));
    let sprite = |id: NodeId| child(id).properties.get("sprite").and_then(Value::as_text);
    assert_eq!((sprite(fire), sprite(turned)), (Some("camera"), Some("fixed")));
    assert_eq!([fire, turned].map(|id| material(&scene, id).alpha), [AlphaMode::Mask(0.5), AlphaMode::Blend]);
    assert!(!scene.nodes[house].children.is_empty());
    assert!(scene.lights.is_empty() && !scene.brushes.is_empty());

    let model = |path: &str| outcome(&report, ReferenceKind::Model, path);
    assert_eq!(model("tank.mdl"), Outcome::Found("art/Tank.MDL".into()));
    assert_eq!(model("house.wmb"), Outcome::Found("house.wmp".into()));
    assert_eq!(outcome(&report, ReferenceKind::Image, "skin.tga"), Outcome::Found("art/SKIN.TGA".into()));
    assert!(matches!(model("cut.mdl"), Outcome::Undecodable(_)));
    assert_eq!(["none.mdl", "..\\..\\etc\\passwd"].map(model), [Outcome::Missing, Outcome::Missing]);
    assert_eq!(model("level.wmb"), Outcome::Undecodable("it contains itself".into()));
}

#[test]
fn textures_are_in_archives_and_in_files_with_shortened_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "maps/level.wmp", b"");
    write(at, "maps/base.wad", wad("Stone"));
    write(at, "maps/tex/brick_blue01_long.tga", tga_pixel([4, 5, 6]));
    write(at, "maps/tex/floor.tga", b"no image");
    write(at, "maps/level.wmb", b"WMB7 cut");
    let mut scene = Scene::default();
    scene.properties.push("wads", ["d:\\wads\\BASE.wad", "d:\\wads\\Far.wad"].map(Value::from).to_vec());
    scene.properties.push("folders", vec![Value::from("d:\\tex")]);
    for name in ["stone", "brick_blue01_lo", "floor", "gone", "#default"] {
        scene.materials.push(Material::new(name));
    }
    let report = resolve_in(&mut scene, &at.join("maps"));
    let [stone, brick, floor, gone, _] = scene.materials.items() else { panic!("five materials") };
    assert_eq!((pixel(&scene, stone), stone.texture_size), (vec![3, 2, 1, 255], Some([1, 1])));
    assert_eq!(pixel(&scene, brick), [4, 5, 6, 255]);
    assert!(floor.textures.is_empty() && gone.textures.is_empty());
    let material = |path: &str| outcome(&report, ReferenceKind::Material, path);
    assert_eq!(material("stone"), Outcome::Found("base.wad".into()));
    assert!(matches!(material("floor"), Outcome::Undecodable(_)));
    assert!(matches!(outcome(&report, ReferenceKind::Other, "level.wmb"), Outcome::Undecodable(_)));
    assert_eq!(outcome(&report, ReferenceKind::Other, "Far.wad"), Outcome::Missing);
    assert_eq!((material("gone"), report.references.len()), (Outcome::Missing, 6));
    let texts: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains("level.wmb")), "{texts:?}");
}

#[test]
#[cfg(unix)]
fn links_out_of_the_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "secret.mdl", mdl2("MDL2"));
    write(folder.path(), "game/level.wmp", b"");
    write(folder.path(), "game/own.mdl", mdl7("skin.tga"));
    write(folder.path(), "secret.tga", tga_pixel([1, 2, 3]));
    write(folder.path(), "secret.wad", wad("stone"));
    write(folder.path(), "secret.wmb", wmb7());
    for (target, link) in
        [("mdl", "tank.mdl"), ("tga", "skin.tga"), ("tga", "wood.tga"), ("wad", "a.wad"), ("wmb", "level.wmb")]
    {
        std::os::unix::fs::symlink(format!("../secret.{target}"), folder.path().join("game").join(link)).unwrap();
    }
    let mut scene = Scene::default();
    scene.properties.push("wads", vec![Value::from("a.wad")]);
    for name in ["stone", "wood", "wall"] {
        scene.materials.push(Material::new(name));
    }
    add_model(&mut scene, "tank.mdl", 0);
    add_model(&mut scene, "own.mdl", 0);
    let report = resolve_in(&mut scene, &folder.path().join("game"));
    assert_eq!(outcome(&report, ReferenceKind::Model, "own.mdl"), Outcome::Found("own.mdl".into()));
    let outside = Outcome::Undecodable(FileError::Outside.to_string());
    for (kind, path) in [
        (ReferenceKind::Model, "tank.mdl"),
        (ReferenceKind::Image, "skin.tga"),
        (ReferenceKind::Material, "wood"),
        (ReferenceKind::Other, "a.wad"),
        (ReferenceKind::Other, "level.wmb"),
    ] {
        assert_eq!(outcome(&report, kind, path), outside, "{path}");
    }
    for name in ["stone", "wall"] {
        assert_eq!(outcome(&report, ReferenceKind::Material, name), Outcome::Missing);
    }
}

#[test]
fn map_entities_that_contain_each_other_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.wmp", map(&[], &["b.wmb"]));
    write(folder.path(), "b.wmp", map(&["wall"], &["a.wmb", "tank.mdl"]));
    write(folder.path(), "tank.mdl", mdl2("MDL2"));
    let mut scene = Scene::default();
    let first = add_model(&mut scene, "a.wmb", 0);
    let report = resolve_in(&mut scene, folder.path());
    let model = |path: &str| outcome(&report, ReferenceKind::Model, path);
    assert_eq!(model("a.wmb"), Outcome::Undecodable("it contains itself".into()));
    assert_eq!(["b.wmb", "tank.mdl"].map(model), [Outcome::Found("b.wmp".into()), Outcome::Found("tank.mdl".into())]);
    assert!(!scene.nodes[first].children.is_empty() && scene.brushes.len() == 1 && scene.meshes.len() == 1);
}

#[test]
fn names_in_models_never_lead_out_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("game");
    write(folder.path(), "secret.tga", tga_pixel([1, 2, 3]));
    let secret = folder.path().join("secret.tga").display().to_string();
    let skins =
        ["..\\secret.tga", "../secret.tga", &secret, "\\\\host\\share\\secret.tga", "NUL", "self.mdl", "", "folder"];
    write(&at, "folder/file", b"");
    let mut scene = Scene::default();
    for (index, skin) in skins.iter().enumerate() {
        let name = if *skin == "self.mdl" { "self.mdl".to_owned() } else { format!("{index}.mdl") };
        write(&at, &name, mdl7(skin));
        add_model(&mut scene, &name, 0);
    }
    let report = resolve_in(&mut scene, &at);
    let images = report.references.iter().filter(|it| it.kind == ReferenceKind::Image);
    for image in images {
        match &*image.path {
            "self.mdl" => assert!(matches!(image.outcome, Outcome::Undecodable(_)), "{image:?}"),
            _ => assert_eq!(image.outcome, Outcome::Missing, "{image:?}"),
        }
    }
    assert_eq!((scene.meshes.len(), scene.images.len()), (skins.len(), 0));
}

#[test]
fn files_of_a_wrong_size_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::default();
    let patched = |mut file: Vec<u8>, at: usize, bytes: &[u8]| {
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let files = [
        ("empty.mdl", Vec::new()),
        ("magic.mdl", b"MDL7".to_vec()),
        ("skins.mdl", patched(mdl2("MDL2"), 48, &[0xff, 0xff, 0xff, 0x7f])),
        ("rows.hmp", patched(grid("HMP7", 3, 8, "a.tga"), 44, &[0, 0, 0x80, 0x7f])),
        ("none.tga", patched(tga_pixel([1, 2, 3]), 12, &[0, 0, 0, 0])),
        ("wide.tga", patched(tga_pixel([1, 2, 3]), 12, &[0xff, 0xff])),
        ("none.pcx", patched(pcx([8, 8], 1), 8, &[0xff, 0xff])),
        ("wide.pcx", patched(pcx([8, 8], 1), 66, &[2, 0])),
        ("none.dds", patched(dds([8, 8]), 12, &[0, 0, 0, 0])),
        ("wide.bmp", patched(bmp([8, 8]), 18, &[0xff, 0xff, 0xff, 0x7f])),
        ("list.wmb", patched(wmb7(), 20, &[0xff, 0xff, 0xff, 0xff])),
    ];
    for (name, bytes) in &files {
        write(folder.path(), name, bytes);
        add_model(&mut scene, name, 0);
    }
    let nodes = scene.nodes.clone();
    let report = resolve_in(&mut scene, folder.path());
    for (name, _) in &files {
        let outcome = outcome(&report, ReferenceKind::Model, name);
        assert!(matches!(&outcome, Outcome::Undecodable(reason) if !reason.is_empty()), "{name}: {outcome:?}");
    }
    assert_eq!((scene.nodes, report.losses.iter().count()), (nodes, files.len()));
}

/// Any cut or changed byte gives a result.
#[test]
fn damaged_files_give_results() {
    let folder = tempfile::tempdir().unwrap();
    for (name, whole) in
        [("a.mdl", mdl2("MDL2")), ("a.mdl", mdl7("b.tga")), ("a.tga", tga_pixel([1, 2, 3])), ("a.wad", wad("a"))]
    {
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] = 0xff;
            for bytes in [&whole[..at], &changed] {
                write(folder.path(), name, bytes);
                let mut scene = Scene::default();
                add_model(&mut scene, name, 0);
                scene.materials.push(Material::new("a"));
                assert_eq!(resolve_in(&mut scene, folder.path()).references.len() & !3, 0);
            }
        }
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}
