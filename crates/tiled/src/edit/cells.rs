//! Cells of layers.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use mapwright_io::Budget;

use super::properties::layout_object;
use super::scalar::quote_json;
use super::{Edit, Scalar};
use crate::cells::{Chunk, encode_base64};
use crate::codes::{Encoding, Gid};
use crate::document::{Item, ItemKind};
use crate::error::invalid;
use crate::view::{Layer, Map};
use crate::{ReadErrorKind, WriteError, WriteErrorKind};

impl<'a> Edit<'a> {
    /// Sets cells of a layer, by column and row. In the encoding `csv` and in arrays, only numbers that differ change. Compressed cells
    /// are compressed again in the same format. Layers of infinite maps get new chunks for cells that are in none.
    ///
    /// # Errors
    /// If a cell is outside of the layer; if the old cells cannot be decoded, or exceed the limits with which the document was read.
    pub fn set_cells(&mut self, layer: Layer<'a>, cells: &[([i32; 2], Gid)]) -> Result<(), WriteError> {
        let mut places: Vec<Place<'a>> = Vec::new();
        for chunk in layer.cells().into_iter().flat_map(crate::Cells::chunks) {
            places.push(Place::new(chunk)?);
        }
        let grid = Grid::new(&places);
        let mut outside = Vec::new();
        for &(at, gid) in cells {
            let found = match &grid {
                Some(grid) => grid.place_of(at).and_then(|index| places.get_mut(index)),
                // Later chunks cover earlier ones.
                None => places.iter_mut().rev().find(|place| place.index_of(at).is_some()),
            };
            match found.and_then(|place| Some((place.index_of(at)?, place))) {
                Some((index, place)) => place.changes.push((index, gid)),
                None => outside.push((at, gid)),
            }
        }
        for place in places.iter().filter(|place| !place.changes.is_empty()) {
            self.set_chunk(layer, place.chunk, &place.changes)?;
        }
        self.add_chunks(layer, &places, &outside)
    }

    /// Adds chunks with cells that are in no chunk.
    fn add_chunks(
        &mut self,
        layer: Layer<'a>,
        places: &[Place<'a>],
        cells: &[([i32; 2], Gid)],
    ) -> Result<(), WriteError> {
        let Some((first, _)) = cells.iter().find(|(_, gid)| gid.0 != 0) else {
            // Cells outside of all chunks are empty.
            let [outside, ..] = cells else { return Ok(()) };
            return if self.is_infinite() { Ok(()) } else { Err(no_cell(outside.0)) };
        };
        let list = layer.cells().filter(|cells| self.is_infinite() && cells.has_chunks()).and_then(crate::Cells::list);
        let list = list.ok_or_else(|| no_cell(*first))?;
        let size = self.document.as_map().map_or([16; 2], |map| map.editor_settings().chunk_size());
        let size = size.map(|side| if (1..=MOST_SIDE).contains(&side) { side } else { 16 });
        let mut new: BTreeMap<[i32; 2], Vec<Gid>> = BTreeMap::new();
        for &(at, gid) in cells.iter().filter(|(_, gid)| gid.0 != 0) {
            let [column, row] = at;
            let [left, top] =
                [(column, size[0]), (row, size[1])].map(|(at, side)| at.saturating_sub(at.rem_euclid(side)));
            let gids = match new.entry([top, left]) {
                Entry::Occupied(chunk) => chunk.into_mut(),
                Entry::Vacant(chunk) => {
                    // A new chunk would cover cells of chunks with other positions.
                    let corners = [[left, top], [left.saturating_add(size[0]), top.saturating_add(size[1])]];
                    if places.iter().any(|place| place.overlaps(corners)) {
                        return Err(no_cell(at));
                    }
                    let count = size[0].unsigned_abs().saturating_mul(size[1].unsigned_abs()) as usize;
                    chunk.insert(vec![Gid(0); count])
                }
            };
            let index = row.saturating_sub(top).saturating_mul(size[0]).saturating_add(column.saturating_sub(left));
            let cell = usize::try_from(index).ok().and_then(|index| gids.get_mut(index));
            *cell.ok_or_else(|| no_cell(at))? = gid;
        }
        let last = places.last().map(|place| place.chunk.item());
        for ([top, left], gids) in new {
            let text = self.chunk_text(layer, last, [left, top, size[0], size[1]], &gids);
            self.insert(list, last, &text)?;
        }
        Ok(())
    }

    fn is_infinite(&self) -> bool {
        self.document.as_map().is_some_and(Map::infinite)
    }

    /// Returns the text of a new chunk: column, row, width and height.
    fn chunk_text(&self, layer: Layer<'a>, last: Option<Item<'a>>, place: [i32; 4], gids: &[Gid]) -> String {
        let cells = layer.cells();
        let encoding = cells.and_then(crate::Cells::encoding).unwrap_or(Encoding::Csv);
        let compression = cells.and_then(crate::Cells::compression).unwrap_or(crate::Compression::None);
        let level = self.document.as_map().map_or(-1, Map::compression_level);
        let numbers = || {
            let rows = gids.chunks(usize::try_from(place[2]).unwrap_or(1).max(1));
            let row = |row: &[Gid]| row.iter().map(|gid| gid.0.to_string()).collect::<Vec<_>>().join(",");
            rows.map(row).collect::<Vec<_>>().join(",\n")
        };
        if !self.is_xml() {
            let data = match encoding {
                Encoding::Base64 => quote_json(&encode_base64(gids, compression, level, "")),
                _ => format!("[{}]", numbers()),
            };
            let [x, y, width, height] = place.map(|number| number.to_string());
            return layout_object(last, &[("data", data), ("height", height), ("width", width), ("x", x), ("y", y)]);
        }
        let payload = match encoding {
            Encoding::Csv => format!("\n{}\n", numbers()),
            Encoding::Base64 => encode_base64(gids, compression, level, ""),
            Encoding::Tiles => gids.iter().map(|gid| format!("<tile gid=\"{}\"/>", gid.0)).collect(),
        };
        let [x, y, width, height] = place;
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{payload}</chunk>")
    }

    fn set_chunk(&mut self, layer: Layer<'a>, chunk: Chunk<'a>, changes: &[(usize, Gid)]) -> Result<(), WriteError> {
        let old = chunk.decode(&mut Budget::new(&self.document.limits)).map_err(invalid)?;
        let mut new = old.clone();
        for &(index, gid) in changes {
            *new.get_mut(index).ok_or_else(|| missing_cell(index))? = gid;
        }
        let differs = |index: &usize| old.get(*index) != new.get(*index);
        let changed: Vec<(usize, Gid)> = new.iter().copied().enumerate().filter(|(index, _)| differs(index)).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let payload = chunk.payload();
        let cells = layer.cells();
        let encoding = cells.and_then(crate::Cells::encoding).unwrap_or(Encoding::Csv);
        match (payload.kind(), encoding) {
            (ItemKind::Array, _) => self.set_numbers(chunk, &changed)?,
            (_, Encoding::Csv) if chunk.is_plain() => self.set_numbers(chunk, &changed)?,
            (_, Encoding::Csv) => {
                let text: Vec<String> = new.iter().map(|gid| gid.0.to_string()).collect();
                self.set_value(payload, text.join(","))?;
            }
            (_, Encoding::Tiles) => {
                let mut tiles = chunk.tiles().enumerate();
                for (index, gid) in changed {
                    let (_, tile) = tiles.find(|(at, _)| *at == index).ok_or_else(|| missing_cell(index))?;
                    self.set(tile, "gid", gid)?;
                }
            }
            (_, Encoding::Base64) => {
                let compression = cells.and_then(crate::Cells::compression).unwrap_or(crate::Compression::None);
                let level = self.document.as_map().map_or(-1, Map::compression_level);
                let text = payload.text();
                let new = encode_base64(&new, compression, level, &text);
                // The spaces around the old text stay.
                let start = text.len().saturating_sub(text.trim_ascii_start().len());
                let (before, after) = (text.get(..start).unwrap_or_default(), text.get(text.trim_ascii_end().len()..));
                self.set_value(payload, Scalar::from([before, &new, after.unwrap_or_default()].concat()))?;
            }
        }
        Ok(())
    }

    fn set_numbers(&mut self, chunk: Chunk<'a>, changed: &[(usize, Gid)]) -> Result<(), WriteError> {
        let mut tokens = chunk.payload().number_tokens().enumerate();
        for (index, gid) in changed {
            let (_, (at, token)) = tokens.find(|(other, _)| other == index).ok_or_else(|| missing_cell(*index))?;
            self.splices.replace(at..at.saturating_add(token.len()), gid.0.to_string());
        }
        Ok(())
    }
}

/// Maximum length of a side of new chunks. Files with more have the default length.
const MOST_SIDE: i32 = 256;

fn no_cell(at: [i32; 2]) -> WriteError {
    WriteError::without_position(WriteErrorKind::NoCell(at))
}

/// Returns the error for a cell that was decoded, but that the text does not have.
fn missing_cell(index: usize) -> WriteError {
    let found = index as u64;
    let kind = ReadErrorKind::CellCount { found, expected: found.saturating_add(1), more: false };
    WriteError::without_position(WriteErrorKind::Invalid(Box::new(kind)))
}

/// The indices of chunks that are the cells of a grid, by their positions. Searching all chunks for each cell takes quadratic time.
struct Grid {
    origin: [i64; 2],
    size: [i64; 2],
    places: HashMap<[i64; 2], usize>,
}

impl Grid {
    /// Returns `None` if the chunks have several sizes or are no grid.
    fn new(places: &[Place<'_>]) -> Option<Self> {
        let &Place { origin, size, .. } = places.first()?;
        let mut grid = Self { origin, size, places: HashMap::with_capacity(places.len()) };
        for (index, place) in places.iter().enumerate() {
            if place.size != size || grid.align(place.origin)? != place.origin {
                return None;
            }
            // Later chunks cover earlier ones.
            grid.places.insert(place.origin, index);
        }
        Some(grid)
    }

    /// Returns the first column and row of the grid cell around a column and row.
    fn align(&self, [column, row]: [i64; 2]) -> Option<[i64; 2]> {
        let ([left, top], [columns, rows]) = (self.origin, self.size);
        let start = |at: i64, origin: i64, side: i64| at.checked_sub(at.checked_sub(origin)?.checked_rem_euclid(side)?);
        Some([start(column, left, columns)?, start(row, top, rows)?])
    }

    fn place_of(&self, at: [i32; 2]) -> Option<usize> {
        self.places.get(&self.align(at.map(i64::from))?).copied()
    }
}

/// A chunk with its position and size, and the cells in it that change.
struct Place<'a> {
    chunk: Chunk<'a>,
    origin: [i64; 2],
    size: [i64; 2],
    changes: Vec<(usize, Gid)>,
}

impl<'a> Place<'a> {
    fn new(chunk: Chunk<'a>) -> Result<Self, WriteError> {
        let size = chunk.size().map_err(invalid)?.map(i64::from);
        Ok(Self { chunk, origin: chunk.origin().map(i64::from), size, changes: Vec::new() })
    }

    /// Returns the index of a cell, if it is in the chunk.
    fn index_of(&self, [column, row]: [i32; 2]) -> Option<usize> {
        let ([left, top], [columns, rows]) = (self.origin, self.size);
        let (x, y) = (i64::from(column).checked_sub(left)?, i64::from(row).checked_sub(top)?);
        let is_inside = (0..columns).contains(&x) && (0..rows).contains(&y);
        let index = y.checked_mul(columns)?.checked_add(x)?;
        is_inside.then(|| usize::try_from(index).ok())?
    }

    /// Returns `true` if the chunk has a cell between two corners.
    fn overlaps(&self, corners: [[i32; 2]; 2]) -> bool {
        let ([x, y], [columns, rows]) = (self.origin, self.size);
        let [[left, top], [right, bottom]] = corners.map(|corner| corner.map(i64::from));
        columns > 0
            && rows > 0
            && x < right
            && left < x.saturating_add(columns)
            && y < bottom
            && top < y.saturating_add(rows)
    }
}
