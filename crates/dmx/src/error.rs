//! Errors of reading and writing.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::{Encoding, ValueType};

/// An error of reading: its kind, the offset or line, and the path of elements and attributes.
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
    /// The file does not begin with a DMX header.
    #[error("not a DMX file: expected <!-- dmx, found {found}")]
    NotDmx {
        /// The first bytes.
        found: String,
    },
    /// The file is a pointer of Git LFS.
    #[error("the file is a Git LFS pointer, not a DMX file")]
    LfsPointer,
    /// The file has another character encoding than DMX, or a byte order mark.
    #[error("unsupported character encoding {encoding}: expected UTF-8 without a byte order mark")]
    Transcoded {
        /// The character encoding.
        encoding: &'static str,
    },
    /// The first line begins like a header, but is invalid.
    #[error("invalid DMX header in the first line")]
    Header,
    /// The encoding in the header is not a DMX encoding.
    #[error("unknown encoding {name:?}")]
    Encoding {
        /// The encoding in the header.
        name: String,
    },
    /// The version of the encoding is unknown.
    #[error("unknown version {version} of encoding {}", .encoding.name.name())]
    Version {
        /// The encoding.
        encoding: Encoding,
        /// Version of the encoding.
        version: u32,
    },
    /// A binary header is not followed by a line break and a NUL.
    #[error("invalid end of a binary header: expected a line break and a NUL{}", if *.converted { "; line breaks were converted" } else { "" })]
    HeaderEnd {
        /// `true` if the line break was converted, as version control does with text.
        converted: bool,
    },
    /// A program treated the binary file as text and replaced its bytes above 127.
    #[error("the file was damaged by a program that treated it as text: bytes above 127 were replaced ({source})")]
    ReplacedBytes {
        /// The first error of reading it.
        source: Box<ReadErrorKind>,
    },
    /// A string does not end.
    #[error("string without end")]
    UnendedString,
    /// The index of a string is out of range.
    #[error("string index {index} out of range ({count} strings)")]
    StringIndex {
        /// The index.
        index: i32,
        /// Number of strings in the table.
        count: usize,
    },
    /// The version does not have the type.
    #[error("unknown type {id} in binary {version}")]
    TypeId {
        /// The number of the type.
        id: u8,
        /// The version.
        version: u8,
    },
    /// The index of an element is out of range.
    #[error("element index {index} out of range ({count} elements)")]
    ElementIndex {
        /// The index.
        index: i32,
        /// Number of elements.
        count: usize,
    },
    /// The file has no elements, and therefore no root.
    #[error("the file has no elements")]
    NoElements,
    /// A token of a text is not the expected one.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected token.
        expected: &'static str,
        /// The token that was found.
        found: String,
    },
    /// A text is not a value of its type.
    #[error("invalid value {text:?} of type {}", .value_type.name())]
    BadValue {
        /// The type.
        value_type: ValueType,
        /// The text.
        text: String,
    },
    /// Data that describes a document is invalid.
    #[cfg(feature = "serde")]
    #[error("{0}")]
    Data(String),
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ReadErrorKind {
    /// A stable code in lower case with hyphens: `not-dmx`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Input(fault) => match fault.category() {
                Category::Truncated => "truncated",
                Category::Limit => "limit",
                _ => "malformed",
            },
            Self::NotDmx { .. } => "not-dmx",
            Self::LfsPointer => "lfs-pointer",
            Self::Transcoded { .. } => "transcoded",
            Self::Header => "header",
            Self::Encoding { .. } => "encoding",
            Self::Version { .. } => "version",
            Self::HeaderEnd { .. } => "header-end",
            Self::ReplacedBytes { .. } => "replaced-bytes",
            Self::UnendedString => "unended-string",
            Self::StringIndex { .. } => "string-index",
            Self::TypeId { .. } => "type-id",
            Self::ElementIndex { .. } => "element-index",
            Self::NoElements => "no-elements",
            Self::Expected { .. } => "expected",
            Self::BadValue { .. } => "bad-value",
            #[cfg(feature = "serde")]
            Self::Data(_) => "data",
            Self::Io(_) => "io",
        }
    }
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::UnendedString => Category::Truncated,
            Self::Version { .. } | Self::Encoding { .. } | Self::LfsPointer | Self::Transcoded { .. } => {
                Category::Unsupported
            }
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::LfsPointer => Some(mapwright_io::GIT_LFS_HELP.to_owned()),
            Self::Transcoded { .. } => Some("save it as UTF-8 without a byte order mark".to_owned()),
            Self::HeaderEnd { converted: true } | Self::ReplacedBytes { .. } => Some(
                "get the file again from its source; in git, mark such files as binary in .gitattributes".to_owned(),
            ),
            Self::Encoding { .. } => Some("DMX encodings are binary, keyvalues2 and their variants".to_owned()),
            _ => None,
        }
    }
}

/// The kind of a [`WriteError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The encoding does not have values of a type.
    #[error("{encoding} has no values of type {}", .value_type.name())]
    NoSuchType {
        /// The type.
        value_type: ValueType,
        /// The encoding.
        encoding: Encoding,
    },
    /// The version of the encoding is unknown.
    #[error("unknown version {} of encoding {}", .0.version, .0.name.name())]
    Version(Encoding),
    /// The header cannot be written as a line: the format is not one word, or the style does not have the encoding.
    #[error("invalid header: its line would not read back equal")]
    Header,
    /// The encoding cannot store prefix attributes.
    #[error("{0} cannot store prefix attributes")]
    NoPrefix(Encoding),
    /// An element has no identity. Binary files need one for every element.
    #[error("element without identity")]
    NoId,
    /// A string contains a NUL, which ends strings in a binary file.
    #[error("string contains a NUL")]
    Nul,
    /// A count or an index does not fit into its field.
    #[error("too many {what}: {count}, the maximum is {max}")]
    TooMany {
        /// Name of the items, in the plural.
        what: &'static str,
        /// Number of items.
        count: usize,
        /// The maximum.
        max: usize,
    },
    /// The file would be longer than the options allow.
    #[error("file too long: the maximum is {max} bytes")]
    TooLong {
        /// The maximum in bytes.
        max: usize,
    },
    /// A reference to an element is out of range.
    #[error("element index {index} out of range ({count} elements)")]
    ElementIndex {
        /// The index.
        index: u32,
        /// Number of elements.
        count: usize,
    },
    /// The document has no elements, and therefore no root.
    #[error("the document has no elements")]
    NoElements,
    /// A reference in text is ambiguous, because several elements have the identity.
    #[error("ambiguous reference in text: several elements have the identity {0}")]
    AmbiguousId(crate::Guid),
    /// Text cannot represent a part of the document.
    #[error("text cannot represent {0}")]
    NotInText(&'static str),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ErrorKind for WriteErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::NoSuchType { .. }
            | Self::Version(_)
            | Self::NoPrefix(_)
            | Self::AmbiguousId(_)
            | Self::NotInText(_) => Category::Unsupported,
            Self::TooMany { .. } | Self::TooLong { .. } => Category::Limit,
            Self::Header | Self::Nul | Self::NoId | Self::ElementIndex { .. } | Self::NoElements => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::TooLong { .. } => Some("raise `max_output` of the options to write a longer file".to_owned()),
            _ => None,
        }
    }
}
