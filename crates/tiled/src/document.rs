//! A file of Tiled: its text, and an index of the items in it.

mod item;
mod text;

use std::fmt;

use mapwright_io::{Confidence, FormatInfo, Limits};

use crate::{ReadError, ReadOptions};

pub use item::{Item, ItemKind, Items};
pub(crate) use text::{decode_character, is_xml_space};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo =
    FormatInfo::new("tiled", "Tiled maps", &["tmx", "tmj", "tsx", "tsj", "tx", "tj", "world"]);

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// XML: `.tmx`, `.tsx`, `.tx`.
    Xml,
    /// JSON: `.tmj`, `.tsj`, `.tj`, `.json`, `.world`.
    Json,
}

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// A map.
    Map,
    /// A tileset that maps refer to.
    Tileset,
    /// An object that maps refer to.
    Template,
    /// A list of maps with their positions.
    World,
}

impl DocumentKind {
    /// Returns the name: `map`, `tileset`, `template` or `world`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Tileset => "tileset",
            Self::Template => "template",
            Self::World => "world",
        }
    }
}

/// Keys that Tiled writes to JSON. Large arrays such as those of layers may follow after the first ones, which are in alphabetical order.
const KEYS: [&str; 22] = [
    "columns",
    "compressionlevel",
    "fileName",
    "firstgid",
    "infinite",
    "layers",
    "maps",
    "nextlayerid",
    "nextobjectid",
    "object",
    "onlyShowAdjacentMaps",
    "orientation",
    "patterns",
    "regexp",
    "renderorder",
    "template",
    "tilecount",
    "tiledversion",
    "tileheight",
    "tileset",
    "tilesets",
    "tilewidth",
];

/// Estimates whether bytes are a file of Tiled, from the name of the first element, or from two keys in the first 4 KiB of a JSON object.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let text = bytes.strip_prefix(text::MARK.as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let start = text.get(..4096).unwrap_or(text);
    let has = |key: &&&str| memchr::memmem::find(start, format!("\"{key}\"").as_bytes()).is_some();
    let is_tiled = match start.first() {
        Some(b'<') => first_element(start).is_some_and(|name| matches!(name, b"map" | b"tileset" | b"template")),
        Some(b'{') => KEYS.iter().filter(has).nth(1).is_some(),
        _ => false,
    };
    if is_tiled { Confidence::Maybe } else { Confidence::No }
}

/// Returns the name of the first element of XML, after comments, processing instructions and a document type.
fn first_element(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = text.trim_ascii_start().strip_prefix(b"<")?;
        let end: &[u8] = match text {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'?', ..] => b"?>",
            [b'!', ..] => b">",
            _ => return text.split(|&byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/')).next(),
        };
        text = text.get(memchr::memmem::find(text, end)?.saturating_add(end.len())..)?;
    }
}

/// The positions of an item in the text. Items are in the order of the file, each before the items in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    /// The start of the name of an element or attribute, or of the key of a member without its quote. For an item of an array, `value`.
    pub(crate) name: u32,
    /// The start of the content of an element, of the value of an attribute without its quote, or of a JSON value.
    pub(crate) value: u32,
    /// The end of the same.
    pub(crate) value_end: u32,
    /// The index of the first item after this one and the items in it.
    pub(crate) next: u32,
    pub(crate) name_length: u16,
    pub(crate) kind: ItemKind,
}

/// A text with an index of its items. It is written as it was read. Documents with equal texts are equal.
///
/// The limits with which a document was read also apply to its cells and to the results of its edits.
#[derive(Clone)]
pub struct Document {
    pub(crate) source: String,
    /// The first item is the root.
    pub(crate) nodes: Vec<Node>,
    pub(crate) syntax: Syntax,
    pub(crate) kind: DocumentKind,
    pub(crate) limits: Limits,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Document {}

impl Document {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Returns the language of the text.
    pub const fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Returns the kind of content.
    pub const fn kind(&self) -> DocumentKind {
        self.kind
    }

    /// Returns the number of items: elements and attributes, or JSON values. Numbers, booleans and nulls in arrays do not count.
    pub const fn item_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the root element or object.
    pub const fn root(&self) -> Item<'_> {
        Item::new(self, 0)
    }

    /// Iterates over all items, each before the items in it.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        (0..crate::read::offset(self.nodes.len())).map(|index| Item::new(self, index))
    }
}

impl fmt::Debug for Document {
    /// Formats the start of the text and the number of items.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start: String = self.source.chars().take(80).collect();
        f.debug_struct("Document")
            .field("kind", &self.kind)
            .field("text", &start)
            .field("bytes", &self.source.len())
            .field("items", &self.nodes.len())
            .finish()
    }
}

mapwright_io::read_functions!("a file of Tiled", crate::read::read);
