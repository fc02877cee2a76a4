//! Synthesizes required data of levels that a foreign scene lacks.

use mapwright_io::format_count;
use mapwright_scene::Losses;

use super::super::fields::{DEFAULT_TILE, pixels};
use crate::document::record::Record;
use crate::{Cell, Document, FieldValue, Object, Plane, PlaneFlags, Shape, TileProperty};

/// Maximum number of columns and rows of a synthesized plane: those of the largest known plane.
const MAX_TILES: u32 = 1050;

/// Ensures that there is a main plane, and that planes have an image set. A level without planes gets one that is large enough for
/// the objects.
pub(super) fn ensure_planes(document: &mut Document, unparented: &[(usize, Object)], losses: &mut Losses) {
    if document.planes.is_empty() {
        let size = |position: fn(&Object) -> i32| {
            let farthest =
                unparented.iter().map(|(_, object)| position(object)).max().unwrap_or_default().max(0).cast_unsigned();
            (farthest / DEFAULT_TILE).saturating_add(1).min(MAX_TILES)
        };
        let (columns, rows) = (size(|object| object.x), size(|object| object.y));
        let mut plane = Plane {
            tiles: vec![Cell::EMPTY; usize::try_from(columns.saturating_mul(rows)).unwrap_or_default()].into(),
            movement_x: 100,
            movement_y: 100,
            ..Plane::default()
        };
        (plane.tiles_wide, plane.tiles_high) = (columns.cast_signed(), rows.cast_signed());
        (plane.tile_w, plane.tile_h) = (DEFAULT_TILE.cast_signed(), DEFAULT_TILE.cast_signed());
        plane.width_px = plane.tile_w.saturating_mul(plane.tiles_wide);
        plane.height_px = plane.tile_h.saturating_mul(plane.tiles_high);
        set_short_text(&mut plane, "name", "Action");
        document.planes.push(plane);
        losses.synthesized("planes", format!("empty plane of {columns}×{rows} tiles"));
    }
    if document.main_plane().is_none() {
        let planes = &document.planes;
        let with_objects = planes.iter().position(|plane| !plane.objects.is_empty());
        let unmoved = || planes.iter().position(|plane| (plane.movement_x, plane.movement_y) == (100, 100));
        let main = with_objects.or_else(unmoved).unwrap_or_default();
        if let Some(plane) = document.planes.get_mut(main) {
            plane.flags = plane.flags.with(PlaneFlags::MAIN, true);
            losses.synthesized(format!("planes[{main}]"), "main plane flag");
        }
    }
    for (index, plane) in document.planes.iter_mut().enumerate().filter(|(_, plane)| plane.image_sets.is_empty()) {
        plane.image_sets.push(b"ACTION").expect("the name has no NUL");
        losses.synthesized(format!("planes[{index}]"), "tile set ACTION");
    }
}

/// Ensures that the level has a name and image folders.
pub(super) fn ensure_header(document: &mut Document, has_start: bool, losses: &mut Losses) {
    let tile = document.main_plane().map_or(DEFAULT_TILE, |plane| pixels(plane.tile_w));
    let header = &mut document.header;
    if header.name.text().is_empty() {
        set_short_text(header, "name", "Level 1");
        losses.synthesized("name", "Level 1");
    }
    if !has_start && (header.start_x, header.start_y) == (0, 0) {
        losses.synthesized("", "start position at the top left");
    }
    let level = match header.level_number() {
        Some(level) => level,
        None => {
            losses.synthesized("name", "images of level 1: the name contains no level number to choose them by");
            1
        }
    };
    let folders = if tile == 32 {
        // An area of Gruntz has four levels. The game ignores the other folders.
        let area = level.saturating_sub(1) / 4;
        vec![("image_dir", format!("AREA{}\\TILEZ", area.saturating_add(1)))]
    } else {
        vec![
            ("image_dir", format!("LEVEL{level}\\TILES")),
            ("pal_rez", format!("LEVEL{level}\\PALETTES\\MAIN.PAL")),
            ("image_set_1", format!("LEVEL{level}\\IMAGES")),
            ("prefix_1", "LEVEL".to_owned()),
            ("image_set_2", "GAME\\IMAGES".to_owned()),
            ("prefix_2", "GAME".to_owned()),
        ]
    };
    let empty = Some(FieldValue::Text(Vec::new()));
    for (name, folder) in folders {
        if header.field(name) == empty {
            set_short_text(header, name, &folder);
            losses.synthesized(name, folder);
        }
    }
}

/// Ensures that each tile of the main plane has a property: without one the games crash.
pub(super) fn ensure_tile_properties(document: &mut Document, losses: &mut Losses) {
    let Some(plane) = document.main_plane() else { return };
    let frames = plane.tiles.iter().filter_map(|word| match Cell::from_word(*word) {
        Cell::Tile { frame, .. } => Some(usize::from(frame).saturating_add(1)),
        _ => None,
    });
    let count = frames.max().unwrap_or_default();
    let (width, height) = (pixels(plane.tile_w), pixels(plane.tile_h));
    let table = document.tile_properties.get_or_insert_default();
    let missing = count.saturating_sub(table.items.len());
    if missing > 0 {
        let clear = TileProperty { reserved_04: 0, width, height, shape: Shape::Single(0) };
        table.items.resize(count, clear);
        losses.synthesized("tile_sets", format!("{} without collision: clear", format_count(missing, "tile")));
    }
}

/// Sets a field to a string that fits into its slot.
fn set_short_text(record: &mut impl Record, name: &'static str, text: &str) {
    record.set(name, FieldValue::Text(text.as_bytes().to_vec())).expect("the text is shorter than its slot");
}
