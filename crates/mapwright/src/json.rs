//! Whole documents as JSON.

pub(crate) mod term;

use std::fmt;
use std::io::{self, Write};

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::{AnyDocument, Error, Format, ReadOptions};

pub use term::write_term_json;

/// The layout of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum JsonLayout {
    /// One line.
    #[default]
    OneLine,
    /// One line for each row of tiles, each object and each tile of a level.
    Lines,
}

fn string(out: &mut dyn Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(Into::into)
}

/// Writes hexadecimal digits, in chunks: binaries are megabytes.
fn hex(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
    for piece in bytes.chunks(4096) {
        let text: Vec<u8> = piece.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        out.write_all(&text)?;
    }
    Ok(())
}

/// Returns the bytes that hexadecimal digits encode.
fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

/// A string, or bytes in hexadecimal if they are not UTF-8.
#[derive(serde::Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum BytesJson {
    Text(String),
    Bytes { bytes: String },
}

impl BytesJson {
    pub(crate) fn get(self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.into_bytes()),
            Self::Bytes { bytes } => unhex(&bytes),
        }
    }
}

/// The encoding of a term or a graph, as far as the parts alone do not determine it.
#[derive(serde::Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Encoding {
    pub(crate) profile: Option<String>,
    pub(crate) packing: Option<String>,
    pub(crate) source: Option<BytesJson>,
}

/// The version of dumps that this crate writes and reads.
pub const DUMP_SCHEMA: &str = "mapwright.dump/1";

/// The JSON Schemas of the output of commands, by the name of the command. `error` is that of an input that fails.
pub const OUTPUT_SCHEMAS: [(&str, &str); 14] = [
    ("info", include_str!("../schemas/output/info.schema.json")),
    ("query", include_str!("../schemas/output/query.schema.json")),
    ("check", include_str!("../schemas/output/check.schema.json")),
    ("diff", include_str!("../schemas/output/diff.schema.json")),
    ("convert", include_str!("../schemas/output/convert.schema.json")),
    ("edit", include_str!("../schemas/output/edit.schema.json")),
    ("merge", include_str!("../schemas/output/merge.schema.json")),
    ("render", include_str!("../schemas/output/render.schema.json")),
    ("dump", include_str!("../schemas/output/dump.schema.json")),
    ("build", include_str!("../schemas/output/build.schema.json")),
    ("roundtrip", include_str!("../schemas/output/roundtrip.schema.json")),
    ("extract", include_str!("../schemas/output/extract.schema.json")),
    ("rescue", include_str!("../schemas/output/rescue.schema.json")),
    ("error", include_str!("../schemas/output/error.schema.json")),
];

/// The output of `mapwright dump --json`. Each format reads its own part.
pub(crate) struct Dump<'a> {
    json: &'a [u8],
    pub(crate) encoding: Encoding,
}

/// The fields of a dump that all formats share.
#[derive(serde::Deserialize)]
struct Envelope {
    schema: Option<String>,
    format: Option<String>,
    encoding: Option<Encoding>,
}

/// The version that a dump states.
#[derive(serde::Deserialize)]
struct Version {
    schema: Option<String>,
}

impl Version {
    fn check(self) -> Result<(), Error> {
        match self.schema.filter(|schema| schema != DUMP_SCHEMA) {
            Some(schema) => Err(refused(format!("unknown schema {schema:?}: expected {DUMP_SCHEMA:?}"))),
            None => Ok(()),
        }
    }
}

impl Dump<'_> {
    /// Reads the part with this name.
    pub(crate) fn part<T: DeserializeOwned>(&self, name: &'static str) -> Result<T, Error> {
        let part = || Part { name, value: std::marker::PhantomData::<T> };
        let found = part().deserialize(&mut serde_json::Deserializer::from_slice(self.json));
        found
            .map_err(|error| refusal(self.json, &error, part(), name))?
            .ok_or_else(|| refused(format!("missing {name:?}")))
    }
}

/// One field of an object. Other fields are skipped.
struct Part<T> {
    name: &'static str,
    value: std::marker::PhantomData<T>,
}

impl<'de, T: serde::Deserialize<'de>> DeserializeSeed<'de> for Part<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: serde::Deserialize<'de>> Visitor<'de> for Part<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != self.name {
                map.next_value::<IgnoredAny>()?;
            } else if found.replace(map.next_value()?).is_some() {
                return Err(A::Error::duplicate_field(self.name));
            }
        }
        Ok(found)
    }
}

/// Describes the problem of invalid JSON with its path. The JSON is read once more to find the path.
fn refusal<'a, S: DeserializeSeed<'a>>(json: &'a [u8], error: &serde_json::Error, seed: S, part: &str) -> Error {
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_slice(json);
    let _ = seed.deserialize(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    let path = track.path().to_string();
    // The name of the part is the same in every dump of a format.
    let path = path.strip_prefix(part).map_or(&*path, |path| path.trim_start_matches('.'));
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = if matches!(path, "" | "." | "?") { message.to_owned() } else { format!("{path}: {message}") };
    Error::Dump { message, line: error.line() as u64, column: error.column() as u64 }
}

/// The error for a dump that does not describe a document. Only the message states the place.
pub(crate) fn refused(message: String) -> Error {
    Error::Dump { message, line: 0, column: 0 }
}

/// Turns an error of invalid data into one of a dump. Other errors, such as limits, stay.
pub(crate) fn invalid_data<K: mapwright_io::ErrorKind>(error: mapwright_io::Error<K>) -> Error {
    match error.category() {
        mapwright_io::Category::Malformed => refused(format!("{}: {}", error.path(), error.kind())),
        _ => error.into(),
    }
}

impl AnyDocument {
    /// Writes the content of the document as the last fields of a JSON object, without its braces: `format`, the name of the format, and
    /// `term`, `graph`, `level`, `map` or `terrain`, as `write_term_json` and its like write it. A scene has only `format`.
    ///
    /// A term may be followed by `encoding`: `profile`, the generation of Erlang that encodes it, if that is not `otp17`;
    /// `packing`, `"plain"` if it is not compressed or `"fast"` if the fast compressor compresses it; `source`, the file from the byte 131
    /// on, as text or as `{"bytes":"hex"}`, if the other fields alone give other bytes. Another version of this crate may build another
    /// stream of a `"fast"` term.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_dump_fields(&self, out: &mut dyn Write, layout: JsonLayout) -> io::Result<()> {
        write!(out, "\"format\":\"{}\"", self.format())?;
        self.as_format_document().write_dump_parts(out, layout)
    }

    /// Writes the dump of the document as an object, which [`from_dump`](Self::from_dump) reads.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_dump(&self, out: &mut dyn Write, layout: JsonLayout) -> io::Result<()> {
        out.write_all(b"{")?;
        self.write_dump_fields(out, layout)?;
        out.write_all(b"}")
    }

    /// Reads a document from a dump that [`write_dump`](Self::write_dump) wrote. The document gives the dumped file, byte for byte. Where
    /// the JSON has been changed, the file changes as that of an edited document:
    /// - A changed term with a `source` is encoded as its profile does.
    /// - A changed graph with a `source` keeps the formatting of unchanged parts. If elements were removed, all of it is formatted as its
    ///   program does. `strings` are ignored beside a `source`, which contains them.
    ///
    /// Unknown fields are errors, except at the top, where they are ignored. [`Format::dump_schema`] lists the known ones.
    ///
    /// JSON may be nested 128 levels deep. Numbers of terms with more than 64 bits are restored only if nothing in the term was
    /// changed.
    ///
    /// # Errors
    /// [`Error::Dump`] for JSON that does not describe a document, or has another version; [`Error::Unsupported`] for formats without
    /// a dump.
    pub fn from_dump(json: &[u8], options: &ReadOptions) -> Result<Self, Error> {
        let envelope: Envelope = serde_json::from_slice(json).map_err(|error| {
            // Dumps of another version may have other fields.
            let version = serde_json::from_slice::<Version>(json).ok().and_then(|version| version.check().err());
            version.unwrap_or_else(|| refusal(json, &error, std::marker::PhantomData::<Envelope>, ""))
        })?;
        Version { schema: envelope.schema }.check()?;
        let name = envelope.format.ok_or_else(|| refused("missing \"format\"".to_owned()))?;
        let format = Format::from_name(&name).ok_or_else(|| refused(format!("unknown format {name:?}")))?;
        let read = format.require()?.read_dump.ok_or(Error::Unsupported { format, what: "built from JSON" })?;
        read(Dump { json, encoding: envelope.encoding.unwrap_or_default() }, options)
    }
}
