//! Generator of a file, and settings of the editor.

use super::{Chunk, Dialect, Name};

/// Header of a document: generator, date, declared counts and unknown chunks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Header {
    /// The program: `ACKWED V 4.52`, `WMPIO V 1.30`, `wmpio (1.30)`, `Wed (6.731.01)`. Empty if the file does not state it.
    pub generator: Name,
    /// The date, such as `31.07.2001`. Empty if the file does not state it.
    pub created: Name,
    /// Numbers of blocks, entities and objects that the file states. Resolved maps have none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub counts: Option<Counts>,
    /// Binary: the first, second and last word of the info chunk. 710, 2 and 0 in all files. The meaning of the second is
    /// unknown.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub words: [u32; 3],
    /// Binary: unknown chunks in the info chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
    /// Binary: unknown chunks beside the info chunk, the settings of the editor and the root.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub around: Vec<Chunk>,
}

/// Counts that a file states. `Document::renumber` updates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Counts {
    /// Number of blocks.
    pub blocks: u32,
    /// Number of entities, including the level.
    pub entities: u32,
    /// Number of objects: the root, groups, and the positions of blocks and entities.
    pub objects: u32,
}

impl Header {
    /// Creates the header that the last editor of a dialect writes, without a date.
    pub fn new(dialect: Dialect) -> Self {
        let generator = match dialect {
            Dialect::A4 => "ACKWED V 4.55",
            Dialect::A5 => "ACKWED V 5.46",
            Dialect::A7 => "WMPIO V 1.30",
            Dialect::Resolved | Dialect::Binary => "wmpio (1.30)",
        };
        Self {
            generator: generator.into(),
            created: Name::NONE,
            counts: (dialect != Dialect::Resolved).then(Counts::default),
            words: if dialect == Dialect::Binary { [710, 2, 0] } else { [0; 3] },
            extra: Vec::new(),
            around: Vec::new(),
        }
    }
}

/// Settings of the editor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Wed {
    /// Red, green and blue of 256 colours: 768 bytes.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::maybe_bytes", default, skip_serializing_if = "Option::is_none")
    )]
    pub palette: Option<Vec<u8>>,
    /// Text: the numbers before the WADs. Unknown; `0 0 0 0 0` in all files. `None` if there is no `wad` section.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub wad_head: Option<Name>,
    /// Texture files.
    pub wads: Vec<TextureSource>,
    /// Texture folders.
    pub folders: Vec<TextureSource>,
    /// Text of A4: seven lines of bookmarks. `;` in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub bookmarks: Option<Vec<Name>>,
    /// Text of A4 and A5: windows of the editor, one per line.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub views: Option<Vec<Name>>,
    /// Binary: unknown chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// A texture file or folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct TextureSource {
    /// A Windows path, absolute or relative.
    pub path: Name,
    /// Text: the number after the path, probably `1` if it is in use. 1 in all files.
    pub enabled: u32,
}
