//! Images of solids.

use crate::support;

use mapwright_render::{Area, Drawing, Error, Objects, Orbit, Ratio, RenderOptions, Scale, Sides, View};
use mapwright_scene::{
    AlphaMode, Brush, BrushSide, ClassicMaterial, Content, Diagonal, Entity, FaceFlags, Image, ImageSource,
    InstanceSet, InstanceTransforms, Light, LightKind, Material, MaterialId, Mesh, MeshId, Model, Node, NodeId,
    PixelFormat, Pixels, Prefab, Properties, Scene, Smoothing, Terrain, TextureProjection, TextureSlot, TextureUsage,
    TileLayer, Transform, UvSet,
};
use proptest::prelude::*;
use support::{BACKGROUND, Rgb, rows, terrain};

fn plain() -> RenderOptions {
    RenderOptions::default().with_background(BACKGROUND).with_objects(Objects::Hidden).with_scale(Scale::Fit(170))
}

fn from(azimuth: f64, elevation: f64) -> RenderOptions {
    plain().with_orbit(Orbit::new(azimuth, elevation).expect("angles"))
}

/// The pixel at percentages to the right and down.
fn at(rows: &[Vec<Rgb>], right: usize, down: usize) -> Rgb {
    let row = &rows[rows.len() * down / 100];
    row[row.len() * right / 100]
}

/// The name of a colour, for any brightness.
fn hue([red, green, blue]: Rgb) -> &'static str {
    match (red > green, green > blue, blue > red) {
        (true, _, false) => "red",
        (false, true, _) => "green",
        (_, false, true) => "blue",
        _ => "grey",
    }
}

fn material(scene: &mut Scene, [red, green, blue]: [f64; 3]) -> MaterialId {
    let classic = ClassicMaterial { ambient: [0.0; 4], specular: [0.0; 4], shininess: 0.0 };
    scene.materials.push(Material {
        base_color: [red, green, blue, 1.0],
        classic: Some(classic),
        ..Material::new("paint")
    })
}

/// Bottom, north, east, top, west, south.
const SIDES: [[u32; 4]; 6] = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [2, 6, 7, 3], [4, 6, 2, 0], [5, 7, 6, 4]];

/// A cube of two units around the origin, with a material for each side.
fn cube(materials: [Option<MaterialId>; 6]) -> Mesh {
    let corner = |place: u32| [place & 1, place >> 1 & 1, place >> 2].map(|bit| f64::from(bit) * 2.0 - 1.0);
    let positions = (0..8).map(corner).collect();
    let smoothing = Smoothing::Flat;
    Mesh {
        positions,
        faces: SIDES.into_iter().collect(),
        face_materials: materials.to_vec(),
        smoothing,
        ..Mesh::default()
    }
}

fn add(scene: &mut Scene, mesh: Mesh, transform: Transform) -> MeshId {
    let mesh = scene.meshes.push(mesh);
    scene.add_node(None, Node { transform, ..Node::new("mesh", Content::Mesh(mesh)) });
    mesh
}

/// Adds an entity at a position.
fn add_entity(scene: &mut Scene, class: &str, place: [f64; 3]) -> NodeId {
    let entity = scene.entities.push(Entity { class: class.to_owned(), ..Entity::default() });
    let transform = Transform::translation(place);
    scene.add_node(None, Node { transform, ..Node::new("", Content::Entity(entity)) })
}

fn scene(mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    add(&mut scene, mesh, Transform::IDENTITY);
    scene
}

#[test]
fn three_sides_of_a_cube_have_three_shades() {
    let (info, rows) = rows(&scene(cube([None; 6])), &plain());
    // Projected, it is 2√2 wide and 2√6·2/3 high, with a margin of 1/32 all around.
    assert_eq!((info.width, info.height, info.bodies, info.left_out), (149, 170, 1, 0));
    let pixel = info.units_per_pixel.expect("units in a pixel");
    assert!((pixel * 160.0 - 4.0 * (2.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{pixel}");
    let [top, south, east] = [at(&rows, 50, 28), at(&rows, 30, 62), at(&rows, 70, 62)];
    assert!(top[0] > south[0] + 25 && south[0] > east[0] + 25, "{top:?} {south:?} {east:?}");
    for (right, down, color) in [(20, 40, south), (20, 75, south), (45, 90, south), (80, 40, east), (55, 58, east)] {
        assert_eq!(at(&rows, right, down), color, "{right} {down}");
    }
    assert_eq!([at(&rows, 50, 10), at(&rows, 50, 45), at(&rows, 80, 24)], [top; 3]);
    for (right, down) in [(0, 0), (99, 0), (0, 99), (99, 99), (50, 1), (50, 98), (2, 50), (97, 50), (15, 10)] {
        assert_eq!(at(&rows, right, down), BACKGROUND, "{right} {down}");
    }
    // The edge between the top and a side is darker than both.
    assert!(rows[56..72].iter().any(|row| row[37][0] < south[0] - 5));
}

#[test]
fn textures_follow_their_coordinates_and_opacity() {
    // Red at the upper left, green beside it; blue below, and a clear pixel.
    let data = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 0]].concat();
    let shown = |alpha: AlphaMode| {
        let mut scene = Scene::default();
        let pixels = Pixels { width: 2, height: 2, format: PixelFormat::Rgba8, data: data.clone() };
        let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
        let textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
        let material = scene.materials.push(Material { textures, alpha, ..Material::new("tiles") });
        // The upper left corner of the texture is at the north-west.
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(Some).to_vec();
        let mesh = Mesh {
            positions: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, 0.0]],
            faces: [[0, 1, 2, 3]].into_iter().collect(),
            face_materials: vec![Some(material)],
            uv_sets: vec![UvSet { corners: corners.into_iter().collect(), ..UvSet::default() }],
            ..Mesh::default()
        };
        add(&mut scene, mesh, Transform::IDENTITY);
        let (_, rows) = rows(&scene, &from(180.0, 90.0));
        [(30, 30), (70, 30), (30, 70), (70, 70)].map(|(right, down)| at(&rows, right, down))
    };
    assert_eq!(shown(AlphaMode::Opaque).map(hue), ["red", "green", "blue", "grey"]);
    // Textures that cannot be decoded are counted, each once.
    let mut scene = Scene::default();
    for source in [
        ImageSource::External { path: "gone.png".into() },
        ImageSource::Encoded { media_type: "image/png".into(), data: b"\x89PNG".to_vec() },
    ] {
        let image = scene.images.push(Image { name: String::new(), source });
        for _ in 0..2 {
            let textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
            scene.materials.push(Material { textures, ..Material::new("paint") });
        }
    }
    add(&mut scene, cube([None; 6]), Transform::IDENTITY);
    assert_eq!(rows(&scene, &plain()).0.missing_textures, 2);
    for alpha in [AlphaMode::Mask(0.5), AlphaMode::Blend] {
        let [red, green, blue, clear] = shown(alpha);
        assert_eq!(([red, green, blue].map(hue), clear), (["red", "green", "blue"], BACKGROUND), "{alpha:?}");
    }
}

#[test]
fn hidden_nodes_and_tool_materials_are_drawn_on_request() {
    let mut scene = Scene::default();
    let clip = scene.materials.push(Material { is_tool: true, ..Material::new("clip") });
    let sides = [None, Some(clip), Some(clip), None, None, None];
    add(&mut scene, cube(sides), Transform::IDENTITY);
    let hidden = scene.meshes.push(cube([None; 6]));
    let transform = Transform::translation([9.0, 0.0, 0.0]);
    scene.add_node(None, Node { transform, visible: false, ..Node::new("", Content::Mesh(hidden)) });
    let drawn = |options: RenderOptions| {
        let (info, _) = rows(&scene, &options.with_sides(Sides::Both));
        (info.bodies, info.tool_faces)
    };
    assert_eq!(drawn(plain()), (1, 2));
    assert_eq!(drawn(plain().with_tools(true)), (1, 0));
    assert_eq!(drawn(plain().with_hidden(true)), (2, 2));
    let mut tools = Scene::default();
    let clip = tools.materials.push(Material { is_tool: true, ..Material::new("clip") });
    add(&mut tools, cube([Some(clip); 6]), Transform::IDENTITY);
    assert!(matches!(Drawing::new(&tools, &plain()), Err(Error::Nothing)));
    assert!(Drawing::new(&tools, &plain().with_tools(true)).is_ok());
}

#[test]
fn entities_with_a_missing_model_are_boxes() {
    let mut scene = Scene { metres_per_unit: Some(0.5), ..Scene::default() };
    let entity = Entity { class: "prop".into(), model: Some("models/crate.mdl".into()), ..Entity::default() };
    let entity = scene.entities.push(entity);
    scene.add_node(None, Node::new("", Content::Entity(entity)));
    let (info, rows) = rows(&scene, &from(180.0, 0.0));
    // Two metres are four units.
    assert_eq!((info.boxes, info.bodies, info.size), (1, 0, [5, 5]));
    assert_ne!(at(&rows, 50, 50), BACKGROUND);
    // A box is no wall of a room: neither of another object nor of its own.
    assert_eq!(info.cutaway_faces, 0);
}

#[test]
fn smooth_edges_are_not_visible() {
    let shades = |smoothing: Smoothing| {
        let (_, rows) = rows(&scene(Mesh { smoothing, ..cube([None; 6]) }), &plain());
        // Along the row of the south and the east side, beside the edge between them.
        [at(&rows, 46, 62), at(&rows, 54, 62)].map(|[red, ..]| i32::from(red))
    };
    let ([hard, beside], [soft, next]) = (shades(Smoothing::Flat), shades(Smoothing::Smooth));
    assert!(hard - beside > 25 && (soft - next).abs() < 12, "{hard} {beside}, {soft} {next}");
}

#[test]
fn turning_shows_the_other_sides() {
    let mut scene = Scene::default();
    let colors = [[1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0], [0.5; 3]];
    let [red, green, blue, gray] = colors.map(|color| Some(material(&mut scene, color)));
    // North red, east green, south blue, west red.
    add(&mut scene, cube([gray, red, green, gray, red, blue]), Transform::IDENTITY);
    let sides = |azimuth: f64, elevation: f64| {
        let (_, rows) = rows(&scene, &from(azimuth, elevation));
        [at(&rows, 30, 62), at(&rows, 70, 62), at(&rows, 50, 28)].map(hue)
    };
    assert_eq!(sides(135.0, 35.0), ["blue", "green", "grey"]);
    assert_eq!(sides(225.0, 35.0), ["red", "blue", "grey"]);
    assert_eq!(sides(315.0, 35.0), ["red", "red", "grey"]);
    assert_eq!(sides(45.0, 35.0), ["green", "red", "grey"]);
    assert_eq!(sides(405.0, 35.0), sides(45.0, 35.0));
    // From the side only one face is visible; from above the top, from below the bottom.
    for (azimuth, elevation, hue) in
        [(180.0, 0.0, "blue"), (90.0, 0.0, "green"), (180.0, 90.0, "grey"), (10.0, -90.0, "grey")]
    {
        assert_eq!(sides(azimuth, elevation), [hue; 3], "{azimuth} {elevation}");
    }
    let (info, _) = rows(&scene, &from(180.0, 90.0));
    assert_eq!((info.width, info.height), (170, 170));
}

#[test]
fn rooms_are_open_if_only_fronts_are_visible() {
    let fronts = plain().with_sides(Sides::Front);
    let outside = scene(cube([None; 6]));
    assert_eq!(rows(&outside, &fronts), rows(&outside, &plain()));
    // A mirrored body still shows its outside.
    let rotation = [0.0, 0.0, 0.0, 1.0];
    let mut mirrored = Scene::default();
    let mirror = Transform::Trs { translation: [0.0; 3], rotation, scale: [-1.0, 1.0, 1.0] };
    add(&mut mirrored, cube([None; 6]), mirror);
    assert_eq!(rows(&mirrored, &fronts), rows(&outside, &fronts));
    // Walls that face inwards: the floor is visible instead of the top.
    let mut room = cube([None; 6]);
    room.reverse_winding();
    let room = scene(room);
    assert_eq!(rows(&room, &plain()), rows(&outside, &plain()));
    let (info, inside) = rows(&room, &fronts);
    let (_, outside) = rows(&outside, &fronts);
    assert_eq!((info.width, info.height), (149, 170));
    let [floor, top] = [at(&inside, 50, 72), at(&outside, 50, 28)];
    assert_eq!((floor, at(&inside, 50, 95)), (top, top));
    assert_ne!(at(&inside, 50, 28), top);
}

#[test]
fn closed_rooms_are_opened() {
    let mut scene = Scene::default();
    let [floor, top] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(|color| Some(material(&mut scene, color)));
    let mut room = cube([floor, None, None, top, None, None]);
    room.reverse_winding();
    add(&mut scene, room, Transform::IDENTITY);
    let seen = |scene: &Scene, sides: Sides| {
        let (info, rows) = rows(scene, &from(180.0, 90.0).with_sides(sides));
        (info.cutaway_faces, hue(at(&rows, 50, 50)))
    };
    // Nothing locates the interior: objects without a position do not count.
    add_entity(&mut scene, "worldspawn", [0.0; 3]);
    // Nor do entities made of bodies.
    let door = add_entity(&mut scene, "func_door", [0.0; 3]);
    let leaf = scene.meshes.push(Mesh::default());
    scene.add_node(Some(door), Node::new("", Content::Mesh(leaf)));
    for kind in [LightKind::Ambient, LightKind::Directional] {
        let light = scene.lights.push(Light { kind, ..Light::default() });
        scene.add_node(None, Node::new("", Content::Light(light)));
    }
    assert_eq!(seen(&scene, Sides::Open), (0, "red"));
    for x in [-0.5, 0.0, 0.5] {
        add_entity(&mut scene, "lamp", [x, 0.0, 0.0]);
        assert_eq!(seen(&scene, Sides::Open), (1, "blue"));
    }
    // On the floor.
    add_entity(&mut scene, "lamp", [0.0, -1.0, 0.5]);
    assert_eq!((seen(&scene, Sides::Open), seen(&scene, Sides::Both)), ((1, "blue"), (0, "red")));
    // Objects on a house are in front of its roof.
    for x in [-0.5, 0.5] {
        add_entity(&mut scene, "lamp", [x, 1.0, 0.0]);
    }
    assert_eq!(seen(&scene, Sides::Open), (0, "red"));
}

#[test]
fn terrain_is_not_removed() {
    let above = from(180.0, 90.0).with_view(View::Solid);
    let opened = |scene: &Scene| rows(scene, &above).0.cutaway_faces;
    let put_into = |scene: &mut Scene| [-0.5, -0.2, 0.2, 0.5].map(|x| add_entity(scene, "lamp", [x, 0.5, 0.0]));
    // A block, and a single floor: objects inside stand on nothing.
    let mut block = scene(cube([None; 6]));
    put_into(&mut block);
    assert_eq!(opened(&block), 0);
    let top = Mesh { faces: [SIDES[3]].into_iter().collect(), ..cube([None; 6]) };
    let mut floor = scene(top.clone());
    put_into(&mut floor);
    assert_eq!(opened(&floor), 0);
    // With another floor below, it is a ceiling. Terrain is none, but may be that floor.
    add(&mut floor, top.clone(), Transform::translation([0.0, -1.0, 0.0]));
    assert_eq!(opened(&floor), 1);
    let mut land = scene(top);
    put_into(&mut land);
    for height in [-2.0, 4.0] {
        let id = land.terrains.push(terrain([9; 2], vec![0.0; 81]));
        let transform = Transform::translation([-40.0, height, 40.0]);
        land.add_node(None, Node { transform, ..Node::new("", Content::Terrain(id)) });
        assert_eq!(opened(&land), 1);
    }
}

#[test]
fn hidden_nodes_are_not_drawn_and_instances_are() {
    let far = Transform::translation([50.0, 0.0, 0.0]);
    let width = |scene: &Scene| rows(scene, &from(180.0, 0.0)).0;
    let mut scene = scene(cube([None; 6]));
    let mesh = scene.meshes.push(cube([None; 6]));
    let group = scene.add_node(None, Node { visible: false, ..Node::new("", Content::Group) });
    scene.add_node(Some(group), Node { transform: far, ..Node::new("", Content::Mesh(mesh)) });
    assert_eq!((width(&scene).size, width(&scene).bodies), ([3, 3], 1));

    // The node itself and its visible children are copied.
    let first = scene.roots[0];
    let hidden = Node { visible: false, transform: far, ..Node::new("", Content::Mesh(mesh)) };
    scene.add_node(Some(first), hidden);
    scene.add_node(None, Node { transform: far, ..Node::new("", Content::Instance(first)) });
    assert_eq!((width(&scene).size, width(&scene).bodies), ([56, 6], 2));

    let model = vec![0, 0, 9, 1];
    let translations = [60.0, 110.0, 900.0, 900.0].map(|x| [x, 0.0, 0.0]).to_vec();
    let transforms =
        InstanceTransforms::Trs { translations, rotations: vec![[0.0, 0.0, 0.0, 1.0]; 4], scales: vec![[1.0; 3]; 4] };
    let models = vec![Model::Mesh(mesh), Model::Reference("tree.p3d".into())];
    let set = scene.instance_sets.push(InstanceSet { models, model, transforms, ..InstanceSet::default() });
    scene.add_node(None, Node::new("", Content::InstanceSet(set)));
    assert_eq!((width(&scene).size[0], width(&scene).bodies), (119, 4));
}

#[test]
fn recursive_instances_end() {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(cube([None; 6]));
    let group = scene.add_node(None, Node::new("", Content::Mesh(mesh)));
    for _ in 0..100 {
        scene.add_node(Some(group), Node::new("", Content::Instance(group)));
    }
    let (info, _) = rows(&scene, &plain().with_scale(Scale::Fit(8)));
    assert!(info.left_out > 0 && info.bodies > 100, "{info:?}");
}

#[test]
fn brushes_are_drawn_by_their_planes() {
    let side = |plane: [[f64; 3]; 3]| BrushSide {
        plane,
        corners: Vec::new(),
        projection: TextureProjection::on_base_axes([0.0, 1.0, 0.0]),
        material: None,
        properties: Properties::new(),
    };
    let positions = cube([None; 6]).positions;
    let plane = |ring: [u32; 4]| [ring[0], ring[1], ring[2]].map(|vertex| positions[vertex as usize]);
    let brush = Brush { sides: SIDES.into_iter().map(|ring| side(plane(ring))).collect(), ..Brush::default() };
    let mut brushes = Scene::default();
    let open = brushes.brushes.push(Brush { sides: brush.sides[..4].to_vec(), ..Brush::default() });
    let brush = brushes.brushes.push(brush);
    brushes.add_node(None, Node::new("", Content::Brush(brush)));
    brushes.add_node(None, Node::new("", Content::Brush(open)));
    let (info, drawn) = rows(&brushes, &plain());
    assert_eq!((info.bodies, info.left_out), (1, 1));
    assert_eq!(drawn, rows(&scene(cube([None; 6])), &plain()).1);
}

#[test]
fn invalid_corners_remove_only_their_face() {
    let mut mesh = cube([None; 6]);
    mesh.positions.extend([[f64::NAN; 3], [f64::INFINITY, 0.0, 0.0], [0.0, -1e200, 0.0]]);
    for face in [[0, 1, 8], [0, 1, 9], [0, 1, 10], [0, 1, 77]] {
        mesh.faces.push(&face);
    }
    mesh.faces.push(&[0, 1]);
    assert_eq!(rows(&scene(mesh.clone()), &plain()), rows(&scene(cube([None; 6])), &plain()));
    // Holes too. Faces that are far away are drawn.
    mesh.positions.push([1e6, 0.0, 0.0]);
    mesh.faces.push(&[0, 1, 11]);
    mesh.face_flags = vec![FaceFlags::NONE; mesh.faces.len()];
    assert!(rows(&scene(mesh.clone()), &plain()).0.size[0] > 700_000);
    if let Some(flags) = mesh.face_flags.last_mut() {
        *flags = FaceFlags::HOLE;
    }
    assert_eq!(rows(&scene(mesh), &plain()), rows(&scene(cube([None; 6])), &plain()));
}

#[test]
fn images_that_show_nothing_are_errors_with_a_reason() {
    let reason = |scene: &Scene, options: &RenderOptions| {
        let visible = Drawing::new(scene, options).and_then(|mut drawing| drawing.check_visible());
        visible.map_err(|error| error.to_string())
    };
    let triangle = |corners: [[f64; 3]; 3]| {
        let faces = [[0, 1, 2]].into_iter().collect();
        scene(Mesh { positions: corners.to_vec(), faces, ..Mesh::default() })
    };
    let faces = "the faces have no area, are smaller than a pixel, or are outside the view";
    let empty = Err(format!("the image would show nothing: {faces}"));
    assert_eq!(reason(&triangle([[5.0; 3]; 3]), &plain()), empty, "a point");
    assert_eq!(reason(&triangle([[0.0; 3], [1.0; 3], [2.0; 3]]), &plain()), empty, "a line");
    // A tiny face beside large distances.
    let mut tiny = cube([None; 6]);
    tiny.positions.iter_mut().for_each(|[x, y, z]| (*x, *y, *z) = (*x * 1e-9 + 1.234, *y * 1e-9, *z * 1e-9));
    let mut far = scene(tiny);
    let line =
        Mesh { positions: vec![[0.0; 3], [9.0; 3]], faces: [[0, 1, 1]].into_iter().collect(), ..Mesh::default() };
    add(&mut far, line, Transform::IDENTITY);
    assert_eq!(reason(&far, &plain()), empty);
    // A corner of the image.
    let part = plain().with_area(Area::Rectangle { from: [0, 0], size: [1, 1] });
    let mut large = cube([None; 6]);
    large.positions.iter_mut().flatten().for_each(|c| *c *= 100.0);
    assert_eq!(reason(&scene(large.clone()), &part), empty);
    assert_eq!(reason(&scene(large), &plain()), Ok(()));
    let numbers = Err("nothing to draw: the coordinates of 1 face are not finite or beyond 1e30".to_owned());
    assert_eq!(reason(&triangle([[0.0; 3], [1e31, 0.0, 0.0], [0.0, 1.0, 0.0]]), &plain()), numbers);

    let error = Drawing::new(&scene(cube([None; 6])), &plain().with_max_pixels(1000)).unwrap_err();
    assert!(matches!(error, Error::TooManyPixels { width: 1.., height: 1.., limit: 1000 }), "{error}");
}

#[test]
fn checked_images_have_the_same_rows() {
    let scene = scene(cube([None; 6]));
    for options in [plain(), plain().with_view(View::Objects).with_objects(Objects::Marked)] {
        let mut drawing = Drawing::new(&scene, &options).unwrap();
        drawing.check_visible().unwrap();
        let mut checked = Vec::new();
        while let Some(row) = drawing.next_row() {
            checked.push(row.as_chunks().0.to_vec());
        }
        assert!(checked == rows(&scene, &options).1);
    }
}

#[test]
fn scenes_without_solids_are_rejected_with_a_reason() {
    let draw = |scene: &Scene, view: View| Drawing::new(scene, &plain().with_view(view)).map(|_| ());
    let mut scene = Scene::default();
    for view in [View::Level, View::Solid, View::Objects, View::Numbers, View::Collision, View::Relief] {
        assert!(matches!(draw(&scene, view), Err(Error::Nothing)), "{view:?}");
    }
    add(&mut scene, Mesh::default(), Transform::IDENTITY);
    assert!(matches!(draw(&scene, View::Level), Err(Error::Nothing)));
    add(&mut scene, cube([None; 6]), Transform::IDENTITY);
    for view in [View::Level, View::Solid, View::Objects, View::Numbers] {
        assert!(draw(&scene, view).is_ok(), "{view:?}");
    }
    for view in [View::Collision, View::Relief] {
        assert!(matches!(draw(&scene, view), Err(Error::NoView { .. })), "{view:?}");
        // The same with other errors.
        let empty = Area::Rectangle { from: [0; 2], size: [0; 2] };
        for area in [empty, Area::AroundStart([1; 2])] {
            let lacking = Drawing::new(&scene, &plain().with_view(view).with_area(area));
            assert!(matches!(lacking, Err(Error::NoView { .. })), "{view:?} {area:?}");
        }
    }
    let mut tiles = Scene::default();
    let layer = TileLayer { size: [2, 2], tile_size: [8; 2], cells: vec![1; 4], ..TileLayer::default() };
    let layer = tiles.tile_layers.push(layer);
    tiles.add_node(None, Node::new("", Content::TileLayer(layer)));
    let error = draw(&tiles, View::Solid).expect_err("no solids");
    assert_eq!(error.to_string(), "cannot draw the view solid: the scene has no solids");
    // Solids are not part of images of tiles by default.
    add(&mut tiles, cube([None; 6]), Transform::IDENTITY);
    let layers = |view| rows(&tiles, &plain().with_view(view)).0.layers;
    assert_eq!((layers(View::Level), layers(View::Solid)), (1, 0));
}

#[test]
fn points_lines_and_planes_can_be_drawn() {
    let flat = |scale: [f64; 3]| {
        let rotation = [0.0, 0.0, 0.0, 1.0];
        let mut scene = Scene::default();
        add(&mut scene, cube([None; 6]), Transform::Trs { translation: [5.0; 3], rotation, scale });
        rows(&scene, &plain()).0
    };
    for scale in [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1e-300; 3], [1e29; 3]] {
        let info = flat(scale);
        assert_eq!(info.width.max(info.height), 170, "{scale:?}");
    }
    // A plane seen from its edge.
    let mut plane = Scene::default();
    add(
        &mut plane,
        cube([None; 6]),
        Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0, 0.0, 1.0] },
    );
    assert_eq!(rows(&plane, &from(180.0, 0.0)).0.height, 10);
}

#[test]
fn objects_have_marks_at_their_positions() {
    let mut scene = scene(cube([None; 6]));
    let light = scene.lights.push(Light::default());
    let entity = scene.entities.push(Entity { class: "info_player_start".into(), ..Entity::default() });
    let contents = [
        Content::Light(light),
        Content::Entity(entity),
        Content::Marker,
        Content::Prefab(Prefab { reference: "door.vmap".into(), ..Prefab::default() }),
    ];
    for (x, content) in [-0.6, -0.2, 0.2, 0.6].into_iter().zip(contents) {
        scene.add_node(None, Node { transform: Transform::translation([x, 1.0, 0.0]), ..Node::new("", content) });
    }
    let away = Transform::translation([900.0, 0.0, 0.0]);
    scene.add_node(None, Node { transform: away, ..Node::new("", Content::Marker) });
    let hidden = Node { visible: false, ..Node::new("", Content::Marker) };
    scene.add_node(None, hidden);
    let options = plain().with_objects(Objects::Drawn);
    let (info, drawn) = rows(&scene, &options);
    assert_eq!((info.marks, info.bodies, info.width), (4, 1, 149));
    assert_ne!(drawn, rows(&scene, &plain()).1);
    // Without bodies, marks are drawn, including the start.
    let mut things = Scene::default();
    let start = Node { transform: away, ..Node::new("start", Content::Marker) };
    things.add_node(None, start);
    assert!(matches!(Drawing::new(&things, &options), Err(Error::Nothing)));
    things.add_node(None, Node { transform: away, ..Node::new("", Content::Marker) });
    let (info, drawn) = rows(&things, &options);
    assert_eq!((info.width, info.height, at(&drawn, 50, 50)), (170, 170, [255; 3]));
    assert!(matches!(Drawing::new(&things, &plain()), Err(Error::Nothing)));
    let around = plain().with_area(Area::AroundStart([2, 1]));
    assert!(matches!(Drawing::new(&scene, &around), Err(Error::NoStart)));
    // Without marks, the margin for them stays.
    let drawing = Drawing::new(&things, &options.with_objects(Objects::Sprites)).expect("an image");
    let [right, down] = drawing.to_image([900.0, 0.0, 0.0]);
    assert!((right - 85.0).abs() < 1e-6 && (down - 85.0).abs() < 1e-6, "{right} {down}");
    assert_eq!((drawing.info().marks, drawing.info().width), (0, 170));
}

#[test]
fn translucent_faces_show_the_faces_after_them() {
    let mut scene = Scene::default();
    let base_color = [1.0, 0.0, 0.0, 0.5];
    let glass = scene.materials.push(Material { base_color, alpha: AlphaMode::Blend, ..Material::new("glass") });
    let blue = material(&mut scene, [0.0, 0.0, 1.0]);
    add(&mut scene, cube([Some(blue); 6]), Transform::IDENTITY);
    add(&mut scene, cube([Some(glass); 6]), Transform::translation([0.0, 0.0, 5.0]));
    let [red, _, blue] = at(&rows(&scene, &from(180.0, 0.0)).1, 50, 50);
    assert!(red > 60 && blue > 60 && red.abs_diff(blue) < 3, "{red} {blue}");
}

#[test]
fn terrain_is_drawn_as_a_solid_on_request() {
    let mut heights = vec![-5.0; 64];
    for place in [27, 28, 35, 36] {
        heights[place] = 20.0;
    }
    heights[0] = f32::NAN;
    let terrain = Terrain { diagonal: Diagonal::Main, ..terrain([8, 8], heights) };
    let mut scene = Scene::default();
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("", Content::Terrain(terrain)));
    let (info, rows) = rows(&scene, &plain().with_view(View::Solid));
    assert_eq!((info.bodies, info.layers), (1, 0));
    // Hills rise above a flat sea.
    assert_eq!(hue(at(&rows, 50, 80)), "blue");
    assert_ne!(hue(at(&rows, 50, 42)), "blue");
    assert_eq!(at(&rows, 5, 50), BACKGROUND, "a height that is none");
}

#[test]
fn quads_of_terrain_are_split_along_its_diagonal() {
    let upper_middle = |diagonal: Diagonal| {
        let mut scene = Scene::default();
        let terrain = Terrain { diagonal, ..terrain([2, 2], vec![0.0, 20.0, 20.0, 0.0]) };
        let terrain = scene.terrains.push(terrain);
        scene.add_node(None, Node::new("", Content::Terrain(terrain)));
        at(&rows(&scene, &from(45.0, 0.0).with_view(View::Solid)).1, 50, 20)
    };
    // Seen along the main diagonal, a ridge on the other one is as wide as the terrain, and a valley is two lines.
    assert_ne!(upper_middle(Diagonal::Anti), BACKGROUND);
    assert_eq!(upper_middle(Diagonal::Main), BACKGROUND);
}

#[test]
fn a_part_equals_that_of_the_complete_image() {
    let scene = scene(cube([None; 6]));
    let exactly = from(180.0, 0.0).with_scale(Scale::Exactly(Ratio::new(80, 1).expect("a ratio")));
    let (whole, all) = rows(&scene, &exactly);
    // Two units and a margin of 1/32 all around.
    assert_eq!((whole.width, whole.height, whole.scale.to_string().as_str()), (170, 170, "80"));
    let part = exactly.with_area(Area::Rectangle { from: [1, -1], size: [2, 2] });
    let (info, part) = rows(&scene, &part);
    assert_eq!((info.width, info.from, info.size), (160, [1, -1], [2, 2]));
    assert_eq!(part[100][..80], all[20][80..160]);
    assert_eq!(part[79], vec![BACKGROUND; 160]);
}

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![4 => (-9..9).prop_map(f64::from), 1 => any::<f64>(), 4 => -1e3..1e3]
}

proptest! {
    /// Any input gives an image or an error, quickly.
    #[test]
    fn any_solid_is_drawn_or_rejected(
        positions in prop::collection::vec(prop::array::uniform3(numbers()), 0..12),
        faces in prop::collection::vec(prop::collection::vec(0..14_u32, 0..9), 0..8),
        mirror in prop::option::of(0..8_u32),
        axes in prop::array::uniform12(numbers()),
        things in prop::collection::vec(prop::array::uniform3(numbers()), 0..8),
        plane in prop::array::uniform3(prop::array::uniform3(numbers())),
        color in prop::array::uniform4(numbers()),
        (azimuth, elevation) in (numbers(), -90.0..=90.0),
        (exactly, limit, sides) in (any::<bool>(), 1..60_u32, prop::sample::select(&[Sides::Open, Sides::Both, Sides::Front][..])),
        view in prop_oneof![Just(View::Level), Just(View::Solid), Just(View::Numbers), Just(View::Objects)],
        area in prop_oneof![Just(Area::Whole), Just(Area::Rectangle { from: [-3, 2], size: [9, 0] }), Just(Area::Rectangle { from: [1, i32::MIN], size: [7, u32::MAX] })],
    ) {
        let mut scene = Scene::default();
        let material = Material { base_color: color, alpha: AlphaMode::Blend, ..Material::new("any") };
        let material = scene.materials.push(material);
        let face_materials = vec![Some(material); 3];
        let faces = faces.into_iter().collect();
        let [a, b, c, d, e, f, g, h, i, x, y, z] = axes;
        let world = Transform::Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]]);
        let mesh = add(&mut scene, Mesh { positions, faces, face_materials, mirror, ..Mesh::default() }, Transform::IDENTITY);
        let root = scene.roots[0];
        for place in things {
            add_entity(&mut scene, "lamp", place);
        }
        scene.add_node(None, Node { transform: world, ..Node::new("", Content::Instance(root)) });
        scene.add_node(Some(root), Node { transform: world, ..Node::new("start", Content::Marker) });
        let maps = vec![[[a, b, c], [d, e, f], [g, h, i], [x, y, z]]; 2];
        let models = vec![Model::Mesh(mesh), Model::Reference(String::new())];
        let transforms = InstanceTransforms::Affine(maps);
        let set = InstanceSet { models, model: vec![0, 1], transforms, ..InstanceSet::default() };
        let set = scene.instance_sets.push(set);
        scene.add_node(None, Node { transform: world, ..Node::new("", Content::InstanceSet(set)) });
        let projection = TextureProjection::on_base_axes([0.0, 1.0, 0.0]);
        let side = BrushSide { plane, corners: Vec::new(), projection, material: None, properties: Properties::new() };
        let brush = scene.brushes.push(Brush { sides: vec![side; 3], ..Brush::default() });
        scene.add_node(Some(root), Node::new("", Content::Brush(brush)));
        let orbit = Orbit::new(azimuth, elevation).unwrap_or_default();
        let scale = if exactly { Scale::Exactly(Ratio::ONE) } else { Scale::Fit(limit) };
        let options = RenderOptions::default().with_view(view).with_orbit(orbit).with_scale(scale).with_area(area).with_sides(sides);
        if let Ok(mut drawing) = Drawing::new(&scene, &options.with_max_size(limit)) {
            let info = drawing.info();
            prop_assert!(info.width <= limit && info.height <= limit);
            while drawing.next_row().is_some() {}
        }
    }
}
