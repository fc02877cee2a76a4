//! KeyValues 1: blocks of keys and values, as in `.vmat`, `.vmf`, `gameinfo.gi` and the settings beside images.
//!
//! ```
//! use mapwright_keyvalues::kv1::{Document, Edit};
//!
//! let document = Document::from_bytes(b"Layer0\n{\n\tshader \"vr_complex.vfx\"\n\tF_SPECULAR 1 // shiny\n}")?;
//! let layer = document.get("layer0").ok_or("no layer")?;
//! let specular = layer.get("f_specular").ok_or("no key")?;
//! assert_eq!(specular.text().as_deref(), Some("1"));
//!
//! let mut edit = Edit::new(&document);
//! edit.set_value(specular, "0")?;
//! edit.insert_key(Some(layer), "F_TRANSLUCENT", "1")?;
//! let document = edit.apply()?;
//! let text = b"Layer0\n{\n\tshader \"vr_complex.vfx\"\n\tF_SPECULAR 0 // shiny\n\tF_TRANSLUCENT 1\n}";
//! assert_eq!(document.to_bytes()?, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Grammar
//!
//! ```text
//! file  = { item }
//! item  = name [condition] "{" { item } "}" | name value [condition]
//! name, value = '"' bytes '"'  |  bytes except space, tab, line ends, '"', "{" and "}"
//! condition   = "[" bytes "]"
//! ```
//!
//! Spaces, tabs, line ends and comments separate tokens: `//` to the end of the line, `/*` to `*/`. A string may contain line ends and
//! has no escapes. [`ReadOptions`] change that: maps have neither conditions nor `/*`, and some programs write escapes.
//! `#include` and `#base` are ordinary keys.

mod edit;
mod lexer;
mod read;
mod view;

pub use edit::Edit;
pub use view::{Item, Items};

use std::fmt;

use mapwright_io::{Confidence, FormatInfo, Limits};

use crate::{ReadError, WriteError, WriteOptions};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("keyvalues", "Valve KeyValues", &["vmat", "gi", "txt", "vdf", "res"]);

/// Estimates whether bytes are KeyValues 1: they begin with a name and a block. The first lines suffice. Other texts may begin like
/// that, so the result is at most `Maybe`.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let mut lexer = lexer::Lexer::new(bytes, Grammar::default());
    let mut tokens = std::iter::from_fn(|| lexer.next().ok().map(|lexeme| lexeme.token));
    let mut next = || tokens.find(|token| *token != lexer::Token::Condition);
    match (next(), next()) {
        (Some(lexer::Token::Quoted | lexer::Token::Bare), Some(lexer::Token::Open)) => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// The parts of the grammar that differ between files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grammar {
    pub(crate) escapes: bool,
    pub(crate) conditions: bool,
    pub(crate) block_comments: bool,
}

impl Default for Grammar {
    fn default() -> Self {
        Self { escapes: false, conditions: true, block_comments: true }
    }
}

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits of the input, items and depth. Default: 1 GiB, 50 million items, 64 levels.
        pub limits: Limits = Limits::default().with_max_input(1 << 30).with_max_items(50_000_000).with_max_depth(64), with_limits;
        /// Maximum length of a name or value in bytes. Default: 1 MiB.
        pub max_text: usize = 1 << 20, with_max_text;
        /// `true` if `\"`, `\\`, `\n`, `\t` and `\r` in strings are escapes. Default: `false`, because paths of Windows may end in `\`.
        pub escapes: bool = false, with_escapes;
        /// `true` if a token that begins with `[` is a condition, such as `[$X360]`. Default: `true`.
        pub conditions: bool = true, with_conditions;
        /// `true` if `/*` begins a comment. Default: `true`.
        pub block_comments: bool = true, with_block_comments;
    }
}

impl ReadOptions {
    /// Returns the options for `.vmf` maps: no escapes, no conditions, comments only from `//`.
    pub fn vmf() -> Self {
        Self { conditions: false, block_comments: false, ..Self::default() }
    }

    fn grammar(&self) -> Grammar {
        Grammar { escapes: self.escapes, conditions: self.conditions, block_comments: self.block_comments }
    }
}

/// The positions of an item in the text. Items are in the order of the file, each block before its content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) name: u32,
    pub(crate) name_end: u32,
    /// The start of the value, or of `{`.
    pub(crate) value: u32,
    /// The end of the value, or the start of `}`.
    pub(crate) value_end: u32,
    /// The index of the first item after this one and its content.
    pub(crate) next: u32,
}

/// A text with an index of its items. It is written as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) source: Vec<u8>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) grammar: Grammar,
}

impl Document {
    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// Returns the number of items: keys and blocks at all levels.
    pub fn item_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `true` if the document was read with escapes, so that a value can contain quotes.
    pub fn has_escapes(&self) -> bool {
        self.grammar.escapes
    }

    /// Writes the text with the given options: the bytes that were read.
    ///
    /// # Errors
    /// Never fails.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        Ok(self.source.clone())
    }
}

impl fmt::Debug for Document {
    /// Formats the start of the text and the number of items.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.source.get(..80).unwrap_or(&self.source);
        f.debug_struct("Document")
            .field("text", &format_args!("\"{}\"", start.escape_ascii()))
            .field("bytes", &self.source.len())
            .field("items", &self.nodes.len())
            .finish()
    }
}

mapwright_io::read_functions!("a KeyValues text", read::read);
mapwright_io::write_functions!("the text");
