//! Planes, their tile sets and their objects.

use mapwright_scene::{CellLayout, Content, Entity, Node, NodeId, Tile, TileLayer, TileSet, TileSetId};

use super::super::fields::{PLANE_FLAGS, pixels};
use super::context::{Reader, to_transform};
use super::properties::text;
use crate::document::{object_key, plane_key};
use crate::{Cell, DrawFlags, Object, Plane, PlaneFlags, ReadError, ReadErrorKind, escape_bytes};

/// Adds a plane as a root node with a tile layer, and its objects as children.
pub(super) fn add_plane<'a>(reader: &mut Reader<'a>, index: usize, plane: &'a Plane) -> Result<(), ReadError> {
    let (columns, rows) = plane.size();
    if !plane.has_all_cells() {
        let kind = ReadErrorKind::Grid { columns: plane.tiles_wide, rows: plane.tiles_high };
        return Err(ReadError::without_position(kind));
    }
    let name = text(plane, "name");
    let mut layer = TileLayer {
        name: name.clone(),
        size: [columns, rows],
        tile_size: [pixels(plane.tile_w), pixels(plane.tile_h)],
        layout: CellLayout::Orthogonal,
        cells: plane.tiles.to_vec(),
        tile_sets: add_tile_sets(reader, plane),
        wrap: [plane.flags.has(PlaneFlags::WRAP_X), plane.flags.has(PlaneFlags::WRAP_Y)],
        parallax: [plane.movement_x, plane.movement_y].map(|percent| f64::from(percent) / 100.0),
        z: plane.z_coord,
        fill: Some(plane.fill_color),
        attributes: Vec::new(),
        properties: Default::default(),
    };
    let properties = &mut layer.properties;
    if plane.is_main() {
        properties.push("main", true);
    }
    let rest = PLANE_FLAGS.iter().fold(plane.flags, |rest, flag| rest.with(*flag, false));
    if rest.0 != 0 {
        properties.push("flags", rest.0);
    }
    let sides = [("tile_w", "width_px", plane.tile_w, plane.tiles_wide, plane.width_px)];
    let sides = sides.into_iter().chain([("tile_h", "height_px", plane.tile_h, plane.tiles_high, plane.height_px)]);
    for (tile_name, name, tile, tiles, pixels) in sides {
        if tile <= 0 {
            properties.push(tile_name, tile);
        }
        if i64::from(tile).saturating_mul(tiles.into()) != i64::from(pixels) {
            properties.push(name, pixels);
        }
    }
    reader.plane.to_properties(plane, properties);
    let layer = reader.scene.tile_layers.push(layer);
    let visible = !plane.flags.has(PlaneFlags::NO_DRAW);
    let node = Node { visible, key: Some(plane_key(index)), ..Node::new(name, Content::TileLayer(layer)) };
    let node = reader.scene.add_node(None, node);
    for (at, object) in plane.objects.iter().enumerate() {
        add_object(reader, object, node, object_key((index, at)));
    }
    Ok(())
}

/// Returns the tile sets of a plane's image sets, with a tile for each frame that a cell shows.
fn add_tile_sets<'a>(reader: &mut Reader<'a>, plane: &'a Plane) -> Vec<TileSetId> {
    let Reader { scene, sets: known, tiles_left, .. } = reader;
    let mut set = |name: &'a [u8]| {
        *known
            .entry(name)
            .or_insert_with(|| scene.tile_sets.push(TileSet { name: escape_bytes(name), ..TileSet::default() }))
    };
    let sets: Vec<TileSetId> = plane.image_sets.iter().map(&mut set).collect();
    let mut counts = vec![0_usize; sets.len()];
    for word in &plane.tiles {
        if let Cell::Tile { image_set, frame } = Cell::from_word(*word)
            && let Some(count) = counts.get_mut(usize::from(image_set))
        {
            *count = usize::from(frame).saturating_add(1).max(*count);
        }
    }
    for (set, count) in sets.iter().zip(counts) {
        let set = scene.tile_sets.get_mut(*set).expect("the set was added above");
        let more = count.saturating_sub(set.tiles.len()).min(*tiles_left);
        *tiles_left = tiles_left.saturating_sub(more);
        set.tiles.resize_with(set.tiles.len().saturating_add(more), Tile::default);
    }
    sets
}

/// Adds an object as a child of its plane.
fn add_object(reader: &mut Reader<'_>, object: &Object, plane: NodeId, key: String) {
    let mut entity = Entity {
        class: escape_bytes(&object.logic),
        model: (!object.image_set.is_empty()).then(|| escape_bytes(&object.image_set)),
        ..Entity::default()
    };
    entity.properties.push("id", object.id);
    reader.object.to_properties(object, &mut entity.properties);
    let flags = object.draw_flags.with(DrawFlags::NO_DRAW, false);
    if flags.0 != 0 {
        entity.properties.push("draw_flags", flags.0);
    }
    let entity = reader.scene.entities.push(entity);
    let node = Node {
        transform: to_transform(object.x, object.y, object.z),
        visible: !object.draw_flags.has(DrawFlags::NO_DRAW),
        key: Some(key),
        ..Node::new(escape_bytes(&object.name), Content::Entity(entity))
    };
    reader.scene.add_node(Some(plane), node);
}
