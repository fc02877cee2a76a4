//! The grid of a plane.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// The words of a grid, row by row from the top left; see [`Cell`](crate::Cell).
///
/// Use it as the slice that it dereferences to. Words that were read stay in the main block and take no memory of their own. The
/// first change copies them.
#[derive(Clone, Default)]
pub struct Tiles {
    /// Empty as long as `read` contains the words.
    own: Vec<u32>,
    read: Option<Read>,
}

/// Bytes of a main block that are aligned words.
#[derive(Clone)]
struct Read {
    main: Arc<Vec<u8>>,
    bytes: Range<usize>,
}

impl Read {
    fn words(&self) -> &[u32] {
        // `in_block` has checked the alignment.
        bytemuck::try_cast_slice(self.main.get(self.bytes.clone()).unwrap_or_default()).unwrap_or_default()
    }
}

impl Tiles {
    /// Creates an empty grid.
    pub const fn new() -> Self {
        Self { own: Vec::new(), read: None }
    }

    /// Returns the words as a `Vec`, which can grow and shrink.
    pub fn to_mut(&mut self) -> &mut Vec<u32> {
        if let Some(read) = self.read.take() {
            self.own = read.words().to_vec();
        }
        &mut self.own
    }

    /// Takes the words in a range of a main block. They stay there if they are aligned.
    pub(crate) fn in_block(main: &Arc<Vec<u8>>, bytes: Range<usize>) -> Self {
        let found = main.get(bytes.clone()).unwrap_or_default();
        if cfg!(target_endian = "little") && bytemuck::try_cast_slice::<u8, u32>(found).is_ok() {
            return Self { own: Vec::new(), read: Some(Read { main: Arc::clone(main), bytes }) };
        }
        let (words, _) = found.as_chunks::<4>();
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// Returns `true` if the words are stored at this index of a main block, without comparing them.
    pub(crate) fn are_stored_at(&self, main: &Arc<Vec<u8>>, at: usize) -> bool {
        self.read.as_ref().is_some_and(|read| Arc::ptr_eq(&read.main, main) && read.bytes.start == at)
    }

    /// Returns the bytes of the words in the file.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        if cfg!(target_endian = "little") {
            return bytemuck::must_cast_slice(self).into();
        }
        self.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

impl Deref for Tiles {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        self.read.as_ref().map_or(&self.own, Read::words)
    }
}

impl DerefMut for Tiles {
    fn deref_mut(&mut self) -> &mut [u32] {
        self.to_mut()
    }
}

impl From<Vec<u32>> for Tiles {
    fn from(own: Vec<u32>) -> Self {
        Self { own, read: None }
    }
}

impl FromIterator<u32> for Tiles {
    fn from_iter<I: IntoIterator<Item = u32>>(words: I) -> Self {
        Vec::from_iter(words).into()
    }
}

impl<'a> IntoIterator for &'a Tiles {
    type Item = &'a u32;
    type IntoIter = std::slice::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Tiles {
    fn eq(&self, other: &Self) -> bool {
        let is_same_range = |read: &Read| other.are_stored_at(&read.main, read.bytes.start);
        self.len() == other.len() && (self.read.as_ref().is_some_and(is_same_range) || **self == **other)
    }
}

impl Eq for Tiles {}

impl<const N: usize> PartialEq<[u32; N]> for Tiles {
    fn eq(&self, other: &[u32; N]) -> bool {
        **self == *other
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_in_the_block_until_they_change() {
        let main = Arc::new((0..40).collect::<Vec<u8>>());
        for at in 0..4 {
            let read = Tiles::in_block(&main, at..at + 12);
            let first = u8::try_from(at).unwrap();
            let words = [0, 4, 8].map(|by| u32::from_le_bytes([0, 1, 2, 3].map(|byte| first + by + byte)));
            assert_eq!(read, words);
            assert_eq!(*read.bytes(), main[at..at + 12]);
            // Only every fourth byte is aligned for words.
            assert_eq!(read.are_stored_at(&main, at), read.as_ptr().addr() == main[at..].as_ptr().addr());
            assert!(!read.are_stored_at(&main, at + 4));
            let mut changed = read.clone();
            assert_eq!(changed, read);
            changed[1] = 7;
            assert_eq!(changed, [words[0], 7, words[2]]);
            assert!(!changed.are_stored_at(&main, at) && changed != read);
            changed.to_mut().pop();
            assert_eq!((changed.len(), &read[..]), (2, &words[..]));
        }
    }
}
