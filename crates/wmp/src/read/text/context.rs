//! State of parsing text.

use mapwright_io::{Budget, FaultKind};
use smallvec::{Array, SmallVec};

use super::lexer::{Line, Lines, fail, position};
use crate::read::shared::Shared;
use crate::{Name, ReadError};

/// Limits, and values that parts share.
///
/// Text can be far denser than any that an editor writes: `start 0 {`, `a`, `}` are fourteen bytes for an entity of hundreds.
/// Memory is limited to a multiple of the size of the text.
#[derive(Debug)]
pub(super) struct ParseContext<'a> {
    budget: &'a mut Budget,
    /// The size of the text.
    total: usize,
    taken: usize,
    limit: usize,
    /// A cache of values.
    pub(super) shared: Shared,
}

impl<'a> ParseContext<'a> {
    pub(super) fn new(budget: &'a mut Budget, total: usize) -> Self {
        // Together with a copy of the text this is less than 16 MiB + 8 × its size.
        let limit = (total / 4).saturating_mul(27).saturating_add(12 << 20);
        Self { budget, total, taken: 0, limit, shared: Shared::new() }
    }

    /// Counts items at an offset against the limit.
    pub(super) fn count(&mut self, items: u64, at: usize) -> Result<(), ReadError> {
        Ok(self.budget.take_items(items, position(at))?)
    }

    /// Counts memory at an offset against the limit.
    pub(super) fn memory(&mut self, bytes: usize, at: usize) -> Result<(), ReadError> {
        self.taken = self.taken.saturating_add(bytes);
        self.check(self.taken, at)
    }

    /// Checks that memory is left, without taking it.
    pub(super) fn check_available(&self, bytes: usize, at: usize) -> Result<(), ReadError> {
        self.check(self.taken.saturating_add(bytes), at)
    }

    fn check(&self, asked: usize, at: usize) -> Result<(), ReadError> {
        if asked <= self.limit {
            return Ok(());
        }
        let (asked, limit) = (asked as u64, self.limit as u64);
        Err(fail(FaultKind::Limit { what: "memory for a text of this size", asked, limit }.into(), at))
    }

    /// Adds to a list.
    #[inline]
    pub(super) fn push<T>(&mut self, list: &mut Vec<T>, item: T, at: usize) -> Result<(), ReadError> {
        if list.len() == list.capacity() {
            list.reserve_exact(self.more(list, at)?);
        }
        list.push(item);
        Ok(())
    }

    /// Adds to a list that stores its first items inline.
    #[inline]
    pub(super) fn push_few<A: Array>(
        &mut self,
        list: &mut SmallVec<A>,
        item: A::Item,
        at: usize,
    ) -> Result<(), ReadError> {
        if list.len() == list.capacity() {
            if !list.spilled() {
                // The inline items move to the allocation.
                self.memory(size_of_val(list.as_slice()), at)?;
            }
            list.reserve_exact(self.more(list, at)?);
        }
        list.push(item);
        Ok(())
    }

    /// Returns by how many items a list grows: it doubles, but never exceeds twice what the remaining bytes can contain. Long
    /// lists thus end close to their final length.
    fn more<T>(&mut self, list: &[T], at: usize) -> Result<usize, ReadError> {
        let more = list.len().min(self.max_items::<T>(at)).max(if list.is_empty() { 1 } else { 4 });
        self.memory(more.saturating_mul(size_of::<T>()), at)?;
        // The old allocation exists until its items have moved.
        self.check_available(size_of_val(list), at)?;
        Ok(more)
    }

    /// Returns how many items take twice the bytes that are left.
    fn max_items<T>(&self, at: usize) -> usize {
        self.total.saturating_sub(at).saturating_mul(2).checked_div(size_of::<T>()).unwrap_or(0)
    }

    /// Reserves the declared number of items, unless the rest of the file can hardly contain them.
    pub(super) fn reserve<T>(&mut self, list: &mut Vec<T>, declared: u32, at: usize) -> Result<(), ReadError> {
        let most = self.max_items::<T>(at);
        let count = usize::try_from(declared).ok().filter(|count| *count <= most).unwrap_or(0);
        self.memory(count.saturating_mul(size_of::<T>()), at)?;
        list.reserve_exact(count);
        Ok(())
    }

    /// Preserves a line.
    pub(super) fn keep(&mut self, texts: &mut Vec<Name>, line: Line<'_>, lines: &Lines<'_>) -> Result<(), ReadError> {
        self.count(1, line.at)?;
        // Its bytes and two reference counts.
        self.memory(line.text.len().saturating_add(16), lines.at())?;
        self.push(texts, line.name(), lines.at())
    }
}
