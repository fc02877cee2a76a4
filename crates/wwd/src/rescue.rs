//! Recovery of damaged files.

use std::sync::Arc;

use mapwright_io::{Budget, Category, Losses, Position, Rescued, inflate_damaged};

use crate::document::StoredBlock;
use crate::read::{Reader, header, plane_header, profile, tile_property};
use crate::trailer::trailer_start;
use crate::{Cell, Document, HeaderFlags, Plane, ReadError, ReadErrorKind, ReadOptions, TileProperties, Tiles};

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
        let planes = rescuer.read_planes(plane_count, planes_offset, tile_properties_offset)?;
        let tile_properties = rescuer.read_tile_properties(tile_properties_offset)?;
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
    /// Reads the planes. Fails only at a limit.
    fn read_planes(&mut self, count: u32, offset: u32, tile_properties_offset: u32) -> Result<Vec<Plane>, ReadError> {
        let mut planes = Vec::new();
        let Ok(mut input) = self.reader.section("plane headers", offset) else { return Ok(planes) };
        let mut headers = Vec::new();
        for index in 0..count {
            let Ok(header) = plane_header(&mut input) else {
                self.report("planes", index as usize, count.into(), "planes are readable");
                break;
            };
            self.reader.budget.take_items(1, input.position())?;
            headers.push(header);
        }
        // The offsets of all sections with content, and `false` for image sets.
        let mut sections = vec![(offset, true), (tile_properties_offset, true)];
        for (plane, [image_sets, objects, offsets @ ..]) in &headers {
            let has_cells = plane.tiles_wide != 0 && plane.tiles_high != 0;
            let sizes = [(has_cells, true), (*image_sets > 0, false), (*objects > 0, true)];
            let used = offsets.iter().zip(sizes).filter(|(_, (is_used, _))| *is_used);
            sections.extend(used.map(|(offset, (_, is_other))| (*offset, is_other)));
        }
        sections.sort_unstable();
        for (index, (mut plane, words)) in headers.into_iter().enumerate() {
            let [image_set_count, object_count, tiles_offset, image_sets_offset, objects_offset] = words;
            let path = |part: &str| format!("planes[{index}].{part}");
            match self.read_tiles(&plane, tiles_offset, &path("tiles")) {
                Ok(tiles) => plane.tiles = tiles,
                Err(reason) => {
                    self.losses.dropped(path("tiles"), format!("plane left out: {reason}"));
                    continue;
                }
            }
            // With a damaged count, the next section must not become names.
            let next = sections.partition_point(|section| *section <= (image_sets_offset, false));
            let end = sections.get(next).map_or(u32::MAX, |(offset, _)| *offset);
            plane.image_sets = self.reader.image_sets_before(image_sets_offset, image_set_count, end)?;
            self.report(&path("image_sets"), plane.image_sets.len(), image_set_count.into(), "names are readable");
            if objects_offset != 0 {
                plane.objects = self.reader.readable_objects(objects_offset, object_count)?;
                self.report(&path("objects"), plane.objects.len(), object_count.into(), "objects are readable");
            }
            planes.push(plane);
        }
        Ok(planes)
    }

    /// Reports items that are declared and not readable. The declared number can itself be damaged.
    fn report(&mut self, path: &str, found: usize, declared: u64, text: &str) {
        if declared > found as u64 {
            self.losses.dropped(path, format!("{found} of {declared} declared {text}"));
        }
    }

    /// Reads a grid. Returns the reason if there can be no such grid in the file.
    fn read_tiles(&mut self, plane: &Plane, offset: u32, path: &str) -> Result<Tiles, String> {
        let (columns, rows) = (plane.tiles_wide, plane.tiles_high);
        if columns < 0 || rows < 0 {
            return Err(format!("invalid grid size {columns}×{rows}"));
        }
        if let Ok(tiles) = self.reader.tiles(offset, plane.size()) {
            return Ok(tiles);
        }
        let cells = u64::from(columns.unsigned_abs()).saturating_mul(rows.unsigned_abs().into());
        let size = usize::try_from(cells).ok().filter(|_| cells.saturating_mul(4) <= self.max_grid);
        let size = size.ok_or_else(|| format!("its {columns}×{rows} cells exceed the file"))?;
        self.max_grid = self.max_grid.saturating_sub(cells.saturating_mul(4));
        let bytes = self.reader.section("tiles", offset).map_or(&[][..], |input| input.peek());
        let mut words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).take(size).collect();
        self.report(path, words.len(), cells, "cells are readable: the others become empty");
        words.resize(size, Cell::EMPTY);
        Ok(words.into())
    }

    /// Reads the properties of tiles. Fails only at a limit.
    fn read_tile_properties(&mut self, offset: u32) -> Result<Option<TileProperties>, ReadError> {
        if offset == 0 {
            return Ok(None);
        }
        match self.reader.tile_properties(offset) {
            Err(error) if error.category() != Category::Limit => {}
            read => return read.map(Some),
        }
        let mut table = TileProperties::default();
        let start = self.reader.section("tile properties", offset).and_then(|mut input| {
            input.take(8)?;
            let declared = input.u32_le()?;
            input.take(20)?;
            Ok((declared, input))
        });
        let Ok((declared, mut input)) = start else {
            self.losses.dropped("tile_properties", "the table of tile properties");
            return Ok(None);
        };
        while table.items.len() < declared as usize
            && let Ok(item) = tile_property(&mut input)
        {
            self.reader.budget.take_items(1, input.position())?;
            table.items.push(item);
        }
        self.report("tile_properties", table.items.len(), declared.into(), "tile properties are readable");
        Ok(Some(table))
    }
}
