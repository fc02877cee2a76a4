//! Replacements of parts of a text.

use std::ops::Range;

/// Replacements that are applied together. Everything else keeps its bytes.
///
/// Insertions at the same offset keep their order, and are before a replacement that starts there.
///
/// ```
/// use mapwright_io::Splices;
///
/// let mut splices = Splices::default();
/// splices.replace(4..7, "two");
/// splices.insert(0, "zero ");
/// splices.remove(7..13);
/// assert_eq!(splices.apply(b"one 222 three"), Ok(b"zero one two".to_vec()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Splices {
    changes: Vec<(Range<usize>, Vec<u8>)>,
}

impl Splices {
    /// Adds a replacement of a range by bytes.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<Vec<u8>>) {
        self.changes.push((range, with.into()));
    }

    /// Adds an insertion.
    pub fn insert(&mut self, at: usize, bytes: impl Into<Vec<u8>>) {
        self.replace(at..at, bytes);
    }

    /// Adds a removal.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, []);
    }

    /// Returns `true` if there are no replacements.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the changed text.
    ///
    /// # Errors
    /// The start of a replacement that overlaps another one, or that is not inside the text.
    pub fn apply(mut self, source: &[u8]) -> Result<Vec<u8>, usize> {
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let grown = self.changes.iter().fold(source.len(), |sum, (_, with)| sum.saturating_add(with.len()));
        let mut text = Vec::with_capacity(grown);
        let mut at = 0;
        for (range, with) in self.changes {
            text.extend_from_slice(source.get(at..range.start).ok_or(range.start)?);
            text.extend_from_slice(&with);
            at = range.end;
        }
        text.extend_from_slice(source.get(at..).ok_or(at)?);
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_rejected() {
        let apply = |ranges: &[Range<usize>]| {
            let mut splices = Splices::default();
            ranges.iter().for_each(|range| splices.replace(range.clone(), "x"));
            splices.apply(b"01234")
        };
        assert_eq!(apply(&[2..3, 0..2, 3..3]), Ok(b"xxx34".to_vec()));
        assert_eq!(apply(&[1..3, 1..1]), Ok(b"0xx34".to_vec()));
        assert_eq!(apply(&[1..3, 2..4]), Err(2));
        assert_eq!(apply(&[1..3, 2..2]), Err(2));
        assert_eq!(apply(&[4..6]), Err(6));
    }
}
