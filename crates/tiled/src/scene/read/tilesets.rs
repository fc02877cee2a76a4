//! Tile sets.

use std::collections::HashMap;

use mapwright_io::format_count;
use mapwright_scene::images;
use mapwright_scene::{FileKind, Image, ImageId, ImageSource, Properties, Tile, TileSet, TileSetId};

use super::super::encode::{Incoming, text_in};
use super::super::tile_numbers::TileNumbers;
use super::super::{MAX_TILES, grid};
use super::attributes::{tile_attributes, tileset_attributes};
use super::collision::{collision, follow_from};
use super::context::{Reader, parse_runs};
use super::numbered_sets::{NumberedSet, SetKind, anchor};
use super::sheet::{Sheet, tiles_in_image};
use crate::codes::Gid;
use crate::view::{self, Tileset};
use crate::{ReadError, ReadErrorKind, resolve_path};

/// Returns a size or number; 0 if it is negative.
fn count(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

impl<'a> Reader<'a> {
    /// Adds the tile sets of the map.
    pub(super) fn tile_sets(&mut self) -> Result<(), ReadError> {
        for (index, set) in self.map.tilesets().enumerate() {
            let path = format!("tilesets[{index}]");
            let first = set.first_gid();
            if first == 0 || Gid(first).flags() != 0 {
                return Err(ReadError::on_path(ReadErrorKind::FirstGid(first), format!("{path}.firstgid")));
            }
            let source = set.source();
            self.tile_set(first, set, source.as_deref(), &path)?;
            if let Some(source) = source {
                self.set_files.entry(source.into_owned()).or_insert(first as usize);
            }
        }
        self.sort_sets()
    }

    /// Sorts the sets by their first numbers. If sets overlap, a number belongs to the later set.
    fn sort_sets(&mut self) -> Result<(), ReadError> {
        self.sets.sort_by_key(|set| set.first);
        let next: Vec<u32> = self.sets.iter().skip(1).map(|set| set.first).collect();
        for (set, next) in self.sets.iter_mut().zip(next) {
            if set.first == next {
                return Err(ReadError::on_path(ReadErrorKind::SameFirstGid(next), "tilesets"));
            }
            set.count = set.count.min(next.saturating_sub(set.first));
        }
        // The first numbers become indices.
        let sets = &self.sets;
        for first in self.set_files.values_mut() {
            *first = sets.iter().position(|set| set.first as usize == *first).unwrap_or(0);
        }
        self.map_sets = self.sets.len();
        Ok(())
    }

    /// Returns the index of the set that contains a tile of the map, and the tile in it. Tiles after the last one belong to the last set.
    pub(super) fn tile_of(&self, gid: Gid) -> Option<(usize, u32)> {
        let sets = self.sets.get(..self.map_sets)?;
        let index = sets.partition_point(|set| set.first <= gid.id()).checked_sub(1)?;
        Some((index, gid.id().checked_sub(sets.get(index)?.first)?))
    }

    /// Returns the index of the set with the tiles of a template. Adds the set if the map does not have it.
    pub(super) fn template_set(&mut self, template: &str, set: Tileset<'_>) -> Result<Option<usize>, ReadError> {
        // A set in the template itself has no other name.
        let file = set.source().map_or_else(|| template.to_owned(), |file| resolve_path(template, &file));
        if let Some(index) = self.set_files.get(&file) {
            return Ok(Some(*index));
        }
        let index = self.sets.len();
        let source = set.source().map(|_| file.clone());
        self.tile_set(0, set, source.as_deref(), &format!("tileset of the template {template:?}"))?;
        self.set_files.insert(file, index);
        Ok(Some(index))
    }

    /// Marks a tile as shown, so that the scene has it. Returns `false` if a cell cannot refer to it.
    pub(super) fn show(&mut self, index: usize, tile: u32) -> bool {
        match self.sets.get_mut(index) {
            Some(set) if tile < MAX_TILES => {
                set.shown = set.shown.max(tile.saturating_add(1));
                true
            }
            _ => false,
        }
    }

    /// Adds tiles that are shown although the tileset does not declare them.
    pub(super) fn add_shown_tiles(&mut self) -> Result<(), ReadError> {
        for index in 0..self.sets.len() {
            let Some(set) = self.sets.get(index) else { continue };
            let SetKind::Tiles(id) = set.kind else { continue };
            let (shown, is_missing, declared) = (set.shown, set.is_missing, set.count);
            let has = self.scene.tile_sets.get(id).map_or(0, |set| set.tiles.len());
            let more = (shown as usize).saturating_sub(has);
            // A written set has some numbers without a tile.
            if more == 0 || (shown <= declared && !is_missing) {
                continue;
            }
            let path = format!("tile_sets[{}]", id.index());
            self.spend((more as u64).saturating_mul(size_of::<Tile>() as u64), &path)?;
            if !is_missing {
                let text = format!("{} after the last tile of the set: added", format_count(more, "tile"));
                self.losses.repaired(path, text);
            }
            if let Some(set) = self.scene.tile_sets.get_mut(id) {
                set.tiles.resize_with(shown as usize, Tile::default);
            }
        }
        Ok(())
    }

    /// Returns the numbers that the map gives to the tiles of its tile sets.
    pub(super) fn tile_numbers(&self) -> TileNumbers {
        let mut numbers = TileNumbers::default();
        for set in self.sets.iter().take(self.map_sets) {
            match &set.kind {
                SetKind::Tiles(id) => drop(numbers.sets.insert(id.index(), set.first)),
                SetKind::Words(tiles) => {
                    numbers.words.extend(tiles.iter().map(|(tile, word)| (*word, set.first.saturating_add(*tile))));
                }
            }
        }
        numbers
    }

    /// Adds a tile set. `source` is the path of its file, relative to the map.
    fn tile_set(&mut self, first: u32, stored: Tileset<'_>, source: Option<&str>, path: &str) -> Result<(), ReadError> {
        let external = self.external;
        let (set, is_missing) = match source.map(|source| (source, external.tileset(source))) {
            None => (stored, false),
            Some((source, Ok(set))) => {
                self.losses.approximated(path, format!("the tile set of the file {source:?}: stored in the map"));
                (set, false)
            }
            Some((source, Err(reason))) => {
                let text = format!("the tile set of the file {source:?}: its tiles are only numbers ({reason})");
                self.losses.dropped(path, text);
                (stored, true)
            }
        };
        let referring = source.unwrap_or_default();
        let mut own = self.properties(set.properties(), path);
        let tile_size = [set.tile_width(), set.tile_height()].map(count);
        let [columns, spacing, margin] = [set.columns(), set.spacing(), set.margin()].map(count);
        let sheet = Sheet { tile: tile_size, columns, spacing, margin };
        let id_of = |tile: view::Tile<'_>| u32::try_from(tile.id()).ok();
        let ids = set.tiles().filter_map(id_of).map(|id| id.saturating_add(1)).max().unwrap_or(0);
        let image_size = set.image().map_or([0; 2], |image| image.size().map(count));
        let declared = match count(set.tile_count()) {
            0 => ids.max(tiles_in_image(image_size, &sheet)),
            declared => ids.max(declared),
        };
        let is_isometric = self.map.orientation() == Some(crate::Orientation::Isometric);
        let mut result = NumberedSet {
            first,
            count: declared,
            kind: SetKind::Words(HashMap::new()),
            anchor: anchor(set.object_alignment(), is_isometric),
            tile_size,
            sizes: HashMap::new(),
            shown: 0,
            is_missing,
        };
        if own.flag("words") == Some(true) {
            let word = |tile| Some((id_of(tile)?, word(&Incoming::new(tile.properties().iter()).text("word")?)?));
            result.kind = SetKind::Words(set.tiles().filter_map(word).collect());
            self.sets.push(result);
            return Ok(());
        }
        // The last row may be incomplete.
        let tiles =
            own.int("tiles").filter(|tiles| declared.checked_sub(*tiles).is_some_and(|more| more < columns.max(2)));
        let tiles = tiles.unwrap_or(declared).max(ids);
        if tiles > MAX_TILES {
            let limit = ReadErrorKind::Limit { what: "tiles in a set", limit: MAX_TILES.into() };
            return Err(ReadError::on_path(limit, path));
        }
        let tiles = tiles as usize;
        self.spend((tiles as u64).saturating_mul(size_of::<Tile>() as u64), path)?;
        self.report_lost_parts(set, path);
        let drawn = drawn(&mut own, tiles);
        let [properties, _] = own.into_remaining();
        let name = match is_missing {
            true => source.map(file_stem).unwrap_or_default(),
            false => text_in(&set.name()),
        };
        let mut added = TileSet { name, tiles: vec![Tile::default(); tiles], properties };
        self.push_attributes(&mut added.properties, tileset_attributes(set), path);
        let mut names = self.tiles(&mut added, set, referring, path);
        for tile in set.tiles() {
            let part = [tile.width(), tile.height()].map(count);
            let size = if part == [0; 2] { tile.image().map_or([0; 2], |image| image.size().map(count)) } else { part };
            if let Some(id) = id_of(tile).filter(|_| size != [0; 2]) {
                result.sizes.insert(id, size);
            }
        }
        if let Some(file) = set.image().and_then(view::Image::source) {
            let is_free = |place: &usize| {
                !drawn.get(*place).copied().unwrap_or(false)
                    && added.tiles.get(*place).is_some_and(|tile| tile.image.is_none())
            };
            let places: Vec<usize> = (0..tiles).filter(is_free).collect();
            self.cut(&mut added, &resolve_path(referring, &file), &sheet, &places, &mut names, path)?;
        } else if set.image().is_some() {
            self.losses.dropped(path, "an image in the file: its tiles get no image");
        }
        // Cells have 16 bits for the tile.
        result.count = declared.min(MAX_TILES);
        result.kind = SetKind::Tiles(self.scene.tile_sets.push(added));
        self.sets.push(result);
        Ok(())
    }

    /// Reports parts of a tileset that scenes do not store.
    fn report_lost_parts(&mut self, set: Tileset<'_>, path: &str) {
        let shows_part = |tile: view::Tile<'_>| {
            let size = tile.image().map_or([0; 2], view::Image::size);
            ![[0; 2], size].contains(&[tile.width(), tile.height()])
        };
        for (is_there, what) in [
            (set.wang_sets().next().is_some(), "sets of terrain brushes"),
            (set.terrains().next().is_some(), "types of terrain"),
            (set.grid().is_some(), "the grid of the tile set"),
            (set.transformations().is_some(), "the allowed transformations of tiles"),
            (set.image().and_then(view::Image::transparent_color).is_some(), "the transparent colour of the image"),
            (set.tiles().any(shows_part), "parts of images that tiles show: the whole images"),
        ] {
            if is_there {
                self.losses.dropped(path, what);
            }
        }
    }

    /// Adds the data of tiles. Returns names of images that are not read yet.
    fn tiles(&mut self, added: &mut TileSet, set: Tileset<'_>, referring: &str, path: &str) -> HashMap<u32, String> {
        let mut named = HashMap::new();
        let mut names = HashMap::new();
        let mut has_other_shapes = false;
        for tile in set.tiles() {
            let Ok(id) = u32::try_from(tile.id()) else { continue };
            let Some(to) = added.tiles.get_mut(id as usize) else { continue };
            let path = format!("{path}.tiles[{id}]");
            let mut own = self.properties(tile.properties(), &path);
            to.collision = collision(&mut own);
            if let Some(group) = tile.object_group() {
                let size = tile.image().map_or([set.tile_width(), set.tile_height()], view::Image::size);
                has_other_shapes |= !follow_from(&to.collision, size.map(count), group);
            }
            let reference = own.text("image").or_else(|| Some(resolve_path(referring, &tile.image()?.source()?)));
            let name = own.text("image_name");
            if let Some(path) = reference {
                to.image = Some(*named.entry((path, name)).or_insert_with_key(|(path, name)| {
                    let source = ImageSource::External { path: path.clone() };
                    self.scene.images.push(Image { name: name.clone().unwrap_or_default(), source })
                }));
            } else if let Some(name) = name {
                names.insert(id, name);
            }
            [to.properties, _] = own.into_remaining();
            self.push_attributes(&mut to.properties, tile_attributes(tile), &path);
        }
        if has_other_shapes {
            self.losses.dropped(path, "collision shapes");
        }
        names
    }

    /// Cuts the images of tiles from the image of the set.
    fn cut(
        &mut self,
        set: &mut TileSet,
        file: &str,
        sheet: &Sheet,
        places: &[usize],
        names: &mut HashMap<u32, String>,
        path: &str,
    ) -> Result<(), ReadError> {
        if places.is_empty() {
            return Ok(());
        }
        let loaded = self.files.load(file, FileKind::Image);
        let data = loaded.as_deref().unwrap_or_default();
        let size = images::decoded_bytes(data, file).filter(|size| size.saturating_mul(2) <= self.left);
        // Decoders need some memory in addition to the pixels.
        let limit = usize::try_from(self.left).unwrap_or(usize::MAX);
        let pixels = size.and_then(|_| images::decode_image(data, file, limit, path, &mut self.losses));
        let Some(pixels) = pixels else {
            let layout = if sheet.is_dense() { "" } else { "; spacing and margin are lost" };
            let result = format!("its tiles get no image, and a Tiled map shows their numbers{layout}");
            self.losses.dropped(path, format!("image {file:?}: {result} ({})", images::unread_reason(loaded)));
            return Ok(());
        };
        self.spend(size.unwrap_or_default(), path)?;
        let [columns, rows] = grid(set.tiles.len());
        if sheet.columns != columns || !sheet.is_dense() {
            let text = format!(
                "image {file:?}: cut into its tiles; a Tiled map gets a new image of {columns} columns and {rows} rows"
            );
            self.losses.approximated(path, text);
        }
        let mut missing = 0_usize;
        for &place in places {
            let Some(part) = sheet.part(&pixels, place) else {
                missing = missing.saturating_add(1);
                continue;
            };
            let name = u32::try_from(place).ok().and_then(|place| names.remove(&place)).unwrap_or_default();
            let image: ImageId = self.scene.images.push(Image { name, source: ImageSource::Pixels(part) });
            if let Some(tile) = set.tiles.get_mut(place) {
                tile.image = Some(image);
            }
        }
        if missing > 0 {
            self.losses.dropped(path, format!("{} outside the image {file:?}", format_count(missing, "tile")));
        }
        Ok(())
    }

    /// Adds a tile set with one image for an image layer.
    pub(super) fn image_set(&mut self, name: &str, file: String) -> TileSetId {
        let source = ImageSource::External { path: file };
        let image = self.scene.images.push(Image { name: String::new(), source });
        let tile = Tile { image: Some(image), ..Tile::default() };
        self.scene.tile_sets.push(TileSet { name: name.to_owned(), tiles: vec![tile], properties: Properties::new() })
    }
}

/// Returns the name of a file without its folder and extension.
fn file_stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// Marks tiles that are only squares with their number.
fn drawn(own: &mut Incoming, count: usize) -> Vec<bool> {
    if let Some(all) = own.flag("drawn") {
        return vec![all; count];
    }
    let mut drawn = vec![false; count];
    for [first, last] in own.text("drawn").iter().flat_map(|runs| parse_runs(runs)) {
        let end = (last as usize).saturating_add(1).min(count);
        drawn.get_mut(first as usize..end).unwrap_or_default().fill(true);
    }
    drawn
}

/// Parses a word in any format.
fn word(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
