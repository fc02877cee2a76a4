//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};

/// An error of reading: its kind, the path, and the byte offset in the file.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: its kind and the path in the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// The kind of a [`ReadError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed, or a limit was reached.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The size of the image is not positive.
    #[error("invalid image size {width}×{height}: both sides must be positive")]
    Size {
        /// Width in pixels.
        width: i64,
        /// Height in pixels.
        height: i64,
    },
    /// The file is not a PCX file.
    #[error("not a PCX file: the first byte is {found}, expected 10")]
    NotPcx {
        /// The first byte.
        found: u8,
    },
    /// A PCX file has a pixel format that this crate does not support.
    #[error(
        "unsupported PCX pixels: {planes} planes of {bits} bits in encoding {encoding}, expected 1 or 3 planes of 8 bits"
    )]
    PcxPixels {
        /// Bits per pixel of a plane.
        bits: u8,
        /// Number of planes.
        planes: u8,
        /// 0 plain, 1 packed.
        encoding: u8,
    },
    /// The rows of a PCX file are shorter than the image is wide.
    #[error("invalid PCX row size {row}: the image is {width} pixels wide")]
    PcxRow {
        /// Size of a row in bytes.
        row: u16,
        /// Width in pixels.
        width: u32,
    },
    /// The size of a palette is not 768 bytes.
    #[error("invalid palette size {found}: expected 768 bytes")]
    PaletteSize {
        /// Size in bytes.
        found: usize,
    },
    /// An animation has a negative number of records.
    #[error("invalid number of records {found}: expected 0 or more")]
    RecordCount {
        /// The declared number.
        found: i32,
    },
    /// The file name extension is not that of a format that this crate decodes.
    #[error("unknown file extension: expected .pid, .pcx or .rid")]
    Extension,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::PcxPixels { .. } | Self::Extension => Category::Unsupported,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            _ => None,
        }
    }
}

/// The kind of a [`WriteError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The image has no pixels, or more than this crate allows.
    #[error(
        "invalid image size {width}×{height}: both sides must be positive, with at most {limit} pixels",
        limit = crate::MAX_PIXELS
    )]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The image is too wide or too high for a PCX file.
    #[error("invalid PCX size {width}×{height}: expected at most 65534 columns and 65536 rows")]
    PcxSize {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The rows of a PCX file are shorter than the image is wide, or too long for all rows together.
    #[error(
        "invalid PCX row size {row}: expected at least {width} bytes, with at most {limit} in all rows",
        limit = crate::pcx::MAX_BYTES
    )]
    PcxRow {
        /// Size of a row in bytes.
        row: u16,
        /// Width in pixels.
        width: u32,
    },
    /// The number of pixels does not match the size of the image.
    #[error("invalid number of {what} {found}: expected {expected}")]
    Count {
        /// Name of the items, in the plural.
        what: &'static str,
        /// The number that the size of the image requires.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// A skipped pixel does not have the index that skipped pixels are read with.
    #[error("invalid index {found} of a skipped pixel: expected {expected}")]
    SkippedIndex {
        /// The low byte of the fill word with `PidFlags::FILL`, else 0.
        expected: u8,
        /// The index.
        found: u8,
    },
    /// `PidFlags::OWN_PALETTE` is set without a palette, or there is a palette without the flag.
    #[error("the flag OWN_PALETTE and the palette contradict each other")]
    PaletteFlag,
    /// A PCX file has a number of planes or an encoding that this crate does not read.
    #[error(
        "unsupported PCX pixels: {planes} planes in encoding {encoding}, expected 1 or 3 planes in encoding 0 or 1"
    )]
    PcxPixels {
        /// Number of planes.
        planes: u8,
        /// 0 plain, 1 packed.
        encoding: u8,
    },
    /// A PCX file without a palette would be read with one: a byte of 12 is 769 bytes before its end.
    #[error("the last 769 bytes would be read as a palette")]
    AmbiguousPalette,
    /// A PCX file with three planes cannot store a palette.
    #[error("a PCX file with three planes has no palette")]
    PaletteOfPlanes,
    /// Flags of a record exceed 16 bits.
    #[error("invalid flags {found:#x}: the format stores 16 bits")]
    RecordFlags {
        /// The flags.
        found: u32,
    },
    /// `RecordFlags::SOUNDS` is set without names of sounds, or there are names without the flag.
    #[error("the flag SOUNDS and the names of sounds contradict each other")]
    SoundsFlag,
    /// The names of sounds contain a NUL, which ends them.
    #[error("the names of sounds contain a NUL")]
    SoundsNul,
    /// A count exceeds the bits of the format.
    #[error("too many {what}: {count}")]
    TooMany {
        /// Name of the items, in the plural.
        what: &'static str,
        /// Number of items.
        count: usize,
    },
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::TooMany { .. } => Category::Limit,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }
}
