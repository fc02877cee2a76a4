//! Errors of reading and writing.

use mapwright_etf as etf;
use mapwright_io::{Category, ErrorKind, FaultKind};

use crate::document::HEADER;

/// An error of reading, with its offset and path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing, with its path in the model. It has an offset only if the document that is edited cannot be understood.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// Reasons why a file or a part of it cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The first 15 bytes are not those of a `.wings` file.
    #[error("not a Wings 3D file: it does not begin with #!WINGS-1.0")]
    Magic,
    /// The declared length differs from that of the payload. Wings requires equality.
    #[error("invalid length: the header declares {declared} bytes, {found} follow")]
    Length {
        /// The declared length.
        declared: u32,
        /// Bytes that follow.
        found: u64,
    },
    /// The payload is not an Erlang term.
    #[error(transparent)]
    Term(#[from] etf::ReadErrorKind),
    /// The term is not `{wings,Version,…}`.
    #[error("the term is not a Wings 3D scene: {found}")]
    NotWings {
        /// The unexpected form of the term.
        found: &'static str,
    },
    /// The version is unknown: no program has written it.
    #[error("unknown format version {0}: expected 0, 1 or 2")]
    Version(i64),
    /// A part has an unexpected form.
    #[error("{expected}")]
    Part {
        /// The code of the corresponding finding.
        code: &'static str,
        /// A description of the fault.
        expected: &'static str,
    },
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ReadErrorKind {
    /// Returns the code of the corresponding finding.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Part { code, .. } => code,
            Self::Length { .. } => "length",
            Self::Version(_) => "version",
            Self::Magic => "magic",
            Self::NotWings { .. } => "not-a-list",
            Self::Input(fault) => etf::ReadErrorKind::Input(*fault).code(),
            Self::Term(kind) => kind.code(),
            Self::Io(_) => "io",
        }
    }
}

impl ErrorKind for ReadErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Input(fault) => fault.category(),
            Self::Term(kind) => kind.category(),
            Self::Length { declared, found } if u64::from(*declared) > *found => Category::Truncated,
            Self::Version(_) => Category::Unsupported,
            Self::Io(_) => Category::Io,
            _ => Category::Malformed,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Input(fault) => fault.help(),
            Self::Term(kind) => kind.help(),
            Self::Length { declared, found } if u64::from(*declared) == found.saturating_add(HEADER) => {
                let text =
                    "the length must not include the header, contrary to the manual of Wings 3D; rescue the file";
                Some(text.to_owned())
            }
            Self::Length { .. } => Some("rescue the file, or copy it again".to_owned()),
            _ => None,
        }
    }
}

/// Reasons why a model or a document cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The output would exceed the limit or the available memory.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// A value cannot be encoded as a term, such as a float that is not finite or an atom of more than 255 characters.
    #[error(transparent)]
    Term(#[from] etf::WriteErrorKind),
    /// A coordinate or a channel is not finite. Wings would crash on loading it.
    #[error("the number is not finite")]
    NotFinite,
    /// The name of a material is too long for an atom.
    #[error("the name of the material is too long: {length} characters, at most 255 are allowed")]
    NameLength {
        /// The number of characters.
        length: usize,
    },
    /// The payload does not fit the length field.
    #[error("the payload is too large: {size} bytes, the format stores less than 4 GiB")]
    TooLarge {
        /// The size of the payload in bytes.
        size: u64,
    },
    /// The document is of version 0 or 1. Such documents can be read and upgraded, but not edited in place.
    #[error("a document of version {0} cannot be edited in place")]
    OldVersion(u8),
    /// The document that is edited cannot be understood.
    #[error(transparent)]
    Read(#[from] ReadErrorKind),
    /// The scene is inconsistent.
    #[error("the scene is inconsistent: {0}")]
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
            Self::Term(kind) => kind.category(),
            Self::TooLarge { .. } => Category::Limit,
            Self::NotFinite | Self::NameLength { .. } | Self::OldVersion(_) => Category::Unsupported,
            Self::Scene(_) => Category::Malformed,
            Self::Read(kind) => kind.category(),
            Self::Io(_) => Category::Io,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            #[cfg(feature = "scene")]
            Self::Limit(excess) => Some(excess.help().to_owned()),
            Self::OldVersion(_) => Some("make a new document of its model with Document::from_model".to_owned()),
            _ => None,
        }
    }
}
