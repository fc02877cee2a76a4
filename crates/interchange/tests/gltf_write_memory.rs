//! The memory that writing large terrains takes. One test, because it measures the heap.
#![cfg(feature = "gltf")]

use mapwright_interchange::{NoFiles, gltf};
use mapwright_scene::*;
use mapwright_testkit::{PeakAlloc, peak_of};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

#[test]
fn a_terrain_takes_a_few_times_what_is_written() {
    let mut scene = Scene::default();
    let grass = scene.materials.push(Material::new("grass"));
    let side = 600_u32;
    let terrain = scene.terrains.push(Terrain {
        name: "island".into(),
        size: [side; 2],
        spacing: [50.0, -50.0],
        heights: Heights::Steps {
            step: 0.045,
            values: (0..side * side).map(|i| i16::try_from(i % 777).unwrap()).collect(),
        },
        diagonal: Diagonal::Anti,
        cell_size: [side; 2],
        cells: (0..side * side).map(|i| i / 5 % 3).collect(),
        materials: vec![None, Some(grass)],
        sea_level: None,
        attributes: Vec::new(),
        properties: Properties::new(),
    });
    scene.add_node(None, Node::new("terrain", Content::Terrain(terrain)));
    let count = 200_000_u32;
    let place = |i: u32| [f64::from(i % 29_000), 32_768.0, -f64::from(i / 7)];
    let affine = (0..count).map(|i| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], place(i)]);
    let set = scene.instance_sets.push(InstanceSet {
        models: vec![Model::Reference("tree.p3d".into())],
        model: vec![0; count as usize],
        transforms: InstanceTransforms::Affine(affine.collect()),
        ids: (0..count.into()).collect(),
        on_ground: vec![true; count as usize],
        ..InstanceSet::default()
    });
    scene.add_node(None, Node::new("trees", Content::InstanceSet(set)));

    let (export, peak) =
        peak_of(&HEAP, || gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).unwrap());
    let length = export.document.main.len();
    assert!(length > 20 << 20, "{length}");
    assert!(peak <= 4 * length, "{peak} bytes of heap at the peak for {length} of the document");
}
