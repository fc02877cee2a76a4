//! A made-up level with models, textures and sprites.

use std::fs;
use std::path::Path;

use mapwright_scene::{Entity, Transform};

use super::super::report::{Outcome, ReferenceKind};
use super::super::{ResolveOptions, resolve};
use super::*;

fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn le(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// MDL7: a triangle with an external skin.
fn mdl7(skin: &str) -> Vec<u8> {
    let sizes: Vec<u8> = [36_u16, 28, 16, 68, 8, 12, 16, 16, 68, 24].iter().flat_map(|it| it.to_le_bytes()).collect();
    let head = [&b"MDL7"[..], &le(&[0, 0, 1, 0, 0, 0]), &sizes].concat();
    let group = [&[1, 0, 0, 0][..], &le(&[0]), &[0; 16], &le(&[1, 1, 1, 3, 0])].concat();
    let length = u32::try_from(skin.len() + 1).unwrap();
    let skin = [&le(&[7, length, 1])[..], &[0; 16], skin.as_bytes(), &[0]].concat();
    let body = [&[0; 8][..], &[0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0], &[0; 48]].concat();
    [head, group, skin, body].concat()
}

/// MDL5: an 8-bit skin, three vertices, one triangle, one frame.
fn mdl5() -> Vec<u8> {
    let f32s = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let header = [f32s(&[1.0; 3]), f32s(&[0.0; 7]), le(&[1, 0, 0, 3, 1, 1, 3, 0, 0])].concat();
    let body = [&le(&[0, 1, 1])[..], &[5], &[0; 12], &[0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0]].concat();
    let frame =
        [&le(&[2])[..], &[0; 32], &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]].concat();
    [&b"MDL5"[..], &le(&[0]), &header, &body, &frame].concat()
}

/// An uncompressed TGA image of one pixel: red, green, blue.
fn tga([r, g, b]: [u8; 3]) -> Vec<u8> {
    let mut bytes = vec![0; 18];
    (bytes[2], bytes[12], bytes[14], bytes[16]) = (2, 1, 1, 24);
    [bytes, vec![b, g, r]].concat()
}

/// WAD7 with a texture of one pixel.
fn wad(name: &str) -> Vec<u8> {
    let mut padded = [0; 16];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    let texture = [&padded[..], &le(&[1, 1, 5]), &[0; 12], &[1, 2, 3, 255]].concat();
    let size = u32::try_from(texture.len()).unwrap();
    let entry = [&le(&[12, size, size])[..], &[5, 0, 0, 0], &padded].concat();
    [&b"WAD7"[..], &le(&[1, 12 + size]), &texture, &entry].concat()
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
    write(at, "skin.tga", tga([9, 9, 9]));
    write(at, "art/SKIN.TGA", tga([0, 0, 0]));
    write(at, "old.mdl", mdl5());
    write(at, "fire.tga", tga([1, 2, 3]));
    write(at, "house.wmb", b"WMB7");
    write(at, "house.wmp", fs::read("../../fixtures/wmp/room.wmp").unwrap());
    write(at, "cut.mdl", &mdl5()[..100]);
    let mut scene = Scene::default();
    let mut palette = vec![0; 768];
    palette[15..18].copy_from_slice(&[7, 8, 9]);
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
    assert_eq!(pixel(&scene, material(&scene, old)), [7, 8, 9, 255]);
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
    write(at, "maps/tex/brick_blue01_long.tga", tga([4, 5, 6]));
    write(at, "maps/tex/floor.tga", b"no image");
    write(at, "maps/level.wmb", b"WMB7 cut");
    let mut scene = Scene::default();
    scene.properties.push("wads", vec![Value::from("d:\\wads\\BASE.wad")]);
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
    assert_eq!((material("gone"), report.references.len()), (Outcome::Missing, 4));
    let texts: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.starts_with("dropped: level.wmb")), "{texts:?}");
}

#[test]
#[cfg(unix)]
fn links_out_of_the_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "secret.mdl", mdl5());
    write(folder.path(), "game/level.wmp", b"");
    std::os::unix::fs::symlink("../secret.mdl", folder.path().join("game/tank.mdl")).unwrap();
    let mut scene = Scene::default();
    add_model(&mut scene, "tank.mdl", 0);
    let report = resolve_in(&mut scene, &folder.path().join("game"));
    assert_eq!(outcome(&report, ReferenceKind::Model, "tank.mdl"), Outcome::Missing);
}

/// Any cut or changed byte gives a result.
#[test]
fn damaged_files_give_results() {
    let folder = tempfile::tempdir().unwrap();
    for (name, whole) in [("a.mdl", mdl5()), ("a.mdl", mdl7("b.tga")), ("a.tga", tga([1, 2, 3])), ("a.wad", wad("a"))] {
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
