//! Exporters refuse scenes that make more than a limit before they make it.

use mapwright::interchange::{gltf, obj};
use mapwright::io::{Category, Error, ErrorKind};
use mapwright::qmap::scene as map;
use mapwright::scene::{
    Cell, Content, Export, Heights, InstanceSet, InstanceTransforms, Mesh, Model, NoFiles, Node, Scene, Terrain,
    TileLayer,
};
use mapwright::{heightmap, io, tiled, vmap, wings, wmp, wrp, wwd};

/// A strip of triangles that many nodes show.
fn copies(vertices: u32, nodes: usize) -> Scene {
    let mut scene = Scene::default();
    let mesh = Mesh {
        positions: (0..vertices).map(|vertex| [f64::from(vertex / 2), f64::from(vertex % 2), 0.0]).collect(),
        faces: (2..vertices).map(|vertex| [vertex - 2, vertex - 1, vertex]).collect(),
        ..Mesh::default()
    };
    let mesh = scene.meshes.push(mesh);
    for _ in 0..nodes {
        scene.add_node(None, Node::new("copy", Content::Mesh(mesh)));
    }
    scene
}

fn ground(side: u32) -> Scene {
    let mut scene = Scene::default();
    let values = vec![0; (side * side) as usize];
    let heights = Heights::Steps { step: 1.0, values };
    let cells = vec![0; (side * side) as usize];
    let terrain = Terrain { cell_size: [side; 2], cells, ..Terrain::new([side; 2], [1.0; 2], heights) };
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("ground", Content::Terrain(terrain)));
    scene
}

fn is_limit<K: ErrorKind>(error: &Error<K>) {
    assert_eq!(error.category(), Category::Limit, "{error}");
    assert!(error.help().unwrap().contains("max_bytes in the export options"), "{error}");
}

/// The same for the crates of level formats.
fn is_refused<T: std::fmt::Debug, K: io::ErrorKind>(result: Result<Export<T>, io::Error<K>>) {
    let error = result.unwrap_err();
    assert_eq!(error.kind().category(), io::Category::Limit);
    assert!(error.help().unwrap().contains("max_bytes in the export options"), "{error}");
}

/// A tetrahedron that many nodes show. Its number of sides is only known once it is converted.
fn tetrahedra(nodes: usize) -> Scene {
    let mut scene = copies(4, nodes);
    let mesh = scene.meshes.iter_mut().next().unwrap().1;
    mesh.positions = vec![[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    mesh.faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].into_iter().collect();
    scene
}

/// A layer of 100,000 empty cells.
fn tiles() -> Scene {
    let mut scene = Scene::default();
    let cells = vec![Cell::EMPTY; 100_000];
    let layer = TileLayer { size: [1000, 100], tile_size: [64; 2], cells, ..TileLayer::default() };
    let layer = scene.tile_layers.push(layer);
    scene.add_node(None, Node::new("layer", Content::TileLayer(layer)));
    scene
}

#[test]
fn copies_of_meshes_are_refused_by_wings() {
    use wings::scene::{ExportOptions, from_scene, scene_to_bytes};
    let [many, few] = [copies(10_000, 10_000), copies(10, 10)];
    let (options, small) = (ExportOptions::default(), ExportOptions::default().with_max_bytes(1000));
    is_refused(from_scene(&many, &options));
    is_refused(scene_to_bytes(&many, &options));
    assert!(from_scene(&few, &options).is_ok());
    assert!(scene_to_bytes(&few, &options).is_ok());
    is_refused(from_scene(&few, &small));
    is_refused(scene_to_bytes(&few, &small));
}

#[test]
fn copies_of_meshes_are_refused_by_vmap() {
    use vmap::scene::{ExportOptions, from_scene};
    // Nodes with properties get copies of their mesh. Others share it.
    let mut scene = copies(10_000, 10_000);
    scene.nodes.iter_mut().for_each(|(_, node)| node.properties.push("note", 1));
    is_refused(from_scene(&scene, &ExportOptions::default()));
    let shared = copies(100, 1000);
    assert!(from_scene(&shared, &ExportOptions::default().with_max_bytes(4_000_000)).is_ok());
    is_refused(from_scene(&shared, &ExportOptions::default().with_max_bytes(1000)));
}

#[test]
fn faces_of_blocks_are_counted_on_the_way() {
    use wmp::scene::{ExportOptions, from_scene};
    let scene = tetrahedra(1000);
    assert_eq!(from_scene(&scene, &ExportOptions::default()).unwrap().document.blocks.len(), 1000);
    // More than the nodes alone.
    is_refused(from_scene(&scene, &ExportOptions::default().with_max_bytes(500_000)));
}

#[test]
fn meshes_that_are_no_blocks_are_not_tried_for_every_node() {
    let export = wmp::scene::from_scene(&copies(20_000, 2000), &Default::default()).unwrap();
    assert!(export.document.blocks.is_empty());
    let skipped = export.losses.iter().find(|loss| loss.text.contains("more nodes that use the mesh"));
    assert!(skipped.is_some_and(|loss| loss.path == "meshes[0]"));
}

#[test]
fn heights_are_refused_by_terrains_and_maps() {
    use wrp::scene::{ExportOptions, from_scene};
    let scene = ground(100);
    assert!(from_scene(&scene, &ExportOptions::default()).is_ok());
    is_refused(from_scene(&scene, &ExportOptions::default().with_max_bytes(20_000)));
    is_refused(vmap::scene::from_scene(&ground(2000), &Default::default()));
}

#[test]
fn cells_of_planes_are_refused() {
    use wwd::scene::{ExportOptions, from_scene};
    assert!(from_scene(&tiles(), &ExportOptions::default()).is_ok());
    is_refused(from_scene(&tiles(), &ExportOptions::default().with_max_bytes(399_999)));
}

#[test]
fn copies_of_meshes_are_refused_by_formats_that_do_not_share_them() {
    let scene = copies(10_000, 10_000);
    is_limit(&obj::from_scene(&scene, &obj::ExportOptions::default()).unwrap_err());
    assert!(gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).is_ok());
    let few = gltf::ExportOptions::default().with_max_bytes(100_000);
    is_limit(&gltf::from_scene(&scene, &NoFiles, &few).unwrap_err());
}

#[test]
fn rows_of_sets_are_not_copies_of_nodes() {
    let mut scene = copies(10_000, 0);
    let mesh = scene.meshes.ids().next().unwrap();
    let rows = 10_000;
    let transforms =
        InstanceTransforms::Affine(vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]; rows]);
    let set =
        InstanceSet { models: vec![Model::Mesh(mesh)], model: vec![0; rows], transforms, ..InstanceSet::default() };
    let set = scene.instance_sets.push(set);
    scene.add_node(None, Node::new("set", Content::InstanceSet(set)));
    assert!(obj::from_scene(&scene, &obj::ExportOptions::default()).is_ok());
    assert!(gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default()).is_ok());
}

#[test]
fn meshes_that_are_no_brushes_are_not_tried_for_every_node() {
    let export = map::from_scene(&copies(20_000, 2000), &map::ExportOptions::default()).unwrap();
    let skipped = export.losses.iter().find(|loss| loss.text.contains("more nodes that use the mesh"));
    assert!(skipped.is_some_and(|loss| loss.path == "meshes[0]"));
}

#[test]
fn faces_of_a_quake_map_are_counted_on_the_way() {
    let scene = tetrahedra(1000);
    assert!(map::from_scene(&scene, &map::ExportOptions::default()).is_ok());
    is_refused(map::from_scene(&scene, &map::ExportOptions::default().with_max_bytes(300_000)));
}

#[test]
fn heights_are_refused() {
    let scene = ground(300);
    is_limit(&obj::from_scene(&scene, &obj::ExportOptions::default().with_max_bytes(1_000_000)).unwrap_err());
    let few = gltf::ExportOptions::default().with_max_bytes(1_000_000);
    is_limit(&gltf::from_scene(&scene, &NoFiles, &few).unwrap_err());
    for format in [heightmap::Format::Asc, heightmap::Format::Xyz, heightmap::Format::Tif, heightmap::Format::Png] {
        let options = heightmap::ExportOptions::default().with_format(format);
        assert!(heightmap::from_scene(&scene, &options).is_ok(), "{format:?}");
        is_limit(&heightmap::from_scene(&scene, &options.with_max_bytes(50_000)).unwrap_err());
    }
    let options = heightmap::cells::ExportOptions::default();
    assert!(heightmap::cells::from_scene(&scene, &options).is_ok());
    is_limit(&heightmap::cells::from_scene(&scene, &options.with_max_bytes(50_000)).unwrap_err());
}

#[test]
fn text_that_is_longer_than_estimated_is_refused() {
    // Every height is estimated with two bytes, and takes five.
    let options = heightmap::ExportOptions::default().with_format(heightmap::Format::Asc).with_max_bytes(400_000);
    is_limit(&heightmap::from_scene(&ground(300), &options).unwrap_err());
}

#[test]
fn cells_of_tiles_are_refused() {
    let scene = tiles();
    let options = tiled::scene::ExportOptions::default();
    assert!(tiled::scene::from_scene(&scene, &NoFiles, &options).is_ok());
    is_refused(tiled::scene::from_scene(&scene, &NoFiles, &options.with_max_bytes(100_000)));
}
