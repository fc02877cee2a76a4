//! A strategy for scenes with every kind of content.

use std::f64::consts::FRAC_1_SQRT_2;

use mapwright::scene::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

type Pose = (Transform, [bool; 2]);

fn name() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[a-z]{3}[a-z0-9_]{0,5}", 1 => "[A-Z][a-z]{2} [a-z]{2}", 1 => "ü[a-zß]{3}"]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        (-1000..1000_i64).prop_map(Value::Int),
        (-1000..1000_i32).prop_map(|n| Value::Float(f64::from(n) / 8.0)),
        "[a-zA-Z0-9 ]{1,6}".prop_map(Value::Text),
        vec((-9..9_i64).prop_map(Value::Int), 1..3).prop_map(Value::List),
    ]
}

fn properties() -> impl Strategy<Value = Properties> {
    let pairs = prop::collection::btree_map("k_[a-z]{1,4}", value(), 0..3);
    prop_oneof![2 => Just(Properties::new()), 1 => pairs.prop_map(|pairs| pairs.into_iter().collect())]
}

fn length() -> impl Strategy<Value = f64> {
    (-512..512_i32).prop_map(|n| f64::from(n) / 4.0)
}

fn point() -> impl Strategy<Value = [f64; 3]> {
    [length(), length(), length()]
}

fn unit() -> impl Strategy<Value = f64> {
    (0..=8_u8).prop_map(|n| f64::from(n) / 8.0)
}

fn color() -> impl Strategy<Value = [f64; 4]> {
    [unit(), unit(), unit()].prop_map(|[r, g, b]| [r, g, b, 1.0])
}

/// Transforms, of which most only move.
fn transform() -> impl Strategy<Value = Transform> {
    let turns = prop_oneof![
        4 => Just([0.0, 0.0, 0.0, 1.0]),
        1 => Just([0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2]),
        1 => point().prop_map(Transform::looking_along),
    ];
    let scales =
        prop_oneof![6 => Just([1.0; 3]), 1 => Just([2.0; 3]), 1 => Just([1.0, 0.5, 2.0]), 1 => Just([-1.0, 1.0, 1.0])];
    (point(), turns, scales).prop_map(|(translation, rotation, scale)| Transform::Trs { translation, rotation, scale })
}

/// A box with some of the data that meshes have. Bits of `data` select it.
fn mesh(size: f64, data: u8, materials: usize) -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * size)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
    let mut mesh =
        Mesh { positions, faces: faces.into_iter().collect(), smoothing: Smoothing::Flat, ..Mesh::default() };
    let has = |bit: u8| data >> bit & 1 == 1;
    if has(0) {
        let corner = |i: u8| Some([f64::from(i % 4 / 2), f64::from((i + 1) % 4 / 2) / 2.0]);
        mesh.uv_sets.push(UvSet { corners: (0..24).map(corner).collect(), ..UvSet::default() });
        if has(1) {
            let corner = |i: u8| Some([f64::from(i) / 32.0, 0.25]);
            mesh.uv_sets.push(UvSet { corners: (0..24).map(corner).collect(), ..UvSet::default() });
        }
    }
    if has(2) {
        let corner = |i: u8| Some([f32::from(i) / 32.0, 0.5, 0.25, 1.0]);
        mesh.color_sets.push(ColorSet { name: String::new(), corners: (0..24).map(corner).collect() });
    }
    if has(3) {
        mesh.smoothing = Smoothing::Smooth;
        mesh.hard_edges = vec![[0, 1], [0, 2]];
    }
    if has(4) && materials > 0 {
        let material = |face: u32| Some(MaterialId::new(face % u32::try_from(materials).unwrap()));
        mesh.face_materials = (0..6).map(material).collect();
    }
    if has(5) && has(6) {
        mesh.face_flags = vec![FaceFlags::NONE; 6];
        mesh.face_flags[2] = if has(7) { FaceFlags::HIDDEN } else { FaceFlags::HOLE };
    }
    if has(6) && !has(5) {
        // No longer convex, so no brush.
        mesh.positions[7] = [size / 4.0; 3];
    }
    mesh
}

fn brush(size: f64, material: Option<MaterialId>) -> Brush {
    let mut mesh = mesh(size, 1, 0);
    mesh.face_materials = vec![material; 6];
    Brush::from_mesh(&mesh, |_| [64.0; 2]).unwrap().brush
}

#[derive(Debug, Clone)]
enum Part {
    Group,
    Mesh(f64, u8),
    Brush(f64, bool),
    Terrain(Vec<i16>, bool, bool),
    Tiles(Vec<u32>, i32, Option<u32>),
    Models(String, Vec<[f64; 3]>),
    Light(Light),
    Camera(Camera),
    Sound(Sound),
    Path(Path),
    Marker,
    Entity(Entity),
    Prefab(Prefab),
    Instance(prop::sample::Index),
}

fn part() -> impl Strategy<Value = Part> {
    let size = || (1..40_u8).prop_map(|n| f64::from(n) * 4.0);
    let cell = prop_oneof![3 => 0..6_u32, 1 => Just(Cell::EMPTY), 1 => Just(Cell::FILL)];
    prop_oneof![
        3 => Just(Part::Group),
        6 => (size(), any::<u8>()).prop_map(|(size, data)| Part::Mesh(size, data)),
        3 => (size(), any::<bool>()).prop_map(|(size, has_material)| Part::Brush(size, has_material)),
        2 => (vec(-100..1000_i16, 16), any::<bool>(), any::<bool>()).prop_map(|(h, steps, sea)| Part::Terrain(h, steps, sea)),
        2 => (vec(cell, 12), -5..5_i32, option::of(0..255_u32)).prop_map(|(cells, z, fill)| Part::Tiles(cells, z, fill)),
        2 => ("[a-z]{3}/[a-z]{3}\\.p3d", vec(point(), 1..4)).prop_map(|(model, rows)| Part::Models(model, rows)),
        3 => light().prop_map(Part::Light),
        2 => camera().prop_map(Part::Camera),
        2 => ("[a-z]{3}\\.wav", option::of(unit()), option::of(1.0..500.0_f64), properties())
            .prop_map(|(reference, volume, range, properties)| Part::Sound(Sound { reference, volume, range, properties })),
        2 => path().prop_map(Part::Path),
        2 => Just(Part::Marker),
        3 => entity().prop_map(Part::Entity),
        2 => ("[a-z]{3}/[a-z]{3}\\.vmap", properties())
            .prop_map(|(reference, overrides)| Part::Prefab(Prefab { reference, overrides })),
        1 => any::<prop::sample::Index>().prop_map(Part::Instance),
    ]
}

fn light() -> impl Strategy<Value = Light> {
    let kind = prop_oneof![
        Just(LightKind::Ambient),
        Just(LightKind::Directional),
        Just(LightKind::Point),
        Just(LightKind::Spot { inner: 0.25, outer: 0.5, exponent: 0.0 }),
        Just(LightKind::Area { mesh: None }),
    ];
    (kind, color(), 1..5_u8, option::of(1.0..900.0_f64), any::<bool>(), properties()).prop_map(
        |(kind, color, intensity, range, falls_off, properties)| Light {
            kind,
            color,
            intensity: f64::from(intensity) / 2.0,
            range,
            attenuation: if falls_off {
                Attenuation { linear: 0.5, ..Attenuation::default() }
            } else {
                Attenuation::default()
            },
            properties,
            ..Light::default()
        },
    )
}

fn camera() -> impl Strategy<Value = Camera> {
    let projection = prop_oneof![
        3 => (20..90_u8).prop_map(|degrees| Projection::Perspective { fov_y: f64::from(degrees).to_radians() }),
        1 => (1..50_u8).prop_map(|height| Projection::Orthographic { half_height: f64::from(height) }),
    ];
    (projection, option::of(100.0..9000.0_f64), option::of(Just(1.5)), properties()).prop_map(
        |(projection, far, aspect, properties)| Camera { projection, far, aspect, properties, ..Camera::default() },
    )
}

fn path() -> impl Strategy<Value = Path> {
    let row = (point(), option::weighted(0.2, [point(), point()]), properties())
        .prop_map(|(position, tangents, properties)| PathPoint { position, tangents, properties });
    (vec(row, 2..5), any::<bool>(), properties()).prop_map(|(points, closed, properties)| Path {
        points,
        closed,
        properties,
        ..Path::default()
    })
}

fn entity() -> impl Strategy<Value = Entity> {
    let connection =
        ("[A-Z][a-z]{3}", "[a-z]{3}", "[A-Z][a-z]{3}", 0..4_u8).prop_map(|(output, target, input, delay)| Connection {
            output,
            target,
            input,
            delay: f64::from(delay),
            ..Connection::default()
        });
    ("[a-z]{3}_[a-z]{3}", option::of("[a-z]{3}/[a-z]{3}\\.mdl"), properties(), vec(connection, 0..2))
        .prop_map(|(class, model, properties, connections)| Entity { class, model, properties, connections })
}

fn material() -> impl Strategy<Value = Material> {
    (
        (name(), color(), unit(), unit(), color(), option::of(Just([64_u32; 2]))),
        (option::of("[a-z]{3}/[a-z]{3}"), any::<[bool; 4]>(), properties()),
    )
        .prop_map(
            |((name, base_color, metallic, roughness, emissive, texture_size), (reference, flags, properties))| {
                let [is_classic, has_alpha, double_sided, is_plain] = flags;
                let plain = Material { base_color, texture_size, ..Material::new(name) };
                if is_plain {
                    return plain;
                }
                let classic = ClassicMaterial { ambient: base_color, specular: emissive, shininess: roughness };
                let alpha = if has_alpha { AlphaMode::Mask(0.5) } else { AlphaMode::Opaque };
                let classic = is_classic.then_some(classic);
                Material { metallic, roughness, emissive, classic, alpha, double_sided, reference, properties, ..plain }
            },
        )
}

type Plan = (String, Part, Pose, Properties, prop::sample::Index);

/// Scenes of up to 8 nodes.
pub(crate) fn scene() -> BoxedStrategy<Scene> {
    let node = (name(), part(), (transform(), any::<[bool; 2]>()), properties(), any::<prop::sample::Index>());
    let units = prop_oneof![Just(None), Just(Some(1.0)), Just(Some(0.0254)), Just(Some(0.01))];
    (vec(node, 1..8), vec(material(), 0..3), units, any::<bool>(), properties())
        .prop_map(|(plans, materials, metres_per_unit, is_linear, properties)| {
            let color_space = if is_linear { ColorSpace::Linear } else { ColorSpace::Srgb };
            let mut scene = Scene { metres_per_unit, color_space, properties, ..Scene::default() };
            for (index, mut material) in materials.into_iter().enumerate() {
                // Names are unique, as in all formats.
                material.name.push_str(&index.to_string());
                if index == 0 {
                    let data = (0..12).collect();
                    let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgb8, data };
                    let image = Image { name: "bricks".into(), source: ImageSource::Pixels(pixels) };
                    let image = scene.images.push(image);
                    material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
                    material.texture_size = Some([2; 2]);
                }
                scene.materials.push(material);
            }
            plans.into_iter().for_each(|plan| add(&mut scene, plan));
            scene
        })
        .boxed()
}

fn add(scene: &mut Scene, (name, part, (transform, [shown, locked]), properties, parent): Plan) {
    let place = parent.index(scene.nodes.len() + 1);
    let is_group = |id: &NodeId| matches!(scene.nodes[*id].content, Content::Group);
    let above = scene.nodes.ids().nth(place).filter(is_group);
    let first_material = scene.materials.ids().next();
    let content = match part {
        Part::Group => Content::Group,
        Part::Mesh(size, data) => {
            let mesh = Mesh { name: name.clone(), ..mesh(size, data, scene.materials.len()) };
            Content::Mesh(scene.meshes.push(mesh))
        }
        Part::Brush(size, has_material) => {
            Content::Brush(scene.brushes.push(brush(size, first_material.filter(|_| has_material))))
        }
        Part::Terrain(heights, has_steps, has_sea) => {
            let heights = match has_steps {
                true => Heights::Steps { step: 0.25, values: heights },
                false => Heights::F32(heights.into_iter().map(f32::from).collect()),
            };
            let mut terrain = Terrain::new([4, 4], [50.0, -50.0], heights);
            terrain.sea_level = has_sea.then_some(0.0);
            if let Some(material) = first_material {
                (terrain.cell_size, terrain.cells) = ([4, 4], vec![0; 16]);
                terrain.materials = vec![Some(material)];
            }
            Content::Terrain(scene.terrains.push(terrain))
        }
        Part::Tiles(cells, z, fill) => {
            let set = TileSet { name: name.clone(), tiles: vec![Tile::default(); 6], ..TileSet::default() };
            let tile_sets = vec![scene.tile_sets.push(set)];
            let layer = TileLayer {
                name: name.clone(),
                size: [4, 3],
                tile_size: [16; 2],
                cells,
                tile_sets,
                z,
                fill,
                ..TileLayer::default()
            };
            Content::TileLayer(scene.tile_layers.push(layer))
        }
        Part::Models(model, rows) => {
            let row = |[x, y, z]: [f64; 3]| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [x, y, z]];
            Content::InstanceSet(scene.instance_sets.push(InstanceSet {
                models: vec![Model::Reference(model)],
                model: vec![0; rows.len()],
                transforms: InstanceTransforms::Affine(rows.into_iter().map(row).collect()),
                ..InstanceSet::default()
            }))
        }
        Part::Light(light) => Content::Light(scene.lights.push(light)),
        Part::Camera(camera) => Content::Camera(scene.cameras.push(camera)),
        Part::Sound(sound) => Content::Sound(scene.sounds.push(sound)),
        Part::Path(path) => Content::Path(scene.paths.push(path)),
        Part::Marker => Content::Marker,
        Part::Entity(entity) => Content::Entity(scene.entities.push(entity)),
        Part::Prefab(prefab) => Content::Prefab(prefab),
        Part::Instance(target) => {
            // Ancestors cannot be targets.
            let targets: Vec<NodeId> = scene.nodes.ids().filter(|id| scene.nodes[*id].children.is_empty()).collect();
            let targets: Vec<NodeId> = targets.into_iter().filter(|id| Some(*id) != above).collect();
            match targets.is_empty() {
                true => Content::Group,
                false => Content::Instance(targets[target.index(targets.len())]),
            }
        }
    };
    // One in four is hidden or locked.
    let (visible, locked) = (shown || locked, locked && shown && place % 2 == 0);
    scene.add_node(above, Node { transform, visible, locked, properties, ..Node::new(name, content) });
}
