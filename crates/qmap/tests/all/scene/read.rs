//! Meaning of the words of a map.

use super::to_scene;
use mapwright_qmap::ReadError;
use mapwright_qmap::scene as map;
use mapwright_qmap::scene::mapwright_scene::*;

pub(crate) fn import(text: &str) -> Result<Import, ReadError> {
    to_scene(text.as_bytes())
}

pub(crate) fn scene(text: &str) -> Scene {
    let import = import(text).unwrap();
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    import.scene
}

/// A box of 64 × 32 × 16 in `worldspawn`, as editors write it, with a texture for each pair of sides.
pub(crate) const BOX: &str = r#"// Game: Quake
// Format: Standard
// entity 0
{
"classname" "worldspawn"
"wad" "C:\wads\base.wad"
// brush 0
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) SIDE_x 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) SIDE_y 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) *top 8 -4.5 90 0.5 2
( 64 32 16 ) ( 64 33 16 ) ( 65 32 16 ) *top 0 0 0 1 1
( 64 32 16 ) ( 65 32 16 ) ( 64 32 17 ) SIDE_y 0 0 0 1 -1
( 64 32 16 ) ( 64 32 17 ) ( 64 33 16 ) SIDE_x 0 0 0 1 1
}
}
"#;

#[test]
fn a_box_is_a_brush_of_six_sides() {
    let scene = scene(BOX);
    assert_eq!((scene.nodes.len(), scene.roots.len(), scene.metres_per_unit), (2, 1, Some(1.0 / 32.0)));
    let world = &scene.nodes[scene.roots[0]];
    let Content::Entity(entity) = world.content else { panic!("an entity") };
    assert_eq!((&*world.name, &*scene.entities[entity].class), ("worldspawn", "worldspawn"));
    assert_eq!(scene.entities[entity].properties.get("wad"), Some(&"C:\\wads\\base.wad".into()));
    let names: Vec<&str> = scene.materials.items().iter().map(|material| &*material.name).collect();
    assert_eq!(names, ["SIDE_x", "SIDE_y", "*top"]);
    let brush = &scene.brushes.items()[0];
    // Y up, and the other way round.
    assert_eq!(brush.sides[3].plane, [[65.0, 16.0, -32.0], [64.0, 16.0, -33.0], [64.0, 16.0, -32.0]]);
    let polygons = brush.polygons().unwrap();
    let mesh = brush.to_mesh(&polygons, &Transform::IDENTITY, |_| [1.0; 2]);
    assert_eq!((mesh.positions.len(), mesh.volume(), mesh.is_closed()), (8, 64.0 * 32.0 * 16.0, true));
    assert!(mesh.positions.contains(&[64.0, 16.0, -32.0]) && mesh.positions.contains(&[0.0; 3]));
}

/// The rule of the games, as their map compilers have it: axes by the normal, turned, scaled, shifted.
#[test]
fn textures_follow_the_axes_of_the_face() {
    let scene = scene(BOX);
    let brush = &scene.brushes.items()[0];
    let texel = |side: usize, [x, y, z]: [f64; 3]| {
        let [s, t] = brush.sides[side].projection.texel([x, z, -y]);
        [s, t].map(|c| (c * 1e9).round() / 1e9 + 0.0)
    };
    assert_eq!(texel(0, [0.0, 5.0, 3.0]), [5.0, -3.0], "along x: y and down");
    assert_eq!(texel(4, [7.0, 32.0, 3.0]), [7.0, 3.0], "along y: x and down, turned over by the scale");
    assert_eq!(texel(3, [7.0, 9.0, 16.0]), [7.0, -9.0], "along z: x and back");
    // Turned by 90 degrees: x grows with y, y with x. Then the scale, then the shift.
    assert_eq!(texel(2, [7.0, 9.0, 0.0]), [9.0 / 0.5 + 8.0, 7.0 / 2.0 - 4.5]);
}

#[test]
fn valve_projections_store_their_axes() {
    let text = "{\"classname\" \"worldspawn\" \"mapversion\" \"220\"{\n(0 0 0)(0 1 0)(0 0 1)[a[b [ 0 0.5 -2 3 ] [ 0 1 0 -4 ] 30 0.5 2 8 0 1.5 7\n}}";
    let scene = scene(text);
    let side = &scene.brushes.items()[0].sides[0];
    assert_eq!(scene.materials[side.material.unwrap()].name, "[a[b", "names may have marks in them");
    assert_eq!(side.projection.texel([10.0, 20.0, -30.0]), [(15.0 - 40.0) / 0.5 + 3.0, 11.0]);
    let expected = [("valve_rotation", Value::Float(30.0)), ("contents", 8.into()), ("flags", 0.into())];
    assert_eq!(side.properties.entries[..3], expected.map(|(key, value)| (key.to_owned(), value)));
    assert_eq!(side.properties.get("value"), Some(&Value::Float(1.5)));
    assert_eq!(side.properties.get("extra"), Some(&Value::List(vec![7.into()])));
    assert_eq!(scene.entities.items()[0].properties.len(), 0, "the version depends on the writer");
}

#[test]
fn entities_have_the_position_of_their_keys() {
    let scene = scene(
        r#"{ "classname" "info_player_start" "origin" "32 -64 24" "angle" "90" "targetname" "start" }
        { "classname" "light" "origin" "1 2 3" "light" "200" "_color" "255 128 0" }
        { "classname" "light" "_light" "51 102 204 150" }
        { "classname" "misc_model" "model" "a.mdl" "angles" "0 0 0" "a" "1" "a" "2" "origin" "x" }
        { "classname" "func_door" "angle" "90" "origin" "8 0 0"
          { (0 0 0) (0 1 0) (0 0 1) __TB_empty 0 0 0 1 1 } }"#,
    );
    let nodes = scene.nodes.items();
    assert_eq!((&*nodes[0].name, nodes[0].transform.origin()), ("start", [32.0, 24.0, 64.0]));
    let ahead = nodes[0].transform.vector([1.0, 0.0, 0.0]);
    assert!(ahead[2] < -0.999_999, "to the left is away from the viewer: {ahead:?}");
    let Content::Entity(start) = nodes[0].content else { panic!("an entity") };
    assert_eq!(scene.entities[start].properties.get("angle"), Some(&"90".into()));
    let lights: Vec<([f64; 4], Option<f64>)> =
        scene.lights.items().iter().map(|light| (light.color, light.range)).collect();
    assert_eq!(lights[0], ([1.0, 128.0 / 255.0, 0.0, 1.0], Some(200.0)));
    assert_eq!(lights[1], ([0.2, 0.4, 0.8, 1.0], Some(150.0)));
    let model = &scene.entities.items()[1];
    assert_eq!((model.model.as_deref(), model.properties.len()), (Some("a.mdl"), 4));
    // Entities with brushes are at the position of their brushes.
    let door = nodes.iter().find(|node| node.name == "func_door").unwrap();
    assert!(door.transform.is_identity() && door.children.len() == 1);
    assert_eq!(scene.entities.items()[2].properties.len(), 2);
    assert_eq!(scene.brushes.items()[0].sides[0].material, None);
}

#[test]
fn omitted_contents_are_counted() {
    let text = b"\xef\xbb\xbf{\n\"classname\" \"worldspawn\"\n\"message\" \"caf\xe9\"\n{\nterrainDef { a ( 3 3 0 ) { ( ( 1 2 ) ) } }\n}\n\
        { ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 0 1 }\n{ } }";
    let import = to_scene(text).unwrap();
    let texts: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "dropped: 1 × brush without faces, the first at line 8, column 1",
            "repaired: 1 × text that is not UTF-8: read as Windows-1252, the first at line 3, column 1",
            "repaired: 1 × texture scale of 0: read as 1, the first at line 7, column 3",
            "dropped: entities[0].primitives[0]: terrainDef: only brushes and patches are read",
        ]
    );
    assert_eq!(import.scene.entities.items()[0].properties.get("message"), Some(&"café".into()));
    assert_eq!((import.scene.brushes.len(), import.scene.nodes.len()), (1, 2));
}

#[test]
fn brushes_of_equations_and_matrices_are_brushes() {
    let face = |plane: &str| format!("( {plane} ) ( ( 0.25 0 0 ) ( 0 0.5 0.125 ) ) \"textures/a b\" 0 0 0\n");
    let planes = ["1 0 0 -8", "-1 0 0 0", "0 1 0 -8", "0 -1 0 0", "0 0 1 -8", "0 0 -1 0"];
    let faces: String = planes.into_iter().map(face).collect();
    let text = format!("Version 2\n{{\n\"classname\" \"worldspawn\"\n{{\nbrushDef3\n{{\n{faces}}}\n}}\n}}\n");
    let scene = scene(&text);
    let brush = &scene.brushes.items()[0];
    let mesh = brush.to_mesh(&brush.polygons().unwrap(), &Transform::IDENTITY, |_| [64.0; 2]);
    assert_eq!((mesh.volume(), mesh.is_closed()), (512.0, true));
    assert_eq!((scene.materials.items()[0].name.as_str(), scene.metres_per_unit), ("textures/a b", Some(0.0254)));
    // On the side to the east, X of the matrix is north and Y is down.
    let texel = brush.sides[0].projection.texel([8.0, 4.0, -2.0]).map(|part| part / 64.0);
    assert!((texel[0] - 0.5).abs() < 1e-9 && (texel[1] - (0.125 - 2.0)).abs() < 1e-9, "{texel:?}");
    // The same brushes are written.
    let export = map::from_scene(&scene, &map::ExportOptions::default()).unwrap();
    assert_eq!(String::from_utf8_lossy(export.document.as_bytes()), text);
    assert!(export.losses.is_empty(), "{:?}", export.losses);
}
