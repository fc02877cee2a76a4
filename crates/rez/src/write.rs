//! Writes documents as bytes.

mod entries;
mod pack;
mod patch;

use mapwright_io::Output;

use crate::document::HEADER_SIZE;
use crate::{Document, EntryRef, Layout, StoredHeader, WriteError, WriteErrorKind, WriteOptions};

mapwright_io::write_functions!("the archive");

impl Document {
    /// Writes the archive with the given options.
    ///
    /// # Errors
    /// If a name or description contains a NUL, a file has the kind of a directory, a header byte that readers check is wrong, the archive
    /// would exceed 4 GiB, or an archive with damage is written from scratch.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        if (self.header.line_breaks[0][0], self.header.line_breaks[1][1]) != (b'\r', b'\n') {
            return Err(WriteError::on_path(WriteErrorKind::Header, "header.line_breaks"));
        }
        match (options.layout, &self.original) {
            (Layout::Keep, Some(original)) => patch::patch(self, original),
            (Layout::Keep | Layout::Monolith, _) => pack::pack(self, true),
            (Layout::Compact, _) => pack::pack(self, false),
        }
    }

    /// Returns the header with the given numbers.
    fn header_bytes(&self, stored: &StoredHeader) -> [u8; HEADER_SIZE] {
        let mut out = Output::with_capacity(HEADER_SIZE);
        let header = &self.header;
        out.bytes(&header.line_breaks[0]);
        out.bytes(&header.title.0);
        out.bytes(&header.line_breaks[1]);
        out.bytes(&header.user_title.0);
        out.bytes(&header.line_breaks[2]);
        out.u8(0x1A);
        out.u32s_le(&[
            1,
            stored.root_position,
            stored.root_size,
            self.root.time,
            stored.next_write_position,
            header.time,
            stored.largest_keys,
            stored.largest_directory_name,
            stored.largest_file_name,
            stored.largest_description,
        ]);
        out.u8(stored.is_sorted);
        let mut bytes = [0; HEADER_SIZE];
        overwrite(&mut bytes, 0, out.as_bytes());
        bytes
    }

    /// Returns the largest sizes of the entries. Other numbers are 0.
    pub(crate) fn largest(&self) -> StoredHeader {
        let mut largest = StoredHeader::default();
        let with_nul = |text: &[u8]| to_u32(text.len().saturating_add(1)).unwrap_or(u32::MAX);
        for item in self.walk() {
            match item.entry {
                EntryRef::Directory(directory) => {
                    largest.largest_directory_name = largest.largest_directory_name.max(with_nul(&directory.name));
                }
                EntryRef::File(file) => {
                    largest.largest_file_name = largest.largest_file_name.max(with_nul(&file.name));
                    largest.largest_keys = largest.largest_keys.max(to_u32(file.keys.len()).unwrap_or(u32::MAX));
                    if !file.description.is_empty() {
                        largest.largest_description = largest.largest_description.max(with_nul(&file.description));
                    }
                }
            }
        }
        largest
    }
}

/// Converts a position or size.
fn to_u32(size: usize) -> Result<u32, WriteError> {
    u32::try_from(size).map_err(|_| WriteError::without_position(WriteErrorKind::TooLarge { size: size as u64 }))
}

/// Overwrites bytes that exist.
fn overwrite(out: &mut [u8], at: usize, bytes: &[u8]) {
    let end = at.saturating_add(bytes.len());
    if let Some(room) = out.get_mut(at..end) {
        room.copy_from_slice(bytes);
    }
}
