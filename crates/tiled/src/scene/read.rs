//! Converts maps to scenes.

mod attributes;
mod context;
mod files;
mod layers;
mod objects;
mod sheet;
mod tilesets;
mod transform;

use std::collections::HashMap;

use mapwright_scene::{ColorSpace, FileSource, Import};

use super::merge::TileOfCell;
use super::{ImportOptions, names};
use crate::{Document, ReadError, ReadErrorKind};
use attributes::map_attributes;
use context::{Reader, parse_runs};
use files::ExternalFiles;
pub(super) use layers::layer_key;
pub(super) use objects::object_key;

/// See [`super::to_scene`].
pub(super) fn read_scene(
    document: &Document,
    files: &dyn FileSource,
    options: &ImportOptions,
) -> Result<Import, ReadError> {
    Ok(read_with_numbers(document, files, options)?.import)
}

/// Converts a map to a scene, and returns the numbers of its tiles.
pub(super) fn read_with_numbers(
    document: &Document,
    files: &dyn FileSource,
    options: &ImportOptions,
) -> Result<SceneWithNumbers, ReadError> {
    let map = document.as_map().ok_or_else(|| {
        let kind = document.kind().name();
        ReadError::without_position(ReadErrorKind::NoMap(kind))
    })?;
    // Views borrow the other documents, so these are read before anything else.
    let external = ExternalFiles::load(map, document, files)?;
    let mut reader = Reader::new(map, &external, files, options, &document.limits);
    if map.editor_settings().is_present() {
        reader.losses.dropped("editorsettings", "the settings of the editor");
    }
    let mut own = reader.properties(map.properties(), "properties");
    reader.scene.name = own.text("name").unwrap_or_default();
    reader.scene.metres_per_unit = own.float("metres_per_unit").filter(|metres| metres.is_finite() && *metres > 0.0);
    if own.flag("linear_colors") == Some(true) {
        reader.scene.color_space = ColorSpace::Linear;
    }
    reader.assigned_ids = own.text(names::ASSIGNED_IDS).map(|runs| parse_runs(&runs)).unwrap_or_default();
    let [mut properties, _] = own.into_remaining();
    reader.push_attributes(&mut properties, map_attributes(map), "");
    reader.scene.properties = properties;
    // Cells need the numbers of all tilesets.
    reader.tile_sets()?;
    reader.layers(map.layers(), None, "")?;
    reader.add_late_groups()?;
    // Tiles beyond the declared number exist only if cells or objects show them.
    reader.add_shown_tiles()?;
    let (sets, words) = reader.numbers();
    let import = Import { scene: reader.scene, losses: reader.losses };
    Ok(SceneWithNumbers { import, sets, words })
}

/// A scene with the numbers that the map gives to its tiles.
#[derive(Debug)]
pub(super) struct SceneWithNumbers {
    pub(super) import: Import,
    /// The first number of each tile set, by its index in the scene.
    sets: HashMap<usize, u32>,
    /// The numbers of words.
    words: HashMap<u32, u32>,
}

impl SceneWithNumbers {
    /// Returns the number of a tile, without flags. 0 is an empty cell.
    pub(super) fn gid(&self, tile: TileOfCell) -> Option<u32> {
        match tile {
            TileOfCell::Empty => Some(0),
            TileOfCell::Tile(set, tile) => self.sets.get(&set)?.checked_add(tile),
            TileOfCell::Word(word) => self.words.get(&word).copied(),
        }
    }
}
