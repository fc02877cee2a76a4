//! Scenes of the real maps.

use mapwright_scene::{Content, Scene};
use mapwright_vmap::scene::{ExportOptions, ImportOptions, Subdivision, from_scene, merge_scene, to_scene};
use mapwright_vmap::{Document, MapOptions};

use super::maps::{import, plain, real_maps, same, whole, whole_map};

fn merged(document: &Document, scene: &Scene) -> Document {
    let mut changed = document.clone();
    merge_scene(&mut changed, scene, &ExportOptions::default()).unwrap();
    changed
}

#[test]
#[ignore = "needs the corpus"]
fn real_maps_give_valid_scenes_and_an_equal_scene_changes_nothing() {
    for (name, document) in real_maps() {
        let bytes = document.to_bytes().unwrap();
        let import = to_scene(&document, &ImportOptions::default()).unwrap();
        whole(&import.scene);
        let hostile = ["long strings", "another mesh", "another set", "long name", "streams and materials take"];
        let lost = import.losses.iter().find(|loss| hostile.iter().any(|what| loss.text.contains(what)));
        assert_eq!(lost, None, "{name}");
        assert!(merged(&document, &import.scene).to_bytes().unwrap() == bytes, "{name}");
        // A lock that is set and cleared again takes the long way through the merge.
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
    }
}

#[test]
#[ignore = "needs the corpus"]
fn a_new_map_has_the_same_scene_as_its_source() {
    for (name, document) in real_maps() {
        let scene = import(&document);
        let map = MapOptions::default().with_format_version(document.format_version());
        let export = from_scene(&scene, &ExportOptions::default().with_map(map)).unwrap();
        let again = import(&export.document);
        let mut losses = export.losses.iter().filter(|loss| !loss.text.starts_with("overlay targets"));
        assert_eq!(losses.next(), None, "{name}");
        same(&name, &scene, &again);
        whole_map(&export.document);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn subdivided_faces_become_finer_on_request() {
    let mut finer = 0;
    for (name, document) in real_maps() {
        let options = ImportOptions::default().with_subdivision(Subdivision::Fine);
        let import = to_scene(&document, &options).unwrap();
        whole(&import.scene);
        let faces = |scene: &Scene| scene.meshes.iter().map(|(_, mesh)| mesh.faces.len()).sum::<usize>();
        let coarse = self::import(&document);
        assert_eq!(import.scene.meshes.len(), coarse.meshes.len(), "{name}");
        let losses = import.losses.iter().filter(|loss| loss.text.contains("quads of their samples")).count();
        assert_eq!(losses > 0, faces(&import.scene) > faces(&coarse), "{name}");
        finer += losses;
    }
    assert!(finer > 0 || mapwright_testkit::corpus("vmap").is_none());
}
