//! Groups the corners around each vertex.

use super::Problem;
use super::rings::{NONE, Rings};

/// The corners of rings, divided into *fans*: corners at the same vertex in rings that are connected by edges at that vertex.
/// A fan is closed, or open at two borders.
pub(super) struct Fans {
    /// Fan of the corner at the start of each half.
    pub(super) of_half: Vec<usize>,
    /// Vertex of the mesh for each fan.
    pub(super) vertices: Vec<usize>,
    /// Next fan around the same vertex; the fan itself if it is the only one.
    pub(super) next: Vec<usize>,
    /// For each vertex of the mesh, the vertex of the soup that it came from.
    pub(super) sources: Vec<u32>,
    /// `true` for each vertex of the soup that has a fan.
    pub(super) used: Vec<bool>,
}

/// A fan that is not the first at its vertex.
struct Extra {
    fan: usize,
    /// First half of the fan.
    half: usize,
    /// `true` if the fan surrounds the vertex.
    closed: bool,
    /// `true` if the first fan of the vertex surrounds it.
    first_closed: bool,
    /// `true` if the fan ends at a surplus half of an edge, which was already reported.
    is_reported: bool,
}

impl Fans {
    /// Gives every fan its own vertex, and reports the problems that this repairs.
    pub(super) fn new(rings: &mut Rings, share: bool, problems: &mut Vec<Problem>) -> Self {
        let mut surplus = rings.pair();
        report_full_edges(rings, &surplus, problems);
        let fans = Self::number_vertices(rings, &surplus, share, |extra| problems.extend(extra.problem(rings)));
        let alone = isolate_doubles(rings, &fans);
        if alone.is_empty() {
            return fans;
        }
        surplus.extend(alone);
        Self::number_vertices(rings, &surplus, share, |_| {})
    }

    /// Numbers the vertices of fans. With `share`, open fans at a vertex share it.
    fn number_vertices(rings: &Rings, surplus: &[usize], share: bool, mut report: impl FnMut(&Extra)) -> Self {
        let labels = Labels::new(rings);
        let count = rings.vertices.iter().max().map_or(0, |&vertex| vertex as usize + 1);
        let mut used = vec![false; count];
        rings.vertices.iter().for_each(|&vertex| used[vertex as usize] = true);
        // Vertices keep their order; copies follow them.
        let mut number = vec![NONE; count];
        let mut sources = Vec::new();
        for (vertex, source) in (0..count).zip(0_u32..).filter(|(vertex, _)| used[*vertex]) {
            number[vertex] = sources.len();
            sources.push(source);
        }
        let is_reported = labels.reported_fans(rings, surplus);
        // The first and the last fan of each vertex that share it.
        let mut shared = vec![[NONE; 2]; count];
        let mut vertices = Vec::with_capacity(labels.fans.len());
        let mut next: Vec<usize> = (0..labels.fans.len()).collect();
        for (fan, &(half, closed)) in labels.fans.iter().enumerate() {
            let vertex = rings.vertices[half] as usize;
            let [first, last] = &mut shared[vertex];
            if *first == NONE {
                (*first, *last) = (fan, fan);
                vertices.push(number[vertex]);
                continue;
            }
            let extra = Extra { fan, half, closed, first_closed: labels.fans[*first].1, is_reported: is_reported[fan] };
            let closed = extra.closed || extra.first_closed;
            if share && !(closed || is_reported[fan] || is_reported[*first]) {
                vertices.push(number[vertex]);
                next[*last] = fan;
                next[fan] = *first;
                *last = fan;
            } else {
                report(&extra);
                vertices.push(sources.len());
                sources.push(rings.vertices[half]);
            }
        }
        Self { of_half: labels.of_half, vertices, next, sources, used }
    }

    /// Returns the vertex of the mesh at the start of a half.
    pub(super) fn vertex(&self, half: usize) -> usize {
        self.vertices[self.of_half[half]]
    }
}

impl Extra {
    fn problem(&self, rings: &Rings) -> Option<Problem> {
        let (face, vertex) = (rings.face(self.half), rings.vertices[self.half]);
        match (self.first_closed, self.closed) {
            _ if self.is_reported => None,
            (true, _) => Some(Problem::VertexClosed { face, vertex }),
            (false, true) => Some(Problem::EdgesBetween { face, vertex }),
            (false, false) => Some(Problem::NotJoined { face, vertex }),
        }
    }
}

/// The fan of each corner.
struct Labels {
    of_half: Vec<usize>,
    /// Lowest half of each fan, and `true` if it surrounds its vertex.
    fans: Vec<(usize, bool)>,
}

impl Labels {
    fn new(rings: &Rings) -> Self {
        let mut of_half = vec![NONE; rings.vertices.len()];
        let mut fans = Vec::new();
        for seed in 0..of_half.len() {
            if of_half[seed] != NONE {
                continue;
            }
            // Walk in one direction to the border or back to the seed, then in the other direction.
            let fan = fans.len();
            let mut half = seed;
            let closed = loop {
                of_half[half] = fan;
                match rings.partner[rings.previous(half)] {
                    NONE => break false,
                    other if other == seed => break true,
                    other => half = other,
                }
            };
            let mut half = seed;
            while !closed && rings.partner[half] != NONE {
                half = rings.next(rings.partner[half]);
                of_half[half] = fan;
            }
            fans.push((seed, closed));
        }
        Self { of_half, fans }
    }

    /// Returns `true` for fans at a surplus half of an edge.
    fn reported_fans(&self, rings: &Rings, surplus: &[usize]) -> Vec<bool> {
        let mut is_reported = vec![false; self.fans.len()];
        for &half in surplus {
            is_reported[self.of_half[half]] = true;
            is_reported[self.of_half[rings.next(half)]] = true;
        }
        is_reported
    }
}

fn report_full_edges(rings: &Rings, surplus: &[usize], problems: &mut Vec<Problem>) {
    problems.extend(surplus.iter().map(|&half| Problem::EdgeFull { face: rings.face(half), edge: rings.edge(half) }));
}

/// Separates rings from their neighbours if two edges would connect the same vertices, and returns their halves.
fn isolate_doubles(rings: &mut Rings, fans: &Fans) -> Vec<usize> {
    let ends = |half: usize| {
        let (a, b) = (fans.vertex(half), fans.vertex(rings.next(half)));
        [a.min(b), a.max(b)]
    };
    let firsts = (0..rings.vertices.len()).filter(|&half| rings.partner[half] == NONE || half < rings.partner[half]);
    let mut edges: Vec<([usize; 2], usize)> = firsts.map(|half| (ends(half), half)).collect();
    edges.sort_unstable();
    let doubles = edges.chunk_by(|a, b| a.0 == b.0).flat_map(|group| group.iter().skip(1));
    let halves = doubles.flat_map(|&(_, half)| [half, rings.partner[half]]).filter(|&half| half != NONE);
    let mut alone: Vec<usize> = halves.map(|half| rings.ring[half]).collect();
    alone.sort_unstable();
    alone.dedup();
    let alone: Vec<usize> = alone.into_iter().flat_map(|ring| rings.start(ring)..rings.ends[ring]).collect();
    for &half in &alone {
        let partner = std::mem::replace(&mut rings.partner[half], NONE);
        if let Some(back) = rings.partner.get_mut(partner) {
            *back = NONE;
        }
    }
    alone
}

/// Leaves out the rings that a mesh cannot represent. Returns `true` if there were any.
pub(super) fn leave_out_rings(rings: &mut Rings, problems: &mut Vec<Problem>) -> bool {
    let surplus = rings.pair();
    let mut out = vec![false; rings.ends.len()];
    report_full_edges(rings, &surplus, problems);
    surplus.iter().for_each(|&half| out[rings.ring[half]] = true);
    if surplus.is_empty() {
        let mut extra = vec![false; rings.vertices.len()];
        let fans = Fans::number_vertices(rings, &[], false, |other| {
            extra[other.fan] = true;
            problems.extend(other.problem(rings));
        });
        for (half, &fan) in fans.of_half.iter().enumerate() {
            out[rings.ring[half]] |= extra[fan];
        }
    }
    let some = out.contains(&true);
    rings.retain(|ring| !out[ring]);
    some
}
