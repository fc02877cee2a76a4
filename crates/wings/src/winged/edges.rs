//! The edges of faces, found by sorting their halves.

use super::soup::FaceSoup;

/// The halves of each edge, sorted by the vertices of the edge: the smaller one, then the larger one.
#[derive(Debug)]
pub(super) struct EdgeIndex {
    /// The larger vertex and the half, in 32 bits each.
    entries: Vec<u64>,
    /// For each vertex, the first entry of the edges whose smaller vertex it is. One more gives the end.
    starts: Vec<u32>,
}

impl EdgeIndex {
    pub(super) fn new(soup: &FaceSoup, vertex_count: usize) -> Self {
        let (mut entries, starts) =
            group_by_key(soup.halves(), vertex_count, |(half, [a, b])| (a.min(b), pack(a.max(b), half)));
        sort_groups(&mut entries, &starts);
        Self { entries, starts }
    }

    /// Iterates over the edges, each with its vertices and its halves. Both are sorted.
    pub(super) fn groups(&self) -> impl Iterator<Item = ([u32; 2], impl ExactSizeIterator<Item = u32> + Clone)> {
        (0_u32..).zip(self.starts.windows(2)).flat_map(|(smaller, bounds)| {
            let edges = self.entries[bounds[0] as usize..bounds[1] as usize].chunk_by(|&a, &b| upper(a) == upper(b));
            edges.map(move |edge| ([smaller, upper(edge[0])], edge.iter().map(|&entry| lower(entry))))
        })
    }

    /// Iterates over the halves of all edges that have exactly two.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.groups().filter_map(|(_, mut halves)| match halves.len() {
            2 => Some([halves.next()?, halves.next()?]),
            _ => None,
        })
    }
}

/// Returns the halves that lead to a larger vertex, sorted by their vertices and then by the rank of their face: one for each edge.
pub(super) fn left_halves(soup: &FaceSoup, vertex_count: usize, rank: impl Fn(u32) -> u32) -> Vec<u32> {
    let lefts = soup.halves().filter(|(_, [start, end])| start < end);
    let (mut entries, starts) = group_by_key(lefts, vertex_count, |(half, [start, end])| (start, pack(end, half)));
    sort_groups(&mut entries, &starts);
    for bounds in starts.windows(2) {
        // Several edges have the same vertices only where more than two faces met.
        let group = &mut entries[bounds[0] as usize..bounds[1] as usize];
        for same in group.chunk_by_mut(|&a, &b| upper(a) == upper(b)).filter(|same| same.len() > 1) {
            same.sort_by_key(|&entry| rank(lower(entry)));
        }
    }
    entries.into_iter().map(lower).collect()
}

/// Groups items by a small number. Returns the values of all items, and the start of each group among them. One more gives the end. Items
/// of a group keep their order.
pub(super) fn group_by_key<T, V: Copy + Default>(
    items: impl Iterator<Item = T> + Clone,
    keys: usize,
    key_and_value: impl Fn(T) -> (u32, V),
) -> (Vec<V>, Vec<u32>) {
    // While items are placed, `starts[key + 1]` is the next place of the group. Afterwards, it is the end of the group.
    let mut starts = vec![0_u32; keys + 2];
    for item in items.clone() {
        starts[key_and_value(item).0 as usize + 2] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut values = vec![V::default(); sum as usize];
    for item in items {
        let (key, value) = key_and_value(item);
        let place = &mut starts[key as usize + 1];
        values[*place as usize] = value;
        *place += 1;
    }
    starts.truncate(keys + 1);
    (values, starts)
}

fn sort_groups(entries: &mut [u64], starts: &[u32]) {
    for bounds in starts.windows(2) {
        entries[bounds[0] as usize..bounds[1] as usize].sort_unstable();
    }
}

pub(super) fn pack(upper: u32, lower: u32) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

pub(super) fn upper(entry: u64) -> u32 {
    (entry >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half of the bits")]
pub(super) fn lower(entry: u64) -> u32 {
    entry as u32
}
