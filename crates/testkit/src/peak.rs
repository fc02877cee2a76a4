//! Peak memory of a call.

pub use peak_alloc::PeakAlloc;

/// Runs a call. Returns its result, and the peak of heap bytes above those at its start.
///
/// Growing a block temporarily counts the old and the new one, as the worst allocator would need. The test binary declares the allocator.
/// It counts for all threads, so such a binary contains only one `#[test]`:
///
/// ```
/// use mapwright_testkit::{PeakAlloc, peak_of};
///
/// #[global_allocator]
/// static HEAP: PeakAlloc = PeakAlloc;
///
/// let (length, peak) = peak_of(&HEAP, || vec![7_u8; 1 << 20].len());
/// assert_eq!(length, 1 << 20);
/// assert!((1 << 20..1 << 21).contains(&peak), "{peak}");
/// ```
pub fn peak_of<T>(heap: &PeakAlloc, call: impl FnOnce() -> T) -> (T, usize) {
    heap.reset_peak_usage();
    let before = heap.current_usage();
    let result = call();
    (result, heap.peak_usage().saturating_sub(before))
}
