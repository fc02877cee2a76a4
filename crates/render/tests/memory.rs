//! Scenes that try to use much more memory than they contain. One test, because it measures the heap.

#[path = "all/support.rs"]
mod support;

use mapwright_render::{Drawing, Objects, RenderOptions, Scale, View};
use mapwright_scene::{Content, Diagonal, Mesh, Node, Scene, Smoothing, Terrain, Tile, TileLayer, TileSet};
use mapwright_testkit::{PeakAlloc, peak_of};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Returns the peak memory of drawing two rows.
fn peak(scene: &Scene, options: &RenderOptions) -> usize {
    let draw = || {
        let mut drawing = Drawing::new(scene, options).expect("an image");
        drawing.next_row().expect("a row");
        drawing.next_row().expect("another row");
    };
    peak_of(&HEAP, draw).1
}

fn add(scene: &mut Scene, layer: TileLayer) {
    let layer = scene.tile_layers.push(layer);
    scene.add_node(None, Node::new("", Content::TileLayer(layer)));
}

#[test]
fn memory_is_bounded_by_the_scene_and_the_rows() {
    // Ten layers refer fifty times each to a set of the maximum size.
    let mut scene = Scene::default();
    let set = scene.tile_sets.push(TileSet { tiles: vec![Tile::default(); 1 << 16], ..TileSet::default() });
    for _ in 0..10 {
        let layer = TileLayer { size: [2, 2], cells: vec![0; 4], tile_sets: vec![set; 50], ..TileLayer::default() };
        add(&mut scene, layer);
    }
    let options = RenderOptions::default().with_objects(Objects::Hidden);
    for view in [View::Level, View::Numbers, View::Collision, View::Objects] {
        let peak = peak(&scene, &options.clone().with_view(view));
        assert!(peak < 2 << 20, "{view:?}: {peak}");
    }

    // Thousands of layers, each as wide as the image.
    let mut scene = Scene::default();
    for _ in 0..2000 {
        let layer = TileLayer { size: [4, 4], tile_size: [4096; 2], cells: vec![1; 16], ..TileLayer::default() };
        add(&mut scene, layer);
    }
    let peak = peak(&scene, &options.with_scale(Scale::Exactly(mapwright_render::Ratio::ONE)));
    assert!(peak < 16 << 20, "{peak}");

    // Heights are never copied.
    let mut scene = Scene::default();
    let land = Terrain {
        spacing: [1.0, -1.0],
        diagonal: Diagonal::Main,
        sea_level: None,
        ..support::terrain([1 << 12, 1 << 11], vec![1.0; 1 << 23])
    };
    let land = scene.terrains.push(land);
    scene.add_node(None, Node::new("", Content::Terrain(land)));
    for scale in ["1", "4", "1/64"] {
        let options = RenderOptions::default().with_scale(Scale::Exactly(scale.parse().expect("a scale")));
        let peak = self::peak(&scene, &options);
        assert!(peak < 4 << 20, "{scale}: {peak}");
    }

    // Faces are never copied either, and samples are those of some rows. Only smooth meshes need normals.
    let mut scene = Scene::default();
    let positions = (0..3 << 18).map(|place| [place % 1000, place / 1000, place % 7].map(f64::from)).collect();
    let faces = (0..1 << 18).map(|face| [face * 3, face * 3 + 1, face * 3 + 2]).collect();
    let smoothing = Smoothing::Flat;
    let mesh = scene.meshes.push(Mesh { positions, faces, smoothing, ..Mesh::default() });
    for _ in 0..20 {
        scene.add_node(None, Node::new("", Content::Mesh(mesh)));
    }
    let small = self::peak(&scene, &RenderOptions::default().with_scale(Scale::Fit(500)));
    assert!(small < 10 << 20, "{small}");
    let large = self::peak(&scene, &RenderOptions::default().with_scale(Scale::Fit(1 << 15)));
    assert!(large < 112 << 20, "{large}");
    scene.meshes.get_mut(mesh).expect("the mesh").smoothing = Smoothing::Smooth;
    let smooth = self::peak(&scene, &RenderOptions::default().with_scale(Scale::Fit(500)));
    assert!(smooth < 80 * (3 << 18), "{smooth}");
}
