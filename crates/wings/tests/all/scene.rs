//! Conversion between documents and scenes.
#![cfg(feature = "scene")]

mod corpus;
mod materials;
mod merge;
mod meshes;
mod program;
#[allow(dead_code)]
use crate::scenes;
mod sets;

use mapwright_scene::{Content, Node, Scene};
use mapwright_wings::scene::{ExportOptions, from_scene};
use program::Written;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use scenes::{cube, scene_of};

#[test]
fn scenes_of_every_construct_are_valid() {
    let mut written = Written::new("scenes");
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let scene = scenes::scene().new_tree(&mut runner).unwrap().current();
        written.add(&from_scene(&scene, &ExportOptions::default()).unwrap().document);
    }
    written.verify();
}

#[test]
fn groups_in_groups_become_folders_of_bounded_names() {
    let mut scene = Scene::default();
    let mut group = None;
    for depth in 0..20_000 {
        let mesh = scene.meshes.push(cube());
        group = Some(scene.add_node(group, Node::new(format!("g{depth}"), Content::Group)));
        if depth % 200 == 1 {
            scene.add_node(group, Node::new("it", Content::Mesh(mesh)));
        }
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let folders: Vec<String> = export.document.model().unwrap().objects().filter_map(|(_, o)| o.folder()).collect();
    assert_eq!((folders.len(), folders[0].as_str()), (100, "g0/g1"));
    assert!(folders[99].ends_with("/g19800/g19801") && folders.iter().all(|folder| folder.len() <= 255));
    let lost = export.losses.iter().filter(|loss| loss.text.contains("outer groups")).count();
    assert_eq!(lost, 100);
}

#[test]
fn inconsistent_scenes_are_rejected() {
    let mut scene = scene_of(cube());
    scene.meshes[mapwright_scene::Id::new(0)].faces.push(&[0, 1, 99]);
    let error = from_scene(&scene, &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("meshes[0].faces"), "{error}");
}
