//! Cells of layers.

use std::collections::BTreeMap;

use mapwright_io::Budget;

use super::properties::layout_object;
use super::scalar::quote_json;
use super::{Edit, Scalar};
use crate::cells::{Chunk, encode_base64};
use crate::codes::{Encoding, Gid};
use crate::document::{Item, ItemKind};
use crate::error::invalid;
use crate::view::{Layer, Map};
use crate::{WriteError, WriteErrorKind};

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
        let mut outside = Vec::new();
        for &(at, gid) in cells {
            // Later chunks cover earlier ones.
            let found = places.iter_mut().rev().find_map(|place| Some((place.index_of(at)?, place)));
            match found {
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
            // A new chunk would cover cells of chunks with other positions.
            let corners = [[left, top], [left.saturating_add(size[0]), top.saturating_add(size[1])]];
            if places.iter().any(|place| place.overlaps(corners)) {
                return Err(no_cell(at));
            }
            let count = size[0].unsigned_abs().saturating_mul(size[1].unsigned_abs()) as usize;
            let gids = new.entry([top, left]).or_insert_with(|| vec![Gid(0); count]);
            let index = row.saturating_sub(top).saturating_mul(size[0]).saturating_add(column.saturating_sub(left));
            if let Some(cell) = usize::try_from(index).ok().and_then(|index| gids.get_mut(index)) {
                *cell = gid;
            }
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
            if let Some(cell) = new.get_mut(index) {
                *cell = gid;
            }
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
            (ItemKind::Array, _) => self.set_numbers(chunk, &changed),
            (_, Encoding::Csv) if chunk.is_plain() => self.set_numbers(chunk, &changed),
            (_, Encoding::Csv) => {
                let text: Vec<String> = new.iter().map(|gid| gid.0.to_string()).collect();
                self.set_value(payload, text.join(","))?;
            }
            (_, Encoding::Tiles) => {
                let mut tiles = chunk.tiles().enumerate();
                for (index, gid) in changed {
                    let Some((_, tile)) = tiles.find(|(at, _)| *at == index) else { break };
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

    fn set_numbers(&mut self, chunk: Chunk<'a>, changed: &[(usize, Gid)]) {
        let mut tokens = chunk.payload().number_tokens().enumerate();
        for (index, gid) in changed {
            let Some((_, (at, token))) = tokens.find(|(other, _)| other == index) else { break };
            self.splices.replace(at..at.saturating_add(token.len()), gid.0.to_string());
        }
    }
}

/// Maximum length of a side of new chunks. Files with more have the default length.
const MOST_SIDE: i32 = 256;

fn no_cell(at: [i32; 2]) -> WriteError {
    WriteError::without_position(WriteErrorKind::NoCell(at))
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
        x < right && left < x.saturating_add(columns) && y < bottom && top < y.saturating_add(rows)
    }
}
