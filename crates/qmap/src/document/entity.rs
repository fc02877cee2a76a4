//! Read access to entities and their keys.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use mapwright_io::{Position, decode_text};

use super::PairRow;
use super::primitive::Primitive;
use crate::bytes::{content_start, slice};
use crate::read::lexer::Lexer;
use crate::{Document, EditorRole};

/// An entity: keys with values, and brushes.
#[derive(Clone, Copy)]
pub struct Entity<'a> {
    pub(crate) document: &'a Document,
    pub(crate) index: usize,
}

/// A key with its value.
#[derive(Clone, Copy)]
pub struct KeyValue<'a> {
    pub(crate) document: &'a Document,
    pub(crate) row: PairRow,
}

impl Document {
    /// Returns the number of entities.
    pub fn entity_count(&self) -> usize {
        self.index.entities.len()
    }

    /// Iterates over the entities.
    pub fn entities(&self) -> impl DoubleEndedIterator<Item = Entity<'_>> + ExactSizeIterator + Clone {
        (0..self.entity_count()).map(|index| Entity { document: self, index })
    }

    /// Returns an entity by its index.
    pub fn entity(&self, index: usize) -> Option<Entity<'_>> {
        (index < self.entity_count()).then_some(Entity { document: self, index })
    }

    /// Returns the first entity with the class `worldspawn`.
    pub fn worldspawn(&self) -> Option<Entity<'_>> {
        self.entities().find(|entity| entity.is_class("worldspawn"))
    }
}

impl<'a> Entity<'a> {
    /// Returns the index of the entity in the map.
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the range of the entity in the text, with its braces.
    pub fn range(self) -> Range<usize> {
        let row = self.document.index.entities.get(self.index);
        row.map_or(0..0, |row| row.start as usize..row.end as usize)
    }

    /// Returns the position of the entity in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        Position::in_text(&self.document.source, self.range().start)
    }

    /// Returns `true` for brushes outside of entities, as editors copy them to the clipboard. Brushes that follow each other are one
    /// entity without keys.
    pub fn is_fragment(self) -> bool {
        self.primitives().next().is_some_and(|primitive| primitive.range().start == self.range().start)
    }

    /// Iterates over the keys, in the order of the text.
    pub fn pairs(self) -> impl DoubleEndedIterator<Item = KeyValue<'a>> + ExactSizeIterator + Clone {
        let entities = &self.document.index.entities;
        let first = |index| entities.get(index).map_or(self.document.index.pairs.len(), |row| row.first_pair as usize);
        pairs(self.document, &self.document.index.pairs, first(self.index)..first(self.index.saturating_add(1)))
    }

    /// Iterates over the brushes, patches and other primitives, in the order of the text.
    pub fn primitives(self) -> impl DoubleEndedIterator<Item = Primitive<'a>> + ExactSizeIterator + Clone {
        let index = &self.document.index;
        let first =
            |entity| index.entities.get(entity).map_or(index.primitives.len(), |row| row.first_primitive as usize);
        let range = first(self.index)..first(self.index.saturating_add(1));
        range.map(move |index| Primitive { document: self.document, index })
    }

    /// Returns the first pair with a key.
    pub fn pair(self, key: impl AsRef<[u8]>) -> Option<KeyValue<'a>> {
        self.pairs().find(|pair| pair.key() == key.as_ref())
    }

    /// Returns the value of a key. If several pairs have the key, the first one counts.
    pub fn get(self, key: impl AsRef<[u8]>) -> Option<&'a [u8]> {
        self.pair(key).map(KeyValue::value)
    }

    /// Returns the value of a key as text: UTF-8, or Windows-1252 if it is not UTF-8.
    pub fn text(self, key: impl AsRef<[u8]>) -> Option<Cow<'a, str>> {
        self.get(key).map(decode_text)
    }

    /// Returns the value of a key as numbers, if it consists of exactly N finite numbers.
    pub fn numbers<const N: usize>(self, key: impl AsRef<[u8]>) -> Option<[f64; N]> {
        let text = std::str::from_utf8(self.get(key)?).ok()?;
        let mut words = text.split_ascii_whitespace();
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = words.next()?.parse().ok().filter(|number: &f64| number.is_finite())?;
        }
        words.next().is_none().then_some(numbers)
    }

    /// Returns the class: the value of `classname`.
    pub fn class(self) -> Option<&'a [u8]> {
        self.get("classname")
    }

    /// Returns `true` if the entity has a class.
    pub fn is_class(self, class: impl AsRef<[u8]>) -> bool {
        self.class() == Some(class.as_ref())
    }

    /// Returns the name to which other entities refer: `targetname` or `name`. For a layer or group, returns its name in the editor.
    pub fn name(self) -> Option<&'a [u8]> {
        self.name_keys().into_iter().find_map(|key| self.get(key))
    }

    /// Returns the keys that may have the name. The first one that the entity has counts.
    pub(crate) fn name_keys(self) -> [&'static str; 3] {
        match self.editor_role() {
            EditorRole::Entity => ["targetname", "name", "_tb_name"],
            EditorRole::Layer | EditorRole::Group => ["_tb_name", "targetname", "name"],
        }
    }

    /// Iterates over the comments between the previous entity and this one.
    pub fn comments(self) -> impl Iterator<Item = &'a [u8]> {
        let before = self.index.checked_sub(1).and_then(|index| self.document.entity(index));
        let start = before.map_or_else(|| content_start(&self.document.source), |entity| entity.range().end);
        super::comments(slice(&self.document.source, start..self.range().start))
    }
}

/// Returns pairs by their index.
pub(crate) fn pairs<'a>(
    document: &'a Document,
    rows: &'a super::Rows<PairRow>,
    range: Range<usize>,
) -> impl DoubleEndedIterator<Item = KeyValue<'a>> + ExactSizeIterator + Clone {
    let nothing = PairRow { key: 0, value: 0 };
    range.map(move |index| KeyValue { document, row: rows.get(index).unwrap_or(nothing) })
}

impl<'a> KeyValue<'a> {
    fn token(self, start: u32) -> Range<usize> {
        let lexeme = Lexer::at(&self.document.source, start as usize).next_with_comments();
        lexeme.map_or(0..0, crate::read::lexer::Lexeme::range)
    }

    /// Returns the range of the key in the text, with its quotes.
    pub fn key_range(self) -> Range<usize> {
        self.token(self.row.key)
    }

    /// Returns the range of the value in the text, with its quotes.
    pub fn value_range(self) -> Range<usize> {
        self.token(self.row.value)
    }

    /// Returns the range of the pair in the text, from its key to its value.
    pub fn range(self) -> Range<usize> {
        self.row.key as usize..self.value_range().end
    }

    /// Returns the key without its quotes.
    pub fn key(self) -> &'a [u8] {
        strip_quotes(slice(&self.document.source, self.key_range()))
    }

    /// Returns the value without its quotes. Programs do not resolve escapes, so they are part of it.
    pub fn value(self) -> &'a [u8] {
        strip_quotes(slice(&self.document.source, self.value_range()))
    }

    /// Returns the position of the pair in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        Position::in_text(&self.document.source, self.row.key as usize)
    }
}

/// Removes the quotes of a token, if it has quotes.
pub(crate) fn strip_quotes(token: &[u8]) -> &[u8] {
    match token {
        [b'"', inner @ .., b'"'] => inner,
        _ => token,
    }
}

impl fmt::Debug for Entity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entity")
            .field("pairs", &self.pairs().collect::<Vec<_>>())
            .field("primitives", &self.primitives().len())
            .finish()
    }
}

impl fmt::Debug for KeyValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" \"{}\"", self.key().escape_ascii(), self.value().escape_ascii())
    }
}
