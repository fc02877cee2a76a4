//! Reads bytes into documents.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use mapwright_io::{Budget, Fault, Input, Position};

use crate::document::{BlockState, HEADER_SIZE, Original, Payload, Source, StoredBlock, StoredFile};
use crate::{
    Directory, Document, Entry, EntryKind, File, FileType, Header, MAX_DEPTH, Mode, ReadError, ReadErrorKind,
    ReadOptions, StoredHeader, Title,
};

mapwright_io::read_functions!("an archive", read_cow);

fn read_cow(bytes: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    read(Source::new(bytes.into_owned()), options)
}

impl Document {
    /// Reads an archive from shared bytes without copying them, such as an `Arc<[u8]>` or a memory map.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_shared(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, ReadError> {
        Self::from_shared_with(bytes, &ReadOptions::default())
    }

    /// Reads an archive from shared bytes with the given options.
    ///
    /// # Errors
    /// As [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_shared_with(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        read(Source::new(bytes), options)
    }
}

fn read(source: Arc<Source>, options: &ReadOptions) -> Result<Document, ReadError> {
    let (header, root_time, stored) = read_header(source.bytes())?;
    let block = StoredBlock { position: stored.root_position, size: stored.root_size, at: 0x83 };
    let mut root = Directory { time: root_time, stored: Some(block), ..Directory::default() };
    let mut reader =
        Reader { source: &source, budget: Budget::new(&options.limits), blocks: BTreeMap::new(), above: Vec::new() };
    reader.read_directory(&mut root, 0)?;
    let document = Document { header, root, original: Some(Original { source, stored }), added: 0 };
    if options.mode == Mode::Strict
        && let Some(damage) = document.damage().next()
    {
        return Err(damage);
    }
    Ok(document)
}

fn read_header(bytes: &[u8]) -> Result<(Header, u32, StoredHeader), ReadError> {
    if mapwright_io::is_git_lfs_pointer(bytes) {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, Position::file(0)));
    }
    let mut input = Input::new(bytes).sub(HEADER_SIZE)?;
    let mut line_breaks = [[0; 2]; 3];
    line_breaks[0] = input.array()?;
    let title = Title(input.array()?);
    line_breaks[1] = input.array()?;
    let user_title = Title(input.array()?);
    line_breaks[2] = input.array()?;
    let end = input.u8()?;
    for (offset, expected, found) in [(0, 0x0D, line_breaks[0][0]), (0x3F, 0x0A, line_breaks[1][1]), (0x7E, 0x1A, end)]
    {
        if found != expected {
            return Err(ReadError::new(ReadErrorKind::Magic { expected, found }, Position::file(offset)));
        }
    }
    let at = input.position();
    let version = input.u32_le()?;
    if version != 1 {
        return Err(ReadError::new(ReadErrorKind::Version(version), at));
    }
    let [root_position, root_size, root_time] = [input.u32_le()?, input.u32_le()?, input.u32_le()?];
    let next_write_position = input.u32_le()?;
    let time = input.u32_le()?;
    let stored = StoredHeader {
        root_position,
        root_size,
        next_write_position,
        largest_keys: input.u32_le()?,
        largest_directory_name: input.u32_le()?,
        largest_file_name: input.u32_le()?,
        largest_description: input.u32_le()?,
        is_sorted: input.u8()?,
    };
    Ok((Header { title, user_title, line_breaks, time }, root_time, stored))
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    budget: Budget,
    /// Ends of the blocks that were read, by their starts. They are disjoint, so cycles end.
    blocks: BTreeMap<u64, u64>,
    /// Start and end of the blocks of the directories that are being read, from the root.
    above: Vec<[u64; 2]>,
}

impl Reader<'_> {
    /// Reads the block of a directory. Recursion ends at [`MAX_DEPTH`].
    fn read_directory(&mut self, directory: &mut Directory, depth: usize) -> Result<(), ReadError> {
        let Some(StoredBlock { position, size, at }) = directory.stored else { return Ok(()) };
        if size == 0 {
            return Ok(());
        }
        self.budget.check_depth(depth, Position::file(at.into()))?;
        let source = Arc::clone(self.source);
        let (start, end) = (u64::from(position), u64::from(position).saturating_add(size.into()));
        let bytes = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let Some(block) =
            bytes.filter(|(start, _)| *start >= HEADER_SIZE).and_then(|(start, end)| source.bytes().get(start..end))
        else {
            directory.state = BlockState::Outside;
            return Ok(());
        };
        if depth > MAX_DEPTH {
            directory.state = BlockState::Depth;
            return Ok(());
        }
        if self.above.contains(&[start, end]) {
            directory.state = BlockState::Cycle;
            return Ok(());
        }
        if self.blocks.range(..end).next_back().is_some_and(|(_, other_end)| *other_end > start) {
            directory.state = BlockState::Overlap;
            return Ok(());
        }
        self.blocks.insert(start, end);
        self.above.push([start, end]);

        // Count first: a list that grows would temporarily need three times its size.
        let start = Position::file(start);
        let mut input = Input::at_base(block, start);
        let mut count = 0_usize;
        while !input.is_empty() && read_entry(&mut input).is_ok() {
            count = count.saturating_add(1);
        }
        self.budget.take_items(count as u64, start)?;
        directory.entries.reserve_exact(count);
        let mut input = Input::at_base(block, start);
        while !input.is_empty() {
            let at = input.position();
            // A block starts in the first 4 GiB but may end in the next 4, so the offset of an entry may exceed 32 bits.
            let offset = u32::try_from(at.offset).unwrap_or(u32::MAX);
            match read_entry(&mut input) {
                Ok(raw) => directory.entries.push(self.to_entry(&raw, offset)),
                Err(_) => {
                    directory.state = BlockState::Cut(offset);
                    break;
                }
            }
        }
        for entry in &mut directory.entries {
            if let Entry::Directory(child) = entry {
                self.read_directory(child, depth.saturating_add(1))?;
            }
        }
        self.above.pop();
        Ok(())
    }

    fn to_entry(&self, raw: &RawEntry<'_>, at: u32) -> Entry {
        let RawEntry { position, size, time, name, .. } = *raw;
        let name = name.to_vec();
        match &raw.file {
            None => {
                let stored = Some(StoredBlock { position, size, at });
                Entry::Directory(Box::new(Directory { name, time, stored, ..Directory::default() }))
            }
            Some(RawFile { id, file_type, description, keys }) => Entry::File(Box::new(File {
                kind: raw.kind,
                time,
                id: *id,
                file_type: *file_type,
                name,
                description: description.to_vec(),
                keys: keys.as_chunks().0.iter().map(|key| u32::from_le_bytes(*key)).collect(),
                payload: Payload { source: Arc::clone(self.source), position, size, added: None },
                stored: Some(StoredFile { position, size, at }),
            })),
        }
    }
}

/// An entry in its block.
struct RawEntry<'a> {
    kind: EntryKind,
    position: u32,
    size: u32,
    time: u32,
    name: &'a [u8],
    file: Option<RawFile<'a>>,
}

struct RawFile<'a> {
    id: u32,
    file_type: FileType,
    description: &'a [u8],
    /// Four bytes each.
    keys: &'a [u8],
}

fn read_entry<'a>(input: &mut Input<'a>) -> Result<RawEntry<'a>, Fault> {
    let kind = EntryKind(input.u32_le()?);
    let [position, size, time] = [input.u32_le()?, input.u32_le()?, input.u32_le()?];
    if kind == EntryKind::DIRECTORY {
        return Ok(RawEntry { kind, position, size, time, name: read_text(input)?, file: None });
    }
    let (id, file_type, keys) = (input.u32_le()?, FileType(input.u32_le()?), input.u32_le()?);
    let (name, description) = (read_text(input)?, read_text(input)?);
    let keys = input.count(keys.into(), 4, "keys")?;
    let keys = input.take(keys.saturating_mul(4))?;
    Ok(RawEntry { kind, position, size, time, name, file: Some(RawFile { id, file_type, description, keys }) })
}

/// Reads bytes up to a NUL.
fn read_text<'a>(input: &mut Input<'a>) -> Result<&'a [u8], Fault> {
    let rest = input.peek();
    // Without a NUL, the text is longer than the block.
    let length = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    let text = input.take(length)?;
    input.u8()?;
    Ok(text)
}
