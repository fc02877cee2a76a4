//! Converts the collision of tiles to tile properties.

use std::fmt::Display;

use mapwright_io::format_count;
use mapwright_scene::{Collision, Losses, Properties, Tile, TileSet, Value};

use super::super::fields::{DEFAULT_TILE, RESERVED, find_owner, pixels};
use super::super::object_tiles::{OFFSET, object_sets};
use super::super::values::number;
use super::context::Writer;
use super::properties::report_unknown;
use crate::{Rect, Shape, TileProperties, TileProperty};

/// Writes the collision of one tile set, and reports that of the others.
pub(super) fn write_tile_properties(writer: &mut Writer<'_>) {
    let planes: Vec<_> = writer.layers.iter().zip(&writer.document.planes).collect();
    let kinds: Vec<_> = planes.iter().map(|(layer, plane)| (plane.is_main(), !layer.tile_sets.is_empty())).collect();
    let owner = find_owner(&kinds).and_then(|index| planes.get(index));
    let default_size = owner.map_or([DEFAULT_TILE; 2], |(_, plane)| [plane.tile_w, plane.tile_h].map(pixels));
    // A set that no plane uses exists only for the tile properties.
    let set = owner.and_then(|(layer, _)| layer.tile_sets.first().copied());
    let set = set.or_else(|| writer.scene.tile_sets.ids().next());
    let layers = writer.layers.clone();
    // The image sets of objects have their names.
    let of_objects = object_sets(writer.scene);
    for (id, tiles) in writer.scene.tile_sets.iter() {
        let path = format!("tile_sets[{}]", id.index());
        let is_shown = layers.iter().any(|layer| layer.tile_sets.contains(&id)) || of_objects.contains(&id.index());
        if !tiles.name.is_empty() && !is_shown {
            writer.losses.dropped(&*path, "name of a tile set of no layer");
        }
        if Some(id) == set {
            writer.document.tile_properties = from_tile_set(tiles, default_size, &path, &mut writer.losses);
        } else {
            report_lost_collision(tiles, &path, &mut writer.losses);
        }
    }
}

/// Reads tile properties from a tile set, up to the last tile with collision.
fn from_tile_set(set: &TileSet, default_size: [u32; 2], path: &str, losses: &mut Losses) -> Option<TileProperties> {
    let mut table = TileProperties::default();
    let mut reader = PropertyReader { properties: &set.properties, path, losses: &mut *losses };
    let mut has_header = reader.word("size", &mut table.size);
    has_header |= reader.word("reserved_04", &mut table.reserved_04);
    for (name, word) in RESERVED.iter().zip(&mut table.reserved_0c) {
        has_header |= reader.word(name, word);
    }
    reader.report_unknown(&[&["size", "reserved_04"][..], &RESERVED].concat());
    let known = set.tiles.iter().rposition(|tile| tile.collision != Collision::Unknown);
    let count = known.map_or(0, |last| last.saturating_add(1));
    let mut clear = 0_usize;
    for (index, tile) in set.tiles.iter().take(count).enumerate() {
        clear = clear.saturating_add(usize::from(tile.collision == Collision::Unknown));
        table.items.push(item(tile, default_size, &format!("{path}.tiles[{index}]"), losses));
    }
    if clear > 0 {
        losses
            .synthesized(path, format!("tile properties of {} without collision: clear", format_count(clear, "tile")));
    }
    for (index, tile) in set.tiles.iter().enumerate().skip(count).filter(|(_, tile)| !tile.properties.is_empty()) {
        let names: Vec<&str> = tile.properties.iter().map(|(name, _)| name).collect();
        report_lost(&names, format_args!("{path}.tiles[{index}]"), losses);
    }
    (has_header || !table.items.is_empty()).then_some(table)
}

fn item(tile: &Tile, [width, height]: [u32; 2], path: &str, losses: &mut Losses) -> TileProperty {
    let mut item = TileProperty { reserved_04: 0, width, height, shape: Shape::Single(0) };
    match &tile.collision {
        Collision::Unknown => {}
        Collision::Uniform(attribute) => item.shape = Shape::Single(attribute.cast_signed()),
        Collision::Rectangle { outside, inside, bounds: [left, top, right, bottom] } => {
            item.shape = Shape::Double {
                outside: outside.cast_signed(),
                inside: inside.cast_signed(),
                rect: Rect { left: *left, top: *top, right: *right, bottom: *bottom },
            };
        }
        Collision::Mask { width, height, attributes } => {
            if u64::from(*width).saturating_mul((*height).into()) == attributes.len() as u64 {
                let pixel = |attribute: &u32| u8::try_from(*attribute).unwrap_or(u8::MAX);
                if attributes.iter().any(|attribute| *attribute > 255) {
                    losses.approximated(path, "attributes above 255 in a mask: set to 255");
                }
                (item.width, item.height) = (*width, *height);
                item.shape = Shape::Mask(attributes.iter().map(pixel).collect());
            } else {
                let found = attributes.len();
                losses.repaired(path, format!("mask of {width}×{height} pixels with {found} attributes: set to clear"));
            }
        }
    }
    let mut reader = PropertyReader { properties: &tile.properties, path, losses };
    reader.word("reserved_04", &mut item.reserved_04);
    // A mask contains its own size.
    if matches!(item.shape, Shape::Mask(_)) {
        reader.report_unknown(&["reserved_04"]);
    } else {
        reader.word("width", &mut item.width);
        reader.word("height", &mut item.height);
        reader.report_unknown(&["reserved_04", "width", "height"]);
    }
    item
}

/// Reads words from properties.
struct PropertyReader<'a> {
    properties: &'a Properties,
    path: &'a str,
    losses: &'a mut Losses,
}

impl PropertyReader<'_> {
    /// Reads a word, if there is one.
    fn word(&mut self, name: &str, word: &mut u32) -> bool {
        let Some(value) = self.properties.get(name) else { return false };
        match number(value) {
            Some(number) => *word = number,
            None => self.losses.dropped(self.path, format!("{name}: invalid value")),
        }
        true
    }

    /// Reports all other properties.
    fn report_unknown(&mut self, known: &[&str]) {
        let unknown: Vec<&str> =
            self.properties.iter().map(|(name, _)| name).filter(|name| !known.contains(name)).collect();
        report_lost(&unknown, self.path, self.losses);
    }
}

/// Reports the collision and properties of a tile set that has no tile properties in the level.
fn report_lost_collision(set: &TileSet, path: &str, losses: &mut Losses) {
    let lost = set.tiles.iter().filter(|tile| tile.collision != Collision::Unknown).count();
    if lost > 0 {
        losses
            .dropped(path, format!("collision of {}: a level stores that of one tile set", format_count(lost, "tile")));
    }
    let all = set.tiles.iter().map(|tile| &tile.properties).chain([&set.properties]);
    let names: Vec<&str> = all.flat_map(|properties| properties.iter().map(|(name, _): (&str, &Value)| name)).collect();
    report_lost(&names, path, losses);
}

/// Reports properties of tiles that are lost. The images have the offsets, which were attached from them.
fn report_lost(names: &[&str], path: impl Display, losses: &mut Losses) {
    let lost: Vec<&str> = names.iter().copied().filter(|name| !OFFSET.contains(name)).collect();
    report_unknown(&lost, path, losses);
}
