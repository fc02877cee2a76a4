//! Edits of a document that replace only changed terms.

use mapwright_etf::{Builder, Edit, List, Profile, Term, Tree, Value};

use crate::WriteError;
use crate::document::value_tree;
use crate::read::AttributeSource;

/// Collects edits of one document.
pub(super) struct Edits<'d> {
    pub(super) edit: Edit<'d>,
    pub(super) profile: Profile,
}

impl<'d> Edits<'d> {
    /// Changes the entries of a list that differ. If the number of entries differs, the list is written again. Unchanged entries
    /// keep their bytes: those at its beginning and end, and those in between that moved by a few places.
    pub(super) fn change_list<E: ListKind>(
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
                let mut changed = pairs.filter(|(index, (old, new))| !kind.eq_at_index(*index, old, new));
                return changed.try_for_each(|(index, (old, new))| match terms.get(index) {
                    Some(term) => kind.change(self, index, *term, old, new),
                    None => Ok(()),
                });
            }
            // The elements of a STRING are bytes and not terms, so they cannot be replaced one by one.
            if pairs.all(|(index, (old, new))| kind.eq_at_index(index, old, new) || kind.eq_ignoring_index(old, new)) {
                return Ok(());
            }
        }
        let unmoved = |(old, new): &(&E::Item, &E::Item)| kind.eq_ignoring_index(old, new);
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
                    let found = near
                        .map(|(place, old)| (place, kind.eq_ignoring_index(old, entry)))
                        .find(|(_, is_equal)| *is_equal);
                    found.map(|(place, _)| place)
                }
            };
            next = place.map_or(next, |place| place.saturating_add(1));
            match place.and_then(|place| terms.get(place)) {
                Some(unchanged) => term.copy(*unchanged),
                None => kind.emit(&mut term, index, entry),
            }
        }
        term.end_list();
        let tree = term.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(list, &tree);
        Ok(())
    }

    /// Replaces a term.
    pub(super) fn replace(&mut self, term: Term<'d>, emit: impl FnOnce(&mut Builder)) -> Result<(), WriteError> {
        let mut new = Builder::new(self.profile);
        emit(&mut new);
        let tree = new.finish().map_err(|error| error.map_kind(Into::into))?;
        self.edit.replace(term, &tree);
        Ok(())
    }

    /// Replaces bytes inside a binary.
    pub(super) fn replace_attribute(&mut self, source: AttributeSource<'d>, bytes: &[u8]) {
        let length = source.term.as_binary().map_or(0, <[u8]>::len);
        let start = source.term.range().end.saturating_sub(length).saturating_add(source.start);
        self.edit.replace_bytes(start..start.saturating_add(bytes.len()), bytes);
    }

    /// Replaces those terms inside `old` that differ in `new`.
    pub(super) fn replace_differences(&mut self, old: Term<'d>, new: &Tree) -> Result<(), WriteError> {
        let mut pairs = vec![(old, new.root())];
        while let Some((old, new)) = pairs.pop() {
            if old.as_bytes() == new.as_bytes() {
                continue;
            }
            match (elements(old), elements(new)) {
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

/// Number of old entries that are searched for an equal one.
const NEAR: usize = 16;

/// Returns the elements of a tuple, or of a proper list of terms, and `true` for a tuple.
fn elements(term: Term<'_>) -> Option<(Vec<Term<'_>>, bool)> {
    match term.value() {
        Value::Tuple(elements) => Some((elements.collect(), true)),
        Value::List(list) => list.terms().filter(|terms| !terms.is_empty()).map(|terms| (terms, false)),
        _ => None,
    }
}

/// A kind of list whose entries can be compared, changed and added.
pub(super) trait ListKind {
    type Item;

    /// Returns `true` if the entry at an index is unchanged.
    fn eq_at_index(&self, index: usize, old: &Self::Item, new: &Self::Item) -> bool;

    /// Compares entries at different indices.
    fn eq_ignoring_index(&self, old: &Self::Item, new: &Self::Item) -> bool {
        self.eq_at_index(usize::MAX, old, new)
    }

    /// Changes an entry in place.
    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        index: usize,
        term: Term<'d>,
        old: &Self::Item,
        new: &Self::Item,
    ) -> Result<(), WriteError>;

    /// Writes a new entry.
    fn emit(&self, term: &mut Builder, index: usize, item: &Self::Item);
}
