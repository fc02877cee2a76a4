//! Input made to break a reader.

use std::fmt::{Debug, Display};

use crate::{PeakAlloc, peak_of};

/// The maximum number of findings in one document. More would flood the report.
const MAX_FINDINGS: usize = 4000;

/// Reads input made to break a reader, and writes and validates the result.
///
/// Each step may take `allowed` bytes of memory. The result must be written as the same bytes, and have few findings. An error must have
/// a text, and a position in the input. `validate` returns the number of findings.
///
/// # Panics
/// If one of these does not hold.
pub fn survives<T, R: Display, W: Debug>(
    heap: &PeakAlloc,
    what: &str,
    (bytes, allowed): (&[u8], usize),
    read: impl FnOnce(&[u8]) -> Result<T, R>,
    write: impl FnOnce(&T) -> Result<Vec<u8>, W>,
    validate: impl FnOnce(&T) -> usize,
    offset: impl FnOnce(&R) -> Option<u64>,
) -> Result<T, R> {
    let check = |step: &str, peak: usize| {
        assert!(peak <= allowed, "{what}: {peak} bytes at the peak of {step}, {allowed} allowed");
    };
    let (result, peak) = peak_of(heap, || read(bytes));
    check("reading", peak);
    match &result {
        Ok(value) => {
            let (written, peak) = peak_of(heap, || write(value));
            check("writing", peak);
            assert!(written.expect("the document can be written") == bytes, "{what}: other bytes");
            let (findings, peak) = peak_of(heap, || validate(value));
            check("validation", peak);
            assert!(findings < MAX_FINDINGS, "{what}: {findings} findings");
        }
        Err(error) => {
            let offset = offset(error).unwrap_or(u64::MAX);
            assert!(offset <= bytes.len() as u64 && !error.to_string().is_empty(), "{what}: {error}");
        }
    }
    result
}

/// Returns the memory that reading may take by the law: 16 MiB + 8 × the file size.
pub const fn allowed_memory(bytes: usize) -> usize {
    (16 << 20) + 8 * bytes
}
