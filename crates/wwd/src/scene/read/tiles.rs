//! Converts tile properties to the collision of tiles.

use mapwright_scene::{Collision, Scene, Tile, TileSet};

use super::super::fields::{DEFAULT_TILE, RESERVED, find_owner};
use crate::{Document, Shape, TileProperties};

/// Adds the collision of tiles to the tile set of the main plane, or else of the first plane that has one.
pub(super) fn add_tile_properties(document: &Document, scene: &mut Scene) {
    let Some(table) = &document.tile_properties else { return };
    let layers = scene.tile_layers.items();
    let planes = document.planes.iter().map(|plane| (plane.is_main(), !plane.image_sets.is_empty()));
    let layer = find_owner(&planes.collect::<Vec<_>>()).and_then(|index| layers.get(index));
    let default_size = layer.map_or([DEFAULT_TILE; 2], |layer| layer.tile_size);
    let set = match layer.and_then(|layer| layer.tile_sets.first()) {
        Some(set) => *set,
        None => scene.tile_sets.push(TileSet::default()),
    };
    if let Some(set) = scene.tile_sets.get_mut(set) {
        to_tile_set(table, default_size, set);
    }
}

/// Writes tile properties to their tile set. The size of a tile is left out if it is the default.
fn to_tile_set(table: &TileProperties, default_size: [u32; 2], set: &mut TileSet) {
    if set.tiles.len() < table.items.len() {
        set.tiles.resize_with(table.items.len(), Tile::default);
    }
    let properties = &mut set.properties;
    // Without items, only this property shows that there is a table.
    if table.size != 32 || table.items.is_empty() {
        properties.push("size", table.size);
    }
    let words = [("reserved_04", table.reserved_04)].into_iter().chain(RESERVED.into_iter().zip(table.reserved_0c));
    words.filter(|(_, word)| *word != 0).for_each(|(name, word)| properties.push(name, word));
    for (item, tile) in table.items.iter().zip(&mut set.tiles) {
        let size = [("width", item.width, default_size[0]), ("height", item.height, default_size[1])];
        tile.collision = match &item.shape {
            Shape::Single(attribute) => Collision::Uniform(attribute.cast_unsigned()),
            Shape::Double { outside, inside, rect } => Collision::Rectangle {
                outside: outside.cast_unsigned(),
                inside: inside.cast_unsigned(),
                bounds: [rect.left, rect.top, rect.right, rect.bottom],
            },
            Shape::Mask(pixels) => Collision::Mask {
                width: item.width,
                height: item.height,
                attributes: pixels.iter().copied().map(u32::from).collect(),
            },
        };
        if !matches!(item.shape, Shape::Mask(_)) {
            for (name, pixels, _) in size.into_iter().filter(|(_, pixels, default)| pixels != default) {
                tile.properties.push(name, pixels);
            }
        }
        if item.reserved_04 != 0 {
            tile.properties.push("reserved_04", item.reserved_04);
        }
    }
}
