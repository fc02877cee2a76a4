//! What documents mean, and back.
#![cfg(feature = "scene")]

use std::path::{Path, PathBuf};
use std::process::Command;

use mapwright_scene::{Content, Mesh, Node, Scene};
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};

fn import(document: &Document) -> Scene {
    to_scene(document, &ImportOptions::default()).unwrap().scene
}

fn wings_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => wings_files(&path, files),
            false if path.extension().is_some_and(|extension| extension == "wings") => files.push(path),
            false => {}
        }
    }
}

/// The files of the corpus; says so if there are none.
fn corpus(part: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/wings").join(part);
    let mut files = Vec::new();
    wings_files(&folder, &mut files);
    if files.is_empty() {
        eprintln!("SKIPPED: no corpus at {}", folder.display());
    }
    files
}

#[test]
fn every_file_means_a_whole_scene_and_merging_it_back_changes_no_byte() {
    for file in corpus("") {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(mut document) = Document::from_bytes(&bytes) else { continue };
        let Ok(read) = to_scene(&document, &ImportOptions::default()) else { continue };
        let problems = read.scene.validate();
        let broken: Vec<_> = problems.iter().filter(|p| p.severity == mapwright_scene::Severity::Broken).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", file.display());
        let losses = merge_scene(&mut document, &read.scene, &ExportOptions::default()).unwrap();
        assert!(losses.is_empty());
        assert_eq!(document.to_bytes().unwrap(), bytes, "{}", file.display());
    }
}

/// A change that is taken back makes the way through the whole writer, not only the comparison.
#[test]
fn a_new_node_beside_the_old_ones_leaves_them_as_they_are() {
    for file in corpus("") {
        let Ok(document) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        let Ok(model) = document.model() else { continue };
        if model.version != 2 || file.components().any(|part| part.as_os_str() == "probes") {
            continue;
        }
        let mut scene = import(&document);
        let mesh = scene.meshes.push(cube());
        scene.add_node(None, Node::new("new", Content::Mesh(mesh)));
        let mut changed = document.clone();
        merge_scene(&mut changed, &scene, &ExportOptions::default()).unwrap();
        let after = changed.model().unwrap();
        assert_eq!(after.shapes[..model.shapes.len()], model.shapes, "{}", file.display());
        assert_eq!(after.shapes.len(), model.shapes.len() + 1);
        assert_eq!(after.materials, model.materials, "{}", file.display());
        assert_eq!((after.lights(), after.views(), after.images()), (model.lights(), model.views(), model.images()));
    }
}

fn cube() -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [4, 5, 7, 6], [0, 4, 6, 2], [2, 6, 7, 3]];
    Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

/// Rings from their smallest vertex on, so that the start of a ring does not count.
fn faces(mesh: &Mesh) -> Vec<Vec<String>> {
    let describe = |face: usize| {
        let corners = mesh.faces.corner_range(face).unwrap().map(|corner| {
            let uv = mesh.uv_sets.first().and_then(|set| set.corners[corner]);
            let color = mesh.color_sets.first().and_then(|set| set.corners[corner]);
            format!("{} {uv:?} {color:?}", mesh.faces.corners()[corner])
        });
        let mut corners: Vec<String> = corners.collect();
        let ring = mesh.faces.get(face).unwrap();
        let least = (0..ring.len()).min_by_key(|&place| ring[place]).unwrap();
        corners.rotate_left(least);
        corners.push(format!("{:?}", mesh.flags(face)));
        corners
    };
    (0..mesh.faces.len()).map(describe).collect()
}

/// `wh verify` on a file, if the variable `MAPWRIGHT_WH` says where that program is.
fn verify(files: &[PathBuf]) {
    let Some(wh) = std::env::var_os("MAPWRIGHT_WH") else {
        eprintln!("SKIPPED: MAPWRIGHT_WH does not name a program that loads and saves in Wings 3D");
        return;
    };
    let output = Command::new(wh).arg("verify").args(files).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let bad: Vec<&str> = text.lines().filter(|line| !line.starts_with("OK")).collect();
    assert!(output.status.success() && bad.is_empty(), "{bad:#?} {}", String::from_utf8_lossy(&output.stderr));
    eprintln!("{} files are fine", text.lines().count());
}

#[test]
fn documents_made_of_scenes_mean_the_same_and_please_the_program() {
    let folder = std::env::temp_dir().join(format!("mapwright-wings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut written = Vec::new();
    for file in corpus("") {
        if file.components().any(|part| part.as_os_str() == "probes") {
            continue;
        }
        let document = Document::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
        let scene = import(&document);
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        let path = folder.join(format!("{}.wings", written.len()));
        std::fs::write(&path, export.document.to_bytes().unwrap()).unwrap();
        written.push(path);
        let again = import(&export.document);
        let name = file.display();
        assert_eq!(again.meshes.len(), scene.meshes.len(), "{name}");
        let repaired = export.losses.count(mapwright_scene::LossKind::Repaired);
        let nodes = |scene: &Scene| -> Vec<(String, bool, bool, usize)> {
            scene.walk().map(|v| (v.node.name.clone(), v.node.visible, v.node.locked, v.node.children.len())).collect()
        };
        assert_eq!(nodes(&again), nodes(&scene), "{name}");
        if repaired == 0 {
            let order = |scene: &Scene| -> Vec<usize> {
                scene
                    .walk()
                    .filter_map(|visit| match visit.node.content {
                        Content::Mesh(mesh) => Some(mesh.index()),
                        _ => None,
                    })
                    .collect()
            };
            for (old, new) in order(&scene).into_iter().zip(order(&again)) {
                let (old, new) = (&scene.meshes.items()[old], &again.meshes.items()[new]);
                assert_eq!(new.positions, old.positions, "{name}");
                assert_eq!((&new.hard_edges, new.mirror), (&old.hard_edges, old.mirror), "{name}");
                if old.uv_sets.is_empty()
                    || !export.losses.iter().any(|loss| loss.text.contains("texture coordinates of"))
                {
                    assert_eq!(faces(new), faces(old), "{name}");
                }
            }
        }
        assert_eq!(again.images, scene.images, "{name}");
        assert_eq!(again.materials, scene.materials, "{name}");
        assert_eq!((&again.lights, &again.cameras), (&scene.lights, &scene.cameras), "{name}");
    }
    verify(&written);
    std::fs::remove_dir_all(&folder).unwrap();
}
