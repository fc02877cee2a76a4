//! What a file says.

mod block;
mod entity;
mod header;
mod name;
mod object;
mod part;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mapwright_io::FormatInfo;

pub use block::{Block, Corners, Face, Mesh, PlaneFace, Shape};
pub(crate) use block::{DEFAULT_TEXTURE, PLAIN_MAPPING};
pub use entity::{Edge, Entity, EntityKind, Level, Light, Model, Path, PathNode, Region, Sound, Start};
pub use header::{Counts, Header, TextureSource, Wed};
pub use name::Name;
pub use object::{Chunk, Member, MemberKind, Members, Object};
pub(crate) use part::Origin;
pub use part::Part;

/// The format's introduction.
pub const FORMAT: FormatInfo = FormatInfo::new("wmp", "Gamestudio map (WED)", &["wmp", "$$m"]);

/// The dialects that share the extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// Text of WED 4.24 to 4.55: three points of a plane for each face, no version line.
    A4,
    /// Text, `version 510`, of WED 5.07 to 5.46: vertices and faces, no texture vectors.
    #[cfg_attr(feature = "serde", serde(rename = "510"))]
    A5,
    /// Text, `version 710`, of WED 6.73 and WMPIO: texture vectors.
    #[cfg_attr(feature = "serde", serde(rename = "710"))]
    A7,
    /// Text, `version 711`: `$$M`, the resolved map that is handed to the level compiler.
    #[cfg_attr(feature = "serde", serde(rename = "711"))]
    Resolved,
    /// Chunks behind `WMPB`, of WED 7.8 to 8 (WMPIO 1.30): what that editor saves.
    #[cfg_attr(feature = "serde", serde(rename = "wmpb"))]
    Binary,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::A4, Self::A5, Self::A7, Self::Resolved, Self::Binary];

    /// A short name: `a4`, `510`, `710`, `711`, `wmpb`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::A5 => "510",
            Self::A7 => "710",
            Self::Resolved => "711",
            Self::Binary => "wmpb",
        }
    }

    /// The number of the first node of a path: 1 in text, 0 in binary files.
    pub(crate) const fn first_node(self) -> u32 {
        match self {
            Self::Binary => 0,
            _ => 1,
        }
    }

    /// The dialect of a short name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum LineEnd {
    /// Line feeds.
    #[default]
    Lf,
    /// Carriage returns and line feeds: what the editor writes.
    Crlf,
}

/// A map: what the file says, in its order.
///
/// All dialects are said in one shape. Blocks, entities and objects are three lists; an object holds others, or one block or
/// entity, by their numbers. In text that is how the file stands. Binary files nest: their nodes are numbered in the order in which
/// they stand, as the editor numbers them in text. A resolved map (`$$M`) has no objects: each of its blocks and entities gets one
/// here, which holds its place, and the first object holds those.
///
/// Units are those of the dialect: angles are radians in the order heading and two more ([`Object::angles`]), in a resolved map
/// degrees pan, tilt, roll; colours are percent, in binary files 0 to 255. `resolve` gives one meaning for all.
///
/// Numbers and counts are written as they stand here: whoever adds or removes parts calls `renumber`.
#[derive(Clone)]
pub struct Document {
    /// Which dialect.
    pub dialect: Dialect,
    /// How lines end; nothing in binary files.
    pub line_end: LineEnd,
    /// Who wrote the file and how much it says is in it.
    pub header: Part<Header>,
    /// Palette, texture sources and windows of the editor; resolved maps have none.
    pub wed: Option<Part<Wed>>,
    /// The blocks.
    pub blocks: Vec<Part<Block>>,
    /// The level and all that is not a block.
    pub entities: Vec<Part<Entity>>,
    /// The tree: groups, and the places of blocks and entities.
    pub objects: Vec<Part<Object>>,
    /// What was read.
    pub(crate) source: Option<Arc<Source>>,
}

/// The file that was read, for parts that are written as they were.
#[derive(Debug)]
pub(crate) struct Source {
    /// Which file: no two that were read have the same number.
    pub(crate) id: u32,
    /// All bytes of it.
    pub(crate) bytes: Vec<u8>,
    /// Where the part behind all parts starts: blanks and comments at the end.
    pub(crate) end: usize,
    /// Whether parts stand in another order than header, wed, blocks, entities, objects.
    pub(crate) unusual: bool,
    /// `$$M`: the brace that closes the level, and the section of the sun, which are of the level too.
    pub(crate) close: Range<usize>,
    pub(crate) sun: Range<usize>,
    /// How many blocks, entities and objects were read.
    pub(crate) counts: [usize; 3],
    /// Whether the settings of the editor were.
    pub(crate) wed: bool,
    /// The dialect that was read.
    pub(crate) dialect: Dialect,
    /// How its lines end.
    pub(crate) line_end: LineEnd,
}

impl Source {
    /// The number of a file that is read now.
    pub(crate) fn next_id() -> u32 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
}

impl Document {
    /// An empty map: a level, and the root object that holds it.
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

    /// Forgets the file that was read, with its blanks, comments and spellings: writing lays it out anew, as the editor does.
    pub fn forget_source(&mut self) {
        self.source = None;
        self.header.forget();
        self.wed.iter_mut().for_each(Part::forget);
        self.blocks.iter_mut().for_each(Part::forget);
        self.entities.iter_mut().for_each(Part::forget);
        self.objects.iter_mut().for_each(Part::forget);
    }

    /// Says of all parts that they were read in this document's file.
    pub(crate) fn stamp(&mut self) {
        let Some(id) = self.source.as_ref().map(|source| source.id) else { return };
        self.header.stamp(id);
        self.wed.iter_mut().for_each(|part| part.stamp(id));
        self.blocks.iter_mut().for_each(|part| part.stamp(id));
        self.entities.iter_mut().for_each(|part| part.stamp(id));
        self.objects.iter_mut().for_each(|part| part.stamp(id));
    }

    /// The document without origins of parts that were read in another file, if there are such: what stands at their place in this
    /// one is not theirs.
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

    /// The level, if the map has one.
    pub fn level(&self) -> Option<&Level> {
        self.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Level(level) => Some(level),
            _ => None,
        })
    }
}

/// Documents are equal if they say the same, however it is spelled.
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
