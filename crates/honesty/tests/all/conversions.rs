//! A conversion reports everything that it loses, for every source, target and scene.

use std::collections::BTreeMap;
use std::env;

use mapwright::scene::NoFiles;
use mapwright::scene::{
    Camera, ClassicMaterial, ColorSet, ColorSpace, Content, CornerColumn, Entity, Light, Material, Mesh, Node,
    Properties, Scene, Transform, UvSet,
};
use mapwright::{AnyDocument, ConvertOptions, Format, ReadOptions, SceneFile, convert};
use mapwright_honesty::{check, differences};
use proptest::prelude::*;

use crate::rich_scenes::scene;

/// The formats that scenes are written in and read from.
fn formats() -> Vec<Format> {
    Format::ALL.iter().copied().filter(|format| format.access().import && format.access().export).collect()
}

/// Returns the scene as a document of a format, as far as that can store it. `None`: as it is.
fn document(scene: Scene, format: Option<Format>) -> Option<AnyDocument> {
    let import = mapwright::scene::Import { scene, ..Default::default() };
    let document =
        SceneFile { format: Format::Glb, import, side_files: Vec::new(), has_shading: true, no_data: None }.into();
    let Some(format) = format else { return Some(document) };
    let options = ConvertOptions::default().with_allow_empty(true);
    let main = convert(document, format, &NoFiles, &options).ok()?.files.main;
    // Materials and legends beside the file are left out.
    AnyDocument::from_vec_as(main, format, &ReadOptions::default()).ok()
}

/// Returns the differences that a conversion does not report, with their kind. `None` if the formats cannot be converted.
fn unreported(scene: Scene, from: Option<Format>, to: Format) -> Option<Vec<(String, String)>> {
    let document = document(scene, from)?;
    let folder = tempfile::tempdir().unwrap();
    let honesty = check(&document, to, folder.path()).ok()?;
    assert!(honesty.is_complete || !to.access().import);
    let name = from.map_or("scene", Format::name);
    let pair = |difference: mapwright_honesty::Difference| {
        (format!("{name} → {to}: {}", difference.kind), format!("{}: {}", difference.path, difference.text))
    };
    Some(honesty.unreported.into_iter().map(pair).collect())
}

fn cases(default: u32) -> ProptestConfig {
    let cases = env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Changes one thing in a scene.
type Change = fn(&mut Scene);

#[test]
fn each_change_is_a_difference() {
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let material = scene.materials.push(Material::new("brick"));
    let positions = vec![[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0]];
    let uvs = vec![Some([0.0, 0.0]), Some([1.0, 0.0]), Some([0.0, 1.0])];
    let mesh = scene.meshes.push(Mesh {
        positions,
        faces: [[0, 1, 2]].into_iter().collect(),
        face_materials: vec![Some(material)],
        uv_sets: vec![UvSet { corners: uvs.into_iter().collect(), ..UvSet::default() }],
        color_sets: vec![ColorSet { corners: CornerColumn::filled(Some([0.5; 4]), 3), ..ColorSet::default() }],
        ..Mesh::default()
    });
    scene.add_node(None, Node::new("wall", Content::Mesh(mesh)));
    let group = scene.add_node(None, Node::new("group", Content::Group));
    let light = scene.lights.push(Light { range: Some(5.0), ..Light::default() });
    let properties = [("key", "value")].into_iter().collect();
    let node = Node { transform: Transform::translation([5.0; 3]), properties, ..Node::default() };
    scene.add_node(Some(group), Node { name: "lamp".into(), content: Content::Light(light), ..node });
    assert_eq!(differences(&scene, &scene), (Vec::new(), true));
    let changes: [(&str, Change); 14] = [
        ("meshes.faces", |scene| scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.positions[2][2] = 0.1)),
        ("meshes.faces", |scene| scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.reverse_winding())),
        ("meshes.uv_sets", |scene| scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.uv_sets[0].corners.set(1, None))),
        ("meshes.color_sets", |scene| scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.color_sets.clear())),
        ("meshes.face_materials", |scene| scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_materials.clear())),
        ("materials.base_color", |scene| scene.materials.iter_mut().for_each(|(_, it)| it.base_color[0] = 0.9)),
        ("lights.range", |scene| scene.lights.iter_mut().for_each(|(_, light)| light.range = Some(6.0))),
        ("lights", |scene| _ = scene.nodes.iter_mut().last().map(|(_, node)| node.content = Content::Group)),
        ("nodes.transform", |scene| scene.nodes.iter_mut().for_each(|(_, node)| node.transform = Transform::IDENTITY)),
        ("nodes.properties", |scene| scene.nodes.iter_mut().for_each(|(_, node)| node.properties = Properties::new())),
        ("nodes.parent", |scene| _ = scene.nodes.iter_mut().nth(1).map(|(_, node)| node.name.clear())),
        ("nodes.visible", |scene| _ = scene.nodes.iter_mut().last().map(|(_, node)| node.visible = false)),
        ("metres_per_unit", |scene| scene.metres_per_unit = Some(0.5)),
        ("nodes (added)", |scene| _ = scene.add_node(None, Node::new("start", Content::Marker))),
    ];
    for (kind, change) in changes {
        let mut changed = scene.clone();
        change(&mut changed);
        let kinds: Vec<String> = differences(&scene, &changed).0.into_iter().map(|it| it.kind).collect();
        assert!(kinds.iter().any(|found| found == kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn equal_objects_at_one_place_keep_their_faces() {
    let mut scene = Scene::default();
    let positions = vec![[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0]];
    let triangle = Mesh { positions, faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() };
    for name in ["first", "second"] {
        let mesh = scene.meshes.push(Mesh { name: name.into(), ..triangle.clone() });
        scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
    }
    let mut without_first = scene.clone();
    without_first.roots.remove(0);
    let (found, _) = differences(&scene, &without_first);
    assert!(!found.is_empty() && found.iter().all(|it| it.path.starts_with("meshes[0]")), "{found:?}");
}

#[test]
fn only_black_lights_may_be_added() {
    let scene = Scene::default();
    for (intensity, count) in [(0.0, 0), (1.0, 1)] {
        let mut lit = scene.clone();
        let light = lit.lights.push(Light { intensity, ..Light::default() });
        lit.add_node(None, Node::new("sun", Content::Light(light)));
        assert_eq!(differences(&scene, &lit).0.len(), count);
    }
}

/// Differences that random scenes show once in thousands of conversions.
#[test]
fn rare_differences_are_reported() {
    let classic = ClassicMaterial { ambient: [0.75, 0.0, 0.5, 1.0], specular: [0.25; 4], shininess: 0.5 };
    let mut painted = Scene { color_space: ColorSpace::Linear, ..Scene::default() };
    let material = painted.materials.push(Material { classic: Some(classic), ..Material::new("paint") });
    let mesh = painted.meshes.push(Mesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        faces: [[0, 1, 2]].into_iter().collect(),
        face_materials: vec![Some(material)],
        ..Mesh::default()
    });
    painted.add_node(None, Node::new("wall", Content::Mesh(mesh)));
    let mut keys = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let entity = keys.entities.push(Entity { class: "door".into(), ..Entity::default() });
    let properties = [("speed", 31)].into_iter().collect();
    keys.add_node(None, Node { properties, ..Node::new("gate", Content::Entity(entity)) });
    let mut lit = Scene::default();
    let light = lit.lights.push(Light::default());
    lit.add_node(None, Node::new("lamp", Content::Light(light)));
    let mut seen = Scene { metres_per_unit: Some(0.0254), ..Scene::default() };
    for name in ["camera", "default camera"] {
        let camera = seen.cameras.push(Camera { target: Some([0.1, 0.2, 4000.3]), ..Camera::default() });
        seen.add_node(None, Node::new(name, Content::Camera(camera)));
    }
    for (scene, from, to) in [
        (painted, None, Format::Wings),
        (keys, None, Format::Map),
        (lit, None, Format::Map),
        (seen.clone(), None, Format::Vmap),
        (seen, Some(Format::Vmf), Format::Vmap),
    ] {
        assert_eq!(unreported(scene, from, to), Some(Vec::new()), "{to}");
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_difference_is_a_reported_loss(scene in scene(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let formats = formats();
        let from = formats.get(from.index(formats.len() + 1)).copied();
        let found = unreported(scene, from, formats[to.index(formats.len())]).unwrap_or_default();
        prop_assert!(found.is_empty(), "{found:#?}");
    }
}

/// Prints the kinds of unreported differences of many scenes, for work on them.
#[test]
#[ignore = "prints a survey"]
fn survey_unreported_differences() {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut kinds = BTreeMap::<String, (usize, String)>::new();
    let count = cases(300).cases;
    let mut pairs = 0;
    for _ in 0..count {
        let scene = scene().new_tree(&mut runner).unwrap().current();
        for from in [None].into_iter().chain(formats().into_iter().map(Some)) {
            for to in formats() {
                let Some(found) = unreported(scene.clone(), from, to) else { continue };
                pairs += 1;
                for (kind, example) in found {
                    kinds.entry(kind).or_insert((0, example)).0 += 1;
                }
            }
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (kind, (count, example)) in kinds {
        println!("{count} {kind}: {}", example.chars().take(300).collect::<String>());
    }
    println!("{pairs} pairs");
}
