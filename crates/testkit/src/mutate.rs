//! Deterministically damaged copies of files: systematic damage at every offset, and seeded random damage.

use std::iter;

/// A small random number generator (SplitMix64, public domain, Steele et al. 2014). A seed gives the same numbers on every
/// machine and in every version, so the seed in a report repeats a failure.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    #[expect(clippy::cast_possible_truncation, reason = "the result is below a usize")]
    pub const fn below(&mut self, end: usize) -> usize {
        match self.next_u64().checked_rem(end as u64) {
            Some(number) => number as usize,
            None => 0,
        }
    }
}

/// Returns one copy per bit, with that bit flipped.
pub fn bit_flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| with(bytes, bit / 8, |byte| byte ^ (1 << (bit % 8))))
}

/// Returns one copy per byte, with all of its bits flipped.
pub fn byte_flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len()).map(|at| with(bytes, at, |byte| !byte))
}

fn with(bytes: &[u8], at: usize, change: impl FnOnce(u8) -> u8) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    copy[at] = change(copy[at]);
    copy
}

/// Treats every offset as a number of 8, 16, 32 and 64 bits in both byte orders, and returns copies in which it is 0, 1, one
/// less, one more, the largest signed and the largest unsigned number: values that lengths and counts must survive.
pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len()).flat_map(move |at| {
        [1, 2, 4, 8].into_iter().flat_map(move |width| {
            let orders: &[bool] = if width == 1 { &[false] } else { &[false, true] };
            orders.iter().flat_map(move |&big| number_at(bytes, at, width, big))
        })
    })
}

/// Returns the copies of [`numbers`] for one number of `width` (1 to 8) bytes at `at`, or none if it is not inside the bytes.
///
/// # Panics
/// If `width` is over 8.
pub fn number_at(bytes: &[u8], at: usize, width: usize, big_endian: bool) -> Vec<Vec<u8>> {
    let Some(field) = at.checked_add(width).and_then(|end| bytes.get(at..end)) else { return Vec::new() };
    let mut raw = [0; 8];
    raw[..width].copy_from_slice(field);
    if big_endian {
        raw[..width].reverse();
    }
    let (number, max) = (u64::from_le_bytes(raw), u64::MAX >> (64 - 8 * width.max(1)));
    let mut values = vec![0, 1, number.wrapping_sub(1) & max, number.wrapping_add(1) & max, max >> 1, max];
    values.sort_unstable();
    values.dedup();
    values.retain(|&value| value != number);
    values
        .into_iter()
        .map(|value| {
            let mut raw = value.to_le_bytes();
            if big_endian {
                raw[..width].reverse();
            }
            let mut copy = bytes.to_vec();
            copy[at..at + width].copy_from_slice(&raw[..width]);
            copy
        })
        .collect()
}

/// Returns every proper prefix, the shortest first.
pub fn prefixes(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..bytes.len()).map(|length| &bytes[..length])
}

/// Returns an endless sequence of randomly damaged copies; see [`mutant`].
pub fn random(bytes: &[u8], donors: &[Vec<u8>], seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut rng = Rng::new(seed);
    iter::repeat_with(move || mutant(bytes, donors, &mut rng))
}

/// Returns a copy with one to four random changes: flips, interesting numbers, removed, repeated and swapped ranges, splices
/// with the `donors`.
pub fn mutant(bytes: &[u8], donors: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        change(&mut copy, donors, rng);
    }
    copy
}

fn change(bytes: &mut Vec<u8>, donors: &[Vec<u8>], rng: &mut Rng) {
    /// Maximum length of a range that is removed, repeated or inserted.
    const RANGE: usize = 64;
    if bytes.is_empty() {
        bytes.push(rng.next_u64().to_le_bytes()[0]);
        return;
    }
    let at = rng.below(bytes.len());
    let end = at + 1 + rng.below(RANGE.min(bytes.len() - at));
    match rng.below(8) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = rng.next_u64().to_le_bytes()[0],
        2 => {
            let choices = number_at(bytes, at, 1 << rng.below(4), rng.below(2) == 0);
            if let Some(choice) = choices.get(rng.below(choices.len())) {
                bytes.clone_from(choice);
            }
        }
        3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        5 => {
            let range = bytes[at..end].to_vec();
            bytes.splice(at..at, range);
        }
        6 => {
            let (left, right) = bytes.split_at_mut(at);
            let length = (end - at).min(left.len());
            let from = rng.below(left.len() + 1 - length);
            left[from..from + length].swap_with_slice(&mut right[..length]);
        }
        _ => {
            let Some(donor) = donors.get(rng.below(donors.len())) else { return };
            let from = rng.below(donor.len());
            let to = (from + 1 + rng.below(RANGE)).min(donor.len());
            bytes.splice(at..end, donor[from..to].iter().copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // The first outputs for seed 1234567, as in the test of the reference implementation.
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn systematic_damage_is_complete() {
        assert_eq!(bit_flips(&[0]).collect::<Vec<_>>(), [[1], [2], [4], [8], [16], [32], [64], [128]]);
        assert_eq!(byte_flips(&[0, 1]).collect::<Vec<_>>(), [[255, 1], [0, 254]]);
        assert_eq!(number_at(&[9, 5], 1, 1, false), [[9, 0], [9, 1], [9, 4], [9, 6], [9, 127], [9, 255]]);
        assert!(number_at(&[1, 2, 3, 4], 0, 4, true).contains(&vec![1, 2, 3, 5]));
        assert!(number_at(&[1, 2, 3, 4], 0, 4, false).contains(&vec![0, 2, 3, 4]));
        assert!(number_at(&[0; 8], 0, 8, false).contains(&vec![255; 8]));
        assert!(number_at(&[0; 4], 1, 4, false).is_empty());
        assert_eq!(prefixes(b"ab").collect::<Vec<_>>(), [b"".as_slice(), b"a"]);
    }

    #[test]
    fn random_damage_repeats_and_differs_by_seed() {
        let donors = [b"donor".to_vec()];
        let take = |seed| random(b"some file", &donors, seed).take(1000).collect::<Vec<_>>();
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
        assert!(take(1).iter().any(Vec::is_empty), "some copies are cut to nothing");
        assert_eq!(random(b"", &[], 3).take(1000).count(), 1000);
    }
}
