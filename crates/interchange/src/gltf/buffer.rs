//! The buffer of a document that is written.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_io::parallel;
use mapwright_scene::Excess;

use crate::ErrorKind;

/// Blocks of data that follow each other. Each begins at a multiple of four bytes.
///
/// Blocks stay as they were made until the file is written, so that large columns are copied once, or computed in their place.
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
    /// Data that is computed when the file is written.
    Computed(Computed<'a>),
}

/// Data that is computed when the file is written, because it takes more memory than its source.
pub(super) struct Computed<'a> {
    /// Number of bytes.
    pub length: usize,
    /// Writes all bytes, which are zero before.
    pub write: Box<Write<'a>>,
}

/// A function that writes a block.
type Write<'a> = dyn Fn(&mut [u8]) + Send + Sync + 'a;

impl Block<'_> {
    fn length(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Words(words) => size_of_val(words.as_slice()),
            Self::Computed(data) => data.length,
        }
    }

    fn write(self, out: &mut [u8]) {
        match self {
            Self::Bytes(bytes) => out.copy_from_slice(&bytes),
            Self::Words(words) => {
                out.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
            }
            Self::Computed(data) => (data.write)(out),
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
        let mut out = zeros(self.length)?;
        self.write(&mut out);
        Ok(out)
    }

    /// Writes the bytes of all blocks to the start of zero bytes, with several threads.
    pub(super) fn write(self, mut out: &mut [u8]) {
        let mut parts = Vec::with_capacity(self.blocks.len());
        for block in self.blocks {
            let length = block.length();
            let Some((part, rest)) = out.split_at_mut_checked(length) else { return };
            out = rest.get_mut(length.next_multiple_of(4) - length..).unwrap_or_default();
            parts.push((block, part));
        }
        parallel::map(parts, |(block, part)| block.write(part));
    }
}

/// Returns zero bytes. The system provides large memory as zeros, so nothing is written to it.
///
/// # Errors
/// If there is not enough memory.
pub(super) fn zeros(count: usize) -> Result<Vec<u8>, ErrorKind> {
    // A vector of zeros cannot be requested with an error, so the memory is requested, released and requested again.
    let mut probe: Vec<u8> = Vec::new();
    probe.try_reserve_exact(count).map_err(|_| ErrorKind::Excess(Excess::Memory { needed: count as u64 }))?;
    drop(probe);
    Ok(vec![0; count])
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
        let write = Box::new(|out: &mut [u8]| out.copy_from_slice(&[6, 7, 8]));
        assert_eq!(bin.push(Block::Computed(Computed { length: 3, write })), 16..19);
        assert_eq!(bin.into_bytes().unwrap(), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 5, 0, 0, 6, 7, 8]);
    }
}
