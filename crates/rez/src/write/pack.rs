//! Writes an archive from scratch: the payloads, then the directory blocks, each after the blocks of its subdirectories.

use std::sync::Arc;

use super::entries::{BlockWriter, Place, check};
use super::{overwrite, to_u32};
use crate::document::{HEADER_SIZE, Payload};
use crate::regions::{is_contiguous, to_range};
use crate::{Directory, Document, EntryRef, File, StoredHeader, WriteError};

/// Writes an archive. `is_monolith` adds the unused bytes of Monolith's packer.
pub(super) fn pack(document: &Document, is_monolith: bool) -> Result<Vec<u8>, WriteError> {
    let mut files = Vec::new();
    for item in document.walk_with_root() {
        check(&item)?;
        match item.entry {
            EntryRef::File(file) if file.payload.bytes().is_none() => {
                return Err(WriteError::on_path(file.payload.damage().into(), item.error_path()));
            }
            EntryRef::File(file) => files.push(file),
            EntryRef::Directory(directory) => {
                let length = document.original_bytes().map_or(0, <[u8]>::len) as u64;
                if let Some((damage, _)) = directory.damage(length) {
                    return Err(WriteError::on_path(damage.into(), item.error_path()));
                }
            }
        }
    }
    let mut out = vec![0; HEADER_SIZE];
    let payloads = write_payloads(document, &files, &mut out)?;
    let end = to_u32(out.len())?;

    // Monolith's writer advances twice after each block. The second step becomes zeros when another block follows.
    let mut next = out.len();
    let place = |_: &Directory, block: &[u8], _: bool| -> Result<(Place, bool), WriteError> {
        let place = [to_u32(next)?, to_u32(block.len())?];
        if !block.is_empty() {
            out.resize(next, 0);
            out.extend_from_slice(block);
            next = next.saturating_add(block.len().saturating_mul(if is_monolith { 2 } else { 1 }));
        }
        Ok((place, true))
    };
    let ([root_position, root_size], _) = BlockWriter { payloads: payloads.iter(), place }.write(&document.root)?;
    to_u32(out.len())?;
    let header = StoredHeader {
        root_position,
        root_size,
        next_write_position: end,
        is_sorted: is_sorted(&document.root, &mut payloads.iter()).into(),
        ..document.largest()
    };
    overwrite(&mut out, 0, &document.header_bytes(&header));
    Ok(out)
}

/// Writes the payloads and returns their places. Payloads of the archive keep their order; a replaced payload takes the
/// place of the original. Added ones follow in the order in which they were added.
fn write_payloads(document: &Document, files: &[&File], out: &mut Vec<u8>) -> Result<Vec<Place>, WriteError> {
    let source = document.original.as_ref().map(|original| &original.source);
    let is_original = |payload: &Payload| source.is_some_and(|source| Arc::ptr_eq(source, &payload.source));
    let mut order: Vec<(bool, u64, usize)> = Vec::with_capacity(files.len());
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.payload.size > 0) {
        let stored = file.stored.filter(|stored| stored.size > 0).map(|stored| stored.position);
        let key = match stored {
            Some(position) => (false, position.into()),
            None => (true, file.payload.added.unwrap_or(0)),
        };
        order.push((key.0, key.1, index));
    }
    order.sort_unstable();

    let mut places = vec![[0, 0]; files.len()];
    // The last range of the original that was copied, and its start in the output. Payloads that share bytes are copied once, so that
    // the archive does not grow.
    let mut copied = (0_u32, 0_u32, 0_u32);
    for (.., index) in order {
        let (Some(file), Some(place)) = (files.get(index), places.get_mut(index)) else { continue };
        let payload = &file.payload;
        let bytes = payload.bytes().unwrap_or_default();
        let here = to_u32(out.len())?;
        if !is_original(payload) {
            copied = (0, 0, 0);
            *place = [here, payload.size];
            out.extend_from_slice(bytes);
            continue;
        }
        let (start, end) = (payload.position, payload.position.saturating_add(payload.size));
        let (copied_start, copied_end, target) = copied;
        if start < copied_end && start >= copied_start {
            *place = [target.saturating_add(start.saturating_sub(copied_start)), payload.size];
            let known = usize::try_from(copied_end.saturating_sub(start)).unwrap_or(usize::MAX);
            out.extend_from_slice(bytes.get(known..).unwrap_or_default());
            copied.1 = copied_end.max(end);
        } else {
            *place = [here, payload.size];
            out.extend_from_slice(bytes);
            copied = (start, end, here);
        }
    }
    Ok(places)
}

/// Returns `true` if the payloads of each directory are contiguous.
pub(super) fn is_sorted(directory: &Directory, payloads: &mut std::slice::Iter<'_, Place>) -> bool {
    let mut own = Vec::new();
    let mut result = true;
    for entry in &directory.entries {
        match entry.as_ref() {
            EntryRef::Directory(child) => result &= is_sorted(child, payloads),
            EntryRef::File(_) => {
                let [position, size] = payloads.next().copied().unwrap_or_default();
                if size > 0 {
                    own.push(to_range(position, size));
                }
            }
        }
    }
    result && is_contiguous(&mut own)
}
