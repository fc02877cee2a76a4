//! Hand-written maps.

use super::{from_scene, to_scene};
use mapwright_tiled::io::Category;
use mapwright_tiled::scene::ExportOptions;
use mapwright_tiled::{ReadError, ReadErrorKind};
use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use mapwright_scene::images::image_size;
use mapwright_scene::*;
use mapwright_tiled::io::LineColumn;

pub(crate) fn read(text: &str) -> Result<Import, ReadError> {
    to_scene(text.as_bytes(), &NoFiles)
}

/// A map of 2 × 2 cells with one set of four tiles, and what else it has in it.
pub(crate) fn map(rest: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="8">
 <tileset firstgid="1" name="Ground" tilewidth="16" tileheight="8" tilecount="4" columns="2"/>
{rest}
</map>"#
    )
}

fn layer(data: &str) -> String {
    map(&format!("<layer name=\"A\" width=\"2\" height=\"2\">\n{data}\n</layer>"))
}

fn cells(text: &str) -> Vec<u32> {
    let import = read(text).unwrap();
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    import.scene.tile_layers.items()[0].cells.clone()
}

const EXPECTED: [u32; 4] = [0, 1, Cell::EMPTY, 3];

fn packed(compression: &str) -> String {
    let cells: Vec<u8> = [1_u32, 2, 0, 4].iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&cells).unwrap();
    let bytes = if compression == "gzip" { gzip.finish().unwrap() } else { cells };
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group.iter().chain(&[0, 0]).take(3).fold(0_usize, |word, byte| word << 8 | usize::from(*byte));
        let digit = |i: usize| if i <= group.len() { digits[word >> (18 - 6 * i) & 63] as char } else { '=' };
        text.extend((0..4).map(digit));
    }
    format!("\n   {text}\n  ")
}

#[test]
fn cells_are_read_in_all_their_forms() {
    assert_eq!(cells(&layer("<data encoding=\"csv\">\n1,2,\n0,4\n</data>")), EXPECTED);
    assert_eq!(cells(&layer("<data><tile gid=\"1\"/><tile gid=\"2\"/><tile/><tile gid=\"4\"/></data>")), EXPECTED);
    assert_eq!(cells(&layer(&format!("<data encoding=\"base64\">{}</data>", packed("")))), EXPECTED);
    let gzip = format!("<data encoding=\"base64\" compression=\"gzip\">{}</data>", packed("gzip"));
    assert_eq!(cells(&layer(&gzip)), EXPECTED);
    let json = r#"{"type":"map","version":1.2,"width":2,"height":2,"tilewidth":16,"tileheight":8,"orientation":"orthogonal",
        "tilesets":[{"firstgid":1,"name":"Ground","tilewidth":16,"tileheight":8,"tilecount":4,"columns":2}],
        "layers":[{"type":"tilelayer","name":"A","width":2,"height":2,"data":[1,2,0,4]}]}"#;
    assert_eq!(cells(json), EXPECTED);
}

#[test]
fn the_content_of_a_map_comes_into_the_scene() {
    let import = read(&map(
        r##"<properties><property name="music" value="a&amp;b&#10;c"/><property name="n" type="float" value="2"/></properties>
 <group name="G" offsetx="8" offsety="4">
  <layer name="A" width="1" height="1" parallaxx="0.5" visible="0" locked="1"><data encoding="csv">3</data></layer>
  <objectgroup name="O">
   <object id="1" name="door" class="Door" x="10" y="20" width="16" height="8" visible="0">
    <properties><property name="open" type="bool" value="true"/><property name="tint" type="color" value="#ff00ff00"/>
     <property name="to" type="object" value="7"/><property name="kind" type="class" propertytype="K"><properties>
     <property name="level" type="int" value="3"/></properties></property></properties>
   </object>
  </objectgroup>
 </group>"##,
    ))
    .unwrap();
    let types = "types of properties of objects: values without the type: 1, the first here";
    let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, [format!("approximated: layers[0].layers[1].objects[0]: {types}")]);
    let scene = import.scene;
    assert_eq!(scene.validate(), []);
    assert_eq!(scene.properties.get("music"), Some(&"a&b\nc".into()));
    assert_eq!(scene.properties.get("n"), Some(&Value::Float(2.0)));
    let names: Vec<&str> = scene.walk().map(|visit| visit.node.name.as_str()).collect();
    assert_eq!(names, ["G", "A", "O", "door"]);
    let layer = &scene.tile_layers.items()[0];
    assert_eq!(
        (layer.size, layer.tile_size, layer.parallax, layer.cells.as_slice()),
        ([1, 1], [16, 8], [0.5, 1.0], &[2][..])
    );
    let visits: Vec<Visit<'_>> = scene.walk().collect();
    assert!(!visits[1].node.visible && visits[1].node.locked && !visits[3].node.visible);
    assert_eq!(visits[3].world.point([0.0; 3]), [18.0, -24.0, 0.0]);
    let door = &scene.entities.items()[0];
    assert_eq!(door.class, "Door");
    let names: Vec<&str> = door.properties.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["open", "tint", "to", "kind", "width", "height", "id"]);
    let kind: Properties = [("level", 3)].into_iter().collect();
    assert_eq!(door.properties.get("kind"), Some(&Value::Map(kind)));
}

#[test]
fn parts_without_a_place_in_scenes_are_reported() {
    let layer = r#"<data encoding="csv">0,0,0,0</data></layer>"#;
    let cases = [
        (format!("<layer name=\"A\" x=\"1\" width=\"2\" height=\"2\">{layer}"), "dropped: layers[0]: the position of the layer in tiles"),
        ("<imagelayer name=\"sky\"/>".into(), "dropped: layers[0]: an image layer without the path of an image"),
        (
            "<imagelayer name=\"sky\"><image source=\"a.png\"/></imagelayer>".into(),
            "approximated: layers[0]: image layer with the image \"a.png\": a tile layer of one tile",
        ),
        (
            "<group name=\"G\"/>".into(),
            "approximated: layers[0]: a group without layers: an object group without objects in a Tiled map",
        ),
        (
            "<properties><property name=\"d\" propertytype=\"Direction\" value=\"North\"/></properties>".into(),
            "approximated: properties: types of 1 property: values without the type",
        ),
        ("<objectgroup y=\"-1\"/>".into(), "dropped: layers[0]: the position of the layer in tiles"),
        (
            "<objectgroup><object opacity=\"0.5\"><properties><property name=\"opacity\" value=\"x\"/></properties></object>\
             </objectgroup>"
                .into(),
            "dropped: layers[0].objects[0]: attributes of objects that have a property of this name: 1, the first here",
        ),
        (
            "<objectgroup opacity=\"0.5\"><properties><property name=\"opacity\" value=\"x\"/></properties></objectgroup>".into(),
            "dropped: layers[0]: the attribute \"opacity\" of an item that has a property of this name",
        ),
        ("<editorsettings/>".into(), "dropped: editorsettings: the settings of the editor"),
        (
            "<tileset firstgid=\"9\" tilecount=\"1\"><tile id=\"0\" width=\"4\" height=\"4\"/></tileset>".into(),
            "dropped: tilesets[1]: parts of images that tiles show: the whole images",
        ),
        (
            "<tileset firstgid=\"9\" tilecount=\"1\"><grid width=\"3\"/></tileset>".into(),
            "dropped: tilesets[1]: the grid of the tile set",
        ),
        (
            "<tileset firstgid=\"9\" tilecount=\"1\"><transformations hflip=\"1\"/></tileset>".into(),
            "dropped: tilesets[1]: the allowed transformations of tiles",
        ),
        (
            "<tileset firstgid=\"9\" tilecount=\"1\"><wangsets><wangset/></wangsets></tileset>".into(),
            "dropped: tilesets[1]: sets of terrain brushes",
        ),
        (
            "<tileset firstgid=\"9\" tilecount=\"1\"><tile id=\"0\"><objectgroup><object id=\"1\"/></objectgroup></tile></tileset>".into(),
            "dropped: tilesets[1]: collision shapes",
        ),
        (
            "<properties><property name=\"c\" type=\"color\" value=\"#ff00ff80\"/></properties>".into(),
            "approximated: properties: types of 1 property: values without the type",
        ),
        (
            "<layer width=\"1\" height=\"1\"><data encoding=\"csv\">5</data></layer>".into(),
            "repaired: tile_sets[0]: 1 tile after the last tile of the set: added",
        ),
    ];
    for (text, loss) in cases {
        let import = read(&map(&text)).unwrap();
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, [loss], "{text}");
        assert_eq!(import.scene.validate(), [], "{text}");
    }
}

#[test]
fn lists_are_read_from_xml_and_json() {
    let xml = map(r#"<properties><property name="l" type="list"><item type="int" value="7"/><item value="a"/>
  <item type="list"><item type="bool" value="true"/></item></property></properties>"#);
    let json = r#"{"type":"map","width":2,"height":2,"tilewidth":16,"tileheight":8,"tilesets":[],"layers":[],
        "properties":[{"name":"l","type":"list","value":[{"type":"int","value":7},{"type":"string","value":"a"},
        {"type":"list","value":[{"type":"bool","value":true}]}]}]}"#;
    let expected = Value::List(vec![7.into(), "a".into(), Value::List(vec![true.into()])]);
    for text in [xml.as_str(), json] {
        assert_eq!(read(text).unwrap().scene.properties.get("l"), Some(&expected), "{text}");
    }
}

#[test]
fn sizes_and_rotations_of_objects_are_written_back() {
    let text = map(r#"<objectgroup><object x="8" y="8" width="16" height="48.5" rotation="30"/></objectgroup>"#);
    let scene = read(&text).unwrap().scene;
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    let written = String::from_utf8(export.document.main.clone()).unwrap();
    assert!(written.contains(r#"x="8" y="8" width="16" height="48.5" rotation="30""#), "{written}");
    assert!(!written.contains("<point/>"), "{written}");
    assert_eq!(read(&written).unwrap().scene.entities, scene.entities);
}

#[test]
fn tiles_with_images_of_their_own_come_back() {
    let text =
        map(r#"<tileset firstgid="5" name="c" tilecount="2" columns="0"><tile id="1"><image source="a.png"/></tile>
        <tile id="4"><image source="b.png"/></tile></tileset>"#);
    let import = read(&text).unwrap();
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    let images: Vec<_> = import.scene.tile_sets.items()[1].tiles.iter().map(|tile| tile.image).collect();
    assert_eq!(images.iter().flatten().count(), 2);
    let pixels = |size: u32| {
        ImageSource::Pixels(Pixels {
            width: size,
            height: 2,
            format: PixelFormat::Rgba8,
            data: vec![9; size as usize * 8],
        })
    };
    let mut scene = import.scene;
    for (size, image) in [(3, images[1]), (5, images[4])] {
        scene.images.get_mut(image.unwrap()).unwrap().source = pixels(size);
    }
    // Objects show them with their own sizes.
    let properties = [("tile_set", Value::Int(1)), ("tile", 4.into())].into_iter().collect();
    let entity = Entity { model: Some("c".into()), properties, ..Entity::default() };
    let entity = scene.entities.push(entity);
    scene.add_node(None, Node::new("shown", Content::Entity(entity)));
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    assert!(export.losses.is_empty(), "{:?}", export.losses);
    let written = String::from_utf8(export.document.main.clone()).unwrap();
    assert!(written.contains(r#"name="c" tilewidth="5" tileheight="2" tilecount="2" columns="0""#), "{written}");
    let sizes = export.document.side.iter().filter_map(|file| image_size(&file.data, false));
    assert_eq!(sizes.filter(|[_, height]| *height == 2).collect::<Vec<_>>(), [[3, 2], [5, 2]]);
    let back = read(&written).unwrap().scene;
    let shown = |scene: &Scene| scene.entities.items().last().unwrap().properties.get("tile").cloned();
    assert_eq!(shown(&back), shown(&scene));
}

#[test]
fn object_groups_without_objects_are_written_back() {
    let scene = read(&map("<objectgroup id=\"1\" name=\"Spawns\"/>")).unwrap().scene;
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    let written = String::from_utf8(export.document.main).unwrap();
    assert!(written.contains("<objectgroup id=\"1\" name=\"Spawns\"/>"), "{written}");
}

#[test]
fn tile_objects_are_placed_by_the_alignment_of_their_set() {
    let place = |alignment: &str, object: &str| {
        let set = format!(
            "<tileset firstgid=\"9\" tilewidth=\"40\" tileheight=\"20\" tilecount=\"3\" {alignment}>\
             <tile id=\"2\"><image source=\"c.png\" width=\"10\" height=\"6\"/></tile></tileset>"
        );
        let text = map(&format!("{set}<objectgroup><object x=\"100\" y=\"50\" {object}/></objectgroup>"));
        let scene = read(&text).unwrap().scene;
        let [x, y, _] = scene.walk().last().unwrap().world.point([0.0; 3]);
        let properties = &scene.entities.items()[0].properties;
        let size = ["width", "height"].map(|name| properties.get(name).and_then(Value::as_f64));
        ([x, -y], size)
    };
    // Without a size, that of the tile. Flips do not move the box.
    assert_eq!(place("", r#"gid="9""#), ([100.0, 30.0], [Some(40.0), Some(20.0)]));
    assert_eq!(place("", r#"gid="3221225481""#), ([100.0, 30.0], [Some(40.0), Some(20.0)]));
    assert_eq!(place("", r#"gid="11""#), ([100.0, 44.0], [Some(10.0), Some(6.0)]));
    // About the corner at the bottom left, clockwise.
    assert_eq!(place("", r#"gid="9" rotation="90""#).0, [120.0, 50.0]);
    for (alignment, at) in [
        ("unspecified", [100.0, 42.0]),
        ("topleft", [100.0, 50.0]),
        ("top", [92.0, 50.0]),
        ("topright", [84.0, 50.0]),
        ("left", [100.0, 46.0]),
        ("center", [92.0, 46.0]),
        ("right", [84.0, 46.0]),
        ("bottomleft", [100.0, 42.0]),
        ("bottom", [92.0, 42.0]),
        ("bottomright", [84.0, 42.0]),
    ] {
        let alignment = format!("objectalignment=\"{alignment}\"");
        let size = [Some(16.0), Some(8.0)];
        assert_eq!(place(&alignment, r#"gid="9" width="16" height="8""#), (at, size), "{alignment}");
    }
    // Without a tile, the anchor is the corner at the top left.
    assert_eq!(place("", r#"width="16" height="8""#).0, [100.0, 50.0]);
    let json = r#"{"type":"map","width":2,"height":2,"tilewidth":16,"tileheight":8,
        "tilesets":[{"firstgid":1,"tilewidth":40,"tileheight":20,"tilecount":1,"columns":1,"objectalignment":"center"}],
        "layers":[{"type":"objectgroup","name":"O","objects":[{"gid":2147483649,"x":100,"y":50}]}]}"#;
    assert_eq!(read(json).unwrap().scene.walk().last().unwrap().world.point([0.0; 3]), [80.0, -40.0, 0.0]);
}

#[test]
fn infinite_layers_are_cut_to_what_they_have() {
    let import = read(&map(r#"<layer name="A" width="2" height="2"><data encoding="csv">
  <chunk x="-2" y="-1" width="1" height="2">1,2</chunk>
  <chunk x="0" y="0" width="1" height="1">3</chunk>
 </data></layer>"#))
    .unwrap();
    let layer = &import.scene.tile_layers.items()[0];
    let e = Cell::EMPTY;
    assert_eq!((layer.size, layer.cells.as_slice()), ([3, 2], &[0, e, e, 1, e, 2][..]));
    // Two columns of 16 to the left, one row of 8 up.
    assert_eq!(import.scene.nodes.items()[0].transform, Transform::translation([-32.0, 8.0, 0.0]));
    assert_eq!(import.losses.len(), 1);
}

#[test]
fn tile_sets_and_images_are_loaded_from_files() {
    let text = r#"<map width="1" height="1" tilewidth="2" tileheight="1"><tileset firstgid="1" source="sets/a.tsx"/>
        <layer name="A" width="1" height="1"><data encoding="csv">2</data></layer></map>"#;
    // Without its file, a set has the tiles that cells show.
    let import = read(text).unwrap();
    let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    let reason = "its tiles are only numbers (files outside the document are not read)";
    assert_eq!(losses, [format!("dropped: tilesets[0]: the tile set of the file \"sets/a.tsx\": {reason}")]);
    let set = &import.scene.tile_sets.items()[0];
    assert_eq!((&*set.name, set.tiles.len()), ("a", 2));

    // Two tiles of 2 × 1 with a margin of 1 and a pixel between them; the image has 7 × 3.
    let tsx = r#"<tileset name="S" tilewidth="2" tileheight="1" tilecount="2" columns="2" margin="1" spacing="1">
        <image source="a.png" width="7" height="3"/><tile id="1"><properties><property name="attribute" type="int" value="4"/>
        </properties></tile></tileset>"#;
    let json = r#"{"type":"tileset","name":"S","tilewidth":2,"tileheight":1,"tilecount":2,"columns":2,"margin":1,"spacing":1,
        "image":"a.png","imagewidth":7,"imageheight":3,"tiles":[{"id":1,"properties":[{"name":"attribute","type":"int","value":4}]}]}"#;
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 7, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&(0..21).collect::<Vec<u8>>()).unwrap();
    for set in [tsx, json] {
        let files = |name: &str| match name {
            "sets/a.tsx" => Some(set.as_bytes().to_vec()),
            "sets/a.png" => Some(png.clone()),
            _ => None,
        };
        let import = to_scene(text.as_bytes(), &files).unwrap();
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        assert_eq!(
            losses,
            [
                "approximated: tilesets[0]: the tile set of the file \"sets/a.tsx\": stored in the map",
                "approximated: tilesets[0]: image \"sets/a.png\": cut into its tiles; a Tiled map gets a new image of 2 columns \
                 and 1 rows",
            ]
        );
        let scene = import.scene;
        assert_eq!(scene.tile_sets.items()[0].tiles[1].collision, Collision::Uniform(4));
        let pixels = |index: usize| match &scene.images.items()[index].source {
            ImageSource::Pixels(pixels) => (pixels.width, pixels.height, pixels.data.clone()),
            other => panic!("{other:?}"),
        };
        assert_eq!((pixels(0), pixels(1)), ((2, 1, vec![8, 9]), (2, 1, vec![11, 12])));
        // If they are written again, they are in the image of the set and come back.
        let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
        let back = to_scene(&export.document.main, &export.document).unwrap();
        assert!(back.losses.is_empty(), "its own arrangement comes back: {:?}", back.losses);
        let first = &back.scene.images[back.scene.tile_sets.items()[0].tiles[0].image.unwrap()];
        let expected =
            Pixels { width: 2, height: 1, format: PixelFormat::Rgba8, data: vec![8, 8, 8, 255, 9, 9, 9, 255] };
        assert_eq!(first.source, ImageSource::Pixels(expected));
    }
    let broken = |_: &str| Some(b"<tileset firstgid='x'>".to_vec());
    let error = to_scene(text.as_bytes(), &broken).unwrap_err();
    assert_eq!(error.file(), Some("sets/a.tsx"), "{error}");
    let template = |_: &str| Some(b"<template/>".to_vec());
    let losses = to_scene(text.as_bytes(), &template).unwrap().losses;
    assert!(losses.iter().any(|loss| loss.text.contains("expected a tileset, found a template")), "{losses:?}");
}

#[test]
fn invalid_maps_are_rejected_with_their_path() {
    let zstd = layer("<data encoding=\"base64\" compression=\"zstd\">AAAA</data>");
    let error = read(&zstd).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Malformed, "layers[0].data"));
    let error = read(&layer("<data encoding=\"base64\" compression=\"lzma\">AAAA</data>")).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
    assert_eq!(error.position().and_then(|at| at.text), Some(LineColumn { line: 6, column: 44 }));
    for (data, text) in [
        ("1,2,3", "3 cells, expected 4"),
        ("1,2,3,4,0,0", "more than 4 cells, expected 4"),
        ("1,2,x,4", "invalid cell \"x\""),
    ] {
        let error = read(&layer(&format!("<data encoding=\"csv\">{data}</data>"))).unwrap_err();
        assert!(error.to_string().contains(text) && error.position().is_some(), "{error}");
    }
    for (text, category) in [
        ("", Category::Truncated),
        ("PK", Category::Malformed),
        ("<svg/>", Category::Malformed),
        ("{\"type\":\"tileset\"}", Category::Unsupported),
        ("<map", Category::Truncated),
        ("<map><layer></map>", Category::Malformed),
        ("<map><tileset firstgid=\"0\"/></map>", Category::Malformed),
        ("<map><tileset firstgid=\"536870912\"/></map>", Category::Malformed),
        ("<map><tileset firstgid=\"1\"/><tileset firstgid=\"1\"/></map>", Category::Malformed),
    ] {
        assert_eq!(read(text).unwrap_err().category(), category, "{text}");
    }
    let error = read("<map><tileset firstgid=\"0\"/></map>").unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::FirstGid(0)) && error.path() == "tilesets[0].firstgid", "{error}");
}

#[test]
fn key_colours_are_reported_from_xml_and_json() {
    let set = r#"<tileset firstgid="1" name="s" tilewidth="1" tileheight="1" tilecount="1" columns="1">"#;
    let xml = format!(
        r#"<map width="1" height="1" tilewidth="1" tileheight="1">{set}<image source="a.png"
            trans="ff00ff" width="1" height="1"/></tileset><properties><property name="to" type="object" value="3"/>
            </properties></map>"#
    );
    let json = r##"{"type":"map","width":1,"height":1,"tilewidth":1,"tileheight":1,"layers":[],
        "tilesets":[{"firstgid":1,"name":"s","tilewidth":1,"tileheight":1,"tilecount":1,"columns":1,"image":"a.png",
        "transparentcolor":"#ff00ff"}],"properties":[{"name":"to","type":"object","value":3}]}"##;
    for text in [xml.as_str(), json] {
        let losses: Vec<String> = read(text).unwrap().losses.iter().map(ToString::to_string).collect();
        for expected in [
            "dropped: tilesets[0]: the transparent colour of the image",
            "approximated: properties: types of 1 property: values without the type",
        ] {
            assert!(losses.iter().any(|loss| loss == expected), "{expected}: {losses:?}");
        }
    }
}

#[test]
fn shapes_that_repeat_the_collision_are_no_loss() {
    let losses = |properties: &str, shapes: &str| {
        let map = format!(
            "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"16\" tileheight=\"8\">\
             <tileset firstgid=\"1\" name=\"s\" tilewidth=\"16\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"><tile id=\"0\">\
             <properties>{properties}</properties><objectgroup draworder=\"index\">{shapes}</objectgroup></tile></tileset></map>"
        );
        read(&map).unwrap().losses.iter().filter(|loss| loss.text == "collision shapes").count()
    };
    let solid = "<property name=\"attribute\" type=\"int\" value=\"1\"/>";
    let whole = "<object id=\"1\" type=\"solid\" x=\"0\" y=\"0\" width=\"16\" height=\"8\"/>";
    assert_eq!((losses(solid, whole), losses(solid, ""), losses("", whole)), (0, 1, 1));
    for (old, new) in [
        ("solid", "climb"),
        ("x=\"0\"", "x=\"1\""),
        ("height=\"8\"", "height=\"7\""),
        ("x=", "rotation=\"9\" x="),
        ("/>", "><ellipse/></object>"),
        ("/>", "/><object id=\"2\" x=\"0\" y=\"0\"/>"),
    ] {
        assert_eq!(losses(solid, &whole.replacen(old, new, 1)), 1, "{old} {new}");
    }
}
