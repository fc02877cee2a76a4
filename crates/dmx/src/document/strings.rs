//! The strings of a document.

use std::fmt;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Id of a string in the [`Strings`] of a [`Document`](crate::Document). Two ids can have the same bytes, as files can contain a
/// string twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(u32);

impl StringId {
    /// The empty string, wherever it is stored.
    pub const EMPTY: Self = Self(u32::MAX);
    /// The empty string as index −1, which is rare except in binary 7.
    pub const MINUS_ONE: Self = Self(u32::MAX - 1);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// All strings of a document. The string table of a binary file comes first, in its order and including unused strings. Strings that
/// are stored elsewhere in the file follow.
#[derive(Clone, Default)]
pub struct Strings {
    bytes: Vec<u8>,
    // Where each string ends in `bytes`; it begins where the one before ends.
    ends: Vec<u32>,
    table: usize,
    // The first string with given bytes, of the first `indexed` ones.
    index: HashTable<u32>,
    indexed: usize,
    hasher: DefaultHashBuilder,
}

/// Maximum size of all strings in bytes, so that offsets take four bytes.
pub(crate) const MAX_BYTES: usize = u32::MAX as usize;

impl Strings {
    /// Returns the bytes of a string. An id of another document has none.
    #[inline]
    pub fn get(&self, id: StringId) -> &[u8] {
        slice(&self.bytes, &self.ends, id.index())
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no strings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Iterates over all strings in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (StringId, &[u8])> {
        (0..self.len()).map(|index| (StringId::at(index), self.get(StringId::at(index))))
    }

    /// Returns the number of strings of the string table. They come first.
    pub fn table_len(&self) -> usize {
        self.table
    }

    /// Iterates over the strings of the string table.
    pub(crate) fn table(&self) -> impl DoubleEndedIterator<Item = (StringId, &[u8])> {
        (0..self.table).map(|index| (StringId::at(index), self.get(StringId::at(index))))
    }

    /// Finds a string: the first one with these bytes.
    pub fn find(&mut self, bytes: &[u8]) -> Option<StringId> {
        if bytes.is_empty() {
            return Some(StringId::EMPTY);
        }
        self.catch_up();
        let hash = self.hasher.hash_one(bytes);
        self.index.find(hash, |&id| self.get(StringId(id)) == bytes).map(|&id| StringId(id))
    }

    /// Finds a string or adds it.
    ///
    /// All strings together can have 4 GiB. A document with more cannot be written.
    pub fn intern(&mut self, bytes: &[u8]) -> StringId {
        self.find(bytes).unwrap_or_else(|| self.push(bytes))
    }

    /// Creates the strings of a string table, in its order.
    pub fn from_table<S: AsRef<[u8]>>(table: impl IntoIterator<Item = S>) -> Self {
        let mut strings = Self::default();
        table.into_iter().for_each(|string| strings.append_to_table(string.as_ref()));
        strings
    }

    /// Adds a string without searching for it.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> StringId {
        if bytes.is_empty() {
            return StringId::EMPTY;
        }
        self.append(bytes);
        StringId::at(self.ends.len().saturating_sub(1))
    }

    /// Creates an empty list with capacity for a table.
    pub(crate) fn with_table_capacity(count: usize) -> Self {
        Self { ends: Vec::with_capacity(count), ..Self::default() }
    }

    /// Adds a string to the table. All strings of the table precede the others.
    pub(crate) fn append_to_table(&mut self, bytes: &[u8]) {
        self.append(bytes);
        self.table = self.ends.len();
    }

    /// Returns `true` if there are more strings or bytes than ids can address.
    pub(crate) fn overflows(&self) -> bool {
        self.bytes.len() > MAX_BYTES || self.ends.len() >= StringId::MINUS_ONE.index()
    }

    /// Returns the size of all strings in bytes.
    pub(crate) fn total_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    /// Indexes the strings that were added since the last call.
    fn catch_up(&mut self) {
        while self.indexed < self.ends.len() {
            let id = StringId::at(self.indexed);
            let (bytes, hasher) = (self.get(id), &self.hasher);
            let hash = hasher.hash_one(bytes);
            if self.index.find(hash, |&other| self.get(StringId(other)) == bytes).is_none() {
                let (ends, all) = (&self.ends, &self.bytes);
                self.index.insert_unique(hash, id.0, |&other| hasher.hash_one(slice(all, ends, other as usize)));
            }
            self.indexed = self.indexed.saturating_add(1);
        }
    }
}

#[inline]
fn slice<'a>(bytes: &'a [u8], ends: &[u32], index: usize) -> &'a [u8] {
    let Some(&end) = ends.get(index) else { return &[] };
    let start = index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    bytes.get(start as usize..end as usize).unwrap_or_default()
}

impl PartialEq for Strings {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table && self.ends == other.ends && self.bytes == other.bytes
    }
}

impl Eq for Strings {}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} strings, {} of them in the table", self.len(), self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_contains_duplicates_and_the_empty_string() {
        let mut strings = Strings::default();
        [b"a".as_slice(), b"", b"a", b"b"].into_iter().for_each(|string| strings.append_to_table(string));
        assert_eq!((strings.len(), strings.table_len()), (4, 4));
        assert_eq!(strings.find(b"a"), Some(StringId(0)));
        assert_eq!(strings.get(StringId(2)), b"a");
        assert_eq!(strings.find(b"c"), None);
        assert_eq!(strings.intern(b"c"), StringId(4));
        assert_eq!(strings.intern(b"c"), StringId(4));
        assert_eq!(strings.intern(b""), StringId::EMPTY);
        assert_eq!((strings.len(), strings.table_len()), (5, 4));
        assert_eq!(strings.get(StringId::MINUS_ONE), b"");
    }
}
