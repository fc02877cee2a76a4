//! Models of real projects, compared with an independent decoder.
#![cfg(all(feature = "fs", feature = "wmp"))]

use std::fs;

use mapwright_content::ContentSource;
use mapwright_content::resolve::{Gamestudio, Outcome, ReferenceKind, ResolveOptions, ResolveReport, resolve};
use mapwright_scene::{Content, Entity, Node, NodeId, Scene, TextureUsage};
use mapwright_testkit::{corpus, files_below};
use mapwright_wmp::Document;
use serde_json::Value;

fn resolve_all(scene: &mut Scene, content: &ContentSource, level: Option<&str>) -> ResolveReport {
    let level = level.map(str::to_owned);
    let report = resolve(scene, content, &Gamestudio::new(scene, level), &ResolveOptions::default());
    assert_eq!(scene.first_error(), None);
    report
}

/// A project with its models, sprites and folder of textures.
#[test]
#[ignore = "needs the corpus"]
fn a_whole_project_is_placed() {
    let Some(folder) = corpus("acknex") else { return };
    let folder = folder.join("bundle/retrofps");
    let map = Document::from_vec(fs::read(folder.join("map.wmp")).unwrap()).unwrap();
    let mut scene = mapwright_wmp::scene::to_scene(&map, &Default::default()).unwrap().scene;
    let mut content = ContentSource::default();
    assert!(content.add_folder_of_level(&folder).unwrap());
    let models = scene.entities.items().iter().filter(|entity| entity.model.is_some()).count();
    let report = resolve_all(&mut scene, &content, Some("map.wmp"));
    let bad: Vec<_> = report.references.iter().filter(|it| !matches!(it.outcome, Outcome::Found(_))).collect();
    assert!(bad.is_empty(), "{bad:?}");
    let placed = scene.walk().filter(|visit| visit.node.is_resolved()).count();
    assert_eq!((placed, models), (86, 86));
    let textures = scene.materials.items().iter().filter(|it| it.texture(&TextureUsage::BaseColor).is_some()).count();
    let level_textures = report.references.iter().filter(|it| it.kind == ReferenceKind::Material).count();
    assert!(textures >= level_textures && level_textures > 10, "{textures} of {level_textures}");
}

/// Every model and image that the other decoder reads is placed with the same number of triangles.
#[test]
#[ignore = "needs the corpus"]
fn every_model_and_image_is_placed() {
    let Some(folder) = corpus("acknex") else { return };
    let content = ContentSource::open([&folder]).unwrap();
    let add = |scene: &mut Scene, file: &str| -> NodeId {
        let entity = scene.entities.push(Entity { model: Some(file.to_owned()), ..Entity::default() });
        scene.add_node(None, Node::new("", Content::Entity(entity)))
    };
    let expected = fs::read_to_string(folder.join("EXPECTED_mesh.jsonl")).unwrap();
    let expected: Vec<Value> = expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut scene = Scene::default();
    let nodes: Vec<NodeId> = expected.iter().map(|it| add(&mut scene, it["file"].as_str().unwrap())).collect();
    let report = resolve_all(&mut scene, &content, None);
    for (expected, node) in expected.iter().zip(nodes) {
        let file = expected["file"].as_str().unwrap();
        let reference = report.references.iter().find(|it| it.path == file).unwrap();
        if expected.get("error").is_some() {
            assert!(matches!(reference.outcome, Outcome::Undecodable(_)), "{reference:?}");
            continue;
        }
        let Some(triangles) = expected["triangles"].as_u64() else { continue };
        let child = scene.nodes[node].children.first().unwrap_or_else(|| panic!("{reference:?}"));
        let Content::Mesh(mesh) = scene.nodes[*child].content else { panic!("{file}: a mesh") };
        assert_eq!(scene.meshes[mesh].faces.len() as u64, triangles, "{file}");
    }
    let images = files_below(&folder.join("pictures"));
    let mut scene = Scene::default();
    for image in &images {
        add(&mut scene, &format!("pictures/{}", image.file_name().unwrap().to_str().unwrap()));
    }
    let report = resolve_all(&mut scene, &content, None);
    let bad: Vec<_> = report.references.iter().filter(|it| !matches!(it.outcome, Outcome::Found(_))).collect();
    assert!(bad.is_empty() && report.references.len() == images.len(), "{bad:?}");
}
