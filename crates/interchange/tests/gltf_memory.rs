//! Small documents that ask for much memory. One test, because it measures the heap.
#![cfg(feature = "gltf")]

use mapwright_interchange::{Category, gltf};
use mapwright_scene::{ImageSource, NoFiles, Pixels};
use mapwright_testkit::{PeakAlloc, peak_of};

#[path = "all/gltf/documents.rs"]
mod documents;
use documents::{floats, glb, json, mesh};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The limit of expanded bytes in this test.
const BUDGET: u64 = 64 << 20;

/// A mesh of so many primitives, each with so many UV sets, of one column of zeros.
fn sets(primitives: usize, sets: usize, corners: usize) -> Vec<u8> {
    let uvs: Vec<String> = (0..sets).map(|set| format!(r#""TEXCOORD_{set}":1"#)).collect();
    let accessors = format!(
        r#"{{"componentType":5126,"count":{corners},"type":"VEC3"}},{{"componentType":5126,"count":{corners},"type":"VEC2"}}"#
    );
    let first = format!(r#"{{"attributes":{{"POSITION":0,{}}}}}"#, uvs.join(","));
    let rest = vec![r#",{"attributes":{"POSITION":0}}"#; primitives - 1].concat();
    mesh(&floats(&[0.0]), &[], &accessors, &format!("{first}{rest}"))
}

/// Returns a document with `count` images of one buffer view.
fn images(count: usize, note: &str, png: &[u8]) -> Vec<u8> {
    let image = format!(r#"{{"bufferView":0,"mimeType":"image/png"{note}}}"#);
    let views = format!(r#"{{"buffer":0,"byteLength":{}}}"#, png.len());
    let buffers = format!(r#"{{"byteLength":{}}}"#, png.len());
    let images = vec![image; count].join(",");
    glb(&json(&format!(r#""scenes":[{{}}],"images":[{images}],"bufferViews":[{views}],"buffers":[{buffers}]"#)), png)
}

/// A PNG of many white pixels, made by the exporter.
fn large_png() -> Vec<u8> {
    use mapwright_scene::{Content, Image, Material, Mesh, Node, PixelFormat, Scene, TextureSlot, TextureUsage};
    let mut scene = Scene::default();
    let pixels = Pixels { width: 4096, height: 2048, format: PixelFormat::Rgb8, data: vec![255; 3 << 23] };
    let image = scene.images.push(Image { name: "white".into(), source: ImageSource::Pixels(pixels) });
    let mut material = Material::new("white");
    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
    let material = scene.materials.push(material);
    let mesh = scene.meshes.push(Mesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        faces: [[0, 1, 2]].into_iter().collect(),
        face_materials: vec![Some(material)],
        ..Mesh::default()
    });
    scene.add_node(None, Node::new("", Content::Mesh(mesh)));
    let options = gltf::ExportOptions::default().with_container(gltf::Container::Gltf);
    gltf::from_scene(&scene, &NoFiles, &options).unwrap().document.side.pop().unwrap().data
}

#[test]
fn the_expanded_size_of_small_documents_is_bounded() {
    let many_buffers = vec![r#"{"byteLength":1,"uri":"a.bin"}"#; 100_000 / 16].join(",");
    let many_buffers = json(&format!(r#""scenes":[{{}}],"buffers":[{many_buffers}]"#)).into_bytes();
    let png = large_png();
    let cases = [
        ("sets", sets(1, 1000, 300_000), true),
        ("primitives and sets", sets(5000, 5000, 30), true),
        ("images", images(20_000, "", &vec![7; 300_000]), true),
        ("pixels", images(40, r#","extras":{"mapwright":{"pixels":true}}"#, &png), false),
        ("buffers", many_buffers, false),
    ];
    let files = |_: &str| Some(vec![0; 1 << 20]);
    for (name, document, refused) in cases {
        let options = gltf::ImportOptions::default().with_max_bytes(BUDGET);
        let (import, peak) = peak_of(&HEAP, || gltf::to_scene(&document, &files, &options));
        let most = 2 * usize::try_from(BUDGET).unwrap() + 64 * document.len();
        assert!(peak <= most, "{name}: {peak} bytes of heap at the peak for {} of the document", document.len());
        match import {
            Ok(import) => {
                assert!(!refused, "{name}: not refused");
                let decoded = |image: &&mapwright_scene::Image| matches!(image.source, ImageSource::Pixels(_));
                let decoded = import.scene.images.items().iter().filter(decoded).count();
                assert_eq!(decoded, usize::from(name == "pixels"), "{name}");
            }
            Err(error) => assert!(refused && error.category() == Category::Limit, "{name}: {error}"),
        }
        // The limit of the defaults grows with the document, but holds as well.
        let (_, peak) = peak_of(&HEAP, || gltf::to_scene(&document, &files, &gltf::ImportOptions::default()).is_ok());
        assert!(peak <= (512 << 20) + 256 * document.len(), "{name}: {peak} bytes with the default limit");
    }
}
