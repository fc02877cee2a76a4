//! Finds what was there before: what both packers are made of.

/// Bits of the table's places.
const BITS: u32 = 15;

/// Bytes that are there already, some way back.
pub(crate) struct Match {
    /// How many; 4 at least.
    pub(crate) length: usize,
    /// How far back.
    pub(crate) distance: usize,
}

/// Remembers for four bytes where they, or others that share their place in the table, were last.
pub(crate) struct Finder<'a> {
    data: &'a [u8],
    last: Vec<usize>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, last: vec![usize::MAX; 1 << BITS] }
    }

    /// What is at a place and was there before, at most so far back and so long. Places must be asked for in ascending order; only
    /// those are remembered.
    pub(crate) fn at(&mut self, at: usize, farthest: usize, longest: usize) -> Option<Match> {
        let here = self.data.get(at..)?;
        let key = u32::from_le_bytes(*here.first_chunk()?);
        // A multiplicative hash (Knuth): its upper bits are the good ones.
        let hash = key.wrapping_mul(0x9e37_79b1) >> (32 - BITS);
        let place = self.last.get_mut(usize::try_from(hash).ok()?)?;
        let before = std::mem::replace(place, at);
        let distance = at.checked_sub(before).filter(|distance| (1..=farthest).contains(distance))?;
        let there = self.data.get(before..)?;
        let length = here.iter().zip(there).take(longest).take_while(|(here, there)| here == there).count();
        (length >= 4).then_some(Match { length, distance })
    }
}

/// Bytes for the tests of packers: noise, order, repetitions near and far, of many lengths.
#[cfg(test)]
pub(crate) fn samples() -> Vec<Vec<u8>> {
    let mut seed = 12_345_u32;
    let mut random = |end: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(seed >> 8).unwrap() % end
    };
    let mut samples = vec![Vec::new(), vec![0], b"abc".to_vec(), b"abababab".to_vec(), vec![9; 70_000]];
    for count in (1..30).chain(230..300).chain([1023, 1024, 5000, 200_000]) {
        samples.push((0..count).map(|_| random(256).to_le_bytes()[0]).collect());
        samples.push((0..count).map(|place: usize| (place / 7).to_le_bytes()[0]).collect());
        samples.push((0..count).flat_map(|_| (random(500) as f32 * 0.25).to_le_bytes()).collect());
    }
    for farthest in [20, 2000, 3000, 16_000, 20_000, 32_767, 32_768, 32_769, 49_151, 50_000] {
        let mut bytes: Vec<u8> = (0..farthest + 100).map(|_| random(256).to_le_bytes()[0]).collect();
        while bytes.len() < 200_000 {
            let (from, length) = (bytes.len() - farthest + random(3), random(700));
            bytes.extend_from_within(from..(from + length).min(bytes.len()));
            (0..random(30)).for_each(|_| bytes.push(random(256).to_le_bytes()[0]));
        }
        samples.push(bytes);
    }
    samples
}
