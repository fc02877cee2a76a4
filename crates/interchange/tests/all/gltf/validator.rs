//! Khronos' validator finds nothing wrong with what is written.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use mapwright_interchange::gltf::{Container, ExportOptions, from_scene};
use mapwright_scene::{Files, NoFiles};

use super::scenes::{brushes, faithful, lossy};

/// The folder `node_modules` with the validator: below the folder that the environment names, or below the one that
/// `cargo xtask conformance gltf --install` fills.
fn judge() -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../conformance");
    let folder = std::env::var_os("MAPWRIGHT_GLTF_VALIDATOR").map_or(installed, PathBuf::from).join("node_modules");
    folder.join("gltf-validator").is_dir().then_some(folder)
}

/// Has the validator look at documents, each with its name, in a folder of their own.
pub(crate) fn validate(folder: &str, documents: impl IntoIterator<Item = (String, Files)>) {
    let Some(judge) = judge() else {
        // Not eprintln!, which the test harness swallows.
        let text = "SKIPPED: no gltf-validator; `cargo xtask conformance gltf --install` fetches it";
        let _ = writeln!(std::io::stderr(), "{text}");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for (name, files) in documents {
        let path = folder.join(name);
        std::fs::write(&path, files.main).unwrap();
        for file in files.side {
            std::fs::write(folder.join(file.name), file.data).unwrap();
        }
        paths.push(path);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/src/validate-gltf.js");
    let output = Command::new("node").env("NODE_PATH", judge).arg(script).args(&paths).output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains(&format!(": {} files, 0 with errors", paths.len())), "{report}");
}

#[test]
fn the_validator_of_khronos_has_no_complaints() {
    let mut documents = Vec::new();
    for (name, scene) in faithful().into_iter().chain(lossy()).chain([("brushes", brushes())]) {
        for (container, polygons) in [(Container::Glb, true), (Container::Glb, false), (Container::Gltf, true)] {
            let extension = if container == Container::Glb { "glb" } else { "gltf" };
            let name = format!("{name}_{polygons}");
            let options = ExportOptions::default().with_container(container).with_polygons(polygons).with_name(&name);
            let files = from_scene(&scene, &NoFiles, &options).unwrap().document;
            // Images that are only named are missing.
            if !files.main.windows(8).any(|window| window == b"away.png") {
                documents.push((format!("{name}.{extension}"), files));
            }
        }
    }
    validate("gltf-validator", documents);
}
