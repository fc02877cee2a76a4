//! Real models of Wings 3D, there and back, and before the validator.

use std::fs;

use mapwright_interchange::gltf::{ExportOptions, ImportOptions, from_scene, to_scene};
use mapwright_scene::{Mesh, NoFiles, Scene, Severity, Smoothing};
use mapwright_testkit::{corpus, files_below, workspace};
use mapwright_wings as wings;

use super::validator::validate;

/// The scenes of the fixtures and of the local corpus, with the name of the file.
fn scenes() -> Vec<(String, Scene)> {
    // Says loudly if there is none.
    let folders = [Some(workspace().join("fixtures/wings")), corpus("wings")];
    let (mut scenes, mut refused) = (Vec::new(), 0);
    for path in folders.iter().flatten().filter(|folder| folder.is_dir()).flat_map(|folder| files_below(folder)) {
        if path.extension().is_none_or(|extension| extension != "wings") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        // Some files of the corpus are there to be refused.
        let Ok(document) = wings::Document::from_bytes(&bytes) else {
            refused += 1;
            continue;
        };
        let Ok(import) = wings::scene::to_scene(&document, &wings::scene::ImportOptions::default()) else {
            refused += 1;
            continue;
        };
        let problems = import.scene.validate();
        let broken = problems.iter().find(|problem| problem.severity == Severity::Error);
        assert_eq!(broken, None, "{}", path.display());
        scenes.push((path.display().to_string(), import.scene));
    }
    println!("{} scenes, {refused} files refused", scenes.len());
    assert!(scenes.len() > 3 * refused, "{refused} files refused, {} read", scenes.len());
    scenes
}

/// Returns `true` if a mesh is written completely: with all its faces and each hard edge.
fn is_whole(mesh: &Mesh) -> bool {
    let mut used = mesh.faces.corners().to_vec();
    used.sort_unstable();
    used.dedup();
    used.len() == mesh.positions.len()
        && mesh.smoothing == Smoothing::Smooth
        && std::ptr::eq(&*mesh.surface(), mesh)
        && mesh.faces.iter().all(|face| {
            let mut once = face.to_vec();
            once.sort_unstable();
            once.dedup();
            once.len() == face.len()
        })
}

#[test]
fn real_models_keep_their_polygons_and_edges() {
    let mut compared = 0;
    for (name, scene) in scenes() {
        let options = ExportOptions::default().with_hidden(true);
        let glb = from_scene(&scene, &NoFiles, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let once = to_scene(&glb.document.main, &NoFiles, &ImportOptions::default()).unwrap();
        assert!(once.losses.is_empty(), "{name}: {:?}", once.losses);
        let again = from_scene(&once.scene, &NoFiles, &options).unwrap();
        let twice = to_scene(&again.document.main, &NoFiles, &ImportOptions::default()).unwrap();
        let same = once.scene.meshes.items().iter().zip(twice.scene.meshes.items()).find(|(a, b)| a != b);
        assert!(same.is_none(), "{name}: {:?} changes when it is written again", same.map(|(a, _)| &a.name));
        assert!(twice.scene == once.scene, "{name} changes when it is written again");

        let shown = |mesh: &&Mesh| !mesh.faces.is_empty();
        for (was, is) in scene.meshes.items().iter().filter(shown).zip(once.scene.meshes.items()) {
            assert_eq!(was.name, is.name, "{name}");
            if is_whole(was) {
                compared += 1;
                assert!(was.faces == is.faces, "{name}: the faces of {} differ", was.name);
                assert!(was.hard_edges == is.hard_edges, "{name}: the hard edges of {} differ", was.name);
                let near = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= a.abs() * 1e-7);
                assert!(was.positions.iter().zip(&is.positions).all(|(a, b)| near(a, b)), "{name}: {}", was.name);
                for (was_set, set) in was.uv_sets.iter().zip(&is.uv_sets) {
                    assert_eq!(was_set.origin, set.origin);
                    let near =
                        |a: [f64; 2], b: [f64; 2]| (0..2).all(|i| (a[i] - b[i]).abs() <= a[i].abs().max(1.0) * 1e-6);
                    let same = was_set.corners.iter().zip(set.corners.iter()).all(|(a, b)| match (a, b) {
                        (Some(a), Some(b)) => near(a, b),
                        // A face that is mapped in part comes back unmapped.
                        (_, b) => b.is_none(),
                    });
                    assert!(same, "{name}: the texture coordinates of {} differ", was.name);
                }
                for (was_set, set) in was.color_sets.iter().zip(&is.color_sets) {
                    let same = was_set.corners.iter().zip(set.corners.iter()).all(|(a, b)| match (a, b) {
                        (Some([r, g, b, _]), Some(is)) => {
                            let linear = scene.color_space.to_linear([r, g, b].map(|c| f64::from(c.clamp(0.0, 1.0))));
                            linear.iter().zip(is).all(|(a, b)| (a - f64::from(b)).abs() < 1e-6)
                        }
                        (a, b) => a.is_none() && b.is_none(),
                    });
                    assert!(same, "{name}: the colours of {} differ", was.name);
                }
            }
        }
    }
    println!("{compared} meshes compared");
    assert!(compared > 0);
}

#[test]
fn the_validator_has_no_complaints_about_real_models() {
    let files = scenes().into_iter().enumerate().map(|(index, (_, scene))| {
        let options = ExportOptions::default();
        (format!("{index:03}.glb"), from_scene(&scene, &NoFiles, &options).unwrap().document)
    });
    validate("gltf-corpus", files);
}
