//! Edits report what they change, change nothing else, and nothing at all when they fail.

use crate::{strategies, support};

use mapwright_testkit::corpus;
use mapwright_wwd::edit::{Anchor, Area, Assignment, EditError, Objects as _, Placement, Query, Resize, SetRenamed};
use mapwright_wwd::query::Text;
use mapwright_wwd::{
    Cell, Checksum, Document, FieldValue, HeaderFlags, Object, ObjectType, Plane, PlaneFlags, Rect, Shape,
    WriterProfile,
};
use proptest::prelude::*;

fn tile(frame: u16) -> Cell {
    Cell::Tile { image_set: 0, frame }
}

/// A level of Claw: a background of 2 by 2 tiles, and a main plane of 4 by 3 whose tiles are 0, 1, 2…
fn level() -> Document {
    let mut document = Document::new();
    let line = "set level: image_dir=\\LEVEL1\\TILES, start_x=100, start_y=70, name=Claw - Level 1";
    support::edit(&mut document, line).unwrap();
    let mut back = Plane::with_grid(b"Back", 2, 2, 64).unwrap();
    back.image_sets.push(b"BACK").unwrap();
    let mut action = Plane::with_grid(b"Action", 4, 3, 64).unwrap();
    action.flags = PlaneFlags::MAIN;
    action.tiles = (0..12).collect();
    action.image_sets.push(b"ACTION").unwrap();
    document.add_plane(0, back).unwrap();
    document.add_plane(1, action).unwrap();
    for text in [
        "logic=Elevator image_set=LEVEL_ELEVATOR x=100 y=50 min_x=64 max_x=200 speed_x=125",
        "logic=SpecialPowerup image_set=GAME_WARP x=10 y=10 speed_x=150 speed_y=20",
        "logic=SpecialPowerup image_set=GAME_POWERUPS_GHOST x=11 y=10 speed_x=150",
        "logic=Soldier image_set=LEVEL_SOLDIER x=20 y=20 min_x=1 powerup=32 speed_x=5 speed_y=6",
        "logic=SpringBoard image_set=LEVEL_SPRING x=30 y=30 max_y=450",
        "logic=Mystery image_set=ACTION x=30 y=180 min_x=7",
    ] {
        document.add_object(1, Object::with_fields(&assignments(text)).unwrap()).unwrap();
    }
    document
}

fn assignments(text: &str) -> Vec<Assignment> {
    text.split_whitespace().map(|text| text.parse().unwrap()).collect()
}

/// Sets fields of objects. Returns the numbers of those that changed and that matched.
fn set(document: &mut Document, query: &str, fields: &str) -> Option<(usize, usize)> {
    let edited = support::set(document, query, &assignments(fields)).ok()?;
    Some((edited.changed, edited.matched?))
}

/// Writes and reads the level.
fn through_file(document: &Document) -> Document {
    Document::from_bytes(&document.to_bytes().unwrap()).unwrap()
}

#[test]
fn planes_are_found_by_name_index_and_flag() {
    let mut document = level();
    assert_eq!(document.find_plane("Action"), Ok(1));
    assert_eq!(document.find_plane("#0"), Ok(0));
    assert_eq!(document.find_plane("#main"), Ok(1));
    let error = document.find_plane("Front").unwrap_err();
    assert_eq!(error.to_string(), "no plane is named \"Front\": planes are #0 Back, #1 Action");
    support::edit(&mut document, "set name=Back: name=Action").unwrap();
    let error = document.find_plane("Action").unwrap_err();
    assert_eq!(error.to_string(), "several planes are named \"Action\": expected one of #0 Action, #1 Action");
    for which in ["#2", "#", "#-1", "#99999999999999999999", ""] {
        assert!(matches!(document.find_plane(which), Err(EditError::NoPlane { .. })), "{which}");
    }
}

#[test]
fn a_plane_is_added_and_removed() {
    let mut document = level();
    let before = document.clone();
    let plane = Plane::with_grid(b"Front", 3, 1, 32).unwrap();
    assert_eq!((plane.width_px, plane.height_px, plane.movement_x), (96, 32, 100));
    document.add_plane(2, plane.clone()).unwrap();
    assert_eq!(through_file(&document).planes, document.planes);
    assert_eq!(document.remove_plane(2), Ok(plane.clone()));
    assert_eq!(document, before);
    assert_eq!(document.add_plane(3, plane.clone()), Err(EditError::PlaneIndex { index: 3, count: 2 }));
    assert_eq!(document.remove_plane(2), Err(EditError::PlaneIndex { index: 2, count: 2 }));
    let torn = Plane { tiles: vec![0].into(), ..plane };
    assert!(matches!(document.add_plane(0, torn), Err(EditError::Cells { .. })));
    assert_eq!(document, before);
    assert!(matches!(Plane::with_grid(&[b'a'; 64], 1, 1, 64), Err(EditError::Name { .. })));
    for (columns, rows, size) in [(0x7FFF_FFFF, 0x7FFF_FFFF, 1), (1 << 26, 2, 1), (1 << 26, 1, 64), (u32::MAX, 0, 1)] {
        assert!(Plane::with_grid(b"", columns, rows, size).is_err(), "{columns} {rows} {size}");
    }
}

#[test]
fn fields_of_planes_are_set_except_the_grid() {
    let mut document = level();
    let fields = "movement_x=50 flags+=WRAP_X|WRAP_Y flags-=MAIN tile_w=32";
    assert_eq!(set(&mut document, "kind=plane and name=Back", fields), Some((1, 1)));
    let back = &document.planes[0];
    assert_eq!((back.movement_x, back.flags.0, back.width_px, back.tiles.len()), (50, 12, 64, 4));
    let before = document.clone();
    for text in ["movement_x=1 tiles_wide=9", "width_px=1", "tile_w=0x7FFFFFFF", "z_coord=1 nothing=2", "flags=ALL"] {
        assert_eq!(set(&mut document, "kind=plane and name=Back", text), None, "{text}");
        assert_eq!(document, before, "{text}");
    }
}

#[test]
fn a_plane_grows_with_its_objects_and_the_start() {
    let mut document = level();
    let resize = Resize { columns: 6, rows: 4, placement: Placement::Anchor(Anchor::BottomRight) };
    let resized = document.resize_plane(1, &resize).unwrap();
    assert_eq!((resized.moved_by, resized.tiles_lost, resized.cells_added), ((2, 1), 0, 12));
    assert_eq!((resized.objects_moved, resized.places_moved, resized.places_unknown), (6, 3, 1));
    assert_eq!((resized.objects_outside, resized.start_moved), (0, true));
    let plane = &document.planes[1];
    assert_eq!((plane.width_px, plane.height_px), (384, 256));
    assert_eq!(plane.cell(1, 1), Some(Cell::Empty));
    assert_eq!((plane.cell(2, 1), plane.cell(5, 3)), (Some(tile(0)), Some(tile(11))));
    assert_eq!((document.header.start_x, document.header.start_y), (228, 134));
    let [elevator, warp, ghost, soldier, spring, mystery] = &plane.objects[..] else { panic!("six objects") };
    assert_eq!((elevator.x, elevator.y, elevator.min_x, elevator.max_x), (228, 114, 192, 328));
    assert_eq!((elevator.min_y, elevator.speed_x), (0, 125), "an axis that is not used, and a speed");
    assert_eq!((warp.speed_x, warp.speed_y), (278, 84), "where it leads");
    assert_eq!((ghost.x, ghost.speed_x), (139, 150), "it leads nowhere");
    assert_eq!((soldier.speed_x, soldier.speed_y, soldier.min_x), (133, 70, 129));
    assert_eq!((spring.y, spring.max_y), (94, 450), "a height");
    assert_eq!((mystery.x, mystery.min_x), (158, 7));
    assert_eq!(through_file(&document).planes, document.planes);
}

#[test]
fn areas_move_with_their_objects() {
    let mut document = level();
    support::edit(&mut document, "delete kind=object").unwrap();
    for text in [
        "logic=AmbientSound x=10 rect_hit=5,6,7,8 rect_move=1000,2000,3000,4000",
        "logic=Shake x=10 rect_attack=5,6,7,8 rect_hit=1,1,1,1",
        "logic=TProjectile x=10 min_x=1 max_y=2 speed_x=100",
        "logic=DoNothing x=10 min_x=1",
    ] {
        document.add_object(1, Object::with_fields(&assignments(text)).unwrap()).unwrap();
    }
    let resize = Resize { columns: 5, rows: 3, placement: Placement::Anchor(Anchor::Right) };
    let resized = document.resize_plane(1, &resize).unwrap();
    assert_eq!((resized.places_moved, resized.places_unknown), (3, 0));
    let [sound, shake, shooter, decoration] = &document.planes[1].objects[..] else { panic!("four objects") };
    let rect = |left, top, right, bottom| Rect { left, top, right, bottom };
    assert_eq!((sound.rect_hit, sound.rect_move), (rect(69, 6, 71, 8), rect(1000, 2000, 3000, 4000)));
    assert_eq!((shake.rect_attack, shake.rect_hit), (rect(69, 6, 71, 8), rect(1, 1, 1, 1)));
    assert_eq!((shooter.min_x, shooter.max_y, shooter.speed_x), (65, 2, 100));
    assert_eq!((decoration.x, decoration.min_x), (74, 1), "its logic does not use the field");
}

#[test]
fn shrinking_a_plane_reports_losses() {
    let mut document = level();
    document.fill_tiles(1, Area { column: 0, row: 0, columns: 1, rows: 3 }, Cell::Empty).unwrap();
    let resize = Resize { columns: 2, rows: 2, placement: Placement::Offset { columns: -1, rows: 0 } };
    let resized = document.resize_plane(1, &resize).unwrap();
    // 4 of 9 tiles are left; empty cells are no loss.
    assert_eq!((resized.tiles_lost, resized.cells_added), (5, 0));
    let plane = &document.planes[1];
    assert_eq!(plane.tiles, [1, 2, 5, 6]);
    assert_eq!(plane.objects[0].min_x, 1, "0 would be none");
    // Left of the plane all but the elevator, and below it the last.
    assert_eq!(resized.objects_outside, 5);
    assert_eq!(plane.objects.len(), 6);
}

#[test]
fn planes_other_than_the_main_one_leave_the_start() {
    let mut document = level();
    let resize = Resize { columns: 4, rows: 4, placement: Placement::Anchor(Anchor::Center) };
    let resized = document.resize_plane(0, &resize).unwrap();
    assert_eq!((resized.moved_by, resized.start_moved), ((1, 1), false));
    assert_eq!(document.header.start_x, 100);
}

#[test]
fn sizes_that_are_too_large_are_rejected() {
    let mut document = level();
    document.planes[1].objects[5].x = i32::MAX;
    let before = document.clone();
    let offset = |columns, rows| Placement::Offset { columns, rows };
    for (columns, rows, placement) in [
        (0x7FFF_FFFF, 0x7FFF_FFFF, offset(0, 0)),
        (u32::MAX, 1, Placement::Anchor(Anchor::Right)),
        (1 << 14, 1 << 14, offset(0, 0)),
        (5, 3, offset(1, 0)),
        (5, 3, offset(i32::MAX, 0)),
        (5, 3, offset(0, i32::MIN)),
    ] {
        assert!(document.resize_plane(1, &Resize { columns, rows, placement }).is_err(), "{columns} {rows}");
        assert_eq!(document, before);
    }
}

#[test]
fn tiles_are_filled_replaced_and_copied() {
    let mut document = level();
    let area: Area = "1,0,2,2".parse().unwrap();
    assert_eq!(document.fill_tiles(1, area, tile(5)), Ok(3), "one cell already has that tile");
    assert_eq!(document.planes[1].tiles, [0, 5, 5, 3, 4, 5, 5, 7, 8, 9, 10, 11]);
    let all = Area::whole_plane(&document.planes[1]);
    assert_eq!(document.replace_tiles(1, all, tile(5), Cell::Fill), Ok(4));
    assert_eq!(document.replace_tiles(1, all, tile(99), Cell::Empty), Ok(0));
    assert_eq!(document.copy_tiles(1, "2,1,2,2".parse().unwrap(), 0, (0, 0)), Ok(4));
    assert_eq!(document.planes[0].tiles, [Cell::FILL, 7, 10, 11]);
    // Overlapping areas copy the old cells.
    assert_eq!(document.copy_tiles(1, "0,2,3,1".parse().unwrap(), 1, (1, 2)), Ok(3));
    assert_eq!(document.planes[1].tiles[8..], [8, 8, 9, 10]);
    let before = document.clone();
    for area in ["4,0,1,1", "0,0,5,1", "1,1,4294967295,1", "0,3,1,1"] {
        let error = document.fill_tiles(1, area.parse().unwrap(), Cell::Empty).unwrap_err();
        assert_eq!(error.to_string(), format!("area {area} outside the grid of 4×3 tiles"));
    }
    assert!(document.copy_tiles(1, all, 0, (0, 0)).is_err());
    assert!(document.copy_tiles(0, all, 7, (0, 0)).is_err());
    assert_eq!(document, before);
    assert_eq!(document.fill_tiles(1, "4,3,0,0".parse().unwrap(), Cell::Empty), Ok(0));
}

#[test]
fn cells_read_and_print_the_same() {
    for (text, word) in [("empty", Cell::EMPTY), ("fill", Cell::FILL), ("17", 17), ("1:17", 0x1_0011)] {
        let cell: Cell = text.parse().unwrap();
        assert_eq!((cell.word(), cell.to_string()), (word, text.to_owned()));
    }
    for text in ["", "-1", "65536", "1:", ":1", "65536:1", "Empty"] {
        assert!(text.parse::<Cell>().is_err(), "{text}");
    }
}

#[test]
fn objects_are_found_set_and_removed() {
    let mut document = level();
    assert_eq!(set(&mut document, "logic=Elevator", "speed_x=150 draw_flags+=MIRROR"), Some((1, 1)));
    assert_eq!(set(&mut document, "logic=SpecialPowerup", "speed_x=150 speed_y=20"), Some((1, 2)));
    // The planes have the numbers 0 and 1.
    let query = "plane=Action and speed_x=150 and x>=11".parse().unwrap();
    assert_eq!(document.select(&query), Ok(vec![2, 4]));
    let before = document.clone();
    assert_eq!(set(&mut document, "x<=30", "x-=5 y-=2147483640 z=1"), Some((5, 5)));
    document = before.clone();
    document.planes[1].objects[5].y = -100;
    let before = document.clone();
    assert_eq!(set(&mut document, "x<=30", "x-=5 y-=2147483640 z=1"), None);
    assert_eq!(document, before, "the last object would leave 32 bits");
    assert_eq!(support::edit(&mut document, "delete logic~Power").unwrap().changed, 2);
    assert!(support::edit(&mut document, "delete plane=Back").is_err());
    assert_eq!(document.planes[1].objects.len(), 4);
    assert_eq!(document.remove_object(1, 3).unwrap().logic, b"Mystery");
    assert!(matches!(document.remove_object(1, 3), Err(EditError::ObjectIndex { index: 3, count: 3 })));
    assert_eq!(document.free_object_id(), 1);
    assert_eq!(set(&mut document, "logic=Soldier", "id=41"), Some((1, 1)));
    assert_eq!(document.free_object_id(), 42);
}

#[test]
fn image_sets_are_renamed_everywhere() {
    let mut document = level();
    let renamed = document.rename_image_set(b"ACTION", b"CUSTOM");
    assert_eq!(renamed, Ok(SetRenamed { plane_names: 1, objects: 1 }));
    assert_eq!(document.planes[1].image_sets.as_bytes(), b"CUSTOM\0");
    assert_eq!(document.planes[1].objects[5].image_set, b"CUSTOM");
    assert_eq!(document.rename_image_set(b"ACTION", b"X"), Ok(SetRenamed::default()));
    assert!(document.rename_image_set(b"", b"X").is_err());
    assert!(document.rename_image_set(b"CUSTOM", b"A\0B").is_err());
}

#[test]
fn changed_level_numbers_are_reported() {
    let mut document = level();
    let mut rename =
        |name: &str| support::edit(&mut document, &format!("set level: name={name}")).map(|done| done.text);
    assert_eq!(rename("My Level 1!").unwrap(), "1 field changed");
    let expected = "1 field changed; the level number was 1 and is 12; the game chooses its images by it";
    assert_eq!(rename("My Level 12").unwrap(), expected);
    assert!(rename(&"1".repeat(65)).is_err());
    assert_eq!(document.header.name.text(), b"My Level 12");
}

#[test]
fn an_edited_level_has_the_checksum_of_its_profile() {
    for (profile, checksum) in [(WriterProfile::Editor, Checksum::Editor), (WriterProfile::WapMap, Checksum::WapMap)] {
        for compressed in [true, false] {
            let mut document = level();
            document.header.flags = document.header.flags.with(HeaderFlags::COMPRESS, compressed);
            document.profile = profile;
            let mut document = through_file(&document);
            let old = document.header.checksum;
            document.profile = profile;
            document.fill_tiles(1, Area { column: 0, row: 0, columns: 4, rows: 3 }, tile(3)).unwrap();
            let again = through_file(&document);
            let stored = again.stored_block().unwrap();
            let main = again.to_main_block().unwrap();
            assert_eq!(again.header.checksum, checksum.compute(stored, &main, compressed));
            assert_ne!(again.header.checksum, old);
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_levels_are_resized_and_back() {
    let Some(folder) = corpus("wwd") else { return };
    let bytes = std::fs::read(folder.join("RETAIL01.WWD")).unwrap();
    let before = Document::from_bytes(&bytes).unwrap();
    let mut document = before.clone();
    let main = document.main_plane_index().unwrap();
    let (columns, rows) = document.planes[main].size();
    let grow = Resize { columns: columns + 5, rows: rows + 7, placement: Placement::Anchor(Anchor::BottomRight) };
    let resized = document.resize_plane(main, &grow).unwrap();
    assert_eq!(resized.objects_moved, before.planes[main].objects.len());
    assert!(resized.places_moved > 50, "{resized:?}");
    assert_eq!(through_file(&document).planes, document.planes);
    let back = Resize { columns, rows, placement: Placement::Anchor(Anchor::BottomRight) };
    document.resize_plane(main, &back).unwrap();
    assert_eq!(document, before);
    assert!(document.to_bytes().unwrap() == bytes);
}

/// Gives a level tiles of the usual size, and numbers that moves by tiles neither make 0 nor move beyond 32 bits.
fn with_small_numbers(mut document: Document) -> Document {
    let number = |number: i32| number % 1000 * 4096 + 1;
    for object in document.planes.iter_mut().flat_map(|plane| &mut plane.objects) {
        for field in Object::FIELDS {
            let value = match object.field(field) {
                Some(FieldValue::Int(old)) => FieldValue::Int(number(old)),
                Some(FieldValue::Rect(old)) => FieldValue::Rect(Rect {
                    left: number(old.left),
                    top: number(old.top),
                    right: number(old.right),
                    bottom: number(old.bottom),
                }),
                _ => continue,
            };
            object.set_field(field, value).unwrap();
        }
    }
    document.header.start_x %= 1000;
    document.header.start_y %= 1000;
    for plane in &mut document.planes {
        (plane.tile_w, plane.tile_h) = (64, 64);
        (plane.width_px, plane.height_px) = (plane.tiles_wide * 64, plane.tiles_high * 64);
    }
    document
}

proptest! {
    #[test]
    fn a_resize_and_back_changes_nothing(
        document in strategies::document(), more in (0_u32..9, 0_u32..9), at in (0_i32..9, 0_i32..9),
        plane in any::<prop::sample::Index>(), logic in prop::sample::select(vec!["Elevator", "Raux", "Shake", "No"]),
    ) {
        let mut before = with_small_numbers(document);
        prop_assume!(!before.planes.is_empty());
        set(&mut before, "kind=object", &format!("logic={logic}")).unwrap();
        let index = plane.index(before.planes.len());
        let mut document = before.clone();
        let (columns, rows) = document.planes[index].size();
        let offset = |columns, rows| Placement::Offset { columns, rows };
        let (across, down) = (at.0.min(more.0.cast_signed()), at.1.min(more.1.cast_signed()));
        let grow = Resize { columns: columns + more.0, rows: rows + more.1, placement: offset(across, down) };
        let resized = document.resize_plane(index, &grow).unwrap();
        prop_assert_eq!(resized.tiles_lost, 0);
        let again = through_file(&document);
        prop_assert_eq!(&again.planes, &document.planes);
        document.resize_plane(index, &Resize { columns, rows, placement: offset(-across, -down) }).unwrap();
        prop_assert_eq!(document, before);
    }

    #[test]
    fn edits_change_the_file(
        mut document in strategies::document(), cell in strategies::cell(), object in strategies::object(),
        number in any::<i32>(), name in strategies::text(63),
    ) {
        document.layout = None;
        let index = document.planes.len();
        let mut plane = Plane::with_grid(b"New", 3, 2, 64).unwrap();
        plane.objects.push(object);
        document.add_plane(index, plane).unwrap();
        document.fill_tiles(index, Area { column: 1, row: 0, columns: 2, rows: 2 }, Cell::from_word(cell)).unwrap();
        let counter = [Assignment::set("counter", number.to_string().as_str())];
        support::set(&mut document, "kind=object", &counter).unwrap();
        let set_name = [Assignment::set("name", Text::literal(name))];
        support::set(&mut document, "plane=New", &set_name).unwrap();
        let again = through_file(&document);
        prop_assert_eq!(&again.planes, &document.planes);
        prop_assert_eq!(&again.tile_properties, &document.tile_properties);
        prop_assert!(again.planes.iter().flat_map(|plane| &plane.objects).all(|object| object.counter == number));
    }

    #[test]
    fn queries_and_values_never_panic(text in "[a-z_]{0,8}[=<>!~+-]{0,2}\\PC{0,12}", object in strategies::object()) {
        if let Ok(query) = text.parse::<Query>() {
            let mut level = Document::new();
            level.planes.push(Plane { objects: vec![object].into(), ..Plane::default() });
            let found = level.select(&query);
            let printed = query.to_string().parse::<Query>().unwrap();
            prop_assert_eq!(level.select(&printed), found);
        }
        if let Ok(assignment) = text.parse::<Assignment>() {
            let _ = Object::with_fields(&[assignment]);
        }
        let _ = (text.parse::<Area>(), text.parse::<Cell>(), text.parse::<Anchor>(), Document::new().find_plane(&text));
    }
}

#[test]
fn levels_without_compression_state_no_size() {
    let mut level = level();
    level.header.flags = level.header.flags.with(HeaderFlags::COMPRESS, true);
    let mut level = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
    assert!(level.header.main_block_size > 0);
    level.header.flags = level.header.flags.with(HeaderFlags::COMPRESS, false);
    let mut level = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
    assert_eq!(level.header.main_block_size, 0);
    // A size that was read stays as long as the block does not change.
    level.header.main_block_size = 999;
    let mut level = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
    assert_eq!(level.header.main_block_size, 999);
    support::edit(&mut level, "add plane name=Action, size=20x10, flags=MAIN").unwrap();
    assert_eq!(Document::from_bytes(&level.to_bytes().unwrap()).unwrap().header.main_block_size, 0);
}

#[test]
fn unreliable_types_of_hits_are_reported() {
    let mut level = level();
    let count = |level: &Document| level.validate().iter().filter(|finding| finding.code == "hit-type").count();
    for (hit_type, expected) in [(0x10, 0), (0xFFFF_FFFF, 0), (0x400, 0), (0x100, 1), (0x200, 1), (0x311, 1)] {
        let object = Object { hit_type: ObjectType(hit_type), logic: b"Rat".to_vec(), ..Object::default() };
        level.planes[1].objects = vec![object].into();
        assert_eq!(count(&level), expected, "{hit_type:#x}");
    }
}

#[test]
fn attributes_of_tiles_are_set() {
    let mut level = level();
    let before = level.tile_properties.clone();
    for (line, changed) in [
        ("tiles set 5-6 solid", "2 tile properties changed"),
        ("tiles set 5 SOLID", "0 tile properties changed"),
        ("tiles set 7 clear ground 0,16,63,63", "1 tile property changed"),
        ("tiles set 8 12", "1 tile property changed"),
    ] {
        assert_eq!(support::edit(&mut level, line).unwrap().to_string(), changed, "{line}");
    }
    let level = Document::from_bytes(&level.to_bytes().unwrap()).unwrap();
    let items = &level.tile_properties.as_ref().unwrap().items;
    let rect = Rect { left: 0, top: 16, right: 63, bottom: 63 };
    let shapes = [Shape::Single(1), Shape::Single(1), Shape::Double { outside: 0, inside: 2, rect }, Shape::Single(12)];
    assert!(items[5..9].iter().map(|item| &item.shape).eq(&shapes), "{items:?}");
    assert!(items[..5].iter().all(|item| (item.width, item.height) == (64, 64)));
    let kept = before.map_or(0, |table| table.items.len().min(5));
    assert_eq!(items.iter().take(5).skip(kept).filter(|item| item.shape != Shape::Single(0)).count(), 0);
    let mut other = level.clone();
    for line in ["tiles set 5 wet", "tiles set 70000 solid", "tiles set 5 clear solid", "tiles set 5 clear solid 1,2"] {
        assert!(support::edit(&mut other, line).is_err(), "{line}");
    }
    assert!(other == level);
}
