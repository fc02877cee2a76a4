//! One error for all formats.

use std::path::PathBuf;

use mapwright_etf as etf;
use mapwright_interchange as interchange;
use mapwright_io::{Category, ErrorKind, LineColumn, Position};

use crate::Format;

/// What can go wrong in the facade: the errors of all formats, and its own.
///
/// All of them answer the same questions: [`category`](Self::category), [`message`](Self::message),
/// [`place`](Self::place), [`path`](Self::path), [`help`](Self::help).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An Erlang term could not be read.
    #[error(transparent)]
    Etf(#[from] etf::ReadError),
    /// An Erlang term could not be written.
    #[error(transparent)]
    EtfWrite(#[from] etf::WriteError),
    /// A Wings 3D scene could not be read.
    #[cfg(feature = "wings")]
    #[error(transparent)]
    Wings(#[from] mapwright_wings::ReadError),
    /// A Wings 3D scene could not be written.
    #[cfg(feature = "wings")]
    #[error(transparent)]
    WingsWrite(#[from] mapwright_wings::WriteError),
    /// A DMX file could not be read.
    #[cfg(feature = "dmx")]
    #[error(transparent)]
    Dmx(#[from] mapwright_dmx::ReadError),
    /// A DMX file could not be written.
    #[cfg(feature = "dmx")]
    #[error(transparent)]
    DmxWrite(#[from] mapwright_dmx::WriteError),
    /// A Source 2 map could not be read.
    #[cfg(feature = "vmap")]
    #[error(transparent)]
    Vmap(#[from] mapwright_vmap::ReadError),
    /// A Source 2 map could not be written.
    #[cfg(feature = "vmap")]
    #[error(transparent)]
    VmapWrite(#[from] mapwright_vmap::WriteError),
    /// A WAP32 level could not be read.
    #[cfg(feature = "wwd")]
    #[error(transparent)]
    Wwd(#[from] mapwright_wwd::ReadError),
    /// A WAP32 level could not be written.
    #[cfg(feature = "wwd")]
    #[error(transparent)]
    WwdWrite(#[from] mapwright_wwd::WriteError),
    /// A Gamestudio map could not be read.
    #[cfg(feature = "wmp")]
    #[error(transparent)]
    Wmp(#[from] mapwright_wmp::ReadError),
    /// A terrain could not be read.
    #[cfg(feature = "wrp")]
    #[error(transparent)]
    Wrp(#[from] mapwright_wrp::ReadError),
    /// A Gamestudio map could not be written.
    #[cfg(feature = "wmp")]
    #[error(transparent)]
    WmpWrite(#[from] mapwright_wmp::WriteError),
    /// A terrain could not be written.
    #[cfg(feature = "wrp")]
    #[error(transparent)]
    WrpWrite(#[from] mapwright_wrp::WriteError),
    /// A file of an interchange format could not be read, or a scene not be written as one.
    #[error(transparent)]
    Interchange(#[from] interchange::Error),
    /// Neither content nor extension lead to a format.
    #[error("the format is not known")]
    UnknownFormat,
    /// The input is longer than allowed.
    #[error("the input has more than {limit} byte{}", if *.limit == 1 { "" } else { "s" })]
    InputLimit {
        /// The limit of [`Limits::max_input`](mapwright_io::Limits::max_input).
        limit: u64,
    },
    /// A conversion makes more items than allowed after instances are expanded.
    #[error("too many items: {asked} after instances are expanded, {limit} are allowed")]
    Items {
        /// The number of items.
        asked: u64,
        /// The limit of [`ConvertOptions::max_items`](crate::ConvertOptions::max_items).
        limit: u64,
    },
    /// A conversion makes more bytes than allowed, or more than the system has memory for.
    #[error(transparent)]
    Excess(#[from] mapwright_scene::Excess),
    /// A format cannot do what it was asked for.
    #[error("{format} files cannot be {what}")]
    Unsupported {
        /// The format.
        format: Format,
        /// What was asked for: `made from a scene`.
        what: &'static str,
    },
    /// JSON that says no document.
    #[error("{message}")]
    Dump {
        /// What is wrong with it.
        message: String,
        /// Its line, from 1; 0 where only the part is known, which the message names.
        line: u64,
        /// Its column, from 1.
        column: u64,
    },
    /// A text that is no query, or a value that a field does not take.
    #[error(transparent)]
    Query(#[from] crate::query::QueryError),
    /// What was asked for means nothing: a name, or a query.
    #[error("no objects match {0}")]
    NoNode(String),
    /// A scale that is not finite and above zero, or that makes numbers of the scene infinite.
    #[error("a scale of {0:?} makes nothing that can be seen")]
    Scale(f64),
    /// A version of the map format that new maps cannot have.
    #[error("new maps have one of the formats 18 to 40, and not {0}")]
    MapFormat(u32),
    /// A file stands where one was to be written.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Two files were to be written that are one, or that some file systems take for one.
    #[error("{} would be written twice, with different content", .0.display())]
    SameFile(PathBuf),
    /// A file could not be written.
    #[error("{} cannot be written: {error}", .path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// A folder that was said to have the pictures of a game.
    #[cfg(feature = "wwd")]
    #[error("there are no pictures of a game in {}: {error}", .folder.display())]
    ArtFolder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// A folder that was said to have textures.
    #[cfg(feature = "wad")]
    #[error("there are no textures in {}: {error}", .folder.display())]
    TextureFolder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A place in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Bytes before it.
    Offset(Position),
    /// A place in a text.
    Line {
        /// 1 for the first line.
        line: u64,
        /// 1 for the first byte of a line; 0 where only the line is known.
        column: u64,
    },
}

impl From<Position> for Place {
    /// The line and column of a text, the offset of anything else.
    fn from(at: Position) -> Self {
        match at.text {
            Some(LineColumn { line, column }) => Self::Line { line: line.into(), column: column.into() },
            None => Self::Offset(at),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Offset(position) => position.fmt(f),
            Self::Line { line, column: 0 } => write!(f, "line {line}"),
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

impl Error {
    /// What the error is about.
    pub fn category(&self) -> Category {
        match self {
            Self::Etf(error) => error.category(),
            Self::EtfWrite(error) => error.category(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.category(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.category(),
            #[cfg(feature = "dmx")]
            Self::Dmx(error) => error.category(),
            #[cfg(feature = "dmx")]
            Self::DmxWrite(error) => error.category(),
            #[cfg(feature = "vmap")]
            Self::Vmap(error) => error.category(),
            #[cfg(feature = "vmap")]
            Self::VmapWrite(error) => error.category(),
            #[cfg(feature = "wwd")]
            Self::Wwd(error) => error.category(),
            #[cfg(feature = "wwd")]
            Self::WwdWrite(error) => error.category(),
            #[cfg(feature = "wmp")]
            Self::Wmp(error) => error.category(),
            #[cfg(feature = "wrp")]
            Self::Wrp(error) => error.category(),
            #[cfg(feature = "wmp")]
            Self::WmpWrite(error) => error.category(),
            #[cfg(feature = "wrp")]
            Self::WrpWrite(error) => error.category(),
            Self::Interchange(error) => error.category(),
            Self::UnknownFormat
            | Self::Unsupported { .. }
            | Self::Query(_)
            | Self::NoNode(_)
            | Self::Scale(_)
            | Self::MapFormat(_) => Category::Unsupported,
            Self::Dump { .. } => Category::Malformed,
            Self::InputLimit { .. } | Self::Items { .. } | Self::Excess(_) => Category::Limit,
            Self::Exists(_) | Self::SameFile(_) | Self::Save { .. } | Self::Io(_) => Category::Io,
            #[cfg(feature = "wwd")]
            Self::ArtFolder { .. } => Category::Io,
            #[cfg(feature = "wad")]
            Self::TextureFolder { .. } => Category::Io,
        }
    }

    /// What went wrong, without its place.
    pub fn message(&self) -> String {
        match self {
            Self::Etf(error) => error.kind().to_string(),
            Self::EtfWrite(error) => error.kind().to_string(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.kind().to_string(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.kind().to_string(),
            #[cfg(feature = "dmx")]
            Self::Dmx(error) => error.kind().to_string(),
            #[cfg(feature = "dmx")]
            Self::DmxWrite(error) => error.kind().to_string(),
            #[cfg(feature = "vmap")]
            Self::Vmap(error) => error.kind().to_string(),
            #[cfg(feature = "vmap")]
            Self::VmapWrite(error) => error.kind().to_string(),
            #[cfg(feature = "wwd")]
            Self::Wwd(error) => error.kind().to_string(),
            #[cfg(feature = "wwd")]
            Self::WwdWrite(error) => error.kind().to_string(),
            #[cfg(feature = "wmp")]
            Self::Wmp(error) => error.kind().to_string(),
            #[cfg(feature = "wrp")]
            Self::Wrp(error) => error.kind().to_string(),
            #[cfg(feature = "wmp")]
            Self::WmpWrite(error) => error.kind().to_string(),
            #[cfg(feature = "wrp")]
            Self::WrpWrite(error) => error.kind().to_string(),
            Self::Interchange(error) => error.kind().to_string(),
            _ => self.to_string(),
        }
    }

    /// Where in the input it went wrong. Errors of writing and of the operating system have no such place.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Etf(error) => error.position().map(Place::from),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.position().map(Place::from),
            #[cfg(feature = "dmx")]
            Self::Dmx(error) => error.position().map(Place::from),
            #[cfg(feature = "vmap")]
            Self::Vmap(error) => error.position().map(Place::from),
            #[cfg(feature = "wwd")]
            Self::Wwd(error) => error.position().map(Place::from),
            #[cfg(feature = "wmp")]
            Self::Wmp(error) => error.position().map(Place::from),
            #[cfg(feature = "wrp")]
            Self::Wrp(error) => error.position().map(Place::from),
            Self::Interchange(error) => error.position().map(Place::from),
            Self::Dump { line: line @ 1.., column, .. } => Some(Place::Line { line: *line, column: *column }),
            _ => None,
        }
    }

    /// The file in which it went wrong, if it is not the input but one that the input names, such as a tile set. Place and path
    /// are those in that file then.
    pub fn side_file(&self) -> Option<&str> {
        match self {
            Self::Interchange(error) => error.file(),
            _ => None,
        }
    }

    /// In which part of the document or scene it went wrong.
    pub fn path(&self) -> Option<String> {
        let path = match self {
            Self::Etf(error) => error.path().to_string(),
            Self::EtfWrite(error) => error.path().to_string(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.path().to_string(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.path().to_string(),
            #[cfg(feature = "dmx")]
            Self::Dmx(error) => error.path().to_string(),
            #[cfg(feature = "dmx")]
            Self::DmxWrite(error) => error.path().to_string(),
            #[cfg(feature = "vmap")]
            Self::Vmap(error) => error.path().to_string(),
            #[cfg(feature = "vmap")]
            Self::VmapWrite(error) => error.path().to_string(),
            #[cfg(feature = "wwd")]
            Self::Wwd(error) => error.path().to_string(),
            #[cfg(feature = "wwd")]
            Self::WwdWrite(error) => error.path().to_string(),
            #[cfg(feature = "wmp")]
            Self::Wmp(error) => error.path().to_string(),
            #[cfg(feature = "wrp")]
            Self::Wrp(error) => error.path().to_string(),
            #[cfg(feature = "wmp")]
            Self::WmpWrite(error) => error.path().to_string(),
            #[cfg(feature = "wrp")]
            Self::WrpWrite(error) => error.path().to_string(),
            Self::Interchange(error) => error.path().within_file().to_string(),
            _ => return None,
        };
        Some(path).filter(|path| !path.is_empty())
    }

    /// One line on what to do next, where there is something to do.
    pub fn help(&self) -> Option<String> {
        // All exporters have one limit here.
        self.help_of_format()
            .map(|help| help.replace("max_bytes in the export options", "max_output in the convert options"))
    }

    fn help_of_format(&self) -> Option<String> {
        match self {
            Self::Etf(error) => error.kind().help(),
            Self::EtfWrite(error) => error.kind().help(),
            #[cfg(feature = "wings")]
            Self::Wings(error) => error.kind().help(),
            #[cfg(feature = "wings")]
            Self::WingsWrite(error) => error.kind().help(),
            #[cfg(feature = "dmx")]
            Self::Dmx(error) => error.kind().help(),
            #[cfg(feature = "dmx")]
            Self::DmxWrite(error) => error.kind().help(),
            #[cfg(feature = "vmap")]
            Self::Vmap(error) => error.kind().help(),
            #[cfg(feature = "vmap")]
            Self::VmapWrite(error) => error.kind().help(),
            #[cfg(feature = "wwd")]
            Self::Wwd(error) => error.kind().help(),
            #[cfg(feature = "wwd")]
            Self::WwdWrite(error) => error.kind().help(),
            #[cfg(feature = "wmp")]
            Self::Wmp(error) => error.kind().help(),
            #[cfg(feature = "wrp")]
            Self::Wrp(error) => error.kind().help(),
            #[cfg(feature = "wmp")]
            Self::WmpWrite(error) => error.kind().help(),
            #[cfg(feature = "wrp")]
            Self::WrpWrite(error) => error.kind().help(),
            // The limits of all formats are one set here.
            Self::Interchange(error) => error.kind().help().map(|help| {
                help.replace("max_items", "max_objects")
                    .replace("max_bytes in the import options", "max_expanded in the read options")
            }),
            Self::UnknownFormat => Some("name the format if the file is damaged at its start".to_owned()),
            Self::SameFile(_) => Some("give the main file another name".to_owned()),
            #[cfg(feature = "wwd")]
            Self::ArtFolder { .. } => Some(
                "name the folder into which the archive of the game was unpacked: LEVEL1, GAME, … are in it".to_owned(),
            ),
            #[cfg(feature = "wad")]
            Self::TextureFolder { .. } => Some("name a folder with pictures or WAD files in it or below".to_owned()),
            Self::Items { .. } => Some("raise max_items in the convert options if the file is trusted".to_owned()),
            Self::Excess(excess) => Some(excess.help().to_owned()),
            Self::InputLimit { .. } => Some("raise max_input in the read options if the file is trusted".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_all_formats_answer_alike() {
        let error = Error::from(etf::Document::from_bytes(&[131, 104, 1, 0]).unwrap_err());
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!(error.place(), Some(Place::Offset(Position::file(3))));
        assert_eq!(error.path().as_deref(), Some("[0]"));
        assert!(error.to_string().starts_with(&error.message()), "{error}");
        fn is_good<T: Send + Sync + 'static>() {}
        is_good::<Error>();
    }

    #[test]
    fn errors_of_the_system_have_no_place() {
        let error = Error::from(std::io::Error::other("disk"));
        assert_eq!((error.category(), error.place(), error.path()), (Category::Io, None, None));
    }
}
