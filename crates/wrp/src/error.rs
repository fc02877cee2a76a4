//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind, escape_bytes};

use crate::OprwVersion;

/// Error of the reader, with its byte offset and path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error of the writer, with its path in the document.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Error kinds of the reader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Truncated input, an impossible count, or an exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file is a Git LFS pointer.
    #[error("file is a Git LFS pointer, not a terrain")]
    LfsPointer,
    /// The first four bytes do not belong to any variant.
    #[error("not a terrain: the file starts with \"{}\", expected 1WVR to 4WVR, 8WVR or OPRW", escape_bytes(.0))]
    Magic([u8; 4]),
    /// A related format without a public description.
    #[error("{0} is not supported: the format is undocumented")]
    Undocumented(&'static str),
    /// A grid with a negative number of rows or columns.
    #[error("invalid grid size {columns}×{rows}")]
    Grid {
        /// Number of columns.
        columns: i32,
        /// Number of rows.
        rows: i32,
    },
    /// A terrain file that is compressed with LZSS, as archives (.pbo) store it.
    #[error("file is a terrain ({}) compressed with LZSS", escape_bytes(.0))]
    PackedFile([u8; 4]),
    /// An OPRW version with an unknown layout.
    #[error("OPRW {}{} is not supported: its layout is unknown", .0.0, .0.name().map_or_else(String::new, |name| format!(" ({name})")))]
    Version(OprwVersion),
    /// An OPRW version that does not store the size of its grids.
    #[error("OPRW {} is not supported: it does not store the size of its grids", .0.0)]
    UnknownSize(OprwVersion),
    /// The checksum of an LZSS block is wrong.
    #[error("wrong checksum of an LZSS block: the file stores {stored:#010x}, computed {found:#010x}")]
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the unpacked bytes.
        found: u32,
    },
    /// An LZO block is damaged.
    #[error("damaged LZO block of {size} unpacked bytes: {reason}")]
    Lzo {
        /// Expected number of unpacked bytes.
        size: usize,
        /// Description of the damage.
        reason: &'static str,
    },
    /// A tree has more levels than its grid.
    #[error("tree is too deep: a grid of {columns}×{rows} cells has at most {levels} levels")]
    Tree {
        /// Maximum number of levels of the grid.
        levels: u32,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
    },
    /// The size of the object list is not a multiple of the object size.
    #[error("invalid size of the object list: {size} bytes are not a multiple of {record}")]
    ObjectSize {
        /// Declared size in bytes.
        size: u32,
        /// Size of an object in bytes.
        record: u32,
    },
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::LfsPointer
            | Self::Undocumented(_)
            | Self::PackedFile(_)
            | Self::Version(_)
            | Self::UnknownSize(_) => Category::Unsupported,
            Self::Io(_) => Category::Io,
            Self::Magic(_)
            | Self::Grid { .. }
            | Self::Checksum { .. }
            | Self::Lzo { .. }
            | Self::Tree { .. }
            | Self::ObjectSize { .. } => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(mapwright_io::GIT_LFS_HELP.to_owned()),
            Self::Magic(_) => Some("if the terrain is in an archive (.pbo), unpack the archive first".to_owned()),
            Self::PackedFile(_) => {
                Some("unpack the archive (.pbo) with a tool that also decompresses its files".to_owned())
            }
            Self::Version(_) => Some("use OPRW 2, 3 or 12 to 25".to_owned()),
            _ => None,
        }
    }
}

/// Error kinds of the writer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The output exceeds the size limit or the available memory.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// The number of values does not match the size of the grid.
    #[error("{found} {what} do not match a grid of {columns}×{rows}")]
    Grid {
        /// Name of the values.
        what: &'static str,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
        /// Number of values.
        found: usize,
    },
    /// The columns of the objects differ in length.
    #[error("object columns differ in length: {models} models, {placements} placements, {ids} IDs")]
    Columns {
        /// Length of the model column.
        models: usize,
        /// Length of the placement column.
        placements: usize,
        /// Length of the ID column.
        ids: usize,
    },
    /// The variant cannot store the placement of the objects.
    #[error("wrong kind of placement: {variant} stores objects with {what}")]
    Objects {
        /// The variant.
        variant: &'static str,
        /// Kind of placement that the variant stores.
        what: &'static str,
    },
    /// The model index of an object is out of range.
    #[error("model index {model} out of range ({models} models)")]
    ModelIndex {
        /// The model index.
        model: u32,
        /// Number of models.
        models: usize,
    },
    /// A name cannot be stored.
    #[error("name \"{}\" {reason}", escape_bytes(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// The reason, as a predicate.
        reason: &'static str,
    },
    /// The number of texture slots does not match the variant.
    #[error("{found} texture slots: {variant} has {expected}")]
    Slots {
        /// The variant.
        variant: &'static str,
        /// Number of slots of the variant.
        expected: usize,
        /// Number of slots in the document.
        found: usize,
    },
    /// An OPRW version with an unknown layout.
    #[error("OPRW {} cannot be written: its layout is unknown", .0.0)]
    Version(OprwVersion),
    /// A part does not match the version of OPRW.
    #[error("OPRW {} requires {what}", .version.0)]
    Part {
        /// The version.
        version: OprwVersion,
        /// The requirement.
        what: &'static str,
    },
    /// A number is too large for its field.
    #[error("{what} is {value}: at most 65535 are allowed")]
    TooWide {
        /// Name of the number.
        what: &'static str,
        /// The number.
        value: u32,
    },
    /// A count exceeds 32 bits.
    #[error("too many {what}: {count}, the format stores 32-bit counts")]
    TooMany {
        /// Name of the items.
        what: &'static str,
        /// Number of items.
        count: u64,
    },
    /// A part would be read as a different part.
    #[error("{0}")]
    Ambiguous(&'static str),
    /// A scene without a height field.
    #[error("scene has no heightmap, which a terrain requires")]
    NoHeightField,
    /// The height field of a scene is rotated or mirrored.
    #[error("heightmap is rotated or mirrored: a terrain must be horizontal and face north")]
    Rotated,
    /// The height field of a scene exceeds single precision.
    #[error("size of {what} exceeds single precision: {metres:e} m")]
    OutOfRange {
        /// Name of the values: `cells` or `heights`.
        what: &'static str,
        /// Size in metres.
        metres: f64,
    },
    /// Heights of a scene are missing.
    #[error(
        "{missing} of {heights} samples have no height (the first at column {column}, row {row} from the north-west)"
    )]
    MissingHeights {
        /// Number of missing heights.
        missing: usize,
        /// Number of all heights.
        heights: usize,
        /// Column of the first missing height, from the west.
        column: u32,
        /// Row of the first missing height, from the north.
        row: u32,
    },
    /// The cells of a height field are not squares.
    #[error("cells of {} × {} m are not squares: a terrain stores one cell size", .0[0], .0[1])]
    NotSquare([f64; 2]),
    /// The height field of a scene and the terrain differ in size.
    #[error("heightmap has {}×{} heights, the terrain has {}×{}: resample the heightmap, or the terrain with the edit `resample`", .found[0], .found[1], .expected[0], .expected[1])]
    SizeMismatch {
        /// Size of the height field.
        found: [u32; 2],
        /// Size of the terrain.
        expected: [u32; 2],
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
            Self::MissingHeights { .. } | Self::NotSquare(_) => Category::Unsupported,
            Self::NoHeightField | Self::Rotated | Self::OutOfRange { .. } | Self::SizeMismatch { .. } => {
                Category::Unsupported
            }
            Self::Version(_) | Self::Name { .. } => Category::Unsupported,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            Self::MissingHeights { .. } => {
                Some("set the option nodata to a height, such as -20 for the sea, or to interpolate".to_owned())
            }
            Self::NotSquare([x, z]) => {
                let step = x.min(*z);
                Some(format!(
                    "resample it: gdalwarp -tr {step} {step} -r bilinear -dstnodata -9999 in.tif out.tif, in units of the map"
                ))
            }
            _ => None,
        }
    }
}
