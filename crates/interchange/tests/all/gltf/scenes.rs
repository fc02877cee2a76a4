//! Named scenes that use the features of glTF.

use mapwright_scene::*;

/// The unit cube, soft all over.
pub(crate) fn cube() -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
    Mesh { name: "cube".into(), positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

/// A mesh of one face at the given points.
pub(crate) fn polygon(points: &[[f64; 3]]) -> Mesh {
    let face: Vec<u32> = (0..).take(points.len()).collect();
    Mesh { positions: points.to_vec(), faces: [face].into_iter().collect(), ..Mesh::default() }
}

/// Coordinates for every corner of a mesh.
pub(crate) fn uvs(mesh: &Mesh) -> CornerColumn<[f64; 2]> {
    let corners = u32::try_from(mesh.faces.corner_count()).unwrap();
    (0..corners).map(|i| Some([f64::from(i % 4 / 2), f64::from((i + 1) % 4 / 2)])).collect()
}

/// A scene that shows a mesh, in linear colours and without a unit, as the reader gives them.
pub(crate) fn showing(mesh: Mesh) -> Scene {
    let mut scene = Scene { color_space: ColorSpace::Linear, ..Scene::default() };
    let name = mesh.name.clone();
    let id = scene.meshes.push(mesh);
    scene.add_node(None, Node::new(name, Content::Mesh(id)));
    scene
}

fn pixels(format: PixelFormat, level: u8) -> Image {
    let data = (0..16 * format.channels()).map(|i| level.wrapping_add(u8::try_from(i).unwrap())).collect();
    Image { name: format!("{format:?}"), source: ImageSource::Pixels(Pixels { width: 4, height: 4, format, data }) }
}

/// Creates a cube with hard edges. Two of its faces have textures.
pub(crate) fn textured() -> Scene {
    let mut mesh = cube();
    mesh.hard_edges = mesh.edge_sides().iter().map(|side| side.vertices).collect();
    mesh.hard_edges.dedup();
    mesh.uv_sets = vec![
        UvSet { name: "first".into(), corners: uvs(&mesh), ..UvSet::default() },
        UvSet { corners: uvs(&mesh), ..UvSet::default() },
    ];
    mesh.uv_sets[1].corners.clear(4..8);
    mesh.face_materials = [0, 1, 0, 1, 0, 0].map(|material| Some(MaterialId::new(material))).to_vec();
    mesh.face_materials[5] = None;
    let mut scene = showing(mesh);
    let base = scene.images.push(pixels(PixelFormat::Rgba8, 1));
    let normal = scene.images.push(pixels(PixelFormat::Rgb8, 100));
    let occlusion = scene.images.push(pixels(PixelFormat::L8, 7));
    let orm = scene.images.push(pixels(PixelFormat::Rgb8, 9));
    let mut clamped = TextureSlot::new(TextureUsage::BaseColor, base);
    clamped.wrap = [Wrap::Clamp, Wrap::Mirror];
    scene.materials.push(Material {
        name: "stone".into(),
        base_color: [0.5, 0.25, 1.0, 0.5],
        emissive: [3.0, 0.0, 1.5, 1.0],
        alpha: AlphaMode::Mask(0.25),
        textures: vec![clamped, TextureSlot { strength: 0.5, ..TextureSlot::new(TextureUsage::Normal, normal) }],
        classic: Some(ClassicMaterial { ambient: [0.1; 4], specular: [0.2; 4], shininess: 0.7 }),
        reference: Some("materials/stone.vmat".into()),
        texture_size: Some([256, 128]),
        ..Material::default()
    });
    scene.materials.push(Material {
        name: "metal".into(),
        metallic: 1.0,
        roughness: 0.25,
        double_sided: true,
        is_tool: true,
        alpha: AlphaMode::Blend,
        textures: vec![
            TextureSlot::new(TextureUsage::MetallicRoughness, orm),
            TextureSlot { uv_set: 1, ..TextureSlot::new(TextureUsage::Normal, normal) },
            TextureSlot { uv_set: 1, strength: 0.5, ..TextureSlot::new(TextureUsage::Occlusion, occlusion) },
            TextureSlot::new(TextureUsage::Emission, base),
        ],
        ..Material::default()
    });
    scene
}

/// Two cubes with colours, one whose material shows them.
pub(crate) fn colored() -> Scene {
    let mut mesh = cube();
    let color = |i: u8| Some([f32::from(i) / 32.0, 0.5, 1.0 - f32::from(i) / 32.0, 1.0]);
    let mut corners: CornerColumn<_> = (0..24).map(color).collect();
    corners.set(3, None);
    mesh.color_sets =
        vec![ColorSet { name: "paint".into(), corners: corners.clone() }, ColorSet { name: String::new(), corners }];
    mesh.face_materials = [0, 0, 0, 1, 1, 1].map(|material| Some(MaterialId::new(material))).to_vec();
    let mut scene = showing(mesh);
    scene.materials.push(Material { vertex_colors: VertexColors::Multiply, ..Material::new("shown") });
    scene.materials.push(Material::new("not shown"));
    scene
}

/// A tree with lights, cameras, markers, entities and properties.
pub(crate) fn scene_with_all_nodes() -> Scene {
    let mut scene = showing(cube());
    scene.name = "level".into();
    let nested: Properties = [("c", Value::Int(-3)), ("b", Value::Text("ä".into()))].into_iter().collect();
    scene.properties =
        [("z", Value::Float(0.1)), ("a", Value::List(vec![true.into(), Value::Map(nested)]))].into_iter().collect();
    let group = scene.add_node(
        None,
        Node { transform: Transform::translation([1.0, 2.5, -3.0]), ..Node::new("group", Content::Group) },
    );
    scene.nodes[group].locked = true;
    scene.nodes[group].properties.push("flags", 7);
    let lights = [
        Light {
            kind: LightKind::Directional,
            color: [1.0, 0.5, 0.25, 0.5],
            unit: IntensityUnit::Photometric,
            ..Light::default()
        },
        Light {
            range: Some(10.0),
            attenuation: Attenuation { constant: 1.0, linear: 0.5, quadratic: 0.0 },
            ambient: Some([0.1; 4]),
            specular: Some([0.2; 4]),
            ..Light::default()
        },
        Light {
            kind: LightKind::Spot { inner: 0.25, outer: 0.5, exponent: 2.0 },
            intensity: 100.0,
            target: Some([1.0, 2.0, 3.0]),
            ..Light::default()
        },
    ];
    for light in lights {
        let light = scene.lights.push(light);
        let rotation = Transform::looking_along([1.0, -1.0, 0.5]);
        let transform = Transform::Trs { translation: [0.0, 5.0, 0.0], rotation, scale: [1.0; 3] };
        scene.add_node(Some(group), Node { transform, ..Node::new("light", Content::Light(light)) });
    }
    let flat = Projection::Orthographic { half_height: 3.0 };
    let cameras = [
        Camera { far: Some(100.0), aspect: Some(1.5), target: Some([0.0; 3]), ..Camera::default() },
        Camera { projection: flat, far: Some(50.0), aspect: Some(2.0), ..Camera::default() },
        Camera { projection: flat, near: 0.0, far: Some(50.0), ..Camera::default() },
    ];
    for camera in cameras {
        let camera = scene.cameras.push(camera);
        scene.add_node(Some(group), Node::new("camera", Content::Camera(camera)));
    }
    scene.add_node(Some(group), Node::new("start", Content::Marker));
    let connection = Connection {
        output: "OnOpen".into(),
        target: "lamp".into(),
        target_type: Some(7),
        delay: 0.5,
        times: Some(1),
        ..Connection::default()
    };
    let entity = scene.entities.push(Entity {
        class: "func_door".into(),
        model: Some("door.mdl".into()),
        properties: [("speed", 100)].into_iter().collect(),
        connections: vec![connection],
    });
    let turned =
        Transform::Matrix([[0.0, 2.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [1.0, 2.0, 3.0, 1.0]]);
    scene.add_node(Some(group), Node { transform: turned, ..Node::new("door", Content::Entity(entity)) });
    let overrides = [("colour", Value::from("red")), ("height", 2.5.into())].into_iter().collect();
    let prefab = Prefab { reference: "prefabs/pillar.vmap".into(), overrides };
    scene.add_node(Some(group), Node::new("pillar", Content::Prefab(prefab)));
    scene
}

/// Cubes by the dozen.
pub(crate) fn instanced() -> Scene {
    let mut scene = showing(cube());
    let set = InstanceSet {
        name: "trees".into(),
        models: vec![Model::Mesh(MeshId::new(0))],
        model: vec![0; 3],
        transforms: InstanceTransforms::Trs {
            translations: vec![[0.0; 3], [2.0, 0.0, 0.0], [4.0, 0.0, 0.5]],
            rotations: vec![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            scales: vec![[1.0; 3], [2.0; 3], [-1.0, 1.0, 1.0]],
        },
        ids: vec![7, 0, 1 << 20],
        order: vec![2, 0, 1],
        on_ground: vec![false, true, true],
        properties: [("kind", "oak")].into_iter().collect(),
    };
    let elsewhere =
        InstanceSet { name: "rocks".into(), models: vec![Model::Reference("rock.p3d".into())], ..set.clone() };
    for set in [set, elsewhere] {
        let set = scene.instance_sets.push(set);
        scene.add_node(None, Node::new("set", Content::InstanceSet(set)));
    }
    scene
}

/// Scenes that come back equal.
pub(crate) fn faithful() -> Vec<(&'static str, Scene)> {
    let mut hard = cube();
    hard.hard_edges = vec![[0, 1], [0, 4], [1, 5], [4, 5]];
    // An edge in the middle of a flat face shows in no normal.
    let mut split = polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    split.faces = [[0, 1, 2], [0, 2, 3]].into_iter().collect();
    split.hard_edges = vec![[0, 2]];
    let mut hidden = cube();
    hidden.face_flags = vec![FaceFlags::NONE; 6];
    hidden.face_flags[2] = FaceFlags::HIDDEN;
    // Two vertices at one place stay two.
    let mut double = cube();
    double.positions[1] = double.positions[0];
    let mut normals = cube();
    normals.normals = Some(
        normals
            .faces
            .corners()
            .iter()
            .map(|&v| if v % 2 == 0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, -1.0] })
            .map(Some)
            .collect(),
    );
    normals.properties.push("why", "artist");
    let l =
        [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(|[x, y]| [x, y, 0.5]);
    let bent = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 0.25, 1.0], [0.0, 0.0, 1.0]];
    let mut centimetres = scene_with_all_nodes();
    centimetres.metres_per_unit = Some(0.5);
    let mut metres = showing(cube());
    metres.metres_per_unit = Some(1.0);
    vec![
        ("empty", Scene { color_space: ColorSpace::Linear, ..Scene::default() }),
        ("cube", showing(cube())),
        ("hard", showing(hard)),
        ("split", showing(split)),
        ("hidden_face", showing(hidden)),
        ("double", showing(double)),
        ("normals", showing(normals)),
        ("concave", showing(polygon(&l))),
        ("bent", showing(polygon(&bent))),
        ("line", showing(polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))),
        ("textured", textured()),
        ("colored", colored()),
        ("furnished", scene_with_all_nodes()),
        ("unit", centimetres),
        ("metres", metres),
    ]
}

/// Scenes of which something is lost.
pub(crate) fn lossy() -> Vec<(&'static str, Scene)> {
    let mut holes = cube();
    holes.face_flags = vec![FaceFlags::NONE; 6];
    holes.face_flags[1] = FaceFlags::HOLE;
    holes.faces.push(&[0, 7]);
    holes.face_flags.push(FaceFlags::NONE);
    let mut mirrored = cube();
    mirrored.mirror = Some(5);
    let mut flat = cube();
    flat.smoothing = Smoothing::Flat;
    let mut partial = cube();
    partial.uv_sets = vec![UvSet { origin: UvOrigin::LowerLeft, corners: uvs(&partial), ..UvSet::default() }];
    partial.uv_sets[0].corners.set(2, None);
    let mut repeated = cube();
    repeated.faces = [&[0, 1, 1, 5][..], &[0, 1, 2, 0, 3, 4], &[0, 1, 2], &[0, 1, 0]].into_iter().collect();
    let mut rounded = cube();
    rounded.positions[3] = [0.1, 0.2, 1e20];
    let mut loose = cube();
    loose.positions.insert(0, [9.0; 3]);
    loose.faces.corners_mut().iter_mut().for_each(|vertex| *vertex += 1);
    let faceless = Mesh { positions: vec![[0.0; 3]], ..Mesh::default() };
    let mut srgb = colored();
    srgb.color_space = ColorSpace::Srgb;
    let mut bright = colored();
    bright.meshes[MeshId::new(0)].color_sets[0].corners.set(0, Some([2.0, -1.0, 0.5, 1.0]));
    let mut hidden = scene_with_all_nodes();
    hidden.nodes[NodeId::new(1)].visible = false;
    let mut sheared = showing(cube());
    let shear = [[1.0, 0.0, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    sheared.nodes[NodeId::new(0)].transform = Transform::Matrix(shear);
    let mut flattened = showing(cube());
    let line = [[1.0, 2.0, 0.0, 0.0], [2.0, 4.0, 0.0, 0.0], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
    flattened.nodes[NodeId::new(0)].transform = Transform::Matrix(line);
    vec![
        ("holes", showing(holes)),
        ("mirrored", showing(mirrored)),
        ("flat", showing(flat)),
        ("partial_uvs", showing(partial)),
        ("repeated_vertices", showing(repeated)),
        ("rounded", showing(rounded)),
        ("loose_vertex", showing(loose)),
        ("faceless", showing(faceless)),
        ("srgb", srgb),
        ("bright", bright),
        ("hidden_node", hidden),
        ("sheared", sheared),
        ("flattened", flattened),
        ("separate_maps", separate_maps()),
        ("odd_numbers", unusual_numbers()),
        ("instanced", instanced()),
        ("affine_instances", affine_instances()),
        ("terrain", terrain()),
        ("chunks", chunks()),
        ("objects", objects()),
    ]
}

fn separate_maps() -> Scene {
    let mut mesh = cube();
    mesh.face_materials = vec![Some(MaterialId::new(0)); 6];
    let mut scene = showing(mesh);
    let metallic = scene.images.push(pixels(PixelFormat::L8, 3));
    let roughness = Pixels { width: 2, height: 8, format: PixelFormat::Rgb8, data: (0..48).collect() };
    let roughness = scene.images.push(Image { name: "rough".into(), source: ImageSource::Pixels(roughness) });
    let missing = scene
        .images
        .push(Image { name: "away".into(), source: ImageSource::External { path: r"C:\art\away.png".into() } });
    let opacity = scene.images.push(pixels(PixelFormat::A8, 3));
    scene.images.push(pixels(PixelFormat::La8, 3));
    let slots = [
        (TextureUsage::Metallic, metallic),
        (TextureUsage::Roughness, roughness),
        (TextureUsage::BaseColor, opacity),
        (TextureUsage::Emission, missing),
        (TextureUsage::Gloss, metallic),
        (TextureUsage::Metallic, roughness),
    ];
    let textures = slots.map(|(usage, image)| TextureSlot::new(usage, image)).to_vec();
    scene.materials.push(Material { textures, ..Material::new("worn") });
    scene.materials.push(Material::new("unused"));
    scene
}

fn unusual_numbers() -> Scene {
    let mut mesh = cube();
    mesh.face_materials = vec![Some(MaterialId::new(0)); 6];
    let mut scene = showing(mesh);
    scene.materials.push(Material {
        base_color: [2.0, -1.0, 0.5, 3.0],
        metallic: 7.0,
        roughness: -1.0,
        emissive: [-1.0, 0.5, 0.0, 0.0],
        alpha: AlphaMode::Mask(-1.0),
        ..Material::new("odd")
    });
    let lights = [
        LightKind::Spot { inner: 3.0, outer: 2.0, exponent: 0.0 },
        LightKind::Spot { inner: 0.0, outer: 0.0, exponent: 0.0 },
        LightKind::Ambient,
        LightKind::Area { mesh: None },
        LightKind::Other("glow".into()),
    ];
    for kind in lights {
        let light =
            scene.lights.push(Light { kind, intensity: -1.0, range: Some(-2.0), color: [5.0; 4], ..Light::default() });
        scene.add_node(None, Node::new("light", Content::Light(light)));
    }
    let cameras = [
        Camera { near: -1.0, far: Some(-2.0), aspect: Some(-1.0), ..Camera::default() },
        Camera { projection: Projection::Perspective { fov_y: 9.0 }, near: 0.0, ..Camera::default() },
        Camera { projection: Projection::Orthographic { half_height: 0.0 }, near: -1.0, ..Camera::default() },
    ];
    for camera in cameras {
        let camera = scene.cameras.push(camera);
        scene.add_node(None, Node::new("camera", Content::Camera(camera)));
    }
    scene.properties.push("infinite", f64::INFINITY);
    scene.properties.push("bytes", vec![1, 2]);
    scene.properties.push("mapwright", 1);
    scene.properties.push("twice", 1);
    scene.properties.push("twice", 2);
    let rotation = [0.0, 0.0, 0.0, 2.0];
    let transform = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    scene.add_node(None, Node { transform, ..Node::new("long", Content::Group) });
    scene
}

fn affine_instances() -> Scene {
    let mut scene = showing(cube());
    let affine = vec![
        [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0], [3.0, 0.0, 0.0]],
        [[0.0; 3]; 4],
        [[f64::NAN; 3]; 4],
        [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, -2.0], [0.0, 0.0, 3.0]],
    ];
    let set = scene.instance_sets.push(InstanceSet {
        models: vec![Model::Reference("a".into()), Model::Mesh(MeshId::new(0)), Model::Reference("b".into())],
        model: vec![0, 1, 1, 0],
        transforms: InstanceTransforms::Affine(affine),
        ids: vec![5, 6, 7, 8],
        ..InstanceSet::default()
    });
    scene.add_node(None, Node::new("set", Content::InstanceSet(set)));
    let empty = scene.instance_sets.push(InstanceSet::default());
    scene.add_node(None, Node::new("none", Content::InstanceSet(empty)));
    scene
}

fn terrain() -> Scene {
    let mut scene = Scene { color_space: ColorSpace::Linear, metres_per_unit: Some(1.0), ..Scene::default() };
    let grass = scene.materials.push(Material::new("grass"));
    let mut heights: Vec<f32> = (0_u8..12).map(f32::from).collect();
    heights[3] = f32::NAN;
    let terrain = scene.terrains.push(Terrain {
        name: "island".into(),
        size: [4, 3],
        spacing: [50.0, -50.0],
        heights: Heights::F32(heights),
        diagonal: Diagonal::Anti,
        cell_size: [1, 2],
        cells: vec![0, 1],
        materials: vec![Some(grass), None],
        sea_level: Some(0.0),
        attributes: Vec::new(),
        properties: Properties::new(),
    });
    scene.add_node(None, Node::new("terrain", Content::Terrain(terrain)));
    scene
}

/// Creates a terrain of several chunks with two materials and water. The texture of one material ends with its cell.
pub(crate) fn chunks() -> Scene {
    let mut scene = Scene { color_space: ColorSpace::Linear, ..Scene::default() };
    let image = scene.images.push(pixels(PixelFormat::Rgb8, 40));
    let normal = scene.images.push(pixels(PixelFormat::Rgb8, 100));
    let shore = TextureSlot { wrap: [Wrap::Clamp; 2], ..TextureSlot::new(TextureUsage::BaseColor, image) };
    let shore = scene.materials.push(Material { textures: vec![shore], ..Material::new("shore") });
    let bumps = TextureSlot { uv_set: 1, ..TextureSlot::new(TextureUsage::Normal, normal) };
    let grass = scene.materials.push(Material { textures: vec![bumps], ..Material::new("grass") });
    scene.materials.push(Material::new("unused"));
    let [columns, rows] = [140_u32, 131];
    let height = |i: u32| i16::try_from((i % columns) * 7 % 50 + (i / columns) * 5 % 30).unwrap();
    let terrain = scene.terrains.push(Terrain {
        name: "island".into(),
        size: [columns, rows],
        spacing: [50.0, -50.0],
        heights: Heights::Steps { step: 0.045, values: (0..columns * rows).map(height).collect() },
        diagonal: Diagonal::Anti,
        cell_size: [columns, rows],
        cells: (0..columns * rows).map(|i| i / 11 % 4).collect(),
        materials: vec![None, Some(shore), Some(grass)],
        sea_level: Some(0.5),
        attributes: Vec::new(),
        properties: Properties::new(),
    });
    scene.add_node(None, Node::new("terrain", Content::Terrain(terrain)));
    scene
}

/// Objects on and above the chunks.
pub(crate) fn objects() -> Scene {
    let mut scene = chunks();
    for (number, model) in
        (0_i32..).zip([r"data3d\str javor.p3d", r"data3d\dum.p3d", r"data3d\dum2.p3d", r"data3d\kasna.p3d"])
    {
        let count = 5_u32;
        let affine = (0..count).map(|i| {
            let shear = if i == 4 { 0.5 } else { 0.0 };
            let side = if i == 3 { -1.0 } else { 1.0 };
            let place = [f64::from(i) * 50.0 + 25.0, 100.0, f64::from(number) * -50.0];
            [[side, 0.0, 0.0], [shear, 1.0, 0.0], [0.0, 0.0, 1.0], place]
        });
        let set = scene.instance_sets.push(InstanceSet {
            name: model.into(),
            models: vec![Model::Reference(model.into())],
            model: vec![0; count as usize],
            transforms: InstanceTransforms::Affine(affine.collect()),
            ids: (0..i64::from(count)).map(|i| i * 10 + i64::from(number)).collect(),
            order: (0..count).rev().collect(),
            on_ground: (0..count).map(|i| i % 2 == 1).collect(),
            properties: Properties::new(),
        });
        scene.add_node(None, Node::new(model, Content::InstanceSet(set)));
    }
    scene
}

/// Brushes in units of an inch or so: slanted ones, ones with more sides than can be seen, one shown twice.
pub(crate) fn brushes() -> Scene {
    let mut scene = Scene { metres_per_unit: Some(1.0 / 32.0), ..Scene::default() };
    let stone = scene.materials.push(Material { texture_size: Some([128, 32]), ..Material::new("stone") });
    let image = scene.images.push(pixels(PixelFormat::Rgb8, 3));
    let textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
    let wood = scene.materials.push(Material { textures, ..Material::new("wood") });
    for (size, cut) in [(8.0, 0.0), (64.0, 40.0), (1000.0, 0.1)] {
        let mut mesh = cube();
        mesh.positions.iter_mut().flatten().for_each(|c| *c *= size);
        mesh.face_materials = vec![Some(stone); 6];
        mesh.face_materials[2] = Some(wood);
        let mut brush = Brush::from_mesh(&mesh, |_| [64.0; 2]).unwrap().brush;
        let corner = [[size - cut, size, size], [size, size - cut, size], [size, size, size - cut]];
        let normal = [1.0, 1.0, 1.0];
        brush.sides.push(BrushSide {
            plane: if cut == 0.0 { corner.map(|p| p.map(|c| c + 1.0)) } else { corner },
            corners: Vec::new(),
            projection: TextureProjection {
                rotation: 0.5,
                scale: [0.25, -2.0],
                ..TextureProjection::on_base_axes(normal)
            },
            material: None,
            properties: Properties::new(),
        });
        let brush = scene.brushes.push(brush);
        for (place, rotation) in [(0.0, 0.0), (size * 2.0, 1.0)] {
            let turned = Transform::looking_along([rotation, rotation, -1.0]);
            let transform = Transform::Trs { translation: [place, 0.0, size], rotation: turned, scale: [1.0; 3] };
            scene.add_node(None, Node { transform, ..Node::new("brush", Content::Brush(brush)) });
        }
    }
    scene
}
