//! The tree.

use super::{Members, Name};

/// A node of the tree: the root, a group, or the position of one block or entity.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Object {
    /// Number. In all files of the editor this is its index.
    pub number: u32,
    /// Name. Text stores it in a comment.
    pub name: Name,
    /// Position in the space of the parent, in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub position: [f64; 3],
    /// Angles in radians: `Rz(±a0) Rx(a1) Ry(a2)`, with minus in A4 and A5. In resolved maps pan, tilt and roll in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub angles: [f64; 3],
    /// Scale on each axis. For an entity the same as that of the entity.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub scale: [f64; 3],
    /// Members: any number of objects, or one block or entity. The root also has the level.
    pub members: Members,
    /// Binary: the kind word, if it does not follow from the members.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub kind: Option<u16>,
    /// Binary: the last word of the head. 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
    /// Binary: unknown chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

impl Object {
    /// Creates an object at the origin, without rotation and scale.
    pub fn new(number: u32) -> Self {
        Self { number, scale: [1.0; 3], ..Self::default() }
    }
}

/// A reference from an object to a part of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Member {
    /// The kind of part.
    pub kind: MemberKind,
    /// The number of the part.
    pub number: u32,
}

/// The kind of a member. In text, the word before the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum MemberKind {
    /// Another object.
    Object,
    /// A block.
    Block,
    /// The level, entity 0.
    Level,
    /// A start.
    Start,
    /// A light.
    Light,
    /// A sound.
    Sound,
    /// A model.
    Model,
    /// A path.
    Path,
    /// A region.
    Region,
}

impl MemberKind {
    /// All kinds.
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

    /// Returns the word in text.
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

    /// Returns the kind for a word.
    pub fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word().as_bytes() == word)
    }
}

/// An unknown or misplaced chunk of a binary file, or several of them in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Chunk {
    /// The number of known chunks before it.
    pub index: u32,
    /// The bytes, including the head.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::bytes"))]
    pub bytes: Vec<u8>,
}
