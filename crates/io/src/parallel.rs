//! Work on several items at the same time, with the feature `parallel`. Without it, one thread does the same work.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Returns the number of threads.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Applies a function to all items. The results have their order.
#[cfg(feature = "parallel")]
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if items.len() < 2 {
        // Waking a thread takes longer than many a part of a small mesh.
        return items.into_iter().map(work).collect();
    }
    items.into_par_iter().map(work).collect()
}

/// Applies a function to all items. The results have their order.
#[cfg(not(feature = "parallel"))]
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    items.into_iter().map(work).collect()
}

/// Creates a list from the index of each item.
pub fn collect<T: Send>(count: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    /// The smallest number of items for which threads save time.
    #[cfg(feature = "parallel")]
    const LARGE: usize = 1 << 16;
    #[cfg(feature = "parallel")]
    if count >= LARGE {
        return (0..count).into_par_iter().with_min_len(LARGE / 4).map(make).collect();
    }
    (0..count).map(make).collect()
}

/// Calls a function with the number of each part of `size` items, and the items.
#[cfg(feature = "parallel")]
pub fn fill<T: Send>(items: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Send + Sync) {
    if items.len() <= size {
        return work(0, items);
    }
    items.par_chunks_mut(size.max(1)).enumerate().for_each(|(number, part)| work(number, part));
}

/// Calls a function with the number of each part of `size` items, and the items.
#[cfg(not(feature = "parallel"))]
pub fn fill<T: Send>(items: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Send + Sync) {
    items.chunks_mut(size.max(1)).enumerate().for_each(|(number, part)| work(number, part));
}

/// Runs two functions, at the same time if there are several threads.
#[cfg(feature = "parallel")]
pub fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(first, second)
}

/// Runs two functions.
#[cfg(not(feature = "parallel"))]
pub fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    (first(), second())
}

/// Runs two functions, at the same time if there are several threads. The second one stays on the calling thread.
#[cfg(feature = "parallel")]
pub fn join_local<A: Send, B>(elsewhere: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    // The calling thread may not be one of the pool, so that a pool of one thread would run two functions at a time.
    if threads() < 2 {
        return (elsewhere(), here());
    }
    let mut first = None;
    let second = rayon::in_place_scope(|scope| {
        scope.spawn(|_| first = Some(elsewhere()));
        here()
    });
    #[allow(clippy::expect_used, reason = "a scope ends after all of its functions, and panics if one of them does")]
    (first.expect("the function has ended"), second)
}

/// Runs two functions. The second one stays on the calling thread.
#[cfg(not(feature = "parallel"))]
pub fn join_local<A: Send, B>(elsewhere: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    (elsewhere(), here())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(map(items.clone(), |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(map(Vec::<usize>::new(), |item| item).is_empty());
        assert_eq!(map(vec![1], |item| item * 2), [2]);
        assert!(collect(200_000, |index| index).into_iter().eq(0..200_000));
        let mut parts = [0; 10];
        fill(&mut parts, 4, |number, part| part.fill(number));
        assert_eq!(parts, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
        fill(&mut parts, 10, |number, part| part.fill(number));
        assert_eq!(parts, [0; 10]);
        assert_eq!(join(|| 1, || 2), (1, 2));
        let local = std::rc::Rc::new(2);
        assert_eq!(join_local(|| 1, || *local), (1, 2));
        assert!(threads() > 0);
    }
}
