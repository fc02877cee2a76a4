//! What reading and writing `.wings` files can fail with.

use mapwright_etf as etf;
use mapwright_io::{Category, ErrorKind, FaultKind};

/// An error of reading: what, at which byte, on which path.
pub type ReadError = mapwright_io::Error<ReadErrorKind>;

/// An error of writing: what, and in the model on which path. It has a place only where the document that is to be
/// edited could not be understood.
pub type WriteError = mapwright_io::Error<WriteErrorKind>;

/// What is wrong with a file or with a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A primitive read failed.
    #[error(transparent)]
    Input(#[from] FaultKind),
    /// The first 15 bytes are not those of a `.wings` file.
    #[error("not a Wings 3D file: it does not begin with #!WINGS-1.0")]
    Magic,
    /// The declared length is not that of the payload. Wings demands equality.
    #[error("{declared} bytes are declared to follow the header, but {found} do")]
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
    #[error("the term is not that of a Wings 3D scene: {found}")]
    NotWings {
        /// What stands there instead.
        found: &'static str,
    },
    /// A version that no program has written.
    #[error("format version {0} is not known")]
    Version(i64),
    /// A part has not the form that it must have.
    #[error("{expected}")]
    Part {
        /// The code under which validation reports it.
        code: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ReadErrorKind {
    /// The code under which validation reports this.
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
            _ => None,
        }
    }
}

/// What is wrong with a model or document that is to be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The scene makes more bytes than the options allow, or more than the system has memory for.
    #[cfg(feature = "scene")]
    #[error(transparent)]
    Limit(#[from] mapwright_scene::Excess),
    /// A value cannot be spelled as a term: a float that is not finite, a name of more than 255 characters as an atom.
    #[error(transparent)]
    Term(#[from] etf::WriteErrorKind),
    /// A coordinate or a channel that is not finite: Wings crashes on loading it.
    #[error("a number is not finite")]
    NotFinite,
    /// The name of a material is longer than an atom.
    #[error("a material's name has {length} characters, 255 are allowed")]
    NameLength {
        /// Characters of the name.
        length: usize,
    },
    /// The payload does not fit the length field.
    #[error("{size} bytes do not fit the format's 4 GiB")]
    TooLarge {
        /// The size of the payload.
        size: u64,
    },
    /// Documents of versions 0 and 1 are read, kept and upgraded, but not edited in place.
    #[error("a document of version {0} cannot be edited in place")]
    OldVersion(u8),
    /// The document that is to be edited could not be understood.
    #[error(transparent)]
    Read(#[from] ReadErrorKind),
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
