//! The index of a tree.

use std::ops::Range;

/// End of a term that contains terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    /// Offset after its last byte.
    pub(crate) end: u32,
    /// Index of the first span that is not inside it.
    pub(crate) next: u32,
}

/// One span for each term that contains terms, in file order.
///
/// The spans are stored in pieces so that growing copies nothing. A span has 8 bytes and a tuple only 2, so the reallocation
/// of a vector would take many times the memory of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans {
    pieces: Vec<Vec<Span>>,
    len: u32,
}

/// Number of spans in a piece.
const PIECE: usize = 1 << 13;

impl Spans {
    /// Returns the number of spans.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, span: Span) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(span),
            _ => self.push_piece(span),
        }
        // A tree has fewer terms than bytes, and the number of bytes fits 32 bits.
        self.len = self.len.saturating_add(1);
    }

    /// Adds a piece with one span.
    fn push_piece(&mut self, span: Span) {
        // The first piece grows on demand: most trees are small.
        let mut piece = Vec::with_capacity(if self.pieces.is_empty() { 1 } else { PIECE });
        piece.push(span);
        self.pieces.push(piece);
    }

    /// Removes the last span.
    pub(crate) fn pop(&mut self) {
        if self.pieces.last().is_some_and(Vec::is_empty) {
            self.pieces.pop();
        }
        if self.pieces.last_mut().and_then(Vec::pop).is_some() {
            self.len = self.len.saturating_sub(1);
        }
    }

    /// Adds the spans of a term that is copied from another tree. Its offset changes by `shift` bytes, which may wrap.
    pub(crate) fn copy_from(&mut self, tree: &Self, spans: Range<u32>, shift: u32) {
        let moved = self.len.wrapping_sub(spans.start);
        for Span { end, next } in spans.filter_map(|index| tree.get(index)) {
            self.push(Span { end: end.wrapping_add(shift), next: next.wrapping_add(moved) });
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<Span> {
        let index = index as usize;
        self.pieces.get(index / PIECE)?.get(index % PIECE).copied()
    }

    /// Replaces a span and returns the old one.
    #[inline]
    pub(crate) fn replace(&mut self, index: u32, span: Span) -> Option<Span> {
        let index = index as usize;
        let slot = self.pieces.get_mut(index / PIECE)?.get_mut(index % PIECE)?;
        Some(std::mem::replace(slot, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_found_across_pieces() {
        let mut spans = Spans::default();
        let count = 3 * u32::try_from(PIECE).unwrap() + 5;
        for next in 0..count {
            spans.push(Span { end: next ^ 0xFF, next });
        }
        assert_eq!(spans.len(), count);
        for next in 0..count {
            assert_eq!(spans.get(next), Some(Span { end: next ^ 0xFF, next }));
        }
        assert_eq!(spans.replace(count - 1, Span { end: 0, next: 0 }).map(|span| span.next), Some(count - 1));
        assert_eq!(spans.get(count - 1), Some(Span { end: 0, next: 0 }));
        assert_eq!(spans.get(count), None);
        for _ in 0..count {
            spans.pop();
        }
        assert_eq!((spans.len(), spans.get(0)), (0, None));
        spans.pop();
        spans.push(Span { end: 1, next: 1 });
        assert_eq!((spans.len(), spans.get(0)), (1, Some(Span { end: 1, next: 1 })));
    }
}
