//! Images of games in conversions.
#![cfg(all(feature = "fs", feature = "wwd", feature = "tiled", feature = "gltf"))]

use std::fs;

use mapwright::io::FixedBytes;
use mapwright::scene::NoFiles;
use mapwright::scene::{AlphaMode, Content, ImageSource, Losses, Mesh, Node, Scene, Severity, Tile, Value};
use mapwright::wwd::scene::{ExportOptions, from_scene};
use mapwright::wwd::{Document, DrawFlags, Object, Plane, PlaneFlags};
use mapwright::{
    AnyDocument, AttachOptions, ContentSource, Conversion, ConvertOptions, External, FilesBeside, Format, LevelArt,
    convert,
};

fn level() -> Document {
    let mut level = Document::new();
    level.header.image_dir = FixedBytes::from_text(br"\LEVEL1\TILES").unwrap();
    let mut plane = Plane::with_grid(b"Action", 1, 1, 1).unwrap();
    plane.image_sets.push(b"ACTION").unwrap();
    plane.tiles = vec![1].into();
    level.planes.push(plane);
    level
}

#[test]
fn conversions_use_images_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = folder.path().join("LEVEL1/TILES/ACTION");
    fs::create_dir_all(&tiles).unwrap();
    let words = [10, 0, 1, 1, 0, 0, 0, 0_u32];
    fs::write(tiles.join("001.PID"), words.into_iter().flat_map(u32::to_le_bytes).chain([5]).collect::<Vec<_>>())
        .unwrap();
    let options = ConvertOptions::default().with_content(ContentSource::open([folder.path()]).unwrap());
    let to = |format, options: &ConvertOptions| -> Conversion {
        convert(level().into(), format, &NoFiles, options).unwrap()
    };
    let map = to(Format::Tmx, &options);
    assert_eq!(map.source.images, 1);
    let losses: Vec<String> = map.losses.iter().map(ToString::to_string).collect();
    assert!(losses.len() == 1 && losses[0].contains("1 image in grey: the palette is missing"), "{losses:?}");
    let without = to(Format::Tmx, &ConvertOptions::default());
    assert!(without.source.images == 0 && without.losses.is_empty() && without.files.side != map.files.side);
    let little = to(Format::Tmx, &options.clone().with_max_pixel_bytes(3));
    assert!(little.losses.iter().any(|loss| loss.text.contains("beyond the size limit")), "{little:?}");

    assert!(to(Format::Wwd, &options).files.main == level().to_bytes().unwrap(), "a level contains no images");
}

#[test]
fn the_game_of_a_level_decides_which_colour_is_transparent() {
    let folder = tempfile::tempdir().unwrap();
    // Colours 0 and 1 of a palette in which 1 is the colour key of Gruntz.
    let words = [10, 0x81, 2, 1, 0, 0, 0, 0_u32];
    let mut image: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain([0, 1]).collect();
    image.extend([9, 9, 9, 255, 0, 132]);
    image.resize(32 + 2 + 768, 0);
    for tiles in ["LEVEL1/TILES/ACTION", "AREA1/TILEZ/ACTION", "OTHER/ACTION"] {
        fs::create_dir_all(folder.path().join(tiles)).unwrap();
        fs::write(folder.path().join(tiles).join("001.PID"), &image).unwrap();
    }
    fs::write(folder.path().join("MAIN.PAL"), [0; 767]).unwrap();
    let content = ContentSource::open([folder.path()]).unwrap();
    let (gruntz, claw) = ([9, 9, 9, 255, 0, 0, 0, 0], [0, 0, 0, 0, 255, 0, 132, 255]);
    for (directory, expected) in [(&br"\AREA1\TILEZ"[..], gruntz), (br"\LEVEL1\TILES", claw), (br"OTHER", gruntz)] {
        let mut level = level();
        level.header.image_dir = FixedBytes::from_text(directory).unwrap();
        level.header.pal_rez = FixedBytes::from_text(b"MAIN.PAL").unwrap();
        let document = AnyDocument::from(level);
        let art = LevelArt::find(&document, &content).unwrap();
        let mut scene = document.into_scene().unwrap().scene;
        let report = art.attach_to(&mut scene, &AttachOptions::default());
        let losses: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
        assert!(losses.len() == 1 && losses[0].contains("palette: invalid palette size 767"), "{losses:?}");
        assert!(report.palette.is_none());
        let (_, image) = scene.images.iter().next().unwrap();
        let ImageSource::Pixels(pixels) = &image.source else { panic!("{image:?}") };
        assert_eq!(pixels.data, expected, "{}", directory.escape_ascii());
    }
}

/// A PID image of one row of colour 5.
fn pid(width: i32, offset: i32) -> Vec<u8> {
    let words = [10, 0, width, 1, offset, 0, 0, 0];
    words.into_iter().flat_map(i32::to_le_bytes).chain(vec![5; usize::try_from(width).unwrap_or(0)]).collect()
}

/// The images of a game: path, width and offset to the right. A width of 0 is damaged.
const FILES: [(&str, i32, i32); 9] = [
    ("LEVEL1/TILES/ACTION/001.PID", 1, 9),
    ("LEVEL1/TILES/ACTION/002.PID", 2, 0),
    ("LEVEL1/TILES/ACTION/004.PID", 0, 0),
    ("LEVEL1/IMAGES/RAT/001.PID", 0, 0),
    ("LEVEL1/IMAGES/RAT/002.PID", 4, -7),
    ("LEVEL1/IMAGES/RAT/005.PID", 5, 0),
    ("LEVEL1/IMAGES/RAT/006.PID", 6, 0),
    ("LEVEL1/IMAGES/WALL/WALL.PID", 7, 0),
    ("LEVEL1/IMAGES/MANY/99999.PID", 8, 0),
];

/// A level of 128 × 128 pixels that shows tiles 1 to 4, with objects of these image sets and numbers.
fn level_with(objects: &[(&str, i32)]) -> Document {
    let mut level = Document::new();
    level.header.image_dir = FixedBytes::from_text(br"LEVEL1\TILES").unwrap();
    level.header.image_set_1 = FixedBytes::from_text(br"LEVEL1\IMAGES").unwrap();
    level.header.prefix_1 = FixedBytes::from_text(b"LEVEL").unwrap();
    let mut plane = Plane::with_grid(b"Action", 2, 2, 64).unwrap();
    plane.flags = PlaneFlags::MAIN;
    plane.tiles = vec![1, 2, 3, 4].into();
    let objects = objects.iter().map(|&(image_set, i)| object("DoNothing", image_set, i, [0, 0]));
    plane.objects = objects.collect();
    plane.image_sets.push(b"ACTION").unwrap();
    level.planes.push(plane);
    level
}

fn object(logic: &str, image_set: &str, i: i32, [x, y]: [i32; 2]) -> Object {
    Object { logic: logic.into(), image_set: image_set.into(), i, x, y, ..Object::default() }
}

struct Attached {
    scene: Scene,
    losses: Vec<String>,
}

/// A folder with files.
fn folder_with(files: &[(&str, Vec<u8>)]) -> (tempfile::TempDir, ContentSource) {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let content = ContentSource::open([folder.path()]).unwrap();
    (folder, content)
}

/// Attaches images that are files in a folder.
fn attach(level: &Document, files: &[(&str, Vec<u8>)], options: &AttachOptions) -> Attached {
    let (_folder, content) = folder_with(files);
    let document = AnyDocument::from(level.clone());
    let art = LevelArt::find(&document, &content).unwrap();
    let mut scene = document.into_scene().unwrap().scene;
    let losses: Losses = art.attach_to(&mut scene, options).losses;
    let broken = scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
    assert!(broken.is_none(), "{broken:?}");
    Attached { scene, losses: losses.iter().map(ToString::to_string).collect() }
}

/// Images of tiles and objects are added for views that show them, and missing ones are listed.
#[cfg(all(feature = "render", feature = "textures"))]
#[test]
fn drawable_scenes_have_the_images_that_their_view_shows() {
    use mapwright::render::{RenderOptions, View};
    let files: Vec<_> = FILES.iter().map(|(path, width, offset)| (*path, pid(*width, *offset))).collect();
    let (_folder, content) = folder_with(&files);
    let options = ConvertOptions::default().with_content(content);
    let images = |view| {
        let document = AnyDocument::from(level_with(&[("LEVEL_RAT", 2)]));
        let drawable = document.into_drawable(RenderOptions::default().with_view(view), &options).unwrap();
        (drawable.scene.images.iter().count(), drawable.losses.is_empty(), drawable.files.is_empty())
    };
    // Two tiles and a frame; the third tile is missing, and the fourth is damaged.
    assert_eq!(images(View::Level), (3, false, false));
    assert_eq!(images(View::Numbers), (0, true, true));
}

fn attach_files(level: &Document, files: &[(&str, i32, i32)], options: &AttachOptions) -> Attached {
    let files: Vec<_> = files.iter().map(|(path, width, offset)| (*path, pid(*width, *offset))).collect();
    attach(level, &files, options)
}

fn tiles<'a>(scene: &'a Scene, name: &str) -> Option<&'a [Tile]> {
    scene.tile_sets.iter().find(|(_, set)| set.name == name).map(|(_, set)| &set.tiles[..])
}

/// Returns the width of each tile's image; 0 without one.
fn widths(scene: &Scene, tiles: &[Tile]) -> Vec<u32> {
    let width = |tile: &Tile| match &scene.images.get(tile.image?)?.source {
        ImageSource::Pixels(pixels) => Some(pixels.width),
        _ => None,
    };
    tiles.iter().map(|tile| width(tile).unwrap_or(0)).collect()
}

fn contains(losses: &[String], part: &str) -> bool {
    losses.iter().any(|loss| loss.contains(part))
}

#[test]
fn tiles_get_the_image_of_their_number() {
    let Attached { scene, losses } = attach_files(&level_with(&[]), &FILES, &AttachOptions::default());
    assert_eq!(widths(&scene, tiles(&scene, "ACTION").unwrap()), [0, 1, 2, 0, 0]);
    assert_eq!(scene.images.iter().next().unwrap().1.name, "LEVEL1/TILES/ACTION/001.PID");
    // No cell shows tile 0.
    for part in ["004.PID: invalid image size 0×1", "tiles without an image in \"ACTION\": 1 (3)", "images in grey"] {
        assert!(contains(&losses, part), "{part}: {losses:?}");
    }
    assert_eq!(losses.len(), 3, "{losses:?}");
}

#[test]
fn objects_get_exactly_the_frames_that_the_game_shows() {
    let level = level_with(&[
        ("LEVEL_RAT", 5),
        ("level_rat", -1),
        ("LEVEL_RAT", 3),
        ("LEVEL_RAT", -2),
        ("LEVEL_WALL", -1),
        ("LEVEL_CAT", 1),
        ("", 1),
        ("LEVEL_MANY", 99_999),
    ]);
    let Attached { scene, losses } = attach_files(&level, &FILES, &AttachOptions::default());
    let rats = tiles(&scene, "LEVEL_RAT").or(tiles(&scene, "level_rat")).unwrap();
    // The first image is damaged, so the second one is the lowest. No object shows the last one.
    assert_eq!(widths(&scene, rats), [0, 0, 4, 0, 0, 5]);
    assert_eq!(rats[2].properties.get("offset_x").and_then(Value::as_int), Some(-7));
    assert!(rats[5].properties.is_empty() && rats[2].properties.len() == 1);
    // Without digits the number is 0.
    assert_eq!(widths(&scene, tiles(&scene, "LEVEL_WALL").unwrap()), [7]);
    assert!(tiles(&scene, "LEVEL_CAT").is_none() && tiles(&scene, "LEVEL_MANY").is_none());
    for part in [
        "image sets without an image: 2 (\"LEVEL_CAT\", \"LEVEL_MANY\")",
        "frames of objects without an image: 2 (\"LEVEL_RAT\" -2, \"LEVEL_RAT\" 3)",
    ] {
        assert!(contains(&losses, part), "{part}: {losses:?}");
    }
    assert!(!scene.images.iter().any(|(_, image)| image.name.contains("006") || image.name.contains("99999")));

    let without = AttachOptions::default().with_objects(false);
    let Attached { scene, .. } = attach_files(&level, &FILES, &without);
    assert_eq!((scene.tile_sets.len(), scene.images.len()), (1, 2));
}

#[test]
fn an_object_may_show_a_tile() {
    let Attached { scene, .. } = attach_files(&level_with(&[("ACTION", 1)]), &FILES, &AttachOptions::default());
    assert_eq!((scene.tile_sets.len(), scene.images.len()), (1, 2), "each file is read once");
    let tiles = tiles(&scene, "ACTION").unwrap();
    assert_eq!(widths(&scene, tiles), [0, 1, 2, 0, 0]);
    assert_eq!(tiles[1].properties.get("offset_x").and_then(Value::as_int), Some(9));
}

#[test]
fn images_that_are_decoded_together_share_the_limit_in_order() {
    // An image that takes more than its part of the limit, and a damaged one.
    let width = |number| match number {
        9 => 300,
        12 => 0,
        _ => number,
    };
    let path = |number| format!("LEVEL1/TILES/ACTION/{number:03}.PID");
    let paths: Vec<(String, i32, i32)> = (1..=40).map(|number| (path(number), width(number), 0)).collect();
    let files: Vec<(&str, i32, i32)> = paths.iter().map(|(path, width, offset)| (&**path, *width, *offset)).collect();
    let mut level = level_with(&[]);
    level.planes[0].tiles = vec![1, 2, 3, 40].into();
    let expected: Vec<u32> = (0..=40).map(|number| width(number).unsigned_abs()).collect();
    let needed = u64::from(expected.iter().sum::<u32>()) * 4;
    for (spare, shown, excess) in [(0, 41, 0), (-1, 40, 1), (-4 * (39 + 40), 39, 2), (-4 * (38 + 39 + 40), 38, 3)] {
        let options = AttachOptions::default().with_max_bytes(needed.saturating_add_signed(spare));
        let Attached { scene, losses } = attach_files(&level, &files, &options);
        let widths = widths(&scene, tiles(&scene, "ACTION").unwrap());
        assert_eq!(widths[..shown], expected[..shown], "{spare}");
        assert!(widths[shown..].iter().all(|width| *width == 0), "{widths:?}");
        assert_eq!(losses.iter().filter(|loss| loss.contains("012.PID")).count(), 1, "{losses:?}");
        let is_reported = losses.iter().any(|loss| loss.starts_with(&format!("dropped: images: {excess} image")));
        assert_eq!(is_reported, excess > 0, "{losses:?}");
        let names: Vec<&str> = scene.images.items().iter().map(|image| &*image.name).collect();
        assert!(names.is_sorted() && names.len() > 30, "{names:?}");
    }
}

#[test]
fn image_limits_and_missing_folders_are_reported() {
    // Eight bytes suffice for the second image alone, but not after the first.
    let Attached { scene, losses } =
        attach_files(&level_with(&[]), &FILES, &AttachOptions::default().with_max_bytes(8));
    assert_eq!(scene.images.len(), 1);
    assert!(contains(&losses, "2 images beyond the size limit"), "{losses:?}");

    // Images of another level.
    let mut other = level_with(&[]);
    other.header.image_dir = FixedBytes::from_text(br"\LEVEL2\TILES\").unwrap();
    let Attached { scene, losses } = attach_files(&other, &FILES, &AttachOptions::default());
    assert_eq!((scene.images.len(), losses.len()), (0, 1));
    assert!(losses[0].contains("folder LEVEL2/TILES not found"), "{losses:?}");
}

#[test]
fn a_level_comes_back_without_its_images() {
    let level = level_with(&[("LEVEL_RAT", 2)]);
    let Attached { scene, .. } = attach_files(&level, &FILES, &AttachOptions::default().with_objects(false));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    assert!(export.document.to_main_block().unwrap() == level.to_main_block().unwrap());
    let texts: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
    assert!(texts.len() == 1 && texts[0].starts_with("preserved: images: 2 tile images "), "{texts:?}");

    // An image that the game does not have.
    let mut drawn = scene;
    drawn.images.iter_mut().for_each(|(_, image)| image.name = image.name.replace("PID", "png"));
    let export = from_scene(&drawn, &ExportOptions::default()).unwrap();
    assert_eq!(export.losses.lost_count(), 2, "{:?}", export.losses);
}

/// Returns the nodes of objects, in the order of the file.
fn object_nodes(scene: &Scene) -> Vec<&Node> {
    let nodes = scene.walk().map(|visit| visit.node);
    nodes.filter(|node| matches!(node.content, Content::Entity(_))).collect()
}

#[test]
fn objects_of_gruntz_are_moved_sorted_and_hidden_by_their_logic() {
    let mut level = level_with(&[]);
    level.header.image_dir = FixedBytes::from_text(br"\AREA1\TILEZ").unwrap();
    level.header.image_set_1 = FixedBytes::from_text(b"").unwrap();
    level.planes[0].objects = vec![
        object("InGameIcon", "GAME_COIN", -1, [70, 33]),
        object("EyeCandy", "LEVEL_TREE", -1, [60, 100]),
        object("TileTrigger", "LEVEL_TREE", -1, [60, 100]),
        object("DoNothing", "LEVEL_TREE", -1, [60, 128]),
        object("", "LEVEL_TREE", -1, [60, 100]),
    ]
    .into();
    let files =
        [("GAME/IMAGEZ/COIN/001.PID", pid(1, 0)), ("AREA1/IMAGEZ/TREE/001.PID", pid(1, 0)), ("AREA1/TILEZ/a", vec![])];
    let game = AttachOptions::default().with_game_view(true);
    let Attached { scene, .. } = attach(&level, &files, &game);
    let seen: Vec<_> = object_nodes(&scene).iter().map(|node| (node.visible, node.transform.origin())).collect();
    // In the middle of its tile; by the lower edge of its image, which is one pixel high; hidden; outside; without logic.
    assert_eq!(seen[0], (true, [80.0, -48.0, 95_000.0]));
    assert_eq!(seen[1], (true, [60.0, -100.0, 100_100.0]));
    assert_eq!([seen[2].0, seen[3].0, seen[4].0], [false; 3]);
    // As in the file.
    let Attached { scene, .. } = attach(&level, &files, &AttachOptions::default());
    let nodes = object_nodes(&scene);
    assert!(nodes.iter().all(|node| node.visible) && nodes[0].transform.origin() == [70.0, -33.0, 0.0]);
}

#[test]
fn sounds_of_claw_are_hidden_and_hidden_objects_stay_hidden() {
    let mut level = level_with(&[]);
    let mut hidden = object("Rat", "LEVEL_RAT", 5, [7, 7]);
    hidden.draw_flags = DrawFlags::NO_DRAW;
    level.planes[0].objects = vec![
        object("AmbientSound", "LEVEL_RAT", 5, [7, 7]),
        object("Rat", "GAME_SOUNDICON", 5, [7, 7]),
        hidden,
        object("InGameIcon", "LEVEL_RAT", 5, [7, 7]),
    ]
    .into();
    let Attached { scene, .. } = attach_files(&level, &FILES, &AttachOptions::default().with_game_view(true));
    let seen: Vec<_> = object_nodes(&scene).iter().map(|node| (node.visible, node.transform.origin())).collect();
    assert_eq!([seen[0].0, seen[1].0, seen[2].0], [false; 3]);
    assert_eq!(seen[3], (true, [7.0, -7.0, 0.0]));
}

#[test]
fn palettes_are_found_by_name_and_beside_the_tiles() {
    let palette = |first: u8| [vec![first], vec![0; 767]].concat();
    let files = [
        ("X/LEVEL1/TILES/ACTION/001.PID", pid(1, 0)),
        ("X/LEVEL1/PALETTES/MAIN.PAL", palette(1)),
        ("X/level1/Other.pal", palette(2)),
        ("X/LEVEL1/NOTOTHER.PAL", palette(3)),
    ];
    let (_folder, content) = folder_with(&files);
    let found = |name: &[u8]| {
        let mut level = level_with(&[]);
        level.header.pal_rez = FixedBytes::from_text(name).unwrap();
        let document = AnyDocument::from(level);
        let art = LevelArt::find(&document, &content).unwrap();
        let report = art.attach_to(&mut document.into_scene().unwrap().scene, &AttachOptions::default());
        report.palette.map(|palette| palette.colors()[0][0])
    };
    assert_eq!([found(br"\LEVEL1\OTHER.PAL"), found(b"NONE.PAL"), found(b"")], [Some(2), Some(1), Some(1)]);
}

/// An animation that shows frames. The first one plays sounds.
fn animation(frames: &[i16], sounds: &[u8]) -> Vec<u8> {
    let count = i32::try_from(frames.len()).unwrap();
    let mut file: Vec<u8> = [32, 0, 0, count, 0, 0, 0, 0].into_iter().flat_map(i32::to_le_bytes).collect();
    for (at, frame) in frames.iter().enumerate() {
        let flags = if at == 0 { 2 } else { 0 };
        file.extend([flags, 3, 0, 0, *frame, 100, 0, 0, 0, 0].into_iter().flat_map(i16::to_le_bytes));
        if at == 0 {
            file.extend_from_slice(sounds);
            file.push(0);
        }
    }
    file
}

/// The code, path, count and message of each finding about the content.
fn content_findings(level: &Document, content: &ContentSource) -> Vec<(&'static str, String, usize, String)> {
    let files = FilesBeside::new(None, External::None, content.clone(), 1 << 20);
    let document = AnyDocument::from(level.clone());
    let own = document.validate().len();
    let findings = document.validate_with(&files).split_off(own);
    findings
        .into_iter()
        .map(|finding| (finding.code, finding.path.to_string(), finding.count, finding.message))
        .collect()
}

#[test]
fn files_that_the_game_lacks_are_findings_with_their_number() {
    let mut files: Vec<_> = FILES.iter().map(|(path, width, offset)| (*path, pid(*width, *offset))).collect();
    files.extend([
        ("LEVEL1/PALETTES/MAIN.PAL", vec![0; 768]),
        ("LEVEL1/ANIS/RAT/RUN.ANI", animation(&[2, 7, 7, 8], b"LEVEL_SQUEAK GAME_BANG")),
        ("LEVEL1/ANIS/RAT/CUT.ANI", vec![32, 0, 0, 0]),
        ("LEVEL1/SOUNDS/SQUEAK.WAV", vec![]),
        ("GAME/SOUNDS/BELL.WAV", vec![]),
    ]);
    let (_folder, content) = folder_with(&files);
    let mut level = level_with(&[
        ("LEVEL_RAT", 2),
        ("LEVEL_RAT", 3),
        ("LEVEL_RAT", 3),
        ("LEVEL_CAT", 1),
        ("LEVEL_CAT", -1),
        ("level_wall", -1),
        ("", 1),
        ("", 1),
        ("", 1),
        ("LEVEL_RAT", 1),
    ]);
    let animations =
        ["LEVEL_RAT_RUN", "LEVEL_SQUEAK", "GAME_BELL", "LEVEL_RAT_RNU", "", "", "LEVEL_RAT_RNU", "LEVEL_RAT_CUT"];
    let mut objects = level.planes[0].objects.to_vec();
    objects.iter_mut().zip(animations).for_each(|(object, animation)| object.animation = animation.into());
    level.planes[0].objects = objects.into();
    let found = content_findings(&level, &content);
    let find = |code: &str| -> Vec<(&str, usize, &str)> {
        let same = found.iter().filter(|finding| finding.0 == code);
        let parts = same.map(|(_, path, _, message)| (path, message.rsplit_once("; uses: ").unwrap()));
        parts.map(|(path, (text, uses))| (path.as_str(), uses.parse().unwrap(), text)).collect()
    };
    assert_eq!(find("tile-missing"), [("planes[0].tiles", 1, "tile 3 of image set \"ACTION\" does not exist")]);
    assert_eq!(find("image-damaged").len(), 2, "{found:?}");
    let frame = "frame 3 of image set \"LEVEL_RAT\" does not exist (frames 1 to 6): nothing is shown";
    assert_eq!(find("frame-missing"), [("planes[0].objects[1].i", 2, frame)]);
    let set = "image set \"LEVEL_CAT\" does not exist";
    assert_eq!(find("image-set-missing"), [("planes[0].objects[3].image_set", 2, set)]);
    assert_eq!(find("image-set-case").len(), 1);
    let neither = "\"LEVEL_RAT_RNU\" is neither an animation nor a sound";
    assert_eq!(find("animation-missing"), [("planes[0].objects[3].animation", 2, neither)]);
    let frames = "animation \"LEVEL_RAT_RUN\" shows frames that image set \"LEVEL_RAT\" does not have: 2 (7, 8)";
    assert_eq!(find("animation-frame"), [("planes[0].objects[0].animation", 1, frames)]);
    assert_eq!(find("animation-damaged").len(), 1);
    let sound = "sound \"GAME_BANG\" of an animation does not exist";
    assert_eq!(find("sound-missing"), [("planes[0].objects[0].animation", 1, sound)]);
    assert_eq!(found.len(), 10, "{found:?}");

    // Content of something else.
    let (_folder, other) = folder_with(&[("textures/wall.png", vec![])]);
    let found = content_findings(&level, &other);
    assert!(found.len() == 1 && found[0].0 == "content-missing" && found[0].3.contains("LEVEL1/TILES"), "{found:?}");
    assert!(content_findings(&level, &ContentSource::default()).is_empty());

    // Another level without its palette.
    level.header.image_dir = FixedBytes::from_text(br"LEVEL2\TILES").unwrap();
    let codes: Vec<_> = content_findings(&level, &content).into_iter().map(|finding| finding.0).collect();
    assert!(codes.contains(&"tiles-missing") && codes.contains(&"palette-missing"), "{codes:?}");
    assert!(!codes.contains(&"tile-missing"), "{codes:?}");
}

/// Returns the mesh of a node.
fn mesh<'a>(scene: &'a Scene, node: &Node) -> &'a Mesh {
    let Content::Mesh(mesh) = node.content else { panic!("{node:?}") };
    scene.meshes.get(mesh).unwrap()
}

/// Returns the smallest and largest coordinates of a mesh.
fn bounds(mesh: &Mesh) -> [[f64; 3]; 2] {
    let fold = |start: f64, pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|axis| mesh.positions.iter().map(|position| position[axis]).fold(start, pick))
    };
    [fold(f64::MAX, f64::min), fold(f64::MIN, f64::max)]
}

#[test]
fn levels_become_meshes_in_draw_order() {
    let mut level = level_with(&[]);
    let mut hidden = object("Rat", "LEVEL_RAT", 5, [20, 20]);
    hidden.draw_flags = DrawFlags::NO_DRAW;
    let mut mirrored = object("Rat", "LEVEL_RAT", 2, [10, 30]);
    (mirrored.draw_flags, mirrored.z) = (DrawFlags::MIRROR, 2000);
    level.planes[0].objects =
        vec![object("Rat", "LEVEL_RAT", 2, [10, 30]), mirrored, hidden, object("Cat", "LEVEL_CAT", 1, [5, 5])].into();
    let mut front = Plane::with_grid(b"Front", 1, 1, 64).unwrap();
    front.flags = PlaneFlags::WRAP_X;
    (front.z_coord, front.movement_x, front.movement_y, front.tiles) = (1000, 150, 100, vec![1].into());
    front.image_sets.push(b"ACTION").unwrap();
    level.planes.push(front);
    let files: Vec<_> = FILES.iter().map(|(path, width, offset)| (*path, pid(*width, *offset))).collect();
    let (_folder, content) = folder_with(&files);
    let options = ConvertOptions::default().with_content(content);
    let converted = convert(level.clone().into(), Format::Glb, &NoFiles, &options).unwrap();
    let losses: Vec<String> = converted.losses.iter().map(ToString::to_string).collect();
    for part in ["moves at 150 % and 100 % of the camera", "\"ACTION\": 1 (3)", "\"LEVEL_CAT\"", "004.PID"] {
        assert_eq!(losses.iter().filter(|loss| loss.contains(part)).count(), 1, "{part}: {losses:?}");
    }
    assert!(!losses.iter().any(|loss| loss.contains("tile layer")), "{losses:?}");

    let read = AnyDocument::from_bytes(&converted.files.main).unwrap();
    let scene = read.into_scene().unwrap().scene;
    let visits: Vec<_> = scene.walk().collect();
    let find = |name: &str| visits.iter().filter(|visit| visit.node.name == name).collect::<Vec<_>>();
    let (action, front, rats) = (find("Action")[0], find("Front")[0], find("Rat"));
    // Two tiles have images of 1 and 2 × 1 pixels at the corner of cells of 64 pixels. The other plane repeats twice.
    assert_eq!((mesh(&scene, action.node).faces.len(), mesh(&scene, front.node).faces.len()), (2, 2));
    assert_eq!(bounds(mesh(&scene, action.node)), [[0.0, -1.0, 0.0], [66.0, 0.0, 0.0]]);
    // One metre is 64 pixels.
    assert_eq!(scene.metres_per_unit, Some(1.0 / 64.0));
    // The plane, three objects, the other plane, and the last object. Hidden objects have a depth, but no mesh.
    let depth = |visit: &mapwright::scene::Visit<'_>| visit.world.origin()[2];
    assert_eq!([depth(action), depth(rats[0]), depth(front), depth(rats[1])], [64.0, 65.0, 131.0, 132.0]);
    assert_eq!(rats.iter().filter(|visit| matches!(visit.node.content, Content::Mesh(_))).count(), 2);
    // Image of 4 × 1 pixels, 7 to the left of its place; mirrored, 7 to the right.
    assert_eq!(rats[0].world.origin()[..2], [10.0, -30.0]);
    let sides = [0, 1].map(|rat: usize| bounds(mesh(&scene, rats[rat].node)).map(|corner| corner[0]));
    assert_eq!(sides, [[-9.0, -5.0], [5.0, 9.0]]);
    let u = |rat: usize| {
        mesh(&scene, rats[rat].node).uv_sets[0].corners.iter().map(|uv| uv.unwrap()[0]).collect::<Vec<_>>()
    };
    assert!(u(0)[0] < u(0)[1] && u(1)[0] > u(1)[1], "{:?} {:?}", u(0), u(1));
    // One material for tiles, one for objects. Colour 5 is opaque.
    let materials: Vec<_> = scene.materials.iter().map(|(_, material)| (&*material.name, material.alpha)).collect();
    assert_eq!(materials, [("ACTION", AlphaMode::Opaque), ("objects", AlphaMode::Opaque)]);
    assert_eq!(rats[0].node.properties.get("class").and_then(Value::as_text), Some("Rat"));

    // Scaled, and with hidden objects.
    let options = options.with_scale(2.0).with_hidden(true);
    let converted = convert(level.into(), Format::Glb, &NoFiles, &options).unwrap();
    let scene = AnyDocument::from_bytes(&converted.files.main).unwrap().into_scene().unwrap().scene;
    let rats: Vec<_> = scene.walk().filter(|visit| visit.node.name == "Rat").collect();
    assert!(rats.len() == 3 && rats.iter().all(|visit| matches!(visit.node.content, Content::Mesh(_))));
    assert_eq!(rats[0].world.origin(), [20.0, -60.0, 130.0]);
}

#[test]
fn filled_cells_and_translucent_images_have_materials_of_their_own() {
    let mut level = level_with(&[("LEVEL_GLOW", -1)]);
    level.planes[0].fill_color = 3;
    level.planes[0].tiles = vec![0xEEEE_EEEE, u32::MAX, 1, 1].into();
    // Light: four pixels of strength 100.
    let light = [10, 0x60, 4, 1, 0, 0, 0, 0].into_iter().flat_map(i32::to_le_bytes);
    let light: Vec<u8> = light.chain([4, 100, 100, 100, 100]).collect();
    // The second pixel has colour 0, which is transparent.
    let mut tile = pid(2, 0);
    *tile.last_mut().unwrap() = 0;
    let mut files = vec![("LEVEL1/TILES/ACTION/001.PID", tile), ("LEVEL1/IMAGES/GLOW/001.PID", light)];
    let materials = |files: &[(&str, Vec<u8>)]| {
        let (_folder, content) = folder_with(files);
        let options = ConvertOptions::default().with_content(content);
        let converted = convert(level.clone().into(), Format::Glb, &NoFiles, &options).unwrap();
        let losses: Vec<String> = converted.losses.iter().map(ToString::to_string).collect();
        let scene = AnyDocument::from_bytes(&converted.files.main).unwrap().into_scene().unwrap().scene;
        let materials = scene.materials.iter().map(|(_, material)| (material.name.clone(), material.alpha));
        (materials.collect::<Vec<_>>(), losses)
    };
    let (found, losses) = materials(&files);
    assert_eq!(found.len(), 2);
    assert!(contains(&losses, "filled cells without a palette: 1"), "{losses:?}");
    files.push(("LEVEL1/PALETTES/MAIN.PAL", vec![7; 768]));
    let (found, losses) = materials(&files);
    let named = |name: &str, alpha| (name.to_owned(), alpha);
    let expected = [
        named("ACTION", AlphaMode::Mask(0.5)),
        named("fill", AlphaMode::Opaque),
        named("translucent", AlphaMode::Blend),
    ];
    assert_eq!(found, expected);
    assert!(!contains(&losses, "palette"), "{losses:?}");
}
