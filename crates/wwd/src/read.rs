//! Reads bytes as a document.

mod sections;

use std::sync::Arc;

use mapwright_io::{Budget, Input, Position, inflate};

use crate::document::{StoredBlock, split};
use crate::trailer::trailer_start;
use crate::{
    Checksum, Document, Header, HeaderFlags, HeaderSize, ReadError, ReadErrorKind, ReadOptions, WriterProfile,
};

pub(crate) use sections::{Reader, Sections, plane_header, tile_property};

mapwright_io::read_functions!("a level");

impl Document {
    /// Reads a level with the given options.
    ///
    /// # Errors
    /// If the bytes are not a level, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut budget = Budget::new(&options.limits);
        let (header, derived, start) = header(bytes, options)?;
        let after_header = bytes.get(start..).unwrap_or_default();
        let (stored, trailer) = if header.flags.has(HeaderFlags::COMPRESS) {
            let declared = header.main_block_size;
            let available = after_header.len() as u64;
            // No zlib stream expands more. Check it before anything is allocated.
            if u64::from(declared) > available.saturating_mul(1040).saturating_add(64) {
                let kind = ReadErrorKind::MainBlockSize { declared, stored: available };
                return Err(ReadError::new(kind, Position::file(0x2E8)));
            }
            let inflated = inflate(after_header, Some(declared.into()), &mut budget, Position::file(start as u64))?;
            let (stream, trailer) = after_header.split_at_checked(inflated.consumed).unwrap_or((after_header, &[]));
            (StoredBlock { main: Arc::new(inflated.bytes), stream: Some(stream.to_vec()) }, trailer)
        } else {
            let (main, trailer) =
                after_header.split_at_checked(trailer_start(after_header)).unwrap_or((after_header, &[]));
            (StoredBlock { main: Arc::new(main.to_vec()), stream: None }, trailer)
        };
        let sections = Sections::read(&stored.main, start, derived, stored.stream.is_some(), &mut budget)?;
        let profile = profile(&header, &stored, trailer);
        Ok(Self {
            header,
            planes: sections.planes,
            tile_properties: sections.tile_properties,
            trailer: trailer.to_vec(),
            layout: sections.layout,
            profile,
            stored: Some(stored),
        })
    }
}

/// Reads the header, its derived words, and the offset of the stored block.
pub(crate) fn header(bytes: &[u8], options: &ReadOptions) -> Result<(Header, [u32; 3], usize), ReadError> {
    if mapwright_io::is_git_lfs_pointer(bytes) {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, Position::file(0)));
    }
    let mut input = Input::new(bytes);
    let found = Input::new(bytes).u32_le()?;
    let size = match usize::try_from(found) {
        Ok(size) if (Header::SHORTEST..=Header::FILE_SIZE).contains(&size) => size,
        Ok(size) if size > Header::FILE_SIZE && options.header_size == HeaderSize::Any => Header::FILE_SIZE,
        _ => return Err(ReadError::new(ReadErrorKind::HeaderSize { found }, Position::file(0))),
    };
    // The last fields of a header that ends early are empty.
    let mut whole = [0; Header::FILE_SIZE];
    for (place, byte) in whole.iter_mut().zip(input.take(size)?) {
        *place = *byte;
    }
    let (fields, derived) = split(&whole, Header::DERIVED);
    Ok((Header::get(&fields), derived, size))
}

/// Detects the program whose compressor and checksum the block has.
pub(crate) fn profile(header: &Header, stored: &StoredBlock, trailer: &[u8]) -> WriterProfile {
    let Some(stream) = &stored.stream else {
        return if trailer.is_empty() { WriterProfile::Editor } else { WriterProfile::WapMap };
    };
    let matches = |checksum: Checksum| checksum.compute(stream, &stored.main, true) == header.checksum;
    let best = stream.get(1) == Some(&0xDA);
    if matches(Checksum::WapMap) || best && !matches(Checksum::Editor) {
        WriterProfile::WapMap
    } else {
        WriterProfile::Editor
    }
}
