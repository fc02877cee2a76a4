//! Scaling of whole scenes.

use mapwright_scene::*;

/// A node with a translation, a rotation and a scale.
fn moved(content: Content) -> Node {
    let rotation = Transform::looking_along([1.0, 2.0, -3.0]);
    let transform = Transform::Trs { translation: [1.0, 2.0, 3.0], rotation, scale: [1.0, 2.0, 0.5] };
    Node { transform, ..Node::new("", content) }
}

#[test]
fn scaling_moves_everything_outward() {
    let mut scene = Scene { metres_per_unit: Some(0.5), ..Scene::default() };
    let root = scene.add_node(None, moved(Content::Group));
    scene.add_node(Some(root), moved(Content::Marker));
    let matrix = Transform::Matrix(moved(Content::Group).transform.matrix());
    scene.add_node(None, Node { transform: matrix, ..Node::new("", Content::Marker) });
    let mut scaled = scene.clone();
    scaled.scale(8.0);
    assert_eq!(scaled.metres_per_unit, Some(0.5));
    assert!(matches!(scaled.nodes[root].transform, Transform::Trs { .. }), "the rotation keeps its numbers");
    let point = [0.5, -7.0, 11.0];
    for (before, after) in scene.walk().zip(scaled.walk()) {
        // A power of two rounds nothing.
        let scaled = after.world.point(transform::scale(point, 8.0));
        assert_eq!(scaled, transform::scale(before.world.point(point), 8.0));
    }
}

#[test]
fn lengths_outside_transforms_are_multiplied() {
    let mut scene = Scene::default();
    let light = scene.lights.push(Light {
        range: Some(3.0),
        attenuation: Attenuation { constant: 1.0, linear: 2.0, quadratic: 3.0 },
        target: Some([1.0, 2.0, 3.0]),
        intensity: 7.0,
        ..Light::default()
    });
    let camera = scene.cameras.push(Camera { far: Some(50.0), target: Some([4.0, 5.0, 6.0]), ..Camera::default() });
    let flat = scene.cameras.push(Camera {
        projection: Projection::Orthographic { half_height: 2.5 },
        target: Some([4.0, 5.0, 6.0]),
        ..Camera::default()
    });
    scene.sounds.push(Sound { range: Some(5.0), ..Sound::default() });
    // Two nodes share one light, which must not be scaled twice.
    let root = scene.add_node(None, moved(Content::Light(light)));
    scene.add_node(None, moved(Content::Light(light)));
    scene.add_node(None, moved(Content::Camera(camera)));
    scene.add_node(Some(root), moved(Content::Camera(flat)));
    scene.scale(10.0);

    let light = &scene.lights[light];
    assert_eq!((light.range, light.target, light.intensity), (Some(30.0), Some([10.0, 20.0, 30.0]), 7.0));
    assert_eq!(light.attenuation, Attenuation { constant: 1.0, linear: 0.2, quadratic: 0.03 });
    let (camera, flat) = (&scene.cameras[camera], &scene.cameras[flat]);
    assert_eq!((camera.near, camera.far, camera.target), (1.0, Some(500.0), Some([40.0, 50.0, 60.0])));
    assert_eq!(
        (flat.projection, flat.target),
        (Projection::Orthographic { half_height: 25.0 }, Some([40.0, 50.0, 60.0]))
    );
    assert_eq!(scene.sounds.items()[0].range, Some(50.0));
}

#[test]
fn textures_stay_in_place_on_a_face() {
    let projection = |local| TextureProjection {
        u: [1.0, 2.0, 3.0, 4.0],
        v: [-1.0, 0.5, 0.25, 8.0],
        offset: [1.0, 2.0],
        scale: [0.5, 2.0],
        rotation: 0.25,
        local,
    };
    let mut scene = Scene::default();
    scene.meshes.push(Mesh { face_projections: vec![projection(false), projection(true)], ..Mesh::default() });
    scene.scale(8.0);
    let point = [3.0, 5.0, 7.0];
    let [world, local] = scene.meshes.items()[0].face_projections[..] else { unreachable!() };
    assert_eq!(world.texel(transform::scale(point, 8.0)), projection(false).texel(point));
    assert_eq!(local.texel(transform::scale(point, 8.0)), projection(true).texel(point));
}

/// Returns the scales of all nodes.
fn node_scales(scene: &Scene) -> Vec<[f64; 3]> {
    scene.walk().filter_map(|visit| Some(visit.node.transform.to_trs()?.2)).collect()
}

#[test]
fn the_factor_is_in_the_geometry_and_not_in_the_nodes() {
    let mut scene = Scene::default();
    let points = vec![[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0], [0.0, 4.0, 1.0]];
    let mesh = scene.meshes.push(Mesh { positions: points.clone(), ..Mesh::default() });
    let plane = [points[0], points[1], points[2]];
    let projection = TextureProjection {
        u: [1.0, 0.0, 0.0, 0.0],
        v: [0.0, 1.0, 0.0, 0.0],
        offset: [0.0; 2],
        scale: [1.0; 2],
        rotation: 0.0,
        local: true,
    };
    let side = BrushSide { plane, corners: vec![0, 1, 2], projection, material: None, properties: Properties::new() };
    let brush = Brush { vertices: points.clone(), sides: vec![side], ..Brush::default() };
    let brush = scene.brushes.push(brush);
    let mut terrain = Terrain::new([2, 1], [3.0, -5.0], Heights::F32(vec![1.0, 2.5]));
    terrain.sea_level = Some(1.5);
    let terrain = scene.terrains.push(terrain);
    let steps = scene.terrains.push(Terrain::new([1; 2], [1.0; 2], Heights::Steps { step: 0.25, values: vec![6] }));
    let tangents = Some([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]);
    let point = PathPoint { position: [1.0, 0.0, -2.0], tangents, ..PathPoint::default() };
    let path = scene.paths.push(Path { points: vec![point], ..Path::default() });
    let maps = vec![[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [5.0, 6.0, 7.0]]];
    let set = InstanceSet {
        models: vec![Model::Mesh(mesh)],
        model: vec![0],
        transforms: InstanceTransforms::Affine(maps),
        ..InstanceSet::default()
    };
    let set = scene.instance_sets.push(set);
    let root = scene.add_node(None, moved(Content::Mesh(mesh)));
    for content in [
        Content::Brush(brush),
        Content::Terrain(terrain),
        Content::Terrain(steps),
        Content::Path(path),
        Content::InstanceSet(set),
    ] {
        scene.add_node(Some(root), moved(content));
    }
    let before = node_scales(&scene);
    scene.scale(4.0);

    assert_eq!(node_scales(&scene), before);
    let scaled: Vec<[f64; 3]> = points.iter().map(|&point| transform::scale(point, 4.0)).collect();
    assert_eq!((&scene.meshes[mesh].positions, &scene.brushes[brush].vertices), (&scaled, &scaled));
    assert_eq!(scene.brushes[brush].sides[0].plane.to_vec(), scaled);
    let (terrain, steps) = (&scene.terrains[terrain], &scene.terrains[steps]);
    assert_eq!((terrain.spacing, terrain.sea_level), ([12.0, -20.0], Some(6.0)));
    assert_eq!((terrain.heights.get(1), steps.heights.get(0)), (Some(10.0), Some(6.0)));
    let point = &scene.paths[path].points[0];
    assert_eq!(point.position, [4.0, 0.0, -8.0]);
    assert_eq!(point.tangents, Some([[0.0, 4.0, 0.0], [0.0, 0.0, 8.0]]));
    let instance = scene.instance_sets[set].transforms.get(0).unwrap();
    assert_eq!((instance.origin(), instance.linear()[1]), ([20.0, 24.0, 28.0], [0.0, 2.0, 0.0]));
}

#[test]
fn tile_layers_are_scaled_by_a_node() {
    let mut scene = Scene::default();
    let layer = TileLayer {
        name: String::new(),
        size: [1, 1],
        tile_size: [64, 64],
        layout: CellLayout::Orthogonal,
        cells: vec![Cell::EMPTY],
        tile_sets: Vec::new(),
        wrap: [false; 2],
        parallax: [1.0; 2],
        z: 0,
        fill: None,
        attributes: Vec::new(),
        properties: Properties::new(),
    };
    let layer = scene.tile_layers.push(layer);
    let parent = scene.add_node(None, moved(Content::TileLayer(layer)));
    scene.add_node(Some(parent), moved(Content::Marker));
    scene.add_node(None, moved(Content::TileLayer(layer)));
    let place = |scene: &Scene, is_wanted: fn(&Content) -> bool| -> Vec<[f64; 3]> {
        let wanted = scene.walk().filter(|visit| is_wanted(&visit.node.content));
        wanted.map(|visit| visit.world.point([64.0, 0.0, 1.0])).collect()
    };
    let is_layer = |content: &Content| matches!(content, Content::TileLayer(_));
    let (layers, markers) = (place(&scene, is_layer), scene.walk().nth(1).map(|visit| visit.world.origin()).unwrap());
    scene.scale(8.0);
    let scaled: Vec<[f64; 3]> = layers.into_iter().map(|point| transform::scale(point, 8.0)).collect();
    assert_eq!(place(&scene, is_layer), scaled);
    let marker = scene.walk().find(|visit| matches!(visit.node.content, Content::Marker)).unwrap();
    assert_eq!(marker.world.origin(), transform::scale(markers, 8.0));
}
