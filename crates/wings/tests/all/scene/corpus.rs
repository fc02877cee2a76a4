//! Real files as scenes, and back. Skipped, with a message, without a corpus.

use std::path::{Path, PathBuf};
use std::process::Command;

use mapwright_scene::{Content, Mesh, Node, Scene};
use mapwright_testkit::files_below;
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, scene_to_bytes, to_scene};

use super::program::Written;
use crate::corpus::LARGE;
use crate::scenes::{cube, import, mesh_value};

/// The small files of the corpus.
fn files() -> Vec<PathBuf> {
    let files = mapwright_testkit::corpus("wings").map(|folder| files_below(&folder)).unwrap_or_default();
    let is_large = |path: &Path| std::fs::metadata(path).is_ok_and(|file| file.len() >= LARGE as u64);
    let scenes = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "wings"));
    scenes.filter(|path| !is_large(path)).collect()
}

fn is_probe(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "probes")
}

#[test]
#[ignore = "needs the corpus"]
fn every_corpus_file_converts_and_merging_it_back_changes_no_byte() {
    for file in files() {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(mut document) = Document::from_bytes(&bytes) else { continue };
        let Ok(read) = to_scene(&document, &ImportOptions::default()) else { continue };
        let problems = read.scene.validate();
        let broken: Vec<_> = problems.iter().filter(|p| p.severity == mapwright_scene::Severity::Error).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", file.display());
        let losses = merge_scene(&mut document, &read.scene, &ExportOptions::default()).unwrap();
        assert!(losses.is_empty());
        assert_eq!(document.to_bytes().unwrap(), bytes, "{}", file.display());
    }
}

/// A change that is undone runs the complete writer, not only the comparison.
#[test]
#[ignore = "needs the corpus"]
fn a_new_node_leaves_the_others_unchanged() {
    for file in files() {
        let Ok(document) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        let Ok(model) = document.model() else { continue };
        if model.version != 2 || is_probe(&file) {
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

#[test]
#[ignore = "needs the corpus"]
fn documents_from_scenes_are_equal_and_valid() {
    let mut written = Written::new("corpus");
    for file in files() {
        if is_probe(&file) {
            continue;
        }
        let document = Document::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
        let scene = import(&document);
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        written.add(&export.document);
        let bytes = scene_to_bytes(&scene, &ExportOptions::default()).unwrap();
        assert!(bytes.document == export.document.to_bytes().unwrap(), "{}", file.display());
        assert_eq!(bytes.losses, export.losses, "{}", file.display());
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
                    assert_eq!(mesh_value(new).faces, mesh_value(old).faces, "{name}");
                    assert_eq!(mesh_value(new).uv_sets, mesh_value(old).uv_sets, "{name}");
                    assert_eq!(mesh_value(new).color_sets, mesh_value(old).color_sets, "{name}");
                }
            }
        }
        assert_eq!(again.images, scene.images, "{name}");
        assert_eq!(again.materials, scene.materials, "{name}");
        assert_eq!((&again.lights, &again.cameras), (&scene.lights, &scene.cameras), "{name}");
    }
    written.verify();
}

/// Compares faces with those that an independent reader prints, with their vertices, texture coordinates and colours bit for bit.
/// The variable `MAPWRIGHT_WINGS_DUMP` names the reader: `dump --full FILE` prints lines `face N Material Flags Corner…`.
#[test]
#[ignore = "needs the corpus"]
fn an_independent_reader_finds_the_same_corners() {
    let Some(reader) = std::env::var_os("MAPWRIGHT_WINGS_DUMP") else {
        eprintln!("SKIPPED: MAPWRIGHT_WINGS_DUMP does not name an independent reader");
        return;
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (mut read, mut count) = (0, 0_usize);
    for file in files() {
        let Ok(document) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        if is_probe(&file) || document.model().unwrap().version != 2 || file.ends_with("torus_100k.wings") {
            continue;
        }
        let output = Command::new(&reader).args(["dump", "--full"]).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let mut objects: Vec<Vec<&str>> = Vec::new();
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("object ") {
                objects.push(Vec::new());
            } else if let (true, Some(faces)) = (line.starts_with("face "), objects.last_mut()) {
                faces.push(line);
            }
        }
        let scene = import(&document);
        let mut meshes: Vec<(usize, Mesh)> = Vec::new();
        for visit in scene.walk() {
            if let (Content::Mesh(mesh), Some(key)) = (&visit.node.content, &visit.node.key) {
                let number = key.trim_start_matches("shapes[").trim_end_matches(']').parse().unwrap();
                meshes.push((number, mesh_value(&scene.meshes[*mesh])));
            }
        }
        assert_eq!(meshes.len(), objects.len(), "{}", file.display());
        for (number, mesh) in meshes {
            let colored = !mesh.color_sets.is_empty();
            let mut ours: Vec<String> = Vec::new();
            for face in 0..mesh.faces.len() {
                let corner = |corner: usize| {
                    let mut text = mesh.faces.corners()[corner].to_string();
                    if let Some([u, v]) = mesh.uv_sets.first().and_then(|set| set.corners.get(corner)) {
                        text += &format!("/{},{}", hex(&u.to_be_bytes()), hex(&v.to_be_bytes()));
                    }
                    if let Some([r, g, b, _]) = mesh.color_sets.first().and_then(|set| set.corners.get(corner)) {
                        text += &format!("#{}", [r, g, b].map(|c| hex(&c.to_be_bytes())).join(","));
                    }
                    text
                };
                ours.push(mesh.faces.corner_range(face).unwrap().map(corner).collect::<Vec<_>>().join(" "));
            }
            let white = |corner: &str| match colored && !corner.contains('#') {
                true => format!("{corner}#3f800000,3f800000,3f800000"),
                false => corner.to_owned(),
            };
            // Names of materials may contain spaces. Corners begin with a digit and follow the flags.
            let theirs = |line: &&str| {
                let words: Vec<&str> = line.split(' ').collect();
                let corners = words.iter().rposition(|word| !word.starts_with(|c: char| c.is_ascii_digit())).unwrap();
                words[corners + 1..].iter().map(|corner| white(corner)).collect::<Vec<_>>().join(" ")
            };
            let theirs: Vec<String> = objects[number].iter().map(theirs).collect();
            assert_eq!(ours, theirs, "{} object {number}", file.display());
            count += ours.len();
        }
        read += 1;
    }
    eprintln!("{count} faces of {read} files agree");
}
