//! Cells of layers.

use mapwright_io::{Budget, Limits};

use super::{Edit, Scalar};
use crate::cells::{Chunk, encode_base64};
use crate::codes::{Encoding, Gid};
use crate::document::ItemKind;
use crate::error::invalid;
use crate::view::{Layer, Map};
use crate::{WriteError, WriteErrorKind};

impl<'a> Edit<'a> {
    /// Sets cells of a layer, by column and row. In the encoding `csv` and in arrays, only numbers that differ change. Compressed cells
    /// are compressed again in the same format.
    ///
    /// # Errors
    /// If a cell is in no chunk of the layer, or if the old cells cannot be decoded.
    pub fn set_cells(&mut self, layer: Layer<'a>, cells: &[([i32; 2], Gid)]) -> Result<(), WriteError> {
        let mut chunks: Vec<(Chunk<'a>, Vec<(usize, Gid)>)> = Vec::new();
        let all: Vec<_> = layer.cells().into_iter().flat_map(crate::Cells::chunks).collect();
        for &(at, gid) in cells {
            // Later chunks cover earlier ones.
            let found = all.iter().rev().find_map(|chunk| Some((chunk, index_in(*chunk, at)?)));
            let Some((chunk, index)) = found else {
                return Err(WriteError::without_position(WriteErrorKind::NoCell(at)));
            };
            match chunks.iter_mut().find(|(known, _)| known == chunk) {
                Some((_, changes)) => changes.push((index, gid)),
                None => chunks.push((*chunk, vec![(index, gid)])),
            }
        }
        for (chunk, changes) in chunks {
            self.set_chunk(layer, chunk, &changes)?;
        }
        Ok(())
    }

    fn set_chunk(&mut self, layer: Layer<'a>, chunk: Chunk<'a>, changes: &[(usize, Gid)]) -> Result<(), WriteError> {
        let old = chunk.decode(&mut Budget::new(&Limits::default())).map_err(invalid)?;
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

/// Returns the index of a cell in a chunk that contains it.
fn index_in(chunk: Chunk<'_>, [column, row]: [i32; 2]) -> Option<usize> {
    let [left, top] = chunk.origin();
    let [columns, rows] = chunk.size().ok()?;
    let distance = |at: i32, start: i32, count: u32| {
        u32::try_from(i64::from(at).saturating_sub(start.into())).ok().filter(|distance| *distance < count)
    };
    let (x, y) = (distance(column, left, columns)?, distance(row, top, rows)?);
    let index = u64::from(y).checked_mul(columns.into())?.checked_add(x.into())?;
    usize::try_from(index).ok()
}
