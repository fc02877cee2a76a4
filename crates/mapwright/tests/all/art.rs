//! Images of games in conversions.
#![cfg(all(feature = "wwd", feature = "tiled"))]

use std::fs;

use mapwright::interchange::NoFiles;
use mapwright::io::FixedBytes;
use mapwright::wwd::{Document, Plane};
use mapwright::{ContentSource, Conversion, ConvertOptions, Format, convert};

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
