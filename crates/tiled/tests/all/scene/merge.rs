//! Changed scenes, written back into their maps.

use mapwright_scene::*;
use mapwright_tiled::Document;
use mapwright_tiled::scene::{self, ImportOptions};

const MAP: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16" infinite="0" nextlayerid="4" nextobjectid="9">
 <!-- a comment -->
 <tileset firstgid="1" name="Ground" tilewidth="16" tileheight="16" tilecount="4" columns="2"/>
 <layer id="1" name="Floor" width="2" height="2" opacity="0.50">
  <properties>
   <property name="music" value="a"/>
  </properties>
  <data encoding="csv">
1,2,
2147483651,0
</data>
 </layer>
 <objectgroup id="2" name="Things">
  <object id="5" name="door" type="Door" x="8.50" y="16" width="16" height="32">
   <properties>
    <property name="tint" type="color" value="#ff0000"/>
    <property name="open" type="bool" value="false"/>
   </properties>
  </object>
  <object id="6" gid="2" x="32" y="32" width="16" height="16"/>
 </objectgroup>
</map>
"##;

fn merged(edit: impl Fn(&mut Scene)) -> (String, Losses) {
    let mut document = Document::from_bytes(MAP.as_bytes()).unwrap();
    let mut scene = scene::to_scene(&document, &NoFiles, &ImportOptions::default()).unwrap().scene;
    edit(&mut scene);
    let losses = scene::merge_scene(&mut document, &scene, &NoFiles, &ImportOptions::default()).unwrap();
    (document.as_str().to_owned(), losses)
}

fn node<'s>(scene: &'s mut Scene, key: &str) -> &'s mut Node {
    scene.nodes.iter_mut().map(|(_, node)| node).find(|node| node.key.as_deref() == Some(key)).unwrap()
}

fn is(edit: impl Fn(&mut Scene), changes: &[(&str, &str)]) {
    let (found, losses) = merged(edit);
    let mut expected = MAP.to_owned();
    for (from, to) in changes {
        assert!(expected.contains(from), "{from}");
        expected = expected.replacen(from, to, 1);
    }
    assert_eq!(found, expected);
    assert_eq!(losses.lost_count(), 0, "{losses:?}");
}

#[test]
fn an_unchanged_scene_changes_nothing() {
    is(|_| {}, &[]);
}

#[test]
fn only_changed_values_are_written() {
    is(
        |scene| node(scene, "object 5").transform = Transform::translation([9.5, -16.0, 0.0]),
        &[("x=\"8.50\"", "x=\"9.5\"")],
    );
    is(|scene| node(scene, "object 5").name = "gate".into(), &[("name=\"door\"", "name=\"gate\"")]);
    is(|scene| node(scene, "layer 1").visible = false, &[("opacity=\"0.50\"", "opacity=\"0.50\" visible=\"0\"")]);
    let entity = |scene: &mut Scene, edit: &dyn Fn(&mut Entity)| edit(scene.entities.get_mut(Id::new(0)).unwrap());
    is(|scene| entity(scene, &|door| door.class = "Gate".into()), &[("type=\"Door\"", "type=\"Gate\"")]);
    is(|scene| entity(scene, &|door| door.properties.set("open", true)), &[("value=\"false\"", "value=\"true\"")]);
    is(|scene| entity(scene, &|door| door.properties.set("tint", "#00ff00")), &[("#ff0000", "#00ff00")]);
    is(
        |scene| entity(scene, &|door| door.properties.set("width", 20.0)),
        &[("width=\"16\" height=\"32\"", "width=\"20\" height=\"32\"")],
    );
    is(
        |scene| entity(scene, &|door| door.properties.push("count", 3)),
        &[("value=\"false\"/>\n", "value=\"false\"/>\n    <property name=\"count\" type=\"int\" value=\"3\"/>\n")],
    );
    is(
        |scene| entity(scene, &|door| door.properties.entries.retain(|(name, _)| name != "open")),
        &[("\n    <property name=\"open\" type=\"bool\" value=\"false\"/>", "")],
    );
    let layer = |scene: &mut Scene, edit: &dyn Fn(&mut TileLayer)| edit(scene.tile_layers.get_mut(Id::new(0)).unwrap());
    is(|scene| layer(scene, &|floor| floor.cells[1] = 3), &[("1,2,", "1,4,")]);
    is(|scene| layer(scene, &|floor| floor.attributes.clear()), &[("2147483651", "3")]);
    is(|scene| layer(scene, &|floor| floor.properties.set("opacity", 0.25)), &[("0.50", "0.25")]);
    is(|scene| layer(scene, &|floor| floor.properties.set("music", "b")), &[("value=\"a\"", "value=\"b\"")]);
}

#[test]
fn objects_are_added_and_removed() {
    let remove = |scene: &mut Scene| {
        let id =
            scene.nodes.iter().find(|(_, node)| node.key.as_deref() == Some("object 6")).map(|(id, _)| id).unwrap();
        scene.nodes.iter_mut().for_each(|(_, node)| node.children.retain(|child| *child != id));
    };
    is(remove, &[("\n  <object id=\"6\" gid=\"2\" x=\"32\" y=\"32\" width=\"16\" height=\"16\"/>", "")]);
    let add = |scene: &mut Scene| {
        let parent = scene.nodes.iter().find(|(_, node)| node.name == "Things").map(|(id, _)| id);
        let properties = [("gold", 5)].into_iter().collect();
        let entity = scene.entities.push(Entity { class: "Chest".into(), properties, ..Entity::default() });
        let node =
            Node { transform: Transform::translation([1.0, -2.0, 0.0]), ..Node::new("new", Content::Entity(entity)) };
        scene.add_node(parent, node);
    };
    let (text, losses) = merged(add);
    assert_eq!(losses.lost_count(), 0, "{losses:?}");
    assert!(text.contains("<object id=\"9\" name=\"new\" type=\"Chest\" x=\"1\" y=\"2\">"), "{text}");
    assert!(text.contains("<property name=\"gold\" type=\"int\" value=\"5\"/>"), "{text}");
    assert!(text.contains("nextobjectid=\"10\"") && text.contains("<!-- a comment -->"), "{text}");
}

#[test]
fn changes_without_a_place_are_reported() {
    let (text, losses) = merged(|scene| {
        scene.tile_layers.get_mut(Id::new(0)).unwrap().size = [1, 4];
        scene.add_node(None, Node::new("group", Content::Group));
        let door = scene.entities.get_mut(Id::new(0)).unwrap();
        door.properties.set("tint", "red");
        door.properties.push("shape", "ellipse");
    });
    assert_eq!(text, MAP);
    let mut texts: Vec<String> = losses.iter().map(|loss| loss.text.clone()).collect();
    texts.sort_unstable();
    let expected = [
        "a new layer: layers are added in Tiled",
        "another size of the tile layer",
        "change of the property \"shape\"",
        "new value of the property \"tint\": expected a colour such as #ff8000",
    ];
    assert_eq!(texts, expected);
}
