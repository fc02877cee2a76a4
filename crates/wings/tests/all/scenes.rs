//! Scenes for tests that documents can store without a loss, and a normal form for comparing them.

use mapwright_scene::{
    AlphaMode, Camera, CameraId, ClassicMaterial, ColorSet, Content, Elements, FaceFlags, Image, ImageSource, Light,
    LightKind, Material, MaterialId, Mesh, NamedSet, Node, NodeId, PixelFormat, Pixels, Projection, Scene, TextureSlot,
    TextureUsage, Transform, UvOrigin, UvSet, Value, VertexColors,
};
use mapwright_testkit::with_long_names;
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, to_scene};
use proptest::collection::vec;
use proptest::prelude::*;

pub(crate) fn import(document: &Document) -> Scene {
    to_scene(document, &ImportOptions::default()).unwrap().scene
}

/// The unit cube, with its rings in the order of documents.
pub(crate) fn cube() -> Mesh {
    let positions = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [4, 5, 7, 6], [0, 4, 6, 2], [2, 6, 7, 3]];
    Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

/// A scene with one mesh.
pub(crate) fn scene_of(mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(mesh);
    scene.add_node(None, Node::new("it", Content::Mesh(mesh)));
    scene
}

fn number() -> BoxedStrategy<f64> {
    prop_oneof![(-8..8_i32).prop_map(f64::from), -1e3..1e3_f64, Just(1e-300), Just(0.1)].boxed()
}

fn unit() -> BoxedStrategy<f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(0.8), 0.0..1.0_f64].boxed()
}

fn color() -> BoxedStrategy<[f64; 4]> {
    [unit(), unit(), unit(), unit()].boxed()
}

fn name() -> BoxedStrategy<String> {
    with_long_names(prop_oneof![Just(String::new()), "[a-z]{1,5}", "[ -~]{1,8}", "[äöŁ木]{1,3}"])
}

/// A cube with all properties of meshes.
fn mesh(materials: u32) -> BoxedStrategy<Mesh> {
    let face = (
        prop::option::of(0..materials.max(1)),
        prop::option::of(prop::array::uniform4([number(), number()])),
        prop::array::uniform4([0.0..1.0_f32, -1.0..2.0_f32, 0.0..1.0_f32]),
    );
    let points = prop::array::uniform8([number(), number(), number()]);
    (
        points,
        prop::array::uniform6(face),
        any::<bool>(),
        0..4_usize,
        0..3_usize,
        prop::option::of(4..6_u32),
        vec(0..12_usize, 0..5),
    )
        .prop_map(move |(points, faces, colored, hidden, holes, mirror, hard)| {
            let mut mesh = cube();
            mesh.positions = points.to_vec();
            if materials > 0 {
                // A face without a material would get the material `default` if there is one.
                let material = |face: Option<u32>| if materials == 2 { face.or(Some(1)) } else { face };
                mesh.face_materials = faces.iter().map(|face| material(face.0).map(MaterialId::new)).collect();
            }
            let uvs: Vec<Option<[f64; 2]>> =
                faces.iter().flat_map(|face| (0..4).map(move |corner| face.1.map(|uvs| uvs[corner]))).collect();
            if uvs.iter().any(Option::is_some) {
                mesh.uv_sets = vec![UvSet {
                    name: String::new(),
                    origin: UvOrigin::LowerLeft,
                    corners: uvs.into_iter().collect(),
                }];
            }
            if colored {
                let colors = faces.iter().flat_map(|face| face.2).map(|[r, g, b]| Some([r, g, b, 1.0])).collect();
                mesh.color_sets = vec![ColorSet { name: String::new(), corners: colors }];
            }
            let flags = |face: usize| match face {
                _ if face < holes.min(hidden) => FaceFlags::HIDDEN.with(FaceFlags::HOLE),
                _ if face < hidden => FaceFlags::HIDDEN,
                _ => FaceFlags::NONE,
            };
            mesh.face_flags = (0..6).map(flags).collect();
            mesh.mirror = mirror;
            let mut edges: Vec<[u32; 2]> = mesh.edge_sides().iter().map(|side| side.vertices).collect();
            edges.dedup();
            mesh.hard_edges = hard.into_iter().map(|edge| edges[edge]).collect();
            mesh.hard_edges.sort_unstable();
            mesh.hard_edges.dedup();
            mesh
        })
        .boxed()
}

fn image() -> BoxedStrategy<Image> {
    use PixelFormat as F;
    let formats = prop::sample::select(vec![F::L8, F::A8, F::Rgb8, F::Rgba8]);
    let pixels = (1..4_u32, 1..4_u32, formats, any::<u8>()).prop_map(|(width, height, format, seed)| {
        let size = width as usize * height as usize * format.channels();
        let data = (0..size).map(|i| seed.wrapping_add(u8::try_from(i).unwrap())).collect();
        ImageSource::Pixels(Pixels { width, height, format, data })
    });
    let external = with_long_names::<String>("[a-z/:\\\\ä]{1,9}").prop_map(|path| ImageSource::External { path });
    (with_long_names::<String>("[a-zäŁ]{1,5}"), prop_oneof![pixels, external])
        .prop_map(|(name, source)| Image { name, source })
        .boxed()
}

fn material(images: u32) -> BoxedStrategy<Material> {
    use TextureUsage as U;
    let usage = prop::sample::select(vec![
        U::Normal,
        U::Bump,
        U::Metallic,
        U::Roughness,
        U::Occlusion,
        U::Emission,
        U::Gloss,
        U::Other("ä b".into()),
    ]);
    let classic = (color(), color(), unit()).prop_map(|(ambient, specular, shininess)| ClassicMaterial {
        ambient,
        specular,
        shininess,
    });
    let texture = prop::option::of((usage, 0..images.max(1)));
    ([unit(), unit(), unit(), unit()], unit(), unit(), color(), prop::option::of(classic), texture, any::<bool>())
        .prop_map(move |(base_color, metallic, roughness, emissive, classic, texture, colors)| {
            let texture = texture.filter(|_| images > 0);
            let blended = base_color[3] < 1.0;
            Material {
                base_color,
                metallic,
                roughness,
                emissive,
                classic,
                textures: texture
                    .map(|(usage, image)| TextureSlot::new(usage, mapwright_scene::Id::new(image)))
                    .into_iter()
                    .collect(),
                vertex_colors: if colors { VertexColors::Multiply } else { VertexColors::Ignore },
                alpha: if blended { AlphaMode::Blend } else { AlphaMode::Opaque },
                double_sided: !blended,
                ..Material::default()
            }
        })
        .boxed()
}

fn light() -> BoxedStrategy<(Node, Light)> {
    let kind = prop_oneof![
        Just(LightKind::Ambient),
        Just(LightKind::Directional),
        Just(LightKind::Point),
        (0.0..89.0_f64, unit()).prop_map(|(degrees, exponent)| {
            let angle = degrees.to_radians();
            LightKind::Spot { inner: angle, outer: angle, exponent }
        }),
        Just(LightKind::Area { mesh: None }),
        Just(LightKind::Other("laser".into())),
    ];
    let fade = (unit(), unit());
    let place = ([number(), number(), number()], [number(), number(), number()]);
    (
        name(),
        kind,
        color(),
        fade,
        place,
        [any::<bool>(), any::<bool>()],
        prop::option::of(color()),
        prop::option::of(color()),
    )
        .prop_map(
            |(name, kind, color, (linear, quadratic), (position, target), [visible, locked], ambient, specular)| {
                let fades = matches!(kind, LightKind::Point | LightKind::Spot { .. } | LightKind::Area { .. });
                let mut light = Light { color, target: Some(target), specular, ..Light::default() };
                if kind != LightKind::Ambient {
                    light.ambient = ambient;
                }
                if fades {
                    light.attenuation = mapwright_scene::Attenuation { constant: 0.8, linear, quadratic };
                }
                light.kind = kind;
                let direction = [0, 1, 2].map(|axis| target[axis] - position[axis]);
                let rotation = Transform::looking_along(direction);
                let transform = Transform::Trs { translation: position, rotation, scale: [1.0; 3] };
                (Node { transform, visible, locked, ..Node::new(name, Content::Group) }, light)
            },
        )
        .boxed()
}

fn camera() -> BoxedStrategy<(String, Camera)> {
    let orbit = (number(), number(), number(), [number(), number()], [number(), number(), number()]);
    (name(), orbit, 1.0..170.0_f64, unit())
        .prop_map(|(name, (distance, azimuth, elevation, [x, y], target), fov, near)| {
            let mut camera = Camera {
                projection: Projection::Perspective { fov_y: fov.to_radians() },
                near,
                far: Some(near + 100.0),
                target: Some(target),
                ..Camera::default()
            };
            camera.properties.push("distance_to_aim", distance);
            camera.properties.push("azimuth", azimuth);
            camera.properties.push("elevation", elevation);
            camera.properties.push("tracking", vec![Value::Float(x), Value::Float(y)]);
            (name, camera)
        })
        .boxed()
}

/// Scenes that documents can store without a loss.
pub(crate) fn scene() -> BoxedStrategy<Scene> {
    (vec(image(), 0..3), 0..3_u32)
        .prop_flat_map(|(images, materials)| {
            let count = u32::try_from(images.len()).unwrap();
            // Boxed: nested values exceed the stack of a test without optimization.
            let objects = vec((name(), mesh(materials).boxed(), 0..3_usize, any::<bool>(), any::<bool>()), 0..4);
            let sets = vec((0..4_usize, 0..4_usize, vec(0..6_u32, 1..4)), 0..3);
            let materials = vec(material(count).boxed(), materials as usize);
            let (lights, cameras) = (vec(light().boxed(), 0..3), vec(camera().boxed(), 0..3));
            (Just(images), materials, objects, lights, cameras, sets).prop_map(build)
        })
        .boxed()
}

type Object = (String, Mesh, usize, bool, bool);
type Set = (usize, usize, Vec<u32>);

#[allow(clippy::type_complexity)]
fn build(
    (images, materials, objects, lights, cameras, sets): (
        Vec<Image>,
        Vec<Material>,
        Vec<Object>,
        Vec<(Node, Light)>,
        Vec<(String, Camera)>,
        Vec<Set>,
    ),
) -> Scene {
    let mut scene = Scene::default();
    for image in images {
        scene.images.push(image);
    }
    for (material, name) in materials.into_iter().zip(["red", "default", "Blå 2"]) {
        scene.materials.push(Material { name: name.into(), ..material });
    }
    let mut folders: [Option<NodeId>; 2] = [None; 2];
    let mut nodes = Vec::new();
    for (name, mut mesh, folder, visible, locked) in objects {
        mesh.name.clone_from(&name);
        let parent = (folder > 0).then(|| {
            *folders[folder - 1]
                .get_or_insert_with(|| scene.add_node(None, Node::new(["one", "ŁŁ"][folder - 1], Content::Group)))
        });
        let mesh = scene.meshes.push(mesh);
        nodes.push(scene.add_node(parent, Node { visible, locked, ..Node::new(name, Content::Mesh(mesh)) }));
    }
    if folders[0].is_none() {
        scene.add_node(None, Node::new("one", Content::Group));
    }
    for (node, light) in lights {
        let light = scene.lights.push(light);
        scene.add_node(None, Node { content: Content::Light(light), ..node });
    }
    for (name, camera) in cameras {
        // The orbit determines the transform. A scene with only this camera gives it.
        let transform = camera_place(&camera);
        let camera = scene.cameras.push(camera);
        scene.add_node(None, Node { transform, ..Node::new(name, Content::Camera(camera)) });
    }
    let mut taken = Vec::new();
    for (kind, which, mut numbers) in sets {
        numbers.sort_unstable();
        numbers.dedup();
        let Some(&node) = nodes.get(which) else { continue };
        let elements = match kind {
            0 => Elements::Node,
            1 => Elements::Vertices(numbers),
            2 => {
                let mut edges: Vec<[u32; 2]> = cube().edge_sides().iter().map(|side| side.vertices).collect();
                edges.dedup();
                Elements::Edges(numbers.iter().map(|&edge| edges[edge as usize]).collect())
            }
            _ => Elements::Faces(numbers),
        };
        if !taken.contains(&(which, kind)) {
            taken.push((which, kind));
            scene.sets.push(NamedSet {
                name: format!("set {which}"),
                members: vec![(node, elements)],
                ..NamedSet::default()
            });
        }
    }
    only_visible(&mut scene);
    scene
}

/// Removes hidden faces from sets, as documents do.
pub(crate) fn only_visible(scene: &mut Scene) {
    for (node, elements) in scene.sets.iter_mut().flat_map(|set| &mut set.members) {
        if let (Elements::Faces(faces), Content::Mesh(mesh)) = (elements, &scene.nodes[*node].content) {
            faces.retain(|&face| !scene.meshes[*mesh].flags(face as usize).contains(FaceFlags::HIDDEN));
        }
    }
    let is_empty = |elements: &Elements| matches!(elements, Elements::Faces(faces) if faces.is_empty());
    scene.sets.iter_mut().for_each(|set| set.members.retain(|(_, elements)| !is_empty(elements)));
    scene.sets.retain(|set| !set.members.is_empty());
}

fn camera_place(camera: &Camera) -> Transform {
    let mut scene = Scene::default();
    let id: CameraId = scene.cameras.push(camera.clone());
    scene.add_node(None, Node::new("", Content::Camera(id)));
    let document = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    let mut model = document.model().unwrap();
    let mut views = model.views();
    let float = |value: f64| {
        let mut term = mapwright_wings::etf::Builder::new(mapwright_wings::etf::WriterProfile::Otp17);
        term.float(value);
        term.finish().unwrap()
    };
    for key in ["distance_to_aim", "azimuth", "elevation"] {
        views[0].props.set(key, &float(camera.properties.get(key).unwrap().as_f64().unwrap())).unwrap();
    }
    for (key, values) in [
        ("aim", camera.target.unwrap().map(|c| 0.0 - c).to_vec()),
        (
            "tracking",
            match camera.properties.get("tracking") {
                Some(Value::List(list)) => list.iter().filter_map(Value::as_f64).collect(),
                _ => Vec::new(),
            },
        ),
    ] {
        let mut term = mapwright_wings::etf::Builder::new(mapwright_wings::etf::WriterProfile::Otp17);
        term.tuple(values.len());
        values.iter().for_each(|&value| term.float(value));
        views[0].props.set(key, &term.finish().unwrap()).unwrap();
    }
    model.set_views(&views).unwrap();
    let scene = import(&Document::from_model(&model).unwrap());
    scene.nodes.items()[0].transform
}

/// A mesh whose rings begin at their smallest vertex, because the start of a ring is irrelevant.
pub(crate) fn mesh_value(mesh: &Mesh) -> Mesh {
    let mut mesh = mesh.clone();
    let rings: Vec<Vec<u32>> = mesh.faces.iter().map(<[u32]>::to_vec).collect();
    let mut order = Vec::new();
    for (face, ring) in rings.iter().enumerate() {
        let range = mesh.faces.corner_range(face).unwrap();
        let least = (0..ring.len()).min_by_key(|&place| ring[place]).unwrap();
        let mut corners: Vec<usize> = range.collect();
        corners.rotate_left(least);
        order.extend(corners);
    }
    let old: Vec<u32> = mesh.faces.corners().to_vec();
    for (place, &from) in order.iter().enumerate() {
        mesh.faces.corners_mut()[place] = old[from];
    }
    for set in &mut mesh.uv_sets {
        set.corners = order.iter().map(|&from| set.corners.get(from)).collect();
    }
    for set in &mut mesh.color_sets {
        set.corners = order.iter().map(|&from| set.corners.get(from)).collect();
    }
    mesh.face_materials.resize(mesh.faces.len(), None);
    mesh.face_flags.resize(mesh.faces.len(), FaceFlags::NONE);
    mesh
}

/// The relevant content of a scene. Nodes are identified by their position in the tree instead of their ids.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Whole {
    nodes: Vec<(Option<usize>, Node, Part)>,
    materials: Vec<Material>,
    images: Vec<Image>,
    sets: Vec<(String, Vec<(usize, Elements)>)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    None,
    Mesh(Mesh),
    Light(Light),
    Camera(Camera),
}

pub(crate) fn whole(scene: &Scene) -> Whole {
    let place = |id: NodeId| scene.walk().position(|visit| visit.id == id);
    let nodes = scene.walk().map(|visit| {
        let part = match visit.node.content {
            Content::Mesh(id) => Part::Mesh(mesh_value(&scene.meshes[id])),
            Content::Light(id) => Part::Light(scene.lights[id].clone()),
            Content::Camera(id) => Part::Camera(scene.cameras[id].clone()),
            _ => Part::None,
        };
        let node = Node { children: Vec::new(), content: Content::Group, key: None, ..visit.node.clone() };
        (visit.parent.and_then(place), node, part)
    });
    let members =
        |set: &NamedSet| set.members.iter().map(|(id, elements)| (place(*id).unwrap(), elements.clone())).collect();
    Whole {
        nodes: nodes.collect(),
        materials: scene.materials.items().to_vec(),
        images: scene.images.items().to_vec(),
        sets: scene.sets.iter().map(|set| (set.name.clone(), members(set))).collect(),
    }
}
