//! What reading a text may cost, and what its parts share.

use mapwright_io::{Budget, FaultKind};
use smallvec::{Array, SmallVec};

use super::lexer::{Line, Lines, fail, position};
use crate::read::shared::Shared;
use crate::{Name, ReadError};

/// Items and memory that are left. A text can be far denser than any that an editor writes: `start 0 {`, `a`, `}` are fourteen
/// bytes for an entity of hundreds. What is read may take so many times the bytes of the text, and a little more.
#[derive(Debug)]
pub(super) struct Means<'a> {
    budget: &'a mut Budget,
    /// Bytes of the text.
    total: usize,
    taken: usize,
    limit: usize,
    /// Values of the parts that were read before.
    pub(super) shared: Shared,
}

impl<'a> Means<'a> {
    pub(super) fn new(budget: &'a mut Budget, total: usize) -> Self {
        // With a copy of the text this makes less than eight times its bytes, and 16 MiB.
        let limit = (total / 4).saturating_mul(27).saturating_add(12 << 20);
        Self { budget, total, taken: 0, limit, shared: Shared::new() }
    }

    /// Counts items that begin at an offset.
    pub(super) fn count(&mut self, items: u64, at: usize) -> Result<(), ReadError> {
        Ok(self.budget.take_items(items, position(at))?)
    }

    /// Takes memory at an offset.
    pub(super) fn memory(&mut self, bytes: usize, at: usize) -> Result<(), ReadError> {
        self.taken = self.taken.saturating_add(bytes);
        self.check(self.taken, at)
    }

    /// Whether there is so much memory left.
    pub(super) fn affords(&self, bytes: usize, at: usize) -> Result<(), ReadError> {
        self.check(self.taken.saturating_add(bytes), at)
    }

    fn check(&self, asked: usize, at: usize) -> Result<(), ReadError> {
        if asked <= self.limit {
            return Ok(());
        }
        let (asked, limit) = (asked as u64, self.limit as u64);
        Err(fail(FaultKind::Limit { what: "memory for so short a text", asked, limit }.into(), at))
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

    /// Adds to a list that is short as a rule.
    #[inline]
    pub(super) fn push_few<A: Array>(
        &mut self,
        list: &mut SmallVec<A>,
        item: A::Item,
        at: usize,
    ) -> Result<(), ReadError> {
        if list.len() == list.capacity() {
            if !list.spilled() {
                // Those that had a place in the list go with the others.
                self.memory(size_of_val(list.as_slice()), at)?;
            }
            list.reserve_exact(self.more(list, at)?);
        }
        list.push(item);
        Ok(())
    }

    /// By how many items a list grows: to twice its length, but not by more than twice the bytes that are left. What is long is then
    /// close to its length at last.
    fn more<T>(&mut self, list: &[T], at: usize) -> Result<usize, ReadError> {
        let more = list.len().min(self.most::<T>(at)).max(if list.is_empty() { 1 } else { 4 });
        self.memory(more.saturating_mul(size_of::<T>()), at)?;
        // The old one stays until its items have moved.
        self.affords(size_of_val(list), at)?;
        Ok(more)
    }

    /// How many items of a kind take twice the bytes that are left.
    fn most<T>(&self, at: usize) -> usize {
        self.total.saturating_sub(at).saturating_mul(2).checked_div(size_of::<T>()).unwrap_or(0)
    }

    /// Makes a list as long as the file says that it will be, unless what is left can hardly hold so much.
    pub(super) fn reserve<T>(&mut self, list: &mut Vec<T>, declared: u32, at: usize) -> Result<(), ReadError> {
        let most = self.most::<T>(at);
        let count = usize::try_from(declared).ok().filter(|count| *count <= most).unwrap_or(0);
        self.memory(count.saturating_mul(size_of::<T>()), at)?;
        list.reserve_exact(count);
        Ok(())
    }

    /// Keeps a line as it is.
    pub(super) fn keep(&mut self, texts: &mut Vec<Name>, line: Line<'_>, lines: &Lines<'_>) -> Result<(), ReadError> {
        self.count(1, line.at)?;
        // The bytes and two counts beside them.
        self.memory(line.text.len().saturating_add(16), lines.at())?;
        self.push(texts, line.name(), lines.at())
    }
}
