//! Maps through scenes.
#![cfg(all(feature = "vmap", feature = "wings", feature = "gltf", feature = "obj"))]

use std::fs;

use mapwright::dmx::Guid;
use mapwright::info::{SceneInfo, VmapInfo};
use mapwright::scene::NoFiles;
use mapwright::scene::{AxisChange, Content, LossKind, Scene};
use mapwright::vmap::mesh::{Mesh, Stream, StreamData};
use mapwright::vmap::scene::Subdivision;
use mapwright::vmap::{NodeKind, Transform};
use mapwright::{AnyDocument, Axis, Conversion, ConvertOptions, Error, Format, ReadOptions, convert};
use mapwright_testkit::workspace;

/// A vertical triangle on the ground: 2 units wide, 5 units high.
const STANDING: &[u8] = b"o Sail\nv 0 0 0\nv 2 0 0\nv 0 5 0\nf 1 2 3\n";

fn room() -> Vec<u8> {
    fs::read(workspace().join("fixtures/vmap/room.vmap")).unwrap()
}

fn convert_to(bytes: &[u8], format: Format, options: &ConvertOptions) -> Conversion {
    convert(AnyDocument::from_bytes(bytes).unwrap(), format, &NoFiles, options).unwrap()
}

fn map_of(bytes: &[u8], options: &ConvertOptions) -> VmapInfo {
    let made = convert_to(bytes, Format::Vmap, options).files.main;
    VmapInfo::new(AnyDocument::from_bytes(&made).unwrap().as_vmap().unwrap())
}

/// Returns `true` if two boxes are equal within the precision of 32 bits and angles.
#[track_caller]
fn same(found: Option<[[f64; 3]; 2]>, expected: [[f64; 3]; 2]) {
    let found = found.unwrap();
    let far =
        found.iter().flatten().zip(expected.iter().flatten()).any(|(found, expected)| (found - expected).abs() > 1e-4);
    assert!(!far, "{found:?} is not {expected:?}");
}

fn scene(bytes: &[u8]) -> Scene {
    AnyDocument::from_bytes(bytes).unwrap().into_scene().unwrap().scene
}

#[test]
fn a_map_becomes_metres_with_y_up() {
    let conversion = convert_to(&room(), Format::Glb, &ConvertOptions::default());
    assert_eq!(conversion.source.meshes, 4);
    let scene = scene(&conversion.files.main);
    let lamp = scene.walk().find(|visit| visit.node.name == "lamp").unwrap();
    let metres = lamp.world.point([0.0; 3]).map(|number| number * scene.metres_per_unit.unwrap());
    same(Some([metres; 2]), [[0.0, 96.0 * 0.0254, 0.0]; 2]);
    // The two crates of a group are at the position of its instance.
    let places = scene.walk().filter(|visit| matches!(visit.node.content, Content::Mesh(_)));
    let places: Vec<[f64; 3]> = places.map(|visit| visit.world.point([0.0; 3])).collect();
    assert_eq!(places.len(), 4);
    assert_eq!(places.iter().filter(|[x, _, z]| (x + 64.0).abs() < 1e-3 && (z - 64.0).abs() < 1e-3).count(), 2);
    // A file without a unit has the numbers of the map.
    let obj = convert_to(&room(), Format::Obj, &ConvertOptions::default()).files.main;
    let scene = AnyDocument::from_bytes(&obj).unwrap().to_scene().unwrap().scene;
    let bounds = SceneInfo::new(&scene, AxisChange::NONE).bounds;
    same(bounds, [[-128.0; 3], [128.0; 3]]);
}

#[test]
fn scenes_without_a_unit_keep_their_numbers() {
    let unchanged = map_of(STANDING, &ConvertOptions::default());
    same(unchanged.totals.bounds, [[0.0; 3], [2.0, 0.0, 5.0]]);
    let options = ConvertOptions::default().with_scale(10.0);
    same(map_of(STANDING, &options).totals.bounds, [[0.0; 3], [20.0, 0.0, 50.0]]);
    // Y of a source with Z up points to where −Z of scenes does, which is Y of maps.
    let options = ConvertOptions::default().with_source_up(Axis::Z);
    same(map_of(STANDING, &options).totals.bounds, [[0.0; 3], [2.0, 5.0, 0.0]]);
}

#[test]
fn metres_become_inches() {
    let mut file = AnyDocument::from_bytes(STANDING).unwrap().into_scene_file().unwrap();
    file.import.scene.metres_per_unit = Some(1.0);
    let conversion = convert(file.into(), Format::Vmap, &NoFiles, &ConvertOptions::default()).unwrap();
    let map = VmapInfo::new(AnyDocument::from_bytes(&conversion.files.main).unwrap().as_vmap().unwrap());
    let inches = |metres: f64| metres / 0.0254;
    let [_, [x, y, z]] = map.totals.bounds.unwrap();
    assert!((x - inches(2.0)).abs() < 1e-4 && y.abs() < 1e-4 && (z - inches(5.0)).abs() < 1e-4, "{x} {y} {z}");
}

#[test]
fn changed_maps_are_converted_through_the_scene() {
    let doubled = map_of(&room(), &ConvertOptions::default().with_scale(2.0));
    same(doubled.totals.bounds, [[-256.0; 3], [256.0; 3]]);
    let part = map_of(&room(), &ConvertOptions::default().with_only(vec![mapwright::Query::equal("name", "lamp")]));
    assert_eq!((part.totals.entities, part.totals.meshes), (1, 0));
    // That Z is up goes without saying.
    let options = ConvertOptions::default().with_source_up(Axis::Z).with_target_up(Axis::Z);
    assert!(convert_to(&room(), Format::Vmap, &options).files.main == room());
    let document = AnyDocument::from_bytes(&room()).unwrap();
    let refused = convert(document, Format::Vmap, &NoFiles, &ConvertOptions::default().with_target_up(Axis::Y));
    assert!(matches!(refused, Err(Error::Unsupported { format: Format::Vmap, .. })));
}

#[test]
fn scenes_become_maps_as_text() {
    let options = ConvertOptions::default();
    let [binary, text] =
        [Format::Vmap, Format::KeyValues2].map(|format| convert_to(STANDING, format, &options).files.main);
    assert!(text.starts_with(b"<!-- dmx encoding keyvalues2 4 format vmap "));
    assert!(convert_to(&text, Format::Vmap, &options).files.main == binary);
}

#[test]
fn owned_and_borrowed_bytes_give_the_same_document() {
    let text = convert_to(STANDING, Format::KeyValues2, &ConvertOptions::default()).files.main;
    for (bytes, format) in [(text, Format::Vmap), (room(), Format::Dmx), (b"\x83j".to_vec(), Format::Etf)] {
        let [lent, given] = [
            AnyDocument::from_bytes_as(&bytes, format, &ReadOptions::default()),
            AnyDocument::from_vec_as(bytes.clone(), format, &ReadOptions::default()),
        ];
        assert!(lent.unwrap() == given.unwrap(), "{}", format.name());
    }
}

#[test]
fn maps_of_wings_scenes_have_no_errors() {
    let torus = fs::read(workspace().join("fixtures/wings/torus.wings")).unwrap();
    let conversion = convert_to(&torus, Format::Vmap, &ConvertOptions::default());
    let map = AnyDocument::from_bytes(&conversion.files.main).unwrap();
    assert!(map.validate().iter().all(|finding| finding.severity < mapwright::io::Severity::Error));
    let vmap = VmapInfo::new(map.as_vmap().unwrap());
    assert_eq!((vmap.totals.meshes, conversion.source.meshes), (2, 2));
    assert!(vmap.totals.entities >= 1 && conversion.losses.lost_count() > 0);
}

#[test]
fn hidden_objects_are_converted_on_request() {
    let chairs = |options: &ConvertOptions| {
        let scene = scene(&convert_to(&room(), Format::Glb, options).files.main);
        scene.walk().filter(|visit| visit.node.name == "prop_static").map(|visit| visit.visible).collect::<Vec<_>>()
    };
    assert_eq!(chairs(&ConvertOptions::default()), [false; 0]);
    assert_eq!(chairs(&ConvertOptions::default().with_hidden(true)), [false]);
}

#[test]
fn prefabs_survive_glb() {
    let mut map = mapwright::vmap::Document::new();
    map.edit(|map| {
        let world = map.world()?;
        let prefab = map.add_prefab(world, "maps/prefabs/pillar.vmap")?;
        map.set_name(prefab, "pillar")?;
        for (name, text) in [("variableOverrideNames", "height"), ("variableOverrideValues", "64")] {
            let texts = map.graph_mut().string_array([text]);
            map.graph_mut().set(prefab, name, texts);
        }
        map.set_transform(prefab, Transform { origin: [1.0, 2.0, 3.0], ..Transform::IDENTITY })
    })
    .unwrap();
    let glb = convert_to(&map.to_bytes().unwrap(), Format::Glb, &ConvertOptions::default());
    assert!(
        !glb.losses.iter().any(|loss| loss.path.to_string().starts_with("nodes") && loss.kind != LossKind::Preserved)
    );
    let again = convert_to(&glb.files.main, Format::Vmap, &ConvertOptions::default()).files.main;
    let again = mapwright::vmap::Document::from_bytes(&again).unwrap();
    let found = again.nodes().find(|visit| visit.node.name() == b"pillar").unwrap().node;
    let NodeKind::Prefab(prefab) = found.kind() else { panic!("{found:?}") };
    assert_eq!(prefab.path(), b"maps/prefabs/pillar.vmap");
    let overrides: Vec<_> = prefab.overrides().collect();
    assert_eq!(overrides.len(), 1);
    let origin = found.transform().origin;
    assert!(origin.iter().zip([1.0, 2.0, 3.0]).all(|(found, expected)| (found - expected).abs() < 1e-3), "{origin:?}");
}

#[test]
fn subdivision_of_faces_is_optional() {
    let quad = convert_to(b"v 0 0 0\nv 8 0 0\nv 8 8 0\nv 0 8 0\nf 1 2 3 4\n", Format::Vmap, &ConvertOptions::default());
    let mut map = AnyDocument::from_bytes(&quad.files.main).unwrap().into_vmap().unwrap();
    let id = map.nodes().find_map(|visit| visit.node.mesh()?.data()).unwrap().id();
    let mut mesh = Mesh::from_element(map.graph().element(id).unwrap()).unwrap();
    for (face, corner) in mesh.edge_face_indices.iter().zip(&mesh.edge_vertex_data_indices) {
        mesh.subdivision_data.levels[usize::try_from(*corner).unwrap()] = if *face >= 0 { 2 } else { 0 };
    }
    mesh.subdivision_data.streams = vec![Stream::new("displacement", 0, StreamData::Vector3(vec![[0.0; 3]; 4 * 9]))];
    mesh.write_to_element(map.graph_mut(), id, || Guid::NIL);
    let fine = ConvertOptions::default().with_subdivision(Subdivision::Fine);
    for format in [Format::Glb, Format::Vmap, Format::KeyValues2] {
        let faces = |options| {
            let made = convert(map.clone().into(), format, &NoFiles, options).unwrap().files.main;
            scene(&made).meshes.items()[0].faces.len()
        };
        assert_eq!((faces(&ConvertOptions::default()), faces(&fine)), (1, 16), "{format}");
    }
}

#[test]
fn new_maps_have_the_requested_format() {
    for version in [18, 29, 40] {
        let options = ConvertOptions::default().with_map_format(version);
        assert_eq!(map_of(STANDING, &options).format_version, version);
        assert_eq!(map_of(&room(), &options).format_version, version);
    }
    // A map that has it already stays as it is.
    let same = convert_to(&room(), Format::Vmap, &ConvertOptions::default().with_map_format(40));
    assert!(same.files.main == room());
    for version in [0, 17, 41] {
        let options = ConvertOptions::default().with_map_format(version);
        let refused = convert(AnyDocument::from_bytes(STANDING).unwrap(), Format::Vmap, &NoFiles, &options);
        assert!(matches!(refused, Err(Error::MapFormat(refused)) if refused == version));
    }
}
