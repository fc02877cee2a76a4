//! What a level must have and a scene that did not come from one may not say.

use mapwright_scene::Losses;

use super::to::{TILE, pixels};
use crate::{Cell, Document, FieldValue, Object, Plane, PlaneFlags, Shape, TileProperty};

/// Columns and rows of a plane that is made up, at most: those of the largest known plane.
const MOST_TILES: u32 = 1050;

/// Makes sure that there is a main plane, and that planes have the name of an image set. A level without a plane gets one that
/// has room for the objects.
pub(super) fn planes(document: &mut Document, homeless: &[Object], losses: &mut Losses) {
    if document.planes.is_empty() {
        let size = |place: fn(&Object) -> i32| {
            let farthest = homeless.iter().map(place).max().unwrap_or_default().max(0).cast_unsigned();
            (farthest / TILE).saturating_add(1).min(MOST_TILES)
        };
        let (columns, rows) = (size(|object| object.x), size(|object| object.y));
        let mut plane = Plane {
            tiles: vec![Cell::EMPTY; usize::try_from(columns.saturating_mul(rows)).unwrap_or_default()].into(),
            movement_x: 100,
            movement_y: 100,
            ..Plane::default()
        };
        (plane.tiles_wide, plane.tiles_high) = (columns.cast_signed(), rows.cast_signed());
        (plane.tile_w, plane.tile_h) = (TILE.cast_signed(), TILE.cast_signed());
        plane.width_px = plane.tile_w.saturating_mul(plane.tiles_wide);
        plane.height_px = plane.tile_h.saturating_mul(plane.tiles_high);
        // The slot has room for it.
        let _ = plane.set_field("name", FieldValue::Text(b"Action".to_vec()));
        document.planes.push(plane);
        losses.synthesized("planes", format!("an empty plane of {columns} by {rows} tiles"));
    }
    if document.main_plane().is_none() {
        let planes = &document.planes;
        let with_objects = planes.iter().position(|plane| !plane.objects.is_empty());
        let unmoved = || planes.iter().position(|plane| (plane.movement_x, plane.movement_y) == (100, 100));
        let main = with_objects.or_else(unmoved).unwrap_or_default();
        if let Some(plane) = document.planes.get_mut(main) {
            plane.flags = plane.flags.with(PlaneFlags::MAIN, true);
            losses.synthesized(format!("planes[{main}]"), "that it is the main plane");
        }
    }
    for (index, plane) in document.planes.iter_mut().enumerate().filter(|(_, plane)| plane.image_sets.is_empty()) {
        // It has no NUL.
        let _ = plane.image_sets.push(b"ACTION");
        losses.synthesized(format!("planes[{index}]"), "ACTION as the name of its tile set");
    }
}

/// Makes sure that the level has a name and says where its pictures are.
pub(super) fn header(document: &mut Document, has_start: bool, losses: &mut Losses) {
    let tile = document.main_plane().map_or(TILE, |plane| pixels(plane.tile_w));
    let header = &mut document.header;
    if header.name.text().is_empty() {
        // The slot has room for it.
        let _ = header.set_field("name", FieldValue::Text(b"Level 1".to_vec()));
        losses.synthesized("name", "Level 1");
    }
    if !has_start && (header.start_x, header.start_y) == (0, 0) {
        losses.synthesized("", "the start, at the top left");
    }
    let level = match header.level_number() {
        Some(level) => level,
        None => {
            losses.synthesized(
                "name",
                "a name without a number, by which the games choose the pictures: those of level 1",
            );
            1
        }
    };
    let folders = if tile == 32 {
        // Gruntz has four levels in an area, and knows its other folders itself.
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
            // The slots have room for them.
            let _ = header.set_field(name, FieldValue::Text(folder.clone().into_bytes()));
            losses.synthesized(name, folder);
        }
    }
}

/// Makes sure that each tile of the main plane has a property: without one the games crash.
pub(super) fn tile_properties(document: &mut Document, losses: &mut Losses) {
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
        losses.synthesized("tile_properties", format!("{missing} tiles that say none: clear"));
    }
}
