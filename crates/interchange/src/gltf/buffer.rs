//! The buffer of a document that is written.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_scene::Excess;

use crate::ErrorKind;

/// Blocks of data that follow each other. Each begins at a multiple of four bytes.
///
/// Blocks stay as they were made until the file is written, so that large columns are copied once.
#[derive(Default)]
pub(super) struct Bin<'a> {
    blocks: Vec<Block<'a>>,
    length: usize,
}

/// A part of the buffer.
pub(super) enum Block<'a> {
    Bytes(Cow<'a, [u8]>),
    /// Whole numbers or floats of 32 bits.
    Words(Vec<u32>),
}

impl Block<'_> {
    fn length(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Words(words) => size_of_val(words.as_slice()),
        }
    }
}

impl<'a> Bin<'a> {
    /// Adds a block. Returns its bytes in the buffer.
    pub(super) fn push(&mut self, block: Block<'a>) -> Range<usize> {
        let start = self.length.next_multiple_of(4);
        self.length = start + block.length();
        self.blocks.push(block);
        start..self.length
    }

    /// Returns the number of bytes.
    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// Returns `true` if there are no bytes.
    pub(super) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the bytes of all blocks.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn into_bytes(self) -> Result<Vec<u8>, ErrorKind> {
        let mut out = Vec::new();
        let needed = self.length as u64;
        out.try_reserve_exact(self.length).map_err(|_| ErrorKind::Excess(Excess::Memory { needed }))?;
        self.append_to(&mut out);
        Ok(out)
    }

    /// Appends the bytes of all blocks.
    pub(super) fn append_to(self, out: &mut Vec<u8>) {
        let start = out.len();
        for block in self.blocks {
            let written = out.len() - start;
            out.resize(start + written.next_multiple_of(4), 0);
            match block {
                Block::Bytes(bytes) => out.extend_from_slice(&bytes),
                Block::Words(words) => out.extend(words.iter().flat_map(|word| word.to_le_bytes())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned() {
        let mut bin = Bin::default();
        assert_eq!(bin.push(Block::Bytes(vec![1].into())), 0..1);
        assert_eq!(bin.push(Block::Words(vec![2, 3])), 4..12);
        assert_eq!((bin.push(Block::Bytes(vec![4, 5].into())), bin.len()), (12..14, 14));
        let mut out = vec![9];
        bin.append_to(&mut out);
        assert_eq!(out, [9, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 5]);
    }
}
