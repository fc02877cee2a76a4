//! Quake maps: found by their content, converted to other formats and from them.
#![cfg(all(feature = "map", feature = "wad", feature = "gltf", feature = "obj"))]

use mapwright::interchange::{NoFiles, map::ProjectionFormat};
use mapwright::{AnyDocument, ConvertOptions, Format, convert, detect};

const MAP: &str = "// Game: Quake\n{\n\"classname\" \"worldspawn\"\n{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) side 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) side 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) top 0 0 0 1 1
( 64 32 16 ) ( 64 33 16 ) ( 65 32 16 ) top 0 0 0 1 1
( 64 32 16 ) ( 65 32 16 ) ( 64 32 17 ) side 0 0 0 1 1
( 64 32 16 ) ( 64 32 17 ) ( 64 33 16 ) side 0 0 0 1 1\n}\n}
{\n\"classname\" \"light\"\n\"origin\" \"0 0 64\"\n}\n";

fn document(bytes: &[u8]) -> AnyDocument {
    AnyDocument::from_bytes(bytes).unwrap()
}

#[test]
fn maps_become_models() {
    assert_eq!(detect(MAP.as_bytes(), Some("e1m1.map".as_ref())).format, Some(Format::Map));
    let glb = convert(document(MAP.as_bytes()), Format::Glb, &NoFiles, &ConvertOptions::default()).unwrap();
    assert_eq!((glb.source.brushes, glb.source.lights, glb.source.materials), (1, 1, 2));
    assert!(glb.losses.iter().any(|loss| loss.text.contains("64 × 64")), "{:?}", glb.losses);
    let scene = document(&glb.files.main).into_scene().unwrap().scene;
    let mesh = &scene.meshes.items()[0];
    assert_eq!((mesh.positions.len(), mesh.volume()), (8, 64.0 * 32.0 * 16.0));
    assert_eq!(scene.metres_per_unit, Some(1.0 / 32.0));
}

#[test]
fn textures_are_read_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    // The header of an image of 32 × 16 pixels.
    let tga = [&[0, 0, 2][..], &[0; 9], &[32, 0, 16, 0, 24, 0]].concat();
    std::fs::write(folder.path().join("SIDE.tga"), tga).unwrap();
    let textures = mapwright::TextureFolder::open(folder.path()).unwrap();
    let options = ConvertOptions::default().with_textures(textures);
    let glb = convert(document(MAP.as_bytes()), Format::Glb, &NoFiles, &options).unwrap();
    let losses: Vec<String> = glb.losses.iter().map(ToString::to_string).collect();
    assert!(losses.iter().any(|loss| loss.ends_with("images that the folder does not contain: 1")), "{losses:?}");
    assert!(losses.iter().any(|loss| loss.contains("size of 1 texture")), "{losses:?}");
    let scene = document(&glb.files.main).into_scene().unwrap().scene;
    let widest = scene.meshes.items()[0].uv_sets[0].corners.iter().flatten().map(|[u, _]| u.abs()).fold(0.0, f64::max);
    assert_eq!(widest, 2.0, "64 units of 32 texels");
}

#[test]
fn models_survive_quake_maps() {
    let obj = convert(document(MAP.as_bytes()), Format::Obj, &NoFiles, &ConvertOptions::default()).unwrap();
    let valve = ConvertOptions::default().with_projection(ProjectionFormat::Valve);
    let map = convert(document(&obj.files.main), Format::Map, &NoFiles, &valve).unwrap();
    let text = String::from_utf8(map.files.main).unwrap();
    assert!(text.contains("// Format: Valve") && text.matches("( 64 ").count() > 0, "{text}");
    let same = convert(document(MAP.as_bytes()), Format::Map, &NoFiles, &ConvertOptions::default()).unwrap();
    let body = |text: &str| text.split_once("{\n").unwrap().1.to_owned();
    assert_eq!(body(&String::from_utf8(same.files.main).unwrap()), body(MAP));
    assert!(same.losses.is_empty(), "{:?}", same.losses);
    let twice = ConvertOptions::default().with_scale(2.0);
    let twice = convert(document(MAP.as_bytes()), Format::Map, &NoFiles, &twice).unwrap();
    assert!(String::from_utf8(twice.files.main).unwrap().contains("\"origin\" \"0 0 128\""));
}
