//! Directory blocks.

use std::slice;

use mapwright_io::{Output, Path};

use crate::document::Item;
use crate::{Directory, Entry, EntryKind, EntryRef, File, WriteError, WriteErrorKind};

/// Offset and size of a block or a payload in the new archive.
pub(super) type Place = [u32; 2];

/// Writes directory blocks, each after the blocks of its subdirectories.
pub(super) struct BlockWriter<'a, P> {
    /// Places of the payloads, in the order of the walk.
    pub(super) payloads: slice::Iter<'a, Place>,
    /// Writes the bytes of a block. The last argument is `true` if the block of a subdirectory was moved. Returns the place, and
    /// `true` if this block was moved.
    pub(super) place: P,
}

impl<P: FnMut(&Directory, &[u8], bool) -> Result<(Place, bool), WriteError>> BlockWriter<'_, P> {
    /// Writes the block of a directory and those below it. Recursion is as deep as directories are nested.
    pub(super) fn write(&mut self, directory: &Directory) -> Result<(Place, bool), WriteError> {
        let mut block = Output::new();
        let mut is_moved = false;
        for entry in &directory.entries {
            match entry {
                Entry::Directory(child) => {
                    let ([position, size], moved) = self.write(child)?;
                    is_moved |= moved;
                    block.u32s_le(&[EntryKind::DIRECTORY.0, position, size, child.time]);
                    block.bytes(&child.name);
                    block.u8(0);
                }
                Entry::File(file) => {
                    let [position, size] = self.payloads.next().copied().unwrap_or_default();
                    write_file(&mut block, file, [position, size]);
                }
            }
        }
        (self.place)(directory, block.as_bytes(), is_moved)
    }
}

fn write_file(block: &mut Output, file: &File, [position, size]: Place) {
    // More keys than 32 bits can count exceed the maximum size of an archive, which is reported when the block is written.
    let keys = u32::try_from(file.keys.len()).unwrap_or(u32::MAX);
    block.u32s_le(&[file.kind.0, position, size, file.time, file.id, file.file_type.0, keys]);
    block.bytes(&file.name);
    block.u8(0);
    block.bytes(&file.description);
    block.u8(0);
    block.u32s_le(&file.keys);
}

/// Checks that reading the written entry returns the same entry.
pub(super) fn check(item: &Item<'_>) -> Result<(), WriteError> {
    let kind = match item.entry {
        EntryRef::Directory(directory) if directory.name.contains(&0) => WriteErrorKind::Nul("name"),
        EntryRef::File(file) if file.name.contains(&0) => WriteErrorKind::Nul("name"),
        EntryRef::File(file) if file.description.contains(&0) => WriteErrorKind::Nul("description"),
        EntryRef::File(file) if file.kind == EntryKind::DIRECTORY => WriteErrorKind::Kind,
        _ => return Ok(()),
    };
    let path: Path = item.error_path();
    Err(WriteError::on_path(kind, path))
}
