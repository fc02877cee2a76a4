//! Laws of conversion for scenes with all features.

use mapwright_scene::{Content, LossKind, MaterialId, Scene};
use mapwright_vmap::scene::{ExportOptions, NODE_NUMBER, from_scene, merge_scene};
use proptest::prelude::*;

use super::maps::{canonical, import, same, whole_map};
use super::scenes::{rich, scene};

/// Removes from a scene what was synthesized for the map.
fn without_synthesized(expected: &Scene, found: &Scene) -> Scene {
    let mut found = found.clone();
    for ((_, found), (_, expected)) in found.meshes.iter_mut().zip(expected.meshes.iter()) {
        if expected.uv_sets.is_empty() {
            found.uv_sets.clear();
        }
        if expected.normals.is_none() {
            found.normals = None;
        }
        if expected.face_projections.is_empty() {
            found.face_projections.clear();
        }
        if expected.face_materials.is_empty() {
            found.face_materials.clear();
        }
        if !expected.attributes.iter().any(|attribute| attribute.name == "tangent") {
            found.attributes.retain(|attribute| attribute.name != "tangent");
        }
    }
    for ((_, found), (_, expected)) in found.lights.iter_mut().zip(expected.lights.iter()) {
        found.properties.entries.retain(|(name, _)| expected.properties.get(name).is_some());
    }
    // Prefabs get the number that the map gave them.
    for (_, node) in found.nodes.iter_mut().filter(|(_, node)| matches!(node.content, Content::Prefab { .. })) {
        node.properties.entries.retain(|(name, _)| name != NODE_NUMBER);
    }
    let known = |id: MaterialId| {
        let reference = &found.materials[id].reference;
        expected.materials.iter().find(|(_, material)| material.reference == *reference).map(|(id, _)| id)
    };
    let ids: Vec<Option<MaterialId>> = found.materials.ids().map(known).collect();
    for material in found.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.face_materials) {
        *material = material.and_then(|id| ids[id.index()]);
    }
    found.materials = expected.materials.clone();
    found
}

#[test]
fn all_features_survive_a_round_trip() {
    let scene = rich();
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    whole_map(&export.document);
    assert_eq!(export.losses.count(LossKind::Dropped), 0, "{:?}", export.losses);
    assert_eq!(export.losses.count(LossKind::Approximated), 0, "{:?}", export.losses);
    assert_eq!(export.losses.count(LossKind::Repaired), 0, "{:?}", export.losses);
    let again = import(&export.document);
    same("rich", &canonical(&scene), &canonical(&without_synthesized(&canonical(&scene), &again)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_new_map_stores_the_whole_scene(scene in scene()) {
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        whole_map(&export.document);
        let lost: Vec<_> = export.losses.iter().filter(|loss| loss.kind != LossKind::Synthesized).collect();
        prop_assert!(lost.iter().all(|loss| loss.text.contains("single precision")), "{:?}", lost);
        let scene = canonical(&scene);
        let again = canonical(&import(&export.document));
        same("new", &scene, &without_synthesized(&scene, &again));
    }

    #[test]
    fn any_scene_can_replace_another(first in scene(), second in scene()) {
        let mut document = from_scene(&first, &ExportOptions::default()).unwrap().document;
        merge_scene(&mut document, &second, &ExportOptions::default()).unwrap();
        whole_map(&document);
        let second = canonical(&second);
        same("replaced", &second, &without_synthesized(&second, &canonical(&import(&document))));
    }

    #[test]
    fn equal_scenes_change_nothing_and_changes_survive(first in scene(), which in any::<prop::sample::Index>()) {
        let document = from_scene(&first, &ExportOptions::default()).unwrap().document;
        let base = import(&document);
        let mut same_again = document.clone();
        merge_scene(&mut same_again, &base, &ExportOptions::default()).unwrap();
        prop_assert!(same_again == document);
        prop_assume!(!base.nodes.is_empty());
        let mut scene = base.clone();
        let id = scene.nodes.ids().nth(which.index(base.nodes.len())).unwrap();
        scene.nodes[id].name.push('x');
        scene.nodes[id].properties.push("p_new", 7);
        if let Content::Mesh(mesh) = scene.nodes[id].content {
            scene.meshes[mesh].positions[0][2] -= 0.5;
        }
        merge_scene(&mut same_again, &scene, &ExportOptions::default()).unwrap();
        same("changed", &scene, &import(&same_again));
        let mut back = import(&same_again);
        back.clone_from(&base);
        merge_scene(&mut same_again, &back, &ExportOptions::default()).unwrap();
        same("back", &base, &import(&same_again));
        prop_assert!(same_again.to_bytes().unwrap() == document.to_bytes().unwrap());
    }
}
