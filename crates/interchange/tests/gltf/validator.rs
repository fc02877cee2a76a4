//! Khronos' validator finds nothing wrong with what is written.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use mapwright_interchange::{
    NoFiles,
    gltf::{Container, ExportOptions, from_scene},
};

use super::scenes::{faithful, lossy};

/// The folder that holds `node_modules/gltf-validator`: named by the environment, or among the judges of the workspace.
fn judge() -> Option<PathBuf> {
    let judges = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/judges");
    let folder = std::env::var_os("MAPWRIGHT_GLTF_VALIDATOR").map_or(judges, PathBuf::from);
    folder.join("node_modules/gltf-validator").is_dir().then_some(folder)
}

#[test]
fn the_validator_of_khronos_has_no_complaints() {
    let Some(judge) = judge() else {
        eprintln!("SKIPPED: no gltf-validator; set MAPWRIGHT_GLTF_VALIDATOR to the folder with its node_modules");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf-validator");
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for (name, scene) in faithful().into_iter().chain(lossy()) {
        for (container, polygons) in [(Container::Glb, true), (Container::Glb, false), (Container::Gltf, true)] {
            let extension = if container == Container::Glb { "glb" } else { "gltf" };
            let name = format!("{name}_{polygons}");
            let options = ExportOptions::default().with_container(container).with_polygons(polygons).with_name(&name);
            let files = from_scene(&scene, &NoFiles, &options).unwrap().document;
            // A picture that is only named is not there to be found.
            if files.main.windows(8).any(|window| window == b"away.png") {
                continue;
            }
            let path = folder.join(format!("{name}.{extension}"));
            std::fs::write(&path, files.main).unwrap();
            for file in files.side {
                std::fs::write(folder.join(file.name), file.data).unwrap();
            }
            paths.push(path);
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validate_gltf.js");
    let output = Command::new("node").arg(script).arg(judge).args(&paths).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), paths.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let complaints: Vec<&str> = lines.lines().filter(|line| !line.contains(r#""errors":0,"warnings":0,"#)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    for line in lines.lines() {
        println!("{line}");
    }
}
