//! Real files, if the corpus is present.

use mapwright_qmap::scene::mapwright_scene::{Content, LossKind, Transform};
use mapwright_qmap::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_qmap::{Document, Primitive};

use crate::support::corpus_maps;

#[test]
fn corpus_maps_become_scenes_with_all_brushes_and_patches() {
    for path in corpus_maps() {
        let name = path.display();
        let document = Document::from_vec(std::fs::read(&path).unwrap()).unwrap();
        let import = to_scene(&document, &ImportOptions::default()).unwrap();
        let scene = &import.scene;
        assert_eq!(scene.first_error(), None, "{name}");
        let count = |is_counted: fn(Primitive<'_>) -> bool| document.primitives().filter(|it| is_counted(*it)).count();
        let brushes = count(|primitive| primitive.kind().is_brush());
        let patches = count(|primitive| primitive.kind().is_patch());
        let dropped = import.losses.count(LossKind::Dropped);
        assert!(scene.brushes.len() + scene.meshes.len() + dropped >= brushes + patches, "{name}: {:?}", import.losses);
        let mut open = 0;
        for brush in scene.brushes.items() {
            let Ok(polygons) = brush.polygons() else { continue };
            let mesh = brush.to_mesh(&polygons, &Transform::IDENTITY, |_| [64.0; 2]);
            open += usize::from(!mesh.is_closed());
        }
        assert_eq!(open, 0, "{name}: brushes with open edges");
        // The text that is written from the scene has the same brushes and patches.
        let export = from_scene(scene, &ExportOptions::default()).unwrap();
        let again = to_scene(&export.document, &ImportOptions::default()).unwrap().scene;
        assert_eq!((again.brushes.len(), again.meshes.len()), (scene.brushes.len(), scene.meshes.len()), "{name}");
        let lights = |scene: &mapwright_qmap::scene::mapwright_scene::Scene| {
            scene.walk().filter(|visit| matches!(visit.node.content, Content::Light(_))).count()
        };
        assert_eq!(lights(&again), lights(scene), "{name}");
        // A changed key changes nothing else.
        let mut changed = scene.clone();
        let Some(id) = changed.entities.ids().next() else { continue };
        changed.entities.get_mut(id).unwrap().properties.push("mapwright_test", "1");
        let mut merged = document.clone();
        let losses = merge_scene(&mut merged, &changed, &ExportOptions::default()).unwrap();
        assert_eq!(losses.lost_count(), 0, "{name}: {losses:?}");
        let line = b"\"mapwright_test\" \"1\"".len();
        let added = merged.as_bytes().len() - document.as_bytes().len();
        assert!((line..line + 4).contains(&added), "{name}: {added} bytes");
    }
}
