//! Input made to break a reader.

use std::fmt::{Debug, Display};

use crate::{PeakAlloc, peak_of};

/// Reads input made to break a reader, and writes what was read.
///
/// Reading may take `allowed` bytes of memory. What was read must be written as the same bytes. An error must have a text, and a
/// position in the input.
///
/// # Panics
/// If one of these does not hold.
pub fn survives<T, R: Display, W: Debug>(
    heap: &PeakAlloc,
    what: &str,
    (bytes, allowed): (&[u8], usize),
    read: impl FnOnce(&[u8]) -> Result<T, R>,
    write: impl FnOnce(&T) -> Result<Vec<u8>, W>,
    offset: impl FnOnce(&R) -> Option<u64>,
) -> Result<T, R> {
    let (result, peak) = peak_of(heap, || read(bytes));
    assert!(peak <= allowed, "{what}: {peak} bytes at the peak, {allowed} allowed");
    match &result {
        Ok(value) => {
            assert!(write(value).expect("what was read can be written") == bytes, "{what}: other bytes");
        }
        Err(error) => {
            let offset = offset(error).unwrap_or(u64::MAX);
            assert!(offset <= bytes.len() as u64 && !error.to_string().is_empty(), "{what}: {error}");
        }
    }
    result
}

/// Returns the memory that reading may take by the law: 16 MiB and eight times the file.
pub const fn allowed_memory(bytes: usize) -> usize {
    (16 << 20) + 8 * bytes
}
