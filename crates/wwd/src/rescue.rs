//! Recovery of damaged files.

use std::sync::Arc;

use mapwright_io::{Budget, Category, Losses, Position, Rescued, inflate_damaged};

use crate::document::StoredBlock;
use crate::read::{Reader, header, plane_header, profile, tile_property};
use crate::trailer::trailer_start;
use crate::{
    Cell, Document, HeaderFlags, ImageSets, Objects, Plane, ReadError, ReadErrorKind, ReadOptions, TileProperties,
    Tiles,
};

impl Document {
    /// Reads as much of a damaged level as possible: with a broken or cut stream, or with sections that are cut or in the wrong place.
    /// Missing cells of a plane become empty.
    ///
    /// # Errors
    /// If the header or all planes are damaged, or if reading would exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued<Self>, ReadError> {
        let error = match Self::from_bytes_with(bytes, options) {
            Ok(document) => return Ok(Rescued::new(document, Losses::new())),
            Err(error) if error.category() == Category::Limit => return Err(error),
            Err(error) => error,
        };
        let Ok((header, derived, start)) = header(bytes, options) else { return Err(error) };
        let after_header = bytes.get(start..).unwrap_or_default();
        let mut losses = Losses::new();
        let is_compressed = header.flags.has(HeaderFlags::COMPRESS);
        let (main, trailer) = if is_compressed {
            let declared = header.main_block_size.into();
            let at = Position::file(start as u64);
            inflate_damaged(after_header, declared, &options.limits, at, "main_block", &mut losses)?
        } else {
            let (main, trailer) =
                after_header.split_at_checked(trailer_start(after_header)).unwrap_or((after_header, &[]));
            (main.to_vec(), trailer)
        };
        let [plane_count, planes_offset, tile_properties_offset] = derived;
        let main = Arc::new(main);
        // A real grid has at most this many times the bytes of its file.
        let max_grid = (bytes.len() as u64).saturating_mul(64).saturating_add(1 << 20);
        let mut budget = Budget::new(&options.limits);
        let mut rescuer = Rescuer { reader: Reader::new(&main, start, is_compressed, &mut budget), losses, max_grid };
        let planes = rescuer.read_planes(plane_count, planes_offset);
        let tile_properties = rescuer.read_tile_properties(tile_properties_offset);
        let losses = rescuer.losses;
        if planes.is_empty() {
            return Err(error.map_kind(|_| ReadErrorKind::Unreadable));
        }
        let stream = is_compressed.then(|| after_header.to_vec());
        let profile = profile(&header, &StoredBlock { main, stream }, trailer);
        let trailer = trailer.to_vec();
        let document = Self { header, planes, tile_properties, trailer, layout: None, profile, stored: None };
        Ok(Rescued::new(document, losses))
    }
}

/// Reads the complete parts of a damaged main block.
struct Rescuer<'a, 'b> {
    reader: Reader<'a, 'b>,
    losses: Losses,
    /// Maximum size of a grid in bytes.
    max_grid: u64,
}

impl Rescuer<'_, '_> {
    fn read_planes(&mut self, count: u32, offset: u32) -> Vec<Plane> {
        let mut planes = Vec::new();
        let Ok(mut input) = self.reader.section("plane headers", offset) else { return planes };
        for index in 0..count {
            let Ok((mut plane, words)) = plane_header(&mut input) else {
                self.losses.dropped("planes", format!("{} of {count} planes", count.saturating_sub(index)));
                break;
            };
            let [image_set_count, object_count, tiles_offset, image_sets_offset, objects_offset] = words;
            let path = |part: &str| format!("planes[{index}].{part}");
            match self.read_tiles(&plane, tiles_offset, &path("tiles")) {
                Some(tiles) => plane.tiles = tiles,
                None => {
                    self.losses.dropped(path("tiles"), "a plane whose cells are missing");
                    continue;
                }
            }
            plane.image_sets = self.read_image_sets(image_sets_offset, image_set_count, &path("image_sets"));
            if objects_offset != 0 {
                plane.objects = self.read_objects(objects_offset, object_count, &path("objects"));
            }
            planes.push(plane);
        }
        planes
    }

    /// Reports how many of the declared items are missing.
    fn report(&mut self, path: &str, found: usize, declared: u64, text: &str) {
        let missing = declared.saturating_sub(found as u64);
        if missing > 0 {
            self.losses.dropped(path, format!("{missing} of {declared} {text}"));
        }
    }

    /// Reads a grid. Returns `None` if it is too large for the file.
    fn read_tiles(&mut self, plane: &Plane, offset: u32, path: &str) -> Option<Tiles> {
        let (columns, rows) = plane.size();
        if plane.tiles_wide < 0 || plane.tiles_high < 0 {
            return None;
        }
        if let Ok(tiles) = self.reader.tiles(offset, plane.size()) {
            return Some(tiles);
        }
        let cells = u64::from(columns).saturating_mul(rows.into());
        let size = usize::try_from(cells).ok().filter(|_| cells.saturating_mul(4) <= self.max_grid)?;
        self.max_grid = self.max_grid.saturating_sub(cells.saturating_mul(4));
        let bytes = self.reader.section("tiles", offset).map_or(&[][..], |input| input.peek());
        let mut words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).take(size).collect();
        self.report(path, words.len(), cells, "cells: they become empty");
        words.resize(size, Cell::EMPTY);
        Some(words.into())
    }

    fn read_image_sets(&mut self, offset: u32, count: u32, path: &str) -> ImageSets {
        if let Ok(image_sets) = self.reader.image_sets(offset, count) {
            return image_sets;
        }
        let bytes = self.reader.section("image sets", offset).map_or(&[][..], |input| input.peek());
        let end = bytes.iter().rposition(|byte| *byte == 0).map_or(0, |at| at.saturating_add(1));
        let image_sets = ImageSets::from_raw(bytes.get(..end).unwrap_or_default().to_vec()).unwrap_or_default();
        self.report(path, image_sets.len(), count.into(), "names");
        image_sets
    }

    fn read_objects(&mut self, offset: u32, declared: u32, path: &str) -> Objects {
        let mut count = 0_u32;
        if let Ok(mut input) = self.reader.section("objects", offset) {
            while count < declared && Objects::skip(&mut input).is_ok() {
                count = count.saturating_add(1);
            }
        }
        self.report(path, count as usize, declared.into(), "objects");
        self.reader.objects(offset, count).unwrap_or_default()
    }

    fn read_tile_properties(&mut self, offset: u32) -> Option<TileProperties> {
        if offset == 0 {
            return None;
        }
        if let Ok(table) = self.reader.tile_properties(offset) {
            return Some(table);
        }
        let mut table = TileProperties::default();
        let start = self.reader.section("tile properties", offset).and_then(|mut input| {
            input.take(8)?;
            let declared = input.u32_le()?;
            input.take(20)?;
            Ok((declared, input))
        });
        let Ok((declared, mut input)) = start else {
            self.losses.dropped("tile_properties", "the whole table");
            return None;
        };
        while table.items.len() < declared as usize
            && let Ok(item) = tile_property(&mut input)
        {
            table.items.push(item);
        }
        self.report("tile_properties", table.items.len(), declared.into(), "tile properties");
        Some(table)
    }
}
