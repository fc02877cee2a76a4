//! Images of small levels, pixel by pixel.

use crate::support;

use mapwright_render::{Area, Drawing, Error, Filter, Layers, Objects, Parallax, RenderOptions, Scale, View, to_png};
use mapwright_scene::{
    Cell, Collision, Content, Entity, Image, ImageSource, Node, NodeId, PixelFormat, Pixels, Scene, Tile, TileLayer,
    TileSet, Transform,
};
use support::{BACKGROUND, Rgb, rows};

fn plain() -> RenderOptions {
    RenderOptions::default()
        .with_scale(Scale::Exactly(mapwright_render::Ratio::ONE))
        .with_background(BACKGROUND)
        .with_objects(Objects::Hidden)
}

fn layer(scene: &mut Scene, size: [u32; 2], tile: u32, cells: Vec<u32>, sets: Vec<TileSet>) -> NodeId {
    let tile_sets = sets.into_iter().map(|set| scene.tile_sets.push(set)).collect();
    let layer =
        TileLayer { name: "Action".into(), size, tile_size: [tile; 2], cells, tile_sets, ..TileLayer::default() };
    let layer = scene.tile_layers.push(layer);
    scene.add_node(None, Node::new("Action", Content::TileLayer(layer)))
}

/// An image of 2 × 2 pixels.
fn image(scene: &mut Scene, pixels: [Rgb; 4]) -> Tile {
    let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgb8, data: pixels.concat() };
    let image = Image { name: String::new(), source: ImageSource::Pixels(pixels) };
    Tile { image: Some(scene.images.push(image)), ..Tile::default() }
}

const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const WHITE: Rgb = [255; 3];

/// Two columns, one with a tile that has an image.
fn textured_level() -> Scene {
    let mut scene = Scene::default();
    let tile = image(&mut scene, [RED, GREEN, BLUE, WHITE]);
    let set = TileSet { name: "ACTION".into(), tiles: vec![tile], ..TileSet::default() };
    layer(&mut scene, [3, 1], 2, vec![0, Cell::EMPTY, 0], vec![set]);
    scene
}

#[test]
fn images_of_tiles_are_drawn() {
    let (info, rows) = rows(&textured_level(), &plain());
    assert_eq!((info.width, info.height, info.layers, info.size), (6, 2, 1, [6, 2]));
    assert_eq!(rows[0], [RED, GREEN, BACKGROUND, BACKGROUND, RED, GREEN]);
    assert_eq!(rows[1], [BLUE, WHITE, BACKGROUND, BACKGROUND, BLUE, WHITE]);
}

#[test]
fn images_are_scaled_down_and_up() {
    let half = plain().with_scale(Scale::Exactly("1/2".parse().expect("a scale")));
    // The mean of the four, rounded.
    let mean = [128, 128, 128];
    assert_eq!(rows(&textured_level(), &half).1, [[mean, BACKGROUND, mean]]);
    let (_, nearest) = rows(&textured_level(), &half.with_filter(Filter::Nearest));
    assert!([RED, GREEN, BLUE, WHITE].contains(&nearest[0][0]) && nearest[0][1] == BACKGROUND);
    let double = plain().with_scale(Scale::Exactly("2".parse().expect("a scale")));
    let (_, double) = rows(&textured_level(), &double);
    assert_eq!(double[0][..6], [RED, RED, GREEN, GREEN, BACKGROUND, BACKGROUND]);
    assert_eq!(double[0], double[1]);
}

#[test]
fn a_part_equals_that_of_the_complete_image() {
    let part = plain().with_area(Area::Rectangle { from: [-1, 1], size: [4, 2] });
    let (info, rows) = rows(&textured_level(), &part);
    assert_eq!((info.from, info.size), ([-1, 1], [4, 2]));
    assert_eq!(rows[0], [BACKGROUND, BLUE, WHITE, BACKGROUND]);
    assert_eq!(rows[1], [BACKGROUND; 4], "below the level");
}

#[test]
fn a_number_has_the_same_colour_everywhere() {
    let mut scene = Scene::default();
    layer(&mut scene, [4, 1], 1, vec![5, 6, 5, Cell::EMPTY], vec![TileSet::default()]);
    let (_, rows) = rows(&scene, &plain().with_view(View::Numbers));
    let [five, six, again, nothing] = rows[0][..] else { panic!("four pixels") };
    assert_eq!((five, nothing), (again, BACKGROUND));
    assert!(five != six && five != BACKGROUND);
}

#[test]
fn collision_attributes_are_visible() {
    let mut scene = Scene::default();
    let tile = |collision| Tile { collision, ..Tile::default() };
    let tiles = vec![
        tile(Collision::Uniform(0)),
        tile(Collision::Uniform(1)),
        tile(Collision::Rectangle { outside: 0, inside: 1, bounds: [0, 0, 0, 3] }),
        tile(Collision::Mask { width: 2, height: 2, attributes: vec![1, 0, 0, 1] }),
    ];
    layer(&mut scene, [4, 1], 4, vec![0, 1, 2, 3], vec![TileSet { tiles, ..TileSet::default() }]);
    let (_, rows) = rows(&scene, &plain().with_view(View::Collision));
    let solid = rows[0][4];
    assert_ne!(solid, BACKGROUND);
    assert_eq!(rows[0][..4], [BACKGROUND; 4], "clear");
    assert_eq!(rows[3][4..8], [solid; 4], "solid");
    assert_eq!(rows[0][8..12], [solid, BACKGROUND, BACKGROUND, BACKGROUND], "one column of it");
    assert_eq!(rows[0][12..], [solid, BACKGROUND, BACKGROUND, BACKGROUND], "a mask of two by two pixels");
    assert_eq!(rows[1][12..], [BACKGROUND, solid, BACKGROUND, BACKGROUND]);
}

#[test]
fn objects_are_marked_and_layers_are_selected() {
    let mut scene = Scene::default();
    let far = layer(&mut scene, [1, 1], 64, vec![Cell::EMPTY], Vec::new());
    scene.nodes[far].name = "Far".into();
    let near = layer(&mut scene, [1, 1], 64, vec![Cell::EMPTY], Vec::new());
    for (logic, x) in [("Officer", 16.0), ("Soldier", 48.0)] {
        let entity = scene.entities.push(Entity { class: logic.into(), ..Entity::default() });
        let transform =
            Transform::Trs { translation: [x, -32.0, 5.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
        scene.add_node(Some(near), Node { transform, ..Node::new("", Content::Entity(entity)) });
    }
    let options = plain().with_objects(Objects::Marked);
    let (info, drawn) = rows(&scene, &options);
    assert_eq!((info.marks, info.layers), (2, 2));
    assert!(drawn[32][16] != BACKGROUND && drawn[32][48] != BACKGROUND && drawn[32][16] != drawn[32][48]);
    assert_eq!(drawn[0], [BACKGROUND; 64]);
    let (info, _) = rows(&scene, &options.clone().with_layers(Layers::At(0)));
    assert_eq!((info.marks, info.layers), (0, 1));
    let error = Drawing::new(&scene, &options.with_layers(Layers::Named("Nowhere".into()))).expect_err("no layer");
    assert!(error.to_string().contains("Nowhere"), "{error}");
}

#[test]
fn large_levels_are_drawn_small_or_in_part() {
    let mut scene = Scene::default();
    layer(&mut scene, [1050, 1050], 64, vec![3; 1050 * 1050], vec![TileSet::default()]);
    // 4.5 billion pixels: only rows of the image are in memory.
    let mut png = Vec::new();
    let info = to_png(&scene, &RenderOptions::default().with_scale(Scale::Fit(512)), &mut png).expect("an image");
    assert_eq!((info.width, info.scale.to_string().as_str()), (510, "1/132"));
    assert!(png.starts_with(b"\x89PNG"));
    let error = Drawing::new(&scene, &plain()).expect_err("too large");
    assert!(matches!(error, Error::TooLarge { width: 67_200, fitting: Some(_), .. }), "{error}");
    assert!(error.to_string().contains("1/3") && error.help().is_some(), "{error}");
    let part = plain().with_area(Area::Rectangle { from: [67_000, 67_000], size: [400, 300] });
    let (_, rows) = rows(&scene, &part);
    assert!(rows[0][0] != BACKGROUND && rows[299][399] == BACKGROUND);
}

#[test]
fn scenes_without_content_are_rejected() {
    assert!(matches!(Drawing::new(&Scene::default(), &plain()), Err(Error::Nothing)));
    let mut scene = Scene::default();
    layer(&mut scene, [0, 5], 64, Vec::new(), Vec::new());
    assert!(matches!(Drawing::new(&scene, &plain()), Err(Error::Nothing)));
    layer(&mut scene, [u32::MAX, u32::MAX], u32::MAX, vec![1], Vec::new());
    let wild = plain().with_layers(Layers::At(1)).with_scale(Scale::Fit(4));
    // Absurd sizes are clamped, not multiplied.
    let _ = Drawing::new(&scene, &wild).map(|mut drawing| drawing.next_row().map(<[u8]>::len));
    let error = Drawing::new(&scene, &plain().with_area(Area::AroundStart([9, 9]))).expect_err("no start");
    assert!(matches!(error, Error::NoStart) && error.help().is_some());
}

/// A main layer of 100 × 50 empty cells of one pixel, with the start at a position.
fn wide(start: [f64; 2]) -> Scene {
    let mut scene = Scene::default();
    let main = layer(&mut scene, [100, 50], 1, vec![Cell::EMPTY; 5000], Vec::new());
    scene.nodes[main].properties.push("main", true);
    let transform = Transform::translation([start[0], -start[1], 0.0]);
    scene.add_node(None, Node { transform, ..Node::new("start", Content::Marker) });
    scene
}

#[test]
fn a_screen_around_the_start_stays_in_the_level() {
    let screen = |start, size| {
        let (info, _) = rows(&wide(start), &plain().with_area(Area::AroundStart(size)));
        (info.from, info.size)
    };
    assert_eq!(screen([50.0, 20.0], [10, 4]), ([45, 18], [10, 4]));
    assert_eq!(screen([2.0, 49.0], [10, 4]), ([0, 46], [10, 4]));
    assert_eq!(screen([-1000.0, 1e9], [10, 4]), ([0, 46], [10, 4]));
    assert_eq!(screen([50.0, 20.0], [1000, 4]), ([0, 18], [100, 4]));
}

#[test]
fn layers_follow_the_camera_by_their_parallax() {
    let mut scene = wide([0.0, 0.0]);
    let far = layer(&mut scene, [10, 1], 1, (0..10).collect(), Vec::new());
    let Content::TileLayer(far) = scene.nodes[far].content else { panic!("a layer") };
    (scene.tile_layers[far].parallax, scene.tile_layers[far].wrap) = ([0.5, 1.0], [true, true]);
    let part = plain().with_area(Area::Rectangle { from: [40, 0], size: [20, 1] });
    let (_, still) = rows(&scene, &part);
    let (_, moved) = rows(&scene, &part.clone().with_parallax(Parallax::Camera));
    // The centre, at 50, shows the pixel at 25: column 5 of 10. So column 0 is five pixels from the left.
    assert_eq!(still[0][..10], moved[0][5..15]);
    assert_ne!(still[0], moved[0]);
    // Without wrapping, the view stays in the layer. A layer that is smaller than the view ends where the view ends.
    scene.tile_layers[far].wrap = [false, true];
    let (_, moved) = rows(&scene, &part.with_parallax(Parallax::Camera));
    assert_eq!((moved[0][9], &moved[0][10..]), (BACKGROUND, &still[0][..10]));
}

#[test]
fn stretched_layers_show_what_the_camera_would_see_in_the_middle() {
    let mut scene = wide([0.0, 0.0]);
    let far = layer(&mut scene, [50, 1], 1, (0..50).collect(), Vec::new());
    let Content::TileLayer(far) = scene.nodes[far].content else { panic!("a layer") };
    scene.tile_layers[far].wrap = [true, true];
    let row = |scene: &Scene, options: RenderOptions| rows(scene, &options).1.swap_remove(0);
    let stretched = plain().with_parallax(Parallax::Stretched);
    let still = row(&scene, plain());
    for (percent, factor) in [(50, 0.5), (200, 2.0), (30, 0.3)] {
        scene.tile_layers[far].parallax = [factor, 1.0];
        let drawn = row(&scene, stretched.clone());
        for (x, color) in drawn.iter().enumerate() {
            // The middle of the pixel.
            let expected = (2 * x + 1) * percent / 200 % 50;
            assert_eq!(*color, still[expected], "{factor}: {x}");
        }
        // A part of the image is the same part.
        let part = Area::Rectangle { from: [40, 0], size: [20, 1] };
        assert_eq!(row(&scene, stretched.clone().with_area(part)), drawn[40..60], "{factor}");
    }
    // A layer that does not move shows its first column, and wild factors are no overflows.
    scene.tile_layers[far].parallax = [0.0, 1.0];
    assert_eq!(row(&scene, stretched.clone()), [still[0]; 100]);
    for factor in [-1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        scene.tile_layers[far].parallax = [factor; 2];
        for scale in ["1/1000", "100"] {
            let options = stretched.clone().with_scale(Scale::Exactly(scale.parse().unwrap()));
            let mut drawing = Drawing::new(&scene, &options).unwrap();
            assert!(drawing.next_row().is_some(), "{factor} {scale}");
        }
    }
    // Images of tiles are enlarged, too, by another factor in each direction.
    let colors = [RED, GREEN, BLUE, WHITE];
    let tiles = vec![image(&mut scene, colors)];
    let set = scene.tile_sets.push(TileSet { tiles, ..TileSet::default() });
    let images = &mut scene.tile_layers[far];
    (images.size, images.tile_size, images.cells, images.tile_sets) = ([2, 2], [2, 2], vec![0; 4], vec![set]);
    images.parallax = [0.5, 0.25];
    let part = Area::Rectangle { from: [0, 0], size: [16, 16] };
    for (scale, step) in [("1", [2, 4]), ("1/2", [1, 2]), ("3", [6, 12])] {
        let options = stretched.clone().with_area(part).with_scale(Scale::Exactly(scale.parse().unwrap()));
        for (y, row) in rows(&scene, &options).1.iter().enumerate() {
            for (x, color) in row.iter().enumerate() {
                assert_eq!(*color, colors[y / step[1] % 2 * 2 + x / step[0] % 2], "{scale}: {x}, {y}");
            }
        }
    }
    // A single layer is never stretched.
    let alone = row(&scene, stretched.with_layers(Layers::At(1)));
    assert_eq!(alone, [colors[0], colors[1], colors[0], colors[1]]);
}

/// The distance between two colours.
fn contrast(one: Rgb, other: Rgb) -> u32 {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other))).sum()
}

#[test]
fn the_main_layer_contrasts_with_the_others() {
    let mut scene = Scene::default();
    for (name, cells) in
        [("Back", [1, 1, 1]), ("Action", [Cell::EMPTY, 1, 1]), ("Front", [Cell::EMPTY, Cell::EMPTY, 2])]
    {
        let node = layer(&mut scene, [3, 1], 1, cells.to_vec(), Vec::new());
        scene.nodes[node].properties.push("main", name == "Action");
    }
    let options = RenderOptions::default().with_scale(Scale::Exactly(mapwright_render::Ratio::ONE));
    let options = options.with_objects(Objects::Hidden);
    let row = |options: &RenderOptions| -> [Rgb; 3] {
        let (_, rows) = rows(&scene, options);
        rows[0].as_slice().try_into().expect("three pixels")
    };
    let [behind, main, before] = row(&options);
    let [nothing, ..] = row(&options.clone().with_layers(Layers::At(2)));
    let [.., alone] = row(&options.clone().with_layers(Layers::At(2)));
    assert!(contrast(behind, nothing) * 3 < contrast(main, nothing), "{behind:?} {main:?} {nothing:?}");
    assert!(before != main && contrast(before, main) < contrast(before, alone), "{before:?} {main:?} {alone:?}");
    // In the view of objects, all of them are pale.
    let pale = row(&options.with_view(View::Objects));
    assert!(pale[1] != nothing && contrast(pale[1], nothing) * 2 < contrast(main, nothing), "{pale:?}");
}

#[test]
fn the_view_of_objects_marks_all_of_them() {
    let mut scene = Scene::default();
    let tile = image(&mut scene, [RED; 4]);
    let set = TileSet { name: "Level_Officer".into(), tiles: vec![tile], ..TileSet::default() };
    scene.tile_sets.push(set);
    let main = layer(&mut scene, [16, 16], 1, vec![Cell::EMPTY; 256], Vec::new());
    let entity = Entity { class: "Officer".into(), model: Some("LEVEL_OFFICER".into()), ..Entity::default() };
    let entity = scene.entities.push(entity);
    let transform = Transform::translation([8.0, -8.0, 0.0]);
    scene.add_node(Some(main), Node { transform, ..Node::new("", Content::Entity(entity)) });
    let options = plain().with_objects(Objects::Drawn);
    let (info, drawn) = rows(&scene, &options);
    assert_eq!((info.sprites, info.marks, drawn[7][7], drawn[5][8]), (1, 0, RED, BACKGROUND));
    let (info, drawn) = rows(&scene, &options.clone().with_view(View::Objects));
    assert_eq!((info.sprites, info.marks), (0, 1));
    assert!(drawn[7][7] != RED && drawn[5][8] != BACKGROUND);
    // Another program may draw the marks at positions that it queries.
    let options = options.with_objects(Objects::Sprites);
    let (info, drawn) = rows(&scene, &options);
    assert_eq!((info.sprites, info.marks, drawn[7][7]), (1, 0, RED));
    let (info, drawn) = rows(&scene, &options.clone().with_view(View::Objects));
    assert_eq!((info.sprites, info.marks, drawn[5][8]), (0, 0, drawn[0][0]));
    let part = options.with_area(Area::Rectangle { from: [4, 2], size: [8, 8] });
    assert_eq!(Drawing::new(&scene, &part).expect("an image").to_image([8.0, -8.0, 3.0]), [4.0, 6.0]);
}
