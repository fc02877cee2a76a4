//! Serialization of archives with all bytes: names as escaped text, payloads as hexadecimal digits.
//!
//! An archive that packing reproduces is stored as its entries, with the layout `monolith` or `compact`. `position` is then only the order
//! of the payloads. Any other archive has the layout `exact`: pieces with all bytes that do not belong to exactly one payload.
//!
//! Entries are one list in file order. `level` is the number of directories around an entry, so that deep archives are not nested deep.

use mapwright_io::serial::{Hex, bytes, is_default};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::document::{Item, Payload, Source};
use crate::regions::{Regions, payload_range};
use crate::{
    Directory, Document, Entry, EntryKind, EntryRef, File, FileType, Header, Layout, MAX_DEPTH, Title, WriteOptions,
};

/// Serializes the extension of a type as text.
pub(crate) mod file_type {
    use super::{Deserializer, FileType, Serializer, bytes, de};

    pub(crate) fn serialize<S: Serializer>(value: &FileType, serializer: S) -> Result<S::Ok, S::Error> {
        bytes::serialize(&value.extension(), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FileType, D::Error> {
        let extension = bytes::deserialize(deserializer)?;
        FileType::from_extension(&extension)
            .ok_or_else(|| de::Error::custom(format_args!("type has {} bytes: expected at most 4", extension.len())))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dump<'a> {
    header: HeaderDump,
    #[serde(default)]
    layout: LayoutDump<'a>,
    entries: Vec<EntryDump<'a>>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct HeaderDump {
    #[serde(with = "bytes")]
    title: Vec<u8>,
    #[serde(with = "bytes", default, skip_serializing_if = "Vec::is_empty")]
    user_title: Vec<u8>,
    #[serde(with = "bytes", default = "line_breaks", skip_serializing_if = "is_usual")]
    line_breaks: Vec<u8>,
    time: u32,
    #[serde(default)]
    root_time: u32,
}

fn line_breaks() -> Vec<u8> {
    b"\r\n\r\n\r\n".to_vec()
}

fn is_usual(breaks: &Vec<u8>) -> bool {
    *breaks == line_breaks()
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum LayoutDump<'a> {
    /// As Monolith's packer writes the entries.
    #[default]
    Monolith,
    /// Without unused bytes.
    Compact,
    /// All bytes outside the payloads that entries store as `data`.
    Exact(Vec<Piece<'a>>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece<'a> {
    position: u64,
    bytes: Hex<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EntryDump<'a> {
    Directory(DirectoryDump),
    File(FileDump<'a>),
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct DirectoryDump {
    #[serde(with = "bytes")]
    name: Vec<u8>,
    /// Number of directories around the entry.
    #[serde(default, skip_serializing_if = "is_default")]
    level: usize,
    #[serde(default)]
    time: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDump<'a> {
    #[serde(with = "bytes")]
    name: Vec<u8>,
    #[serde(default, skip_serializing_if = "is_default")]
    level: usize,
    #[serde(with = "file_type", rename = "type", default)]
    file_type: FileType,
    #[serde(default, skip_serializing_if = "is_default")]
    kind: u32,
    #[serde(default)]
    time: u32,
    #[serde(default)]
    id: u32,
    #[serde(with = "bytes", default, skip_serializing_if = "Vec::is_empty")]
    description: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keys: Vec<u32>,
    /// Offset of the payload.
    #[serde(default)]
    position: u32,
    /// Size of a payload whose bytes are in the pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Hex<'a>>,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Write edits into the bytes first, so that positions are known.
        let file = self.to_bytes().map_err(ser::Error::custom)?;
        let document = Self::from_vec(file).map_err(ser::Error::custom)?;
        dump(&document).serialize(serializer)
    }
}

fn dump(document: &Document) -> Dump<'_> {
    let file = document.original_bytes().unwrap_or_default();
    let regions = Regions::from_document(document);
    let is_packed = |layout| {
        let options = WriteOptions::default().with_layout(layout);
        document.to_bytes_with(&options).is_ok_and(|packed| packed == file)
    };
    // A payload that others overlap cannot be packed alone.
    let is_disjoint =
        document.files().all(|(_, file)| payload_range(file).is_none_or(|range| regions.count(&range) <= 1));
    let layout = if is_disjoint && is_packed(Layout::Monolith) {
        LayoutDump::Monolith
    } else if is_disjoint && is_packed(Layout::Compact) {
        LayoutDump::Compact
    } else {
        LayoutDump::Exact(pieces(document, &regions, file))
    };
    let header = &document.header;
    let header = HeaderDump {
        title: header.title.text().to_vec(),
        user_title: header.user_title.text().to_vec(),
        line_breaks: header.line_breaks.as_flattened().to_vec(),
        time: header.time,
        root_time: document.root.time,
    };
    Dump { header, layout, entries: document.walk().map(|item| dump_entry(&item, &regions)).collect() }
}

/// Returns the bytes between the payloads that have data.
fn pieces<'a>(document: &Document, regions: &Regions, file: &'a [u8]) -> Vec<Piece<'a>> {
    let ranges = document.files().filter_map(|(_, file)| payload_range(file));
    let mut ranges: Vec<_> = ranges.filter(|range| regions.count(range) <= 1).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let starts = [0].into_iter().chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([file.len() as u64]);
    let piece = |(start, end): (u64, u64)| {
        let bytes = file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        (!bytes.is_empty()).then_some(Piece { position: start, bytes: Hex(bytes.into()) })
    };
    starts.zip(ends).filter_map(piece).collect()
}

fn dump_entry<'a>(item: &Item<'a>, regions: &Regions) -> EntryDump<'a> {
    let level = item.parents.len();
    match item.entry {
        EntryRef::Directory(directory) => {
            EntryDump::Directory(DirectoryDump { name: directory.name.clone(), level, time: directory.time })
        }
        EntryRef::File(file) => {
            let is_whole = payload_range(file).is_some_and(|range| regions.count(&range) <= 1);
            let data = file.payload.bytes().filter(|_| is_whole);
            EntryDump::File(FileDump {
                name: file.name.clone(),
                level,
                file_type: file.file_type,
                kind: file.kind.0,
                time: file.time,
                id: file.id,
                description: file.description.clone(),
                keys: file.keys.clone(),
                position: file.payload.position,
                size: (data.is_none() && file.payload.size > 0).then_some(file.payload.size),
                data: data.map(|data| Hex(data.into())),
            })
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        build(Dump::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

fn build(dump: Dump<'_>) -> Result<Document, String> {
    let layout = match dump.layout {
        LayoutDump::Monolith => Layout::Monolith,
        LayoutDump::Compact => Layout::Compact,
        LayoutDump::Exact(pieces) => return build_exact(&pieces, &dump.header, &dump.entries),
    };
    let mut built = Document { header: header(&dump.header)?, ..Document::default() };
    built.root.time = dump.header.root_time;
    built.root.entries = entries(dump.entries)?;
    let packed =
        built.to_bytes_with(&WriteOptions::default().with_layout(layout)).map_err(|error| error.to_string())?;
    let document = Document::from_vec(packed).map_err(|error| error.to_string())?;
    let damage = document.damage().next();
    match damage {
        Some(damage) => Err(damage.to_string()),
        None => Ok(document),
    }
}

/// Joins the pieces and payloads to a file, and checks that it has the given header and entries.
fn build_exact(pieces: &[Piece<'_>], header: &HeaderDump, entries: &[EntryDump<'_>]) -> Result<Document, String> {
    let mut parts: Vec<(u64, &[u8])> = pieces.iter().map(|piece| (piece.position, &*piece.bytes.0)).collect();
    parts.extend(entries.iter().filter_map(|entry| match entry {
        EntryDump::File(file) => Some((file.position.into(), &*file.data.as_ref()?.0)),
        EntryDump::Directory(_) => None,
    }));
    parts.sort_by_key(|(position, _)| *position);
    let mut file = Vec::new();
    for (position, bytes) in parts {
        if position != file.len() as u64 {
            return Err(format!("exact layout: expected bytes at position {}, found position {position}", file.len()));
        }
        file.extend_from_slice(bytes);
    }
    let document = Document::from_vec(file).map_err(|error| error.to_string())?;
    let found = dump(&document);
    if found.header != *header || !is_same(&found.entries, entries) {
        return Err(
            "exact layout does not match the entries: remove `layout` to pack the entries as Monolith does".to_owned()
        );
    }
    drop(found);
    Ok(document)
}

/// Compares all fields except for data, which is part of the file.
fn is_same(found: &[EntryDump<'_>], given: &[EntryDump<'_>]) -> bool {
    let is_same_entry = |(found, given): (&EntryDump<'_>, &EntryDump<'_>)| match (found, given) {
        (EntryDump::Directory(found), EntryDump::Directory(given)) => found == given,
        (EntryDump::File(found), EntryDump::File(given)) => {
            let numbers = |file: &FileDump<'_>| {
                (file.level, file.file_type, file.kind, file.time, file.id, file.position, file.size)
            };
            let texts = |file: &FileDump<'_>| (file.name.clone(), file.description.clone(), file.keys.clone());
            let length = |file: &FileDump<'_>| file.data.as_ref().map(|data| data.0.len());
            numbers(found) == numbers(given) && texts(found) == texts(given) && length(found) == length(given)
        }
        _ => false,
    };
    found.len() == given.len() && found.iter().zip(given).all(is_same_entry)
}

fn header(dump: &HeaderDump) -> Result<Header, String> {
    let title = |text: &[u8]| {
        Title::from_text(text).ok_or_else(|| format!("title has {} bytes: expected at most 60", text.len()))
    };
    let (pairs, rest) = dump.line_breaks.as_chunks::<2>();
    let line_breaks = pairs.try_into().ok().filter(|_| rest.is_empty());
    Ok(Header {
        title: title(&dump.title)?,
        user_title: title(&dump.user_title)?,
        line_breaks: line_breaks
            .ok_or_else(|| format!("line breaks have {} bytes: expected 6", dump.line_breaks.len()))?,
        time: dump.time,
    })
}

/// Builds the tree of a list in the order of the walk.
fn entries(dumps: Vec<EntryDump<'_>>) -> Result<Vec<Entry>, String> {
    let mut root = Vec::new();
    // Directories that later entries may belong to, from the outside in.
    let mut open: Vec<Directory> = Vec::new();
    for dump in dumps {
        let level = match &dump {
            EntryDump::Directory(dump) => dump.level,
            EntryDump::File(dump) => dump.level,
        };
        if level > open.len().min(MAX_DEPTH) {
            return Err(format!(
                "level {level} of an entry is too deep: expected at most {}",
                open.len().min(MAX_DEPTH)
            ));
        }
        close(&mut open, level, &mut root);
        match dump {
            EntryDump::Directory(dump) => {
                open.push(Directory { name: dump.name, time: dump.time, ..Directory::default() });
            }
            EntryDump::File(dump) => {
                let file = Entry::File(Box::new(file(dump)?));
                open.last_mut().map_or(&mut root, |directory| &mut directory.entries).push(file);
            }
        }
    }
    close(&mut open, 0, &mut root);
    Ok(root)
}

/// Moves directories into those around them, until `level` directories are open.
fn close(open: &mut Vec<Directory>, level: usize, root: &mut Vec<Entry>) {
    while open.len() > level {
        let Some(directory) = open.pop() else { return };
        let parent = open.last_mut().map_or(&mut *root, |parent| &mut parent.entries);
        parent.push(Entry::Directory(Box::new(directory)));
    }
}

fn file(dump: FileDump<'_>) -> Result<File, String> {
    if dump.size.is_some() {
        return Err(format!("file \"{}\" has a size without data", mapwright_io::escape_bytes(&dump.name)));
    }
    let data = dump.data.map(|data| data.0.into_owned()).unwrap_or_default();
    let size = u32::try_from(data.len()).map_err(|_| format!("payload of {} bytes is too large", data.len()))?;
    // Payloads are packed in the order of their positions.
    let added = Some(dump.position.into());
    Ok(File {
        kind: EntryKind(dump.kind),
        time: dump.time,
        id: dump.id,
        file_type: dump.file_type,
        name: dump.name,
        description: dump.description,
        keys: dump.keys,
        payload: Payload { source: Source::new(data), position: 0, size, added },
        stored: None,
    })
}
