//! Tile layers with other layouts, changed images and images larger than cells, pixel by pixel.

use crate::support;

use mapwright_render::{Objects, Ratio, RenderOptions, Scale, View};
use mapwright_scene::{
    Attribute, Cell, CellLayout, Content, Domain, Entity, Image, ImageSource, Node, PixelFormat, Pixels, Scene,
    Stagger, Tile, TileLayer, TileSet, Transform, Value,
};
use support::{BACKGROUND, Rgb, rows};

fn plain() -> RenderOptions {
    RenderOptions::default()
        .with_scale(Scale::Exactly(Ratio::ONE))
        .with_background(BACKGROUND)
        .with_objects(Objects::Sprites)
}

/// A tile whose pixels are transparent (`.`) or of the colour of a letter.
fn tile(scene: &mut Scene, rows: &[&str]) -> Tile {
    let pixel = |letter: u8| if letter == b'.' { [0; 4] } else { [letter, 0, 0, 255] };
    let data: Vec<u8> = rows.iter().flat_map(|row| row.bytes().flat_map(pixel)).collect();
    let size = [rows[0].len(), rows.len()].map(|length| u32::try_from(length).unwrap());
    let pixels = Pixels { width: size[0], height: size[1], format: PixelFormat::Rgba8, data };
    let image = Image { name: String::new(), source: ImageSource::Pixels(pixels) };
    Tile { image: Some(scene.images.push(image)), ..Tile::default() }
}

/// A layer whose cells show the tiles of one set, by their index.
fn level(layer: TileLayer, tiles: &[&[&str]]) -> Scene {
    let mut scene = Scene::default();
    let tiles = tiles.iter().map(|rows| tile(&mut scene, rows)).collect();
    let tile_sets = vec![scene.tile_sets.push(TileSet { name: "SET".into(), tiles, ..TileSet::default() })];
    let layer = scene.tile_layers.push(TileLayer { tile_sets, ..layer });
    scene.add_node(None, Node::new("floor", Content::TileLayer(layer)));
    scene
}

/// The image as letters.
fn drawn(scene: &Scene, options: &RenderOptions) -> Vec<String> {
    let letter = |pixel: &Rgb| if *pixel == BACKGROUND { '.' } else { char::from(pixel[0]) };
    rows(scene, options).1.iter().map(|row| row.iter().map(letter).collect()).collect()
}

fn layer(size: [u32; 2], tile_size: [u32; 2], layout: CellLayout, cells: Vec<u32>) -> TileLayer {
    TileLayer { size, tile_size, layout, cells, ..TileLayer::default() }
}

const DIAMOND: [&str; 2] = [".aa.", ".aa."];
const OTHER: [&str; 2] = ["bbbb", "bbbb"];

#[test]
fn isometric_cells_are_diagonal_and_lower_ones_are_in_front() {
    let scene = level(layer([2, 2], [4, 2], CellLayout::Isometric, vec![0, 1, 0, 0]), &[&DIAMOND, &OTHER]);
    assert_eq!(drawn(&scene, &plain()), ["...aa...", ".aaabbbb", ".aaaabbb", "...aa..."]);
}

#[test]
fn every_second_row_or_column_of_staggered_cells_is_shifted() {
    let rows = Stagger { columns: false, even: false };
    let scene =
        level(layer([2, 2], [4, 2], CellLayout::Staggered(rows), vec![0, 0, 1, 1]), &[&OTHER, &["cccc", "cccc"]]);
    assert_eq!(drawn(&scene, &plain()), ["bbbbbbbb..", "bbcccccccc", "..cccccccc"]);
    let columns = Stagger { columns: true, even: true };
    let scene = level(layer([2, 1], [4, 2], CellLayout::Staggered(columns), vec![0, 1]), &[&OTHER, &["cccc", "cccc"]]);
    // The shifted column is drawn last.
    assert_eq!(drawn(&scene, &plain()), ["..cccc", "bbbbcc", "bbbb.."]);
}

#[test]
fn hexagons_ignore_an_odd_pixel() {
    let layout = CellLayout::Hexagonal { stagger: Stagger::default(), side: 2 };
    let tiles: [&[&str]; 2] = [&["bbbbb"; 4], &["ccccc"; 4]];
    let scene = level(layer([1, 2], [5, 5], layout, vec![0, 1]), &tiles);
    assert_eq!(drawn(&scene, &plain()), ["bbbbb.", "bbbbb.", "bbbbb.", "bbcccc", "..cccc", "..cccc", "..cccc"]);
}

#[test]
fn oblique_rows_and_columns_are_skewed() {
    let layout = CellLayout::Oblique { skew: [-1, 1] };
    let scene = level(layer([2, 2], [2, 2], layout, vec![0, 0, 0, 0]), &[&["bb", "bb"]]);
    assert_eq!(drawn(&scene, &plain()), [".bb...", ".bbbb.", "bb.bb.", "bbbb..", "..bb..", "......"]);
}

#[test]
fn large_images_begin_at_the_lower_left_and_the_order_of_the_map_counts() {
    let mut scene = level(
        layer([2, 1], [2, 2], CellLayout::Orthogonal, vec![0, 1]),
        &[&["bbb", "bbb", "bbb"], &["ccc", "ccc", "ccc"]],
    );
    assert_eq!(drawn(&scene, &plain()), ["bbcc", "bbcc"]);
    scene.properties.push("renderorder", "left-up");
    assert_eq!(drawn(&scene, &plain()), ["bbbc", "bbbc"]);
    // The images of a WWD are cut off at their cell.
    scene.properties.push("flags", 1);
    assert_eq!(drawn(&scene, &plain()), ["bbcc", "bbcc"]);
}

#[test]
fn tiles_are_shifted_by_their_set() {
    let mut scene = level(layer([2, 1], [2, 2], CellLayout::Orthogonal, vec![0, Cell::EMPTY]), &[&["bc", "de"]]);
    let (_, set) = scene.tile_sets.iter_mut().next().unwrap();
    set.properties.push("tileoffset", Value::List(vec![1.into(), Value::Int(-1)]));
    assert_eq!(drawn(&scene, &plain()), [".de.", "...."]);
}

#[test]
fn tiles_are_stretched_to_the_cell() {
    let mut scene = level(layer([1, 1], [4, 2], CellLayout::Orthogonal, vec![0]), &[&["bb", "bb"]]);
    assert_eq!(drawn(&scene, &plain()), ["bb..", "bb.."]);
    let (_, set) = scene.tile_sets.iter_mut().next().unwrap();
    set.properties.push("tilerendersize", "grid");
    assert_eq!(drawn(&scene, &plain()), ["bbbb", "bbbb"]);
    let (_, set) = scene.tile_sets.iter_mut().next().unwrap();
    set.properties.push("fillmode", "preserve-aspect-fit");
    assert_eq!(drawn(&scene, &plain()), [".bb.", ".bb."]);
}

/// A layer of one cell with flags.
fn flagged(layout: CellLayout, flags: f64, tile: &[&str]) -> Vec<String> {
    let size = [tile[0].len(), tile.len()].map(|length| u32::try_from(length).unwrap());
    let column = Attribute { name: "flips".into(), domain: Domain::Face, width: 1, values: vec![flags] };
    let layer = TileLayer { attributes: vec![column], ..layer([1, 1], size, layout, vec![0]) };
    drawn(&level(layer, &[tile]), &plain())
}

#[test]
fn cells_are_flipped_and_turned() {
    let tile = ["bc", "de"];
    let of = |flags: f64| flagged(CellLayout::Orthogonal, flags, &tile).concat();
    let found = [8.0, 4.0, 2.0, 10.0, 12.0, 14.0, 1.0].map(of);
    // Horizontally, vertically, along the diagonal, quarter turn, half turn, along the other diagonal; the last flag is for hexagons.
    assert_eq!(found, ["cbed", "debc", "bdce", "dbec", "edcb", "ecdb", "bcde"]);
    let hexagonal = CellLayout::Hexagonal { stagger: Stagger::default(), side: 2 };
    let tile = ["bbbb", "bbbb", "cccc", "cccc"];
    let half_turn = flagged(hexagonal, 3.0, &tile);
    assert_eq!(half_turn, ["cccc", "cccc", "bbbb", "bbbb"]);
}

#[test]
fn reduced_images_have_no_seams() {
    let cells = vec![0; 64];
    let scene = level(layer([8, 8], [6, 6], CellLayout::Oblique { skew: [0, 0] }, cells), &[&["bbbbbb"; 6]]);
    let options = plain().with_scale(Scale::Exactly("1/4".parse().unwrap()));
    assert!(drawn(&scene, &options).iter().all(|row| row == "bbbbbbbbbbbb"));
    // A part equals that of the complete image.
    let isometric = level(layer([4, 4], [4, 2], CellLayout::Isometric, vec![0; 16]), &[&OTHER]);
    let whole = drawn(&isometric, &plain());
    let area = mapwright_render::Area::Rectangle { from: [5, 3], size: [6, 4] };
    let part = drawn(&isometric, &plain().with_area(area));
    let expected: Vec<&str> = whole[3..7].iter().map(|row| &row[5..11]).collect();
    assert_eq!(part, expected);
}

#[test]
fn cells_without_an_image_have_the_shape_of_the_layout() {
    let scene = level(layer([1, 1], [8, 4], CellLayout::Isometric, vec![0]), &[&OTHER]);
    let found = rows(&scene, &plain().with_view(View::Numbers)).1;
    let filled: Vec<usize> = found.iter().map(|row| row.iter().filter(|pixel| **pixel != BACKGROUND).count()).collect();
    assert_eq!(filled, [2, 6, 6, 2]);
}

#[test]
fn objects_show_the_tile_that_they_state() {
    let mut scene = level(layer([4, 2], [2, 2], CellLayout::Orthogonal, vec![Cell::EMPTY; 8]), &[&["bc", "de"]]);
    let mut add = |position: [f64; 2], properties: &[(&str, Value)]| {
        let mut entity = Entity::default();
        for (name, value) in [("tile_set", Value::Int(0)), ("tile", Value::Int(0))].iter().chain(properties) {
            entity.properties.push(*name, value.clone());
        }
        let [x, y] = position;
        let content = Content::Entity(scene.entities.push(entity));
        scene.add_node(None, Node { transform: Transform::translation([x, -y, 0.0]), ..Node::new("", content) });
    };
    add([0.0, 0.0], &[("flips", Value::Int(8))]);
    add([2.0, 0.0], &[("width", Value::Float(4.0)), ("height", Value::Float(4.0)), ("rotation", Value::Float(0.0))]);
    // A quarter turn about the upper left corner.
    add([2.0, 2.0], &[("width", Value::Float(2.0)), ("height", Value::Float(2.0)), ("rotation", Value::Float(90.0))]);
    let found = drawn(&scene, &plain());
    let left: Vec<&str> = found.iter().map(|row| &row[..2]).collect();
    assert_eq!(left, ["cb", "ed", "db", "ec"]);
    assert!(found[0].starts_with("cbb") && found[3].ends_with("ee.."), "{found:#?}");
}
