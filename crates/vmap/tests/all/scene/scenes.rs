//! Scenes for tests.

use mapwright_scene::{
    Camera, ColorSet, Connection, Content, Elements, Entity, Light, LightKind, Material, MaterialId, Mesh, NamedSet,
    Node, Path, PathPoint, Prefab, Properties, Scene, Smoothing, TextureProjection, Transform, UvSet, Value,
};
use mapwright_testkit::with_long_names;
use proptest::prelude::*;

/// Metres per unit of a map.
pub(crate) const INCH: f64 = 0.0254;

/// A scene in the unit of maps.
pub(crate) fn empty() -> Scene {
    Scene { metres_per_unit: Some(INCH), ..Scene::default() }
}

/// A box with all data of a map's mesh except tangents.
pub(crate) fn cube(size: f64, material: Option<MaterialId>) -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * size)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
    let mut mesh = Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() };
    mesh.smoothing = Smoothing::Angle(40.0_f64.to_radians());
    mesh.hard_edges = vec![[0, 1], [0, 2]];
    mesh.soft_edges = vec![[1, 3]];
    mesh.normals = Some((0..6).flat_map(|face| [mesh.face_normal(face); 4]).collect());
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]];
    mesh.uv_sets = vec![UvSet { corners: square.map(Some).repeat(6).into_iter().collect(), ..UvSet::default() }];
    let corners = (0..24_u8).map(|i| Some([f32::from(i) / 32.0, 0.5, 0.25, 1.0])).collect();
    mesh.color_sets = vec![ColorSet { name: "VertexPaintTintColor".into(), corners }];
    let projection = TextureProjection {
        u: [1.0, 0.0, 0.0, 0.0],
        v: [0.0, 0.0, -1.0, 0.0],
        offset: [3.0, 4.0],
        scale: [0.25, 0.5],
        rotation: 0.0,
        local: false,
    };
    mesh.face_projections = vec![projection; 6];
    if material.is_some() {
        mesh.face_materials = vec![material; 6];
    }
    mesh
}

pub(crate) fn material(name: &str) -> Material {
    Material { reference: Some(format!("materials/{name}.vmat")), ..Material::new(name) }
}

fn entity(class: &str, name: &str) -> Entity {
    Entity { class: class.into(), properties: [("targetname", name)].into_iter().collect(), ..Entity::default() }
}

/// A scene with all features of maps.
pub(crate) fn rich() -> Scene {
    let mut scene = empty();
    let brick = scene.materials.push(material("dev/brick"));
    let mesh = scene.meshes.push(cube(64.0, Some(brick)));
    let place = |x: f64| Transform::translation([x, 0.0, -x]);
    scene.add_node(None, Node { transform: place(8.0), ..Node::new("Box", Content::Mesh(mesh)) });
    let mut relay = entity("logic_relay", "relay");
    relay.properties.push("StartDisabled", "1");
    relay.connections.push(Connection {
        output: "OnTrigger".into(),
        target: "lamp".into(),
        target_type: Some(7),
        input: "TurnOn".into(),
        parameter: "1".into(),
        delay: 0.5,
        times: Some(1),
    });
    let relay = scene.entities.push(relay);
    let relay = scene.add_node(None, Node { transform: place(16.0), ..Node::new("relay", Content::Entity(relay)) });
    let group = Node {
        transform: place(32.0),
        properties: [("editorOnly", true)].into_iter().collect(),
        ..Node::new("Group", Content::Group)
    };
    let group = scene.add_node(None, group);
    let inside = scene.entities.push(entity("prop_static", "inside"));
    scene.entities[inside].model = Some("models/props/crate.vmdl".into());
    scene.add_node(Some(group), Node { transform: place(-4.0), ..Node::new("inside", Content::Entity(inside)) });
    let hidden = scene.meshes.push(cube(8.0, None));
    scene.add_node(Some(group), Node { visible: false, ..Node::new("hidden", Content::Mesh(hidden)) });
    let keys = [("classname", "light_omni"), ("targetname", "lamp"), ("brightness", "2"), ("color", "255 0 51 255")];
    let light = scene.lights.push(Light {
        kind: LightKind::Point,
        color: [1.0, 0.0, 0.2, 1.0],
        intensity: 2.0,
        properties: keys.into_iter().collect(),
        ..Light::default()
    });
    scene.add_node(None, Node { transform: place(5.0), ..Node::new("lamp", Content::Light(light)) });
    let overrides = [("plug", "1")].into_iter().collect();
    let prefab = Prefab { reference: "maps/prefabs/door.vmap".into(), overrides };
    scene.add_node(None, Node { transform: place(100.0), ..Node::new("Prefab", Content::Prefab(prefab)) });
    let definition = scene.nodes.push(Node::new("pillar", Content::Group));
    let mesh = scene.meshes.push(cube(16.0, Some(brick)));
    let part = scene.nodes.push(Node::new("part", Content::Mesh(mesh)));
    scene.nodes[definition].children.push(part);
    scene.add_node(None, Node { transform: place(-64.0), ..Node::new("pillar 1", Content::Instance(definition)) });
    let point = |x: f64| PathPoint { position: [x, x, 0.0], ..PathPoint::default() };
    let path = scene.paths.push(Path { points: [1.0, 2.0, 3.0].map(point).to_vec(), closed: true, ..Path::default() });
    scene.add_node(None, Node { transform: place(2.0), ..Node::new("rope", Content::Path(path)) });
    let camera = scene.cameras.push(Camera { target: Some([0.0, 0.0, -10.0]), ..Camera::default() });
    scene.add_node(None, Node::new("view", Content::Camera(camera)));
    let first = scene.roots[0];
    let members = vec![(first, Elements::Node), (relay, Elements::Node)];
    scene.sets.push(NamedSet { name: "chosen".into(), members, ..NamedSet::default() });
    scene.properties.push("gridspacing", 16.0);
    scene
}

/// Names that differ from all default names.
fn name() -> BoxedStrategy<String> {
    with_long_names("[a-z]{3}[ -~]{0,5}[a-z]|ü[a-z]{2}")
}

fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1000..1000_i32).prop_map(|n| Value::Float(f64::from(n) / 8.0)),
        with_long_names::<String>("[ -~äß]{0,6}").prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(Value::from),
        prop::collection::vec("[a-z]{0,3}".prop_map(Value::from), 0..3).prop_map(Value::from),
        prop::collection::vec(any::<i32>().prop_map(Value::from), 1..4).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let map = prop::collection::vec(("p_[a-z]{1,3}", inner), 0..3).prop_map(distinct);
        prop_oneof![
            map.clone().prop_map(Value::from),
            prop::collection::vec(map.prop_map(Value::from), 1..3).prop_map(Value::from)
        ]
    })
    .boxed()
}

/// Properties without repeated names.
fn distinct(pairs: Vec<(String, Value)>) -> Properties {
    let mut properties = Properties::new();
    for (name, value) in pairs {
        properties.set(&name, value);
    }
    properties
}

fn properties() -> BoxedStrategy<Properties> {
    prop::collection::vec(("p_[a-z]{1,4}", value()), 0..3).prop_map(distinct).boxed()
}

fn keys() -> BoxedStrategy<Properties> {
    prop::collection::vec(("k_[a-z]{1,4}", with_long_names::<String>("[ -~]{0,6}").prop_map(Value::from)), 0..4)
        .prop_map(distinct)
        .boxed()
}

fn transform() -> BoxedStrategy<Transform> {
    let number = || (-4000..4000_i32).prop_map(|n| f64::from(n) / 8.0);
    let turn = [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0];
    let size = prop_oneof![Just(1.0), Just(0.5), Just(2.0)];
    ([number(), number(), number()], turn, size, 0..4_u8)
        .prop_map(|(translation, turn, size, kind)| Transform::Trs {
            translation,
            rotation: if kind == 0 { Transform::looking_along(turn) } else { [0.0, 0.0, 0.0, 1.0] },
            scale: if kind == 1 { [size; 3] } else { [1.0; 3] },
        })
        .boxed()
}

fn connection() -> BoxedStrategy<Connection> {
    ([(); 4].map(|()| with_long_names::<String>("[a-z]{0,4}")), 0..8_u8, prop::option::of(0..5_u32), 0..9_i32)
        .prop_map(|(texts, delay, times, code)| {
            let [output, target, input, parameter] = texts;
            let delay = f64::from(delay) / 4.0;
            Connection { output, target, target_type: Some(code), input, parameter, delay, times }
        })
        .boxed()
}

/// Content of a node before it is added to a scene.
#[derive(Debug, Clone)]
enum Part {
    Group,
    Mesh { size: f64, material: Option<u8>, plain: bool },
    Entity { class: String, model: Option<String>, keys: Properties, connections: Vec<Connection> },
    Light { intensity: f64, color: [u8; 3], spot: bool, keys: bool },
    Prefab { reference: String, overrides: Properties },
    Path { points: Vec<[i16; 3]>, closed: bool },
    Instance(prop::sample::Index),
}

fn part() -> BoxedStrategy<Part> {
    let (class, model) = (with_long_names("[a-z_]{1,6}"), with_long_names("[a-z/]{1,6}"));
    prop_oneof![
        3 => Just(Part::Group),
        3 => (1..50_u8, prop::option::of(0..3_u8), any::<bool>())
            .prop_map(|(size, material, plain)| Part::Mesh { size: f64::from(size) / 4.0, material, plain }),
        3 => (class, prop::option::of(model), keys(), prop::collection::vec(connection(), 0..3))
            .prop_map(|(class, model, keys, connections)| Part::Entity { class, model, keys, connections }),
        1 => (0..40_u8, any::<[u8; 3]>(), any::<bool>(), any::<bool>())
            .prop_map(|(n, color, spot, keys)| Part::Light { intensity: f64::from(n) / 8.0, color, spot, keys }),
        1 => (with_long_names("[a-z/.]{0,8}"), keys()).prop_map(|(reference, overrides)| Part::Prefab { reference, overrides }),
        1 => (prop::collection::vec(any::<[i16; 3]>(), 0..4), any::<bool>())
            .prop_map(|(points, closed)| Part::Path { points, closed }),
        1 => any::<prop::sample::Index>().prop_map(Part::Instance),
    ]
    .boxed()
}

type NodePlan = (String, Part, Transform, Properties, (bool, bool), prop::sample::Index);

/// Random scenes with all features of maps.
pub(crate) fn scene() -> BoxedStrategy<Scene> {
    let node = (name(), part(), transform(), properties(), any::<(bool, bool)>(), any::<prop::sample::Index>());
    (prop::collection::vec(node, 0..10), properties()).prop_map(|(nodes, properties)| plan(nodes, properties)).boxed()
}

fn plan(plans: Vec<NodePlan>, properties: Properties) -> Scene {
    let mut scene = Scene { properties, ..empty() };
    let has_mesh = plans.iter().any(|plan| matches!(plan.1, Part::Mesh { .. }));
    // Materials are numbered by their first use in a mesh.
    let used: std::collections::BTreeSet<u8> = plans
        .iter()
        .filter_map(|plan| if let Part::Mesh { material, .. } = plan.1 { material } else { None })
        .collect();
    let mut order: Vec<u8> = Vec::new();
    for plan in &plans {
        if let Part::Mesh { material: Some(material), .. } = plan.1
            && !order.contains(&material)
        {
            order.push(material);
        }
    }
    assert!(has_mesh || used.is_empty());
    order.iter().for_each(|number| _ = scene.materials.push(material(&format!("m{number}"))));
    for (name, part, transform, properties, (visible, locked), parent) in plans {
        let content = match part {
            Part::Group => Content::Group,
            Part::Mesh { size, material, plain } => {
                let place =
                    material.and_then(|m| order.iter().position(|o| *o == m)).and_then(|p| u32::try_from(p).ok());
                let mut mesh = cube(size, place.map(MaterialId::new));
                if plain {
                    let (positions, faces) = (mesh.positions, mesh.faces);
                    let face_materials = mesh.face_materials;
                    mesh = Mesh { positions, faces, face_materials, ..Mesh::default() };
                }
                Content::Mesh(scene.meshes.push(mesh))
            }
            Part::Entity { class, model, keys, connections } => {
                Content::Entity(scene.entities.push(Entity { class, model, properties: keys, connections }))
            }
            Part::Light { intensity, color: [r, g, b], spot, keys } => {
                let channel = |c: u8| f64::from(c) / 255.0;
                let kind =
                    if spot { LightKind::Spot { inner: 0.5, outer: 0.75, exponent: 0.0 } } else { LightKind::Point };
                let properties = if keys { [("k", "v")].into_iter().collect() } else { Properties::new() };
                let color = [channel(r), channel(g), channel(b), 1.0];
                Content::Light(scene.lights.push(Light { kind, color, intensity, properties, ..Light::default() }))
            }
            Part::Prefab { reference, overrides } => Content::Prefab(Prefab { reference, overrides }),
            Part::Path { points, closed } => {
                let point = |p: [i16; 3]| PathPoint { position: p.map(f64::from), ..PathPoint::default() };
                let points = points.into_iter().map(point).collect();
                Content::Path(scene.paths.push(Path { points, closed, ..Path::default() }))
            }
            Part::Instance(target) => {
                // An instance of a group that only instances show.
                let definition = scene.nodes.push(Node::new("definition", Content::Group));
                if let (true, mesh) = (!scene.meshes.is_empty(), target.index(scene.meshes.len().max(1))) {
                    let copy = scene.meshes.items()[mesh].clone();
                    let mesh = scene.meshes.push(copy);
                    let inner = scene.nodes.push(Node::new("inner", Content::Mesh(mesh)));
                    scene.nodes[definition].children.push(inner);
                }
                Content::Instance(definition)
            }
        };
        let place = parent.index(scene.nodes.len() + 1);
        let above = scene.nodes.ids().nth(place).filter(|id| {
            // Inside the target, an instance of it would be recursive.
            matches!(scene.nodes[*id].content, Content::Group) && scene.nodes[*id].name != "definition"
        });
        // New meshes take the scale of their nodes and of groups, and objects without a size lose it.
        let keeps_scale = match content {
            Content::Entity(id) => scene.entities[id].model.is_some(),
            Content::Prefab(_) | Content::Instance(_) | Content::Path(_) => true,
            _ => false,
        };
        let transform = match transform {
            Transform::Trs { translation, rotation, .. } if !keeps_scale => {
                Transform::Trs { translation, rotation, scale: [1.0; 3] }
            }
            transform => transform,
        };
        let node = Node { transform, properties, visible, locked, ..Node::new(name, content) };
        scene.add_node(above, node);
    }
    scene
}
