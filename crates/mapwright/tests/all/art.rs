//! Images of games in conversions.
#![cfg(all(feature = "wwd", feature = "tiled"))]

use std::fs;

use mapwright::interchange::NoFiles;
use mapwright::io::FixedBytes;
use mapwright::scene::ImageSource;
use mapwright::wwd::art::AttachOptions;
use mapwright::wwd::{Document, Plane};
use mapwright::{AnyDocument, ContentSource, Conversion, ConvertOptions, Format, LevelArt, convert};

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
