//! A cache of the beginnings of entries. Elements of a class mostly have the same attributes in the same order. If the next bytes equal
//! the entry that followed the same attribute in the last such element, they are not parsed again.

use super::lexer::Span;
use crate::{StringId, ValueType};

/// The position of an entry: what precedes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CacheKey {
    /// The class of the element.
    pub(super) class: StringId,
    /// The name of the previous entry.
    pub(super) previous: StringId,
}

/// The beginning of an entry: its name, the word after it, and the start of the value.
#[derive(Clone, Copy)]
pub(super) struct EntryHead {
    pub(super) name: Span,
    pub(super) word: Span,
    /// Offset of the quote or bracket of the value.
    pub(super) value: usize,
    /// The name.
    pub(super) id: StringId,
    pub(super) kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Copy)]
pub(super) enum EntryKind {
    /// An element of a class.
    Block(StringId),
    /// A value.
    Value(ValueType),
    /// An array.
    Array(ValueType),
}

/// Number of slots. Maps have about 300 attributes in 50 classes.
const COUNT: usize = 512;

/// The last entry of each key. Keys can share a slot, because the bytes are compared.
pub(super) struct EntryCache {
    slots: Vec<Option<EntryHead>>,
}

impl Default for EntryCache {
    fn default() -> Self {
        Self { slots: vec![None; COUNT] }
    }
}

impl EntryCache {
    /// Returns the entry at an offset if its bytes equal the cached one.
    pub(super) fn find(&self, key: CacheKey, source: &[u8], at: usize) -> Option<EntryHead> {
        let EntryHead { name, word, value, id, kind } = (*self.slots.get(key.slot())?)?;
        let cached = source.get(name.start..=value)?;
        let moved = |offset: usize| at.wrapping_add(offset.wrapping_sub(name.start));
        let moved_span = |span: Span| Span { start: moved(span.start), end: moved(span.end) };
        let is_same = source.get(at..)?.starts_with(cached);
        is_same.then(|| EntryHead { name: moved_span(name), word: moved_span(word), value: moved(value), id, kind })
    }

    /// Caches an entry without backslashes.
    pub(super) fn insert(&mut self, key: CacheKey, head: EntryHead) {
        if let Some(slot) = self.slots.get_mut(key.slot()) {
            *slot = Some(head);
        }
    }
}

impl CacheKey {
    fn slot(self) -> usize {
        self.class.index().wrapping_mul(31).wrapping_add(self.previous.index()) % COUNT
    }
}
