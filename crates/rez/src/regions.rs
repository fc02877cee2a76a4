//! Byte ranges of the archive that are in use.

use std::ops::Range;

use crate::document::{BlockState, HEADER_SIZE};
use crate::{Directory, Document, EntryRef, File};

/// The ranges of the header, the directory blocks and the payloads. Empty ranges and ranges outside the archive are left out.
pub(crate) struct Regions {
    /// Sorted starts of all ranges.
    starts: Vec<u64>,
    /// Sorted ends of all ranges.
    ends: Vec<u64>,
    /// Size of the archive.
    length: u64,
}

impl Regions {
    pub(crate) fn from_document(document: &Document) -> Self {
        let length = document.original_bytes().map_or(0, <[u8]>::len) as u64;
        let header = 0..HEADER_SIZE as u64;
        let used = document.walk_with_root().filter_map(|item| match item.entry {
            EntryRef::Directory(directory) => block_range(directory),
            EntryRef::File(file) => room_range(file, length),
        });
        let (mut starts, mut ends): (Vec<u64>, Vec<u64>) =
            [header].into_iter().chain(used).map(|range| (range.start, range.end)).unzip();
        starts.sort_unstable();
        ends.sort_unstable();
        Self { starts, ends, length }
    }

    /// Returns the number of ranges that share bytes with this one, including itself.
    pub(crate) fn count(&self, range: &Range<u64>) -> usize {
        let started = self.starts.partition_point(|start| *start < range.end);
        started.saturating_sub(self.ends.partition_point(|end| *end <= range.start))
    }

    /// Iterates over the ranges between the others and at the end of the archive.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = Range<u64>> {
        let next = self.starts.iter().skip(1).copied().chain([self.length]);
        // At the n-th end, n ranges have ended. If the next one begins later, none is open.
        self.ends.iter().zip(next).filter(|(end, start)| *end < start).map(|(end, start)| *end..start)
    }
}

/// Returns the range of a directory block that was read.
pub(crate) fn block_range(directory: &Directory) -> Option<Range<u64>> {
    let block = directory.stored.filter(|block| block.size > 0)?;
    let is_read = matches!(directory.state, BlockState::Intact | BlockState::Changed | BlockState::Cut(_));
    is_read.then(|| to_range(block.position, block.size))
}

/// Returns the range of the original payload, which a replaced file still uses.
fn room_range(file: &File, length: u64) -> Option<Range<u64>> {
    let stored = file.stored.filter(|stored| stored.size > 0)?;
    let range = to_range(stored.position, stored.size);
    (range.start >= HEADER_SIZE as u64 && range.end <= length).then_some(range)
}

/// Returns the range of a payload in the archive.
pub(crate) fn payload_range(file: &File) -> Option<Range<u64>> {
    let payload = &file.payload;
    let is_inside = payload.added.is_none() && payload.size > 0 && payload.bytes().is_some();
    is_inside.then(|| to_range(payload.position, payload.size))
}

pub(crate) fn to_range(position: u32, size: u32) -> Range<u64> {
    let start = u64::from(position);
    start..start.saturating_add(size.into())
}

/// Returns `true` if ranges follow each other without gaps and overlaps. Sorts them.
pub(crate) fn is_contiguous(ranges: &mut [Range<u64>]) -> bool {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.is_sorted_by(|range, next| range.end == next.start)
}
