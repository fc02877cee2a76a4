//! Statistics of levels.

use crate::{strategies, support};

use mapwright_testkit::corpus;
use mapwright_wwd::census::{Dropped, TileCount, TreasureCount};
use mapwright_wwd::edit::Area;
use mapwright_wwd::logics::{Game, Treasure};
use mapwright_wwd::{Cell, Document, Object, Plane, PlaneFlags};
use proptest::prelude::*;

fn level(image_dir: &str, objects: &[&str]) -> Document {
    let mut document = Document::new();
    support::edit(&mut document, &format!("set level: image_dir={image_dir}, name=Level 07 of 14")).unwrap();
    let mut action = Plane::with_grid(b"Action", 4, 2, 64).unwrap();
    action.flags = PlaneFlags::MAIN;
    action.image_sets.push(b"ACTION").unwrap();
    for text in objects {
        let fields: Vec<_> = text.split_whitespace().map(|text| text.parse().unwrap()).collect();
        action.objects.push(Object::with_fields(&fields).unwrap());
    }
    document.planes.push(action);
    document
}

#[test]
fn treasure_is_counted_on_planes_and_in_objects() {
    let document = level(
        "LEVEL7\\TILES",
        &[
            "logic=TreasurePowerup image_set=GAME_TREASURE_RINGS_RED",
            "logic=GlitterlessPowerup image_set=GAME_TREASURE_COINS",
            "logic=GlitterlessPowerup image_set=GAME_TREASURE_COINS powerup=1",
            // Not on the plane.
            "logic=GlitterlessPowerup image_set=GAME_TREASURE_COINS x=256",
            // Looks alone are no treasure, and no logic reads this as loot.
            "logic=DoNothing image_set=GAME_TREASURE_COINS powerup=33",
            "image_set=GAME_TREASURE_COINS",
            "logic=Soldier image_set=LEVEL_SOLDIER powerup=33 rect_user1=5,33,24,0 rect_user2=0,0,0,49",
            "logic=FrontCrate image_set=LEVEL_CRATES powerup=999 rect_user1=-1,0,0,6",
        ],
    );
    let census = document.census();
    let count = |treasure, lying, held| TreasureCount { treasure, lying, held };
    let expected = [
        count(Treasure::Coin, 2, 2),
        count(Treasure::Ring, 1, 1),
        count(Treasure::Necklace, 0, 1),
        count(Treasure::Skull, 0, 1),
    ];
    assert_eq!(census.treasure, expected);
    assert_eq!(census.score(), 4 * 100 + 2 * 1500 + 2500 + 25_000);
    assert_eq!(census.dropped, Dropped { outside: 1, without_logic: 1, unknown_logic: 0 });
    assert_eq!((census.game, census.level_number, census.objects), (Some(Game::Claw), Some(7), 8));
    assert_eq!((&census.logics[0].logic[..], census.logics[0].count), (&b"GlitterlessPowerup"[..], 3));
    assert!(census.logics[0].info.is_some());
}

#[test]
fn gruntz_drops_unregistered_logics() {
    let document = level("\\AREA1\\TILEZ", &["logic=TileTrigger", "logic=Soldier powerup=33", "x=-1"]);
    let census = document.census();
    assert_eq!(census.dropped, Dropped { outside: 1, without_logic: 0, unknown_logic: 1 });
    assert!(census.treasure.is_empty());
}

#[test]
fn tiles_are_counted_by_kind() {
    let mut document = level("LEVEL1", &[]);
    document.fill_tiles(0, Area { column: 0, row: 0, columns: 3, rows: 1 }, Cell::Fill).unwrap();
    document
        .fill_tiles(0, Area { column: 0, row: 1, columns: 2, rows: 1 }, Cell::Tile { image_set: 1, frame: 3 })
        .unwrap();
    document.planes[0].tiles[3] = 9;
    let census = document.census();
    let plane = &census.planes[0];
    assert_eq!((plane.empty, plane.filled, plane.tiles), (2, 3, 3));
    let count = |image_set, frame, count| TileCount { image_set, frame, count };
    assert_eq!(plane.used, [count(0, 9, 1), count(1, 3, 2)]);
    let text = census.to_string();
    let expected = "\
Claw, level 7
plane  name    cells  tile   moves    z  tiles  kinds  filled  objects  image sets  flags
#0     Action  4x2    64x64  100,100  0  3      2      3       0        ACTION      0x1 MAIN

objects  logic  meaning
";
    assert_eq!(text, expected);
}

#[test]
#[ignore = "needs the corpus"]
fn the_census_of_corpus_levels_matches_known_numbers() {
    let Some(folder) = corpus("wwd") else { return };
    let read = |name: &str| Document::from_bytes(&std::fs::read(folder.join(name)).unwrap()).unwrap().census();
    let retail = read("RETAIL01.WWD");
    assert_eq!((retail.game, retail.level_number, retail.objects), (Some(Game::Claw), Some(1), 1479));
    assert!(retail.logics.iter().all(|logic| logic.info.is_some()));
    println!("{retail}");
    let mask = read("LePortdeCoolness.wwd").properties.unwrap();
    assert_eq!((mask.mask, mask.single + mask.double + mask.mask), (2, 928));
    assert_eq!(read("ffi16hcwizoajou3bvnki2olrjakhwu2.wwd").dropped.outside, 1579);
    let gruntz = read("RockySwitch.wwd");
    assert_eq!((gruntz.game, gruntz.dropped), (Some(Game::Gruntz), Dropped::default()));
}

proptest! {
    #[test]
    fn counts_add_up(document in strategies::document()) {
        let census = document.census();
        let objects: usize = census.logics.iter().map(|logic| logic.count).sum();
        prop_assert_eq!(objects, census.objects);
        for (count, plane) in census.planes.iter().zip(&document.planes) {
            let cells = u64::try_from(plane.tiles.len()).unwrap();
            prop_assert_eq!(count.empty + count.filled + count.tiles, cells);
        }
        prop_assert!(!census.to_string().is_empty());
    }
}
