//! Collecting changes: what every list and every term of a document has in common.

use mapwright_etf::{Builder, Edit, List, Term, Tree, Value, WriterProfile};

use crate::WriteError;
use crate::document::value_tree;
use crate::read::Source;

/// Collects the changes of one document.
pub(super) struct Put<'d> {
    pub(super) edit: Edit<'d>,
    pub(super) profile: WriterProfile,
}

impl<'d> Put<'d> {
    /// Changes the entries of a list that are not the same any more. If their number differs, the list is written anew,
    /// with the bytes of those that are as they were: at its beginning, at its end, and between them as far as entries
    /// were put in or taken out a few at a time.
    pub(super) fn entries<E: Entries>(
        &mut self,
        kind: &E,
        list: Term<'d>,
        old: &[E::Item],
        new: &[E::Item],
    ) -> Result<(), WriteError> {
        let terms = list.as_list().and_then(List::terms).unwrap_or_default();
        if old.len() == new.len() {
            let mut pairs = old.iter().zip(new).enumerate();
            if terms.len() == old.len() {
                let mut changed = pairs.filter(|(index, (old, new))| !kind.same(*index, old, new));
                return changed.try_for_each(|(index, (old, new))| match terms.get(index) {
                    Some(term) => kind.change(self, index, *term, old, new),
                    None => Ok(()),
                });
            }
            // Elements of a STRING are no terms of their own and cannot be changed alone.
            if pairs.all(|(index, (old, new))| kind.same(index, old, new) || kind.same_elsewhere(old, new)) {
                return Ok(());
            }
        }
        let unmoved = |(old, new): &(&E::Item, &E::Item)| kind.same_elsewhere(old, new);
        let prefix = old.iter().zip(new).take_while(unmoved).count();
        let room = old.len().min(new.len()).saturating_sub(prefix);
        let suffix = old.iter().rev().zip(new.iter().rev()).take(room).take_while(unmoved).count();
        let mut term = Builder::new(self.profile);
        let mut next = prefix;
        term.begin_list();
        for (index, entry) in new.iter().enumerate() {
            let from_end = new.len().saturating_sub(index);
            let place = match index {
                _ if index < prefix => Some(index),
                _ if from_end <= suffix => old.len().checked_sub(from_end),
                _ => {
                    let near = old.iter().enumerate().skip(next).take(NEAR);
                    let found =
                        near.map(|(place, old)| (place, kind.same_elsewhere(old, entry))).find(|(_, same)| *same);
                    found.map(|(place, _)| place)
                }
            };
            next = place.map_or(next, |place| place.saturating_add(1));
            match place.and_then(|place| terms.get(place)) {
                Some(kept) => term.copy(*kept),
                None => kind.emit(&mut term, index, entry),
            }
        }
        term.end_list();
        let tree = term.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(list, &tree);
        Ok(())
    }

    /// Puts a new term in the place of an old one.
    pub(super) fn replace(&mut self, term: Term<'d>, emit: impl FnOnce(&mut Builder)) -> Result<(), WriteError> {
        let mut new = Builder::new(self.profile);
        emit(&mut new);
        let tree = new.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(term, &tree);
        Ok(())
    }

    /// Changes bytes inside a binary.
    pub(super) fn attribute(&mut self, source: Source<'d>, bytes: &[u8]) {
        let length = source.term.as_binary().map_or(0, <[u8]>::len);
        let start = source.term.range().end.saturating_sub(length).saturating_add(source.start);
        self.edit.replace_bytes(start..start.saturating_add(bytes.len()), bytes);
    }

    /// Changes those terms inside an old term that say something else in a new one.
    pub(super) fn diff(&mut self, old: Term<'d>, new: &Tree) -> Result<(), WriteError> {
        let mut pairs = vec![(old, new.root())];
        while let Some((old, new)) = pairs.pop() {
            if old.as_bytes() == new.as_bytes() {
                continue;
            }
            match (inside(old), inside(new)) {
                (Some((a, is_tuple)), Some((b, was_tuple))) if a.len() == b.len() && is_tuple == was_tuple => {
                    pairs.extend(a.into_iter().zip(b));
                }
                _ if value_tree(old) == value_tree(new) => {}
                _ => self.replace(old, |term| term.recode(new))?,
            }
        }
        Ok(())
    }
}

/// How far an entry is looked for in the old list.
const NEAR: usize = 16;

/// The elements of a tuple, or of a proper list that holds terms; and whether it is a tuple.
fn inside(term: Term<'_>) -> Option<(Vec<Term<'_>>, bool)> {
    match term.value() {
        Value::Tuple(elements) => Some((elements.collect(), true)),
        Value::List(list) => list.terms().filter(|terms| !terms.is_empty()).map(|terms| (terms, false)),
        _ => None,
    }
}

/// One kind of list.
pub(super) trait Entries {
    type Item;

    /// Whether an entry says the same as before.
    fn same(&self, index: usize, old: &Self::Item, new: &Self::Item) -> bool;

    /// Whether an entry says the same as one that stood elsewhere in the list.
    fn same_elsewhere(&self, old: &Self::Item, new: &Self::Item) -> bool {
        self.same(usize::MAX, old, new)
    }

    /// Changes an entry in its place.
    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        index: usize,
        term: Term<'d>,
        old: &Self::Item,
        new: &Self::Item,
    ) -> Result<(), WriteError>;

    /// Adds a new entry.
    fn emit(&self, term: &mut Builder, index: usize, item: &Self::Item);
}
