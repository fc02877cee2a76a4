//! Writes the edits of an archive without moving a byte: in place if there is room, else at the end.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::entries::{BlockWriter, Place, check};
use super::pack::is_sorted;
use super::{overwrite, to_u32};
use crate::document::{BlockState, HEADER_SIZE, Original, StoredFile};
use crate::regions::{Regions, block_range, to_range};
use crate::{Directory, Document, EntryRef, File, StoredHeader, WriteError};

/// Size of a file entry without name, description and keys.
const ENTRY_SIZE: u32 = 28;

pub(super) fn patch(document: &Document, original: &Original) -> Result<Vec<u8>, WriteError> {
    let mut files = Vec::new();
    for item in document.walk_with_root() {
        check(&item)?;
        if let EntryRef::File(file) = item.entry {
            files.push(file);
        }
    }
    let mut patch = Patch { document, out: original.source.bytes().to_vec(), regions: OnceCell::new() };
    let length = patch.out.len();
    let payloads = patch.write_payloads(&files)?;
    let end = patch.out.len();
    let place = |directory: &Directory, block: &[u8], is_moved: bool| patch.write_block(directory, block, is_moved);
    let ([root_position, root_size], is_moved) =
        BlockWriter { payloads: payloads.iter(), place }.write(&document.root)?;

    let mut header = StoredHeader { root_position, root_size, ..original.stored };
    if end != length || is_moved {
        // Monolith's tools write the next payload there, so it must be after all payloads.
        header.next_write_position = header.next_write_position.max(to_u32(end)?);
        header.is_sorted = 0;
    }
    let mut out = patch.out;
    if out.len() != length {
        to_u32(out.len())?;
    }
    // Keep the header of an untouched archive, even if it is wrong.
    if out.get(HEADER_SIZE..) != original.source.bytes().get(HEADER_SIZE..) {
        // A shorter payload leaves a gap in its directory.
        if !is_sorted(&document.root, &mut payloads.iter()) {
            header.is_sorted = 0;
        }
        let largest = document.largest();
        header.largest_keys = header.largest_keys.max(largest.largest_keys);
        header.largest_directory_name = header.largest_directory_name.max(largest.largest_directory_name);
        header.largest_file_name = header.largest_file_name.max(largest.largest_file_name);
        header.largest_description = header.largest_description.max(largest.largest_description);
    }
    overwrite(&mut out, 0, &document.header_bytes(&header));
    Ok(out)
}

struct Patch<'a> {
    document: &'a Document,
    out: Vec<u8>,
    /// Computed for the first edit.
    regions: OnceCell<Regions>,
}

impl Patch<'_> {
    /// Returns `true` if a range of the original is used once, so that it can be overwritten.
    fn is_exclusive(&self, position: u32, size: u32) -> bool {
        let regions = self.regions.get_or_init(|| Regions::from_document(self.document));
        regions.count(&to_range(position, size)) <= 1
    }

    /// Writes added payloads in the order in which they were added. Returns the places of all payloads.
    fn write_payloads(&mut self, files: &[&File]) -> Result<Vec<Place>, WriteError> {
        let mut places: Vec<Place> = files.iter().map(|file| [file.payload.position, file.payload.size]).collect();
        let mut added: Vec<(u64, usize)> =
            files.iter().enumerate().filter_map(|(index, file)| Some((file.payload.added?, index))).collect();
        added.sort_unstable();
        for (_, index) in added {
            let (Some(file), Some(place)) = (files.get(index), places.get_mut(index)) else { continue };
            *place = self.write_payload(file)?;
        }
        Ok(places)
    }

    fn write_payload(&mut self, file: &File) -> Result<Place, WriteError> {
        let (bytes, size) = (file.payload.bytes().unwrap_or_default(), file.payload.size);
        let Some(StoredFile { position, size: room, at }) = file.stored else {
            let position = if size == 0 { 0 } else { self.append(bytes)? };
            return Ok([position, size]);
        };
        let is_inside = to_usize(position) >= HEADER_SIZE
            && u64::from(position).saturating_add(room.into()) <= self.out.len() as u64;
        let fits = size == 0 || (size <= room && is_inside && self.is_exclusive(position, room));
        let place = if fits { position } else { self.append(bytes)? };
        if fits {
            overwrite(&mut self.out, to_usize(position), bytes);
        }
        // Update the old entry even if its block is appended.
        if self.is_exclusive(at, ENTRY_SIZE) {
            let entry = [place, size, file.time].map(u32::to_le_bytes);
            overwrite(&mut self.out, to_usize(at).saturating_add(4), entry.as_flattened());
        }
        Ok([place, size])
    }

    fn append(&mut self, bytes: &[u8]) -> Result<u32, WriteError> {
        let position = to_u32(self.out.len())?;
        self.out.extend_from_slice(bytes);
        Ok(position)
    }

    /// Writes a block: in place if its size is unchanged, else at the end.
    fn write_block(
        &mut self,
        directory: &Directory,
        block: &[u8],
        is_moved: bool,
    ) -> Result<(Place, bool), WriteError> {
        let Some(stored) = directory.stored else {
            let position = if block.is_empty() { 0 } else { self.append(block)? };
            return Ok(([position, to_u32(block.len())?], true));
        };
        let place = [stored.position, stored.size];
        let range = to_usize(stored.position)..to_usize(stored.position).saturating_add(to_usize(stored.size));
        let mut block = Cow::Borrowed(block);
        match directory.state {
            BlockState::Outside | BlockState::Cycle | BlockState::Overlap | BlockState::Depth => {
                return Ok((place, false));
            }
            // Entries that could not be read follow those that were.
            BlockState::Cut(offset) => {
                let unread = self.out.get(to_usize(offset)..range.end).unwrap_or_default();
                block = [&block, unread].concat().into();
            }
            BlockState::Intact | BlockState::Changed => {}
        }
        let is_moved = is_moved || directory.state == BlockState::Changed || block.len() != to_usize(stored.size);
        if !is_moved {
            let is_same = self.out.get(range.clone()) == Some(&*block) || block.is_empty();
            if is_same {
                return Ok((place, false));
            }
            if block_range(directory).is_some() && self.is_exclusive(stored.position, stored.size) {
                overwrite(&mut self.out, range.start, &block);
                return Ok((place, false));
            }
        }
        let position = if block.is_empty() { stored.position } else { self.append(&block)? };
        Ok(([position, to_u32(block.len())?], true))
    }
}

/// Converts a number of 32 bits.
fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
