//! Recovery of damaged files.

mod records;
mod usual;

use std::sync::Arc;

use mapwright_io::{Budget, Category, Input, Losses, Position, Rescued, inflate_damaged};

use crate::document::StoredBlock;
use crate::read::{Reader, header, plane_header, profile};
use crate::trailer::trailer_start;
use crate::{
    Cell, Document, Header, HeaderFlags, HeaderSize, ImageSets, Objects, Plane, ReadError, ReadErrorKind, ReadOptions,
    TileProperties, Tiles,
};
use records::report_count;

impl Document {
    /// Reads as much of a damaged level as possible. The compressed stream may be damaged or truncated, counts and offsets may be damaged,
    /// and sections may be truncated. Sections are read in their usual order if they then fill the level, else where the file declares
    /// them. Missing cells of a plane become empty.
    ///
    /// # Errors
    /// If the header or all planes are damaged, or if reading would exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued<Self>, ReadError> {
        let intact = match Self::from_bytes_with(bytes, options) {
            // A file with an unusual layout is readable, but may be damaged.
            Ok(document) if document.layout.is_none() => return Ok(Rescued::new(document, Losses::new())),
            result => result,
        };
        let mut losses = Losses::new();
        let Some((mut header, derived, start)) = repaired_header(bytes, options, &mut losses) else {
            return intact.map(|document| Rescued::new(document, Losses::new()));
        };
        let after_header = bytes.get(start..).unwrap_or_default();
        let is_compressed = is_compressed(after_header).unwrap_or(header.flags.has(HeaderFlags::COMPRESS));
        if is_compressed != header.flags.has(HeaderFlags::COMPRESS) {
            header.flags = header.flags.with(HeaderFlags::COMPRESS, is_compressed);
            losses.repaired("header.flags", "the flag of compression is wrong");
        }
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
        let block = MainBlock { main: Arc::new(main), start, plane_count, planes_offset, tile_properties_offset };
        let mut budget = Budget::new(&options.limits);
        let level = match (usual::read_level(&block, &budget)?, intact) {
            (Some(level), Err(_)) => level,
            (Some(level), Ok(_)) if !(level.losses.is_empty() && losses.is_empty()) => level,
            (_, Ok(document)) => return Ok(Rescued::new(document, Losses::new())),
            (None, Err(error)) => {
                // Limit the memory for grids of a small file. Real grids have at most 64 times the size of their file.
                let max_grid = (bytes.len() as u64).saturating_mul(64).saturating_add(1 << 20);
                let reader = Reader::new(&block.main, start, is_compressed, &mut budget);
                let level = Rescuer { reader, losses: Losses::new(), max_grid }.read_level(&block)?;
                if level.planes.is_empty() {
                    return Err(error.map_kind(|_| ReadErrorKind::Unreadable));
                }
                level
            }
        };
        losses.append(level.losses);
        let stream = is_compressed.then(|| after_header.to_vec());
        let profile = profile(&header, &StoredBlock { main: block.main, stream }, trailer);
        let (planes, tile_properties, trailer) = (level.planes, level.tile_properties, trailer.to_vec());
        let document = Self { header, planes, tile_properties, trailer, layout: None, profile, stored: None };
        Ok(Rescued::new(document, losses))
    }
}

/// Reads the header. Repairs its size to 1524, the size in all known files.
fn repaired_header(bytes: &[u8], options: &ReadOptions, losses: &mut Losses) -> Option<(Header, [u32; 3], usize)> {
    let read = header(bytes, options);
    let usual = u32::try_from(Header::FILE_SIZE).ok()?;
    // The planes follow the header.
    let is_usual = |planes_offset: u32| planes_offset == usual || options.header_size == HeaderSize::Any;
    match read {
        Ok((header, derived, start)) if start == Header::FILE_SIZE || !is_usual(derived[1]) => {
            Some((header, derived, start))
        }
        Err(error) if !matches!(error.kind(), ReadErrorKind::HeaderSize { .. }) => None,
        _ => {
            let mut first = *bytes.first_chunk::<{ Header::FILE_SIZE }>()?;
            let declared = Input::new(&first).u32_le().ok()?;
            *first.first_chunk_mut()? = usual.to_le_bytes();
            losses.repaired("header", format!("the size is wrong: {declared} declared, {usual} found"));
            header(&first, options).ok()
        }
    }
}

/// Returns `true` for a zlib stream, and `false` for the header of a plane.
fn is_compressed(block: &[u8]) -> Option<bool> {
    match block {
        [160, 0, 0, 0, ..] => Some(false),
        [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..] => Some(true),
        _ => None,
    }
}

/// The main block of a damaged level, with the values that the header declares for it.
struct MainBlock {
    main: Arc<Vec<u8>>,
    /// Its offset in the file.
    start: usize,
    plane_count: u32,
    planes_offset: u32,
    tile_properties_offset: u32,
}

/// The readable part of the main block.
struct Level {
    planes: Vec<Plane>,
    tile_properties: Option<TileProperties>,
    losses: Losses,
}

/// Reads the complete parts of a damaged main block.
struct Rescuer<'a, 'b> {
    reader: Reader<'a, 'b>,
    losses: Losses,
    /// Maximum size of a grid in bytes.
    max_grid: u64,
}

impl Rescuer<'_, '_> {
    /// Reads the sections where the file declares them. Fails only at a limit.
    fn read_level(mut self, block: &MainBlock) -> Result<Level, ReadError> {
        let planes = self.read_planes(block)?;
        let tile_properties = self.read_tile_properties(block.tile_properties_offset)?;
        Ok(Level { planes, tile_properties, losses: self.losses })
    }

    /// Reads the planes. Fails only at a limit.
    fn read_planes(&mut self, block: &MainBlock) -> Result<Vec<Plane>, ReadError> {
        let mut planes = Vec::new();
        let (count, mut offset) = (block.plane_count, block.planes_offset);
        let has_header = |offset| {
            self.reader.section("plane headers", offset).is_ok_and(|mut input| plane_header(&mut input).is_ok())
        };
        let usual = u32::try_from(block.start).unwrap_or(u32::MAX);
        if !has_header(offset) && has_header(usual) {
            usual::report_offset("planes", offset, block.start, &mut self.losses);
            offset = usual;
        }
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
        // The offsets of all sections with content.
        let mut sections = vec![offset, block.tile_properties_offset];
        for (plane, [image_sets, objects, offsets @ ..]) in &headers {
            let has_cells = plane.tiles_wide != 0 && plane.tiles_high != 0;
            let used = offsets.iter().zip([has_cells, *image_sets > 0, *objects > 0]);
            sections.extend(used.filter(|(_, is_used)| *is_used).map(|(offset, _)| *offset));
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
            // With a damaged count, the next section must not become names or objects.
            let end_of = |offset| sections.get(sections.partition_point(|section| *section <= offset)).copied();
            let end = end_of(image_sets_offset);
            plane.image_sets = self.read_image_sets(image_sets_offset, end, image_set_count, &path("image_sets"))?;
            if objects_offset != 0 {
                let end = end_of(objects_offset);
                plane.objects = self.read_objects(objects_offset, end, object_count, &path("objects"))?;
            }
            planes.push(plane);
        }
        Ok(planes)
    }

    /// Reads the names of image sets before the next section.
    fn read_image_sets(
        &mut self,
        offset: u32,
        end: Option<u32>,
        declared: u32,
        path: &str,
    ) -> Result<ImageSets, ReadError> {
        let (range, is_cut) = self.reader.claim_before(offset, end)?;
        let bytes = self.reader.main().get(range).unwrap_or_default();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at.saturating_add(1));
        let (mut found, mut size) = (0_usize, 0);
        for end in ends.take(declared as usize) {
            (found, size) = (found.saturating_add(1), end);
        }
        self.reader.take_items(found)?;
        report_count(path, found, declared, is_cut, "names are readable", &mut self.losses);
        Ok(ImageSets::from_raw(bytes.get(..size).unwrap_or_default().to_vec()).unwrap_or_default())
    }

    /// Reads the objects before the next section.
    fn read_objects(&mut self, offset: u32, end: Option<u32>, declared: u32, path: &str) -> Result<Objects, ReadError> {
        let (range, is_cut) = self.reader.claim_before(offset, end)?;
        let main = self.reader.main();
        let objects = records::read_objects(main, range, is_cut, declared, path, &mut self.losses);
        self.reader.take_items(objects.len())?;
        Ok(objects)
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
        let (range, is_cut) = self.reader.claim_before(offset, None)?;
        let bytes = self.reader.main().get(range).unwrap_or_default();
        let table = records::read_tile_properties(bytes, is_cut, &mut self.losses);
        match &table {
            Some(table) => self.reader.take_items(table.items.len())?,
            None => self.losses.dropped("tile_properties", "the table of tile properties"),
        }
        Ok(table)
    }
}
