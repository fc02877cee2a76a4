//! Blocks: Huffman codes with zlib's way of breaking ties, and the choice of the block type.
//!
//! Architecture: nothing here is optimal and nothing may be made so. The bytes depend on the order in which equal
//! frequencies leave the heap, on how lengths over the maximum are repaired, and on where runs are cut.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of a block of 16,383 symbols, code lengths up to 15 and numbers of symbols fit everywhere"
)]

use crate::bits::Bits;
use crate::tables::{
    BL_CODES, BL_EXTRA, BL_ORDER, D_CODES, DISTANCE_BASE, DISTANCE_EXTRA, END_BLOCK, L_CODES, LENGTH_BASE, LENGTH_CODE,
    LENGTH_EXTRA, STATIC_LENGTHS, distance_code,
};

/// The longest code of literals and distances.
const MAX_BITS: usize = 15;

/// A literal, or a match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Symbol {
    /// 0 for a literal.
    pub(crate) distance: u16,
    /// The literal, or the length less 3.
    pub(crate) value: u8,
}

/// What a block holds so far.
pub(crate) struct Block {
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) matches: usize,
    literals: [u16; L_CODES],
    distances: [u16; D_CODES],
}

impl Block {
    pub(crate) fn new() -> Self {
        Self { symbols: Vec::with_capacity(1 << 14), matches: 0, literals: [0; L_CODES], distances: [0; D_CODES] }
    }

    #[inline]
    pub(crate) fn literal(&mut self, byte: u8) {
        self.symbols.push(Symbol { distance: 0, value: byte });
        self.literals[usize::from(byte)] += 1;
    }

    /// A match: at most 32,506 bytes back, of 3 to 258 bytes.
    #[inline]
    pub(crate) fn matched(&mut self, distance: usize, length: usize) {
        let (distance, length) = (distance as u16, (length - 3) as u8);
        self.symbols.push(Symbol { distance, value: length });
        self.matches += 1;
        self.literals[END_BLOCK + 1 + usize::from(LENGTH_CODE[usize::from(length)])] += 1;
        self.distances[distance_code(distance - 1)] += 1;
    }

    /// About how many bytes the block takes, as zlib 1.0 guesses.
    pub(crate) fn guess(&self) -> usize {
        let distances = self.distances.iter().zip(DISTANCE_EXTRA);
        let bits = distances.map(|(&count, extra)| usize::from(count) * (5 + usize::from(extra)));
        (8 * self.symbols.len() + bits.sum::<usize>()) >> 3
    }

    /// Writes the block and begins another. `stored` are its bytes, if they are all still in the window.
    pub(crate) fn flush(&mut self, out: &mut Bits, stored: Option<&[u8]>, last: bool) {
        self.literals[END_BLOCK] = 1;
        let literals = Code::new(&self.literals, &LENGTH_EXTRA, END_BLOCK + 1, MAX_BITS, Some(&STATIC_LENGTHS));
        let distances = Code::new(&self.distances, &DISTANCE_EXTRA, 0, MAX_BITS, Some(&[5; D_CODES]));
        let mut runs = Vec::new();
        runs_of(literals.used(), &mut runs);
        runs_of(distances.used(), &mut runs);
        let mut counts = [0; BL_CODES];
        runs.iter().for_each(|&(symbol, _)| counts[symbol] += 1);
        let lengths = Code::new(&counts, &BL_EXTRA, 0, 7, None);
        // At least four are sent.
        let sent = BL_ORDER.iter().rposition(|&symbol| lengths.lengths[symbol] != 0).map_or(4, |at| (at + 1).max(4));
        let head = 3 * sent as i64 + 14;
        let dynamic = (literals.bits + distances.bits + lengths.bits + head + 3 + 7) >> 3;
        let fixed = (literals.static_bits + distances.static_bits + 3 + 7) >> 3;
        let best = dynamic.min(fixed);
        match stored {
            Some(bytes) if bytes.len() as i64 + 4 <= best => store(out, bytes, last),
            _ if fixed == best => {
                out.put(2 | u16::from(last), 3);
                let distance_code = Codes::new([5; D_CODES]);
                self.write(out, &Codes::new(STATIC_LENGTHS), &distance_code);
            }
            _ => {
                out.put(4 | u16::from(last), 3);
                out.put(literals.used().len() as u16 - 257, 5);
                out.put(distances.used().len() as u16 - 1, 5);
                out.put(sent as u16 - 4, 4);
                BL_ORDER[..sent].iter().for_each(|&symbol| out.put(lengths.lengths[symbol].into(), 3));
                let length_codes = Codes::new(lengths.lengths);
                for (symbol, extra) in runs {
                    length_codes.put(out, symbol);
                    out.put(extra, BL_EXTRA[symbol]);
                }
                self.write(out, &Codes::new(literals.lengths), &Codes::new(distances.lengths));
            }
        }
        self.symbols.clear();
        self.matches = 0;
        self.literals = [0; L_CODES];
        self.distances = [0; D_CODES];
    }

    fn write<const L: usize>(&self, out: &mut Bits, literals: &Codes<L>, distances: &Codes<D_CODES>) {
        for &Symbol { distance, value } in &self.symbols {
            if distance == 0 {
                literals.put(out, value.into());
                continue;
            }
            let code = usize::from(LENGTH_CODE[usize::from(value)]);
            literals.put(out, END_BLOCK + 1 + code);
            if LENGTH_EXTRA[code] > 0 {
                out.put(u16::from(value - LENGTH_BASE[code]), LENGTH_EXTRA[code]);
            }
            let code = distance_code(distance - 1);
            distances.put(out, code);
            out.put(distance - 1 - DISTANCE_BASE[code], DISTANCE_EXTRA[code]);
        }
        literals.put(out, END_BLOCK);
    }
}

/// A block of literals hardly worth compressing has fewer than 16,384 bytes, so the length fits.
fn store(out: &mut Bits, bytes: &[u8], last: bool) {
    let length = bytes.len() as u16;
    out.put(last.into(), 3);
    out.align();
    out.bytes(&length.to_le_bytes());
    out.bytes(&(!length).to_le_bytes());
    out.bytes(bytes);
}

/// The code lengths of one alphabet, and what they cost.
struct Code<const N: usize> {
    lengths: [u8; N],
    /// The highest symbol that has a code.
    last: usize,
    /// Bits of all symbols under these lengths; negative by the symbols that were only made up.
    bits: i64,
    /// Bits of all symbols under the fixed lengths.
    static_bits: i64,
}

impl<const N: usize> Code<N> {
    /// `extra` are the extra bits of the symbols from `base` on.
    fn new(counts: &[u16; N], extra: &[u8], base: usize, max: usize, fixed: Option<&[u8]>) -> Self {
        let mut heap = Heap::new(counts);
        let mut code = Self { lengths: [0; N], last: heap.last, bits: 0, static_bits: 0 };
        let fixed_bits = |symbol: usize| fixed.map_or(0, |fixed| i64::from(fixed[symbol]));
        for &symbol in &heap.made_up {
            code.last = code.last.max(symbol);
            code.bits -= 1;
            code.static_bits -= fixed_bits(symbol);
        }
        let (taken, parents) = heap.build();

        // From the root down, so that the length of a parent is known.
        let mut lengths = vec![0_usize; heap.frequency.len()];
        let mut per_length = [0_i32; MAX_BITS + 1];
        let mut overflow = 0;
        for &node in taken.iter().rev().skip(1) {
            let length = lengths[parents[node]] + 1;
            overflow += i32::from(length > max);
            lengths[node] = length.min(max);
            if node < N {
                per_length[length.min(max)] += 1;
                let more = node.checked_sub(base).map_or(0, |index| i64::from(extra[index]));
                let frequency = i64::from(heap.frequency[node]);
                code.bits += frequency * (length.min(max) as i64 + more);
                code.static_bits += frequency * (fixed_bits(node) + more);
            }
        }
        if overflow > 0 {
            repair(&mut per_length, overflow, max);
            // The longest codes go to what was taken first.
            let mut leaves = taken.iter().filter(|&&node| node < N);
            for length in (1..=max).rev() {
                for _ in 0..per_length[length] {
                    let Some(&leaf) = leaves.next() else { break };
                    code.bits += (length as i64 - lengths[leaf] as i64) * i64::from(heap.frequency[leaf]);
                    lengths[leaf] = length;
                }
            }
        }
        for (symbol, length) in code.lengths.iter_mut().enumerate() {
            *length = if heap.frequency[symbol] > 0 { lengths[symbol] as u8 } else { 0 };
        }
        code
    }

    /// The lengths that are sent.
    fn used(&self) -> &[u8] {
        &self.lengths[..=self.last]
    }
}

/// Moves leaves down until no code is longer than the maximum: two of the longest per step.
fn repair(per_length: &mut [i32; MAX_BITS + 1], mut overflow: i32, max: usize) {
    while overflow > 0 {
        let mut length = max - 1;
        while per_length[length] == 0 {
            length -= 1;
        }
        per_length[length] -= 1;
        per_length[length + 1] += 2;
        per_length[max] -= 1;
        overflow -= 2;
    }
}

/// The heap from which Huffman's algorithm takes the two rarest nodes: by frequency, then by depth, then by zlib's order.
struct Heap {
    frequency: Vec<u32>,
    depth: Vec<u8>,
    /// From 1 on.
    nodes: Vec<usize>,
    symbols: usize,
    last: usize,
    made_up: Vec<usize>,
}

impl Heap {
    fn new(counts: &[u16]) -> Self {
        let mut frequency: Vec<u32> = counts.iter().map(|&count| count.into()).collect();
        let symbols = counts.len();
        frequency.resize(2 * symbols, 0);
        let mut nodes = vec![0];
        nodes.extend((0..symbols).filter(|&symbol| counts[symbol] > 0));
        let mut last = if nodes.len() > 1 { nodes[nodes.len() - 1] as isize } else { -1 };
        // Inflaters want at least two codes.
        let mut made_up = Vec::new();
        while nodes.len() < 3 {
            let symbol = if last < 2 {
                last += 1;
                last as usize
            } else {
                0
            };
            frequency[symbol] = 1;
            nodes.push(symbol);
            made_up.push(symbol);
        }
        Self { depth: vec![0; frequency.len()], frequency, nodes, symbols, last: last as usize, made_up }
    }

    fn smaller(&self, a: usize, b: usize) -> bool {
        (self.frequency[a], self.depth[a]) <= (self.frequency[b], self.depth[b])
    }

    /// Lets the node at a place sink.
    fn sink(&mut self, mut place: usize) {
        let node = self.nodes[place];
        let length = self.nodes.len() - 1;
        let mut child = place * 2;
        while child <= length {
            if child < length && self.smaller(self.nodes[child + 1], self.nodes[child]) {
                child += 1;
            }
            if self.smaller(node, self.nodes[child]) {
                break;
            }
            self.nodes[place] = self.nodes[child];
            place = child;
            child *= 2;
        }
        self.nodes[place] = node;
    }

    /// Joins nodes until one is left: the nodes in the order in which they were taken, the root last, and parents.
    fn build(&mut self) -> (Vec<usize>, Vec<usize>) {
        for place in (1..self.nodes.len().div_ceil(2)).rev() {
            self.sink(place);
        }
        let mut parents = vec![0; self.frequency.len()];
        let mut taken = Vec::with_capacity(self.frequency.len());
        let mut joined = self.symbols;
        loop {
            let first = self.nodes[1];
            if let Some(end) = self.nodes.pop()
                && self.nodes.len() > 1
            {
                self.nodes[1] = end;
            }
            self.sink(1);
            let second = self.nodes[1];
            taken.extend([first, second]);
            self.frequency[joined] = self.frequency[first] + self.frequency[second];
            self.depth[joined] = self.depth[first].max(self.depth[second]) + 1;
            parents[first] = joined;
            parents[second] = joined;
            self.nodes[1] = joined;
            joined += 1;
            self.sink(1);
            if self.nodes.len() < 3 {
                break;
            }
        }
        taken.push(self.nodes[1]);
        (taken, parents)
    }
}

/// Canonical codes, reversed as they are sent, with their lengths.
struct Codes<const N: usize> {
    codes: [(u16, u8); N],
}

impl<const N: usize> Codes<N> {
    fn new(lengths: [u8; N]) -> Self {
        let mut per_length = [0_u16; MAX_BITS + 1];
        lengths.iter().for_each(|&length| per_length[usize::from(length)] += 1);
        per_length[0] = 0;
        let mut next = [0_u16; MAX_BITS + 1];
        for length in 1..=MAX_BITS {
            next[length] = (next[length - 1] + per_length[length - 1]) << 1;
        }
        let codes = lengths.map(|length| {
            if length == 0 {
                return (0, 0);
            }
            let code = next[usize::from(length)];
            next[usize::from(length)] += 1;
            (code.reverse_bits() >> (16 - length), length)
        });
        Self { codes }
    }

    #[inline]
    fn put(&self, out: &mut Bits, symbol: usize) {
        let (code, length) = self.codes[symbol];
        out.put(code, length);
    }
}

/// Adds the runs of a table of code lengths: a length, or 16 to 18 with how often.
fn runs_of(lengths: &[u8], runs: &mut Vec<(usize, u16)>) {
    let mut previous = None;
    let limits = |next: Option<u8>, current: Option<u8>| match next {
        Some(0) => (138, 3),
        next if next == current => (6, 3),
        _ => (7, 4),
    };
    let (mut most, mut least) = limits(lengths.first().copied(), None);
    let mut count = 0_u16;
    for (index, &current) in lengths.iter().enumerate() {
        let next = lengths.get(index + 1).copied();
        count += 1;
        if count < most && next == Some(current) {
            continue;
        }
        let symbol = usize::from(current);
        if count < least {
            runs.extend((0..count).map(|_| (symbol, 0)));
        } else if current != 0 {
            if previous != Some(current) {
                runs.push((symbol, 0));
                count -= 1;
            }
            runs.push((16, count - 3));
        } else if count <= 10 {
            runs.push((17, count - 3));
        } else {
            runs.push((18, count - 11));
        }
        count = 0;
        previous = Some(current);
        (most, least) = limits(next, previous);
    }
}
