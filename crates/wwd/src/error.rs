//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};

/// An error of reading: its kind, the path, and the byte offset in the file as if it was not compressed.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: its kind and the path in the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// The kind of a [`ReadError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file is a pointer of Git LFS.
    #[error("the file is a Git LFS pointer, not a level")]
    LfsPointer,
    /// The declared size of the header is not one that the engine accepts.
    #[error("invalid header size {found}: expected 756 to 1524 bytes")]
    HeaderSize {
        /// The size that the file declares.
        found: u32,
    },
    /// The stored block is too short for the main block.
    #[error("invalid main block size {declared}: {stored} compressed bytes cannot inflate to it")]
    MainBlockSize {
        /// The size that the header declares.
        declared: u32,
        /// Bytes after the header.
        stored: u64,
    },
    /// The offset of a section is outside of the main block.
    #[error("offset {offset} of {what} is out of range: the main block is at {start} to {end}")]
    Offset {
        /// The section.
        what: &'static str,
        /// The offset.
        offset: u32,
        /// Offset of the main block.
        start: u64,
        /// Offset of its end.
        end: u64,
    },
    /// Sections overlap so much that reading them would take far more memory than the file.
    #[error("sections overlap: they take {claimed} bytes, the main block has {available}")]
    Overlap {
        /// Size of the sections up to here in bytes.
        claimed: u64,
        /// Size of the main block in bytes.
        available: u64,
    },
    /// The declared size of the header of a plane is not 160.
    #[error("invalid plane header size {found}: expected 160")]
    PlaneSize {
        /// The size that the file declares.
        found: u32,
    },
    /// A grid has a negative number of columns or rows.
    #[error("invalid grid size {columns}×{rows}: both sides must be positive")]
    Grid {
        /// Number of columns.
        columns: i32,
        /// Number of rows.
        rows: i32,
    },
    /// A tile property has a kind that the engine does not know.
    #[error("invalid kind of tile property {found}: expected 1 (single), 2 (double) or 3 (mask)")]
    PropertyKind {
        /// The kind that the file declares.
        found: u32,
    },
    /// No plane of a damaged level is readable.
    #[error("nothing can be rescued: no plane is readable")]
    Unreadable,
    /// Data that describes a level contradicts itself or exceeds the limits.
    #[cfg(feature = "serde")]
    #[error("{0}")]
    Data(String),
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::LfsPointer => Category::Unsupported,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(mapwright_io::GIT_LFS_HELP.to_owned()),
            Self::HeaderSize { found } if *found > 1524 => {
                Some("allow any size of the header in the read options to read it as 1524".to_owned())
            }
            _ => None,
        }
    }
}

/// The kind of a [`WriteError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The level would have more bytes than the options allow or the system has memory for.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The number of cells differs from the size of the grid.
    #[error("invalid number of cells {found}: the grid has {columns}×{rows}")]
    Grid {
        /// Number of columns.
        columns: i32,
        /// Number of rows.
        rows: i32,
        /// Number of cells.
        found: usize,
    },
    /// The number of attributes of a mask differs from that of its pixels.
    #[error("invalid number of attributes {found}: the mask has {width}×{height} pixels")]
    Mask {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Number of attributes.
        found: usize,
    },
    /// A count or a size exceeds 32 bits.
    #[error("too many {what}: {count}, the format stores 32-bit counts")]
    TooMany {
        /// Name of the items, in the plural.
        what: &'static str,
        /// Number of items.
        count: u64,
    },
    /// The declared size of the header is less than its contents take.
    #[error("invalid header size {size}: the fields of the header take more bytes")]
    HeaderSize {
        /// The declared size.
        size: u32,
    },
    /// The scene is invalid.
    #[error("invalid scene: {0}")]
    Scene(String),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(_) => Category::Limit,
            Self::TooMany { .. } => Category::Limit,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            _ => None,
        }
    }
}
