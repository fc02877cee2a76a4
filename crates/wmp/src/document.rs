//! The contents of a file.

mod block;
mod entity;
mod header;
mod name;
mod object;
mod part;
mod short_list;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mapwright_io::FormatInfo;

#[cfg(feature = "scene")]
pub(crate) use block::FACE;
pub(crate) use block::{BLOCK, DEFAULT_TEXTURE, PLAIN_MAPPING};
pub use block::{Block, Face, Mesh, PlaneFace, Shape};
pub use entity::{Edge, Entity, EntityKind, Level, Light, Model, Path, PathNode, Region, Sound, Start};
pub(crate) use entity::{LIGHT, MODEL, PATH, REGION, SOUND, START};
pub use header::{Counts, Header, TextureSource, Wed};
pub use name::Name;
pub use object::{Chunk, Member, MemberKind, Object};
pub(crate) use part::Origin;
pub use part::Part;
pub use short_list::{Corners, Members};

/// Name and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("wmp", "Gamestudio map (WED)", &["wmp", "$$m"]);

/// The dialects that share the extension `.wmp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// Text of WED 4.24 to 4.55: three points of a plane for each face, no version line.
    A4,
    /// Text, `version 510`, of WED 5.07 to 5.46: vertices and faces, no texture vectors.
    #[cfg_attr(feature = "serde", serde(rename = "510"))]
    A5,
    /// Text with texture vectors (`version 710`), by WED 6.73 and WMPIO.
    #[cfg_attr(feature = "serde", serde(rename = "710"))]
    A7,
    /// Text, `version 711`: `$$M`, the resolved map that the level compiler reads.
    #[cfg_attr(feature = "serde", serde(rename = "711"))]
    Resolved,
    /// Chunks after the mark `WMPB`, of WED 7.8 to 8 (WMPIO 1.30).
    #[cfg_attr(feature = "serde", serde(rename = "wmpb"))]
    Binary,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 5] = [Self::A4, Self::A5, Self::A7, Self::Resolved, Self::Binary];

    /// Returns a short name: `a4`, `510`, `710`, `711`, `wmpb`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::A5 => "510",
            Self::A7 => "710",
            Self::Resolved => "711",
            Self::Binary => "wmpb",
        }
    }

    /// Returns the number of the first node of a path: 1 in text, 0 in binary files.
    pub(crate) const fn first_node(self) -> u32 {
        match self {
            Self::Binary => 0,
            _ => 1,
        }
    }

    /// Returns the dialect with a short name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// The line ends of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum LineEnd {
    /// Line feeds.
    #[default]
    Lf,
    /// Carriage returns and line feeds, as the editor writes.
    Crlf,
}

/// A map, in the order of its file.
///
/// All dialects share this shape. Blocks, entities and objects are three lists. An object refers by number to other objects, or
/// to one block or entity. Text files store the same lists. Binary files nest their nodes: these are numbered in the order of the
/// file, as the editor numbers them in text. A resolved map (`$$M`) has no objects. Here each of its blocks and entities gets one
/// that stores its position, and the first object contains those.
///
/// Units are those of the dialect. Angles are radians in the order heading and two more (see [`Object::angles`]), in resolved
/// maps degrees in the order pan, tilt, roll. Colours are percent, in binary files 0 to 255. `resolve` converts all dialects to
/// the same units.
///
/// Numbers and counts are written as they are here. Call `renumber` after adding or removing parts.
#[derive(Clone)]
pub struct Document {
    /// The dialect.
    pub dialect: Dialect,
    /// The line ends. Binary files have none.
    pub line_end: LineEnd,
    /// Generator, date and counts.
    pub header: Part<Header>,
    /// Palette, texture sources and windows of the editor. Resolved maps have none.
    pub wed: Option<Part<Wed>>,
    /// The blocks.
    pub blocks: Vec<Part<Block>>,
    /// The level, and everything else that is not a block.
    pub entities: Vec<Part<Entity>>,
    /// The tree: groups, and the positions of blocks and entities.
    pub objects: Vec<Part<Object>>,
    /// The file that was read.
    pub(crate) source: Option<Arc<Source>>,
}

/// The file that was read. Unchanged parts are copied from it.
#[derive(Debug)]
pub(crate) struct Source {
    /// A number that no other file has.
    pub(crate) id: u32,
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
    /// The offset of everything after the last part: spaces and comments.
    pub(crate) end: usize,
    /// `true` if parts have another order than header, wed, blocks, entities, objects.
    pub(crate) unusual: bool,
    /// `$$M`: the brace that closes the level, and the section of the sun. Both belong to the level.
    pub(crate) close: Range<usize>,
    pub(crate) sun: Range<usize>,
    /// The numbers of blocks, entities and objects.
    pub(crate) counts: [usize; 3],
    /// `true` if the file has settings of the editor.
    pub(crate) wed: bool,
    /// The dialect of the file.
    pub(crate) dialect: Dialect,
    /// The line ends of the file.
    pub(crate) line_end: LineEnd,
}

impl Source {
    /// Returns a number for the next file.
    pub(crate) fn next_id() -> u32 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
}

impl Document {
    /// Creates an empty map: a level, and the root object that contains it.
    pub fn new(dialect: Dialect) -> Self {
        let level = if dialect == Dialect::Resolved { Level::resolved() } else { Level::default() };
        let level = Entity::new(0, EntityKind::Level(level));
        let mut root = Object::new(0);
        root.members.push(Member { kind: MemberKind::Level, number: 0 });
        let mut header = Header::new(dialect);
        if let Some(counts) = &mut header.counts {
            (counts.entities, counts.objects) = (1, 1);
        }
        Self {
            dialect,
            line_end: LineEnd::Crlf,
            header: Part::new(header),
            wed: (dialect != Dialect::Resolved).then(|| Part::new(Wed::default())),
            blocks: Vec::new(),
            entities: vec![Part::new(level)],
            objects: vec![Part::new(root)],
            source: None,
        }
    }

    /// Forgets the file that was read, with its spaces, comments and number formatting. Writing formats the map as the editor
    /// does.
    pub fn forget_source(&mut self) {
        self.source = None;
        self.header.forget();
        self.wed.iter_mut().for_each(Part::forget);
        self.blocks.iter_mut().for_each(Part::forget);
        self.entities.iter_mut().for_each(Part::forget);
        self.objects.iter_mut().for_each(Part::forget);
    }

    /// Records for all parts that they were read from this document's file.
    pub(crate) fn stamp(&mut self) {
        let Some(id) = self.source.as_ref().map(|source| source.id) else { return };
        self.header.stamp(id);
        self.wed.iter_mut().for_each(|part| part.stamp(id));
        self.blocks.iter_mut().for_each(|part| part.stamp(id));
        self.entities.iter_mut().for_each(|part| part.stamp(id));
        self.objects.iter_mut().for_each(|part| part.stamp(id));
    }

    /// Returns the document without origins of parts from another file, if it has such parts. The same offsets in this file are
    /// other parts.
    pub(crate) fn without_foreign(&self) -> Option<Self> {
        fn any<T>(parts: &[Part<T>], id: u32) -> bool {
            parts.iter().any(|part| part.is_foreign(id))
        }
        fn forget<T>(parts: &mut [Part<T>], id: u32) {
            parts.iter_mut().filter(|part| part.is_foreign(id)).for_each(Part::forget);
        }
        let id = self.source.as_ref()?.id;
        let foreign = self.header.is_foreign(id)
            || self.wed.as_ref().is_some_and(|part| part.is_foreign(id))
            || any(&self.blocks, id)
            || any(&self.entities, id)
            || any(&self.objects, id);
        if !foreign {
            return None;
        }
        let mut own = self.clone();
        forget(std::slice::from_mut(&mut own.header), id);
        forget(own.wed.as_mut_slice(), id);
        forget(&mut own.blocks, id);
        forget(&mut own.entities, id);
        forget(&mut own.objects, id);
        Some(own)
    }

    /// Returns the level, if the map has one.
    pub fn level(&self) -> Option<&Level> {
        self.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Level(level) => Some(level),
            _ => None,
        })
    }
}

/// Documents are equal if their values are equal, whatever their formatting.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.dialect == other.dialect
            && self.line_end == other.line_end
            && self.header == other.header
            && self.wed == other.wed
            && self.blocks == other.blocks
            && self.entities == other.entities
            && self.objects == other.objects
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("dialect", &self.dialect)
            .field("line_end", &self.line_end)
            .field("header", &self.header)
            .field("wed", &self.wed)
            .field("blocks", &self.blocks)
            .field("entities", &self.entities)
            .field("objects", &self.objects)
            .finish_non_exhaustive()
    }
}
