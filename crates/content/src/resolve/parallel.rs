//! Work on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cache::BEYOND_LIMIT;

/// Number of items that are decoded before their memory is counted. It does not depend on the number of threads, so that the limit has
/// the same effect on all machines.
const BATCH: usize = 16;

/// Maximum number of threads. More would need more memory for little gain.
const MAX_THREADS: usize = 8;

/// Applies a function to each item on several threads. Returns the results in the order of the items.
pub(super) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(items.len());
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = work(item);
                    results.lock().expect("no thread panics with the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics with the lock");
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Decodes items on several threads in batches, until `left` bytes are used. `add` gets each batch with its results.
///
/// With `shares`, an item may first take its part of the bytes that are left. An item that fails is decoded again, alone, with all that
/// is left then. The results are the same as if each item was decoded alone, but all together take no more memory.
pub(super) fn decode_within<T: Sync, R: Send>(
    items: &[T],
    left: &mut usize,
    shares: bool,
    decode: impl Fn(&T, usize) -> Result<R, String> + Sync,
    size: impl Fn(&R) -> usize,
    mut add: impl FnMut(&[T], Vec<Result<R, String>>, &mut usize),
) {
    for batch in items.chunks(BATCH) {
        let share = if shares { *left / BATCH } else { *left };
        let mut results = map(batch, |item| decode(item, share));
        for (item, result) in batch.iter().zip(&mut results) {
            if result.is_err() && share < *left {
                *result = decode(item, *left);
            }
            let Ok(decoded) = &*result else { continue };
            match left.checked_sub(size(decoded)) {
                Some(rest) => *left = rest,
                None => *result = Err(BEYOND_LIMIT.to_owned()),
            }
        }
        add(batch, results, left);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(super::map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(super::map(&[] as &[usize], |item| *item).is_empty());
    }

    #[test]
    fn the_limit_has_the_same_effect_with_and_without_shares() {
        // Item n needs n bytes.
        let decode = |item: &usize, most: usize| (*item <= most).then_some(*item).ok_or_else(|| "too large".to_owned());
        let run = |items: &[usize], shares| {
            let (mut left, mut all) = (100, Vec::new());
            let add = |_: &[usize], results: Vec<Result<usize, String>>, _: &mut usize| all.extend(results);
            super::decode_within(items, &mut left, shares, decode, |item| *item, add);
            (all.iter().map(Result::is_ok).collect::<Vec<_>>(), left)
        };
        assert_eq!(run(&[60, 3, 50, 101, 30], true), (vec![true, true, false, false, true], 7));
        let many: Vec<usize> = (0..40).map(|item| item % 9).collect();
        assert_eq!(run(&many, true), run(&many, false));
    }
}
