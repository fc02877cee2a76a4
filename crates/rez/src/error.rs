//! Errors of reading, editing and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};

/// Error of the reader, with its byte offset and the path of the entry.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error of the writer, with the path of the entry.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Error of an edit, with the path of the entry.
pub type EditError = mapwright_io::Error<EditErrorKind>;

/// Damage of a directory or a file. The rest of the archive can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// A directory block is not between the header and the end of the archive.
    #[error(
        "directory block of {size} bytes at offset {position} is outside the archive: expected a range from 168 to {length}"
    )]
    BlockOutside {
        /// Offset of the block.
        position: u32,
        /// Size of the block.
        size: u32,
        /// Size of the archive.
        length: u64,
    },
    /// A directory contains itself: its block is that of a directory above it.
    #[error(
        "directory block of {size} bytes at offset {position} is that of a directory above: directories form a cycle"
    )]
    Cycle {
        /// Offset of the block.
        position: u32,
        /// Size of the block.
        size: u32,
    },
    /// A directory block overlaps another one. Blocks that are used twice count as overlaps.
    #[error("directory block of {size} bytes at offset {position} overlaps another directory block")]
    BlockOverlap {
        /// Offset of the block.
        position: u32,
        /// Size of the block.
        size: u32,
    },
    /// Directories are nested too deep.
    #[error("directory is nested deeper than {} levels", crate::MAX_DEPTH)]
    Depth,
    /// An entry does not end inside its directory block.
    #[error("entry runs past the end of its directory block")]
    Entry,
    /// The payload of a file is not between the header and the end of the archive.
    #[error(
        "payload of {size} bytes at offset {position} is outside the archive: expected a range from 168 to {length}"
    )]
    PayloadOutside {
        /// Offset of the payload.
        position: u32,
        /// Size of the payload.
        size: u32,
        /// Size of the archive.
        length: u64,
    },
}

impl Damage {
    /// Stable code of the finding.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BlockOutside { .. } => "directory-outside",
            Self::Cycle { .. } => "directory-cycle",
            Self::BlockOverlap { .. } => "directory-overlap",
            Self::Depth => "directory-depth",
            Self::Entry => "entry-cut",
            Self::PayloadOutside { .. } => "file-outside",
        }
    }
}

/// Error kinds of the reader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Truncated input or an exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file is a Git LFS pointer.
    #[error("file is a Git LFS pointer, not a REZ archive")]
    LfsPointer,
    /// A byte that Monolith's reader checks is wrong.
    #[error("not a REZ archive: expected {expected:#04x}, found {found:#04x}")]
    Magic {
        /// The expected byte.
        expected: u8,
        /// The byte in the file.
        found: u8,
    },
    /// The version is not 1.
    #[error("version {0} is not supported: expected version 1")]
    Version(u32),
    /// A directory or a file is damaged.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::LfsPointer | Self::Version(_) => Category::Unsupported,
            Self::Damage(
                Damage::BlockOutside { position, size, length } | Damage::PayloadOutside { position, size, length },
            ) if u64::from(*position).saturating_add((*size).into()) > *length => Category::Truncated,
            Self::Magic { .. } | Self::Damage(_) => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(mapwright_io::GIT_LFS_HELP.to_owned()),
            Self::Damage(_) => Some("read the rest of the archive with the lenient mode".to_owned()),
            _ => None,
        }
    }
}

/// Error kinds of edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The entry does not exist.
    #[error("no such entry")]
    NotFound,
    /// An entry with the name exists.
    #[error("entry exists already")]
    Exists,
    /// The name cannot be stored, or cannot be found again.
    #[error("invalid name: it {0}")]
    Name(&'static str),
    /// Directories would be nested too deep.
    #[error("path has more than {} levels", crate::MAX_DEPTH)]
    Depth,
    /// A payload exceeds 4 GiB.
    #[error("payload is too large: sizes have 32 bits")]
    TooLarge,
    /// The directory could not be read.
    #[error("directory is damaged: its entries are unknown")]
    Damaged,
}

impl ErrorKind for EditErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Name(_) | Self::Depth => Category::Unsupported,
            Self::TooLarge => Category::Limit,
            _ => Category::Malformed,
        }
    }
}

/// Error kinds of the writer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// A position does not fit into 32 bits.
    #[error("archive of {size} bytes is too large: positions have 32 bits")]
    TooLarge {
        /// Size in bytes up to the part that exceeds the limit.
        size: u64,
    },
    /// A name or description contains a NUL, which ends it.
    #[error("{0} contains a NUL")]
    Nul(&'static str),
    /// A file has the kind of a directory.
    #[error("file has the kind of a directory")]
    Kind,
    /// A header byte that readers check has another value.
    #[error(
        "invalid line breaks in the header: readers expect a carriage return at offset 0 and a line feed at offset 63"
    )]
    Header,
    /// A part that cannot be read would be lost.
    #[error("cannot write the archive from scratch: {0}")]
    Damage(#[from] Damage),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::TooLarge { .. } => Category::Limit,
            Self::Nul(_) | Self::Kind | Self::Header | Self::Damage(_) => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }
}
