//! Cells of layers.

use std::collections::BTreeMap;

use mapwright_io::diff::{FieldChange, checksum_text};
use mapwright_io::{Budget, format_count};

use crate::cells::Chunk;
use crate::codes::Gid;
use crate::view::Layer;

/// Maximum number of cells of each layer that are compared one by one, if the layers have other chunks.
const MOST_CELLS: u64 = 2 << 20;

/// Compares the cells of two layers.
pub(super) fn compare(old: Layer<'_>, new: Layer<'_>) -> Option<FieldChange> {
    let encodings = [old, new].map(|layer| layer.cells().map(|cells| (cells.encoding(), cells.compression())));
    let (old, new) = (chunks_of(old), chunks_of(new));
    let place = |chunk: &Chunk<'_>| (chunk.origin(), chunk.size().ok());
    let has_same_places = old.iter().map(place).eq(new.iter().map(place));
    // Equal texts need no decoding.
    if has_same_places && encodings[0] == encodings[1] && old.iter().map(payload_of).eq(new.iter().map(payload_of)) {
        return None;
    }
    let differences = if has_same_places { compare_chunks(&old, &new) } else { compare_grids(&old, &new) };
    match differences {
        Some(differences) => differences.describe(),
        None => {
            let text = |chunks: &[Chunk<'_>], encoding| {
                let places: Vec<_> = chunks.iter().map(place).collect();
                let payloads: String = chunks.iter().map(payload_of).collect();
                checksum_text(format!("{encoding:?} {places:?} {payloads}").as_bytes())
            };
            let [old_encoding, new_encoding] = encodings;
            Some(FieldChange::new("cells", text(&old, old_encoding), text(&new, new_encoding)))
        }
    }
}

fn chunks_of(layer: Layer<'_>) -> Vec<Chunk<'_>> {
    layer.cells().into_iter().flat_map(crate::Cells::chunks).collect()
}

fn payload_of<'a>(chunk: &Chunk<'a>) -> &'a str {
    chunk.payload().raw()
}

/// The number of cells that differ, and the first of them: column, row, old and new.
#[derive(Default)]
struct Differences {
    count: usize,
    first: Option<([i64; 2], [Gid; 2])>,
}

impl Differences {
    fn add(&mut self, at: [i64; 2], cells: [Gid; 2]) {
        if cells[0] != cells[1] {
            self.count = self.count.saturating_add(1);
            self.first.get_or_insert((at, cells));
        }
    }

    fn describe(self) -> Option<FieldChange> {
        let ([column, row], [old, new]) = self.first?;
        let place = match self.count.saturating_sub(1) {
            0 => format!("cell {column},{row}"),
            more => format!("cell {column},{row} and {}", format_count(more, "more cell")),
        };
        Some(FieldChange::new(place, old.0.to_string(), new.0.to_string()))
    }
}

/// Compares chunks with the same positions and sizes. Returns `None` if cells cannot be decoded.
fn compare_chunks(old: &[Chunk<'_>], new: &[Chunk<'_>]) -> Option<Differences> {
    let mut differences = Differences::default();
    for (old, new) in old.iter().zip(new) {
        let cells = [old, new].map(|chunk| chunk.decode(&mut Budget::new(&chunk.item().document().limits)).ok());
        let [Some(old_cells), Some(new_cells)] = cells else { return None };
        for ((at, old), new) in places(*old).zip(old_cells).zip(new_cells) {
            differences.add(at, [old, new]);
        }
    }
    Some(differences)
}

/// Compares chunks with other positions and sizes. Returns `None` if there are too many cells, or if they cannot be decoded.
fn compare_grids(old: &[Chunk<'_>], new: &[Chunk<'_>]) -> Option<Differences> {
    // Row, column, old and new cell.
    let mut grid: BTreeMap<[i64; 2], [Gid; 2]> = BTreeMap::new();
    for (chunks, side) in [(old, 0), (new, 1)] {
        let Some(first) = chunks.first() else { continue };
        let limits = first.item().document().limits.clone();
        let most = limits.max_decompressed.min(4 * MOST_CELLS);
        let mut budget = Budget::new(&limits.with_max_decompressed(most));
        for chunk in chunks {
            // Later chunks cover earlier ones.
            for ([column, row], gid) in places(*chunk).zip(chunk.decode(&mut budget).ok()?) {
                if let Some(cell) = grid.entry([row, column]).or_default().get_mut(side) {
                    *cell = gid;
                }
            }
        }
    }
    let mut differences = Differences::default();
    grid.into_iter().for_each(|([row, column], cells)| differences.add([column, row], cells));
    Some(differences)
}

/// Iterates over columns and rows of the cells of a chunk.
fn places(chunk: Chunk<'_>) -> impl Iterator<Item = [i64; 2]> {
    let [left, top] = chunk.origin().map(i64::from);
    let columns = chunk.size().map_or(0, |[columns, _]| columns);
    (top..).flat_map(move |row| (left..).take(columns as usize).map(move |column| [column, row]))
}
