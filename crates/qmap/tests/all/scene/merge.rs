//! Changes of scenes that are applied to their maps.

use mapwright_qmap::Document;
use mapwright_qmap::scene::mapwright_scene::*;
use mapwright_qmap::scene::{ExportOptions, ImportOptions, merge_scene, to_scene};

use crate::support::{cube, cube_at, map};

fn scene(document: &Document) -> Scene {
    to_scene(document, &ImportOptions::default()).unwrap().scene
}

/// Changes the scene of a map, and returns the text of the map and the losses afterwards.
fn merged(text: &str, change: impl FnOnce(&mut Scene)) -> (String, Vec<String>) {
    let mut document = map(text);
    let mut changed = scene(&document);
    change(&mut changed);
    let losses = merge_scene(&mut document, &changed, &ExportOptions::default()).unwrap();
    (String::from_utf8(document.as_bytes().to_vec()).unwrap(), losses.iter().map(ToString::to_string).collect())
}

/// Returns the node with a name.
fn named(scene: &Scene, name: &str) -> NodeId {
    scene.nodes.iter().find(|(_, node)| node.name == name).unwrap().0
}

fn level() -> String {
    format!(
        "// Game: Half-Life\r\n// Format: Standard\r\n// entity 0\r\n{{\r\n\"classname\" \"worldspawn\"\r\n\"message\"  \"x\" // the name\r\n\
         // brush 0\r\n{{\r\n{}}}\r\n// brush 1\r\n{{\r\n{}}}\r\n}}\r\n// entity 1\r\n{{\r\n\"classname\" \"light\"\r\n\"origin\" \"00 0 64.0\"\r\n\
         \"light\" \"0200\"\r\n}}\r\n// the end\r\n",
        cube("a 0 0 0.0 1 1").replace('\n', "\r\n"),
        cube_at([128, 0, 0], 32, "b 0 0 0 1 1 0 0 7").replace('\n', "\r\n"),
    )
}

#[test]
fn an_unchanged_scene_changes_nothing() {
    let text = level();
    assert_eq!(merged(&text, |_| ()), (text.clone(), Vec::new()));
    // A change of data that maps do not store.
    let (same, losses) = merged(&text, |scene| _ = scene.sounds.push(Sound::default()));
    assert_eq!(same, text);
    assert!(losses.iter().any(|loss| loss.contains("sound")), "{losses:?}");
}

#[test]
fn one_key_changes() {
    let text = level();
    let (changed, losses) = merged(&text, |scene| {
        let light = named(scene, "light");
        scene.nodes.get_mut(light).unwrap().transform = Transform::translation([8.0, 64.0, 0.0]);
    });
    assert_eq!((changed, losses), (text.replace("00 0 64.0", "8 0 64"), Vec::new()));
    let (changed, _) = merged(&text, |scene| {
        scene.entities.get_mut(Id::new(0)).unwrap().properties.set("message", "The Hall");
        scene.lights.get_mut(Id::new(0)).unwrap().range = Some(300.0);
    });
    assert_eq!(changed, text.replace("\"x\"", "\"The Hall\"").replace("0200", "300"));
    let (changed, _) = merged(&text, |scene| {
        scene.entities.get_mut(Id::new(0)).unwrap().properties.entries.clear();
    });
    assert_eq!(changed, text.replace("\"message\"  \"x\"", ""));
}

#[test]
fn one_brush_changes() {
    let text = level();
    // Its texture.
    let (changed, losses) = merged(&text, |scene| {
        let material = scene.materials.push(Material::new("new"));
        scene.brushes.get_mut(Id::new(1)).unwrap().sides[2].material = Some(material);
    });
    let old = text.match_indices(" b ").nth(2).unwrap().0;
    assert_eq!((changed, losses), (format!("{} new {}", &text[..old], &text[old + 3..]), Vec::new()));
    // Its place. Textures stay where they are.
    let (changed, _) = merged(&text, |scene| {
        let node = scene.nodes.iter().find(|(_, node)| node.content == Content::Brush(Id::new(1))).unwrap().0;
        scene.nodes.get_mut(node).unwrap().transform = Transform::translation([0.0, 16.0, 0.0]);
    });
    let moved = cube_at([128, 0, 16], 32, "b 0 0 0 1 1 0 0 7").replace('\n', "\r\n");
    let old = cube_at([128, 0, 0], 32, "b 0 0 0 1 1 0 0 7").replace('\n', "\r\n");
    assert_eq!(changed, text.replace(&old, &moved));
}

#[test]
fn parts_are_removed_and_added() {
    let text = level();
    let (changed, losses) = merged(&text, |scene| {
        let world = named(scene, "worldspawn");
        scene.nodes.get_mut(world).unwrap().children.remove(0);
        let light = named(scene, "light");
        scene.roots.retain(|root| *root != light);
        let entity = scene.entities.push(Entity { class: "door".into(), ..Entity::default() });
        let door = scene.add_node(None, Node::new("gate", Content::Entity(entity)));
        let mut brush = scene.brushes.items()[1].clone();
        brush.sides.iter_mut().for_each(|side| side.properties = Properties::new());
        let brush = scene.brushes.push(brush);
        scene.add_node(Some(door), Node::new("", Content::Brush(brush)));
    });
    assert!(losses.is_empty(), "{losses:?}");
    let brush = cube_at([128, 0, 0], 32, "b 0 0 0 1 1").replace('\n', "\r\n");
    let added = format!("{{\r\n\"classname\" \"door\"\r\n\"targetname\" \"gate\"\r\n{{\r\n{brush}}}\r\n}}\r\n");
    let first = text.find("// brush 0").unwrap();
    let second = text.find("// brush 1").unwrap();
    let light = text.find("// entity 1").unwrap();
    let end = text.find("// the end").unwrap();
    assert_eq!(changed, format!("{}{}{}{added}", &text[..first], &text[second..light], &text[end..]));
}

#[test]
fn groups_and_patches_keep_their_text() {
    let text = "// entity 0\n{\n\"classname\" \"worldspawn\"\n}\n\
        {\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"cave\"\n\"_tb_id\" \"7\"\n}\n\
        {\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_group\"\n\"_tb_name\" \"lamps\"\n\"_tb_id\" \"0009\"\n\"_tb_layer\" \"7\"\n\
        {\n patchDef2\n {\n wood\n ( 3 3 0 0 0 )\n(\n\
        ( ( 0 0 0 0 0 ) ( 0 8 4 0 .5 ) ( 0 16 0 0 1 ) )\n( ( 8 0 0 .5 0 ) ( 8 8 4 .5 .5 ) ( 8 16 0 .5 1 ) )\n\
        ( ( 16 0 0 1 0 ) ( 16 8 4 1 .5 ) ( 16 16 0 1 1 ) )\n)\n }\n}\n}\n\
        {\n\"classname\" \"lamp\"\n\"origin\" \"1 2 3\"\n\"_tb_group\" \"9\"\n}\n";
    let document = map(text);
    let scene = scene(&document);
    let (layer, group, lamp) = (named(&scene, "cave"), named(&scene, "lamps"), named(&scene, "lamp"));
    assert_eq!(scene.nodes[layer].children, [group]);
    assert_eq!(scene.nodes[group].children.last(), Some(&lamp));
    let mesh = &scene.meshes.items()[0];
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (81, 64));
    let (changed, losses) = merged(text, |scene| {
        let lamp = named(scene, "lamp");
        scene.nodes.get_mut(lamp).unwrap().transform = Transform::translation([1.0, 5.0, -2.0]);
    });
    assert_eq!((changed, losses), (text.replace("1 2 3", "1 2 5"), Vec::new()));
    // A scaled patch is written again, with its control points.
    let (changed, _) = merged(text, |scene| scene.scale(2.0));
    assert!(changed.contains("( ( 0 0 0 0 0 ) ( 0 16 8 0 0.5 ) ( 0 32 0 0 1 ) )"), "{changed}");
    // An entity that leaves its group.
    let (changed, _) = merged(text, |scene| {
        let (group, lamp) = (named(scene, "lamps"), named(scene, "lamp"));
        scene.nodes.get_mut(group).unwrap().children.pop();
        scene.roots.push(lamp);
    });
    assert_eq!(changed, text.replace("\"_tb_group\" \"9\"\n", ""));
    // And one that joins it: the number is that of the file.
    let (changed, _) = merged(text, |scene| {
        let group = named(scene, "lamps");
        let entity = scene.entities.push(Entity { class: "fan".into(), ..Entity::default() });
        scene.add_node(Some(group), Node::new("", Content::Entity(entity)));
    });
    assert!(changed.ends_with("{\n\"classname\" \"fan\"\n\"_tb_group\" \"9\"\n}\n"), "{changed}");
}

#[test]
fn brush_primitives_change_their_matrix() {
    let face = |points: &str| format!("{points} ( ( 0.015625 0 0 ) ( 0 0.015625 0.5 ) ) wall 0 0 0\n");
    let faces: String = cube("").lines().map(|line| face(line.trim())).collect();
    let text = format!("{{\n\"classname\" \"worldspawn\"\n{{\nbrushDef\n{{\n{faces}}}\n}}\n}}\n");
    let (changed, losses) = merged(&text, |scene| {
        scene.brushes.get_mut(Id::new(0)).unwrap().sides[0].projection.offset[0] += 32.0;
    });
    let first = text.replacen("( ( 0.015625 0 0 )", "( ( 0.015625 0 0.5 )", 1);
    assert_eq!((changed, losses), (first, Vec::new()));
}

#[test]
fn brushes_outside_of_entities_stay_there() {
    let text = format!("{{\n{}}}\n// two\n{{\n{}}}\n", cube("a 0 0 0 1 1"), cube_at([128, 0, 0], 32, "b 0 0 0 1 1"));
    let (changed, losses) = merged(&text, |scene| {
        let material = scene.materials.push(Material::new("new"));
        scene.brushes.get_mut(Id::new(1)).unwrap().sides[0].material = Some(material);
    });
    assert_eq!((changed, losses), (text.replacen(" b ", " new ", 1), Vec::new()));
}
