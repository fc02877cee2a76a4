//! Written maps and reported losses.

use super::{from_scene, to_scene};
use mapwright_scene::images::decode_png;
use mapwright_scene::*;
use mapwright_tiled::Syntax;
use mapwright_tiled::io::Category;
use mapwright_tiled::scene::ExportOptions;

fn export(scene: &Scene) -> Export<Files> {
    from_scene(scene, &NoFiles, &ExportOptions::default()).unwrap()
}

/// A layer of one row that shows the tiles of one set.
fn row_of(tiles: Vec<Tile>, tile_size: [u32; 2]) -> Scene {
    let mut scene = Scene::default();
    let layer = TileLayer {
        name: "A".into(),
        size: [u32::try_from(tiles.len()).unwrap(), 1],
        tile_size,
        layout: CellLayout::Orthogonal,
        cells: (0..).take(tiles.len()).collect(),
        tile_sets: vec![scene.tile_sets.push(TileSet { name: "S/1".into(), tiles, ..TileSet::default() })],
        wrap: [false; 2],
        parallax: [1.0; 2],
        z: 0,
        fill: None,
        attributes: Vec::new(),
        properties: Properties::new(),
    };
    let layer = scene.tile_layers.push(layer);
    scene.add_node(None, Node::new("A", Content::TileLayer(layer)));
    scene
}

#[test]
fn tiles_without_an_image_are_squares_with_their_number() {
    let files = export(&row_of(vec![Tile::default(); 12], [16, 16])).document;
    let names: Vec<&str> = files.side.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["scene-S_1.png"]);
    let image = decode_png(&files.side[0].data, 1 << 20).unwrap();
    assert_eq!((image.width, image.height, image.format), (64, 48, PixelFormat::Rgba8));
    let pixel = |x: usize, y: usize| &image.data[(y * 64 + x) * 4..][..4];
    // Tile 11 is the last: its number is two strokes on a ground of its own.
    let ground = pixel(48 + 1, 32 + 1);
    let drawn: String = (0..16)
        .flat_map(|y| (0..16).map(move |x| (48 + x, 32 + y)).chain([(0, 0)]))
        .map(|(x, y)| {
            if (x, y) == (0, 0) {
                '\n'
            } else if pixel(x, y) == ground {
                '.'
            } else {
                '#'
            }
        })
        .collect();
    let rows: Vec<&str> = drawn.lines().collect();
    assert_eq!((rows[0], rows[1], rows[15]), ("################", "#..............#", "################"));
    let digits: Vec<&str> = rows[5..10].iter().map(|row| &row[4..11]).collect();
    assert_eq!(digits, [".#...#.", "##..##.", ".#...#.", ".#...#.", "###.###"], "{drawn}");
    // A layer with a fill colour has a tile to paint with.
    let mut filled = row_of(vec![Tile::default()], [16, 16]);
    filled.tile_layers.get_mut(Id::new(0)).unwrap().fill = Some(3);
    assert_eq!(export(&filled).document.side[1].name, "scene-words.png");
    let grounds: std::collections::BTreeSet<&[u8]> = (0..12).map(|i| pixel(i % 4 * 16 + 1, i / 4 * 16 + 1)).collect();
    assert_eq!(grounds.len(), 12);
}

#[test]
fn images_of_tiles_come_back_and_squares_do_not() {
    let data: Vec<u8> = (0..16).collect();
    let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgba8, data };
    let mut scene = row_of(vec![Tile::default(); 7], [2, 2]);
    let image = Image { name: "grass".into(), source: ImageSource::Pixels(pixels) };
    let image = scene.images.push(image);
    scene.tile_sets.get_mut(Id::new(0)).unwrap().tiles[3].image = Some(image);
    let export = export(&scene);
    assert!(export.losses.is_empty(), "{:?}", export.losses);
    let back = to_scene(&export.document.main, &export.document).unwrap();
    assert_eq!(back.scene, scene);
    // Without the image, everything else is complete.
    let back = to_scene(&export.document.main, &NoFiles).unwrap();
    assert_eq!((back.losses.len(), back.scene.images.len()), (1, 0));
    // One that the scene only names comes from beside it.
    let named = Image { name: String::new(), source: ImageSource::External { path: "grass.png".into() } };
    *scene.images.get_mut(image).unwrap() = named;
    let losses = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap().losses;
    assert_eq!(losses.len(), 1, "{losses:?}");
    let beside = |name: &str| export.document.side.iter().find(|_| name == "grass.png").map(|file| file.data.clone());
    let drawn = from_scene(&scene, &beside, &ExportOptions::default()).unwrap();
    assert_eq!(drawn.losses.count(LossKind::Approximated), 1, "cut to the size of the tile: {:?}", drawn.losses);
    let back = to_scene(&drawn.document.main, &drawn.document).unwrap();
    assert_eq!(back.scene, scene);
}

#[test]
fn properties_with_the_name_of_a_meaning_are_reported() {
    let mut scene = row_of(vec![Tile::default()], [8, 8]);
    let mut properties = Properties::new();
    properties.push("=a", 1);
    properties.push("b", 2);
    let entity = scene.entities.push(Entity { class: "E".into(), properties, ..Entity::default() });
    scene.add_node(None, Node::new("e", Content::Entity(entity)));
    let losses: Vec<String> = export(&scene).losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("is named \"=\\\"=a\\\"\""), "{losses:?}");
}

#[test]
fn contents_that_a_map_cannot_store_are_reported() {
    let mut scene = row_of(vec![Tile::default()], [8, 8]);
    let light = scene.lights.push(Light::default());
    scene.add_node(None, Node::new("lamp", Content::Light(light)));
    let connections = vec![Connection::default()];
    let entity = scene.entities.push(Entity { class: "E".into(), connections, ..Entity::default() });
    let entity = scene.add_node(None, Node::new("e", Content::Entity(entity)));
    scene.add_node(Some(entity), Node::new("below", Content::Marker));
    scene.add_node(None, Node::new("again", Content::TileLayer(Id::new(0))));
    let mut deep = Value::Int(1);
    for _ in 0..70 {
        deep = Value::List(vec![deep]);
    }
    scene.properties.push("deep", deep);
    let source = ImageSource::External { path: "a.png".into() };
    scene.images.push(Image { name: String::new(), source });
    let losses: Vec<String> = export(&scene).losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        [
            "dropped: lights[0]: point light",
            "dropped: the property \"deep\" is nested too deep",
            "dropped: entities[0]: 1 connection",
            "dropped: nodes[2]: 1 node below an object",
            "approximated: nodes[4]: a layer that other nodes show as well is written once more",
            "dropped: images[0]: an image without a tile",
        ]
    );
}

#[test]
fn groups_deeper_than_readers_support_are_rejected() {
    let nested = |depth: usize| {
        let mut scene = Scene::default();
        let mut node = None;
        for _ in 0..depth {
            node = Some(scene.add_node(node, Node::default()));
        }
        scene
    };
    for format in [Syntax::Xml, Syntax::Json] {
        let options = ExportOptions::default().with_syntax(format);
        let files = from_scene(&nested(47), &NoFiles, &options).unwrap().document;
        let back = to_scene(&files.main, &files).unwrap();
        assert_eq!(back.scene, nested(47));
        let error = from_scene(&nested(10_000), &NoFiles, &options).unwrap_err();
        assert_eq!(error.category(), Category::Limit);
    }
}
