//! NaN and signed zeros: unchanged numbers keep all bits.

use mapwright_scene::Content;
use mapwright_vmap::dmx::{ElementId, Value};
use mapwright_vmap::mesh::{Stream, StreamData};
use mapwright_vmap::scene::{ExportOptions, from_scene, merge_scene};
use mapwright_vmap::{Document, MapMesh, Mesh};
use proptest::prelude::*;

use super::maps::import;
use super::scenes::rich;

const COLUMN: &str = "paint:7";

fn first_mesh(document: &Document) -> (ElementId, Mesh) {
    let found = document.nodes().find_map(|visit| Some((visit.node.id(), visit.node.mesh().and_then(MapMesh::data)?)));
    let (node, mesh) = found.unwrap();
    (node, Mesh::from_element(mesh).unwrap())
}

/// A map whose streams repeat these bits in each kind of data.
fn map(bits: &[u32]) -> Document {
    let mut document = from_scene(&rich(), &ExportOptions::default()).unwrap().document;
    let (node, mut mesh) = first_mesh(&document);
    let mut all = bits.iter().map(|bits| f32::from_bits(*bits)).cycle();
    let mut rows = |size: i32| -> Vec<[f32; 4]> { (0..size).map(|_| [0; 4].map(|_| all.next().unwrap())).collect() };
    for data in [&mut mesh.vertex_data, &mut mesh.face_vertex_data, &mut mesh.face_data] {
        let new = rows(data.size);
        let floats = new.iter().map(|row| row[0]).collect();
        data.streams.push(Stream::new("paint", 7, StreamData::Vector4(new)));
        data.streams.push(Stream::new("number", 1, StreamData::Float(floats)));
    }
    document.edit(|map| map.set_mesh(node, &mesh)).unwrap();
    let (node, _) = first_mesh(&document);
    let number = f32::from_bits(bits[0]);
    document.graph_mut().set(node, "p_number", Value::Float(number));
    document.graph_mut().set(node, "p_numbers", Value::Vector3([0.5, number, -0.0]));
    let output = document.graph().iter().find(|element| element.is("DmeConnectionData")).unwrap().id();
    document.graph_mut().set(output, "delay", Value::Float(number));
    Document::from_bytes(&document.to_bytes().unwrap()).unwrap()
}

fn numbers(document: &Document) -> Vec<StreamData> {
    let (_, mesh) = first_mesh(document);
    let all = [mesh.vertex_data, mesh.face_vertex_data, mesh.face_data].into_iter().flat_map(|data| data.streams);
    let all = all.filter(|stream| stream.name == COLUMN.as_bytes() || stream.name == b"number:1");
    all.map(|stream| stream.data).collect()
}

fn check(bits: &[u32]) {
    let before = map(bits);
    let scene = import(&before);
    assert!(scene == scene.clone());
    let mut same = before.clone();
    assert!(merge_scene(&mut same, &scene, &ExportOptions::default()).unwrap().is_empty());
    assert!(same.to_bytes().unwrap() == before.to_bytes().unwrap());

    // The same next to a change.
    let mut changed = scene.clone();
    let id =
        scene.nodes.iter().find_map(|(_, node)| if let Content::Mesh(id) = node.content { Some(id) } else { None });
    let mesh = &mut changed.meshes[id.unwrap()];
    mesh.positions[0][1] += 8.0;
    merge_scene(&mut same, &changed, &ExportOptions::default()).unwrap();
    assert_eq!(numbers(&same), numbers(&before));
    merge_scene(&mut same, &scene, &ExportOptions::default()).unwrap();
    assert!(same.to_bytes().unwrap() == before.to_bytes().unwrap());

    // The same next to a change in the same row.
    let mesh = &mut changed.meshes[id.unwrap()];
    let column = mesh.attributes.iter_mut().find(|attribute| attribute.name == COLUMN).unwrap();
    column.values[1] = 0.25;
    merge_scene(&mut same, &changed, &ExportOptions::default()).unwrap();
    let flat = |data: &StreamData| match data {
        StreamData::Vector4(rows) => rows.as_flattened().iter().map(|number| number.to_bits()).collect(),
        _ => Vec::new(),
    };
    let (old, new) = (numbers(&before), numbers(&same));
    let different: usize =
        old.iter().zip(&new).map(|(a, b)| flat(a).iter().zip(flat(b)).filter(|(a, b)| *a != b).count()).sum();
    assert!(different <= 1, "{different}");
    assert!(new.iter().any(|data| flat(data).contains(&0.25_f32.to_bits())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn unchanged_numbers_keep_all_bits(
        bits in prop::collection::vec(prop_oneof![
            // Quiet and signalling NaN of either sign with any payload, both zeros, both infinities, and random bits.
            any::<u32>().prop_map(|bits| bits | 0x7F80_0001),
            prop::sample::select(vec![0, 1 << 31, 0x7F80_0000, 0xFF80_0000, 1]),
            any::<u32>(),
        ], 1..9),
    ) {
        check(&bits);
    }
}
