//! How much memory a call takes at its peak.

pub use peak_alloc::PeakAlloc;

/// Runs a call and gives its result and the bytes that the heap held above its start, at the peak.
///
/// Growing a block counts the old and the new one for a moment, as the worst allocator would need. The test binary names
/// the allocator; as it counts for all threads, such a binary holds one `#[test]` only:
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
