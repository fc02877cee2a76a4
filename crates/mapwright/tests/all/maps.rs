//! Maps through scenes.
#![cfg(all(feature = "vmap", feature = "wings", feature = "gltf", feature = "obj"))]

use std::fs;

use mapwright::dmx::Guid;
use mapwright::info::VmapInfo;
use mapwright::interchange::NoFiles;
use mapwright::scene::{Content, LossKind, Scene};
use mapwright::vmap::mesh::{Mesh, Stream, StreamData};
use mapwright::vmap::scene::Subdivision;
use mapwright::vmap::{NodeKind, Transform};
use mapwright::{AnyDocument, Axis, Conversion, ConvertOptions, Error, Format, ReadOptions, convert};
use mapwright_testkit::workspace;

/// A triangle that stands on the ground: 2 to the right, 5 up.
const STANDING: &[u8] = b"o Sail\nv 0 0 0\nv 2 0 0\nv 0 5 0\nf 1 2 3\n";

fn room() -> Vec<u8> {
    fs::read(workspace().join("fixtures/vmap/room.vmap")).unwrap()
}

fn to(bytes: &[u8], format: Format, options: &ConvertOptions) -> Conversion {
    convert(AnyDocument::from_bytes(bytes).unwrap(), format, &NoFiles, options).unwrap()
}

fn map_of(bytes: &[u8], options: &ConvertOptions) -> VmapInfo {
    let made = to(bytes, Format::Vmap, options).files.main;
    AnyDocument::from_bytes(&made).unwrap().info(None).vmap.unwrap()
}

/// Whether two boxes are one, up to what 32 bits and angles leave of numbers.
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
    let conversion = to(&room(), Format::Glb, &ConvertOptions::default());
    assert_eq!(conversion.source.meshes, 4);
    let scene = scene(&conversion.files.main);
    let lamp = scene.walk().find(|visit| visit.node.name == "lamp").unwrap();
    let metres = lamp.world.point([0.0; 3]).map(|number| number * scene.metres_per_unit.unwrap());
    same(Some([metres; 2]), [[0.0, 96.0 * 0.0254, 0.0]; 2]);
    // The two crates of a group stand where its instance does.
    let places = scene.walk().filter(|visit| matches!(visit.node.content, Content::Mesh(_)));
    let places: Vec<[f64; 3]> = places.map(|visit| visit.world.point([0.0; 3])).collect();
    assert_eq!(places.len(), 4);
    assert_eq!(places.iter().filter(|[x, _, z]| (x + 64.0).abs() < 1e-3 && (z - 64.0).abs() < 1e-3).count(), 2);
    // A file that says nothing but numbers has those of the map.
    let obj = to(&room(), Format::Obj, &ConvertOptions::default()).files.main;
    let bounds = AnyDocument::from_bytes(&obj).unwrap().info(None).scene.unwrap().bounds;
    same(bounds, [[-128.0; 3], [128.0; 3]]);
}

#[test]
fn what_has_no_unit_keeps_its_numbers() {
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
    let AnyDocument::Scene(mut file) = AnyDocument::from_bytes(STANDING).unwrap() else { panic!("a scene") };
    file.import.scene.metres_per_unit = Some(1.0);
    let conversion = convert(AnyDocument::Scene(file), Format::Vmap, &NoFiles, &ConvertOptions::default()).unwrap();
    let map = AnyDocument::from_bytes(&conversion.files.main).unwrap().info(None).vmap.unwrap();
    let inches = |metres: f64| metres / 0.0254;
    let [_, [x, y, z]] = map.totals.bounds.unwrap();
    assert!((x - inches(2.0)).abs() < 1e-4 && y.abs() < 1e-4 && (z - inches(5.0)).abs() < 1e-4, "{x} {y} {z}");
}

#[test]
fn a_changed_map_takes_the_way_through_the_scene() {
    let doubled = map_of(&room(), &ConvertOptions::default().with_scale(2.0));
    same(doubled.totals.bounds, [[-256.0; 3], [256.0; 3]]);
    let part = map_of(&room(), &ConvertOptions::default().with_only(vec![mapwright::Query::equal("name", "lamp")]));
    assert_eq!((part.totals.entities, part.totals.meshes), (1, 0));
    // That Z is up goes without saying.
    let options = ConvertOptions::default().with_source_up(Axis::Z).with_target_up(Axis::Z);
    assert!(to(&room(), Format::Vmap, &options).files.main == room());
    let document = AnyDocument::from_bytes(&room()).unwrap();
    let refused = convert(document, Format::Vmap, &NoFiles, &ConvertOptions::default().with_target_up(Axis::Y));
    assert!(matches!(refused, Err(Error::Unsupported { format: Format::Vmap, .. })));
}

#[test]
fn any_scene_becomes_a_map_as_text() {
    let options = ConvertOptions::default();
    let [binary, text] = [Format::Vmap, Format::KeyValues2].map(|format| to(STANDING, format, &options).files.main);
    assert!(text.starts_with(b"<!-- dmx encoding keyvalues2 4 format vmap "));
    assert!(to(&text, Format::Vmap, &options).files.main == binary);
}

#[test]
fn what_is_given_away_reads_as_what_is_lent() {
    let text = to(STANDING, Format::KeyValues2, &ConvertOptions::default()).files.main;
    for (bytes, format) in [(text, Format::Vmap), (room(), Format::Dmx), (b"\x83j".to_vec(), Format::Etf)] {
        let [lent, given] = [
            AnyDocument::from_bytes_as(&bytes, format, &ReadOptions::default()),
            AnyDocument::from_vec_as(bytes.clone(), format, &ReadOptions::default()),
        ];
        assert!(lent.unwrap() == given.unwrap(), "{}", format.name());
    }
}

#[test]
fn a_map_of_a_wings_scene_is_sound() {
    let torus = fs::read(workspace().join("fixtures/wings/torus.wings")).unwrap();
    let conversion = to(&torus, Format::Vmap, &ConvertOptions::default());
    let map = AnyDocument::from_bytes(&conversion.files.main).unwrap();
    assert!(map.validate().iter().all(|finding| finding.severity < mapwright::io::Severity::Error));
    let vmap = map.info(None).vmap.unwrap();
    assert_eq!((vmap.totals.meshes, conversion.source.meshes), (2, 2));
    assert!(vmap.totals.entities >= 1 && conversion.losses.lost() > 0);
}

#[test]
fn hidden_things_are_taken_along_where_asked_for() {
    let chairs = |options: &ConvertOptions| {
        let scene = scene(&to(&room(), Format::Glb, options).files.main);
        scene.walk().filter(|visit| visit.node.name == "prop_static").map(|visit| visit.visible).collect::<Vec<_>>()
    };
    assert_eq!(chairs(&ConvertOptions::default()), [false; 0]);
    assert_eq!(chairs(&ConvertOptions::default().with_hidden(true)), [false]);
}

#[test]
fn prefabs_go_through_a_glb() {
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
    let glb = to(&map.to_bytes().unwrap(), Format::Glb, &ConvertOptions::default());
    assert!(!glb.losses.iter().any(|loss| loss.path.starts_with("nodes") && loss.kind != LossKind::Preserved));
    let again = to(&glb.files.main, Format::Vmap, &ConvertOptions::default()).files.main;
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
fn faces_of_maps_are_as_fine_as_asked_for() {
    let quad = to(b"v 0 0 0\nv 8 0 0\nv 8 8 0\nv 0 8 0\nf 1 2 3 4\n", Format::Vmap, &ConvertOptions::default());
    let AnyDocument::Vmap(mut map) = AnyDocument::from_bytes(&quad.files.main).unwrap() else { panic!("a map") };
    let id = map.nodes().find_map(|visit| visit.node.mesh()?.data()).unwrap().id();
    let mut mesh = Mesh::get(map.graph().element(id).unwrap()).unwrap();
    for (face, corner) in mesh.edge_face_indices.iter().zip(&mesh.edge_vertex_data_indices) {
        mesh.subdivision_data.levels[usize::try_from(*corner).unwrap()] = if *face >= 0 { 2 } else { 0 };
    }
    mesh.subdivision_data.streams = vec![Stream::new("displacement", 0, StreamData::Vector3(vec![[0.0; 3]; 4 * 9]))];
    mesh.put(map.graph_mut(), id, || Guid::NIL);
    let fine = ConvertOptions::default().with_subdivision(Subdivision::Fine);
    for format in [Format::Glb, Format::Vmap, Format::KeyValues2] {
        let faces = |options| {
            let made = convert(AnyDocument::Vmap(map.clone()), format, &NoFiles, options).unwrap().files.main;
            scene(&made).meshes.items()[0].faces.len()
        };
        assert_eq!((faces(&ConvertOptions::default()), faces(&fine)), (1, 16), "{format}");
    }
}

#[test]
fn new_maps_have_the_format_that_is_asked_for() {
    for version in [18, 29, 40] {
        let options = ConvertOptions::default().with_map_format(version);
        assert_eq!(map_of(STANDING, &options).format_version, version);
        assert_eq!(map_of(&room(), &options).format_version, version);
    }
    // A map that has it already stays as it is.
    let same = to(&room(), Format::Vmap, &ConvertOptions::default().with_map_format(40));
    assert!(same.files.main == room());
    for version in [0, 17, 41] {
        let options = ConvertOptions::default().with_map_format(version);
        let refused = convert(AnyDocument::from_bytes(STANDING).unwrap(), Format::Vmap, &NoFiles, &options);
        assert!(matches!(refused, Err(Error::MapFormat(refused)) if refused == version));
    }
}
