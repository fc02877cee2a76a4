//! Bytes to document.

mod sections;

use std::io::Read;
use std::sync::Arc;

use mapwright_io::{Budget, Input, Position, inflate, read_all};

use crate::document::{Kept, split};
use crate::trailer::trailer_start;
use crate::{
    Checksum, Document, Header, HeaderFlags, HeaderSize, ReadError, ReadErrorKind, ReadOptions, WriterProfile,
};

pub(crate) use sections::{Sections, plane_header};

impl Document {
    /// Reads a level.
    ///
    /// # Errors
    /// If the bytes are not a level, or if reading would exceed the default limits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a level as told.
    ///
    /// # Errors
    /// If the bytes are not a level, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut budget = Budget::new(&options.limits);
        let (header, derived, start) = header(bytes, options)?;
        let behind = bytes.get(start..).unwrap_or_default();
        let (kept, trailer) = if header.flags.has(HeaderFlags::COMPRESS) {
            let declared = header.main_block_size;
            let stored = behind.len() as u64;
            // No zlib stream expands more: refused before anything is allocated.
            if u64::from(declared) > stored.saturating_mul(1040).saturating_add(64) {
                let kind = ReadErrorKind::MainBlockSize { declared, stored };
                return Err(ReadError::new(kind, Position::file(0x2E8)));
            }
            let inflated = inflate(behind, Some(declared.into()), &mut budget, Position::file(start as u64))?;
            let (stream, trailer) = behind.split_at_checked(inflated.consumed).unwrap_or((behind, &[]));
            (Kept { main: Arc::new(inflated.bytes), stream: Some(stream.to_vec()) }, trailer)
        } else {
            let (main, trailer) = behind.split_at_checked(trailer_start(behind)).unwrap_or((behind, &[]));
            (Kept { main: Arc::new(main.to_vec()), stream: None }, trailer)
        };
        let sections = Sections::read(&kept.main, start, derived, kept.stream.is_some(), &mut budget)?;
        let profile = profile(&header, &kept, trailer);
        Ok(Self {
            header,
            planes: sections.planes,
            tile_properties: sections.tile_properties,
            trailer: trailer.to_vec(),
            layout: sections.layout,
            profile,
            kept: Some(kept),
        })
    }

    /// Reads a level to its end.
    ///
    /// # Errors
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a level to its end as told.
    ///
    /// # Errors
    /// If the reader fails or gives more than is taken, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_bytes_with(&read_all(reader, options.limits.max_input)?, options)
    }
}

/// The header, its derived words, and where the stored block starts.
pub(crate) fn header(bytes: &[u8], options: &ReadOptions) -> Result<(Header, [u32; 3], usize), ReadError> {
    if bytes.starts_with(b"version https://git-lfs") {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, Position::file(0)));
    }
    let mut input = Input::new(bytes);
    let found = Input::new(bytes).u32_le()?;
    let size = match usize::try_from(found) {
        Ok(size) if (Header::SHORTEST..=Header::FILE_SIZE).contains(&size) => size,
        Ok(size) if size > Header::FILE_SIZE && options.header_size == HeaderSize::Any => Header::FILE_SIZE,
        _ => return Err(ReadError::new(ReadErrorKind::HeaderSize { found }, Position::file(0))),
    };
    // A header that ends early has nothing in its last fields.
    let mut whole = [0; Header::FILE_SIZE];
    for (place, byte) in whole.iter_mut().zip(input.take(size)?) {
        *place = *byte;
    }
    let (fields, derived) = split(&whole, Header::DERIVED);
    Ok((Header::get(&fields), derived, size))
}

/// In whose way the block is stored.
fn profile(header: &Header, kept: &Kept, trailer: &[u8]) -> WriterProfile {
    let Some(stream) = &kept.stream else {
        return if trailer.is_empty() { WriterProfile::Editor } else { WriterProfile::WapMap };
    };
    let says = |checksum: Checksum| checksum.of(stream, &kept.main, true) == header.checksum;
    let best = stream.get(1) == Some(&0xDA);
    if says(Checksum::WapMap) || best && !says(Checksum::Editor) {
        WriterProfile::WapMap
    } else {
        WriterProfile::Editor
    }
}
