//! What reading and writing can fail with.

use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::{Encoding, ValueType};

/// An error of reading: what, at which byte or line, on which path of elements and attributes.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The file does not begin with a DMX header.
    #[error("not a DMX file: it begins with {found}")]
    NotDmx {
        /// What it begins with instead.
        found: String,
    },
    /// The file is a pointer of Git LFS.
    #[error("not the file itself but a Git LFS pointer to it")]
    LfsPointer,
    /// The file is text in another encoding of characters than DMX has, or marked as one.
    #[error("text saved as {encoding}, which DMX does not know")]
    Transcoded {
        /// The encoding of characters.
        encoding: &'static str,
    },
    /// The first line begins like a header, but is none.
    #[error("the first line is not a whole DMX header")]
    Header,
    /// The header names an encoding of other files.
    #[error("{name:?} is not a DMX encoding")]
    Encoding {
        /// What the header names.
        name: String,
    },
    /// The header names a version that is not known.
    #[error("version {version} of encoding {} is not known", .encoding.name.name())]
    Version {
        /// The encoding.
        encoding: Encoding,
        /// Its version.
        version: u32,
    },
    /// A binary header is not followed by a line break and a NUL.
    #[error("a line break and a NUL must follow the header of a binary file{}", if *.converted { ": its line breaks were converted" } else { "" })]
    HeaderEnd {
        /// Whether the line break was converted, as version control does with text.
        converted: bool,
    },
    /// A binary file was treated as text: its bytes above 127 were replaced.
    #[error("the file was damaged by a program that took it for text: its bytes above 127 were replaced ({source})")]
    ReplacedBytes {
        /// What failed first.
        source: Box<ReadErrorKind>,
    },
    /// A string does not end.
    #[error("a string has no end")]
    UnendedString,
    /// The index of a string is beyond the table.
    #[error("string {index} is referred to, the table has {count}")]
    StringIndex {
        /// The index.
        index: i32,
        /// The strings of the table.
        count: usize,
    },
    /// A type that the version does not have.
    #[error("type {id} is not known in binary {version}")]
    TypeId {
        /// The type.
        id: u8,
        /// The version.
        version: u8,
    },
    /// The index of an element is beyond the elements.
    #[error("element {index} is referred to, the file has {count}")]
    ElementIndex {
        /// The index.
        index: i32,
        /// The elements of the file.
        count: usize,
    },
    /// A file without any element has no root.
    #[error("the file has no element")]
    NoElements,
    /// A text has something else than it must have.
    #[error("{found} where {expected} must stand")]
    Expected {
        /// What must stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A text value is not one of its type.
    #[error("{text:?} is no value of type {}", .value_type.name())]
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
            Self::LfsPointer => Some("fetch the file itself: git lfs pull".to_owned()),
            Self::Transcoded { .. } => Some("save it as UTF-8 without a byte order mark".to_owned()),
            Self::HeaderEnd { converted: true } | Self::ReplacedBytes { .. } => Some(
                "take the file from its source again; in git, mark such files as binary in .gitattributes".to_owned(),
            ),
            Self::Encoding { .. } => Some("DMX encodings are binary, keyvalues2 and their variants".to_owned()),
            _ => None,
        }
    }
}

/// What is wrong with a document that is to be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The encoding cannot say values of a type.
    #[error("{encoding} has no values of type {}", .value_type.name())]
    NoSuchType {
        /// The type.
        value_type: ValueType,
        /// The encoding.
        encoding: Encoding,
    },
    /// A version that does not exist.
    #[error("version {} of encoding {} is not known", .0.version, .0.name.name())]
    Version(Encoding),
    /// The header cannot be said in a line: the format is not one word, or the style does not know the encoding.
    #[error("the header cannot be written as one line that says the same")]
    Header,
    /// The encoding has no place for the attributes of the file as a whole.
    #[error("{0} has no place for prefix attributes")]
    NoPrefix(Encoding),
    /// A binary file needs an identity for every element.
    #[error("an element has no identity")]
    NoId,
    /// A string holds a NUL, which ends strings in a binary file.
    #[error("a string holds a NUL")]
    Nul,
    /// Something does not fit its count or index.
    #[error("{count} {what} do not fit, the encoding has room for {max}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many fit.
        max: usize,
    },
    /// The file would be longer than the options allow.
    #[error("the file would have more than {max} bytes")]
    TooLong {
        /// How many it may have.
        max: usize,
    },
    /// A reference to an element that the document does not have.
    #[error("element {index} is referred to, the document has {count}")]
    ElementIndex {
        /// The index.
        index: u32,
        /// The elements of the document.
        count: usize,
    },
    /// A document without any element has no root.
    #[error("the document has no element")]
    NoElements,
    /// Text refers to elements by identity, and more than one has this one, or another document's element has it too.
    #[error("text cannot tell which element is referred to by the identity {0}: more than one has it")]
    AmbiguousId(crate::Guid),
    /// Something that binary files can say and text files cannot.
    #[error("text cannot say {0}")]
    Unsayable(&'static str),
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
            | Self::Unsayable(_) => Category::Unsupported,
            Self::TooMany { .. } | Self::TooLong { .. } => Category::Limit,
            Self::Header | Self::Nul | Self::NoId | Self::ElementIndex { .. } | Self::NoElements => Category::Malformed,
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::TooLong { .. } => {
                Some("raise `max_output` of the options if the document is meant to be that long".to_owned())
            }
            _ => None,
        }
    }
}
