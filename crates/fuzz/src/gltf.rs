//! Bodies for glTF 2.0, in either container.

use mapwright_interchange::gltf;
use mapwright_scene::{Files, Import, Material, Mesh, NoFiles, Node, Scene};
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

/// Options with a limit that the law of memory can see: those of the defaults begin far above 16 MiB.
fn options(bytes: &[u8]) -> gltf::ImportOptions {
    let length = bytes.len() as u64;
    gltf::ImportOptions::default().with_max_bytes((4 << 20) + 16 * length).with_max_objects(5_000 + length / 64)
}

/// Reads. An accepted input is a valid scene.
pub fn read(bytes: &[u8]) {
    let import = |bytes: &[u8]| gltf::to_scene(bytes, &NoFiles, &options(bytes)).map_err(refusal);
    if let Some(import) = laws::total(bytes, import) {
        check_whole(&import.scene);
    }
}

/// Checks that the output of a scene is read again as a valid scene. The first reading may normalize it. From then on only numbers may
/// change in their last bit, because directions are normalized each time.
pub fn roundtrip(bytes: &[u8]) {
    let Ok(Import { scene, .. }) = gltf::to_scene(bytes, &NoFiles, &options(bytes)) else { return };
    let Ok(first) = gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()) else { return };
    let second = reread(&first.document);
    let export = gltf::from_scene(&second, &NoFiles, &gltf::ExportOptions::default());
    let export = export.unwrap_or_else(|error| panic!("a written document cannot be read and written again: {error}"));
    let third = reread(&export.document);
    let nodes = |scene: &Scene| -> Vec<_> {
        let node = |node: &Node| {
            let Node { name, children, content, visible, locked, properties, key, transform: _ } = node.clone();
            (name, children, content, visible, locked, properties, key)
        };
        scene.nodes.items().iter().map(node).collect()
    };
    same("nodes", &nodes(&second), &nodes(&third));
    same("roots", &second.roots, &third.roots);
    let meshes = |scene: &Scene| -> Vec<_> {
        let mesh = |mesh: &Mesh| {
            let mesh = mesh.clone();
            let mapped = mesh.uv_sets.iter().map(|set| set.corners.iter().map(|uv| uv.is_some()).collect::<Vec<_>>());
            let uvs: Vec<_> = mesh.uv_sets.iter().map(|set| (set.name.clone(), set.origin)).zip(mapped).collect();
            (mesh.name, mesh.positions.len(), mesh.faces, mesh.face_materials, mesh.face_flags, uvs, mesh.properties)
        };
        scene.meshes.items().iter().map(mesh).collect()
    };
    same("meshes", &meshes(&second), &meshes(&third));
    let materials = |scene: &Scene| -> Vec<_> {
        let material = |material: &Material| {
            let material = material.clone();
            (material.name, material.textures, material.alpha, material.vertex_colors, material.properties)
        };
        scene.materials.items().iter().map(material).collect()
    };
    same("materials", &materials(&second), &materials(&third));
    same("images", &second.images, &third.images);
    same("entities", &second.entities, &third.entities);
    same("properties", &second.properties, &third.properties);
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, second: &T, third: &T) {
    assert!(second == third, "the {what} change\n{}", debugdiff(second, third));
}

fn reread(files: &Files) -> Scene {
    let import = gltf::to_scene(&files.main, files, &gltf::ImportOptions::default());
    let import = import.unwrap_or_else(|error| panic!("the written document is refused: {error}"));
    check_whole(&import.scene);
    import.scene
}

/// The `.glb` of a Wings 3D file.
fn glb_of(file: &[u8]) -> Option<Vec<u8>> {
    let scene = wings::scene_of(file)?;
    Some(gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).ok()?.document.main)
}
