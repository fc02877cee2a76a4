//! Work on several items at the same time, with the feature `parallel`.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Returns the number of threads.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Applies a function to all items. The results have their order.
#[cfg(feature = "parallel")]
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    items.into_par_iter().map(work).collect()
}

/// Applies a function to all items.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map<T, R>(items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}
