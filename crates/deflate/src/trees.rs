//! Blocks: Huffman codes with zlib's tie-breaking, and the choice of the block type.
//!
//! Architecture: nothing here is optimal, and nothing may be optimized. The bytes depend on the order in which equal
//! frequencies leave the heap, on the repair of lengths above the maximum, and on the points at which runs are cut.

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
    /// The literal, or the length minus 3.
    pub(crate) value: u8,
}

/// Symbols of the current block, and their counts.
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
    pub(crate) fn add_literal(&mut self, byte: u8) {
        self.symbols.push(Symbol { distance: 0, value: byte });
        self.literals[usize::from(byte)] += 1;
    }

    /// Adds a match: at most 32,506 bytes back, 3 to 258 bytes long.
    #[inline]
    pub(crate) fn add_match(&mut self, distance: usize, length: usize) {
        let (distance, length) = (distance as u16, (length - 3) as u8);
        self.symbols.push(Symbol { distance, value: length });
        self.matches += 1;
        self.literals[END_BLOCK + 1 + usize::from(LENGTH_CODE[usize::from(length)])] += 1;
        self.distances[distance_code(distance - 1)] += 1;
    }

    /// Estimates the compressed size in bytes, as zlib 1.0 does.
    pub(crate) fn estimate_size(&self) -> usize {
        let distances = self.distances.iter().zip(DISTANCE_EXTRA);
        let bits = distances.map(|(&count, extra)| usize::from(count) * (5 + usize::from(extra)));
        (8 * self.symbols.len() + bits.sum::<usize>()) >> 3
    }

    /// Writes the block and starts a new one. `stored` are its bytes, if all of them are still in the window.
    pub(crate) fn flush(&mut self, out: &mut Bits, stored: Option<&[u8]>, last: bool) {
        self.literals[END_BLOCK] = 1;
        let literals = CodeLengths::new(&self.literals, &LENGTH_EXTRA, END_BLOCK + 1, MAX_BITS, Some(&STATIC_LENGTHS));
        let distances = CodeLengths::new(&self.distances, &DISTANCE_EXTRA, 0, MAX_BITS, Some(&[5; D_CODES]));
        let mut runs = Vec::new();
        push_runs(literals.used(), &mut runs);
        push_runs(distances.used(), &mut runs);
        let mut counts = [0; BL_CODES];
        runs.iter().for_each(|&(symbol, _)| counts[symbol] += 1);
        let lengths = CodeLengths::new(&counts, &BL_EXTRA, 0, 7, None);
        // The format stores at least four lengths.
        let sent = BL_ORDER.iter().rposition(|&symbol| lengths.lengths[symbol] != 0).map_or(4, |at| (at + 1).max(4));
        let head = 3 * sent as i64 + 14;
        let dynamic = (literals.bits + distances.bits + lengths.bits + head + 3 + 7) >> 3;
        let fixed = (literals.static_bits + distances.static_bits + 3 + 7) >> 3;
        let best = dynamic.min(fixed);
        match stored {
            Some(bytes) if bytes.len() as i64 + 4 <= best => write_stored_block(out, bytes, last),
            _ if fixed == best => {
                out.write_bits(2 | u16::from(last), 3);
                let distance_code = CodeTable::new([5; D_CODES]);
                self.write_symbols(out, &CodeTable::new(STATIC_LENGTHS), &distance_code);
            }
            _ => {
                out.write_bits(4 | u16::from(last), 3);
                out.write_bits(literals.used().len() as u16 - 257, 5);
                out.write_bits(distances.used().len() as u16 - 1, 5);
                out.write_bits(sent as u16 - 4, 4);
                BL_ORDER[..sent].iter().for_each(|&symbol| out.write_bits(lengths.lengths[symbol].into(), 3));
                let length_codes = CodeTable::new(lengths.lengths);
                for (symbol, extra) in runs {
                    length_codes.write_code(out, symbol);
                    out.write_bits(extra, BL_EXTRA[symbol]);
                }
                self.write_symbols(out, &CodeTable::new(literals.lengths), &CodeTable::new(distances.lengths));
            }
        }
        self.symbols.clear();
        self.matches = 0;
        self.literals = [0; L_CODES];
        self.distances = [0; D_CODES];
    }

    fn write_symbols<const L: usize>(&self, out: &mut Bits, literals: &CodeTable<L>, distances: &CodeTable<D_CODES>) {
        for &Symbol { distance, value } in &self.symbols {
            if distance == 0 {
                literals.write_code(out, value.into());
                continue;
            }
            let code = usize::from(LENGTH_CODE[usize::from(value)]);
            literals.write_code(out, END_BLOCK + 1 + code);
            if LENGTH_EXTRA[code] > 0 {
                out.write_bits(u16::from(value - LENGTH_BASE[code]), LENGTH_EXTRA[code]);
            }
            let code = distance_code(distance - 1);
            distances.write_code(out, code);
            out.write_bits(distance - 1 - DISTANCE_BASE[code], DISTANCE_EXTRA[code]);
        }
        literals.write_code(out, END_BLOCK);
    }
}

/// Writes a stored block. It has at most 16,383 symbols that hardly compress, so the length fits 16 bits.
fn write_stored_block(out: &mut Bits, bytes: &[u8], last: bool) {
    let length = bytes.len() as u16;
    out.write_bits(last.into(), 3);
    out.align();
    out.write_bytes(&length.to_le_bytes());
    out.write_bytes(&(!length).to_le_bytes());
    out.write_bytes(bytes);
}

/// Code lengths of one alphabet, and the size of the symbols coded with them.
struct CodeLengths<const N: usize> {
    lengths: [u8; N],
    /// The highest symbol that has a code.
    last: usize,
    /// Bits of all symbols under these lengths, less one for each padding symbol.
    bits: i64,
    /// Bits of all symbols under the fixed lengths.
    static_bits: i64,
}

impl<const N: usize> CodeLengths<N> {
    /// Computes the lengths. `extra` are the extra bits of the symbols from `base` on.
    fn new(counts: &[u16; N], extra: &[u8], base: usize, max: usize, fixed: Option<&[u8]>) -> Self {
        let mut heap = Heap::new(counts);
        let mut code = Self { lengths: [0; N], last: heap.last, bits: 0, static_bits: 0 };
        let fixed_bits = |symbol: usize| fixed.map_or(0, |fixed| i64::from(fixed[symbol]));
        for &symbol in &heap.padding {
            code.last = code.last.max(symbol);
            code.bits -= 1;
            code.static_bits -= fixed_bits(symbol);
        }
        let (taken, parents) = heap.build_tree();

        // From the root down: the length of a node depends on that of its parent.
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
            limit_lengths(&mut per_length, overflow, max);
            // The nodes that left the heap first get the longest codes.
            let mut leaves = taken.iter().filter(|&&node| node < N);
            for length in (1..=max).rev() {
                for _ in 0..per_length[length] {
                    let leaf = *leaves.next().expect("every leaf has one length");
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

    /// Returns the lengths that are stored.
    fn used(&self) -> &[u8] {
        &self.lengths[..=self.last]
    }
}

/// Moves leaves down until no code is longer than the maximum. Each step removes two codes that are too long.
fn limit_lengths(per_length: &mut [i32; MAX_BITS + 1], mut overflow: i32, max: usize) {
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

/// Heap of nodes for Huffman's algorithm, ordered by frequency, then depth, then zlib's order.
struct Heap {
    frequency: Vec<u32>,
    depth: Vec<u8>,
    /// The heap. The first entry is unused.
    nodes: Vec<usize>,
    symbols: usize,
    last: usize,
    padding: Vec<usize>,
}

impl Heap {
    fn new(counts: &[u16]) -> Self {
        let mut frequency: Vec<u32> = counts.iter().map(|&count| count.into()).collect();
        let symbols = counts.len();
        frequency.resize(2 * symbols, 0);
        let mut nodes = vec![0];
        nodes.extend((0..symbols).filter(|&symbol| counts[symbol] > 0));
        let mut last = if nodes.len() > 1 { nodes[nodes.len() - 1] as isize } else { -1 };
        // Inflaters require at least two codes.
        let mut padding = Vec::new();
        while nodes.len() < 3 {
            let symbol = if last < 2 {
                last += 1;
                last as usize
            } else {
                0
            };
            frequency[symbol] = 1;
            nodes.push(symbol);
            padding.push(symbol);
        }
        Self { depth: vec![0; frequency.len()], frequency, nodes, symbols, last: last as usize, padding }
    }

    fn is_smaller(&self, a: usize, b: usize) -> bool {
        (self.frequency[a], self.depth[a]) <= (self.frequency[b], self.depth[b])
    }

    /// Moves the node at an index down to its position in the heap order.
    fn sift_down(&mut self, mut place: usize) {
        let node = self.nodes[place];
        let length = self.nodes.len() - 1;
        let mut child = place * 2;
        while child <= length {
            if child < length && self.is_smaller(self.nodes[child + 1], self.nodes[child]) {
                child += 1;
            }
            if self.is_smaller(node, self.nodes[child]) {
                break;
            }
            self.nodes[place] = self.nodes[child];
            place = child;
            child *= 2;
        }
        self.nodes[place] = node;
    }

    /// Joins nodes until only the root is left. Returns the nodes in the order in which they were taken, the root last, and
    /// the parent of each node.
    fn build_tree(&mut self) -> (Vec<usize>, Vec<usize>) {
        for place in (1..self.nodes.len().div_ceil(2)).rev() {
            self.sift_down(place);
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
            self.sift_down(1);
            let second = self.nodes[1];
            taken.extend([first, second]);
            self.frequency[joined] = self.frequency[first] + self.frequency[second];
            self.depth[joined] = self.depth[first].max(self.depth[second]) + 1;
            parents[first] = joined;
            parents[second] = joined;
            self.nodes[1] = joined;
            joined += 1;
            self.sift_down(1);
            if self.nodes.len() < 3 {
                break;
            }
        }
        taken.push(self.nodes[1]);
        (taken, parents)
    }
}

/// Canonical codes with their lengths, bits reversed as they are stored.
struct CodeTable<const N: usize> {
    codes: [(u16, u8); N],
}

impl<const N: usize> CodeTable<N> {
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
    fn write_code(&self, out: &mut Bits, symbol: usize) {
        let (code, length) = self.codes[symbol];
        out.write_bits(code, length);
    }
}

/// Adds the run-length symbols of a table of code lengths: a length, or 16 to 18 with a repeat count.
fn push_runs(lengths: &[u8], runs: &mut Vec<(usize, u16)>) {
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
