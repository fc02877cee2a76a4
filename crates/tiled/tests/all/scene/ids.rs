//! Ids of layers and objects, and losses of objects.

use super::{from_scene, to_scene};
use mapwright_scene::NoFiles;
use mapwright_scene::{Content, Entity, Node, NodeId, Scene};
use mapwright_tiled::Syntax;
use mapwright_tiled::scene::ExportOptions;

use super::read::{map, read};

/// Writes a scene as text of both formats.
fn write(scene: &Scene) -> [String; 2] {
    [Syntax::Xml, Syntax::Json].map(|format| {
        let options = ExportOptions::default().with_syntax(format);
        let export = from_scene(scene, &NoFiles, &options).unwrap();
        assert!(export.losses.is_empty(), "{:?}", export.losses);
        String::from_utf8(export.document.main).unwrap()
    })
}

/// The ids of elements of a kind in XML, in their order.
fn ids(text: &str, element: &str) -> Vec<u32> {
    let start = format!("<{element} id=\"");
    text.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

const OBJECTS: &str = r#"<layer id="4" name="A" width="2" height="2"><data encoding="csv">1,2,0,4</data></layer>
 <group id="9" name="G"><objectgroup id="2" name="O"><object id="7" x="1" y="2"/>
  <object id="3" x="3" y="4" width="-5"><properties><property name="to" type="object" value="7"/></properties></object>
 </objectgroup></group><objectgroup id="3" name="P"><object id="20" name="last"/></objectgroup>"#;

#[test]
fn layers_and_objects_keep_their_ids_and_references_stay_valid() {
    let scene = read(&map(OBJECTS)).unwrap().scene;
    let [xml, json] = write(&scene);
    for text in [&xml, &json] {
        let back = read(text).unwrap();
        assert!(back.scene == scene && back.losses.is_empty(), "{text}: {:?}", back.losses);
    }
    assert_eq!((ids(&xml, "layer"), ids(&xml, "group"), ids(&xml, "objectgroup")), (vec![4], vec![9], vec![2, 3]));
    assert_eq!(ids(&xml, "object"), [7, 3, 20]);
    assert!(xml.contains(r#"nextlayerid="10" nextobjectid="21""#), "{xml}");
    assert!(xml.contains(r#"<property name="to" type="int" value="7"/>"#), "{xml}");
    for name in ["id", "assigned_ids", "words"] {
        assert!(!xml.contains(&format!("name=\"{name}\"")), "{name}: {xml}");
    }
}

#[test]
fn objects_without_an_id_get_free_ones() {
    let mut scene = read(&map(OBJECTS)).unwrap().scene;
    let parent = scene.nodes.iter().find(|(_, node)| node.name == "O").map(|(id, _)| id);
    let add = |scene: &mut Scene, parent: Option<NodeId>, entity: Entity| {
        let entity = scene.entities.push(entity);
        scene.add_node(parent, Node::new("new", Content::Entity(entity)));
    };
    add(&mut scene, parent, Entity::default());
    // The id of another object, which references mean.
    let copy = scene.entities.items()[0].clone();
    add(&mut scene, parent, copy);
    let [xml, json] = write(&scene);
    assert_eq!(ids(&xml, "object"), [7, 3, 1, 2, 20]);
    // Read again, they have the ids of the file.
    for (text, place) in [(xml, 0), (json, 1)] {
        let back = read(&text).unwrap();
        assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_eq!(write(&back.scene)[place], text);
    }
}

#[test]
fn ids_that_cannot_be_stored_are_reported() {
    let text =
        map(r#"<objectgroup id="1" name="O"><object id="7"><properties><property name="id" value="door"/></properties>
        </object></objectgroup>
        <objectgroup id="8" name="G"><properties><property name="id" value="x"/></properties></objectgroup>"#);
    let losses: Vec<String> = read(&text).unwrap().losses.iter().map(ToString::to_string).collect();
    let reason = "another property of this name: ";
    assert_eq!(
        losses,
        [
            format!(
                "approximated: layers[0].objects[0]: ids of objects that have {reason}they get new ids: 1, the first here"
            ),
            format!("approximated: layers[1]: id of a layer that has {reason}it gets a new id"),
        ]
    );
    // Ids that are no numbers are no ids.
    for id in ["-1", "1.5", "\"a\"", "null", "99999999999"] {
        let json = format!(
            "{{\"type\":\"map\",\"layers\":[{{\"type\":\"objectgroup\",\"id\":{id},\"objects\":[{{\"id\":{id}}}]}}]}}"
        );
        let import = to_scene(json.as_bytes(), &NoFiles).unwrap();
        assert!(import.scene.entities.items()[0].properties.is_empty() && import.losses.is_empty(), "{id}");
    }
}

#[test]
fn images_that_are_missing_name_what_tiles_become() {
    let text = r#"<map width="1" height="1" tilewidth="8" tileheight="8"><tileset firstgid="1" name="S" tilewidth="8"
        tileheight="8" tilecount="1" columns="1" spacing="2"><image source="t.png"/></tileset></map>"#;
    let losses: Vec<String> = read(text).unwrap().losses.iter().map(ToString::to_string).collect();
    let text = "its tiles get no image, and a Tiled map shows their numbers; spacing and margin are lost";
    assert_eq!(
        losses,
        [format!("dropped: tilesets[0]: image \"t.png\": {text} (files outside the document are not read)")]
    );
}
