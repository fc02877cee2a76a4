//! Who wrote a file, and the settings of the editor.

use super::{Chunk, Dialect, Name};

/// What stands before everything else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Header {
    /// The program: `ACKWED V 4.52`, `WMPIO V 1.30`, `wmpio (1.30)`, `Wed (6.731.01)`. Empty if the file does not say.
    pub generator: Name,
    /// The day, as `31.07.2001`. Empty if the file does not say.
    pub created: Name,
    /// Numbers of blocks, entities and objects that the file states; none in resolved maps.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub counts: Option<Counts>,
    /// Binary only: the first, second and last word of the info chunk. 710, 2 and 0 in all files; the second is not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub words: [u32; 3],
    /// Binary: chunks that are not known, in the info chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
    /// Binary: chunks that are not known, beside the info chunk, the settings of the editor and the root.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub around: Vec<Chunk>,
}

/// How much a file says is in it. `Document::renumber` counts anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Counts {
    /// Blocks.
    pub blocks: u32,
    /// Entities, the level among them.
    pub entities: u32,
    /// Objects: the root, groups and the places of blocks and entities.
    pub objects: u32,
}

impl Header {
    /// The header that the last editor of a dialect writes, without a day.
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
    /// Red, green and blue of 256 colours: 768 bytes. None in files without a palette.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::maybe_bytes", default, skip_serializing_if = "Option::is_none")
    )]
    pub palette: Option<Vec<u8>>,
    /// Text: the numbers before the WADs, `0 0 0 0 0` in all files, not known. `None`: there is no `wad` section.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub wad_head: Option<Name>,
    /// Files of textures.
    pub wads: Vec<TextureSource>,
    /// Folders of textures.
    pub folders: Vec<TextureSource>,
    /// Text of A4: seven lines of bookmarks, `;` in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub bookmarks: Option<Vec<Name>>,
    /// Text of A4 and A5: windows of the editor, a line each.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub views: Option<Vec<Name>>,
    /// Binary: chunks that are not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// A file or a folder of textures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct TextureSource {
    /// A Windows path, absolute or relative.
    pub path: Name,
    /// Text: the number behind the path, 1 in all files; whether it is in use, it seems.
    pub enabled: u32,
}
