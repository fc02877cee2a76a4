//! Decoding, on several threads with the feature `parallel`.

use mapwright_io::parallel;

use super::cache::BEYOND_LIMIT;

/// Number of items that are decoded before their memory is counted. It does not depend on the number of threads, so that the limit has
/// the same effect on all machines.
const BATCH: usize = 16;

/// Decodes items in batches, until `left` bytes are used. `add` gets each batch with its results.
///
/// With `shares`, an item may first take its part of the bytes that are left. An item that fails is decoded again, alone, with all that
/// is left then. The results are the same as if each item was decoded alone, but all together take no more memory.
pub(crate) fn decode_within<T: Sync, R: Send>(
    items: &[T],
    left: &mut usize,
    shares: bool,
    decode: impl Fn(&T, usize) -> Result<R, String> + Sync,
    size: impl Fn(&R) -> usize,
    mut add: impl FnMut(&[T], Vec<Result<R, String>>, &mut usize),
) {
    for batch in items.chunks(BATCH) {
        let share = if shares { *left / BATCH } else { *left };
        let mut results = parallel::map(batch.iter().collect(), |item| decode(item, share));
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
