//! What reading and writing can fail with.

use mapwright_io::{Category, ErrorKind, FaultKind, escape};

use crate::OprwVersion;

/// An error of reading: what, at which byte of the file, on which path.
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
    /// The first four bytes are none of the family's.
    #[error("a terrain begins with 1WVR to 4WVR, 8WVR or OPRW, not with \"{}\"", escape(.0))]
    Magic([u8; 4]),
    /// A relative of which only the name is known.
    #[error("{0}: nobody outside of the company that made it knows how to read it")]
    Sibling(&'static str),
    /// A grid with a negative number of rows or columns.
    #[error("a grid of {columns} by {rows} cells")]
    Grid {
        /// Columns.
        columns: i32,
        /// Rows.
        rows: i32,
    },
    /// A terrain that is packed with LZSS as a whole, as archives (.pbo) store it.
    #[error("looks like a terrain ({}) that is packed with LZSS as a whole", escape(.0))]
    Wrapped([u8; 4]),
    /// An OPRW of which only the number is known.
    #[error("OPRW {}{}: known by name only", .0.0, .0.name().map_or_else(String::new, |name| format!(" ({name})")))]
    Version(OprwVersion),
    /// An OPRW that does not say how large its grids are.
    #[error("OPRW {}: it does not say how large its grids are, and no file is known from which that could be learned", .0.0)]
    Sizeless(OprwVersion),
    /// A block that is packed with LZSS has another checksum than it says.
    #[error("a block packed with LZSS has the checksum {found:#010x}, it says {stored:#010x}")]
    Checksum {
        /// The checksum behind the block.
        stored: u32,
        /// That of the unpacked bytes.
        found: u32,
    },
    /// A block that is packed with LZO is damaged.
    #[error("a block packed with LZO, of {size} bytes when unpacked, {reason}")]
    Lzo {
        /// Bytes that the block must give.
        size: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A tree divides its grid further than into single cells.
    #[error("a tree of more than the {levels} levels that its grid of {columns} by {rows} cells takes")]
    Tree {
        /// Levels that the grid takes.
        levels: u32,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
    },
    /// The size of the list of objects is not that of so many whole objects.
    #[error("{size} bytes of objects of {record} bytes each")]
    ObjectSize {
        /// The declared size.
        size: u32,
        /// Bytes of an object.
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
            Self::LfsPointer | Self::Sibling(_) | Self::Wrapped(_) | Self::Version(_) | Self::Sizeless(_) => {
                Category::Unsupported
            }
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
            Self::LfsPointer => Some("fetch it with `git lfs pull`".to_owned()),
            Self::Magic(_) => Some("archives (.pbo) may pack terrains: unpack them first".to_owned()),
            Self::Wrapped(_) => Some("unpack it with a tool for archives (.pbo) that unpacks their files".to_owned()),
            Self::Version(_) => Some("OPRW 2, 3 and 12 to 25 are read".to_owned()),
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
    /// The number of values is not that of the grid.
    #[error("{found} {what} for a grid of {columns} by {rows}")]
    Grid {
        /// What the grid is of.
        what: &'static str,
        /// Columns of the grid.
        columns: u32,
        /// Rows of the grid.
        rows: u32,
        /// Values that there are.
        found: usize,
    },
    /// Columns of objects that do not belong together.
    #[error("{models} objects have a model, {placements} a place and {ids} a number")]
    Columns {
        /// Rows of the models.
        models: usize,
        /// Rows of the places.
        placements: usize,
        /// Rows of the ids.
        ids: usize,
    },
    /// Objects stand in a way that the variant cannot store, or miss their numbers.
    #[error("{variant} stores objects with {what}")]
    Objects {
        /// The variant.
        variant: &'static str,
        /// What it stores.
        what: &'static str,
    },
    /// An object of a model beyond the list.
    #[error("model {model} of {models}")]
    Model {
        /// The model.
        model: u32,
        /// The number of models.
        models: usize,
    },
    /// A name that is too long for its field, or that means something else there.
    #[error("the name \"{}\" {reason}", escape(.name))]
    Name {
        /// The name.
        name: Vec<u8>,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The number of texture slots is none of the variant's.
    #[error("{found} slots for textures: {variant} has {expected}")]
    Slots {
        /// The variant.
        variant: &'static str,
        /// Its number of slots.
        expected: usize,
        /// Slots that there are.
        found: usize,
    },
    /// An OPRW whose layout is not known.
    #[error("OPRW {}: it is known by name only", .0.0)]
    Version(OprwVersion),
    /// A part that a version of OPRW does not have, or one that it always has.
    #[error("OPRW {} has {what}", .version.0)]
    Part {
        /// The version.
        version: OprwVersion,
        /// What it has.
        what: &'static str,
    },
    /// A number that its field cannot hold.
    #[error("{what} {value} takes more than 16 bits")]
    Wide {
        /// What it is.
        what: &'static str,
        /// The number.
        value: u32,
    },
    /// More items than 32 bits count.
    #[error("{count} {what}: the format counts with 32 bits")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
    },
    /// A part that would be read as something else.
    #[error("{0}")]
    Ambiguous(&'static str),
    /// A scene without a height field.
    #[error("a terrain is made of a height field, and the scene has none")]
    NoHeightField,
    /// The height field of a scene is turned or mirrored.
    #[error("the height field is turned: a terrain lies flat, with north at its top")]
    Turned,
    /// The height field of a scene is larger than the numbers of the file.
    #[error("{what} of {metres:e} m: single precision has no such number")]
    Beyond {
        /// What is too large: `cells`, `heights`.
        what: &'static str,
        /// How large it is.
        metres: f64,
    },
    /// The height field of a scene has another size than the terrain that it is put into.
    #[error("{} by {} heights for a terrain of {} by {}: resample one of them first", .found[0], .found[1], .expected[0], .expected[1])]
    Size {
        /// That of the height field.
        found: [u32; 2],
        /// That of the terrain.
        expected: [u32; 2],
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
            Self::NoHeightField | Self::Turned | Self::Beyond { .. } | Self::Size { .. } => Category::Unsupported,
            Self::Version(_) | Self::Name { .. } => Category::Unsupported,
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
