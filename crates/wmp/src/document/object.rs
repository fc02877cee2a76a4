//! The tree.

use smallvec::SmallVec;

use super::Name;

/// A node of the tree: the root, a group, or the place of one block or entity.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Object {
    /// Its number: its place among the objects in all files of the editor.
    pub number: u32,
    /// Its name. Text keeps it in a comment.
    pub name: Name,
    /// Where it stands in the space of the object around it, in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f64; 3],
    /// How it is turned: radians, `Rz(±a0) Rx(a1) Ry(a2)`, minus in A4 and A5; in a resolved map pan, tilt and roll in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub angles: [f64; 3],
    /// Its scale on each axis; of an entity the same as in the entity.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub scale: [f64; 3],
    /// What it holds: any number of objects, or one block or entity; the root also the level.
    pub members: Members,
    /// Binary: the kind word where it is not the one that follows from what the node holds.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub kind: Option<u16>,
    /// Binary: the last word of the head; 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
    /// Binary: chunks that are not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

impl Object {
    /// An object at the origin, neither turned nor scaled.
    pub fn new(number: u32) -> Self {
        Self { number, scale: [1.0; 3], ..Self::default() }
    }
}

/// What an object holds: a `SmallVec` of `smallvec` 1, made `from` a slice, an array or a `Vec`. One or two take no memory of their own.
pub type Members = SmallVec<[Member; 2]>;

/// Something that an object holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Member {
    /// What it is.
    pub kind: MemberKind,
    /// Its number.
    pub number: u32,
}

/// What an object can hold; in text, the word before the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum MemberKind {
    /// Another object.
    Object,
    /// A block.
    Block,
    /// The level, entity 0.
    Level,
    /// An entity of that kind.
    Start,
    /// An entity of that kind.
    Light,
    /// An entity of that kind.
    Sound,
    /// An entity of that kind.
    Model,
    /// An entity of that kind.
    Path,
    /// An entity of that kind.
    Region,
}

impl MemberKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Object,
        Self::Block,
        Self::Level,
        Self::Start,
        Self::Light,
        Self::Sound,
        Self::Model,
        Self::Path,
        Self::Region,
    ];

    /// The word in text.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Block => "block",
            Self::Level => "level",
            Self::Start => "start",
            Self::Light => "light",
            Self::Sound => "sound",
            Self::Model => "model",
            Self::Path => "path",
            Self::Region => "region",
        }
    }

    /// The kind of a word.
    pub fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word().as_bytes() == word)
    }
}

/// A chunk of a binary file that is not known, or that stands where it is not known; or several of them in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Chunk {
    /// How many of the chunks around it that are known stand before it.
    pub index: u32,
    /// All bytes of it, its head included.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
}
