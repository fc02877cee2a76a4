//! Tile grids of Dota 2.

use mapwright_scene::{Content, Scene};
use mapwright_vmap::dmx::{ElementId, Reference, Value};
use mapwright_vmap::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_vmap::{Document, WriteError};

/// A map with a grid of 3 × 2 cells, whose heights are 0 to 11.
fn map(heights: i32) -> Document {
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world()?;
        let grid = map.add_group(world)?;
        map.add_entity(grid, "info_target")?;
        let graph = map.graph_mut();
        let layer = graph.push("CDmeDotaTileGrid", "", mapwright_vmap::dmx::Guid::from_hash(b"layer"));
        graph.set(layer, "gridWidth", Value::Int(3));
        graph.set(layer, "gridHeight", Value::Int(2));
        graph.set(layer, "verticesHeight", Value::IntArray((0..heights).collect()));
        graph.set(grid, "layerData", Value::ElementArray([Reference::Element(layer)].into()));
        graph.set(grid, "origin", Value::Vector3([-384.0, -256.0, 128.0]));
        let class = graph.intern("CMapDotaTileGrid");
        graph.elements[grid.index()].class = class;
        Ok::<ElementId, WriteError>(grid)
    })
    .unwrap();
    map
}

fn mesh_points(scene: &Scene) -> Vec<[f64; 3]> {
    let visit = scene.walk().find(|visit| matches!(visit.node.content, Content::Mesh(_))).unwrap();
    let Content::Mesh(id) = visit.node.content else { unreachable!() };
    scene.meshes[id].positions.iter().map(|&point| visit.world.point(point)).collect()
}

#[test]
fn grids_are_surfaces() {
    let import = to_scene(&map(12), &ImportOptions::default()).unwrap();
    let points = mesh_points(&import.scene);
    // X is east; north is −Z.
    assert_eq!(
        (points.len(), points[0], points[11]),
        (12, [-384.0, 128.0, 256.0], [384.0, 128.0 + 11.0 * 128.0, -256.0])
    );
    let mesh = import.scene.meshes.iter().next().unwrap().1;
    assert!(mesh.face_normal(0).unwrap()[1] > 0.0);
    assert_eq!(points[3], [384.0, 128.0 + 3.0 * 128.0, 256.0]);
    let texts: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.starts_with("approximated: nodes[2]: tile grid as a surface")), "{texts:?}");
}

#[test]
fn grids_whose_sizes_differ_stay_groups() {
    let import = to_scene(&map(11), &ImportOptions::default()).unwrap();
    assert_eq!(import.scene.meshes.len(), 0);
    assert!(import.losses.iter().any(|loss| loss.text.contains("does not fit")), "{:?}", import.losses);
}

#[test]
fn unchanged_grids_stay_as_they_are() {
    let map = map(12);
    let mut scene = to_scene(&map, &ImportOptions::default()).unwrap().scene;
    let mut merged = map.clone();
    // Another change, so that the scene is written.
    scene.nodes.iter_mut().last().unwrap().1.name = "renamed".to_owned();
    let losses = merge_scene(&mut merged, &scene, &ExportOptions::default()).unwrap();
    assert!(losses.iter().all(|loss| !loss.text.contains("tile grid")), "{losses:?}");
    let grid = |map: &Document| map.graph().iter().find(|element| element.is("CDmeDotaTileGrid")).unwrap().id();
    assert!(
        merged.graph().elements[grid(&merged).index()].attributes
            == map.graph().elements[grid(&map).index()].attributes
    );
    assert!(merged.nodes().all(|visit| visit.node.mesh().is_none()));
    scene.meshes.iter_mut().next().unwrap().1.positions[0][1] = 1.0;
    let losses = merge_scene(&mut merged, &scene, &ExportOptions::default()).unwrap();
    assert!(losses.iter().any(|loss| loss.text == "changes of the surface of a tile grid"), "{losses:?}");
    // A new map has the same grid.
    let new = from_scene(&to_scene(&map, &ImportOptions::default()).unwrap().scene, &ExportOptions::default()).unwrap();
    let layer = new.document.graph().iter().find(|element| element.is("CDmeDotaTileGrid")).unwrap();
    assert_eq!(layer.int("gridWidth"), Some(3));
    assert!(new.losses.iter().all(|loss| !loss.text.contains("tile grid")), "{:?}", new.losses);
    // Without its layers, the surface is a mesh.
    let mut scene = to_scene(&map, &ImportOptions::default()).unwrap().scene;
    for (_, node) in scene.nodes.iter_mut() {
        node.properties.entries.retain(|(name, _)| name != "layerData");
    }
    let new = from_scene(&scene, &ExportOptions::default()).unwrap();
    assert!(new.document.nodes().any(|visit| visit.node.mesh().is_some()));
    assert!(new.losses.iter().any(|loss| loss.text.contains("CMapDotaTileGrid")), "{:?}", new.losses);
}
