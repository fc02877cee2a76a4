//! What a document may take in memory while it is read.

use mapwright_io::FaultKind;

/// What a document may take, and for each byte of the file: more than any real file needs. The rest of 16 MiB and eight times the
/// file is for what is not counted.
const BYTES: usize = 12 << 20;
const PER_BYTE: usize = 8;

/// How many times its size a growing list takes while it grows: the old and the new one, twice as large.
pub(super) const GROWTH: usize = 3;

/// Bytes of memory that a document may still take. Nothing that programs write comes near the limit, but millions of elements and
/// attributes that say nothing do.
pub(super) struct Memory {
    left: usize,
}

impl Memory {
    /// For a file of so many bytes.
    pub(super) fn new(file: usize) -> Self {
        Self { left: BYTES.saturating_add(PER_BYTE.saturating_mul(file)) }
    }

    /// Counts bytes before they are taken.
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

    /// Counts what a list takes more if another item comes: it doubles when it is full.
    pub(super) fn make_room<T>(&mut self, list: &Vec<T>) -> Result<(), FaultKind> {
        if list.len() < list.capacity() {
            return Ok(());
        }
        // It grows by so many items; counted twice, this is more than the old and the new list, and more than what is left.
        self.spend(list.capacity().max(4).saturating_mul(size_of::<T>()).saturating_mul(2))
    }
}
