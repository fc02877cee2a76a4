//! The lazy matcher of zlib.
//!
//! Architecture: positions count from the start of the data; `base` is the start of zlib's window of 64 KiB. The position
//! of the window and the amount of input read into it decide which matches are found, so both follow zlib exactly.

use crate::bits::Bits;
use crate::trees::Block;
use crate::{BlockEnd, Level};

const WINDOW: usize = 1 << 15;
/// The distance by which the window moves.
const SLIDE: u16 = 1 << 15;
const MIN_MATCH: usize = 3;
const MAX_MATCH: usize = 258;
/// The window is refilled if less input than this is ahead.
const MIN_LOOKAHEAD: usize = MAX_MATCH + MIN_MATCH + 1;
const MAX_DISTANCE: usize = WINDOW - MIN_LOOKAHEAD;
/// A match of three bytes at a greater distance costs more than three literals.
const TOO_FAR: usize = 4096;
/// A block ends with the symbol before its buffer is full.
const MAX_SYMBOLS: usize = (1 << 14) - 1;

/// Search parameters of a level.
struct Effort {
    /// A previous match of this length reduces `chain` to a quarter.
    good: usize,
    /// A previous match of this length suppresses the search.
    lazy: usize,
    /// A match of this length ends the search.
    nice: usize,
    /// Maximum number of candidates.
    chain: usize,
}

impl Level {
    fn effort(self) -> Effort {
        let (good, lazy, nice, chain) = match self {
            Self::Four => (4, 4, 16, 16),
            Self::Five => (8, 16, 32, 32),
            Self::Six => (8, 16, 128, 128),
            Self::Seven => (8, 32, 128, 256),
            Self::Eight => (32, 128, 258, 1024),
            Self::Nine => (32, 258, 258, 4096),
        };
        Effort { good, lazy, nice, chain }
    }
}

struct Matcher<'a> {
    data: &'a [u8],
    effort: Effort,
    /// The most recent position of each hash, from the start of the window. 0 means none.
    head: Box<[u16; WINDOW]>,
    /// The previous position with the same hash, for each of the last positions, from the start of the window.
    chain: Box<[u16; WINDOW]>,
    /// Start of the window.
    base: usize,
    /// End of the input that was read into the window.
    filled: usize,
    position: usize,
}

/// Appends the deflated data to `out`. Stops after `blocks` blocks and then returns only complete bytes.
pub(crate) fn deflate(data: &[u8], out: Vec<u8>, level: Level, block_end: BlockEnd, mut blocks: usize) -> Vec<u8> {
    let mut matcher = Matcher {
        data,
        effort: level.effort(),
        head: Box::new([0; WINDOW]),
        chain: Box::new([0; WINDOW]),
        base: 0,
        filled: 0,
        position: 0,
    };
    let mut out = Bits::new(out);
    let mut block = Block::new();
    let mut block_start = 0;
    let mut length = MIN_MATCH - 1;
    let mut start = 0;
    let mut pending = false;
    while matcher.fill_window() {
        let candidate = matcher.insert_position();
        let (previous_length, previous_start) = (length, start);
        length = MIN_MATCH - 1;
        if let Some(candidate) = candidate.filter(|_| previous_length < matcher.effort.lazy) {
            (length, start) = matcher.find_longest(candidate, previous_length, previous_start);
        }
        let position = matcher.position;
        let flush = if previous_length >= MIN_MATCH && length <= previous_length {
            block.add_match(position - 1 - previous_start, previous_length);
            let flush = is_full(&block, block_end, position - block_start);
            matcher.skip_match(previous_length - 2);
            pending = false;
            length = MIN_MATCH - 1;
            flush
        } else if pending {
            block.add_literal(data[position - 1]);
            is_full(&block, block_end, position - block_start)
        } else {
            pending = true;
            false
        };
        if flush {
            // After a match, the position is at its last byte, which is in the block. A literal is added one position late.
            let end = if pending { matcher.position } else { matcher.position + 1 };
            block.flush(&mut out, matcher.window_bytes(block_start, end), false);
            block_start = end;
            blocks -= 1;
            if blocks == 0 {
                return out.into_complete_bytes();
            }
        }
        matcher.position += 1;
    }
    if pending {
        block.add_literal(data[matcher.position - 1]);
    }
    block.flush(&mut out, matcher.window_bytes(block_start, matcher.position), true);
    out.into_bytes()
}

/// Returns `true` if the block ends with the symbol that was added last.
fn is_full(block: &Block, block_end: BlockEnd, input: usize) -> bool {
    let symbols = block.symbols.len();
    let compresses_well = || block.matches < symbols / 2 && block.estimate_size() < input / 2;
    symbols == MAX_SYMBOLS || (block_end == BlockEnd::Early && symbols.is_multiple_of(4096) && compresses_well())
}

impl<'a> Matcher<'a> {
    /// Reads input into the window if little is ahead. Returns `true` if any input is ahead.
    fn fill_window(&mut self) -> bool {
        while self.filled - self.position < MIN_LOOKAHEAD && self.filled < self.data.len() {
            if self.position - self.base >= WINDOW + MAX_DISTANCE {
                self.base += WINDOW;
                for positions in [&mut self.head, &mut self.chain] {
                    positions.iter_mut().for_each(|position| *position = position.saturating_sub(SLIDE));
                }
            }
            self.filled = self.data.len().min(self.base + 2 * WINDOW);
        }
        self.filled > self.position
    }

    /// Adds the position to the hash table and returns the nearest match candidate, from the start of the window. The first
    /// position of the window is never a candidate.
    fn insert_position(&mut self) -> Option<usize> {
        if self.filled - self.position < MIN_MATCH {
            return None;
        }
        let candidate = self.insert_hash();
        (candidate > 0 && self.position - self.base - candidate <= MAX_DISTANCE).then_some(candidate)
    }

    #[inline]
    fn insert_hash(&mut self) -> usize {
        let &[a, b, c] = self.data[self.position..].first_chunk().expect("three bytes are ahead");
        let hash = ((usize::from(a) << 10) ^ (usize::from(b) << 5) ^ usize::from(c)) % WINDOW;
        #[expect(clippy::cast_possible_truncation, reason = "the window has 64 KiB")]
        let position = (self.position - self.base) as u16;
        let before = std::mem::replace(&mut self.head[hash], position);
        self.chain[self.position % WINDOW] = before;
        before.into()
    }

    /// Adds the positions inside a match to the hash table.
    fn skip_match(&mut self, count: usize) {
        for _ in 0..count {
            self.position += 1;
            if self.position + MIN_MATCH <= self.filled {
                self.insert_hash();
            }
        }
    }

    /// Finds the longest match that is longer than the previous one, from a candidate in the window. Returns its length and
    /// its start in the data.
    fn find_longest(&self, mut candidate: usize, previous: usize, mut start: usize) -> (usize, usize) {
        let ahead = self.filled - self.position;
        let Effort { good, nice, mut chain, .. } = self.effort;
        if previous >= good {
            chain >>= 2;
        }
        let nice = nice.min(ahead);
        let window = &self.data[self.base..];
        let position = self.position - self.base;
        let limit = position.saturating_sub(MAX_DISTANCE);
        let here = &window[position..];
        let here = &here[..here.len().min(MAX_MATCH)];
        let mut best = previous;
        // The last bytes of a match that would be the longest. Most candidates differ there.
        let end = |candidate: usize, best: usize| {
            let end = &window[candidate + best - 1..candidate + best + 1];
            u16::from_le_bytes([end[0], end[1]])
        };
        let mut here_end = if best < here.len() { end(position, best) } else { 0 };
        while best < here.len() {
            if end(candidate, best) == here_end {
                let length = common_prefix_len(here, &window[candidate..candidate + here.len()]);
                if length > best {
                    (best, start) = (length, self.base + candidate);
                    if length >= nice || best == here.len() {
                        break;
                    }
                    here_end = end(position, best);
                }
            }
            candidate = self.chain[candidate % WINDOW].into();
            chain -= 1;
            if candidate <= limit || chain == 0 {
                break;
            }
        }
        let length = best.min(ahead);
        if length == MIN_MATCH && self.position - start > TOO_FAR { (MIN_MATCH - 1, start) } else { (length, start) }
    }

    /// Returns the bytes of a block if all of them are still in the window.
    fn window_bytes(&self, start: usize, end: usize) -> Option<&'a [u8]> {
        (start >= self.base).then(|| &self.data[start..end])
    }
}

/// Returns the length of the common prefix.
#[inline]
fn common_prefix_len(a: &[u8], b: &[u8]) -> usize {
    let mut length = 0;
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        let difference = read_u64(a) ^ read_u64(b);
        if difference != 0 {
            return length + (difference.trailing_zeros() / 8) as usize;
        }
        length += 8;
    }
    length + a[length..].iter().zip(&b[length..]).take_while(|(a, b)| a == b).count()
}

#[inline]
fn read_u64(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
