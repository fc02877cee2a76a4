//! Corners round a vertex.

use super::Problem;
use super::rings::{NONE, Rings};

/// The corners of rings, parted into *fans*: those that one gets to from one another round their vertex, from ring to neighbouring
/// ring. A fan is closed, or open at two borders.
pub(super) struct Fans {
    /// The fan of the corner that each half starts at.
    pub(super) of_half: Vec<usize>,
    /// The vertex of the mesh of each fan.
    pub(super) vertices: Vec<usize>,
    /// The next fan round the vertex of each fan; itself, where it is alone.
    pub(super) next: Vec<usize>,
    /// The vertex of the soup that each vertex of the mesh was.
    pub(super) sources: Vec<u32>,
    /// Whether a vertex of the soup has a fan.
    pub(super) used: Vec<bool>,
}

/// A fan that is not the first of its vertex.
struct Extra {
    fan: usize,
    /// Its first half.
    half: usize,
    /// Whether it goes all round the vertex.
    closed: bool,
    /// Whether the first fan of the vertex does.
    first_closed: bool,
    /// Whether it ends at a half that is one too many at its edge, which was told already.
    told: bool,
}

impl Fans {
    /// Gives every fan a vertex of its own, and tells what that puts right.
    pub(super) fn new(rings: &mut Rings, share: bool, problems: &mut Vec<Problem>) -> Self {
        let mut surplus = rings.pair();
        full_edges(rings, &surplus, problems);
        let fans = Self::number(rings, &surplus, share, |extra| problems.extend(extra.problem(rings)));
        let alone = isolate_doubles(rings, &fans);
        if alone.is_empty() {
            return fans;
        }
        surplus.extend(alone);
        Self::number(rings, &surplus, share, |_| {})
    }

    /// Open fans of a vertex may share it.
    fn number(rings: &Rings, surplus: &[usize], share: bool, mut tell: impl FnMut(&Extra)) -> Self {
        let labels = Labels::new(rings);
        let count = rings.vertices.iter().max().map_or(0, |&vertex| vertex as usize + 1);
        let mut used = vec![false; count];
        rings.vertices.iter().for_each(|&vertex| used[vertex as usize] = true);
        // Vertices keep their order; copies follow behind.
        let mut number = vec![NONE; count];
        let mut sources = Vec::new();
        for (vertex, source) in (0..count).zip(0_u32..).filter(|(vertex, _)| used[*vertex]) {
            number[vertex] = sources.len();
            sources.push(source);
        }
        let told = labels.told(rings, surplus);
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
            let extra = Extra { fan, half, closed, first_closed: labels.fans[*first].1, told: told[fan] };
            let closed = extra.closed || extra.first_closed;
            if share && !(closed || told[fan] || told[*first]) {
                vertices.push(number[vertex]);
                next[*last] = fan;
                next[fan] = *first;
                *last = fan;
            } else {
                tell(&extra);
                vertices.push(sources.len());
                sources.push(rings.vertices[half]);
            }
        }
        Self { of_half: labels.of_half, vertices, next, sources, used }
    }

    /// The vertex of the mesh that a half starts at.
    pub(super) fn vertex(&self, half: usize) -> usize {
        self.vertices[self.of_half[half]]
    }
}

impl Extra {
    fn problem(&self, rings: &Rings) -> Option<Problem> {
        let (face, vertex) = (rings.face(self.half), rings.vertices[self.half]);
        match (self.first_closed, self.closed) {
            _ if self.told => None,
            (true, _) => Some(Problem::VertexClosed { face, vertex }),
            (false, true) => Some(Problem::EdgesBetween { face, vertex }),
            (false, false) => Some(Problem::NotJoined { face, vertex }),
        }
    }
}

/// Which fan each corner is of.
struct Labels {
    of_half: Vec<usize>,
    /// The lowest half of each fan, and whether it goes all round.
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
            // One way round until the border or the seed again, then the other way.
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

    /// Which fans border on a half that is one too many at its edge.
    fn told(&self, rings: &Rings, surplus: &[usize]) -> Vec<bool> {
        let mut told = vec![false; self.fans.len()];
        for &half in surplus {
            told[self.of_half[half]] = true;
            told[self.of_half[rings.next(half)]] = true;
        }
        told
    }
}

fn full_edges(rings: &Rings, surplus: &[usize], problems: &mut Vec<Problem>) {
    problems.extend(surplus.iter().map(|&half| Problem::EdgeFull { face: rings.face(half), edge: rings.edge(half) }));
}

/// Parts rings from their neighbours where two edges would lead between the same vertices, and returns their halves.
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

/// Leaves out the rings that a mesh cannot have. Says whether there were any.
pub(super) fn leave_out(rings: &mut Rings, problems: &mut Vec<Problem>) -> bool {
    let surplus = rings.pair();
    let mut out = vec![false; rings.ends.len()];
    full_edges(rings, &surplus, problems);
    surplus.iter().for_each(|&half| out[rings.ring[half]] = true);
    if surplus.is_empty() {
        let mut extra = vec![false; rings.vertices.len()];
        let fans = Fans::number(rings, &[], false, |other| {
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
