//! The index of a tree.

/// Where a term that holds terms ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The offset behind its last byte.
    pub(crate) end: u32,
    /// The first span that is not inside it.
    pub(crate) next: u32,
}

/// One span for each term that holds terms, in the order of the bytes.
///
/// In pieces, so that growing copies nothing: at 8 bytes for a tuple that takes 2, a vector that doubles would need
/// many times the memory of the file while it moves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans {
    pieces: Vec<Vec<Span>>,
    len: u32,
}

/// Spans of a piece.
const PIECE: usize = 1 << 13;

impl Spans {
    /// The number of spans.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, span: Span) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(span),
            // The first piece grows as it must: most trees are small.
            None => self.pieces.push(vec![span]),
            Some(_) => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(span);
                self.pieces.push(piece);
            }
        }
        // A tree has fewer terms than bytes, and those fit 32 bits.
        self.len = self.len.saturating_add(1);
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<Span> {
        let index = index as usize;
        self.pieces.get(index / PIECE)?.get(index % PIECE).copied()
    }

    /// Puts another span in the place of one, and gives that one.
    #[inline]
    pub(crate) fn replace(&mut self, index: u32, span: Span) -> Option<Span> {
        let index = index as usize;
        let place = self.pieces.get_mut(index / PIECE)?.get_mut(index % PIECE)?;
        Some(std::mem::replace(place, span))
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
    }
}
