//! Every real map.

use mapwright_scene::{Content, LossKind, Scene};
use mapwright_vmap::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_vmap::{Document, MapOptions};

use super::maps::{import, plain, real_maps, same, whole, whole_map};

fn merged(document: &Document, scene: &Scene) -> Document {
    let mut changed = document.clone();
    merge_scene(&mut changed, scene, &ExportOptions::default()).unwrap();
    changed
}

#[test]
fn every_map_is_a_whole_scene_and_the_same_scene_changes_nothing() {
    for (name, document) in real_maps() {
        let bytes = document.to_bytes().unwrap();
        let import = to_scene(&document, &ImportOptions::default()).unwrap();
        whole(&import.scene);
        assert!(merged(&document, &import.scene).to_bytes().unwrap() == bytes, "{name}");
        // Not by the short way either: a lock that is opened again.
        let mut scene = import.scene.clone();
        let Some((id, _)) = scene.nodes.iter().find(|(_, node)| !matches!(node.content, Content::Camera(_))) else {
            continue;
        };
        scene.nodes[id].locked ^= true;
        let locked = merged(&document, &scene);
        assert!(locked.to_bytes().unwrap() != bytes, "{name}");
        assert_eq!(plain(&self::import(&locked)), plain(&scene), "{name}");
        scene.nodes[id].locked ^= true;
        let again = merged(&locked, &scene).to_bytes().unwrap();
        let stated = document.format_version() >= 29;
        assert!(again == bytes || !stated, "{name}");
        print(&name, &import.scene, &import.losses);
    }
}

fn print(name: &str, scene: &Scene, losses: &mapwright_scene::Losses) {
    let faces: usize = scene.meshes.iter().map(|(_, mesh)| mesh.faces.len()).sum();
    println!(
        "{name}: {} nodes, {} meshes, {faces} faces, {} entities, {} lights, {} materials, {} odd",
        scene.nodes.len(),
        scene.meshes.len(),
        scene.entities.len(),
        scene.lights.len(),
        scene.materials.len(),
        scene.validate().len()
    );
    for kind in LossKind::ALL {
        losses.iter().filter(|loss| loss.kind == kind).take(6).for_each(|loss| println!("   {loss}"));
    }
}

#[test]
fn a_new_map_of_the_scene_of_a_map_says_the_same() {
    for (name, document) in real_maps() {
        let scene = import(&document);
        let map = MapOptions::default().with_format_version(document.format_version());
        let export = from_scene(&scene, &ExportOptions::default().with_map(map)).unwrap();
        let again = import(&export.document);
        // Real meshes touch themselves in vertices, which Hammer allows and its rules for new faces do not.
        let split = export.losses.iter().any(|loss| loss.kind == LossKind::Repaired);
        if !split {
            same(&name, &scene, &again);
        }
        assert!(export.losses.iter().all(|loss| loss.kind == LossKind::Repaired), "{name}: {:?}", export.losses);
        whole_map(&export.document);
    }
}
