//! Arenas, and ids of their items.

use std::{fmt, hash, marker::PhantomData, ops};

/// The index of an item in an [`Arena<T>`]. An id can only be used with arenas of its type.
///
/// An id does not refer to *one* arena; [`Scene::validate`](crate::Scene::validate) finds ids without an item.
pub struct Id<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// Creates the id of the item at an index, counted from 0.
    pub const fn new(index: u32) -> Self {
        Self { index, of: PhantomData }
    }

    /// Returns the index of the item, counted from 0.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

// Derived implementations would require the same traits of T, which an id does not contain.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> hash::Hash for Id<T> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

#[cfg(feature = "serde")]
impl<T> serde::Serialize for Id<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.index)
    }
}

/// Items of one type in the order in which they were added. Items are never removed, so ids stay valid.
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Arena<T> {
    items: Vec<T>,
}

impl<T> Arena<T> {
    /// Creates an arena without items.
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// Adds an item. Ids have 32 bits: items after the first `u32::MAX` have no id of their own.
    pub fn push(&mut self, item: T) -> Id<T> {
        let id = Id::new(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
        self.items.push(item);
        id
    }

    /// Returns the item of an id, or `None` if the arena has no such item.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Returns a mutable reference to the item of an id, or `None` if the arena has no such item.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// Returns `true` if the arena has an item with this id.
    pub fn contains(&self, id: Id<T>) -> bool {
        id.index() < self.items.len()
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Iterates over all items with their ids, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> + DoubleEndedIterator {
        self.ids().zip(&self.items)
    }

    /// Iterates mutably over all items with their ids.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Id<T>, &mut T)> + DoubleEndedIterator {
        self.ids().zip(&mut self.items)
    }

    /// Iterates over all ids, in the order in which the items were added.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id<T>> + DoubleEndedIterator + use<T> {
        (0..self.items.len()).map(|index| Id::new(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// Returns all items without their ids.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Arena<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T> IntoIterator for Arena<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    /// Returns the items, in the order of their ids.
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self { items: items.into_iter().collect() }
    }
}

#[allow(clippy::indexing_slicing)]
impl<T> ops::Index<Id<T>> for Arena<T> {
    type Output = T;

    /// Returns the item of an id.
    ///
    /// # Panics
    /// If the arena has no such item; [`Arena::get`] does not panic.
    fn index(&self, id: Id<T>) -> &T {
        &self.items[id.index()]
    }
}

#[allow(clippy::indexing_slicing)]
impl<T> ops::IndexMut<Id<T>> for Arena<T> {
    /// # Panics
    /// If the arena has no such item; [`Arena::get_mut`] does not panic.
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.items[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_and_ids() {
        let mut arena = Arena::new();
        let (a, b) = (arena.push("a"), arena.push("b"));
        assert_eq!((arena[a], arena.get(b), arena.get(Id::new(2))), ("a", Some(&"b"), None));
        assert_eq!(arena.iter().map(|(id, &item)| (id.index(), item)).collect::<Vec<_>>(), [(0, "a"), (1, "b")]);
        assert_eq!(format!("{arena:?}"), r##"{#0: "a", #1: "b"}"##);
        assert!(a < b && arena.contains(b) && !arena.contains(Id::new(2)));
    }
}
