//! Whole documents as JSON.

#[cfg(feature = "dmx")]
mod graph;
#[cfg(feature = "wwd")]
mod level;
#[cfg(feature = "wrp")]
mod objects;
mod schema;
mod term;

use std::io::{self, Write};

#[cfg(any(feature = "wwd", feature = "dmx"))]
use mapwright_io::{Category, ErrorKind};

use crate::{AnyDocument, Error, Format, ReadOptions};

#[cfg(feature = "dmx")]
pub use graph::write_graph_json;
#[cfg(feature = "wwd")]
pub use level::{write_level_diff_json, write_level_json};
#[cfg(feature = "wrp")]
pub use objects::{read_objects_json, write_objects_geojson, write_objects_json};
pub use term::write_term_json;

/// How JSON is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum JsonLayout {
    /// All in one line.
    #[default]
    OneLine,
    /// A line for each row of tiles, each object and each tile of a level.
    Lines,
}

fn string(out: &mut dyn Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(Into::into)
}

/// Hexadecimal digits, in pieces: binaries are megabytes.
fn hex(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
    for piece in bytes.chunks(4096) {
        let text: Vec<u8> = piece.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        out.write_all(&text)?;
    }
    Ok(())
}

/// The bytes of hexadecimal digits.
fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

/// A string, or bytes in hexadecimal where they are no UTF-8.
#[derive(serde::Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum BytesJson {
    Text(String),
    Bytes { bytes: String },
}

impl BytesJson {
    fn get(self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.into_bytes()),
            Self::Bytes { bytes } => unhex(&bytes),
        }
    }
}

/// How a term or a graph is spelled, as far as it is not as the parts alone would be.
#[derive(serde::Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Spelling {
    profile: Option<String>,
    packing: Option<String>,
    source: Option<BytesJson>,
}

/// The version of dumps that is written and read.
pub const DUMP_SCHEMA: &str = "mapwright.dump/1";

/// The version that a dump says, if it does.
#[derive(serde::Deserialize)]
struct Version {
    schema: Option<String>,
}

impl Version {
    fn check(self) -> Result<(), Error> {
        match self.schema.filter(|schema| schema != DUMP_SCHEMA) {
            Some(schema) => Err(refused(format!("its schema is {schema:?}, and {DUMP_SCHEMA} is read"))),
            None => Ok(()),
        }
    }
}

/// What `mapwright dump --json` prints, as far as documents are made of it again.
#[derive(serde::Deserialize)]
struct Dump {
    schema: Option<String>,
    format: Option<String>,
    term: Option<term::TermJson>,
    #[cfg(feature = "dmx")]
    graph: Option<mapwright_dmx::DocumentData>,
    spelling: Option<Spelling>,
    #[cfg(feature = "wwd")]
    level: Option<mapwright_wwd::DocumentData>,
    #[cfg(feature = "wrp")]
    terrain: Option<Box<mapwright_wrp::Document>>,
    #[cfg(feature = "wmp")]
    map: Option<Box<mapwright_wmp::Document>>,
}

/// Writes a terrain as JSON that says everything of it: [`AnyDocument::from_dump`] makes the same file of it.
///
/// Fields have the names of the document. Floats are numbers, and where these would not come back as they are (NaN, infinities) their
/// bits: `"0x7fc87f88"`; texts and bytes are spelled as [`spell`](mapwright_io::escape_bytes) does.
///
/// # Errors
/// Those of the writer.
#[cfg(feature = "wrp")]
pub fn write_terrain_json(out: &mut dyn Write, terrain: &mapwright_wrp::Document) -> io::Result<()> {
    serde_json::to_writer(out, terrain).map_err(Into::into)
}

/// Writes a Gamestudio map as JSON that says everything of it: [`AnyDocument::from_dump`] makes the same file of it.
///
/// Fields have the names of the document. A number is a number, or its spelling as text where that is kept, or its bits where it is
/// none: `"0x7ff8000000000001"`; texts and bytes are spelled as [`spell`](mapwright_io::escape_bytes) does. A map that its editor
/// would spell otherwise has its file as `source`.
///
/// # Errors
/// Those of the writer.
#[cfg(feature = "wmp")]
pub fn write_map_json(out: &mut dyn Write, map: &mapwright_wmp::Document) -> io::Result<()> {
    serde_json::to_writer(out, map).map_err(Into::into)
}

/// What is wrong with JSON that was refused, and on which path, for which it is read once more.
fn refusal(json: &[u8], error: &serde_json::Error) -> Error {
    let path = serde_path_to_error::deserialize::<_, Dump>(&mut serde_json::Deserializer::from_slice(json)).err();
    let path = path.map(|error| error.path().to_string()).unwrap_or_default();
    let path = ["level.", "terrain.", "map.", "term.", "graph."]
        .iter()
        .find_map(|part| path.strip_prefix(part))
        .unwrap_or(&path);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = if matches!(path, "" | "." | "?") { message.to_owned() } else { format!("{path}: {message}") };
    Error::Dump { message, line: error.line() as u64, column: error.column() as u64 }
}

/// A dump that says no document; where in it only the message tells.
fn refused(message: String) -> Error {
    Error::Dump { message, line: 0, column: 0 }
}

/// An error of data that cannot become a document: unless a limit was reached, the data is invalid.
#[cfg(any(feature = "wwd", feature = "dmx"))]
fn invalid_data<K: ErrorKind>(error: mapwright_io::Error<K>) -> Error
where
    Error: From<mapwright_io::Error<K>>,
{
    match error.category() {
        Category::Malformed => refused(format!("{}: {}", error.path(), error.kind())),
        _ => error.into(),
    }
}

impl AnyDocument {
    /// Writes what the document says as the last fields of a JSON object, without its braces: `format`, the name of the format, and
    /// `term`, `graph`, `level`, `map` or `terrain`, which is what `write_term_json` and its like write. A scene has `format` alone.
    ///
    /// A term may be followed by a `spelling`: `profile`, the generation of Erlang that encodes it, if that is not `otp17`;
    /// `"packing":"plain"` if it is not compressed; `source`, the file from the byte 131 on, as text or as `{"bytes":"hex"}`, if the
    /// other fields alone give other bytes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_dump_fields(&self, out: &mut dyn Write, layout: JsonLayout) -> io::Result<()> {
        #[cfg(not(feature = "wwd"))]
        let _ = layout;
        write!(out, "\"format\":\"{}\"", self.format())?;
        if let Some(term) = self.term() {
            out.write_all(b",\"term\":")?;
            write_term_json(out, term.tree().root())?;
            return term::write_spelling(out, term);
        }
        #[cfg(feature = "dmx")]
        if let Some(graph) = self.graph() {
            out.write_all(b",\"graph\":")?;
            return write_graph_json(out, graph);
        }
        match self {
            #[cfg(feature = "wwd")]
            Self::Wwd(level) => {
                out.write_all(b",\"level\":")?;
                write_level_json(out, level, layout)
            }
            #[cfg(feature = "wmp")]
            Self::Wmp(map) => {
                out.write_all(b",\"map\":")?;
                write_map_json(out, map)
            }
            #[cfg(feature = "wrp")]
            Self::Wrp(terrain) => {
                out.write_all(b",\"terrain\":")?;
                write_terrain_json(out, terrain)
            }
            _ => Ok(()),
        }
    }

    /// Writes what a dump says of the document as an object, which [`from_dump`](Self::from_dump) takes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_dump(&self, out: &mut dyn Write, layout: JsonLayout) -> io::Result<()> {
        out.write_all(b"{")?;
        self.write_dump_fields(out, layout)?;
        out.write_all(b"}")
    }

    /// Makes a document of what [`write_dump`](Self::write_dump) wrote of it. The document gives the file that was
    /// dumped, byte for byte; where the JSON has been changed, the file changes as that of an edited document: of a term that has a
    /// `source` all is spelled as its profile does, of a graph that has one what was not changed stays as it was, unless elements are
    /// gone: then all of it is spelled as its program does. `strings` beside a `source` are not taken, as the source has them.
    ///
    /// Fields that no dump has are refused, but for those at the top, which are passed by. [`Format::dump_schema`] says which there
    /// are.
    ///
    /// JSON nests 128 deep at most. Numbers of terms that take more than 64 bits are built only where nothing of the term was
    /// changed.
    ///
    /// # Errors
    /// [`Error::Dump`] for JSON that does not say a document, or one of another version, and [`Error::Unsupported`] for formats of
    /// which it is not taken yet.
    pub fn from_dump(json: &[u8], options: &ReadOptions) -> Result<Self, Error> {
        let dump: Dump = serde_json::from_slice(json).map_err(|error| {
            // Dumps of another version may have other parts.
            let version = serde_json::from_slice::<Version>(json).ok().and_then(|version| version.check().err());
            version.unwrap_or_else(|| refusal(json, &error))
        })?;
        let none = |part: &str| refused(format!("there is no {part} in it"));
        Version { schema: dump.schema }.check()?;
        let name = dump.format.ok_or_else(|| none("format"))?;
        let format = Format::from_name(&name).ok_or_else(|| refused(format!("no format is called {name:?}")))?;
        let spelling = dump.spelling.unwrap_or_default();
        Ok(match format {
            #[cfg(feature = "wwd")]
            Format::Wwd => {
                let json = dump.level.ok_or_else(|| none("level"))?;
                Self::Wwd(Box::new(json.into_document(&options.wwd()).map_err(invalid_data)?))
            }
            #[cfg(feature = "wrp")]
            Format::Wrp => Self::Wrp(dump.terrain.ok_or_else(|| none("terrain"))?),
            #[cfg(feature = "wmp")]
            Format::Wmp => Self::Wmp(dump.map.ok_or_else(|| none("map"))?),
            #[cfg(feature = "wings")]
            Format::Wings => {
                let json = dump.term.ok_or_else(|| none("term"))?;
                Self::Wings(mapwright_wings::Document::from_payload(term::document(&json, spelling, options)?))
            }
            Format::Etf => {
                let json = dump.term.ok_or_else(|| none("term"))?;
                Self::Etf(term::document(&json, spelling, options)?)
            }
            #[cfg(feature = "vmap")]
            Format::Vmap => {
                let json = dump.graph.ok_or_else(|| none("graph"))?;
                Self::Vmap(mapwright_vmap::Document::from_graph(graph::build_graph(json, spelling, options)?)?)
            }
            #[cfg(feature = "dmx")]
            Format::Dmx => {
                let json = dump.graph.ok_or_else(|| none("graph"))?;
                Self::Dmx(graph::build_graph(json, spelling, options)?)
            }
            #[allow(unreachable_patterns, reason = "a build may have no format that is only converted")]
            _ => return Err(Error::Unsupported { format, what: "built from JSON" }),
        })
    }
}
