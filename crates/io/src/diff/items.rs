//! Items of two documents that are matched by keys.

use std::hash::Hash;

use hashbrown::HashMap;

use super::FieldChange;

/// Differences between the items of one kind. `R` identifies an item, `C` is an item that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemsDiff<R, C = ItemChange<R>> {
    /// Items of both documents that differ, in the order of the old document.
    pub changed: Vec<C>,
    /// Items that only the old document contains.
    pub removed: Vec<R>,
    /// Items that only the new document contains.
    pub added: Vec<R>,
    /// `true` if the common items have another order.
    pub reordered: bool,
}

impl<R, C> Default for ItemsDiff<R, C> {
    fn default() -> Self {
        Self { changed: Vec::new(), removed: Vec::new(), added: Vec::new(), reordered: false }
    }
}

impl<R, C> ItemsDiff<R, C> {
    /// Returns `true` if there is no difference.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty() && !self.reordered
    }
}

/// An item that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemChange<R, F = FieldChange> {
    /// The old item.
    pub old: R,
    /// The new item.
    pub new: R,
    /// The fields that differ.
    pub fields: Vec<F>,
}

/// Pairs of indices of old and new items. Each item is in at most one pair.
#[derive(Debug, Clone)]
pub struct Pairs {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Pairs {
    /// Creates an empty list of pairs for these numbers of old and new items.
    pub fn new(old: usize, new: usize) -> Self {
        Self { old: vec![None; old], new: vec![None; new] }
    }

    /// Pairs two items if both exist and are free.
    pub fn add(&mut self, old: usize, new: usize) {
        if let (Some(one @ None), Some(other @ None)) = (self.old.get_mut(old), self.new.get_mut(new)) {
            (*one, *other) = (Some(new), Some(old));
        }
    }

    /// Pairs free items with equal keys, in their order.
    pub fn match_by_key<K: Hash + Eq>(&mut self, old: impl Fn(usize) -> Option<K>, new: impl Fn(usize) -> Option<K>) {
        self.match_keys(old, new, false);
    }

    /// Pairs free items with equal keys if no other free item of their document has the key.
    pub fn match_by_unique_key<K: Hash + Eq>(
        &mut self,
        old: impl Fn(usize) -> Option<K>,
        new: impl Fn(usize) -> Option<K>,
    ) {
        self.match_keys(old, new, true);
    }

    fn match_keys<K: Hash + Eq>(
        &mut self,
        old: impl Fn(usize) -> Option<K>,
        new: impl Fn(usize) -> Option<K>,
        unique: bool,
    ) {
        let mut keys: HashMap<K, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (index, key) in self.free_old().filter_map(|index| Some((index, old(index)?))) {
            keys.entry(key).or_default().0.push(index);
        }
        if keys.is_empty() {
            return;
        }
        for (index, key) in self.free_new().filter_map(|index| Some((index, new(index)?))) {
            if let Some((_, news)) = keys.get_mut(&key) {
                news.push(index);
            }
        }
        // The order of keys does not matter: they have no items in common.
        for (olds, news) in keys.into_values().filter(|(olds, news)| !unique || (olds.len(), news.len()) == (1, 1)) {
            olds.into_iter().zip(news).for_each(|(old, new)| self.add(old, new));
        }
    }

    /// Returns the new item that is paired with an old one.
    pub fn partner_of_old(&self, old: usize) -> Option<usize> {
        self.old.get(old).copied().flatten()
    }

    /// Iterates over the old items without a partner.
    pub fn free_old(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.old).filter(|(_, partner)| partner.is_none()).map(|(index, _)| index)
    }

    /// Iterates over the new items without a partner.
    pub fn free_new(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.new).filter(|(_, partner)| partner.is_none()).map(|(index, _)| index)
    }

    /// Returns the differences. `old` and `new` identify an item; `change` compares the items of a pair.
    pub fn to_diff<R, C>(
        &self,
        old: impl Fn(usize) -> Option<R>,
        new: impl Fn(usize) -> Option<R>,
        change: impl Fn(usize, usize) -> Option<C>,
    ) -> ItemsDiff<R, C> {
        let pairs = (0..).zip(&self.old).filter_map(|(old, new)| Some((old, (*new)?)));
        ItemsDiff {
            reordered: !pairs.clone().is_sorted_by_key(|(_, new)| new),
            changed: pairs.filter_map(|(old, new)| change(old, new)).collect(),
            removed: self.free_old().filter_map(old).collect(),
            added: self.free_new().filter_map(new).collect(),
        }
    }
}
