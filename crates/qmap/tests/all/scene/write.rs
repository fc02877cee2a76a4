//! Written maps and reported losses.

use super::to_scene;
use mapwright_qmap::io::Category;
use mapwright_qmap::io::math;
use mapwright_qmap::scene as map;
use mapwright_qmap::scene::mapwright_scene::*;

use super::read::{BOX, scene};

pub(crate) fn export(scene: &Scene) -> (String, Vec<String>) {
    export_as(scene, map::ProjectionFormat::Auto)
}

fn export_as(scene: &Scene, spelling: map::ProjectionFormat) -> (String, Vec<String>) {
    let export = map::from_scene(scene, &map::ExportOptions::default().with_projection(spelling)).unwrap();
    (
        String::from_utf8(export.document.as_bytes().to_vec()).unwrap(),
        export.losses.iter().map(ToString::to_string).collect(),
    )
}

fn cube(half: f64) -> Mesh {
    let positions =
        (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|c| (f64::from(c) * 2.0 - 1.0) * half)).collect();
    let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
    Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

#[test]
fn a_map_is_written_as_it_was() {
    let (text, losses) = export(&scene(BOX));
    let bare: String = BOX.lines().filter(|line| !line.contains("// entity") && !line.contains("// brush")).fold(
        String::new(),
        |mut all, line| {
            all.push_str(line);
            all.push('\n');
            all
        },
    );
    assert_eq!((text, losses), (bare, Vec::new()));
}

#[test]
fn valve_is_written_where_standard_is_not_enough() {
    let text = "{\n\"classname\" \"worldspawn\"\n\"mapversion\" \"220\"\n\"_x\" \"1\"\n{\n\
        ( 0.1 0 0 ) ( 0.1 1 0 ) ( 0.1 0 1e-7 ) a [ 0 2 0 3 ] [ 0 0 -1 -4 ] 30 0.5 2 8 0 150 2\n}\n}\n";
    let (once, losses) = export(&scene(text));
    let expected = format!("// Game: Quake 2\n// Format: Quake2 (Valve)\n{}", text.replace("1e-7", "0.0000001"));
    assert_eq!((&once, losses), (&expected, Vec::new()));
    // Axes of the face, in the other texture format.
    let (valve, _) = export_as(&scene(BOX), map::ProjectionFormat::Valve);
    assert!(valve.contains("SIDE_x [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1\n") && valve.contains("\"mapversion\" \"220\""));
    assert!(valve.contains("*top [ 0 1 0 8 ] [ 1 0 0 -4.5 ] 0 0.5 2\n"), "{valve}");
    let (standard, losses) = export_as(&scene(text), map::ProjectionFormat::Standard);
    assert!(losses[0].contains("textures of 1 face that") && standard.contains("// Format: Quake2\n"), "{losses:?}");
    // Along y as far as the face allows, at the first point as it was.
    assert!(standard.contains(" a 3 -4 0 0.25 2 8 0 150 2\n"), "{standard}");
}

#[test]
fn keys_of_changed_lights_are_replaced() {
    let file = r#"{ "classname" "light" "origin" "1 2 3" "light" "200" "angle" "90" }
        { "classname" "door" "angles" "0 45 0" "n" "1" }"#;
    let mut scene = scene(file);
    scene.lights.get_mut(Id::new(0)).unwrap().range = Some(64.5);
    scene.lights.get_mut(Id::new(0)).unwrap().color = [1.0, 0.5, 0.25, 1.0];
    let (text, losses) = export(&scene);
    assert!(losses.is_empty(), "{losses:?}");
    let light = "{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n\"light\" \"64.5\"\n\"angle\" \"90\"\n\"_color\" \"1 0.5 0.25\"\n}\n";
    assert!(text.contains(light), "{text}");
    assert!(text.contains("\"classname\" \"door\"\n\"angles\" \"0 45 0\"\n\"n\" \"1\""), "{text}");
    let turned = Transform::Trs {
        translation: [0.0, 8.0, 0.0],
        rotation: [0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()],
        scale: [1.0, 2.0, 1.0],
    };
    scene.nodes.iter_mut().for_each(|(_, node)| node.transform = turned);
    // Lights look along −Z, which without a rotation is the same direction as this.
    let light = scene.nodes.iter().find(|(_, node)| matches!(node.content, Content::Light(_))).unwrap().0;
    scene.nodes.get_mut(light).unwrap().transform = Transform::translation([0.0, 8.0, 0.0]);
    let (text, losses) = export(&scene);
    assert!(
        text.contains("\"classname\" \"door\"\n\"origin\" \"0 0 8\"\n\"angles\" \"0 90 0\"\n\"n\" \"1\""),
        "{text}"
    );
    assert!(text.contains("\"light\" \"64.5\"\n\"angle\" \"90\""), "still the same: {text}");
    assert!(losses.iter().any(|loss| loss.contains("the scale")), "{losses:?}");
}

#[test]
fn colours_of_lights_are_written_as_srgb() {
    let mut scene = scene(r#"{ "classname" "light" "origin" "1 2 3" }"#);
    scene.color_space = ColorSpace::Linear;
    scene.lights.get_mut(Id::new(0)).unwrap().color = [1.0, 0.0, ColorSpace::Srgb.to_linear([0.5; 3])[0], 1.0];
    let (text, losses) = export(&scene);
    assert!(losses.is_empty() && text.contains("\"_color\" \"1 0 0.5\""), "{text} {losses:?}");
}

#[test]
fn convex_meshes_become_brushes() {
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let material = scene.materials.push(Material { texture_size: Some([16, 8]), ..Material::new("red brick") });
    let mut mesh = cube(8.0);
    mesh.face_materials = vec![Some(material); 6];
    let corners = mesh.faces.corners().iter().map(|&vertex| {
        let [x, y, z] = mesh.positions[vertex as usize];
        Some([(x + z) / 16.0, (y - z) / 8.0])
    });
    mesh.uv_sets = vec![UvSet { corners: corners.collect(), ..UvSet::default() }];
    let good = scene.meshes.push(mesh.clone());
    mesh.positions[7] = [0.0; 3];
    let dented = scene.meshes.push(mesh);
    let group = scene.add_node(None, Node::new("group", Content::Group));
    let place =
        Transform::Trs { translation: [100.0, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-1.0, 1.0, 1.0] };
    scene.add_node(Some(group), Node { transform: place, ..Node::new("good", Content::Mesh(good)) });
    scene.add_node(Some(group), Node::new("dented", Content::Mesh(dented)));
    let (text, losses) = export(&scene);
    for wanted in [
        "approximated: nodes[1]: convex mesh converted to a brush",
        "dropped: nodes[2]: mesh cannot become a brush: a face of the mesh is not flat",
        "approximated: metres_per_unit: one unit is 1 m, which the file does not store; games use about 0.03125",
    ] {
        assert!(losses.iter().any(|loss| loss == wanted), "{wanted}: {losses:#?}");
    }
    let back = super::read::scene(&text);
    let brush = &back.brushes.items()[0];
    let made = brush.to_mesh(&brush.polygons().unwrap(), &Transform::IDENTITY, |_| [16.0, 8.0]);
    assert_eq!((made.volume(), back.brushes.len()), (4096.0, 1));
    // The texture is still where it was on the mesh, mirrored with it.
    for (face, ring) in made.faces.iter().enumerate() {
        for (corner, &vertex) in made.faces.corner_range(face).unwrap().zip(ring) {
            let [x, y, z] = made.positions[vertex as usize];
            let [u, v] = made.uv_sets[0].corners.get(corner).unwrap();
            assert!((u - ((100.0 - x) + z) / 16.0).abs() < 1e-9 && (v - (y - z) / 8.0).abs() < 1e-9);
        }
    }
}

#[test]
fn brushes_move_with_their_textures() {
    let mut scene = scene(BOX);
    let turn = Transform::Trs {
        translation: [10.0, 20.0, 30.0],
        rotation: Transform::looking_along([1.0, 0.5, 0.25]),
        scale: [2.0; 3],
    };
    let before = scene.clone();
    for side in &mut scene.brushes.get_mut(Id::new(0)).unwrap().sides {
        side.projection.local = true;
    }
    scene.nodes.get_mut(Id::new(1)).unwrap().transform = turn;
    let (text, losses) = export(&scene);
    assert_eq!(losses, ["preserved: nodes[1]: the transform, applied to the points"]);
    let moved = super::read::scene(&text);
    for (old, new) in before.brushes.items()[0].sides.iter().zip(&moved.brushes.items()[0].sides) {
        for point in old.plane {
            let (a, b) = (old.projection.texel(point), new.projection.texel(turn.point(point)));
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        }
    }
}

#[test]
fn other_objects_become_entities_or_losses() {
    let mut scene = Scene::default();
    scene.add_node(
        None,
        Node { transform: Transform::translation([1.0, 2.0, 3.0]), ..Node::new("spot", Content::Marker) },
    );
    let points = [[0.0; 3], [8.0, 0.0, 0.0]].map(|position| PathPoint { position, ..PathPoint::default() });
    let path = scene.paths.push(Path { name: "way".into(), points: points.to_vec(), closed: true, ..Path::default() });
    scene.add_node(None, Node::new("way", Content::Path(path)));
    let properties: Properties = [
        ("flag", Value::Bool(true)),
        ("list", Value::List(vec![Value::Int(1), Value::Float(2.5)])),
        ("quote", "a \"b\"\nc".into()),
    ]
    .into_iter()
    .collect();
    let connections = vec![Connection::default()];
    let entity = scene.entities.push(Entity { class: "thing".into(), properties, connections, ..Entity::default() });
    scene.add_node(None, Node::new("thing", Content::Entity(entity)));
    scene.sounds.push(Sound::default());
    let hidden = scene.add_node(None, Node { visible: false, ..Node::default() });
    scene.add_node(Some(hidden), Node::new("below", Content::Marker));
    let (text, losses) = export(&scene);
    let expected = "// Game: Quake\n// Format: Standard\n{\n\"classname\" \"worldspawn\"\n}\n\
        {\n\"classname\" \"info_null\"\n\"origin\" \"1 -3 2\"\n\"targetname\" \"spot\"\n}\n\
        {\n\"classname\" \"path_corner\"\n\"origin\" \"0 0 0\"\n\"targetname\" \"way_0\"\n\"target\" \"way_1\"\n}\n\
        {\n\"classname\" \"path_corner\"\n\"origin\" \"8 0 0\"\n\"targetname\" \"way_1\"\n\"target\" \"way_0\"\n}\n\
        {\n\"classname\" \"thing\"\n\"flag\" \"1\"\n\"list\" \"1 2.5\"\n\"quote\" \"a \\\"b\\\"\\nc\"\n}\n";
    assert_eq!(text, expected);
    for wanted in ["sound", "1 connection", "below a hidden node", "quotes and line ends", "hidden node"] {
        assert!(losses.iter().any(|loss| loss.contains(wanted)), "{wanted}: {losses:#?}");
    }
}

#[test]
fn scenes_that_cannot_be_written_are_rejected() {
    let mut scene = scene(BOX);
    let far = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1e308; 3] };
    scene.nodes.get_mut(Id::new(1)).unwrap().transform = far;
    let error = map::from_scene(&scene, &map::ExportOptions::default()).unwrap_err();
    assert_eq!((&*error.path().to_string(), error.category()), ("nodes[1]", Category::Unsupported));
    let options = map::ExportOptions::default().with_max_bytes(100);
    assert_eq!(map::from_scene(&super::read::scene(BOX), &options).unwrap_err().category(), Category::Limit);
    scene.nodes.get_mut(Id::new(1)).unwrap().content = Content::Brush(Id::new(7));
    assert_eq!(map::from_scene(&scene, &map::ExportOptions::default()).unwrap_err().category(), Category::Malformed);
}

/// Reads a map, and returns what is written of it and the losses of both directions.
fn rewritten(text: &str) -> (String, Vec<String>) {
    let import = to_scene(text.as_bytes()).unwrap();
    let export = map::from_scene(&import.scene, &map::ExportOptions::default()).unwrap();
    let losses = import.losses.iter().chain(export.losses.iter()).map(ToString::to_string).collect();
    (String::from_utf8(export.document.as_bytes().to_vec()).unwrap(), losses)
}

const HEAD: &str = "// Game: Quake\n// Format: Standard\n";

#[test]
fn escaped_quotes_and_last_backslashes_stay() {
    let keys = r#"{
"classname" "worldspawn"
"message" "a \"quoted\" name"
"wad" "base.wad;C:\\x\\y.wad"
"path" "C:\dir\"
}
"#;
    let text = format!("{HEAD}{keys}");
    assert_eq!(rewritten(&text), (text, Vec::new()));
}

#[test]
fn names_of_textures_with_spaces_are_quoted() {
    let face = |points: &str, name: &str| format!("{points} {name} 0 0 0 1 1\n");
    let points = [
        "( -64 -64 -16 ) ( -64 -63 -16 ) ( -64 -64 -15 )",
        "( -64 -64 -16 ) ( -64 -64 -15 ) ( -63 -64 -16 )",
        "( -64 -64 -16 ) ( -63 -64 -16 ) ( -64 -63 -16 )",
        "( 64 64 16 ) ( 64 65 16 ) ( 65 64 16 )",
        "( 64 64 16 ) ( 65 64 16 ) ( 64 64 17 )",
        "( 64 64 16 ) ( 64 64 17 ) ( 64 65 16 )",
    ];
    let names = [r#""tex with space""#, "plain", "{fence", r#""a \"b\"""#, r#""c:\\d""#, "*water[1]"];
    let faces: String = points.iter().zip(names).map(|(points, name)| face(points, name)).collect();
    let text = format!("{HEAD}{{\n\"classname\" \"worldspawn\"\n{{\n{faces}}}\n}}\n");
    assert_eq!(rewritten(&text), (text.clone(), Vec::new()));
    let scene = to_scene(text.as_bytes()).unwrap().scene;
    let read: Vec<&str> = scene.materials.items().iter().map(|material| material.name.as_str()).collect();
    assert_eq!(read, ["tex with space", "plain", "{fence", "a \"b\"", "c:\\d", "*water[1]"]);
}

#[test]
fn games_are_kept() {
    let world = "{\n\"classname\" \"worldspawn\"\n\"mapversion\" \"220\"\n}\n";
    let text = format!("// Game: Half-Life\n// Format: Valve\n{world}");
    assert_eq!(rewritten(&text), (text.clone(), Vec::new()));
}

#[test]
fn groups_of_the_editor_come_back() {
    let text = "// Game: Quake\n// Format: Standard\n{\n\"classname\" \"worldspawn\"\n}\n\
        {\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"cave\"\n\"_tb_id\" \"1\"\n\"_tb_layer_locked\" \"1\"\n\
        \"_tb_layer_hidden\" \"1\"\n\"_tb_layer_sort_index\" \"0\"\n}\n\
        {\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_group\"\n\"_tb_name\" \"lamps\"\n\"_tb_id\" \"2\"\n\
        \"_tb_linked_group_id\" \"{a}\"\n\"_tb_layer\" \"1\"\n}\n\
        {\n\"classname\" \"lamp\"\n\"_tb_group\" \"2\"\n}\n{\n\"classname\" \"func_group\"\n}\n";
    assert_eq!(rewritten(text), (text.to_owned(), Vec::new()));
}

#[test]
fn comments_are_counted() {
    let world = "// entity 0\n{\n\"classname\" \"worldspawn\" // the world\n// brush 0\n}\n// the end\n";
    let (_, losses) = rewritten(&format!("{HEAD}{world}"));
    assert_eq!(losses, ["dropped: 2 comments, the first at line 5, column 26"]);
    // Two slashes between quotes are no comment.
    let (_, losses) = rewritten(&format!("{HEAD}{{\n\"classname\" \"worldspawn\"\n\"url\" \"a//b\"\n}}\n"));
    assert_eq!(losses, [""; 0]);
}

/// Other formats store the place of a light in keys of their own.
#[test]
fn lights_of_source_2_get_the_keys_of_quake_only() {
    let mut scene = Scene::default();
    let properties = [
        ("classname", "light_omni2"),
        ("angles", "0 90 0"),
        ("color", "255 128 0 255"),
        ("range", "400"),
        ("brightness", "2"),
    ];
    let light = Light {
        color: [1.0, 0.5, 0.0, 1.0],
        range: Some(400.0),
        properties: properties.into_iter().collect(),
        ..Light::default()
    };
    let light = scene.lights.push(light);
    scene.add_node(None, Node::new("light", Content::Light(light)));
    // A range that nothing states stays as its key states it.
    let keyed = Light { range: None, properties: [("light", "200")].into_iter().collect(), ..Light::default() };
    let keyed = scene.lights.push(keyed);
    scene.add_node(None, Node::new("light", Content::Light(keyed)));
    let (text, losses) = export(&scene);
    let lights = "{\n\"classname\" \"light\"\n\"brightness\" \"2\"\n\"light\" \"400\"\n\"_color\" \"1 0.5 0\"\n}\n\
                  {\n\"classname\" \"light\"\n\"light\" \"200\"\n}\n";
    assert!(text.ends_with(lights), "{text}");
    assert!(losses.iter().any(|loss| loss.contains("class \"light_omni2\", as light")), "{losses:?}");
}

#[test]
fn lights_have_one_class_and_the_angles_of_entities() {
    let light = "{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n\"angles\" \"0 90 0\"\n}\n";
    let text = format!("{HEAD}{{\n\"classname\" \"worldspawn\"\n}}\n{light}");
    assert_eq!(rewritten(&text), (text.clone(), Vec::new()));
    let mut scene = to_scene(text.as_bytes()).unwrap().scene;
    // Lights of scenes look along −Z: here along Y of the map.
    let node = scene.nodes.items().iter().find(|node| matches!(node.content, Content::Light(_))).unwrap();
    let along = node.transform.vector([0.0, 0.0, -1.0]);
    let wanted = map::AXES.apply([0.0, 1.0, 0.0]);
    assert!(along.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{along:?}");
    for (_, light) in scene.lights.iter_mut() {
        light.properties.push("classname", "light_omni");
    }
    let export = map::from_scene(&scene, &map::ExportOptions::default()).unwrap();
    let text = String::from_utf8(export.document.as_bytes().to_vec()).unwrap();
    assert_eq!(text.matches("\"classname\"").count(), 2, "{text}");
    assert!(export.losses.iter().any(|loss| loss.to_string().contains("class \"light_omni\", as light")));
}

#[test]
fn names_of_entities_become_target_names() {
    let mut scene = Scene::default();
    let entity = scene.entities.push(Entity { class: "model".to_owned(), ..Entity::default() });
    scene.add_node(None, Node::new("guard_007", Content::Entity(entity)));
    let light = scene.lights.push(Light::default());
    scene.add_node(None, Node::new("lamp", Content::Light(light)));
    let export = map::from_scene(&scene, &map::ExportOptions::default()).unwrap();
    let text = String::from_utf8(export.document.as_bytes().to_vec()).unwrap();
    for name in ["guard_007", "lamp"] {
        assert!(text.contains(&format!("\"targetname\" \"{name}\"")), "{text}");
    }
}

#[test]
fn moved_vertices_of_brushes_and_names_of_worlds_are_reported() {
    let mut scene = Scene::default();
    let ring = |height: f64, noise: f64| {
        (0..24_u32).map(move |i| {
            let (sin, cos) = math::sin_cos(f64::from(i) * std::f64::consts::TAU / 24.0);
            [13.0 * cos + f64::from(i % 3) * noise, 13.0 * sin, height]
        })
    };
    // The walls are bent by less than the tolerance.
    let positions = ring(0.0, 0.003).chain(ring(2.0, 0.0)).collect();
    let walls = (0..24).map(|i| vec![i, (i + 1) % 24, 24 + (i + 1) % 24, 24 + i]);
    let faces: Vec<Vec<u32>> = walls.chain([(0..24).rev().collect(), (24..48).collect()]).collect();
    let mesh = scene.meshes.push(Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() });
    scene.add_node(None, Node::new("", Content::Mesh(mesh)));
    let exact = scene.meshes.push(cube(4.0));
    scene.add_node(None, Node::new("", Content::Mesh(exact)));
    let world = scene.entities.push(Entity { class: "worldspawn".into(), ..Entity::default() });
    scene.add_node(None, Node::new("Town", Content::Entity(world)));
    let (_, losses) = export(&scene);
    let moved: Vec<&String> = losses.iter().filter(|loss| loss.contains("vertices, moved by up to")).collect();
    assert!(matches!(moved[..], [loss] if loss.starts_with("approximated: nodes[0]: ")), "{losses:?}");
    assert!(losses.contains(&"dropped: nodes[2]: the name \"Town\" of the world".to_owned()), "{losses:?}");
}
