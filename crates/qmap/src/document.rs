//! The text of a map with an index of its parts, and typed views of them.

pub(crate) mod editor;
pub(crate) mod entity;
pub(crate) mod face;
pub(crate) mod number;
pub(crate) mod patch;
pub(crate) mod primitive;
mod rows;

use std::fmt;

use mapwright_io::{Confidence, FormatInfo};

use crate::ReadOptions;
use crate::bytes::{content_start, slice};
use crate::read::lexer::{Lexer, Token};
use rows::Rows;

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("map", "Quake map", &["map"]);

/// Estimates whether bytes are a map: an entity with a key, or a brush, possibly after `Version` and comments. The first lines suffice.
/// Other texts may begin like that, so the result is at most `Maybe`.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let mut lexer = Lexer::new(bytes);
    let mut next = || lexer.next().ok();
    let mut first = next();
    if first.is_some_and(|lexeme| slice(bytes, lexeme.range()) == b"Version") {
        next();
        first = next();
    }
    let is_open = first.is_some_and(|lexeme| lexeme.token == Token::OpenBrace);
    let is_map = is_open
        && match next().map(|lexeme| lexeme.token) {
            // In JSON, a colon follows the first text.
            Some(Token::Quoted) => next().is_some_and(|lexeme| lexeme.token == Token::Quoted),
            Some(Token::Points | Token::Three | Token::OpenParenthesis | Token::OpenBrace) => true,
            _ => false,
        };
    if is_map { Confidence::Maybe } else { Confidence::No }
}

/// The position of an entity, and the numbers of pairs and primitives before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntityRow {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) first_pair: u32,
    pub(crate) first_primitive: u32,
}

/// The positions of a key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairRow {
    pub(crate) key: u32,
    pub(crate) value: u32,
}

/// The position of a brush, patch or other primitive, and the number of faces before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PrimitiveRow {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) first_face: u32,
}

/// The positions of a face and its texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FaceRow {
    pub(crate) start: u32,
    pub(crate) texture: u32,
}

/// The parts of a text, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Index {
    pub(crate) entities: Rows<EntityRow>,
    /// Keys of entities.
    pub(crate) pairs: Rows<PairRow>,
    pub(crate) primitives: Rows<PrimitiveRow>,
    /// Keys of primitives.
    pub(crate) primitive_pairs: Rows<PairRow>,
    pub(crate) faces: Rows<FaceRow>,
}

/// A map: its text, and an index of its entities, brushes and faces. It is written as it was read.
///
/// Views such as [`Entity`](crate::Entity) and [`Face`](crate::Face) read the text where they are asked. [`Edit`](crate::Edit) changes it.
#[derive(Clone)]
pub struct Document {
    pub(crate) source: Vec<u8>,
    pub(crate) index: Index,
    /// The options of reading, whose limits apply to edits, too.
    pub(crate) options: ReadOptions,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Document {}

impl Document {
    /// Creates a map with an entity `worldspawn` and nothing else.
    #[expect(clippy::expect_used, reason = "the text is constant")]
    pub fn new() -> Self {
        let source = b"// entity 0\n{\n\"classname\" \"worldspawn\"\n}\n".to_vec();
        Self::from_vec(source).expect("the text is a map")
    }

    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// Returns the number after `Version`: 2 in Doom 3, 3 in Quake 4. Maps of other games have none.
    pub fn version(&self) -> Option<f64> {
        let mut lexer = Lexer::new(&self.source);
        let first = lexer.next().ok().filter(|first| slice(&self.source, first.range()) == b"Version");
        let version = first.and_then(|_| lexer.next().ok());
        version.map(|version| number::parse_number(slice(&self.source, version.range())))
    }

    /// Iterates over the comments before the first entity, with their `//` or `;`.
    pub fn header_comments(&self) -> impl Iterator<Item = &[u8]> {
        let end = self.index.entities.get(0).map_or(self.source.len(), |entity| entity.start as usize);
        comments(slice(&self.source, content_start(&self.source)..end))
    }

    /// Iterates over all comments with their offsets.
    #[cfg(feature = "scene")]
    pub(crate) fn comment_positions(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut lexer = Lexer::new(&self.source);
        let mut textures = (0..self.index.faces.len()).filter_map(|face| self.index.faces.get(face)).peekable();
        let next = move || {
            loop {
                let lexeme = lexer.next_with_comments().ok().filter(|lexeme| lexeme.token != Token::End)?;
                let start = lexeme.start;
                // A texture is a word that may look like other tokens.
                while textures.next_if(|face| (face.texture as usize) < start).is_some() {}
                if textures.next_if(|face| face.texture as usize == start).is_some() {
                    let texture = Lexer::at(&self.source, start).next_texture().ok()?;
                    lexer = Lexer::at(&self.source, texture.end);
                } else if lexeme.token == Token::Comment {
                    return Some((start, slice(&self.source, lexeme.range()).trim_ascii_end()));
                }
            }
        };
        std::iter::from_fn(next)
    }

    /// Returns the name of the game in the comment `// Game: `.
    pub fn game(&self) -> Option<&[u8]> {
        self.header_comments().find_map(|comment| comment.strip_prefix(b"// Game: "))
    }

    /// Returns the name of the format in the comment `// Format: `, one of [`FORMATS`](crate::FORMATS).
    pub fn format(&self) -> Option<&[u8]> {
        self.header_comments().find_map(|comment| comment.strip_prefix(b"// Format: "))
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Document {
    /// Formats the start of the text and the numbers of its parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("text", &format_args!("\"{}\"", self.source.get(..80).unwrap_or(&self.source).escape_ascii()))
            .field("bytes", &self.source.len())
            .field("entities", &self.index.entities.len())
            .field("primitives", &self.index.primitives.len())
            .field("faces", &self.index.faces.len())
            .finish()
    }
}

/// Iterates over the comments of a text that has no other tokens than those before and after them.
pub(crate) fn comments(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut lexer = Lexer::at(text, 0);
    let tokens =
        std::iter::from_fn(move || lexer.next_with_comments().ok().filter(|lexeme| lexeme.token != Token::End));
    let comments = tokens.filter(|lexeme| lexeme.token == Token::Comment);
    comments.map(move |lexeme| slice(text, lexeme.range()).trim_ascii_end())
}
