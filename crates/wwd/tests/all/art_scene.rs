//! Images in scenes.
#![cfg(feature = "scene")]

use std::cell::RefCell;

use mapwright_scene::{ImageSource, Losses, PixelFormat, Pixels, Scene, Severity, Tile, Value};
use mapwright_wwd::art::{Assets, AttachOptions, DecodedImage, attach_images};
use mapwright_wwd::io::FixedBytes;
use mapwright_wwd::scene::{ExportOptions, ImportOptions, from_scene, to_scene};
use mapwright_wwd::{Document, Object, Plane, PlaneFlags};

/// A level of one plane that shows tiles 1 to 4, with objects of these image sets and numbers.
fn level(objects: &[(&str, i32)]) -> Document {
    let mut level = Document::new();
    level.header.image_dir = FixedBytes::from_text(br"LEVEL1\TILES").unwrap();
    level.header.image_set_1 = FixedBytes::from_text(br"LEVEL1\IMAGES").unwrap();
    level.header.prefix_1 = FixedBytes::from_text(b"LEVEL").unwrap();
    let objects = objects.iter().map(|&(image_set, i)| Object { image_set: image_set.into(), i, ..Object::default() });
    let mut plane = Plane {
        flags: PlaneFlags::MAIN,
        tiles_wide: 2,
        tiles_high: 2,
        tile_w: 64,
        tile_h: 64,
        width_px: 128,
        height_px: 128,
        tiles: vec![1, 2, 3, 4].into(),
        objects: objects.collect(),
        ..Plane::default()
    };
    plane.image_sets.push(b"ACTION").unwrap();
    level.planes.push(plane);
    level
}

/// A file: its path, width and offset to the right.
const FILES: [(&str, i32, i32); 8] = [
    ("LEVEL1/TILES/ACTION/001.PID", 1, 9),
    ("LEVEL1/TILES/ACTION/002.PID", 2, 0),
    ("LEVEL1/TILES/ACTION/004.PID", 0, 0),
    ("LEVEL1/IMAGES/RAT/001.PID", 3, 0),
    ("LEVEL1/IMAGES/RAT/002.PID", 4, -7),
    ("LEVEL1/IMAGES/RAT/003.PID", 5, 0),
    ("LEVEL1/IMAGES/MANY/99999.PID", 5, 0),
    ("LEVEL1/PALETTES/MAIN.PAL", 0, 0),
];

struct Attached {
    scene: Scene,
    losses: Losses,
    read: Vec<String>,
}

fn attach(level: &Document, files: &[(&str, i32, i32)], options: &AttachOptions) -> Attached {
    let mut scene = to_scene(level, &ImportOptions::default()).unwrap().scene;
    let read = RefCell::new(Vec::new());
    let assets = Assets::new(files.iter().map(|file| file.0), &level.header);
    let losses = attach_images(&mut scene, &assets, options, |path| {
        read.borrow_mut().push(path.to_owned());
        let (_, width, offset) = files.iter().find(|file| file.0 == path).ok_or("not found")?;
        let width = u32::try_from(*width).ok().filter(|width| *width > 0).ok_or("no pixels")?;
        let data = [5, 5, 5, 255].repeat(width as usize);
        let pixels = Pixels { width, height: 1, format: PixelFormat::Rgba8, data };
        Ok(DecodedImage { pixels, offset: [*offset, 0], is_grey: assets.palette().is_none() })
    });
    let broken = scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
    assert!(broken.is_none(), "{broken:?}");
    Attached { scene, losses, read: read.into_inner() }
}

/// The tiles of the set of that name.
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

fn texts(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

#[test]
fn tiles_get_the_image_of_their_number() {
    let Attached { scene, losses, .. } = attach(&level(&[]), &FILES, &AttachOptions::default());
    assert_eq!(widths(&scene, tiles(&scene, "ACTION").unwrap()), [0, 1, 2, 0, 0]);
    let (_, image) = scene.images.iter().next().unwrap();
    assert_eq!(image.name, "LEVEL1/TILES/ACTION/001.PID");
    let ImageSource::Pixels(pixels) = &image.source else { panic!("{image:?}") };
    assert_eq!((pixels.format, &pixels.data[..]), (PixelFormat::Rgba8, &[5, 5, 5, 255][..]));
    let texts = texts(&losses);
    assert!(texts[0].contains("004.PID") && texts[0].contains("no pixels"), "{texts:?}");
    // No cell shows tile 0.
    assert!(texts[1].contains("tiles without an image in \"ACTION\": 1 (3)") && texts.len() == 2, "{texts:?}");
}

#[test]
fn objects_get_the_shown_frames_and_the_first() {
    let level = level(&[("LEVEL_RAT", 2), ("level_rat", -1), ("LEVEL_CAT", 1), ("", 1), ("LEVEL_MANY", 99_999)]);
    let Attached { scene, losses, read, .. } = attach(&level, &FILES, &AttachOptions::default());
    let rats = tiles(&scene, "LEVEL_RAT").or(tiles(&scene, "level_rat")).unwrap();
    assert_eq!(widths(&scene, rats), [0, 3, 4], "the third is not shown");
    assert_eq!(rats[2].properties.get("offset_x").and_then(Value::as_int), Some(-7));
    assert!(rats[1].properties.is_empty() && rats[2].properties.len() == 1);
    assert!(tiles(&scene, "LEVEL_CAT").is_none() && tiles(&scene, "LEVEL_MANY").is_none());
    let texts = texts(&losses);
    assert!(texts.iter().any(|text| text.contains("image sets without an image: 2 (\"LEVEL_CAT\", \"LEVEL_MANY\")")));
    assert!(!read.iter().any(|path| path.contains("003") || path.contains("99999")), "{read:?}");

    let without = AttachOptions::default().with_objects(false);
    let Attached { scene, read, .. } = attach(&level, &FILES, &without);
    assert_eq!((scene.tile_sets.len(), read.len()), (1, 3), "{read:?}");
}

#[test]
fn an_object_may_show_a_tile() {
    let Attached { scene, read, .. } = attach(&level(&[("ACTION", 1)]), &FILES, &AttachOptions::default());
    assert_eq!(scene.tile_sets.len(), 1);
    let tiles = tiles(&scene, "ACTION").unwrap();
    assert_eq!(widths(&scene, tiles), [0, 1, 2, 0, 0]);
    assert_eq!(tiles[1].properties.get("offset_x").and_then(Value::as_int), Some(9));
    assert_eq!(read.iter().filter(|path| path.contains("001")).count(), 1, "each file is read once");
}

#[test]
fn missing_images_are_reported() {
    let Attached { scene, losses, .. } = attach(&level(&[]), &FILES[..2], &AttachOptions::default());
    assert_eq!(scene.images.len(), 2);
    assert!(texts(&losses).iter().any(|text| text.contains("2 images in grey")), "{losses:?}");

    // Eight bytes suffice for the second image alone, but not after the first.
    let Attached { scene, losses, .. } = attach(&level(&[]), &FILES, &AttachOptions::default().with_max_bytes(8));
    assert_eq!(scene.images.len(), 1);
    assert!(texts(&losses).iter().any(|text| text.contains("2 images beyond the size limit")), "{losses:?}");

    // Images of another level.
    let mut other = level(&[]);
    other.header.image_dir = FixedBytes::from_text(br"\LEVEL2\TILES\").unwrap();
    let Attached { scene, losses, .. } = attach(&other, &FILES, &AttachOptions::default());
    assert_eq!((scene.images.len(), losses.len()), (0, 1));
    assert!(losses.items[0].text.contains("folder LEVEL2/TILES not found"), "{losses:?}");
}

#[test]
fn a_level_comes_back_without_its_images() {
    let level = level(&[("LEVEL_RAT", 2)]);
    let Attached { scene, .. } = attach(&level, &FILES, &AttachOptions::default().with_objects(false));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    assert!(export.document.to_main_block().unwrap() == level.to_main_block().unwrap());
    let texts = texts(&export.losses);
    assert!(texts.len() == 1 && texts[0].starts_with("preserved: images: 2 tile images "), "{texts:?}");

    // An image that the game does not have.
    let mut drawn = scene;
    drawn.images.iter_mut().for_each(|(_, image)| image.name = image.name.replace("PID", "png"));
    let export = from_scene(&drawn, &ExportOptions::default()).unwrap();
    assert_eq!(export.losses.lost_count(), 2, "{:?}", export.losses);
}
