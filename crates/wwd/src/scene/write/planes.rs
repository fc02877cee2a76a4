//! Converts tile layers to planes.

use mapwright_scene::{Node, TileLayer, TileSetId};

use super::super::fields::{DEFAULT_TILE, PLANE_FLAGS};
use super::super::values::is_true;
use super::context::{CHECKED, Writer};
use super::properties::set_field;
use crate::{FieldValue, Plane, unescape_bytes};

/// Adds a plane for a tile layer.
pub(super) fn write_plane<'a>(writer: &mut Writer<'a>, node: &Node, layer: &'a TileLayer, visible: bool, path: &str) {
    let mut plane = Plane::default();
    let [columns, rows] = layer.size.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
    if layer.size != [columns, rows].map(i32::cast_unsigned) {
        writer.losses.repaired(path, "size of an empty grid reduced to 32 bits");
    }
    (plane.tiles_wide, plane.tiles_high) = (columns, rows);
    let [tile_w, tile_h] = layer.tile_size.map(|pixels| i32::try_from(pixels).ok().filter(|pixels| *pixels > 0));
    if tile_w.is_none() || tile_h.is_none() {
        writer.losses.repaired(path, format!("invalid tile size {:?}: replaced by {DEFAULT_TILE}", layer.tile_size));
    }
    (plane.tile_w, plane.tile_h) =
        (tile_w.unwrap_or(DEFAULT_TILE.cast_signed()), tile_h.unwrap_or(DEFAULT_TILE.cast_signed()));
    writer.plane.apply_properties(
        &mut plane,
        &layer.properties,
        &["main"],
        path,
        &mut writer.foreign,
        &mut writer.losses,
    );
    if layer.properties.get("width_px").is_none() {
        plane.width_px = plane.tile_w.saturating_mul(columns);
    }
    if layer.properties.get("height_px").is_none() {
        plane.height_px = plane.tile_h.saturating_mul(rows);
    }
    if !is_playable_size(plane.tile_w, plane.tile_h) {
        let text =
            format!("tiles of {}×{} pixels: the games need squares of a power of two", plane.tile_w, plane.tile_h);
        writer.losses.preserved(path, text);
    }
    let is_main = layer.properties.get("main").is_some_and(is_true);
    for (flag, set) in PLANE_FLAGS.into_iter().zip([is_main, !visible, layer.wrap[0], layer.wrap[1]]) {
        plane.flags = plane.flags.with(flag, set);
    }
    let [movement_x, movement_y] = layer.parallax.map(|parallax| writer.places.round_percent(parallax, path));
    (plane.movement_x, plane.movement_y) = (movement_x, movement_y);
    (plane.fill_color, plane.z_coord) = (layer.fill.unwrap_or_default(), layer.z);
    plane.tiles = layer.cells.clone().into();
    for set in &layer.tile_sets {
        write_image_set(writer, &mut plane, *set);
    }
    let name = if layer.name.is_empty() { &node.name } else { &layer.name };
    if name != &node.name {
        writer.losses.dropped(path, format!("name {:?} of the node: the tile layer has another one", node.name));
    }
    writer.foreign.check_text(name, path);
    set_field(&mut plane, "name", FieldValue::Text(unescape_bytes(name)), path, &mut writer.losses);
    writer.document.planes.push(plane);
    writer.layers.push(layer);
}

/// Adds the name of a tile set to the image sets of a plane.
fn write_image_set(writer: &mut Writer<'_>, plane: &mut Plane, id: TileSetId) {
    let path = format!("tile_sets[{}]", id.index());
    let name = &writer.scene.tile_sets.get(id).expect(CHECKED).name;
    writer.foreign.check_text(name, &path);
    let mut name = unescape_bytes(name);
    if name.contains(&0) {
        writer.losses.repaired(path, "NUL removed from the name");
        name.retain(|byte| *byte != 0);
    }
    plane.image_sets.push(&name).expect("the NULs were removed");
}

/// Returns `true` if the games can draw tiles of that size.
fn is_playable_size(width: i32, height: i32) -> bool {
    width == height && width > 0 && width.cast_unsigned().is_power_of_two()
}

/// Moves the start and the objects without a plane by the position of the main plane, because planes begin at 0. Reports the planes
/// that move otherwise.
pub(super) fn move_to_origin(writer: &mut Writer<'_>) {
    let main = writer.document.main_plane_index().unwrap_or_default();
    let main = writer.origins.get(main).cloned();
    if let Some(main) = &main {
        for (root, object) in &mut writer.unparented {
            let [x, y] = main.offset_of(*root).map(|offset| writer.places.round(offset, &main.path));
            (object.x, object.y) = (object.x.saturating_sub(x), object.y.saturating_sub(y));
        }
    }
    if let Some((root, [x, y], path)) = &writer.start {
        let [left, top] = main.as_ref().map_or([0.0; 2], |main| main.offset_of(*root));
        let header = &mut writer.document.header;
        (header.start_x, header.start_y) = (writer.places.round(x - left, path), writer.places.round(y - top, path));
    }
    let Some(main) = main else { return };
    let [left, top] = main.own;
    if [left, top] != [0.0; 2] {
        let [x, y] = [0.0 - left, 0.0 - top];
        let text =
            format!("main plane moved by ({x}, {y}) pixels to the origin, and the start and the objects with it");
        writer.losses.approximated(&main.path, text);
    }
    let main_offset = main.offset_of(main.root);
    for origin in &writer.origins {
        let offset = origin.offset_of(origin.root);
        // The main plane keeps its distance from the nodes of its own group only.
        let is_lost = if origin.path == main.path { main.group != [0.0; 2] } else { offset != main_offset };
        if is_lost {
            writer.losses.dropped(&origin.path, "offset of the tile layer");
        }
    }
}
