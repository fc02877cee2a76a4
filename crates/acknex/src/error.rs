//! Errors of reading.

use mapwright_io::{Category, ErrorKind, FaultKind, escape_bytes};

/// Error of the readers, with its byte offset and path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error kinds of the readers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Truncated input, an impossible count, or an exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file is a Git LFS pointer.
    #[error("file is a Git LFS pointer, not {0}")]
    LfsPointer(&'static str),
    /// The first four bytes do not belong to any version of the format.
    #[error("not {format}: the file starts with \"{}\", expected {expected}", escape_bytes(.found))]
    Magic {
        /// The format, with its article.
        format: &'static str,
        /// The bytes in the file.
        found: [u8; 4],
        /// The magic words of the format.
        expected: &'static str,
    },
    /// A count that is negative, or 0 where one is required.
    #[error("invalid number of {what}: {count}")]
    BadCount {
        /// Name of the items.
        what: &'static str,
        /// The number in the file.
        count: i32,
    },
    /// The header declares records of an unknown size.
    #[error("invalid size of a {what}: {size} bytes, expected {expected}")]
    RecordSize {
        /// Name of the record.
        what: &'static str,
        /// The declared size.
        size: u16,
        /// The sizes that occur.
        expected: &'static str,
    },
    /// The grid of a terrain does not match its number of vertices.
    #[error("invalid grid: {vertices} vertices in rows of {columns}, expected complete rows of 2 to 65536 vertices")]
    Grid {
        /// Declared number of columns.
        columns: f32,
        /// Declared number of vertices.
        vertices: u32,
    },
    /// A size or height is infinite or not a number.
    #[error("invalid {what}: expected a finite number, found {found}")]
    NotFinite {
        /// Name of the number.
        what: &'static str,
        /// The number in the file.
        found: f32,
    },
    /// A face of a compiled level has too few corners.
    #[error("invalid face: expected at least 3 corners, found {0}")]
    FaceCorners(u16),
    /// A type code without a known layout.
    #[error("unknown {what} type {code}")]
    Type {
        /// Name of the part.
        what: &'static str,
        /// The code.
        code: u32,
    },
    /// An image with a side of 0, a side that is too long, or too many pixels.
    #[error("invalid image size {}×{}: sides must be 1 to 16384, with at most 67108864 pixels", .0[0], .0[1])]
    ImageSize([u32; 2]),
    /// An image with indices into a palette that neither the file nor the caller provides.
    #[error("image needs a palette, but none was given")]
    NoPalette,
    /// An image in an unknown encoding.
    #[error("unsupported image: {0}")]
    Image(&'static str),
    /// An index is out of range.
    #[error("{what} index {index} out of range ({count} in total)")]
    Index {
        /// Name of the items.
        what: &'static str,
        /// The index.
        index: u64,
        /// Number of items.
        count: u64,
    },
    /// The faces of a compiled level have far more corners than there are entries in the edge list.
    #[error("faces have more than {0} corners together, so they share entries of the edge list")]
    SharedEdges(usize),
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::LfsPointer(_) | Self::NoPalette | Self::Image(_) => Category::Unsupported,
            Self::Io(_) => Category::Io,
            Self::Magic { .. }
            | Self::BadCount { .. }
            | Self::RecordSize { .. }
            | Self::Grid { .. }
            | Self::NotFinite { .. }
            | Self::FaceCorners(_)
            | Self::Type { .. }
            | Self::ImageSize(_)
            | Self::Index { .. }
            | Self::SharedEdges(_) => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer(_) => Some(mapwright_io::GIT_LFS_HELP.to_owned()),
            Self::NoPalette => Some("pass the palette of the level".to_owned()),
            _ => None,
        }
    }
}
