//! Match finder of both compressors.

/// Number of bits of a table index.
const BITS: u32 = 15;

/// Earlier bytes that repeat.
pub(crate) struct Match {
    /// Length in bytes, at least 4.
    pub(crate) length: usize,
    /// Distance to the earlier bytes.
    pub(crate) distance: usize,
}

/// Remembers the last position of each hash of four bytes.
pub(crate) struct Finder<'a> {
    data: &'a [u8],
    last: Vec<usize>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, last: vec![usize::MAX; 1 << BITS] }
    }

    /// Finds an earlier match for the bytes at a position and remembers the position. `farthest` limits the distance, `longest` the
    /// length. Positions must ascend.
    pub(crate) fn find_match(&mut self, at: usize, farthest: usize, longest: usize) -> Option<Match> {
        let here = self.data.get(at..)?;
        let key = u32::from_le_bytes(*here.first_chunk()?);
        // A multiplicative hash (Knuth). Its upper bits are well distributed.
        let hash = key.wrapping_mul(0x9e37_79b1) >> (32 - BITS);
        let slot = self.last.get_mut(usize::try_from(hash).ok()?)?;
        let before = std::mem::replace(slot, at);
        let distance = at.checked_sub(before).filter(|distance| (1..=farthest).contains(distance))?;
        let there = self.data.get(before..)?;
        let length = here.iter().zip(there).take(longest).take_while(|(here, there)| here == there).count();
        (length >= 4).then_some(Match { length, distance })
    }
}

/// Returns test data for the compressors: noise, order, and repetitions at many distances and lengths.
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
