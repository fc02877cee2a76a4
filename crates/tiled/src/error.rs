//! Errors of reading, editing and writing.

use mapwright_io::{Category, ErrorKind, FaultKind, GIT_LFS_HELP};

/// Error of the readers, with offset, line and column.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// Error of edits and of writing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Error kinds of the readers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// An exceeded limit.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The text ends inside an element, object or array.
    #[error("the text ends early: expected {expected}")]
    Ended {
        /// Description of the expected part.
        expected: &'static str,
    },
    /// A comment, string or tag without its end. The position is that of its start.
    #[error("{0} has no end")]
    Unended(&'static str),
    /// A character in the wrong place.
    #[error("unexpected {found:?}: expected {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// An end tag with another name than the start tag.
    #[error("unexpected end tag </{found}>: expected </{expected}>")]
    EndTag {
        /// The name in the end tag.
        found: String,
        /// The name in the start tag.
        expected: String,
    },
    /// An attribute that the element already has.
    #[error("attribute {0} occurs twice in one element")]
    DuplicateAttribute(String),
    /// A reference to an entity that XML does not predefine, or to an invalid character.
    #[error("unknown entity &{0};: expected amp, lt, gt, apos, quot, or a character number")]
    Entity(String),
    /// A document type declaration with declarations of entities or elements.
    #[error("the document type contains declarations, which are not supported")]
    Doctype,
    /// The root is not a map, tileset, template or world.
    #[error("not a file of Tiled: expected a map, tileset, template or world, found {0}")]
    Root(String),
    /// A map that was exported as JavaScript.
    #[error("the file is JavaScript, not JSON")]
    JavaScript,
    /// Width or height of cells is missing, negative or no number.
    #[error("the cells have no valid {name}: expected a whole number from 0")]
    CellSize {
        /// Name of the attribute.
        name: &'static str,
    },
    /// There are more or fewer cells than width and height state.
    #[error("{} cells, expected {expected}", if *.more { format!("more than {found}") } else { found.to_string() })]
    CellCount {
        /// Number of cells in the file; the expected number if there are more.
        found: u64,
        /// Number of cells by width and height.
        expected: u64,
        /// `true` if there are too many.
        more: bool,
    },
    /// A cell that is no number of 32 bits.
    #[error("invalid cell {0:?}: expected a whole number")]
    Cell(String),
    /// The last cell has fewer than four bytes.
    #[error("{bytes} bytes of cells are not a whole number of cells")]
    PartialCell {
        /// Number of bytes after decompression.
        bytes: u64,
    },
    /// Cells that are not valid base64.
    #[error("invalid base64")]
    Base64,
    /// Cells in an unknown encoding.
    #[error("encoding {0:?} of cells is not supported: expected csv or base64")]
    Encoding(String),
    /// Cells with an unknown compression.
    #[error("compression {0:?} of cells is not supported: expected gzip, zlib or zstd")]
    Compression(String),
    /// Compressed cells that are damaged.
    #[error("the {compression} stream of the cells is damaged: {reason}")]
    Stream {
        /// Name of the compression.
        compression: &'static str,
        /// The reason.
        reason: String,
    },
    /// The document is no map, so it has no scene.
    #[cfg(feature = "scene")]
    #[error("a {0} cannot be converted to a scene: expected a map")]
    NoMap(&'static str),
    /// The number of the first tile of a tileset is 0 or has flags.
    #[cfg(feature = "scene")]
    #[error("invalid first tile number {0}: expected 1 to 268435455")]
    FirstGid(u32),
    /// Two tilesets begin with the same number.
    #[cfg(feature = "scene")]
    #[error("two tilesets have the first tile number {0}")]
    SameFirstGid(u32),
    /// A scene would exceed a limit.
    #[cfg(feature = "scene")]
    #[error("more than {limit} {what}")]
    Limit {
        /// Name of the items, in the plural.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The bytes are UTF-16.
    #[error("the text is encoded as UTF-16: expected UTF-8")]
    Utf16,
    /// The bytes are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The file is a Git LFS pointer.
    #[error("the file is a Git LFS pointer, not a file of Tiled")]
    LfsPointer,
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Ended { .. } | Self::Unended(_) => Category::Truncated,
            Self::Doctype
            | Self::JavaScript
            | Self::Utf16
            | Self::LfsPointer
            | Self::Encoding(_)
            | Self::Compression(_) => Category::Unsupported,
            Self::Unexpected { .. }
            | Self::EndTag { .. }
            | Self::DuplicateAttribute(_)
            | Self::Entity(_)
            | Self::Root(_)
            | Self::NotUtf8
            | Self::CellSize { .. }
            | Self::CellCount { .. }
            | Self::Cell(_)
            | Self::PartialCell { .. }
            | Self::Base64
            | Self::Stream { .. } => Category::Malformed,
            #[cfg(feature = "scene")]
            Self::NoMap(_) => Category::Unsupported,
            #[cfg(feature = "scene")]
            Self::FirstGid(_) | Self::SameFirstGid(_) => Category::Malformed,
            #[cfg(feature = "scene")]
            Self::Limit { .. } => Category::Limit,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        let text = match self {
            Self::Input(fault) => return fault.help(),
            #[cfg(feature = "scene")]
            Self::NoMap(_) => "convert the map that refers to this file",
            #[cfg(feature = "scene")]
            Self::Limit { what: "bytes of cells and images", .. } => {
                "raise max_bytes in the import options if the document is trusted"
            }
            Self::LfsPointer => GIT_LFS_HELP,
            Self::Utf16 | Self::NotUtf8 => "save the file as UTF-8",
            Self::JavaScript => "export the map as JSON (.tmj) instead of JavaScript (.js)",
            Self::Doctype => "remove the declarations in [ ] after <!DOCTYPE",
            _ => return None,
        };
        Some(text.to_owned())
    }
}

/// Error kinds of edits and of writing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// An edit of a part of another kind, such as the value of an object.
    #[error("the edited part is {found}: expected {expected}")]
    Kind {
        /// Description of the part.
        found: &'static str,
        /// Description of the expected part.
        expected: &'static str,
    },
    /// A text with a character that XML cannot store.
    #[error("{text:?} cannot be stored: XML does not allow the character {character:?}")]
    Text {
        /// The start of the text.
        text: String,
        /// The character.
        character: char,
    },
    /// A name that XML does not allow.
    #[error("{0:?} cannot be stored: expected the name of an attribute")]
    Name(String),
    /// A number that is infinite or none.
    #[error("{0} cannot be stored: expected a finite number")]
    Number(f64),
    /// A value that does not fit the type of the property.
    #[error("invalid value {value:?}: expected {expected}")]
    Value {
        /// The value.
        value: String,
        /// Description of the expected value.
        expected: &'static str,
    },
    /// A cell outside of the layer.
    #[error("the layer has no cell {},{}", .0[0], .0[1])]
    NoCell([i32; 2]),
    /// No id is left for a new object.
    #[error("no id is free for a new object: the highest one is used already")]
    NoObjectId,
    /// Two changes of one edit overlap. The position is in the text before the edit.
    #[error("two changes of one edit overlap")]
    Overlap,
    /// The edited text is not a valid document, or old cells are invalid, or one of them exceeds a limit. The position is in that text.
    #[error("the text is invalid: {0}")]
    Invalid(Box<ReadErrorKind>),
    /// The scene is invalid.
    #[cfg(feature = "scene")]
    #[error("invalid scene: {0}")]
    Scene(String),
    /// The map would have more bytes than the options allow or the system has memory for.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Excess(#[from] mapwright_scene::Excess),
    /// The scene has more than Tiled supports.
    #[cfg(feature = "scene")]
    #[error("more than {limit} {what}")]
    SceneLimit {
        /// Name of the items, in the plural.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// A part of a scene that Tiled cannot store, as the text states.
    #[cfg(feature = "scene")]
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Kind { .. }
            | Self::Text { .. }
            | Self::Name(_)
            | Self::Number(_)
            | Self::Value { .. }
            | Self::NoCell(_)
            | Self::NoObjectId => Category::Unsupported,
            Self::Overlap => Category::Malformed,
            Self::Invalid(kind) => kind.category(),
            #[cfg(feature = "scene")]
            Self::Scene(_) => Category::Malformed,
            #[cfg(feature = "scene")]
            Self::Excess(_) | Self::SceneLimit { .. } => Category::Limit,
            #[cfg(feature = "scene")]
            Self::Unsupported(_) => Category::Unsupported,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Invalid(kind) => kind.help(),
            #[cfg(feature = "scene")]
            Self::Excess(excess) => Some(excess.help().to_owned()),
            _ => None,
        }
    }
}

/// Converts an error of reading an edited text.
pub(crate) fn invalid(error: ReadError) -> WriteError {
    error.map_kind(|kind| WriteErrorKind::Invalid(Box::new(kind)))
}
