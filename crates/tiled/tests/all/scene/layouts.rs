//! Maps whose cells are not rectangles in rows and columns.

use mapwright_scene::*;
use mapwright_tiled::Document;
use mapwright_tiled::scene::{self, ExportOptions, ImportOptions};

fn map(attributes: &str, content: &str) -> Document {
    let text = format!(
        "<map version=\"1.10\" {attributes} width=\"3\" height=\"4\" tilewidth=\"32\" tileheight=\"16\" nextlayerid=\"9\" \
         nextobjectid=\"9\"><tileset firstgid=\"1\" name=\"t\" tilewidth=\"32\" tileheight=\"24\" tilecount=\"4\" columns=\"2\"/>\
         {content}</map>"
    );
    Document::from_bytes(text.as_bytes()).unwrap()
}

const FLOOR: &str = "<layer id=\"1\" name=\"Floor\" width=\"3\" height=\"4\"><data encoding=\"csv\">1,2,3,4,1,2,3,4,1,2,3,4</data></layer>";

fn read(document: &Document) -> Scene {
    let scene = scene::to_scene(document, &NoFiles, &ImportOptions::default()).unwrap().scene;
    assert_eq!(scene.validate(), []);
    scene
}

/// Writes a scene as a new map, and expects that reading gives the same nodes again.
fn rewritten(scene: &Scene) -> Document {
    let written = scene::from_scene(scene, &NoFiles, &ExportOptions::default()).unwrap().document.document;
    let back = read(&written);
    let nodes = |scene: &Scene| scene.nodes.iter().map(|(_, node)| node.transform).collect::<Vec<_>>();
    assert_eq!(nodes(&back), nodes(scene), "{}", written.as_str());
    assert_eq!(layouts(&back), layouts(scene));
    written
}

fn layouts(scene: &Scene) -> Vec<CellLayout> {
    scene.tile_layers.items().iter().map(|layer| layer.layout).collect()
}

/// Returns x and y of the nodes with a key, y down.
fn position(scene: &Scene, key: &str) -> [f64; 2] {
    let (_, node) = scene.nodes.iter().find(|(_, node)| node.key.as_deref() == Some(key)).unwrap();
    let [x, y, _] = node.transform.origin();
    [x, 0.0 - y]
}

#[test]
fn tile_layers_have_the_layout_of_the_map() {
    let stagger = |columns, even| Stagger { columns, even };
    for (attributes, layout) in [
        ("orientation=\"orthogonal\"", CellLayout::Orthogonal),
        ("orientation=\"isometric\"", CellLayout::Isometric),
        ("orientation=\"oblique\" skewx=\"-3\" skewy=\"5\"", CellLayout::Oblique { skew: [-3, 5] }),
        ("orientation=\"staggered\"", CellLayout::Staggered(stagger(false, false))),
        ("orientation=\"staggered\" staggeraxis=\"x\"", CellLayout::Staggered(stagger(true, false))),
        (
            "orientation=\"hexagonal\" hexsidelength=\"6\" staggerindex=\"even\"",
            CellLayout::Hexagonal { stagger: stagger(false, true), side: 6 },
        ),
        (
            "orientation=\"hexagonal\" hexsidelength=\"-6\"",
            CellLayout::Hexagonal { stagger: stagger(false, false), side: 0 },
        ),
    ] {
        let scene = read(&map(attributes, FLOOR));
        assert_eq!(layouts(&scene), [layout], "{attributes}");
        let written = rewritten(&scene);
        assert!(written.as_str().contains(attributes.split(' ').next().unwrap()), "{}", written.as_str());
        // The layout suffices if the properties of the scene are lost.
        let bare = Scene { properties: Properties::new(), ..scene };
        rewritten(&bare);
    }
}

#[test]
fn chunks_are_at_their_place() {
    let chunks = |origin: &str| {
        let data = format!("<data encoding=\"csv\"><chunk {origin} width=\"2\" height=\"1\">1,2</chunk></data>");
        format!("<layer id=\"1\" name=\"Floor\" width=\"3\" height=\"4\">{data}</layer>")
    };
    // One row instead of four, and two columns to the left and one row up.
    let infinite = |attributes: &str| map(&format!("infinite=\"1\" {attributes}"), &chunks("x=\"-2\" y=\"-1\""));
    let isometric = read(&infinite("orientation=\"isometric\""));
    assert_eq!(position(&isometric, "layer 1"), [-16.0 + 48.0, -24.0]);
    rewritten(&isometric);
    let staggered = read(&infinite("orientation=\"staggered\""));
    assert_eq!(position(&staggered, "layer 1"), [-64.0, -8.0]);
    // The only row is an odd one, and is shifted.
    assert_eq!(layouts(&staggered), [CellLayout::Staggered(Stagger { columns: false, even: true })]);
}

const OBJECTS: &str = "<objectgroup id=\"2\" name=\"O\"><object id=\"1\" x=\"16\" y=\"32\"><point/></object>\
     <object id=\"2\" gid=\"1\" x=\"16\" y=\"32\" width=\"32\" height=\"24\"/>\
     <object id=\"3\" x=\"33.3\" y=\"-7.1\" width=\"5\" height=\"6\"/></objectgroup>";

#[test]
fn objects_are_where_the_map_shows_them() {
    let isometric = map("orientation=\"isometric\"", &format!("{FLOOR}{OBJECTS}"));
    let scene = read(&isometric);
    assert_eq!(position(&scene, "object 1"), [64.0 - 16.0, 24.0]);
    // The middle of the bottom of the tile is there.
    assert_eq!(position(&scene, "object 2"), [48.0 - 16.0, 0.0]);
    rewritten(&scene);
    let oblique = map("orientation=\"oblique\" skewx=\"8\"", &format!("{FLOOR}{OBJECTS}"));
    let scene = read(&oblique);
    assert_eq!(position(&scene, "object 1"), [16.0 + 16.0, 32.0]);
    rewritten(&scene);
}

#[test]
fn moved_objects_move_along_the_sides_of_cells() {
    let mut document = map("orientation=\"isometric\"", &format!("{FLOOR}{OBJECTS}"));
    let before = document.as_str().to_owned();
    let mut scene = read(&document);
    let merge = |document: &mut Document, scene: &Scene| {
        scene::merge_scene(document, scene, &NoFiles, &ImportOptions::default()).unwrap()
    };
    assert_eq!(merge(&mut document, &scene).lost_count(), 0);
    assert_eq!(document.as_str(), before);
    // To the right is along both axes.
    let found = scene.nodes.iter_mut().map(|(_, node)| node).find(|node| node.key.as_deref() == Some("object 1"));
    found.unwrap().transform = Transform::translation([48.0 + 32.0, -24.0, 0.0]);
    let group = scene.nodes.iter().find(|(_, node)| node.name == "O").unwrap().0;
    let entity = scene.entities.push(Entity::default());
    let node = Node { transform: Transform::translation([64.0, -16.0, 0.0]), ..Node::new("", Content::Entity(entity)) };
    scene.add_node(Some(group), node);
    assert_eq!(merge(&mut document, &scene).lost_count(), 0);
    assert!(document.as_str().contains("<object id=\"1\" x=\"32\" y=\"16\">"), "{}", document.as_str());
    assert!(document.as_str().contains("x=\"16\" y=\"16\"><point/>"), "{}", document.as_str());
    // The map has one layout.
    scene.tile_layers.iter_mut().for_each(|(_, layer)| layer.layout = CellLayout::Orthogonal);
    assert_eq!(merge(&mut document, &scene).lost_count(), 1);
}

#[test]
fn a_layer_with_another_layout_is_reported() {
    let mut scene = read(&map("orientation=\"isometric\"", FLOOR));
    let id = scene.tile_layers.push(TileLayer { size: [0; 2], ..TileLayer::default() });
    scene.add_node(None, Node::new("flat", Content::TileLayer(id)));
    let export = scene::from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    assert!(
        export.losses.iter().any(|loss| loss.text == "orthogonal cells: isometric as in the map"),
        "{:?}",
        export.losses
    );
}
