//! The memory that writing large terrains and meshes takes. One test, because it measures the heap.
#![cfg(feature = "gltf")]

use mapwright_interchange::gltf;
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use mapwright_testkit::{PeakAlloc, peak_of};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

#[test]
fn terrains_and_meshes_take_a_few_times_what_is_written() {
    check(&terrain(), 4.0);
    // The estimate of meshes is 5.3 times the size. The memory for it is requested and released before anything is written.
    check(&mesh(true), 5.5);
    check(&mesh(false), 5.5);
}

/// Checks the peak of memory in multiples of the file.
fn check(scene: &Scene, most: f64) {
    let (export, peak) = peak_of(&HEAP, || gltf::from_scene(scene, &NoFiles, &gltf::ExportOptions::default()).unwrap());
    let length = export.document.main.len();
    assert!(length > 20 << 20, "{length}");
    #[expect(clippy::cast_precision_loss, reason = "the sizes are far below 2^52")]
    let factor = peak as f64 / length as f64;
    assert!(factor <= most, "{peak} bytes of heap at the peak for {length} of the document: {factor:.2}");
}

/// Creates a grid of quads with texture coordinates.
fn mesh(has_normals: bool) -> Scene {
    let side = 600_u32;
    let places = || (0..=side).flat_map(|y| (0..=side).map(move |x| [f64::from(x), f64::from(y)]));
    let positions = places().map(|[x, y]| [x, (x * y) % 7.0, y]).collect();
    let corner = |x: u32, y: u32| y * (side + 1) + x;
    let faces: Faces = (0..side)
        .flat_map(|y| (0..side).map(move |x| [corner(x, y), corner(x, y + 1), corner(x + 1, y + 1), corner(x + 1, y)]))
        .collect();
    let of_corners = faces.corners().to_vec();
    let uvs = CornerColumn::from_rows(places().collect(), of_corners.clone()).unwrap();
    let normals = CornerColumn::from_rows(places().map(|_| [0.0, 1.0, 0.0]).collect(), of_corners).unwrap();
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(Mesh {
        positions,
        faces,
        uv_sets: vec![UvSet { corners: uvs, ..UvSet::default() }],
        normals: has_normals.then_some(normals),
        ..Mesh::default()
    });
    scene.add_node(None, Node::new("grid", Content::Mesh(mesh)));
    scene
}

/// Creates a large terrain and many instances on it.
fn terrain() -> Scene {
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
    scene
}
