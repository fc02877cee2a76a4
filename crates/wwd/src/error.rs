//! What reading and writing can fail with.

use mapwright_io::{Category, ErrorKind, FaultKind};

/// An error of reading: what, at which byte of the file as if it was not compressed, on which path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: what, and on which path of the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file is a pointer of Git LFS.
    #[error("not the file itself but a Git LFS pointer to it")]
    LfsPointer,
    /// The size of the header is none that the engine takes.
    #[error("a header of {found} bytes: the engine takes 1524 and fewer, and the last number ends at 756")]
    HeaderSize {
        /// The size that the file states.
        found: u32,
    },
    /// The main block cannot come out of the stored block.
    #[error("a main block of {declared} bytes cannot come out of {stored} stored bytes")]
    MainBlockSize {
        /// The size that the header states.
        declared: u32,
        /// Bytes behind the header.
        stored: u64,
    },
    /// A section starts in the header or behind the end.
    #[error("an offset of {offset} for {what}: the main block reaches from {start} to {end}")]
    Offset {
        /// What stands there.
        what: &'static str,
        /// The offset.
        offset: u32,
        /// Where the main block starts.
        start: u64,
        /// Where it ends.
        end: u64,
    },
    /// Sections overlap so much that they would need far more memory than the file.
    #[error("sections claim {claimed} bytes of a main block of {available}")]
    Overlap {
        /// Bytes of all sections up to here.
        claimed: u64,
        /// Bytes of the main block.
        available: u64,
    },
    /// The header of a plane has another size than 160 bytes.
    #[error("the header of a plane has 160 bytes, not {found}")]
    PlaneSize {
        /// The size that the file states.
        found: u32,
    },
    /// A grid with a negative number of columns or rows.
    #[error("a grid of {columns} by {rows} tiles")]
    Grid {
        /// Columns.
        columns: i32,
        /// Rows.
        rows: i32,
    },
    /// A tile property of a kind that the engine does not know.
    #[error("a tile property is of kind 1 (single), 2 (double) or 3 (mask), not {found}")]
    PropertyKind {
        /// The kind that the file states.
        found: u32,
    },
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
            Self::LfsPointer => Some("fetch it with `git lfs pull`".to_owned()),
            Self::HeaderSize { found } if *found > 1524 => {
                Some("allow any size of the header in the read options to read it as if the size was 1524".to_owned())
            }
            _ => None,
        }
    }
}

/// Why a document cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene makes more bytes than the options allow, or more than the system has memory for.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The number of cells is not that of the grid.
    #[error("{found} cells for a grid of {columns} by {rows}")]
    Grid {
        /// Columns of the grid.
        columns: i32,
        /// Rows of the grid.
        rows: i32,
        /// Cells that there are.
        found: usize,
    },
    /// The number of attributes of a mask is not that of its pixels.
    #[error("{found} attributes for a mask of {width} by {height} pixels")]
    Mask {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Attributes that there are.
        found: usize,
    },
    /// More bytes or items than 32 bits count.
    #[error("{count} {what}: the format counts with 32 bits")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
    },
    /// The header is declared shorter than its contents, or shorter than its numbers.
    #[error("a header of {size} bytes does not hold what it says")]
    HeaderSize {
        /// The declared size.
        size: u32,
    },
    /// The scene that is to be written contradicts itself.
    #[error("the scene contradicts itself: {0}")]
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
