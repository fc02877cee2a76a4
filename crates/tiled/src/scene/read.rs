//! Converts maps to scenes.

mod attributes;
mod collision;
mod context;
mod files;
mod layers;
mod numbered_sets;
mod objects;
mod sheet;
mod tilesets;
mod transform;

use mapwright_scene::{ColorSpace, FileSource, Import};

use super::tile_numbers::TileNumbers;
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
    Ok(read_with_numbers(document, files, options)?.0)
}

/// Converts a map to a scene, and returns the numbers of its tiles.
pub(super) fn read_with_numbers(
    document: &Document,
    files: &dyn FileSource,
    options: &ImportOptions,
) -> Result<(Import, TileNumbers), ReadError> {
    let map = document.as_map().ok_or_else(|| {
        let kind = document.kind().name();
        ReadError::without_position(ReadErrorKind::NoMap(kind))
    })?;
    // Views borrow the other documents, so these are read before anything else.
    let external = ExternalFiles::load(document, files)?;
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
    let numbers = reader.tile_numbers();
    Ok((Import { scene: reader.scene, losses: reader.losses }, numbers))
}
