//! Replacements of parts of a text.

use std::ops::Range;

use mapwright_io::Position;

use crate::{WriteError, WriteErrorKind};

/// Changes that are applied together. Insertions at the same offset keep their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Splices {
    changes: Vec<(Range<usize>, Vec<u8>)>,
}

impl Splices {
    /// Adds a replacement of a range by bytes.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: impl Into<Vec<u8>>) {
        self.changes.push((range, with.into()));
    }

    /// Adds an insertion.
    pub(crate) fn insert(&mut self, at: usize, bytes: impl Into<Vec<u8>>) {
        self.replace(at..at, bytes);
    }

    /// Returns the changed text.
    pub(crate) fn apply(mut self, source: &[u8]) -> Result<Vec<u8>, WriteError> {
        self.changes.sort_by_key(|(range, _)| range.start);
        let grown = self.changes.iter().fold(source.len(), |sum, (_, with)| sum.saturating_add(with.len()));
        let mut text = Vec::with_capacity(grown);
        let mut at = 0;
        for (range, with) in self.changes {
            let overlap = || WriteError::new(WriteErrorKind::Overlap, Position::in_text(source, range.start));
            text.extend_from_slice(source.get(at..range.start).ok_or_else(overlap)?);
            text.extend_from_slice(&with);
            at = range.end;
        }
        text.extend_from_slice(source.get(at..).unwrap_or_default());
        Ok(text)
    }
}
