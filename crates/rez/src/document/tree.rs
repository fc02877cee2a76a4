//! Directories and files.

use std::fmt;
use std::sync::Arc;

use mapwright_io::{Position, escape_bytes};

use super::HEADER_SIZE;
use crate::{Damage, EntryKind, FileType, ReadError};

/// Bytes that payloads borrow from: an archive, or an added payload.
pub(crate) struct Source(Box<dyn AsRef<[u8]> + Send + Sync>);

impl Source {
    pub(crate) fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self(Box::new(bytes)))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// A directory.
#[derive(Clone, Default)]
pub struct Directory {
    /// Name without a NUL.
    pub name: Vec<u8>,
    /// Time of the last change, in seconds since 1970. Monolith's packer does not initialise the time of the root.
    pub time: u32,
    pub(crate) entries: Vec<Entry>,
    pub(crate) stored: Option<StoredBlock>,
    pub(crate) state: BlockState,
}

/// A directory block in the archive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredBlock {
    pub(crate) position: u32,
    pub(crate) size: u32,
    /// Offset of the directory's entry. For the root, offset of the position in the header.
    pub(crate) at: u32,
}

/// State of a directory block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum BlockState {
    /// The block was read, or the directory is new.
    #[default]
    Intact,
    /// Entries were added or removed, so the block is written at another offset.
    Changed,
    /// The block is outside the archive. It was not read.
    Outside,
    /// The block is that of a directory above. It was not read.
    Cycle,
    /// The block overlaps another one. It was not read.
    Overlap,
    /// The directory is nested too deep. It was not read.
    Depth,
    /// The entry at this offset runs past the end of the block. Entries before it were read.
    Cut(u32),
}

impl Directory {
    /// Returns the entries in file order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Iterates over the directories in this one, in file order.
    pub fn directories(&self) -> impl Iterator<Item = &Self> {
        self.entries.iter().filter_map(Entry::as_directory)
    }

    /// Iterates over the files in this directory, in file order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.entries.iter().filter_map(Entry::as_file)
    }

    /// Returns offset and size of the directory block as they were read, or `None` for a new directory.
    pub fn stored_block(&self) -> Option<[u32; 2]> {
        self.stored.map(|block| [block.position, block.size])
    }

    /// Returns `false` if the block could not be read at all, so that the entries are unknown.
    pub(crate) fn is_readable(&self) -> bool {
        matches!(self.state, BlockState::Intact | BlockState::Changed | BlockState::Cut(_))
    }

    /// Returns the damage of the directory block and its offset in an archive of `length` bytes.
    pub(crate) fn damage(&self, length: u64) -> Option<(Damage, Position)> {
        let StoredBlock { position, size, at } = self.stored?;
        let damage = match self.state {
            BlockState::Intact | BlockState::Changed => return None,
            BlockState::Outside => Damage::BlockOutside { position, size, length },
            BlockState::Cycle => Damage::Cycle { position, size },
            BlockState::Overlap => Damage::BlockOverlap { position, size },
            BlockState::Depth => Damage::Depth,
            BlockState::Cut(offset) => return Some((Damage::Entry, Position::file(offset.into()))),
        };
        Some((damage, Position::file(at.into())))
    }
}

impl PartialEq for Directory {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.time, &self.entries) == (&other.name, other.time, &other.entries)
    }
}

impl Eq for Directory {}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directory")
            .field("name", &escape_bytes(&self.name))
            .field("time", &self.time)
            .field("entries", &self.entries)
            .finish()
    }
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory(Box<Directory>),
    /// A file.
    File(Box<File>),
}

impl Entry {
    /// Returns the directory, if the entry is one.
    pub fn as_directory(&self) -> Option<&Directory> {
        match self {
            Self::Directory(directory) => Some(directory),
            Self::File(_) => None,
        }
    }

    /// Returns the file, if the entry is one.
    pub fn as_file(&self) -> Option<&File> {
        match self {
            Self::Directory(_) => None,
            Self::File(file) => Some(file),
        }
    }

    /// Returns a reference to the directory or file.
    pub fn as_ref(&self) -> EntryRef<'_> {
        match self {
            Self::Directory(directory) => EntryRef::Directory(directory),
            Self::File(file) => EntryRef::File(file),
        }
    }
}

/// A reference to a directory or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryRef<'a> {
    /// A directory.
    Directory(&'a Directory),
    /// A file.
    File(&'a File),
}

/// A file.
#[derive(Clone)]
pub struct File {
    /// Kind of the entry. Not [`EntryKind::DIRECTORY`].
    pub kind: EntryKind,
    /// Time of the packed file, in seconds since 1970.
    pub time: u32,
    /// Number by which Monolith's packers order the files of a directory. Not unique. Readers ignore it.
    pub id: u32,
    /// Extension.
    pub file_type: FileType,
    /// Name without extension and NUL.
    pub name: Vec<u8>,
    /// Description without NUL. Empty in all known archives. OpenClaw and ClawJS cannot read archives with descriptions.
    pub description: Vec<u8>,
    /// Unknown. Empty in all known archives.
    pub keys: Vec<u32>,
    pub(crate) payload: Payload,
    pub(crate) stored: Option<StoredFile>,
}

/// Payload of a file: a range of its source.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) source: Arc<Source>,
    pub(crate) position: u32,
    pub(crate) size: u32,
    /// For an added payload, its number.
    pub(crate) added: Option<u64>,
}

/// A file in the archive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredFile {
    pub(crate) position: u32,
    pub(crate) size: u32,
    /// Offset of the file's entry.
    pub(crate) at: u32,
}

impl File {
    /// Returns the name with the extension.
    pub fn full_name(&self) -> Vec<u8> {
        let extension = self.file_type.extension();
        if extension.is_empty() { self.name.clone() } else { [&self.name[..], b".", &extension].concat() }
    }

    /// Returns the declared size of the payload in bytes.
    pub fn size(&self) -> u32 {
        self.payload.size
    }

    /// Returns the offset of the payload as it was read, or `None` for an added or replaced payload.
    pub fn stored_position(&self) -> Option<u32> {
        self.payload.added.is_none().then_some(self.payload.position)
    }

    /// Returns the payload.
    ///
    /// # Errors
    /// [`Damage::PayloadOutside`] if the payload is not inside the archive. The position is that of the file's entry.
    pub fn data(&self) -> Result<&[u8], ReadError> {
        self.payload.bytes().ok_or_else(|| ReadError::new(self.payload.damage().into(), self.position()))
    }

    /// Returns the damage of the payload, with the offset of the entry.
    pub(crate) fn damage(&self) -> Option<(Damage, Position)> {
        self.payload.bytes().is_none().then(|| (self.payload.damage(), self.position()))
    }

    fn position(&self) -> Position {
        Position::file(self.stored.map_or(0, |stored| stored.at.into()))
    }
}

impl Payload {
    /// Returns the bytes, or `None` if they are outside the source.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        let start = usize::try_from(self.position).ok()?;
        let end = start.checked_add(usize::try_from(self.size).ok()?)?;
        match self.size {
            0 => Some(&[]),
            _ if self.added.is_none() && start < HEADER_SIZE => None,
            _ => self.source.bytes().get(start..end),
        }
    }

    /// Returns `true` if the bytes of two payloads are equal. Payloads that cannot be read are equal if their positions and sizes are.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let range = |payload: &Self| (payload.position, payload.size);
        let is_one = Arc::ptr_eq(&self.source, &other.source) && range(self) == range(other);
        is_one
            || match (self.bytes(), other.bytes()) {
                (Some(data), Some(other)) => data == other,
                (None, None) => range(self) == range(other),
                _ => false,
            }
    }

    /// Returns the damage of a payload that is outside its source.
    pub(crate) fn damage(&self) -> Damage {
        let length = self.source.bytes().len() as u64;
        Damage::PayloadOutside { position: self.position, size: self.size, length }
    }
}

impl PartialEq for File {
    fn eq(&self, other: &Self) -> bool {
        let fields = |file: &Self| (file.kind, file.time, file.id, file.file_type);
        fields(self) == fields(other)
            && (&self.name, &self.description, &self.keys) == (&other.name, &other.description, &other.keys)
            && self.payload.is_same(&other.payload)
    }
}

impl Eq for File {}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = self.payload.bytes().map(mapwright_io::diff::checksum_text);
        f.debug_struct("File")
            .field("name", &escape_bytes(&self.full_name()))
            .field("kind", &self.kind)
            .field("time", &self.time)
            .field("id", &self.id)
            .field("description", &escape_bytes(&self.description))
            .field("keys", &self.keys)
            .field("data", &data.unwrap_or_else(|| self.payload.damage().to_string()))
            .finish()
    }
}
