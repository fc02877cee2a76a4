//! How entries of blocks begin. Elements of a class mostly have the same attributes in the same order: what followed the same
//! attribute of the last such element is compared with the bytes at hand, and need not be read again if it is the same.

use super::lexer::Span;
use crate::{StringId, ValueType};

/// Where in a block an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Before {
    /// The class of the element.
    pub(super) class: StringId,
    /// The name of the entry before it.
    pub(super) attribute: StringId,
}

/// A name and a word behind it, and where the value begins.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) name: Span,
    pub(super) word: Span,
    /// The quote or the bracket.
    pub(super) value: usize,
    /// The name.
    pub(super) id: StringId,
    pub(super) says: Says,
}

/// What a word and the start of a value say.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// An element of a class.
    Block(StringId),
    /// A value.
    Value(ValueType),
    /// An array.
    Array(ValueType),
}

/// How many places are remembered. Maps have about 300 attributes in 50 classes.
const COUNT: usize = 512;

/// The heads that were read last in each place. Places that share a slot do no harm: the bytes decide.
pub(super) struct Heads {
    slots: Vec<Option<Head>>,
}

impl Default for Heads {
    fn default() -> Self {
        Self { slots: vec![None; COUNT] }
    }
}

impl Heads {
    /// The head that begins at an offset, if its bytes are those of the one that was read last in its place.
    pub(super) fn find(&self, before: Before, source: &[u8], at: usize) -> Option<Head> {
        let Head { name, word, value, id, says } = (*self.slots.get(before.slot())?)?;
        let known = source.get(name.start..=value)?;
        let moved = |offset: usize| at.wrapping_add(offset.wrapping_sub(name.start));
        let moved_span = |span: Span| Span { start: moved(span.start), end: moved(span.end) };
        let same = source.get(at..)?.starts_with(known);
        same.then(|| Head { name: moved_span(name), word: moved_span(word), value: moved(value), id, says })
    }

    /// Remembers a head without backslashes.
    pub(super) fn learn(&mut self, before: Before, head: Head) {
        if let Some(slot) = self.slots.get_mut(before.slot()) {
            *slot = Some(head);
        }
    }
}

impl Before {
    fn slot(self) -> usize {
        self.class.index().wrapping_mul(31).wrapping_add(self.attribute.index()) % COUNT
    }
}
