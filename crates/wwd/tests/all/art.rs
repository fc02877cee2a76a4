//! Image files in lists of paths.

use mapwright_wwd::Header;
use mapwright_wwd::art::Assets;
use mapwright_wwd::io::FixedBytes;
use proptest::prelude::*;

proptest! {
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
