//! The laws of conversion, for scenes with every construct.
#![cfg(feature = "scene")]

use crate::scenes;

use mapwright_scene::{Content, Elements, FaceFlags, Mesh, NamedSet, Node, Scene};
use mapwright_wings::scene::{ExportOptions, from_scene, merge_scene, scene_to_bytes};
use proptest::prelude::*;
use scenes::{import, scene, whole};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_new_document_stores_the_complete_scene(scene in scene()) {
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        // Wings 3D replaces one material by its own.
        let losses: Vec<_> = export.losses.iter().filter(|loss| !loss.text.contains("named default")).collect();
        prop_assert!(losses.is_empty(), "{:?}", losses);
        let has_default = scene.materials.iter().any(|(_, material)| material.name == "default");
        prop_assert_eq!(has_default, !export.losses.is_empty());
        prop_assert_eq!(whole(&import(&export.document)), whole(&scene));
        let file = scene_to_bytes(&scene, &ExportOptions::default()).unwrap();
        prop_assert!(file.document == export.document.to_bytes().unwrap());
        prop_assert_eq!(file.losses, export.losses);
    }

    #[test]
    fn a_scene_replaces_another(first in scene(), second in scene()) {
        let mut document = from_scene(&first, &ExportOptions::default()).unwrap().document;
        merge_scene(&mut document, &second, &ExportOptions::default()).unwrap();
        prop_assert_eq!(whole(&import(&document)), whole(&second));
    }

    #[test]
    fn changes_of_a_scene_are_merged_into_its_document(
        first in scene(),
        second in scene(),
        remove in any::<prop::sample::Index>(),
        what in prop::collection::vec(any::<bool>(), 8),
    ) {
        let mut document = from_scene(&first, &ExportOptions::default()).unwrap().document;
        let bytes = document.to_bytes().unwrap();
        let base = import(&document);
        let changed = mixed(&base, &second, &what, remove);
        merge_scene(&mut document, &changed, &ExportOptions::default()).unwrap();
        prop_assert_eq!(whole(&import(&document)), whole(&changed));
        // And back again. Objects that were removed and added again are at the end, so only the rest keeps its bytes.
        let mut back = import(&document);
        if !what[7] {
            copy(&mut back, &base);
            merge_scene(&mut document, &back, &ExportOptions::default()).unwrap();
            prop_assert_eq!(whole(&import(&document)), whole(&base));
            if whole(&changed) == whole(&base) {
                prop_assert_eq!(document.to_bytes().unwrap(), bytes);
            }
        }
    }

    #[test]
    fn written_documents_can_be_saved_again(
        scene in scene(),
        flags in prop::collection::vec(0..4_u8, 6),
        elements in prop::collection::vec(0..10_u32, 0..6),
        kind in 0..4,
    ) {
        let mut scene = scene;
        for (_, mesh) in scene.meshes.iter_mut() {
            mesh.positions.push([7.0; 3]);
            let flag = |flag: &u8| if flag & 1 == 1 { FaceFlags::HIDDEN } else { FaceFlags::NONE };
            mesh.face_flags = flags.iter().map(flag).collect();
        }
        let has = |elements: &[u32], count: u32| elements.iter().copied().filter(|&e| e < count).collect::<Vec<_>>();
        let chosen = match kind {
            0 => Elements::Node,
            1 => Elements::Vertices(has(&elements, 9)),
            2 => Elements::Edges(has(&elements, 6).iter().map(|&e| [e, e + 1]).collect()),
            _ => Elements::Faces(has(&elements, 6)),
        };
        let meshes = scene.walk().filter(|visit| matches!(visit.node.content, Content::Mesh(_)));
        let nodes: Vec<_> = meshes.map(|visit| visit.id).collect();
        let members = nodes.into_iter().map(|node| (node, chosen.clone())).collect();
        scene.sets.push(NamedSet { members, ..NamedSet::default() });
        let document = from_scene(&scene, &ExportOptions::default()).unwrap().document;
        let mut findings = document.validate();
        findings.retain(|finding| finding.severity == mapwright_io::Severity::Error);
        prop_assert!(findings.is_empty(), "{:?}", findings);
    }

    #[test]
    fn any_mesh_becomes_one_that_stays(
        faces in prop::collection::vec(prop::collection::vec(0..9_u32, 2..6), 1..14),
        weld: bool,
    ) {
        let mut mesh = Mesh { faces: faces.into_iter().collect(), ..scenes::cube() };
        mesh.positions.push(if weld { [1.0, 1.0, 0.0] } else { [3.0, 1.0, 2.0] });
        let export = from_scene(&scenes::scene_of(mesh), &ExportOptions::default()).unwrap();
        let first = import(&export.document);
        let again = from_scene(&first, &ExportOptions::default()).unwrap();
        let repairs: Vec<_> = again.losses.iter().map(|loss| loss.text.as_str()).collect();
        let doubled = repairs.iter().any(|text| text.contains("more than two faces"));
        if !doubled {
            prop_assert_eq!(repairs, Vec::<&str>::new());
            prop_assert_eq!(whole(&import(&again.document)), whole(&first));
        }
    }
}

/// Takes some parts of one scene, and the others of another with the same kinds of nodes.
fn mixed(base: &Scene, other: &Scene, what: &[bool], remove: prop::sample::Index) -> Scene {
    let mut scene = base.clone();
    let others = |scene: &Scene, kind: fn(&Content) -> bool| -> Vec<Node> {
        scene.walk().map(|visit| visit.node.clone()).filter(|node| kind(&node.content)).collect()
    };
    if what[0] {
        let names: Vec<String> = other.nodes.items().iter().map(|node| node.name.clone()).collect();
        for ((_, node), name) in scene.nodes.iter_mut().zip(names) {
            if let Content::Mesh(mesh) = node.content {
                node.name.clone_from(&name);
                scene.meshes[mesh].name = name;
            }
        }
    }
    for ((_, mesh), new) in scene.meshes.iter_mut().zip(other.meshes.items()) {
        if what[1] {
            mesh.positions.clone_from(&new.positions);
        }
        if what[2] {
            mesh.uv_sets = Vec::new();
            mesh.color_sets = Vec::new();
            mesh.hard_edges.clone_from(&new.hard_edges);
        }
        if what[3] {
            mesh.face_flags.clone_from(&new.face_flags);
            mesh.mirror = new.mirror;
        }
    }
    if what[4] {
        for ((_, material), new) in scene.materials.iter_mut().zip(other.materials.items()) {
            let (name, textures) = (std::mem::take(&mut material.name), std::mem::take(&mut material.textures));
            *material = mapwright_scene::Material { name, textures, ..new.clone() };
            let has_texture =
                material.textures.iter().any(|slot| slot.usage == mapwright_scene::TextureUsage::BaseColor);
            assert!(!has_texture);
        }
        for ((_, image), new) in scene.images.iter_mut().zip(other.images.items()) {
            *image = new.clone();
        }
    }
    if what[5] {
        let places = others(other, |content| matches!(content, Content::Light(_)));
        let lights: Vec<_> = scene
            .nodes
            .iter()
            .filter(|(_, node)| matches!(node.content, Content::Light(_)))
            .map(|(id, _)| id)
            .collect();
        for (id, new) in lights.into_iter().zip(places) {
            if let (Content::Light(old), Content::Light(light)) = (scene.nodes[id].content.clone(), new.content) {
                scene.lights[old] = other.lights[light].clone();
                scene.nodes[id].transform = new.transform;
                scene.nodes[id].visible = new.visible;
            }
        }
    }
    if what[6] {
        let places = others(other, |content| matches!(content, Content::Camera(_)));
        let cameras: Vec<_> = scene
            .nodes
            .iter()
            .filter(|(_, node)| matches!(node.content, Content::Camera(_)))
            .map(|(id, _)| id)
            .collect();
        for (id, new) in cameras.into_iter().zip(places) {
            if let (Content::Camera(old), Content::Camera(camera)) = (scene.nodes[id].content.clone(), new.content) {
                scene.cameras[old] = other.cameras[camera].clone();
                scene.nodes[id].transform = new.transform;
                scene.nodes[id].name = new.name;
            }
        }
    }
    if what[7] && !scene.roots.is_empty() {
        let gone = scene.roots.remove(remove.index(scene.roots.len()));
        let below = scene.nodes[gone].children.clone();
        for set in &mut scene.sets {
            set.members.retain(|(node, _)| *node != gone && !below.contains(node));
        }
        scene.sets.retain(|set| !set.members.is_empty());
    }
    scenes::only_visible(&mut scene);
    scene
}

/// Copies the values of a scene with the same nodes.
fn copy(scene: &mut Scene, from: &Scene) {
    let keys: Vec<Option<String>> = scene.nodes.items().iter().map(|node| node.key.clone()).collect();
    assert_eq!(keys, from.nodes.items().iter().map(|node| node.key.clone()).collect::<Vec<_>>());
    *scene = from.clone();
}
