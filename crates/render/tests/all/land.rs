//! Images of terrains, pixel by pixel.

use crate::support;

use mapwright_render::{Area, Drawing, Error, Filter, Layers, Objects, RenderOptions, Scale, View};
use mapwright_scene::{
    Content, Entity, Image, ImageSource, InstanceSet, InstanceTransforms, Material, Model, Node, PixelFormat, Pixels,
    Scene, Terrain, TextureSlot, TextureUsage, TileLayer, Transform,
};
use proptest::prelude::*;
use support::{BACKGROUND, Rgb, rows, terrain};

fn plain(view: View) -> RenderOptions {
    RenderOptions::default().with_view(view).with_background(BACKGROUND).with_objects(Objects::Hidden)
}

fn scaled(view: View, scale: &str) -> RenderOptions {
    plain(view).with_scale(Scale::Exactly(scale.parse().expect("a scale")))
}

fn add(scene: &mut Scene, terrain: Terrain, transform: Transform) {
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node { transform, ..Node::new("land", Content::Terrain(terrain)) });
}

fn scene(terrain: Terrain) -> Scene {
    let mut scene = Scene::default();
    add(&mut scene, terrain, Transform::IDENTITY);
    scene
}

fn is_sea([red, _, blue]: Rgb) -> bool {
    blue > red && [red, blue] != [BACKGROUND[0], BACKGROUND[2]]
}

#[test]
fn north_is_up_in_any_order_of_rows() {
    // Sea in the first two rows, land in the other two.
    let heights: Vec<f32> = [[-50.0; 3], [-50.0; 3], [50.0; 3], [50.0; 3]].concat();
    let (info, south) = rows(&scene(terrain([3, 4], heights.clone())), &scaled(View::Relief, "1"));
    assert_eq!((info.width, info.height, info.layers, info.size), (3, 4, 1, [3, 4]));
    assert!(is_sea(south[3][1]) && !is_sea(south[0][1]) && south[0][1] != BACKGROUND, "{south:?}");
    let north = Terrain { spacing: [10.0, 10.0], ..terrain([3, 4], heights.clone()) };
    let (_, north) = rows(&scene(north), &scaled(View::Relief, "1"));
    assert!(is_sea(north[0][1]) && !is_sea(north[3][1]), "{north:?}");
    // A quarter turn about Y moves north, where the land is, to the west.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turn = Transform::Trs { translation: [7e3, 1.0, -9e3], rotation: [0.0, half, 0.0, half], scale: [1.0; 3] };
    let mut turned = Scene::default();
    add(&mut turned, terrain([3, 4], heights), turn);
    let (info, turned) = rows(&turned, &scaled(View::Relief, "1"));
    assert_eq!((info.width, info.height), (4, 3));
    assert!(is_sea(turned[1][3]) && !is_sea(turned[1][0]), "{turned:?}");
}

#[test]
fn small_terrain_is_enlarged_on_request() {
    let scene = scene(terrain([3, 4], vec![1.0; 12]));
    let size = |scale| {
        let info = rows(&scene, &plain(View::Relief).with_scale(scale)).0;
        (info.width, info.height, info.scale.to_string())
    };
    assert_eq!(size(Scale::Fit(21)), (3, 4, "1".to_owned()));
    assert_eq!(size(Scale::Fill(21)), (15, 20, "5".to_owned()));
    assert_eq!(size(Scale::Fill(3)), size(Scale::Fit(3)));
}

#[test]
fn light_comes_from_the_north_west() {
    // A cone.
    let height = |place: i32| {
        let (x, y) = (place % 21 - 10, place / 21 - 10);
        100.0 - f64::from(x * x + y * y).sqrt() * 5.0
    };
    #[allow(clippy::cast_possible_truncation)]
    let heights = (0..441).map(|place| height(place) as f32).collect();
    let cone = Terrain { sea_level: None, ..terrain([21, 21], heights) };
    let luma = |[red, green, blue]: Rgb| u32::from(red) + u32::from(green) + u32::from(blue);
    for scale in ["1", "4", "1/2"] {
        let (_, rows) = rows(&scene(cone.clone()), &scaled(View::Relief, scale));
        let at = |share: usize| rows[rows.len() * share / 20][rows.len() * share / 20];
        assert!(luma(at(7)) > luma(at(13)) + 60, "{scale}: {:?} {:?}", at(7), at(13));
    }
}

#[test]
fn areas_without_heights_are_background() {
    let mut heights = vec![5.0; 36];
    for place in [14, 15, 20, 21] {
        heights[place] = f32::NAN;
    }
    (heights[0], heights[35]) = (f32::INFINITY, f32::NEG_INFINITY);
    let (_, drawn) = rows(&scene(terrain([6, 6], heights)), &scaled(View::Relief, "1"));
    // Only pixels without any of the four heights; the first row of the field is at the bottom.
    let holes = drawn.iter().flatten().filter(|&&color| color == BACKGROUND).count();
    assert_eq!(
        (holes, drawn[3][2]),
        (2, BACKGROUND),
        "a quad in the middle, and the corner that is one vertex: {drawn:?}"
    );
    // Fewer heights than there are vertices.
    let (_, short) = rows(&scene(terrain([6, 6], vec![5.0; 9])), &scaled(View::Relief, "1"));
    assert!(short.len() == 2 && short[0][2] != BACKGROUND && short[0][3..] == [BACKGROUND; 3], "{short:?}");
    let (_, none) = rows(&scene(terrain([2, 2], vec![f32::NAN; 4])), &scaled(View::Level, "1"));
    assert_eq!(none, [[BACKGROUND; 2]; 2]);
}

#[test]
fn small_and_broken_terrains_are_drawn_or_rejected() {
    let (info, one) = rows(&scene(terrain([1, 1], vec![3.0])), &plain(View::Level));
    assert!((info.width, info.height) == (1, 1) && one[0][0] != BACKGROUND);
    let refused = |terrain: Terrain| matches!(Drawing::new(&scene(terrain), &plain(View::Level)), Err(Error::Nothing));
    assert!(refused(terrain([0, 0], Vec::new())));
    assert!(refused(terrain([5, 0], Vec::new())));
    for step in [0.0, f64::NAN, f64::INFINITY] {
        assert!(refused(Terrain { spacing: [10.0, step], ..terrain([1, 1], vec![1.0]) }), "{step}");
    }
    // The declared size is wrong, but there is one height.
    let (info, one) = rows(&scene(terrain([u32::MAX; 2], vec![1.0])), &plain(View::Level));
    assert!((info.width, info.height) == (1, 1) && one[0][0] != BACKGROUND);
    assert!(refused(terrain([u32::MAX; 2], Vec::new())));
}

#[test]
fn several_terrains_are_drawn_over_each_other() {
    let mut scene = scene(terrain([4, 4], vec![10.0; 16]));
    // With half the step, from the middle to the north-east and beyond.
    let fine = Terrain { name: "fine".into(), spacing: [5.0, -5.0], ..terrain([8, 8], vec![-10.0; 64]) };
    add(&mut scene, fine, Transform::translation([20.0, 0.0, -20.0]));
    let (info, drawn) = rows(&scene, &scaled(View::Relief, "1"));
    assert_eq!((info.width, info.height, info.layers), (6, 6, 2));
    assert!(drawn[0][0] == BACKGROUND && drawn[5][5] == BACKGROUND);
    assert!(is_sea(drawn[0][5]) && is_sea(drawn[3][2]) && !is_sea(drawn[5][0]) && !is_sea(drawn[2][0]), "{drawn:?}");
    let (info, _) = rows(&scene, &scaled(View::Relief, "1").with_layers(Layers::Named("fine".into())));
    assert_eq!((info.width, info.layers), (8, 1));
    let error = Drawing::new(&scene, &plain(View::Relief).with_layers(Layers::At(2))).expect_err("no such terrain");
    assert!(error.to_string().contains("\"fine\""), "{error}");
}

/// 8 × 8 heights under 2 × 2 texture cells, the last of which has no material.
fn patched() -> Scene {
    let mut scene = Scene::default();
    let material = scene.materials.push(Material::new("grass"));
    let patches = Terrain {
        cell_size: [2, 2],
        cells: vec![1, 2, 1, 0],
        materials: vec![None, Some(material), Some(material)],
        ..terrain([8, 8], vec![10.0; 64])
    };
    add(&mut scene, patches, Transform::IDENTITY);
    scene
}

#[test]
fn a_texture_cell_has_the_colour_of_its_number() {
    let scene = patched();
    let (_, cells) = rows(&scene, &scaled(View::Numbers, "1"));
    // South is below.
    let [one, two, again, zero] = [cells[7][0], cells[7][7], cells[0][0], cells[0][7]];
    assert!(one == again && one != two && two != zero && zero != one && zero != BACKGROUND, "{cells:?}");
    assert_eq!((cells[4][3], cells[4][4], cells[3][3], cells[3][4]), (one, two, again, zero));
    for (scale, width) in [("4", 32), ("1/2", 4), ("1/4", 2)] {
        let (info, scaled) = rows(&scene, &scaled(View::Numbers, scale));
        assert_eq!((info.width, scaled[0][0]), (width, one), "{scale}");
    }
    // The mean of four cells equals none of them, the nearest equals one.
    let (_, mean) = rows(&scene, &scaled(View::Numbers, "1/8"));
    let (_, nearest) = rows(&scene, &scaled(View::Numbers, "1/8").with_filter(Filter::Nearest));
    assert!(![one, two, zero].contains(&mean[0][0]) && [one, two, zero].contains(&nearest[0][0]));
    // The level is tinted with their colours, except for a cell without a material.
    let (_, level) = rows(&scene, &scaled(View::Level, "1"));
    let (_, relief) = rows(&scene, &scaled(View::Relief, "1"));
    assert!(level[7][0] != relief[7][0] && level[0][7] == relief[0][7]);
}

#[test]
fn texture_cells_show_their_image() {
    let mut scene = patched();
    let data = vec![200, 0, 0, 0, 200, 0, 0, 0, 200, 200, 200, 200];
    let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgb8, data };
    let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
    let (first, _) = scene.materials.iter().next().unwrap();
    scene.materials.get_mut(first).unwrap().textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
    let (_, level) = rows(&scene, &scaled(View::Level, "1"));
    let (_, relief) = rows(&scene, &scaled(View::Relief, "1"));
    // The image fills the cell of 4 × 4 steps. Its top left is at the first column and row, which is the southern one, as in meshes.
    let strongest = |[red, green, blue]: [u8; 3]| {
        [red > green && red > blue, green > red && green > blue, blue > red && blue > green]
    };
    for (row, column, expected) in
        [(0, 0, [false, false, true]), (1, 3, [false; 3]), (3, 1, [true, false, false]), (2, 2, [false, true, false])]
    {
        assert_eq!(strongest(level[row][column]), expected, "{row} {column}");
    }
    assert_eq!(level[0][7], relief[0][7], "a cell without a material");
    // Seen from afar, a cell has the mean colour of its image.
    let (_, far) = rows(&scene, &scaled(View::Level, "1/4"));
    let [red, green, blue] = far[0][0];
    assert!(red == green && green == blue, "{far:?}");
    // Solids show the same images.
    let solid = |scene: &Scene| rows(scene, &plain(View::Solid)).1;
    let colors = solid(&scene).concat();
    assert!(colors.iter().any(|color| strongest(*color)[0]) && colors.iter().any(|color| strongest(*color)[2]));
}

#[test]
fn a_part_equals_that_of_the_complete_image() {
    let scene = patched();
    let (_, whole) = rows(&scene, &scaled(View::Level, "1"));
    let part = scaled(View::Level, "1").with_area(Area::Rectangle { from: [-1, 2], size: [4, 8] });
    let (info, part) = rows(&scene, &part);
    assert_eq!((info.from, info.size), ([-1, 2], [4, 8]));
    assert_eq!((part[0][0], &part[0][1..], part[6].as_slice()), (BACKGROUND, &whole[2][..3], &[BACKGROUND; 4][..]));
    assert!(matches!(
        Drawing::new(&scene, &plain(View::Level).with_area(Area::AroundStart([2, 2]))),
        Err(Error::NoStart)
    ));
}

#[test]
fn views_without_content_are_rejected() {
    let refused = |scene: &Scene, view| match Drawing::new(scene, &plain(view)) {
        Err(error @ Error::NoView { .. }) => error.help().is_some() && !error.to_string().is_empty(),
        _ => false,
    };
    let mut scene = patched();
    assert!(refused(&scene, View::Collision));
    let mut tiles = Scene::default();
    let layer = TileLayer { size: [1, 1], cells: vec![1], ..TileLayer::default() };
    for scene in [&mut tiles, &mut scene] {
        let layer = scene.tile_layers.push(layer.clone());
        scene.add_node(None, Node::new("tiles", Content::TileLayer(layer)));
    }
    assert!(refused(&tiles, View::Relief));
    // A scene with both.
    assert_eq!(rows(&scene, &plain(View::Relief)).0.width, 8);
    assert_eq!(rows(&scene, &plain(View::Collision)).0.width, 1);
}

#[test]
fn instances_and_objects_are_marked() {
    let mut scene = scene(terrain([64, 64], vec![10.0; 4096]));
    let at = |x: f64, z: f64| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [x, 32768.0, z]];
    // Rows begin in the south: 64 steps of 10 to the north.
    let set = InstanceSet {
        models: vec![Model::Reference("data\\smrk_1.p3d".into()), Model::Reference("data\\house.p3d".into())],
        model: vec![0, 1, 0, 0, 0, 7],
        transforms: InstanceTransforms::Affine(vec![
            at(105.0, -105.0),
            at(325.0, -325.0),
            at(1e9, -100.0),
            at(f64::NAN, -100.0),
            at(-500.0, f64::INFINITY),
            at(325.0, -105.0),
        ]),
        on_ground: vec![true, false],
        ..InstanceSet::default()
    };
    let set = scene.instance_sets.push(set);
    scene.add_node(None, Node::new("trees", Content::InstanceSet(set)));
    let entity = scene.entities.push(Entity { class: "car".into(), ..Entity::default() });
    let transform = Transform::translation([105.0, 5.0, -325.0]);
    scene.add_node(None, Node { transform, ..Node::new("car", Content::Entity(entity)) });
    let options = scaled(View::Relief, "1");
    let (_, bare) = rows(&scene, &options);
    let (info, drawn) = rows(&scene, &options.with_objects(Objects::Drawn));
    assert_eq!((info.marks, info.sprites), (4, 0));
    let marked = |x: usize, y: usize| drawn[y][x] != bare[y][x];
    assert!(marked(10, 53) && marked(32, 31) && marked(32, 53) && marked(10, 31) && !marked(20, 40), "north is up");
    assert!(drawn[53][10] != drawn[31][32], "models have colours of their own");
    let (_, dim) = rows(&scene, &scaled(View::Objects, "1"));
    assert!(dim[5][5].iter().zip(bare[5][5]).all(|(dim, bare)| *dim < bare), "{dim:?}");
    // A screen around the start.
    let transform = Transform::translation([105.0, 0.0, -105.0]);
    scene.add_node(None, Node { transform, ..Node::new("start", Content::Marker) });
    let (info, _) = rows(&scene, &scaled(View::Objects, "1").with_area(Area::AroundStart([16, 8])));
    assert_eq!((info.from, info.size), ([2, 49], [16, 8]));
    let around = |size| scaled(View::Level, "2").with_area(Area::AroundStart(size)).with_objects(Objects::Sprites);
    let drawing = Drawing::new(&scene, &around([16, 8])).expect("an image");
    assert_eq!((drawing.info().marks, drawing.to_image([105.0, 7.0, -105.0])), (0, [17.0, 9.0]));
}

#[test]
fn dense_instances_give_a_stronger_colour() {
    let mut scene = scene(terrain([64, 64], vec![10.0; 4096]));
    // One in each pixel of a square, a hundred in each of another.
    let mut maps = Vec::new();
    for (left, count) in [(4, 1), (36, 100)] {
        for place in 0..24 * 24 {
            let (x, y) = (f64::from(left + place % 24) * 10.0 + 5.0, f64::from(20 + place / 24) * 10.0 + 5.0);
            maps.resize(maps.len() + count, [[0.0; 3], [0.0; 3], [0.0; 3], [x, 0.0, -y]]);
        }
    }
    let model = vec![0; maps.len()];
    let models = vec![Model::Reference("tree".into())];
    let set = InstanceSet { models, model, transforms: InstanceTransforms::Affine(maps), ..InstanceSet::default() };
    let set = scene.instance_sets.push(set);
    scene.add_node(None, Node::new("trees", Content::InstanceSet(set)));
    let options = scaled(View::Objects, "1");
    let (_, bare) = rows(&scene, &options);
    let (_, drawn) = rows(&scene, &options.with_objects(Objects::Drawn));
    let change = |x: usize| -> u32 {
        let pair = drawn[32][x].iter().zip(bare[32][x]);
        pair.map(|(one, other)| u32::from(one.abs_diff(other))).sum()
    };
    assert!(change(16) > 0 && change(48) > change(16), "{} {}", change(16), change(48));
}

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![(-9..9).prop_map(f64::from), any::<f64>(), -1e3..1e3]
}

proptest! {
    /// Any numbers give an image or an error, quickly.
    #[test]
    fn any_terrain_is_drawn_or_rejected(
        size in [0..6_u32, 0..6_u32],
        steps in [numbers(), numbers()],
        heights in prop::collection::vec(any::<f32>(), 0..30),
        cell_size in [0..4_u32, 0..4_u32],
        sea_level in prop::option::of(numbers()),
        axes in prop::array::uniform12(numbers()),
        instances in prop::collection::vec(prop::array::uniform3(numbers()), 0..4),
        scale in prop_oneof![Just("1"), Just("7/3"), Just("1/1000")],
        view in prop_oneof![Just(View::Level), Just(View::Numbers), Just(View::Objects)],
    ) {
        let [a, b, c, d, e, f, g, h, i, x, y, z] = axes;
        let other = Transform::Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]]);
        let any = Terrain { spacing: steps, cell_size, cells: vec![1; 5], sea_level, ..terrain(size, heights) };
        let mut scene = scene(any.clone());
        add(&mut scene, any, other);
        let maps = instances.into_iter().map(|place| [[1.0; 3], [0.0; 3], [1.0; 3], place]).collect();
        let set = InstanceSet { transforms: InstanceTransforms::Affine(maps), ..InstanceSet::default() };
        let set = scene.instance_sets.push(set);
        scene.add_node(None, Node::new("", Content::InstanceSet(set)));
        let options = scaled(view, scale).with_objects(Objects::Drawn).with_max_size(40);
        for options in [options.clone(), options.with_scale(Scale::Fit(20))] {
            if let Ok(mut drawing) = Drawing::new(&scene, &options) {
                while drawing.next_row().is_some() {}
            }
        }
    }
}
