//! Limit of the memory that a document takes while it is read.

use mapwright_io::FaultKind;

/// Maximum memory of a document in bytes, and the addition per byte of the file. Real files need less. The total limit is 16 MiB +
/// 8 × the file size; the difference is for memory that is not counted.
const BYTES: usize = 12 << 20;
const PER_BYTE: usize = 8;

/// Memory of a growing list relative to its size: the old list and the new one, which is twice as large.
pub(super) const GROWTH: usize = 3;

/// Memory that a document may still take, in bytes. Real files do not come near the limit; millions of empty elements and attributes
/// do.
pub(super) struct Memory {
    left: usize,
}

impl Memory {
    /// Creates the limit for a file size in bytes.
    pub(super) fn new(file: usize) -> Self {
        Self { left: BYTES.saturating_add(PER_BYTE.saturating_mul(file)) }
    }

    /// Counts bytes before they are allocated.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), FaultKind> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => {
                let (asked, limit) = (bytes as u64, self.left as u64);
                return Err(FaultKind::Limit { what: "memory for the document", asked, limit });
            }
        }
        Ok(())
    }

    /// Adds an item to a list, which doubles when it is full.
    pub(super) fn push<T>(&mut self, list: &mut Vec<T>, item: T) -> Result<(), FaultKind> {
        self.make_room(list)?;
        list.push(item);
        Ok(())
    }

    /// Counts the growth of a list before another item is added: a full list doubles.
    pub(super) fn make_room<T>(&mut self, list: &Vec<T>) -> Result<(), FaultKind> {
        if list.len() < list.capacity() {
            return Ok(());
        }
        // Twice the growth covers the old list, the new one, and its spare capacity.
        self.spend(list.capacity().max(4).saturating_mul(size_of::<T>()).saturating_mul(2))
    }
}
