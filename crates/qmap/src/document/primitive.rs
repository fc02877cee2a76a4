//! Read access to brushes and other primitives.

use std::fmt;
use std::ops::Range;

use mapwright_io::Position;

use super::entity::{Entity, KeyValue, pairs};
use super::face::Face;
use super::patch::Patch;
use crate::Document;
use crate::bytes::slice;
use crate::read::lexer::{Lexer, Token};

/// The kind of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrimitiveKind {
    /// A brush whose faces have three points and the numbers of a texture.
    Brush,
    /// A brush of Quake 3 whose faces have three points and a texture matrix.
    BrushDef,
    /// A brush of Doom 3 and Quake 4 whose faces have a plane and a texture matrix.
    BrushDef3,
    /// A patch whose subdivision the game chooses.
    PatchDef2,
    /// A patch with a fixed subdivision.
    PatchDef3,
    /// `terrainDef`, `mesh`, `curve` and unknown primitives. They are preserved, but not read.
    Other,
}

impl PrimitiveKind {
    /// Returns the kind with a name.
    pub(crate) fn from_name(name: &[u8]) -> Self {
        let known = [Self::BrushDef, Self::BrushDef3, Self::PatchDef2, Self::PatchDef3];
        known.into_iter().find(|kind| kind.name().as_bytes() == name).unwrap_or(Self::Other)
    }

    /// Returns the name: the word after the brace of the primitive, or `brush` and `other` for kinds without a word of their own.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BrushDef => "brushDef",
            Self::BrushDef3 => "brushDef3",
            Self::PatchDef2 => "patchDef2",
            Self::PatchDef3 => "patchDef3",
            Self::Brush => "brush",
            Self::Other => "other",
        }
    }

    /// Returns `true` for brushes.
    pub const fn is_brush(self) -> bool {
        matches!(self, Self::Brush | Self::BrushDef | Self::BrushDef3)
    }

    /// Returns `true` for patches.
    pub const fn is_patch(self) -> bool {
        matches!(self, Self::PatchDef2 | Self::PatchDef3)
    }
}

/// A brush, patch or other primitive.
#[derive(Clone, Copy)]
pub struct Primitive<'a> {
    pub(crate) document: &'a Document,
    pub(crate) index: usize,
}

impl Document {
    /// Returns the number of primitives of all entities.
    pub fn primitive_count(&self) -> usize {
        self.index.primitives.len()
    }

    /// Returns the number of faces of all brushes.
    pub fn face_count(&self) -> usize {
        self.index.faces.len()
    }

    /// Iterates over the primitives of all entities.
    pub fn primitives(&self) -> impl DoubleEndedIterator<Item = Primitive<'_>> + ExactSizeIterator + Clone {
        (0..self.primitive_count()).map(|index| Primitive { document: self, index })
    }
}

impl<'a> Primitive<'a> {
    /// Returns the index of the primitive among those of all entities.
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the range of the primitive in the text, with its braces.
    pub fn range(self) -> Range<usize> {
        let row = self.document.index.primitives.get(self.index);
        row.map_or(0..0, |row| row.start as usize..row.end as usize)
    }

    /// Returns the text of the primitive, with its braces.
    pub fn text(self) -> &'a [u8] {
        slice(&self.document.source, self.range())
    }

    /// Returns the position of the primitive in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        Position::in_text(&self.document.source, self.range().start)
    }

    /// Returns the word after the brace, and a lexer after the brace that follows it.
    fn head(self) -> Option<(&'a [u8], Lexer<'a>)> {
        let source = &self.document.source;
        let mut lexer = Lexer::at(source, self.range().start.saturating_add(1));
        let name = lexer.next().ok().filter(|name| name.token == Token::Word)?;
        lexer.next().ok().filter(|brace| brace.token == Token::OpenBrace)?;
        Some((slice(source, name.range()), lexer))
    }

    /// Returns the kind.
    pub fn kind(self) -> PrimitiveKind {
        self.head().map_or(PrimitiveKind::Brush, |(name, _)| PrimitiveKind::from_name(name))
    }

    /// Returns the word after the brace, such as `brushDef3` or `terrainDef`. Plain brushes have none.
    pub fn name(self) -> Option<&'a [u8]> {
        self.head().map(|(name, _)| name)
    }

    /// Returns the entity of the primitive.
    pub fn entity(self) -> Option<Entity<'a>> {
        let start = self.range().start;
        let after = self.document.index.entities.partition_point(|entity| entity.start as usize <= start);
        self.document.entity(after.checked_sub(1)?)
    }

    /// Iterates over the comments before the primitive, back to the previous primitive, value or brace.
    pub fn comments(self) -> impl Iterator<Item = &'a [u8]> {
        let (index, range) = (&self.document.index, self.range());
        let entity = self.entity();
        let before = self.index.checked_sub(1).map_or(0, |index| Self { index, ..self }.range().end);
        let after = index.pairs.partition_point(|pair| (pair.key as usize) < range.start);
        let pair = after
            .checked_sub(1)
            .and_then(|pair| index.pairs.get(pair))
            .map(|row| KeyValue { document: self.document, row });
        let start = [before, entity.map_or(0, |entity| entity.range().start), pair.map_or(0, |pair| pair.range().end)];
        super::comments(slice(&self.document.source, start.into_iter().max().unwrap_or(0)..range.start))
    }

    /// Iterates over the keys of the primitive, which some editors write.
    pub fn pairs(self) -> impl DoubleEndedIterator<Item = KeyValue<'a>> + ExactSizeIterator + Clone {
        let (range, rows) = (self.range(), &self.document.index.primitive_pairs);
        let before = |offset: usize| rows.partition_point(|pair| (pair.key as usize) < offset);
        pairs(self.document, rows, before(range.start)..before(range.end))
    }

    /// Iterates over the faces of a brush. Other primitives have none.
    pub fn faces(self) -> impl DoubleEndedIterator<Item = Face<'a>> + ExactSizeIterator + Clone {
        let index = &self.document.index;
        let first =
            |primitive| index.primitives.get(primitive).map_or(index.faces.len(), |row| row.first_face as usize);
        let range = first(self.index)..first(self.index.saturating_add(1));
        // Brushes with faces only: other primitives have no kind of faces.
        let kind = if range.is_empty() { PrimitiveKind::Brush } else { self.kind() };
        range.map(move |index| Face { document: self.document, index, kind })
    }

    /// Returns the patch, if the primitive is one.
    pub fn patch(self) -> Option<Patch<'a>> {
        let (name, lexer) = self.head()?;
        Patch::new(self.document, lexer, PrimitiveKind::from_name(name))
    }
}

impl fmt::Debug for Primitive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Primitive")
            .field("kind", &self.kind())
            .field("pairs", &self.pairs().collect::<Vec<_>>())
            .field("faces", &self.faces().len())
            .finish()
    }
}
