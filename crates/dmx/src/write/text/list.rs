//! Changes of lists in a source: bytes to remove, and positions of insertions.

use crate::read::text::Span;

/// Maximum number of bytes before an item that are searched for the start of its line.
const MAX_LINE: usize = 1024;

/// A list in a source.
pub(super) struct List<'a> {
    pub(super) source: &'a [u8],
    /// The part between the brackets.
    pub(super) inner: Span,
    /// The items in order.
    pub(super) items: Vec<Span>,
    pub(super) kind: Kind,
}

/// The kind of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The entries of a block. An empty line follows entries that are blocks.
    Entries,
    /// The items of an array, separated by commas.
    Items,
    /// The top-level blocks of a file.
    Blocks,
}

/// A change of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Replace bytes by a new item.
    Replace(Span, usize),
    /// Insert a new item on a separate line, with a comma before or after it.
    Insert {
        /// Offset of the insertion.
        at: usize,
        /// Index of the item.
        item: usize,
        /// `true` if a comma precedes the item.
        comma_before: bool,
        /// `true` if a comma follows the item.
        comma_after: bool,
    },
    /// Remove bytes.
    Remove(Span),
}

impl List<'_> {
    /// Returns the changes from this list to another one. `new` contains the index of the old item for each item that is retained.
    pub(super) fn changes(&self, new: &[Option<usize>]) -> Vec<Change> {
        let mut changes = Vec::new();
        let (mut from, mut old) = (0_usize, 0_usize);
        let ends = new.iter().enumerate().filter_map(|(index, old)| Some((index, (*old)?)));
        for (new_end, old_end) in ends.chain([(new.len(), self.items.len())]) {
            self.add_changes_between(old, old_end, from, new_end, &mut changes);
            (old, from) = (old_end.saturating_add(1), new_end.saturating_add(1));
        }
        changes
    }

    /// Adds the changes between two retained items.
    fn add_changes_between(&self, old: usize, old_end: usize, new: usize, new_end: usize, changes: &mut Vec<Change>) {
        let pairs = old_end.saturating_sub(old).min(new_end.saturating_sub(new));
        for (old, new) in (old..old_end).zip(new..new_end) {
            changes.extend(self.items.get(old).map(|span| Change::Replace(*span, new)));
        }
        let (old, new) = (old.saturating_add(pairs), new.saturating_add(pairs));
        if old < old_end {
            changes.push(Change::Remove(self.removal(old, old_end)));
        }
        let before = old.checked_sub(1);
        for item in new..new_end {
            let comma_after = before.is_none() && (item.saturating_add(1) < new_end || !self.items.is_empty());
            changes.push(Change::Insert {
                at: self.insertion(before),
                item,
                comma_before: self.kind == Kind::Items && before.is_some(),
                comma_after: self.kind == Kind::Items && comma_after,
            });
        }
    }

    /// Returns the offset of an insertion after an item, or before all.
    fn insertion(&self, before: Option<usize>) -> usize {
        let (Some(before), false) = (before, self.kind == Kind::Items) else {
            return before.map_or(self.inner.start, |index| self.end_of(index));
        };
        // After the rest of the line.
        self.line_end(before).unwrap_or_else(|| self.end_of(before))
    }

    /// Returns the bytes to remove for the items `from..to`. Lines that contain only these items are removed as a whole.
    fn removal(&self, from: usize, to: usize) -> Span {
        let before = from.checked_sub(1);
        let last = to.saturating_sub(1);
        let start = self.items.get(from).map_or(0, |span| span.start);
        let tail = to >= self.items.len();
        if tail && before.is_none() {
            // Only the last line break remains, if it follows the items.
            let end = self.end_of(last).max(self.inner.start);
            let after = self.source.get(end..self.inner.end).unwrap_or_default();
            let last = after.iter().rposition(|&byte| byte == b'\n').map(|at| end.saturating_add(at));
            let last = last.map(|at| self.break_within(at.saturating_sub(1).max(end), self.inner.end).unwrap_or(at));
            let own_line = self.break_within(self.inner.start, end).is_some();
            let rest = if own_line { end } else { self.inner.end };
            return Span { start: self.inner.start, end: last.unwrap_or(rest) };
        }
        let own_end = self.end_of(last);
        if let (true, true, Some(before)) = (tail, self.kind == Kind::Items, before) {
            // The comma before them goes too.
            return Span { start: self.end_of(before), end: own_end };
        }
        let line_start = match before {
            Some(before) => self.line_end(before),
            None => self.break_within(self.inner.start, start),
        };
        match (line_start, self.line_end(last)) {
            (Some(start), Some(end)) => Span { start, end },
            // They share a line with what follows, or with what goes before.
            (Some(_), None) => Span { start, end: self.start_of(to) },
            (None, _) => match before {
                Some(before) => Span { start: self.end_of(before), end: own_end },
                None => Span { start, end: self.start_of(to) },
            },
        }
    }

    fn start_of(&self, index: usize) -> usize {
        self.items.get(index).map_or(self.inner.end, |span| span.start)
    }

    fn end_of(&self, index: usize) -> usize {
        self.items.get(index).map_or(self.inner.start, |span| span.end)
    }

    /// Returns the end of the last line of an item, if the next item begins on another line. For a block it is after the empty line
    /// that follows it.
    fn line_end(&self, index: usize) -> Option<usize> {
        let (end, next) = (self.end_of(index), self.start_of(index.saturating_add(1)));
        let first = self.break_within(end, next)?;
        let is_block = self.kind == Kind::Entries && self.source.get(end.saturating_sub(1)) == Some(&b'}');
        let rest = self.source.get(first..next)?;
        let next_line = rest.iter().position(|&byte| byte == b'\n')?.saturating_add(first).saturating_add(1);
        let second = self.break_within(next_line, next).filter(|_| is_block);
        let empty =
            |second: &usize| self.source.get(next_line..*second).is_some_and(|line| line.trim_ascii().is_empty());
        Some(second.filter(empty).unwrap_or(first))
    }

    /// Returns the offset of the first line break in a range.
    fn break_within(&self, start: usize, end: usize) -> Option<usize> {
        let range = self.source.get(start..end)?;
        let at = range.iter().position(|&byte| byte == b'\n')?;
        let carriage = at.checked_sub(1).and_then(|before| range.get(before)) == Some(&b'\r');
        Some(start.saturating_add(at).saturating_sub(carriage.into()))
    }

    /// Returns the indentation of items: that of the first item, or one tab more than that of the bracket.
    pub(super) fn indent(&self) -> Vec<u8> {
        if self.kind == Kind::Blocks {
            return Vec::new();
        }
        let line = |at: usize| {
            // Items of longer lines have no indentation.
            let reach = at.saturating_sub(MAX_LINE);
            let before = self.source.get(reach..at).unwrap_or_default();
            let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1));
            let start = start.saturating_add(reach);
            let line = self.source.get(start..).unwrap_or_default();
            let spaces = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            (start.saturating_add(spaces), line.get(..spaces).unwrap_or_default())
        };
        let first = self.items.first().map(|item| (item.start, line(item.start)));
        match first {
            Some((start, (text, indent))) if start == text => indent.to_vec(),
            _ => [line(self.inner.start).1, b"\t"].concat(),
        }
    }
}

/// Matches new items with old ones by key, in increasing order. Keys can repeat.
pub(super) fn align<K: std::hash::Hash + Eq>(old: &[K], new: &[Option<K>]) -> Vec<Option<usize>> {
    let same = |(old, new): &(&K, &Option<K>)| Some(*old) == new.as_ref();
    let start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old_end, new_end) = (old.len().saturating_sub(end), new.len().saturating_sub(end));
    let middle = align_middle(old.get(..old_end).unwrap_or_default(), new.get(..new_end).unwrap_or_default());
    let middle = middle.into_iter().map(|place| place.map(|place| place.saturating_add(start)));
    let ends = (0..end).map(|place| Some(place.saturating_add(start).saturating_add(old_end)));
    (0..start).map(Some).chain(middle).chain(ends).collect()
}

/// Does the same for lists whose ends differ.
fn align_middle<K: std::hash::Hash + Eq>(old: &[K], new: &[Option<K>]) -> Vec<Option<usize>> {
    if old.is_empty() {
        return vec![None; new.len()];
    }
    // Equal items are matched in their order.
    let mut places: hashbrown::HashMap<&K, Vec<usize>> = hashbrown::HashMap::new();
    for (index, key) in old.iter().enumerate().rev() {
        places.entry(key).or_default().push(index);
    }
    let found: Vec<Option<usize>> = new.iter().map(|key| places.get_mut(key.as_ref()?).and_then(Vec::pop)).collect();
    // Items that keep their order are the longest increasing subsequence of indices.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; found.len()];
    let place = |index: usize| found.get(index).copied().flatten();
    for (index, at) in found.iter().enumerate() {
        let Some(at) = at else { continue };
        let length = ends.partition_point(|&end| place(end).is_some_and(|end| end < *at));
        if let (Some(slot), Some(before)) = (previous.get_mut(index), length.checked_sub(1)) {
            *slot = ends.get(before).copied();
        }
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut aligned = vec![None; found.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        if let Some(slot) = aligned.get_mut(index) {
            *slot = place(index);
        }
        next = previous.get(index).copied().flatten();
    }
    aligned
}

#[cfg(test)]
mod tests {
    use crate::{Document, ElementId, Value};

    /// Removes all items of an array and returns its text.
    fn without_items(array: &str) -> String {
        let text =
            format!("<!-- dmx encoding keyvalues2 4 format x 1 -->\n\"A\"\n{{\n\t\"a\" \"int_array\" {array}\n}}\n");
        let mut document = Document::from_bytes(text.as_bytes()).unwrap();
        document.set(ElementId::ROOT, "a", Value::IntArray([].into()));
        let written = document.to_bytes().unwrap();
        assert_eq!(Document::from_bytes(&written).unwrap().elements, document.elements);
        let written = String::from_utf8(written).unwrap();
        let at = written.find('[').unwrap();
        written[at..=written.find(']').unwrap()].to_owned()
    }

    #[test]
    fn all_items_can_be_removed_from_any_lines() {
        assert_eq!(without_items("[ ]"), "[ ]");
        assert_eq!(without_items("[ \"4\", \"5\" ]"), "[]");
        assert_eq!(without_items("[\n\t\"4\"\n]"), "[\n]");
        assert_eq!(without_items("[\r\n\t\"4\",\r\n\t\"5\"\r\n\t]"), "[\r\n\t]");
        // The first item is on its own line, the bracket is not.
        assert_eq!(without_items("[\n\t\"4\" ]"), "[ ]");
    }
}
