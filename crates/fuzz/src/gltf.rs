//! Bodies for glTF 2.0, in either container.

use mapwright_interchange::{Files, NoFiles, gltf};
use mapwright_scene::{Import, Scene};
use mapwright_testkit::{debugdiff, laws};

use crate::scene::{check_whole, refusal};
use crate::target::Target;
use crate::wings;

/// The targets of glTF.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 64, ..gltf("gltf_read") },
    Target { body: roundtrip, memory: 256, ..gltf("gltf_roundtrip") },
];

const fn gltf(name: &'static str) -> Target {
    Target { name, format: "gltf", files: "wings", cut: glb_of, inputs: FILES, ..Target::NEW }
}

const FILES: &[&[u8]] = &[
    br#"{"asset":{"version":"2.0"}}"#,
    br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"translation":[1,2,3]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":4,"material":0}]}],"materials":[{"doubleSided":true}],
    "buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]}"#,
];

/// Reads; what is accepted is a whole scene.
pub fn read(bytes: &[u8]) {
    let import = |bytes: &[u8]| gltf::to_scene(bytes, &NoFiles, &gltf::ImportOptions::default()).map_err(refusal);
    if let Some(import) = laws::total(bytes, import) {
        check_whole(&import.scene);
    }
}

/// What is written of a scene is read again as a whole scene. Reading settles some things once; from then on the nodes and
/// the faces of every mesh stay. Numbers may move by their last bit, for directions are brought to length 1 each time.
pub fn roundtrip(bytes: &[u8]) {
    let Ok(Import { scene, .. }) = gltf::to_scene(bytes, &NoFiles, &gltf::ImportOptions::default()) else { return };
    let Ok(first) = gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()) else { return };
    let second = reread(&first.document);
    let export = gltf::from_scene(&second, &NoFiles, &gltf::ExportOptions::default());
    let export = export.unwrap_or_else(|error| panic!("what was written and read is not written: {error}"));
    let third = reread(&export.document);
    assert!(second.nodes.len() == third.nodes.len(), "the nodes change");
    let faces = |scene: &Scene| scene.meshes.items().iter().map(|mesh| mesh.faces.clone()).collect::<Vec<_>>();
    assert!(faces(&second) == faces(&third), "the faces change\n{}", debugdiff(&faces(&second), &faces(&third)));
}

fn reread(files: &Files) -> Scene {
    let import = gltf::to_scene(&files.main, files, &gltf::ImportOptions::default());
    let import = import.unwrap_or_else(|error| panic!("what was written is refused: {error}"));
    check_whole(&import.scene);
    import.scene
}

/// The `.glb` of a Wings 3D file.
fn glb_of(file: &[u8]) -> Option<Vec<u8>> {
    let scene = wings::scene_of(file)?;
    Some(gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).ok()?.document.main)
}
