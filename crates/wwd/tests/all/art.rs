//! Images assembled by hand, and lists of paths.

use mapwright_wwd::Header;
use mapwright_wwd::art::{ArtErrorKind, Assets, GameImage, Palette, PidFlags, Pixels};
use mapwright_wwd::io::{Category, ErrorKind as _, FaultKind, FixedBytes};
use proptest::prelude::*;

/// A PID image.
fn pid(flags: u32, size: [i32; 2], offset: [i32; 2], pixels: &[u8]) -> Vec<u8> {
    let words = [10, flags.cast_signed(), size[0], size[1], offset[0], offset[1], 0, 0];
    words.into_iter().flat_map(i32::to_le_bytes).chain(pixels.iter().copied()).collect()
}

/// A PCX file of 8 bits per pixel and plane.
fn pcx(size: [u16; 2], planes: u8, row: u16, encoding: u8, pixels: &[u8]) -> Vec<u8> {
    let mut file = vec![10, 5, encoding, 8];
    // It need not start at 0.
    for word in [3, 4, size[0].wrapping_add(2), size[1].wrapping_add(3), 72, 72] {
        file.extend(word.to_le_bytes());
    }
    file.resize(65, 0);
    file.push(planes);
    file.extend(row.to_le_bytes());
    file.resize(128, 0);
    file.extend(pixels);
    file
}

fn palette() -> Vec<u8> {
    (0..=255).flat_map(|index: u8| [index, 255 - index, 7]).collect()
}

fn indices(image: &GameImage) -> &[u8] {
    image.pixels.indices().unwrap()
}

#[test]
fn packed_runs_cross_the_end_of_rows() {
    let file = pid(1, [3, 2], [-4, 5], &[0xC4, 200, 0xC0, 9, 0xC1, 0xFF, 0, 77]);
    let image = GameImage::from_pid(&file).unwrap();
    assert_eq!(indices(&image), [200, 200, 200, 200, 255, 0]);
    assert_eq!((image.width, image.height, image.offset), (3, 2, [-4, 5]));
    assert!(image.flags == PidFlags::TRANSPARENCY && image.needs_palette());
    // The last run may be too long.
    assert_eq!(indices(&GameImage::from_pid(&pid(0, [2, 1], [0; 2], &[0xFF, 5])).unwrap()), [5, 5]);
}

#[test]
fn skips_cross_the_end_of_rows() {
    let file = pid(0x21 | 8 | 16, [3, 2], [0; 2], &[2, 200, 201, 128 + 3, 128, 0, 1, 9]);
    let image = GameImage::from_pid(&file).unwrap();
    assert_eq!(indices(&image), [200, 201, 0, 0, 0, 9]);
    assert!(image.flags.has(PidFlags::MIRROR) && image.flags.has(PidFlags::INVERT), "flags are stored, not applied");
    assert_eq!(indices(&GameImage::from_pid(&pid(0x20, [2, 1], [0; 2], &[255])).unwrap()), [0, 0]);
    assert_eq!(indices(&GameImage::from_pid(&pid(0x20, [2, 1], [0; 2], &[9, 1, 2])).unwrap()), [1, 2]);
}

#[test]
fn an_image_may_have_its_own_palette() {
    let mut file = pid(0x80, [3, 1], [0; 2], &[0, 1, 255 - 64]);
    let level = Palette::from_bytes(&[9; 768]).unwrap();
    file[4] = 0;
    assert_eq!(GameImage::from_pid(&file).unwrap().rgba(&level), [0, 0, 0, 0, 9, 9, 9, 255, 9, 9, 9, 255]);
    file[4] = 0x80;
    file.extend(palette());
    let image = GameImage::from_pid(&file).unwrap();
    assert_eq!(image.rgba(&level), [0, 0, 0, 0, 1, 254, 7, 255, 191, 64, 7, 255]);
    assert!(!image.needs_palette());
    // A palette is no pixels.
    file.remove(32);
    let error = GameImage::from_pid(&file).unwrap_err();
    assert_eq!((error.category(), error.position().unwrap().offset), (Category::Truncated, 34));
    file.truncate(600);
    assert_eq!(GameImage::from_pid(&file).unwrap_err().category(), Category::Truncated);
}

#[test]
fn a_palette_is_768_bytes() {
    assert_eq!(Palette::from_bytes(&palette()).unwrap().color(3), [3, 252, 7]);
    assert_eq!(Palette::grey().color(200), [200; 3]);
    for size in [0, 767, 769, 1024] {
        let error = Palette::from_bytes(&vec![0; size]).unwrap_err();
        assert!(matches!(error.kind(), ArtErrorKind::PaletteSize { found } if *found == size));
    }
}

#[test]
fn every_prefix_of_a_file_ends_early() {
    let files = [pid(0, [3, 2], [0; 2], &[0xC4, 200, 1, 2]), pid(0x20, [3, 2], [0; 2], &[2, 200, 201, 128 + 4])];
    for file in files {
        assert!(GameImage::from_pid(&file).is_ok());
        for end in 0..file.len() {
            let error = GameImage::from_pid(&file[..end]).unwrap_err();
            assert_eq!(error.category(), Category::Truncated, "{end} bytes: {error}");
            assert!(error.position().unwrap().offset <= end as u64);
        }
    }
}

#[test]
fn impossible_sizes_are_rejected_without_allocating() {
    for size in [[0, 5], [5, 0], [-1, 5], [i32::MIN, i32::MIN]] {
        let error = GameImage::from_pid(&pid(0, size, [0; 2], &[1; 100])).unwrap_err();
        assert!(matches!(error.kind(), ArtErrorKind::Size { .. }), "{error}");
        assert_eq!(error.position().unwrap().offset, 8);
    }
    let error = GameImage::from_pid(&pid(0, [i32::MAX, i32::MAX], [0; 2], &[1; 100])).unwrap_err();
    assert!(matches!(error.kind(), ArtErrorKind::Input(FaultKind::Limit { .. })), "{error}");
    assert_eq!(error.kind().category(), Category::Limit);
    // The limit allows it, but a hundred bytes cannot contain it.
    for flags in [0, 0x20] {
        let error = GameImage::from_pid(&pid(flags, [4096, 4096], [0; 2], &[0xFF; 100])).unwrap_err();
        assert_eq!((error.category(), error.position().unwrap().offset), (Category::Truncated, 32), "{error}");
    }
}

#[test]
fn pcx_of_256_colours() {
    let mut file = pcx([3, 2], 1, 4, 1, &[0xC3, 9, 0, 1, 0xC2, 200, 0]);
    let image = GameImage::from_pcx(&file).unwrap();
    assert_eq!((image.width, image.height), (3, 2));
    assert_eq!(indices(&image), [9, 9, 9, 1, 200, 200], "without the padding");
    assert!(image.needs_palette());
    file.push(12);
    file.extend(palette());
    let image = GameImage::from_pcx(&file).unwrap();
    assert_eq!(image.rgba(&Palette::grey())[..4], [9, 246, 7, 255]);
    // A palette is no pixels.
    file.remove(128 + 6);
    assert_eq!(GameImage::from_pcx(&file).unwrap_err().category(), Category::Truncated);
}

#[test]
fn pcx_of_three_planes_and_unpacked() {
    let file = pcx([2, 2], 3, 2, 0, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
    let image = GameImage::from_pcx(&file).unwrap();
    assert_eq!(image.pixels, Pixels::Rgb(vec![1, 3, 5, 2, 4, 6, 7, 9, 11, 8, 10, 0]));
    assert_eq!(image.rgba(&Palette::grey())[12..], [8, 10, 0, 255]);
    assert!(!image.needs_palette());
}

#[test]
fn invalid_pcx_is_rejected() {
    let mut other = pcx([2, 1], 1, 2, 1, &[1, 2]);
    other[0] = 11;
    assert!(matches!(GameImage::from_pcx(&other).unwrap_err().kind(), ArtErrorKind::NotPcx { found: 11 }));
    other[0] = 10;
    other[3] = 1;
    assert_eq!(GameImage::from_pcx(&other).unwrap_err().category(), Category::Unsupported);
    let kind = |file: &[u8]| GameImage::from_pcx(file).unwrap_err().into_kind();
    assert!(matches!(kind(&pcx([3, 1], 1, 2, 1, &[1, 2, 3])), ArtErrorKind::PcxRow { row: 2, width: 3 }));
    assert!(matches!(kind(&pcx([0, 1], 1, 2, 1, &[1, 2, 3])), ArtErrorKind::Size { width: 0, .. }));
    assert!(matches!(kind(&pcx([60_000, 60_000], 1, 60_000, 1, &[1])), ArtErrorKind::Input(FaultKind::Limit { .. })));
    assert!(matches!(kind(&pcx([1, 60_000], 3, 65_535, 1, &[1])), ArtErrorKind::Input(FaultKind::Limit { .. })));
    assert_eq!(kind(&pcx([4000, 4000], 1, 4000, 1, &[0xFF; 100])).category(), Category::Truncated);
}

#[test]
fn the_extension_selects_the_decoder() {
    let (pid, pcx) = (pid(0, [1, 1], [0; 2], &[5]), pcx([1, 1], 1, 1, 1, &[6]));
    assert_eq!(indices(&GameImage::from_file("a/001.PID", &pid).unwrap()), [5]);
    assert_eq!(indices(&GameImage::from_file("TILE001.pcx", &pcx).unwrap()), [6]);
    for name in ["001.png", "pid", ""] {
        assert_eq!(GameImage::from_file(name, &pid).unwrap_err().category(), Category::Unsupported);
    }
}

proptest! {
    #[test]
    fn any_bytes_give_an_image_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..400), size in prop::option::of([0_u8..9, 0_u8..9])) {
        if let (Some([width, height]), 200..) = (size, bytes.len()) {
            let (wide, high) = (i32::from(width).to_le_bytes(), i32::from(height).to_le_bytes());
            bytes[8..12].copy_from_slice(&wide);
            bytes[12..16].copy_from_slice(&high);
        }
        let mut file = bytes.clone();
        if let Some(start) = file.get_mut(..4) {
            start.copy_from_slice(&[10, 5, 1, 8]);
        }
        for image in [GameImage::from_pid(&bytes), GameImage::from_pcx(&bytes), GameImage::from_pcx(&file)].into_iter().flatten() {
            let pixels = image.width as usize * image.height as usize;
            prop_assert_eq!(image.rgba(&Palette::grey()).len(), pixels * 4);
            prop_assert!(pixels <= bytes.len() * 127);
        }
    }

    #[test]
    fn any_paths_can_be_indexed(paths in prop::collection::vec("[A_/\\\\.0-1é]{0,12}(\\.PID)?", 0..20), root in "[A_/\\\\]{0,5}") {
        let text = |text: &str| FixedBytes::from_text(text.as_bytes()).unwrap();
        let header = Header { image_dir: text(&root), image_set_1: text(&root), pal_rez: text(&root), ..Header::default() };
        let assets = Assets::new(paths.clone(), &header);
        for key in ["A", "A_A", "", "_"] {
            for (_, path) in assets.sprite(key.as_bytes()) {
                prop_assert!(paths.iter().any(|known| known == path));
            }
        }
    }
}

fn header() -> Header {
    fn text<const N: usize>(text: &[u8]) -> FixedBytes<N> {
        FixedBytes::from_text(text).unwrap()
    }
    Header {
        image_dir: text(br"\LEVEL1\TILES"),
        pal_rez: text(br"\LEVEL1\PALETTES\MAIN.PAL"),
        image_set_1: text(b"LEVEL1_IMAGES"),
        prefix_1: text(b"LEVEL"),
        image_set_2: text(br"GAME\IMAGES\"),
        prefix_2: text(b"GAME"),
        ..Header::default()
    }
}

const PATHS: [&str; 15] = [
    "level1/tiles/action/001.pid",
    "LEVEL1/TILES/ACTION/74.PID",
    "LEVEL1/TILES/ACTION/TILE017.PCX",
    "LEVEL1/TILES/ACTION/017.TXT",
    "LEVEL1/TILES/BACK/001.PCX",
    "LEVEL1/TILES/BACK/B1.PID",
    r"LEVEL1\IMAGES\ARROWSIGN\LR\FRAME003.PID",
    r"LEVEL1\IMAGES\ARROWSIGN\LR\FRAME001.PID",
    r"LEVEL1\IMAGES\ARROWSIGN_LR2\1.PID",
    "LEVEL1/IMAGES2/ARROWSIGN/001.PID",
    "LEVEL1/IMAGES/ARROWSIGN/NONUMBER.PID",
    "LEVEL1/PALETTES/MAIN.PAL",
    "GAME/IMAGES/TREASURE/COINS/COIN10.PID",
    "GAME/IMAGES/TREASURE/COINS/99999999999.PID",
    "LEVEL2/TILES/ACTION/002.PID",
];

fn sprite<'a>(assets: &'a Assets, key: &str) -> Vec<(u32, &'a str)> {
    assets.sprite(key.as_bytes()).collect()
}

#[test]
fn tiles_are_found_by_number() {
    let assets = Assets::new(PATHS, &header());
    assert_eq!(assets.tile(b"ACTION", 1), Some(PATHS[0]));
    assert_eq!(assets.tile(b"action", 74), Some(PATHS[1]));
    assert_eq!(assets.tile(b"ACTION", 17), Some(PATHS[2]));
    assert_eq!(assets.tile(b"BACK", 1), Some(PATHS[5]), "the engine's own kind goes first");
    assert_eq!(assets.tile(b"ACTION", 2), None, "that is of another level");
    assert_eq!(assets.tile(b"FRONT", 1), None);
    assert_eq!(assets.palette(), Some(PATHS[11]));
}

#[test]
fn images_of_objects_are_found_by_name() {
    let assets = Assets::new(PATHS, &header());
    assert_eq!(sprite(&assets, "LEVEL_ARROWSIGN_LR"), [(1, PATHS[7]), (3, PATHS[6])]);
    assert_eq!(sprite(&assets, "Level_Arrowsign_LR2"), [(1, PATHS[8])]);
    assert_eq!(sprite(&assets, "GAME_TREASURE_COINS"), [(10, PATHS[12])]);
    assert_eq!(sprite(&assets, "LEVEL_ARROWSIGN"), [], "a folder beside, and a file without a number");
    assert_eq!(sprite(&assets, "BACK"), [(1, PATHS[5])], "tiles have no prefix");
    assert_eq!(sprite(&assets, ""), []);
}

#[test]
fn folders_may_be_deeper_and_the_header_may_be_empty() {
    let deeper = PATHS.map(|path| format!("CLAW/{path}"));
    let assets = Assets::new(deeper.clone(), &header());
    assert_eq!(assets.tile(b"ACTION", 74), Some(&*deeper[1]));
    assert_eq!(assets.palette(), Some(&*deeper[11]));
    assert_eq!(sprite(&assets, "GAME_TREASURE_COINS"), [(10, &*deeper[12])]);

    let silent = Header { pal_rez: FixedBytes::from_text(b"").unwrap(), ..header() };
    assert_eq!(Assets::new(PATHS, &silent).palette(), Some(PATHS[11]), "beside the tiles");
    let assets = Assets::new(PATHS, &Header::default());
    assert_eq!((assets.tile(b"ACTION", 1), assets.palette()), (None, None));
}

#[test]
fn indexing_deep_paths_is_linear() {
    let paths = (0..2000).map(|at| format!("{at}/{}1.PID", "A/".repeat(5000)));
    let assets = Assets::new(paths, &header());
    assert_eq!(assets.tile(b"A", 1), None);
}
