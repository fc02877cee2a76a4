//! Reads sections in the usual order, even if counts, sizes or offsets are damaged.

use std::ops::Range;
use std::sync::Arc;

use mapwright_io::{Budget, Input, Losses, Position};

use super::records::{end_of_objects, end_of_tile_properties, read_objects, read_tile_properties, report_count};
use super::{Level, MainBlock};
use crate::document::record::Field as _;
use crate::read::plane_header;
use crate::{ImageSets, Object, Objects, Plane, ReadError, Tiles};

/// Maximum number of damaged counts and offsets. Each takes time in proportion to the file.
const MAX_CONFLICTS: usize = 16;
/// Position of the offset of the tiles in the header of a plane.
const TILES_OFFSET: usize = 0x84;

/// The content of a section, with the index of its plane.
#[derive(Debug, Clone, Copy)]
enum Content {
    Tiles(usize),
    ImageSets(usize),
    Objects(usize),
    TileProperties,
}

impl Content {
    fn path(self) -> String {
        match self {
            Self::Tiles(plane) => format!("planes[{plane}].tiles"),
            Self::ImageSets(plane) => format!("planes[{plane}].image_sets"),
            Self::Objects(plane) => format!("planes[{plane}].objects"),
            Self::TileProperties => "tile_properties".to_owned(),
        }
    }
}

/// Reads a level whose sections are in the usual order and without gaps. Returns `None` for other levels.
///
/// The count of a section and the offset of the next section both give the end of the section. If they differ, one of them is damaged. The
/// count is right if the next section then ends at its own declared end.
pub(super) fn read_level(block: &MainBlock, budget: &Budget) -> Result<Option<Level>, ReadError> {
    // Planes without objects have the offset 0, but a damaged offset may be 0, too. Try both.
    let mut best: Option<Level> = None;
    for with_offset in [false, true] {
        let mut budget = budget.clone();
        let mut reader = Reader::new(block, &mut budget)?;
        reader.list_sections(with_offset);
        if let Some(ranges) = reader.find_ranges() {
            let level = reader.read(&ranges, &mut budget)?;
            if best.as_ref().is_none_or(|best| level.losses.len() < best.losses.len()) {
                best = Some(level);
            }
        }
    }
    Ok(best)
}

struct Reader<'a> {
    block: &'a MainBlock,
    main: &'a [u8],
    /// The planes, each with its derived words.
    planes: Vec<(Plane, [u32; 5])>,
    /// The sections after the headers, each with its declared offset.
    sections: Vec<(Content, u32)>,
    conflicts: usize,
    losses: Losses,
}

impl<'a> Reader<'a> {
    /// Reads the headers of the planes.
    fn new(block: &'a MainBlock, budget: &mut Budget) -> Result<Self, ReadError> {
        let main = block.main.as_slice();
        let mut losses = Losses::new();
        let (headers, _) = main.as_chunks::<{ Plane::FILE_SIZE }>();
        let size = |header: &[u8; Plane::FILE_SIZE]| u32::get(header);
        let with_size = headers.iter().take_while(|header| size(header) == 160).count();
        // The first grid follows the headers, so its offset confirms the declared number.
        let declared = block.plane_count as usize;
        let after = declared.checked_mul(Plane::FILE_SIZE).and_then(|size| size.checked_add(block.start));
        let first = headers.first().and_then(|header| header.get(TILES_OFFSET..));
        let is_confirmed = first.is_some_and(|offset| Some(u32::get(offset) as usize) == after);
        let count = if is_confirmed { declared } else { with_size };
        budget.take_items(count as u64, Position::file(block.start as u64))?;
        report_count("planes", count, block.plane_count, false, "", &mut losses);
        if block.planes_offset as usize != block.start {
            report_offset("planes", block.planes_offset, block.start, &mut losses);
        }
        let mut planes = Vec::new();
        for (index, header) in headers.iter().enumerate().take(count) {
            let mut header = *header;
            if size(&header) != 160 {
                let text = format!("invalid size of the header: expected 160, found {}", size(&header));
                losses.repaired(format!("planes[{index}]"), text);
                160_u32.write_to(&mut header);
            }
            planes.push(plane_header(&mut Input::new(&header))?);
        }
        // A truncated level does not contain all headers. Without planes, the level is not read here.
        if planes.len() < count {
            planes.clear();
        }
        Ok(Self { block, main, planes, sections: Vec::new(), conflicts: 0, losses })
    }

    /// Lists the sections after the headers. Unless `with_offset` is `true`, objects with the offset 0 are a section, too.
    fn list_sections(&mut self, with_offset: bool) {
        let words = || self.planes.iter().map(|(_, words)| *words).enumerate();
        let tiles = words().map(|(plane, [_, _, offset, ..])| (Content::Tiles(plane), offset));
        let image_sets = words().map(|(plane, [_, _, _, offset, _])| (Content::ImageSets(plane), offset));
        let objects = words().filter(|(_, [_, count, .., offset])| *offset != 0 || !with_offset && *count != 0);
        let objects = objects.map(|(plane, [.., offset])| (Content::Objects(plane), offset));
        self.sections = tiles.chain(image_sets).chain(objects).collect();
        if self.block.tile_properties_offset != 0 {
            self.sections.push((Content::TileProperties, self.block.tile_properties_offset));
        }
    }

    /// Returns the declared start of a section in the main block. For the index after the last section, returns the end of the block.
    fn declared_start(&self, section: usize) -> Option<usize> {
        match self.sections.get(section) {
            Some((_, offset)) => (*offset as usize).checked_sub(self.block.start),
            None => Some(self.main.len()),
        }
    }

    /// Returns the end of a section from its count.
    fn end_of(&self, section: usize, at: usize) -> Option<usize> {
        let bytes = self.main.get(at..)?;
        let (content, _) = self.sections.get(section)?;
        let words = |plane: usize| self.planes.get(plane).map(|(_, words)| *words);
        let size = match *content {
            Content::Tiles(plane) => {
                let (plane, _) = self.planes.get(plane)?;
                let [columns, rows] = [plane.tiles_wide, plane.tiles_high].map(usize::try_from);
                columns.ok()?.checked_mul(rows.ok()?)?.checked_mul(4)?
            }
            Content::ImageSets(plane) => match words(plane)?[0] as usize {
                0 => 0,
                count => {
                    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0);
                    ends.nth(count.saturating_sub(1))?.0.saturating_add(1)
                }
            },
            Content::Objects(plane) => end_of_objects(bytes, words(plane)?[1])?,
            Content::TileProperties => end_of_tile_properties(bytes)?,
        };
        at.checked_add(size).filter(|end| *end <= self.main.len())
    }

    /// Returns the ranges of all sections, if they fill the main block.
    fn find_ranges(&mut self) -> Option<Vec<Range<usize>>> {
        let mut at = self.planes.len().checked_mul(Plane::FILE_SIZE)?;
        if self.planes.is_empty() {
            return None;
        }
        let mut ranges = Vec::new();
        if let Some((content, offset)) = self.sections.first()
            && self.declared_start(0) != Some(at)
        {
            report_offset(&content.path(), *offset, at.saturating_add(self.block.start), &mut self.losses);
        }
        for section in 0..self.sections.len() {
            let (end, next) = (self.end_of(section, at), self.declared_start(section.saturating_add(1)));
            let end = end.filter(|end| Some(*end) == next).or_else(|| self.settle(section, at, end, next))?;
            ranges.push(at..end);
            at = end;
        }
        if at < self.main.len() && self.block.tile_properties_offset == 0 {
            // The header declares no tile properties, but bytes are left. Check that they are tile properties.
            self.sections.push((Content::TileProperties, 0));
            self.end_of(self.sections.len().saturating_sub(1), at).filter(|end| *end == self.main.len())?;
            report_offset("tile_properties", 0, at.saturating_add(self.block.start), &mut self.losses);
            ranges.push(at..self.main.len());
            at = self.main.len();
        }
        (at == self.main.len()).then_some(ranges)
    }

    /// Returns the end of a section if its count and the offset of the next section contradict each other. Repairs the damaged one.
    fn settle(&mut self, section: usize, at: usize, end: Option<usize>, next: Option<usize>) -> Option<usize> {
        self.conflicts = self.conflicts.saturating_add(1);
        if self.conflicts > MAX_CONFLICTS {
            return None;
        }
        let following = section.saturating_add(1);
        let is_last = following >= self.sections.len();
        let end = end.filter(|_| !is_last);
        let confirms = |end: &usize| self.end_of(following, *end) == self.declared_start(following.saturating_add(1));
        let is_confirmed = end.as_ref().is_some_and(confirms);
        if !is_confirmed
            && let Some(next) = next.filter(|next| (at..=self.main.len()).contains(next))
            && self.fill(section, at..next)
        {
            return Some(next);
        }
        let end = end?;
        let &(content, offset) = self.sections.get(following)?;
        report_offset(&content.path(), offset, end.saturating_add(self.block.start), &mut self.losses);
        Some(end)
    }

    /// Repairs the count of a section so that it fills a range. Returns `false` if that is impossible.
    fn fill(&mut self, section: usize, range: Range<usize>) -> bool {
        let Some(&(content, _)) = self.sections.get(section) else { return false };
        let bytes = self.main.get(range).unwrap_or_default();
        match content {
            Content::Tiles(plane) => {
                let Some((plane, _)) = self.planes.get_mut(plane) else { return false };
                let (declared, found) = ([plane.tiles_wide, plane.tiles_high], grid_of_size(plane, bytes.len()));
                let Some([columns, rows]) = found else { return false };
                (plane.tiles_wide, plane.tiles_high) = (columns, rows);
                let text =
                    format!("the grid size is wrong: {}×{} declared, {columns}×{rows} found", declared[0], declared[1]);
                self.losses.repaired(content.path(), text);
            }
            Content::ImageSets(plane) => {
                let declared = self.planes.get(plane).map_or(0, |(_, words)| words[0]);
                let (last, names) = bytes.split_last().unwrap_or((&0, &[]));
                let count = bytes.iter().filter(|byte| **byte == 0).count();
                // Names have no control characters, but other sections do.
                if names.iter().any(|byte| (1..0x20).contains(byte)) {
                    return false;
                }
                if *last == 0 {
                    report_count(&content.path(), count, declared, false, "", &mut self.losses);
                } else if count.saturating_add(1) == declared as usize {
                    self.losses.repaired(content.path(), "the last name has no end");
                } else {
                    return false;
                }
            }
            // Damaged items are repaired when they are read.
            Content::Objects(_) => return bytes.len() >= Object::FILE_SIZE,
            Content::TileProperties => return bytes.len() >= 32,
        }
        true
    }

    /// Reads the sections in these ranges.
    fn read(mut self, ranges: &[Range<usize>], budget: &mut Budget) -> Result<Level, ReadError> {
        let main: &Arc<Vec<u8>> = &self.block.main;
        let mut tile_properties = None;
        for (&(content, _), range) in self.sections.iter().zip(ranges) {
            let bytes = main.get(range.clone()).unwrap_or_default();
            let mut count = 0;
            match content {
                Content::Tiles(plane) => {
                    if let Some((plane, _)) = self.planes.get_mut(plane) {
                        plane.tiles = Tiles::in_block(main, range.clone());
                    }
                }
                Content::ImageSets(plane) => {
                    if let Some((plane, _)) = self.planes.get_mut(plane) {
                        let mut names = bytes.to_vec();
                        names.last_mut().into_iter().for_each(|last| *last = 0);
                        plane.image_sets = ImageSets::from_raw(names).unwrap_or_default();
                        count = plane.image_sets.len();
                    }
                }
                Content::Objects(plane) => {
                    if let Some((plane, words)) = self.planes.get_mut(plane) {
                        let declared = words[1];
                        plane.objects = if end_of_objects(bytes, declared) == Some(bytes.len()) {
                            Objects::in_block(main, range.clone(), declared as usize)
                        } else {
                            read_objects(main, range.clone(), false, declared, &content.path(), &mut self.losses)
                        };
                        count = plane.objects.len();
                    }
                }
                Content::TileProperties => {
                    tile_properties = read_tile_properties(bytes, false, &mut self.losses);
                    count = tile_properties.as_ref().map_or(0, |table| table.items.len());
                }
            }
            let at = self.block.start.saturating_add(range.start) as u64;
            budget.take_items(count as u64, Position::file(at))?;
        }
        let planes = self.planes.into_iter().map(|(plane, _)| plane).collect();
        Ok(Level { planes, tile_properties, losses: self.losses })
    }
}

/// Returns the columns and rows of a grid with this number of bytes. Some of the four sizes that a plane declares may be damaged.
fn grid_of_size(plane: &Plane, bytes: usize) -> Option<[i32; 2]> {
    let cells = i32::try_from(bytes / 4).ok().filter(|_| bytes.is_multiple_of(4))?;
    let divide = |pixels: i32, tile: i32| pixels.checked_div(tile).filter(|_| pixels.checked_rem(tile) == Some(0));
    let [columns, rows] = [divide(plane.width_px, plane.tile_w), divide(plane.height_px, plane.tile_h)];
    [
        (columns, rows),
        (columns, Some(plane.tiles_high)),
        (Some(plane.tiles_wide), rows),
        (divide(cells, plane.tiles_high), Some(plane.tiles_high)),
        (Some(plane.tiles_wide), divide(cells, plane.tiles_wide)),
    ]
    .into_iter()
    .filter_map(|(columns, rows)| Some([columns?, rows?]))
    .find(|[columns, rows]| *columns >= 0 && *rows >= 0 && columns.checked_mul(*rows) == Some(cells))
}

pub(super) fn report_offset(path: &str, declared: u32, found: usize, losses: &mut Losses) {
    losses.repaired(path, format!("the offset is wrong: {declared} declared, {found} found"));
}
