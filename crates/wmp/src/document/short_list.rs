//! Lists that store their first items inline.

use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::Member;

macro_rules! short_list {
    ($(#[$meta:meta])* $name:ident: [$item:ty; $inline:literal]) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        pub struct $name(SmallVec<[$item; $inline]>);

        impl $name {
            /// Creates an empty list.
            pub fn new() -> Self {
                Self::default()
            }

            /// Adds an item at the end.
            pub fn push(&mut self, item: $item) {
                self.0.push(item);
            }

            /// Removes the last item.
            pub fn pop(&mut self) -> Option<$item> {
                self.0.pop()
            }

            /// Inserts an item before the one at an index.
            ///
            /// # Panics
            /// If the index is greater than the length.
            pub fn insert(&mut self, index: usize, item: $item) {
                self.0.insert(index, item);
            }

            /// Keeps the first items, up to a length.
            pub fn truncate(&mut self, length: usize) {
                self.0.truncate(length);
            }

            /// Removes all items.
            pub fn clear(&mut self) {
                self.0.clear();
            }

            /// Keeps the items for which a function returns `true`.
            pub fn retain(&mut self, mut keep: impl FnMut(&$item) -> bool) {
                self.0.retain(|item| keep(item));
            }

            /// Returns the items.
            pub fn as_slice(&self) -> &[$item] {
                &self.0
            }

            /// Returns the list inside, for readers that control its growth.
            pub(crate) const fn inner_mut(&mut self) -> &mut SmallVec<[$item; $inline]> {
                &mut self.0
            }
        }

        impl Deref for $name {
            type Target = [$item];

            fn deref(&self) -> &[$item] {
                &self.0
            }
        }

        impl DerefMut for $name {
            fn deref_mut(&mut self) -> &mut [$item] {
                &mut self.0
            }
        }

        impl From<&[$item]> for $name {
            fn from(items: &[$item]) -> Self {
                Self(items.into())
            }
        }

        impl From<Vec<$item>> for $name {
            fn from(items: Vec<$item>) -> Self {
                Self(items.into())
            }
        }

        impl<const N: usize> From<[$item; N]> for $name {
            fn from(items: [$item; N]) -> Self {
                Self(SmallVec::from_slice(&items))
            }
        }

        impl FromIterator<$item> for $name {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                Self(items.into_iter().collect())
            }
        }

        impl Extend<$item> for $name {
            fn extend<I: IntoIterator<Item = $item>>(&mut self, items: I) {
                self.0.extend(items);
            }
        }

        impl<'a> IntoIterator for &'a $name {
            type Item = &'a $item;
            type IntoIter = std::slice::Iter<'a, $item>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        impl<'a> IntoIterator for &'a mut $name {
            type Item = &'a mut $item;
            type IntoIter = std::slice::IterMut<'a, $item>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter_mut()
            }
        }
    };
}

short_list! {
    /// Vertex indices of a face. Up to four need no allocation.
    Corners: [u32; 4]
}

short_list! {
    /// Members of an object. Up to two need no allocation.
    Members: [Member; 2]
}
