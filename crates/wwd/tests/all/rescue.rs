//! Recovery of damaged levels.

use mapwright_testkit::{fixtures_as, mutate};
use mapwright_wwd::io::{Category, Limits};
use mapwright_wwd::{Cell, Document, HeaderFlags, ImageSets, Plane, ReadOptions, Rescued, Shape};

/// Offsets in the header of a plane: the width in pixels, the columns, the offset of tiles, the numbers of image sets and of objects.
const WIDTH: usize = 0x50;
const COLUMNS: usize = 0x60;
const TILES: usize = 0x84;
const IMAGE_SETS: usize = 0x7C;
const OBJECTS: usize = 0x80;
/// Distance of the offset of image sets or objects from their number.
const OFFSET: usize = 12;
/// Sizes of the headers.
const HEADER: usize = 1524;
const PLANE: usize = 160;

fn rescue(bytes: &[u8]) -> Rescued<Document> {
    let rescued = Document::rescue(bytes, &ReadOptions::default()).unwrap();
    assert!(Document::from_bytes(&rescued.document.to_bytes().unwrap()).is_ok());
    rescued
}

fn fixture(name: &str) -> (Vec<u8>, Document) {
    let found = fixtures_as("wwd", Document::from_bytes).into_iter().find(|(found, ..)| found == name);
    found.map(|(_, bytes, level)| (bytes, level)).unwrap()
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn texts(rescued: &Rescued<Document>) -> Vec<String> {
    rescued.losses.iter().map(ToString::to_string).collect()
}

/// A level of 50 planes that share `section` as that of the number at `at` in their headers.
fn level_with_shared(section: &[u8], at: usize, count: u32) -> Vec<u8> {
    let mut level = Document::new();
    level.header.flags = HeaderFlags::default();
    level.planes = vec![Plane::default(); 50];
    let mut bytes = level.to_bytes().unwrap();
    let offset = u32::try_from(bytes.len()).unwrap();
    for plane in 0..50 {
        put(&mut bytes, HEADER + plane * PLANE + at, count);
        put(&mut bytes, HEADER + plane * PLANE + at + OFFSET, offset);
    }
    bytes.extend(section);
    bytes
}

#[test]
fn a_damaged_number_of_image_sets_adds_no_names() {
    let (bytes, whole) = fixture("plain.wwd");
    assert!(whole.planes.iter().any(|plane| !plane.objects.is_empty() && !plane.image_sets.is_empty()));
    for (index, plane) in whole.planes.iter().enumerate() {
        let mut bytes = bytes.clone();
        put(&mut bytes, HEADER + index * PLANE + IMAGE_SETS, u32::MAX);
        let rescued = rescue(&bytes);
        assert!(rescued.document.planes == whole.planes && rescued.document.tile_properties == whole.tile_properties);
        let found = plane.image_sets.len();
        let expected =
            format!("repaired: planes[{index}].image_sets: the count is wrong: 4294967295 declared, {found} found");
        assert_eq!(texts(&rescued), [expected]);
    }
}

#[test]
fn shared_sections_are_read_within_one_budget() {
    let bytes = level_with_shared(&b"a\0".repeat(1 << 19), IMAGE_SETS, u32::MAX);
    let rescued = rescue(&bytes);
    let sizes = rescued.document.planes.iter().map(|plane| plane.image_sets.as_bytes().len());
    let budget = 2 * bytes.len() + (1 << 20);
    assert!((1 << 20..=budget).contains(&sizes.clone().sum::<usize>()), "{:?}", sizes.collect::<Vec<_>>());
    assert_eq!((rescued.document.planes.len(), rescued.losses.len()), (50, 50));
    let few = ReadOptions::default().with_limits(Limits::default().with_max_items(1000));
    assert_eq!(Document::rescue(&bytes, &few).unwrap_err().category(), Category::Limit);
}

#[test]
fn all_missing_objects_are_reported() {
    // Objects whose numbers and texts are empty.
    let size = 284;
    let bytes = level_with_shared(&vec![0; size << 12], OBJECTS, 1 << 12);
    assert!(Document::from_bytes(&bytes).unwrap_err().to_string().starts_with("sections overlap"));
    let rescued = rescue(&bytes);
    let counts: Vec<usize> = rescued.document.planes.iter().map(|plane| plane.objects.len()).collect();
    assert!(counts[0] == 1 << 12 && counts[49] == 0 && counts.len() == 50, "{counts:?}");
    let lost = counts.iter().enumerate().filter(|(_, count)| **count < 1 << 12);
    let expected: Vec<String> = lost
        .map(|(index, count)| {
            format!("dropped: planes[{index}].objects: {count} of 4096 declared objects are readable")
        })
        .collect();
    assert_eq!(texts(&rescued), expected);
}

#[test]
fn limits_are_errors_also_in_damaged_levels() {
    let (whole, level) = fixture("claw.wwd");
    // It declares fewer bytes than follow.
    let mut size = whole.clone();
    put(&mut size, 0x2E8, 5);
    assert!(rescue(&size).document.planes == level.planes);
    let limits = Limits::default().with_max_decompressed(100);
    for bytes in [whole, size] {
        let error = Document::rescue(&bytes, &ReadOptions::default().with_limits(limits.clone())).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.to_string().contains("more than 100 bytes after decompression"), "{error}");
    }
}

/// The fixtures whose sections are in the usual order, without compression.
fn plain_fixtures() -> Vec<(String, Vec<u8>, Document)> {
    let mut fixtures = fixtures_as("wwd", Document::from_bytes);
    fixtures.retain(|(.., level)| level.layout.is_none());
    for (_, bytes, level) in &mut fixtures {
        level.header.flags = level.header.flags.with(HeaderFlags::COMPRESS, false);
        level.trailer.clear();
        *bytes = level.to_bytes().unwrap();
        *level = Document::from_bytes(bytes).unwrap();
    }
    fixtures
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn a_damaged_count_size_or_offset_loses_nothing() {
    let mut count = 0;
    for (name, bytes, whole) in plain_fixtures() {
        // The size of the header, the number and offset of planes, the offset of tile properties.
        let mut places = vec![(0, "header"), (0x2DC, "planes"), (0x2E0, "planes"), (0x2E4, "tile_properties")];
        for plane in 0..whole.planes.len() {
            let at = |offset: usize| HEADER + plane * PLANE + offset;
            places.extend([0, COLUMNS, COLUMNS + 4, TILES].map(|offset| (at(offset), "tiles")));
            places.extend([IMAGE_SETS, IMAGE_SETS + OFFSET].map(|offset| (at(offset), "image_sets")));
            places.extend([OBJECTS, OBJECTS + OFFSET].map(|offset| (at(offset), "objects")));
        }
        for (at, part) in places {
            let word = word(&bytes, at);
            for value in [0, 1, word ^ 0x40, word ^ 0xFF, word ^ 0x4000_0000, word.wrapping_sub(1), u32::MAX] {
                let mut damaged = bytes.clone();
                put(&mut damaged, at, value);
                // A plane without objects has no offset of them, and the offset of an empty section has no meaning.
                let is_same = Document::from_bytes(&damaged).is_ok_and(|level| level.planes == whole.planes);
                if value == word || is_same && part != "header" {
                    continue;
                }
                let rescued = rescue(&damaged);
                let (found, texts) = (&rescued.document, texts(&rescued));
                let context = format!("{name}: {value} at {at}: {texts:?}");
                assert!(found.planes == whole.planes, "{context}");
                assert!(found.tile_properties == whole.tile_properties, "{context}");
                assert!(part == "header" && value >= 756 || found.header == whole.header, "{context}");
                let [text] = texts.as_slice() else { panic!("{context}") };
                assert!(text.starts_with("repaired: ") && text.contains(part) || part == "tiles", "{context}");
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn damaged_bytes_cost_one_item_at_most() {
    for (name, bytes, whole) in plain_fixtures().into_iter().filter(|(name, ..)| name == "plain.wwd") {
        for at in 0..bytes.len() {
            for change in [0x01, 0x40, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let rescued = rescue(&damaged);
                let (found, texts) = (&rescued.document, texts(&rescued));
                let context = format!("{name}: {change} at {at}: {texts:?}");
                assert_eq!(found.planes.len(), whole.planes.len(), "{context}");
                for (found, plane) in found.planes.iter().zip(&whole.planes) {
                    assert!(found.tiles.len() == plane.tiles.len(), "{context}");
                    assert!(found.image_sets.len().abs_diff(plane.image_sets.len()) <= 1, "{context}");
                    assert_eq!(found.objects.len(), plane.objects.len(), "{context}");
                    let differ = found.objects.iter().zip(&*plane.objects).filter(|(found, object)| found != object);
                    assert!(differ.count() <= 1, "{context}");
                }
                let tables = [found, &whole].map(|level| level.tile_properties.as_ref().map(|table| &table.items));
                let [Some(found), Some(all)] = tables else { panic!("{context}") };
                assert!(found.len() == all.len(), "{context}");
                assert!(found.iter().zip(all).filter(|(found, item)| found != item).count() <= 1, "{context}");
            }
        }
    }
}

#[test]
fn whole_parts_of_cut_levels_survive() {
    for (name, bytes, whole) in fixtures_as("wwd", Document::from_bytes) {
        assert!(rescue(&bytes).losses.is_empty());
        // The headers of the planes are at the end of this level.
        if name == "moved.wwd" {
            continue;
        }
        let start = whole.header.header_size as usize;
        let mut counts = Vec::new();
        for part in 1..=20 {
            let cut = &bytes[..start + (bytes.len() - start) * part / 21];
            if Document::from_bytes(cut).is_ok() {
                // Only bytes after the level are missing.
                continue;
            }
            let Ok(_) = Document::rescue(cut, &ReadOptions::default()) else {
                assert!(counts.is_empty(), "{name}: {part}");
                continue;
            };
            let rescued = rescue(cut);
            assert!(!rescued.losses.is_empty());
            for (found, plane) in rescued.document.planes.iter().zip(&whole.planes) {
                assert!(found.name == plane.name && found.tiles.len() == plane.tiles.len());
                let same = found.tiles.iter().zip(&*plane.tiles).take_while(|(found, word)| found == word).count();
                assert!(found.tiles[same..].iter().all(|word| *word == Cell::EMPTY), "{name}: {part}");
                assert!(plane.objects.starts_with(&found.objects), "{name}: {part}");
                let names = [&plane.image_sets, &found.image_sets].map(ImageSets::as_bytes);
                assert!(names[0].starts_with(names[1]), "{name}: {part}");
            }
            let objects = |level: &Document| level.planes.iter().map(|plane| plane.objects.len()).sum::<usize>();
            counts.push(objects(&rescued.document));
            assert!(counts.last() <= Some(&objects(&whole)));
        }
        assert!(counts.is_sorted() && !counts.is_empty(), "{name}: {counts:?}");
    }
}

#[test]
fn a_wrong_checksum_of_the_stream_changes_nothing() {
    for (name, mut bytes, whole) in fixtures_as("wwd", Document::from_bytes) {
        if name != "claw.wwd" {
            continue;
        }
        *bytes.last_mut().unwrap() ^= 1;
        assert!(Document::from_bytes(&bytes).is_err());
        let rescued = rescue(&bytes);
        assert!(rescued.document.planes == whole.planes && rescued.document.tile_properties == whole.tile_properties);
        assert_eq!(texts(&rescued), ["repaired: main_block: the checksum differs: values may be damaged"]);
    }
}

#[test]
fn damaged_levels_are_rescued_or_refused() {
    for (name, bytes, _) in fixtures_as("wwd", Document::from_bytes) {
        for damaged in mutate::byte_flips(&bytes).step_by(3) {
            match Document::rescue(&damaged, &ReadOptions::default()) {
                Ok(rescued) => assert!(rescued.document.to_bytes().is_ok(), "{name}"),
                Err(error) => assert!(error.position().is_some(), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn planes_with_an_impossible_grid_are_left_out() {
    let (bytes, whole) = fixture("plain.wwd");
    for (side, reason) in [(100_000, "its 100000×100000 cells exceed the file"), (u32::MAX, "invalid grid size -1×-1")]
    {
        let mut bytes = bytes.clone();
        put(&mut bytes, HEADER + COLUMNS, side);
        put(&mut bytes, HEADER + COLUMNS + 4, side);
        let rescued = rescue(&bytes);
        let [columns, rows] = [whole.planes[0].tiles_wide, whole.planes[0].tiles_high];
        let [declared] = [side.cast_signed()];
        let text = format!("the grid size is wrong: {declared}×{declared} declared, {columns}×{rows} found");
        assert_eq!(texts(&rescued), [format!("repaired: planes[0].tiles: {text}")]);
        assert!(rescued.document.planes == whole.planes);
        // The width in pixels would repair the grid.
        put(&mut bytes, HEADER + WIDTH, 1);
        let rescued = rescue(&bytes);
        assert_eq!(texts(&rescued), [format!("dropped: planes[0].tiles: plane left out: {reason}")]);
        assert!(rescued.document.planes == whole.planes[1..]);
    }
}

#[test]
fn a_damaged_tile_property_becomes_clear() {
    let (bytes, whole) = fixture("plain.wwd");
    let table = whole.tile_properties.unwrap();
    let at = word(&bytes, 0x2E4) as usize + 32;
    let mut damaged = bytes;
    put(&mut damaged, at, 9);
    let rescued = rescue(&damaged);
    assert_eq!(texts(&rescued), ["repaired: tile_properties.items[0]: 1 damaged property, now clear"]);
    let found = rescued.document.tile_properties.unwrap();
    assert!(found.items[1..] == table.items[1..] && found.items[0].shape == Shape::Single(0));
}

#[test]
fn many_damaged_counts_take_linear_time() {
    let mut level = Document::new();
    level.header.flags = HeaderFlags::default();
    level.planes = vec![Plane { image_sets: ImageSets::default(), ..Plane::default() }; 4000];
    let mut bytes = level.to_bytes().unwrap();
    let end = u32::try_from(bytes.len()).unwrap();
    for plane in 0..4000 {
        for (at, value) in
            [(IMAGE_SETS, u32::MAX), (OBJECTS, 30_000), (IMAGE_SETS + OFFSET, end), (OBJECTS + OFFSET, end)]
        {
            put(&mut bytes, HEADER + plane * PLANE + at, value);
        }
    }
    bytes.extend(vec![0; 284 * 30_000]);
    let start = std::time::Instant::now();
    let rescued = rescue(&bytes);
    assert!(rescued.document.planes.len() == 4000 && !rescued.losses.is_empty());
    assert!(start.elapsed().as_secs_f64() < 20.0, "{:?}", start.elapsed());
}
