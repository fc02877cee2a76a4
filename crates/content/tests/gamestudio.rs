//! A made-up level of 3D Gamestudio with models of all versions, skins, sprites, map entities and texture archives.
#![cfg(all(feature = "fs", feature = "wmp"))]

use std::collections::HashSet;

use mapwright_content::ContentSource;
use mapwright_content::resolve::{Gamestudio, Outcome, ReferenceKind, ResolveOptions, resolve};
use mapwright_interchange::gltf::{self, ExportOptions};
use mapwright_scene::{Content, NoFiles, Scene, TextureUsage};
use mapwright_testkit::gamestudio::made_level;
use mapwright_wmp::Document;
use serde_json::Value;

/// Number of vertices per side of each model.
const SIDE: u16 = 6;

/// Returns the number of meshes and of images in the `.glb` of a scene.
fn count_in_glb(scene: &Scene) -> [usize; 2] {
    let file = gltf::from_scene(scene, &NoFiles, &ExportOptions::default()).unwrap().document.main;
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    ["meshes", "images"].map(|list| json[list].as_array().map_or(0, Vec::len))
}

fn scene_of(map: &[u8]) -> Scene {
    let map = Document::from_bytes(map).unwrap();
    mapwright_wmp::scene::to_scene(&map, &Default::default()).unwrap().scene
}

#[test]
fn every_file_of_a_level_is_placed() {
    let made = made_level(SIDE, 16);
    let folder = tempfile::tempdir().unwrap();
    made.write(folder.path()).unwrap();
    let file = |name: &str| &made.files.iter().find(|(path, _)| path == name).unwrap().1;
    let mut scene = scene_of(file("level.wmp"));
    let alone = count_in_glb(&scene);
    let house = count_in_glb(&scene_of(file("house.wmp")));
    assert_eq!((alone, house), ([6, 0], [1, 0]));

    let mut content = ContentSource::default();
    assert!(content.add_folder_of_level(folder.path()).unwrap());
    let level = Some("level.wmp".to_owned());
    let options = ResolveOptions::default().with_level(level.clone());
    let loader = Gamestudio::new(&scene, level);
    let report = resolve(&mut scene, &content, &loader, &options);
    assert_eq!(scene.first_error(), None);

    let paths = |is_right: &dyn Fn(&Outcome) -> bool| -> HashSet<(ReferenceKind, String)> {
        report.references.iter().filter(|it| is_right(&it.outcome)).map(|it| (it.kind, it.path.clone())).collect()
    };
    let expect = |kind, lists: &[&[String]]| -> HashSet<(ReferenceKind, String)> {
        lists.iter().flat_map(|list| list.iter()).map(|path| (kind, path.clone())).collect()
    };
    assert_eq!(paths(&|it| *it == Outcome::Missing), expect(ReferenceKind::Model, &[&made.missing]), "missing");
    let undecodable = paths(&|it| matches!(it, Outcome::Undecodable(_)));
    assert_eq!(undecodable, expect(ReferenceKind::Model, &[&made.damaged]), "undecodable: {:?}", report.losses);
    let mut found = expect(ReferenceKind::Model, &[&made.models, &made.sprites, &made.maps]);
    found.extend(expect(ReferenceKind::Image, &[&made.skins]));
    found.extend(expect(ReferenceKind::Material, &[&made.textures]));
    assert_eq!(paths(&|it| matches!(it, Outcome::Found(_))), found);
    assert_eq!((made.models.len(), made.sprites.len(), made.textures.len()), (160, 5, 6));

    // Each model is placed with all of its triangles, and with its skin.
    let mut placed = 0;
    for visit in scene.walk().filter(|visit| visit.node.is_resolved()) {
        let Content::Mesh(mesh) = visit.node.content else { continue };
        let mesh = &scene.meshes[mesh];
        let material = &scene.materials[mesh.face_material(0).unwrap()];
        assert!(material.texture(&TextureUsage::BaseColor).is_some(), "{}", mesh.name);
        placed += usize::from(mesh.faces.len() == 2 * usize::from(SIDE - 1).pow(2));
    }
    assert_eq!(placed, made.models.len());
    let textured = scene.materials.items().iter().all(|it| it.texture(&TextureUsage::BaseColor).is_some());
    assert!(textured, "a material without a texture");

    // The compiled map entity has one mesh and one texture.
    let meshes = alone[0] + made.models.len() + made.sprites.len() + house[0] + 1;
    let images = made.skins.len() + made.own_skins + made.sprites.len() + made.textures.len() + 1;
    assert_eq!(count_in_glb(&scene), [meshes, images]);
}
