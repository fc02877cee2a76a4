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
