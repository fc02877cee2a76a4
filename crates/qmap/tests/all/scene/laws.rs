//! Out and in again: the same scene, and then the same bytes.

use super::to_scene;
use mapwright_qmap::scene as map;
use mapwright_qmap::scene::mapwright_scene::transform::{add, cross, dot, normalize, scale};
use mapwright_qmap::scene::mapwright_scene::*;
use mapwright_testkit::with_long_names;
use proptest::{collection::vec, option, prelude::*};

fn written(scene: &Scene, spelling: map::ProjectionFormat) -> (Vec<u8>, Losses) {
    let export = map::from_scene(scene, &map::ExportOptions::default().with_projection(spelling)).unwrap();
    (export.document.as_bytes().to_vec(), export.losses)
}

fn again(text: &[u8]) -> Scene {
    let import = to_scene(text).unwrap();
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    import.scene
}

/// A number of the kinds that real files have.
fn number() -> BoxedStrategy<f64> {
    prop_oneof![(-4096_i16..4096).prop_map(f64::from), -4096.0..4096.0, prop::num::f64::NORMAL.prop_map(|x| x % 1e6)]
        .boxed()
}

fn factor() -> BoxedStrategy<f64> {
    prop_oneof![Just(1.0), Just(-1.0), 0.01..8.0, -8.0..-0.01].boxed()
}

/// Axes, if they are its own; shift, turn in degrees, scale.
type Texture = (Option<[[f64; 3]; 2]>, [f64; 2], f64, [f64; 2]);

/// The texture axes of a side: those of its direction, or its own.
fn texture() -> BoxedStrategy<Texture> {
    let axes = prop::array::uniform2(prop::array::uniform3(number()));
    let axes = option::of(axes);
    let turn = prop_oneof![Just(0.0), Just(90.0), (-360_i16..360).prop_map(f64::from), -720.0..720.0];
    (axes, [number(), number()], turn, [factor(), factor()]).boxed()
}

/// Returns `true` if texture axes map a plane to an area: others are replaced when they are read.
fn have_area(axes: [[f64; 3]; 2], normal: [f64; 3]) -> bool {
    let is_long = axes.iter().all(|axis| dot(*axis, *axis) > 1e-6);
    let [u, v] = axes.map(normalize);
    is_long && u.zip(v).is_some_and(|(u, v)| dot(cross(u, v), normal).abs() > 1e-6)
}

type Words = Vec<(String, String)>;

fn words() -> BoxedStrategy<Words> {
    vec((with_long_names("[a-z_]{1,8}"), with_long_names("[ -!#-~å\\\\]{0,12}")), 0..4).boxed()
}

/// Planes around a ball, within a box: what brushes are made of.
pub(crate) fn brush(reach: i32) -> BoxedStrategy<Brush> {
    let normal = prop::array::uniform3(-1.0..1.0_f64).prop_filter("a direction", |n| n.iter().any(|c| c.abs() > 0.2));
    let place = prop::array::uniform3(-reach..reach).prop_map(|p| p.map(f64::from));
    let planes = vec((normal, 0.6..1.0_f64), 0..6);
    let textures = vec((texture(), option::of(0_u32..3), option::of(prop::array::uniform3(0_i64..1 << 31))), 12);
    (planes, place, prop::sample::select(vec![8.0, 64.0, 500.0]), textures)
        .prop_map(|(planes, middle, size, textures)| {
            let axes = (0..6).map(|i| {
                std::array::from_fn(|axis| if axis == i / 2 { if i % 2 == 0 { -1.0 } else { 1.0 } } else { 0.0 })
            });
            let round = planes.into_iter().map(|(normal, distance)| (normalize(normal).unwrap(), distance));
            let sides = axes.map(|axis: [f64; 3]| (axis, 1.0)).chain(round).zip(textures);
            let sides = sides.map(|((normal, distance), ((axes, offset, turn, factors), material, flags))| {
                let away = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
                let first = cross(normal, away);
                let on = add(middle, scale(normal, distance * size));
                let plane = [on, add(on, scale(first, 64.0)), add(on, scale(cross(normal, first), 64.0))];
                let mut projection =
                    TextureProjection { offset, scale: factors, ..TextureProjection::on_base_axes(normal) };
                match axes.filter(|axes| have_area(*axes, normal)) {
                    Some(axes) => [projection.u, projection.v] = axes.map(|[x, y, z]| [x, y, z, 0.0]),
                    None => projection.rotation = turn.to_radians(),
                }
                let flags = flags.map(|flags| ["contents", "flags", "value"].into_iter().zip(flags).collect());
                let material = material.map(MaterialId::new);
                BrushSide { plane, corners: Vec::new(), projection, material, properties: flags.unwrap_or_default() }
            });
            Brush { sides: sides.collect(), ..Brush::default() }
        })
        .boxed()
}

/// A scene as maps have it.
fn scene() -> BoxedStrategy<Scene> {
    let entity =
        (words(), prop::array::uniform3(number()), option::of(number()), vec(brush(2048), 0..3), any::<bool>());
    (words(), vec(brush(2048), 0..3), vec(entity, 0..4))
        .prop_map(|(world, brushes, entities)| {
            let mut scene = Scene { metres_per_unit: Some(1.0 / 32.0), ..Scene::default() };
            for name in ["brick", "*water", "{fence"] {
                scene.materials.push(Material::new(name));
            }
            let mut put = |class: &str, keys: Words, node: Node, brushes: Vec<Brush>| {
                let properties = keys.into_iter().filter(|(key, _)| key != "classname" && key != "model").collect();
                let content = if class == "light" && brushes.is_empty() {
                    Content::Light(scene.lights.push(Light { range: Some(300.0), properties, ..Light::default() }))
                } else {
                    Content::Entity(scene.entities.push(Entity {
                        class: class.into(),
                        properties,
                        ..Entity::default()
                    }))
                };
                let id = scene.add_node(None, Node { content, name: class.into(), ..node });
                for brush in brushes {
                    let brush = scene.brushes.push(brush);
                    scene.add_node(Some(id), Node::new("", Content::Brush(brush)));
                }
            };
            put("worldspawn", world, Node::default(), brushes);
            for (mut keys, place, yaw, brushes, is_light) in entities {
                let mut node = Node::default();
                if brushes.is_empty() {
                    let [_, _, sin, cos] = angles::to_rotation([0.0, yaw.unwrap_or(0.0), 0.0]);
                    node.transform =
                        Transform::Trs { translation: place, rotation: [0.0, sin, 0.0, cos], scale: [1.0; 3] };
                    if is_light && yaw.is_some() {
                        node.transform = node.transform.turned(&angles::X_TO_MINUS_Z);
                    }
                }
                keys.extend(yaw.map(|yaw| ("angles".to_owned(), format!("0 {yaw} 0"))));
                put(if is_light { "light" } else { "func_wall" }, keys, node, brushes);
            }
            scene
        })
        .boxed()
}

/// Returns the scene with materials in the order of their first use, which reading restores.
fn comparable(scene: &Scene) -> impl PartialEq + std::fmt::Debug {
    let brushes = scene.brushes.items().iter().map(|brush| {
        let mut brush = brush.clone();
        // Reading adds polygons.
        brush.vertices.clear();
        brush.sides.iter_mut().for_each(|side| side.corners.clear());
        let names = brush.sides.iter_mut().map(|side| Some(scene.materials[side.material.take()?].name.clone()));
        let names = names.collect();
        (brush, names)
    });
    let brushes: Vec<(Brush, Vec<Option<String>>)> = brushes.collect();
    let nodes: Vec<Node> = scene.nodes.items().iter().map(|node| Node { key: None, ..node.clone() }).collect();
    (nodes, scene.entities.items().to_vec(), scene.lights.items().to_vec(), brushes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_scene_of_a_map_comes_back_equal(scene in scene()) {
        let (text, losses) = written(&scene, map::ProjectionFormat::Auto);
        let is_unused = |id: MaterialId| scene.face_materials().all(|used| used != id);
        let unused = scene.materials.ids().filter(|id| is_unused(*id)).count();
        prop_assert_eq!(losses.lost_count(), unused, "{:?}", losses);
        prop_assert_eq!(losses.iter().filter(|loss| loss.text == "unused material").count(), unused);
        let back = again(&text);
        let has_turns = scene.brushes.items().iter().flat_map(|brush| &brush.sides).any(|side| side.projection.rotation != 0.0);
        let is_valve = text.windows(10).any(|window| window == b"mapversion");
        // Valve has no turns: there they are in the axes.
        if !(has_turns && is_valve) {
            prop_assert_eq!(comparable(&back), comparable(&scene));
        }
        for (old, new) in scene.brushes.items().iter().zip(back.brushes.items()) {
            for (old, new) in old.sides.iter().zip(&new.sides) {
                prop_assert_eq!(old.plane, new.plane);
                for point in old.plane {
                    let (a, b) = (old.projection.texel(point), new.projection.texel(point));
                    let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1e6));
                    prop_assert!(close, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn written_files_are_written_with_the_same_bytes(scene in scene(), spelling in prop::sample::select(vec![
        map::ProjectionFormat::Auto, map::ProjectionFormat::Standard, map::ProjectionFormat::Valve,
    ])) {
        let (first, _) = written(&scene, spelling);
        let (second, losses) = written(&again(&first), spelling);
        prop_assert_eq!(String::from_utf8(second).unwrap(), String::from_utf8(first).unwrap());
        prop_assert_eq!(losses.lost_count(), 0, "{:?}", losses);
    }

    #[test]
    fn nothing_panics_on_any_words(text in "(\\{|\\}|\\(|\\)|\"[a-z]{0,3}\"|[-0-9.e]{1,4}|//|\\[|\\]| |\n){0,40}") {
        let _ = to_scene(text.as_bytes());
    }
}

#[test]
fn faces_at_almost_45_degrees_are_written_again() {
    let plane = "( 0 3.3941141147742173 -3.3941109846159163 ) ( 0 -41.860699013438 -48.64896584827215 ) \
                 ( -63.99999999999999 3.3941141147742173 -3.3941109846159163 ) brick 1 2 3 4 5";
    let file = format!("{{\n\"classname\" \"worldspawn\"\n{{\n{plane}\n}}\n}}\n");
    let scene = to_scene(file.as_bytes()).unwrap().scene;
    let (text, losses) = written(&scene, map::ProjectionFormat::Standard);
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("brick 1 2 3 4 5"), "{text}");
    assert_eq!((losses.lost_count(), losses.count(LossKind::Preserved)), (0, 1), "{losses:?}");
    // Without a choice, the texture has axes of its own, which no program can choose differently.
    let (text, losses) = written(&scene, map::ProjectionFormat::Auto);
    assert!(String::from_utf8(text).unwrap().contains("mapversion") && losses.lost_count() == 0);
}
