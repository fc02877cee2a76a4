//! Parts of maps that become columns, properties and tiles, and are written back.

use mapwright_scene::*;
use mapwright_tiled::scene::ExportOptions;

use super::read::{map, read};
use super::{from_scene, to_scene};

/// Reads a map, writes its scene, and checks that reading gives the same scene again. Returns the written map.
fn rewritten(text: &str, losses: usize) -> (Scene, String) {
    let import = read(text).unwrap();
    assert_eq!(import.losses.len(), losses, "{:?}", import.losses);
    assert_eq!(import.scene.validate(), []);
    let files = from_scene(&import.scene, &NoFiles, &ExportOptions::default()).unwrap().document;
    let written = String::from_utf8(files.main.clone()).unwrap();
    let back = to_scene(&files.main, &files).unwrap();
    assert_eq!(back.losses.len(), 0, "{:?}", back.losses);
    let mut expected = import.scene.clone();
    let mut found = back.scene;
    // The image of a written set is read.
    for scene in [&mut expected, &mut found] {
        scene.images = Default::default();
        for (_, set) in scene.tile_sets.iter_mut() {
            set.tiles.iter_mut().for_each(|tile| tile.image = None);
        }
    }
    assert_eq!(found, expected, "{written}");
    (import.scene, written)
}

#[test]
fn attributes_of_layers_and_maps_come_back() {
    let text = map(
        r##"<layer id="1" name="A" width="2" height="2" class="k" opacity="0.25" tintcolor="#80ff0000" mode="multiply">
        <data encoding="csv">1,2,0,4</data></layer>
        <group id="2" name="G" class="g" parallaxx="0.5" parallaxy="0"><layer id="3" width="1" height="1"><data encoding="csv">1</data>
        </layer></group>
        <objectgroup id="4" name="O" draworder="index" color="#102030" opacity="0"/>"##,
    );
    let text = text.replace(
        "orientation=\"orthogonal\"",
        "orientation=\"hexagonal\" class=\"lvl\" renderorder=\"left-up\" hexsidelength=\"4\" staggeraxis=\"x\" staggerindex=\"even\" \
         parallaxoriginx=\"1.5\" backgroundcolor=\"#010203\" skewx=\"3\"",
    );
    let (scene, written) = rewritten(&text, 0);
    let names: Vec<&str> = scene.properties.iter().map(|(name, _)| name).collect();
    let expected = [
        "class",
        "orientation",
        "renderorder",
        "hexsidelength",
        "staggeraxis",
        "staggerindex",
        "skewx",
        "parallaxoriginx",
        "backgroundcolor",
    ];
    assert_eq!(names, expected);
    for part in [
        "orientation=\"hexagonal\" renderorder=\"left-up\"",
        "staggeraxis=\"x\" staggerindex=\"even\"",
        "class=\"k\" opacity=\"0.25\" tintcolor=\"#80ff0000\" mode=\"multiply\"",
        "class=\"g\" parallaxx=\"0.5\" parallaxy=\"0\"",
        "opacity=\"0\" draworder=\"index\" color=\"#102030\"",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn flags_of_cells_are_a_column() {
    let text = map(
        "<layer id=\"1\" width=\"2\" height=\"2\"><data encoding=\"csv\">2147483649,2,3758096387,536870912</data></layer>",
    );
    let (scene, _) = rewritten(&text, 0);
    let layer = &scene.tile_layers.items()[0];
    assert_eq!(layer.cells, [0, 1, 2, Cell::EMPTY]);
    assert_eq!(layer.attributes[0].name, "flips");
    assert_eq!(layer.attributes[0].values, [8.0, 0.0, 14.0, 2.0]);
    let mut other = scene;
    other.tile_layers.get_mut(Id::new(0)).unwrap().attributes[0].name = "heat".into();
    let losses = from_scene(&other, &NoFiles, &ExportOptions::default()).unwrap().losses;
    assert!(losses.iter().any(|loss| loss.text == "attribute heat"), "{losses:?}");
}

#[test]
fn shapes_and_texts_of_objects_come_back() {
    let text = map(r#"<objectgroup id="1" name="O"><object id="1" x="1" y="2" width="4" height="5"><ellipse/></object>
        <object id="2" x="1" y="2"><polygon points="0,0 1.5,-2 3,4"/></object><object id="3"><polyline points="0,0 8,8"/></object>
        <object id="4" width="9" height="9" rotation="45" opacity="0.5"><capsule/></object>
        <object id="5" width="40" height="9"><text wrap="1" pixelsize="9" color="&#35;ff0000">a &lt;b&gt;
two</text></object><object id="6"><text>=x</text></object><object id="7"><point/></object></objectgroup>"#);
    let (scene, written) = rewritten(&text, 0);
    let property = |index: usize, name: &str| scene.entities.items()[index].properties.get(name).cloned();
    assert_eq!(property(0, "shape"), Some("ellipse".into()));
    let point = |x, y| Value::List(vec![Value::Float(x), Value::Float(y)]);
    assert_eq!(property(1, "points"), Some(Value::List(vec![point(0.0, 0.0), point(1.5, -2.0), point(3.0, 4.0)])));
    let Some(Value::Map(members)) = property(4, "text") else { panic!("no text") };
    assert_eq!(members.get("text"), Some(&"a <b>\ntwo".into()));
    assert_eq!(members.get("wrap"), Some(&Value::Bool(true)));
    assert_eq!(property(6, "shape"), None);
    for part in ["<ellipse/>", "<polygon points=\"0,0 1.5,-2 3,4\"/>", "<capsule/>", "wrap=\"1\""] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn shapes_that_are_only_properties_stay_properties() {
    let mut scene = Scene::default();
    for entries in [
        vec![("shape", Value::from("star"))],
        vec![("points", Value::List(Vec::new()))],
        vec![("tile", Value::Int(3))],
        vec![("tile_set", Value::Int(0)), ("tile", Value::Int(3))],
        vec![("flips", Value::Int(3))],
        vec![("shape", Value::from("text")), ("text", Value::from("a"))],
        vec![("opacity", Value::Float(1.0))],
        vec![("opacity", Value::from("0.5")), ("opacity", Value::Float(0.5))],
        vec![("width", Value::Float(-0.0)), ("rotation", Value::Int(4))],
    ] {
        let entity = Entity { class: "E".into(), properties: entries.into_iter().collect(), ..Entity::default() };
        let entity = scene.entities.push(entity);
        scene.add_node(None, Node::new("e", Content::Entity(entity)));
    }
    let files = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap().document;
    assert_eq!(to_scene(&files.main, &files).unwrap().scene, scene);
}

#[test]
fn tile_objects_come_back() {
    let text = map(
        r#"<objectgroup id="1" name="O"><object id="1" gid="2147483650" x="10" y="40" width="20" height="30"/>
        <object id="2" gid="3" x="10" y="40"><properties><property name="model" value="M"/></properties></object></objectgroup>"#,
    );
    let import = read(&text).unwrap();
    let [first, second] = [0, 1].map(|index| &import.scene.entities.items()[index]);
    assert_eq!((first.model.as_deref(), second.model.as_deref()), (Some("Ground"), Some("M")));
    let properties: Vec<(&str, &Value)> = first.properties.iter().collect();
    let expected = [
        ("tile_set", &Value::Int(0)),
        ("tile", &Value::Int(1)),
        ("flips", &Value::Int(8)),
        ("width", &Value::Float(20.0)),
        ("height", &Value::Float(30.0)),
        ("id", &Value::Int(1)),
    ];
    assert_eq!(properties, expected);
    let files = from_scene(&import.scene, &NoFiles, &ExportOptions::default()).unwrap().document;
    let written = String::from_utf8(files.main.clone()).unwrap();
    assert!(written.contains("objectalignment=\"topleft\""), "{written}");
    assert!(written.contains("gid=\"2147483650\" x=\"10\" y=\"10\" width=\"20\" height=\"30\""), "{written}");
    assert_eq!(to_scene(&files.main, &NoFiles).unwrap().scene, import.scene);
}

#[test]
fn templates_give_their_values() {
    let text = map(r#"<objectgroup id="1" name="O"><object id="1" template="t/door.tx" x="10" y="20"/>
        <object id="2" template="t/door.tx" name="own" x="1" y="2" width="3" height="4"><properties>
        <property name="gold" type="int" value="9"/></properties></object>
        <object id="3" template="t/chest.tx" x="8" y="8"/><object id="4" template="missing.tx" type="X"/></objectgroup>"#);
    let files = |name: &str| {
        match name {
        "t/door.tx" => Some(
            b"<template><object name='door' type='Door' width='16' height='32'><properties>\
              <property name='gold' type='int' value='5'/><property name='open' type='bool' value='true'/></properties></object>\
              </template>"
                .to_vec(),
        ),
        "t/chest.tx" => Some(
            b"<template><tileset firstgid='1' source='../sets/c.tsx'/><object type='Chest' gid='2147483650' width='8' height='8'/>\
              </template>"
                .to_vec(),
        ),
        "sets/c.tsx" => Some(b"<tileset name='C' tilewidth='8' tileheight='8' tilecount='4' columns='2'/>".to_vec()),
        _ => None,
    }
    };
    let import = to_scene(text.as_bytes(), &files).unwrap();
    let entities = import.scene.entities.items();
    let value = |index: usize, name: &str| entities[index].properties.get(name).cloned();
    assert_eq!((&*entities[0].class, value(0, "gold"), value(0, "width")), ("Door", Some(5.into()), Some(16.0.into())));
    assert_eq!(
        (value(1, "gold"), value(1, "open"), value(1, "width")),
        (Some(9.into()), Some(true.into()), Some(3.0.into()))
    );
    let names: Vec<&str> = import.scene.walk().map(|visit| visit.node.name.as_str()).collect();
    assert_eq!(names, ["O", "door", "own", "", ""]);
    // The tile counts in the tileset of the template, which the map does not have.
    assert_eq!(
        (entities[2].model.as_deref(), value(2, "tile"), value(2, "flips")),
        (Some("C"), Some(1.into()), Some(8.into()))
    );
    assert_eq!(import.scene.tile_sets.items()[1].name, "C");
    assert_eq!(entities[3].class, "X");
    let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    assert!(losses.iter().any(|loss| loss.contains("templates of objects whose file is missing")), "{losses:?}");
}

#[test]
fn attributes_of_tilesets_and_tiles_come_back() {
    let text = map(r##"<tileset firstgid="5" name="T" class="c" tilewidth="8" tileheight="8" tilecount="4" columns="2"
        backgroundcolor="#010203" tilerendersize="grid" fillmode="preserve-aspect-fit"><tileoffset x="1" y="-2"/>
        <tile id="1" type="wall" probability="0.5"><properties><property name="solid" type="bool" value="true"/></properties>
        <animation><frame tileid="1" duration="100"/><frame tileid="2" duration="50"/></animation></tile></tileset>"##);
    let (scene, written) = rewritten(&text, 0);
    let set = &scene.tile_sets.items()[1];
    let names = |properties: &Properties| properties.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&set.properties), ["class", "backgroundcolor", "tilerendersize", "fillmode", "tileoffset"]);
    assert_eq!(names(&set.tiles[1].properties), ["solid", "class", "probability", "animation"]);
    assert!(written.contains("<tile id=\"1\" type=\"wall\" probability=\"0.5\">"), "{written}");
}

#[test]
fn image_layers_are_tile_layers_of_one_tile() {
    let text = map(
        "<imagelayer id=\"1\" name=\"bg\" repeatx=\"1\" parallaxx=\"0.5\" offsetx=\"3\"><image source=\"bg.png\" width=\"32\" \
                    height=\"16\"/></imagelayer>",
    );
    let import = read(&text).unwrap();
    let layer = &import.scene.tile_layers.items()[0];
    assert_eq!(
        (layer.size, layer.tile_size, layer.wrap, layer.parallax),
        ([1, 1], [32, 16], [true, false], [0.5, 1.0])
    );
    let image = import.scene.tile_sets[layer.tile_sets[0]].tiles[0].image.unwrap();
    assert_eq!(import.scene.images[image].source, ImageSource::External { path: "bg.png".into() });
}
