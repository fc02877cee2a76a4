//! Differences of two levels are complete, and each has its kind.

use crate::{strategies, support};

use std::time::{Duration, Instant};

use mapwright_testkit::corpus;
use mapwright_wwd::diff::{CellRun, Diff};
use mapwright_wwd::edit::{Anchor, Area, Placement, Resize};
use mapwright_wwd::{Cell, Document, Object, Plane, PlaneFlags, Shape, TileProperties, TileProperty};
use proptest::prelude::*;

fn coin(id: i32, x: i32, y: i32) -> Object {
    let image_set = b"GAME_TREASURE_COINS".to_vec();
    Object { id, x, y, i: -1, logic: b"TreasurePowerup".to_vec(), image_set, ..Object::default() }
}

fn level(objects: Vec<Object>) -> Document {
    let mut document = Document::new();
    let mut action = Plane::with_grid(b"Action", 8, 3, 64).unwrap();
    action.flags = PlaneFlags::MAIN;
    action.objects = objects.into();
    document.planes = vec![Plane::with_grid(b"Back", 2, 2, 64).unwrap(), action];
    document
}

/// Returns the differences as text.
fn text(old: &Document, new: &Document) -> String {
    Diff::between(old, new).to_string()
}

#[test]
fn changed_fields_and_cells_are_listed() {
    let old = level(vec![]);
    let mut new = old.clone();
    support::edit(&mut new, "set level: name=Level 2").unwrap();
    new.planes[0].movement_x = 50;
    new.fill_tiles(1, Area { column: 2, row: 1, columns: 3, rows: 2 }, Cell::Tile { image_set: 0, frame: 7 }).unwrap();
    new.fill_tiles(1, Area { column: 3, row: 1, columns: 1, rows: 1 }, Cell::Fill).unwrap();
    new.planes[1].image_sets.push(b"ACTION").unwrap();
    new.trailer = b"abc".to_vec();
    let expected = "header: name:  → Level 2\n\
         plane #0 Back: movement_x: 100 → 50\n\
         plane #1 Action: image sets:  → ACTION\n\
         plane #1 Action: row 1, column 2: empty → 7\n\
         plane #1 Action: row 1, column 3: empty → fill\n\
         plane #1 Action: row 1, column 4: empty → 7\n\
         plane #1 Action: row 2, columns 2-4: empty → 7\n\
         trailer: 0 bytes → 3 bytes\n";
    assert_eq!(text(&old, &new), expected);
    assert_eq!(text(&new, &new), "");
    let cells = &Diff::between(&old, &new).planes[1].cells;
    assert_eq!(cells[3], CellRun { row: 2, column: 2, count: 3, old: Cell::EMPTY, new: 7 });
}

#[test]
fn planes_are_matched_by_name_and_then_by_index() {
    let old = level(vec![]);
    let mut new = old.clone();
    new.add_plane(0, Plane::with_grid(b"Sky", 1, 1, 64).unwrap()).unwrap();
    assert_eq!(text(&old, &new), "+ plane #0 Sky\n");
    assert_eq!(text(&new, &old), "- plane #0 Sky\n");
    new.planes[2].name = new.planes[0].name;
    new.planes.remove(0);
    assert_eq!(text(&old, &new), "plane #1 Action: name: Action → Sky\n");
    let mut new = old.clone();
    new.planes.swap(0, 1);
    assert_eq!(text(&old, &new), "planes: different order\n");
}

#[test]
fn objects_are_matched_by_their_contents() {
    let old = level(vec![coin(1, 10, 10), coin(2, 74, 10), coin(3, 138, 10), coin(4, 5000, 10)]);
    // Renumbered; one removed, one moved a bit, one far.
    let mut new = level(vec![coin(7, 10, 10), coin(8, 138, 12), coin(9, 5000, 10), coin(10, 9000, 10)]);
    new.planes[1].objects[2].score = 5;
    let expected = "plane #1 Action: ~ #0 TreasurePowerup GAME_TREASURE_COINS at 10,10: id: 1 → 7\n\
         plane #1 Action: ~ #2 TreasurePowerup GAME_TREASURE_COINS at 138,10: id: 3 → 8; y: 10 → 12\n\
         plane #1 Action: ~ #3 TreasurePowerup GAME_TREASURE_COINS at 5000,10: id: 4 → 9; score: 0 → 5\n\
         plane #1 Action: - #1 TreasurePowerup GAME_TREASURE_COINS at 74,10\n\
         plane #1 Action: + #3 TreasurePowerup GAME_TREASURE_COINS at 9000,10\n";
    assert_eq!(text(&old, &new), expected);
}

#[test]
fn a_distant_object_is_matched_by_its_unique_id() {
    let old = level(vec![coin(1, 10, 10), coin(2, 74, 10)]);
    let mut new = level(vec![coin(1, 10, 10), coin(2, 9000, 10)]);
    let expected = "plane #1 Action: ~ #1 TreasurePowerup GAME_TREASURE_COINS at 74,10: x: 74 → 9000\n";
    assert_eq!(text(&old, &new), expected);
    // An object that was replaced at its position.
    new = old.clone();
    new.planes[1].objects[0].image_set = b"GAME_TREASURE_GOLDBARS".to_vec();
    new.planes[1].objects[1].logic = b"GlitterlessPowerup".to_vec();
    let diff = Diff::between(&old, &new);
    assert_eq!((diff.planes[0].objects.changed.len(), diff.planes[0].objects.added.len()), (2, 0));
    new = old.clone();
    new.planes[1].objects.swap(0, 1);
    assert_eq!(text(&old, &new), "plane #1 Action: objects: different order\n");
}

#[test]
fn changed_tile_properties_are_listed_per_tile() {
    let item = |shape| TileProperty { reserved_04: 0, width: 64, height: 64, shape };
    let mut old = level(vec![]);
    let mut new = old.clone();
    let items = vec![item(Shape::Single(0)), item(Shape::Single(1))];
    old.tile_properties = Some(TileProperties { items, ..TileProperties::default() });
    let rect = mapwright_wwd::Rect { left: 0, top: 0, right: 63, bottom: 48 };
    let items = vec![item(Shape::Double { outside: 0, inside: 2, rect })];
    new.tile_properties = Some(TileProperties { items, size: 33, ..TileProperties::default() });
    let expected = "tile properties: size: 0x20 → 0x21\n\
         tile 0: 64x64 single 0 → 64x64 double 0, within 0,0,63,48 2\n\
         tile 1: 64x64 single 1 → none\n";
    assert_eq!(text(&old, &new), expected);
    new.tile_properties = None;
    assert!(text(&old, &new).starts_with("tile properties: a table → none\ntile 0: 64x64 single 0 → none\n"));
}

#[test]
fn comparing_crowds_is_fast() {
    let crowd = |step: i32, from: i32| {
        let at = |index: i32| coin(index + from, index % 7, index * step);
        (0..13_000).map(at).collect::<Vec<_>>()
    };
    for (old, new) in [
        // All in one place, all near others, all far; no object is the same.
        (crowd(0, 0), crowd(0, 50_000)),
        (crowd(1, 0), crowd(1, 50_000)),
        (crowd(300, 0), crowd(301, 50_000)),
    ] {
        let (mut old, new) = (level(old), level(new));
        support::edit(&mut old, "set kind=object: score=1").unwrap();
        let start = Instant::now();
        let diff = Diff::between(&old, &new);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        let objects = &diff.planes[0].objects;
        assert_eq!(objects.changed.len() + objects.removed.len(), 13_000);
        assert_eq!(objects.changed.len() + objects.added.len(), 13_000);
    }
}

#[test]
fn comparing_many_planes_is_fast() {
    let mut old = Document::new();
    old.planes = vec![Plane::default(); 200_000];
    let mut new = old.clone();
    for (number, plane) in (0_i32..).zip(&mut new.planes) {
        plane.z_coord = number;
    }
    new.planes.truncate(100_000);
    let start = Instant::now();
    let diff = Diff::between(&old, &new);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert_eq!((diff.planes.len(), diff.planes_removed.len(), diff.planes_added.len()), (99_999, 100_000, 0));
}

#[test]
#[ignore = "needs the corpus"]
fn differences_of_corpus_levels_match_known_ones() {
    let Some(folder) = corpus("wwd") else { return };
    let read = |name: &str| Document::from_bytes(&std::fs::read(folder.join(name)).unwrap()).unwrap();
    let retail = read("RETAIL01.WWD");
    // The developers' own copy has other dates and paths, and the same objects in another order.
    let diff = Diff::between(&retail, &read("a9f8d4_WORLD.WWD"));
    let header: Vec<&str> = diff.header.iter().map(|change| change.field).collect();
    assert_eq!(header, ["birth", "rez_file", "checksum", "launch_app"]);
    assert!(
        diff.to_string().ends_with("objects: different order\n") && diff.to_string().lines().count() == 5,
        "{diff}"
    );
    let mut edited = retail.clone();
    let changed = support::edit(&mut edited, "set logic=Soldier: health=20").unwrap();
    support::edit(&mut edited, "delete logic=Officer").unwrap();
    let diff = Diff::between(&retail, &edited);
    let objects = &diff.planes[0].objects;
    assert_eq!((objects.changed.len(), objects.added.len()), (changed.changed, 0));
    assert!(objects.removed.iter().all(|object| object.logic == b"Officer") && !objects.removed.is_empty());
    // Objects move with their plane.
    let mut grown = retail.clone();
    let main = grown.main_plane_index().unwrap();
    let (columns, rows) = grown.planes[main].size();
    let grow = Resize { columns: columns + 1, rows, placement: Placement::Anchor(Anchor::Right) };
    grown.resize_plane(main, &grow).unwrap();
    let objects = &Diff::between(&retail, &grown).planes[0].objects;
    assert!(
        objects.added.len() == objects.removed.len() && objects.added.len() * 20 < retail.planes[main].objects.len()
    );
}

proptest! {
    #[test]
    fn only_equal_levels_have_no_differences(
        old in strategies::document(), other in strategies::unusual_document(), plane in any::<prop::sample::Index>(),
        object in strategies::object(), rotate in 0..3_usize,
    ) {
        prop_assert!(Diff::between(&old, &old).is_empty());
        prop_assert_eq!(Diff::between(&old, &other).is_empty(), old == other);
        let mut new = old.clone();
        if !new.planes.is_empty() {
            let index = plane.index(new.planes.len());
            new.planes[index].objects.insert(0, object);
            let count = new.planes[index].objects.len();
            new.planes[index].objects.rotate_left(rotate % count);
            let planes = new.planes.len();
            new.planes.rotate_left(rotate % planes);
        }
        let diff = Diff::between(&old, &new);
        prop_assert_eq!(diff.is_empty(), old == new);
        prop_assert_eq!(diff.to_string().is_empty(), diff.is_empty());
        let there = |document: &Document| document.planes.iter().map(|plane| plane.objects.len()).sum::<usize>();
        if diff.planes_added.is_empty() && diff.planes_removed.is_empty() {
            let sum = |of: fn(&mapwright_wwd::diff::ObjectsDiff) -> usize| {
                diff.planes.iter().map(|plane| of(&plane.objects)).sum::<usize>()
            };
            let (added, removed) = (sum(|objects| objects.added.len()), sum(|objects| objects.removed.len()));
            prop_assert_eq!(there(&old) + added, there(&new) + removed);
        }
    }
}
