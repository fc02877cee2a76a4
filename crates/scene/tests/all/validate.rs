//! Each rule of the contract is violated separately.

use mapwright_scene::*;

/// A valid scene with one item of each kind.
fn valid_scene() -> Scene {
    let mut scene = Scene::default();
    let image = scene.images.push(Image {
        name: "grey".into(),
        source: ImageSource::Pixels(Pixels { width: 2, height: 1, format: PixelFormat::La8, data: vec![1, 2, 3, 4] }),
    });
    let mut material = Material::new("stone");
    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
    let material = scene.materials.push(material);
    let mesh = scene.meshes.push(Mesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        faces: [&[0, 1, 2][..], &[0, 2, 3]].into_iter().collect(),
        face_materials: vec![Some(material), None],
        uv_sets: vec![UvSet { corners: CornerColumn::filled(Some([0.5, 0.5]), 6), ..UvSet::default() }],
        color_sets: vec![ColorSet { corners: CornerColumn::filled(None, 6), ..ColorSet::default() }],
        normals: Some(CornerColumn::filled(Some([0.0, 0.0, 1.0]), 6)),
        hard_edges: vec![[0, 1], [0, 2]],
        attributes: vec![Attribute { name: "w".into(), domain: Domain::Vertex, width: 2, values: vec![0.0; 8] }],
        ..Mesh::default()
    });
    let group = scene.add_node(None, Node::new("group", Content::Group));
    let node = scene.add_node(Some(group), Node::new("mesh", Content::Mesh(mesh)));
    let light = scene.lights.push(Light { target: Some([1.0; 3]), ..Light::default() });
    scene.add_node(Some(group), Node::new("lamp", Content::Light(light)));
    let camera = scene.cameras.push(Camera::default());
    scene.add_node(None, Node::new("view", Content::Camera(camera)));
    let terrain = scene.terrains.push(Terrain {
        diagonal: Diagonal::Anti,
        cell_size: [1, 1],
        cells: vec![7],
        materials: vec![None, Some(material)],
        sea_level: Some(0.0),
        attributes: vec![Attribute { name: "grass".into(), domain: Domain::Face, width: 1, values: vec![3.0] }],
        ..Terrain::new([2, 2], [50.0, -50.0], Heights::Steps { step: 0.045, values: vec![0, 1, 2, 3] })
    });
    scene.add_node(None, Node::new("land", Content::Terrain(terrain)));
    let tiles = scene.tile_sets.push(TileSet { tiles: vec![Tile::default()], ..TileSet::default() });
    let layer = scene.tile_layers.push(TileLayer {
        name: "plane".into(),
        size: [2, 1],
        tile_size: [64, 64],
        layout: CellLayout::Orthogonal,
        cells: vec![Cell::EMPTY, 0],
        tile_sets: vec![tiles],
        wrap: [true, false],
        parallax: [1.0, 0.5],
        z: 0,
        fill: None,
        attributes: vec![Attribute { name: "zone".into(), domain: Domain::Face, width: 1, values: vec![0.0; 2] }],
        properties: Properties::new(),
    });
    scene.add_node(None, Node::new("plane", Content::TileLayer(layer)));
    let trees = scene.instance_sets.push(InstanceSet {
        models: vec![Model::Reference("tree.p3d".into()), Model::Mesh(mesh)],
        model: vec![0, 1],
        transforms: InstanceTransforms::Affine(vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]; 2]),
        ids: vec![7, 8],
        ..InstanceSet::default()
    });
    scene.add_node(None, Node::new("trees", Content::InstanceSet(trees)));
    let brush = scene.brushes.push(Brush {
        vertices: vec![[0.0; 3]; 3],
        sides: vec![BrushSide {
            plane: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            corners: vec![0, 1, 2],
            projection: TextureProjection {
                u: [1.0, 0.0, 0.0, 0.0],
                v: [0.0, 1.0, 0.0, 0.0],
                offset: [0.0; 2],
                scale: [1.0; 2],
                rotation: 0.0,
                local: false,
            },
            material: Some(material),
            properties: Properties::new(),
        }],
        ..Brush::default()
    });
    scene.add_node(None, Node::new("brush", Content::Brush(brush)));
    scene.paths.push(Path {
        points: vec![PathPoint::default(); 2],
        edges: vec![PathEdge { from: 0, to: 1, weight: 1.0 }],
        ..Path::default()
    });
    scene.sets.push(NamedSet {
        name: "edges".into(),
        members: vec![(node, Elements::Edges(vec![[0, 1]]))],
        ..NamedSet::default()
    });
    scene
}

/// Damages a valid scene and expects one finding.
#[track_caller]
fn expect(severity: Severity, path: &str, text: &str, harm: impl FnOnce(&mut Scene)) {
    let mut scene = valid_scene();
    harm(&mut scene);
    let problems = scene.validate();
    assert!(
        problems.iter().any(|p| p.severity == severity && p.path == path && p.message.contains(text)),
        "{severity:?} {path}: {text} is not in {problems:#?}"
    );
}

#[track_caller]
fn error(path: &str, text: &str, harm: impl FnOnce(&mut Scene)) {
    expect(Severity::Error, path, text, harm);
}

#[track_caller]
fn warning(path: &str, text: &str, harm: impl FnOnce(&mut Scene)) {
    expect(Severity::Warning, path, text, harm);
}

fn mesh(scene: &mut Scene) -> &mut Mesh {
    scene.meshes.get_mut(Id::new(0)).unwrap()
}

fn node(scene: &mut Scene, index: u32) -> &mut Node {
    scene.nodes.get_mut(Id::new(index)).unwrap()
}

#[test]
fn a_valid_scene_has_no_findings() {
    assert_eq!(valid_scene().validate(), []);
    assert_eq!(Scene::default().validate(), []);
}

#[test]
fn the_tree() {
    error("roots", "missing", |s| s.roots.push(Id::new(99)));
    error("nodes[0].children", "missing", |s| node(s, 0).children.push(Id::new(99)));
    error("nodes[1]", "more than one parent", |s| s.roots.push(Id::new(1)));
    error("nodes[2]", "more than one parent", |s| node(s, 1).children.push(Id::new(2)));
    error("nodes", "contain themselves: 2 of", |s| {
        let a = s.nodes.push(Node::default());
        let b = s.nodes.push(Node { children: vec![a], ..Node::default() });
        s.nodes.get_mut(a).unwrap().children.push(b);
    });
    error("nodes[1].content", "missing", |s| node(s, 1).content = Content::Mesh(Id::new(5)));
    error("metres_per_unit", "positive", |s| s.metres_per_unit = Some(0.0));
    error("nodes[1].transform", "finite", |s| node(s, 1).transform = Transform::translation([f64::NAN, 0.0, 0.0]));
    error("nodes[1].transform", "affine", |s| node(s, 1).transform = Transform::Matrix([[1.0; 4]; 4]));
    warning("nodes[1].transform", "collapses", |s| {
        node(s, 1).transform =
            Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [0.0; 3] };
    });
    warning("nodes[1].transform", "length", |s| {
        node(s, 1).transform = Transform::Trs { translation: [0.0; 3], rotation: [0.0; 4], scale: [1.0; 3] };
    });
}

#[test]
fn unreachable_nodes_are_valid() {
    let mut scene = valid_scene();
    let loose = scene.nodes.push(Node::default());
    scene.nodes.push(Node { children: vec![loose], ..Node::default() });
    assert_eq!(scene.validate(), []);
}

#[test]
fn meshes() {
    error("meshes[0].positions", "1 of 4, the first at 2", |s| mesh(s).positions[2][0] = f64::INFINITY);
    error("meshes[0].faces", "fewer", |s| mesh(s).faces.push(&[0]));
    error("meshes[0].faces", "missing", |s| mesh(s).faces.push(&[0, 1, 4]));
    warning("meshes[0].faces", "duplicate", |s| mesh(s).faces.push(&[0, 1, 2, 1]));
    error("meshes[0].face_materials", "invalid length 1: expected 2", |s| mesh(s).face_materials.truncate(1));
    error("meshes[0].face_materials", "missing", |s| mesh(s).face_materials[1] = Some(Id::new(1)));
    error("meshes[0].face_flags", "invalid length", |s| mesh(s).face_flags.push(FaceFlags::HOLE));
    error("meshes[0].mirror", "missing", |s| mesh(s).mirror = Some(2));
    error("meshes[0].uv_sets[0]", "invalid length", |s| mesh(s).uv_sets[0].corners.truncate(1));
    error("meshes[0].uv_sets[0]", "finite", |s| mesh(s).uv_sets[0].corners.set(1, Some([0.0, f64::NAN])));
    error("meshes[0].color_sets[0]", "finite", |s| mesh(s).color_sets[0].corners.set(1, Some([f32::NAN; 4])));
    error("meshes[0].normals", "invalid length", |s| mesh(s).normals = Some(CornerColumn::new()));
    error("meshes[0].normals", "without a normal", |s| mesh(s).normals = Some(CornerColumn::filled(None, 6)));
    warning("meshes[0].normals", "length", |s| mesh(s).normals = Some(CornerColumn::filled(Some([0.0; 3]), 6)));
    error("meshes[0].hard_edges", "sorted", |s| mesh(s).hard_edges.reverse());
    error("meshes[0].hard_edges", "not in order", |s| mesh(s).hard_edges = vec![[1, 1]]);
    error("meshes[0].soft_edges", "not in order", |s| mesh(s).soft_edges = vec![[0, 9]]);
    error("meshes[0].attributes[0]", "invalid length", |s| mesh(s).attributes[0].domain = Domain::Face);
    error("meshes[0].attributes[0]", "width", |s| mesh(s).attributes[0].width = 0);
    error("meshes[0].attributes[0]", "width", |s| mesh(s).attributes[0].width = usize::MAX);
    error("brushes[0].sides[0]", "missing", |s| {
        s.brushes.get_mut(Id::new(0)).unwrap().sides[0].corners[0] = 3;
    });
    error("brushes[0].sides[0]", "scale of 0", |s| {
        s.brushes.get_mut(Id::new(0)).unwrap().sides[0].projection.scale[1] = 0.0;
    });
}

#[test]
fn content() {
    error("terrains[0].heights", "invalid length", |s| s.terrains.get_mut(Id::new(0)).unwrap().size = [3, 2]);
    error("terrains[0].heights", "invalid length", |s| s.terrains.get_mut(Id::new(0)).unwrap().size = [u32::MAX; 2]);
    warning("terrains[0].heights", "finite", |s| {
        s.terrains.get_mut(Id::new(0)).unwrap().heights = Heights::F32(vec![0.0, f32::NAN, 0.0, 0.0]);
    });
    error("terrains[0].attributes[0]", "invalid length 1: expected 4", |s| {
        s.terrains.get_mut(Id::new(0)).unwrap().attributes[0].domain = Domain::Vertex;
    });
    error("tile_layers[0].attributes[0]", "no such items", |s| {
        s.tile_layers.get_mut(Id::new(0)).unwrap().attributes[0].domain = Domain::Vertex;
    });
    warning("tile_layers[0].layout", "longer than a cell", |s| {
        let layer = s.tile_layers.get_mut(Id::new(0)).unwrap();
        layer.layout = CellLayout::Hexagonal { stagger: Stagger::default(), side: 65 };
    });
    error("tile_layers[0].cells", "invalid length", |s| s.tile_layers.get_mut(Id::new(0)).unwrap().cells.truncate(1));
    error("instance_sets[0].model", "missing", |s| s.instance_sets.get_mut(Id::new(0)).unwrap().model[1] = 2);
    error("instance_sets[0].ids", "invalid length", |s| s.instance_sets.get_mut(Id::new(0)).unwrap().ids.truncate(1));
    warning("instance_sets[0].transforms", "finite", |s| {
        let set = s.instance_sets.get_mut(Id::new(0)).unwrap();
        set.transforms = InstanceTransforms::Affine(vec![[[f64::NAN; 3]; 4]; 2]);
    });
    error("lights[0]", "finite", |s| s.lights.get_mut(Id::new(0)).unwrap().intensity = f64::NAN);
    warning("lights[0].kind", "angles", |s| {
        s.lights.get_mut(Id::new(0)).unwrap().kind = LightKind::Spot { inner: 1.0, outer: 0.5, exponent: 0.0 };
    });
    error("lights[0].kind", "missing", |s| {
        s.lights.get_mut(Id::new(0)).unwrap().kind = LightKind::Area { mesh: Some(Id::new(1)) };
    });
    warning("cameras[0]", "less than π", |s| {
        s.cameras.get_mut(Id::new(0)).unwrap().projection = Projection::Perspective { fov_y: 4.0 };
    });
    warning("cameras[0]", "far plane", |s| s.cameras.get_mut(Id::new(0)).unwrap().far = Some(0.05));
    error("paths[0].edges", "missing", |s| s.paths.get_mut(Id::new(0)).unwrap().edges[0].to = 2);
    error("materials[0]", "finite", |s| s.materials.get_mut(Id::new(0)).unwrap().emissive[0] = f64::NAN);
    warning("materials[0]", "expected 0 to 1", |s| s.materials.get_mut(Id::new(0)).unwrap().metallic = 2.0);
    error("materials[0].textures", "missing", |s| {
        s.materials.get_mut(Id::new(0)).unwrap().textures[0].image = Id::new(1);
    });
    error("images[0].data", "invalid length 3: expected 4", |s| {
        let ImageSource::Pixels(pixels) = &mut s.images.get_mut(Id::new(0)).unwrap().source else { unreachable!() };
        pixels.data.truncate(3);
    });
    error("images[0]", "no pixels", |s| {
        let ImageSource::Pixels(pixels) = &mut s.images.get_mut(Id::new(0)).unwrap().source else { unreachable!() };
        pixels.width = 0;
    });
}

#[test]
fn sets_and_properties() {
    error("sets[0].members[0]", "missing", |s| s.sets[0].members[0].0 = Id::new(99));
    error("sets[0].members[0]", "missing part", |s| {
        s.sets[0].members[0].1 = Elements::Faces(vec![2]);
    });
    error("sets[0].members[0]", "not a mesh", |s| s.sets[0].members[0].0 = Id::new(0));
    warning("scene.properties", "finite", |s| s.properties.push("x", f64::NAN));
    warning("nodes[0].properties", "deeper", |s| {
        let mut value = Value::Int(0);
        for _ in 0..Value::MAX_DEPTH {
            value = Value::List(vec![value]);
        }
        node(s, 0).properties.push("deep", value);
    });
}

#[test]
fn instances_must_not_contain_themselves() {
    let mut scene = Scene::default();
    let group = scene.add_node(None, Node::new("group", Content::Group));
    let inner = scene.add_node(Some(group), Node::new("inner", Content::Marker));
    let first = scene.add_node(None, Node::new("", Content::Instance(group)));
    // Two instances of one node, and an instance of an instance.
    scene.add_node(None, Node::new("", Content::Instance(group)));
    scene.add_node(Some(first), Node::new("", Content::Instance(inner)));
    scene.add_node(None, Node::new("", Content::Instance(first)));
    assert_eq!(scene.validate(), []);

    let broken = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scene.clone();
        change(&mut scene);
        let findings = scene.validate();
        assert!(findings.iter().any(|finding| finding.severity == Severity::Error), "{findings:?}");
        findings.into_iter().map(|finding| format!("{}: {}", finding.path, finding.message)).collect::<Vec<_>>()
    };
    let with = |id, target| move |scene: &mut Scene| scene.nodes[id].content = Content::Instance(target);
    assert_eq!(broken(&with(inner, Id::new(99))), ["nodes[1].content: missing item #99"]);
    // An instance of itself, of its parent, and two instances of each other.
    let itself = ["nodes: nodes that contain an instance of themselves: 1 of 6, the first at 1"];
    assert_eq!(broken(&with(inner, inner)), itself);
    assert_eq!(
        broken(&with(inner, group)),
        ["nodes: nodes that contain an instance of themselves: 2 of 6, the first at 0"]
    );
    assert_eq!(
        broken(&with(inner, first)),
        ["nodes: nodes that contain an instance of themselves: 4 of 6, the first at 0"]
    );
}
