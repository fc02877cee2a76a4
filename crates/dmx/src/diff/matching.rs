//! Matches the elements of two graphs.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::text;
use super::values::{Ranks, Side, hash};
use crate::{Attribute, Document, ElementId, ElementRef, Value};

/// Pairs of old and new elements. Each element is in at most one pair.
#[derive(Debug, Clone)]
pub struct Matching<'a> {
    pub(super) old: &'a Document,
    pub(super) new: &'a Document,
    pub(super) partners_of_old: Vec<Option<ElementId>>,
    partners_of_new: Vec<Option<ElementId>>,
    pub(super) ranks: Arc<[Ranks; 2]>,
}

impl<'a> Matching<'a> {
    /// Creates an empty matching of two graphs.
    pub fn new(old: &'a Document, new: &'a Document) -> Self {
        let (partners_of_old, partners_of_new) = (vec![None; old.elements.len()], vec![None; new.elements.len()]);
        Self { old, new, partners_of_old, partners_of_new, ranks: Arc::new(Ranks::new(old, new)) }
    }

    /// Returns the documents with the ranks of their strings.
    pub(super) fn sides<'r>(&self, ranks: &'r [Ranks; 2]) -> [Side<'r>; 2]
    where
        'a: 'r,
    {
        let [old, new] = ranks;
        [Side { document: self.old, ranks: old }, Side { document: self.new, ranks: new }]
    }

    /// Pairs two elements if neither is in a pair. Returns `true` if they were paired.
    pub fn add(&mut self, old: ElementId, new: ElementId) -> bool {
        match (self.partners_of_old.get_mut(old.index()), self.partners_of_new.get_mut(new.index())) {
            (Some(partners_of_old @ None), Some(partners_of_new @ None)) => {
                (*partners_of_old, *partners_of_new) = (Some(new), Some(old));
                true
            }
            _ => false,
        }
    }

    /// Returns the new element that is paired with an old one.
    pub fn new_of(&self, old: ElementId) -> Option<ElementId> {
        self.partners_of_old.get(old.index()).copied().flatten()
    }

    /// Returns the old element that is paired with a new one.
    pub fn old_of(&self, new: ElementId) -> Option<ElementId> {
        self.partners_of_new.get(new.index()).copied().flatten()
    }

    /// Pairs the given elements with the same key if no other unpaired element of its graph has it.
    pub fn by_unique_key<K: Hash + Eq>(
        &mut self,
        olds: &[ElementId],
        news: &[ElementId],
        key: impl Fn(ElementRef<'a>) -> Option<K>,
    ) {
        let mut keys: HashMap<K, [Option<Option<ElementId>>; 2]> = HashMap::new();
        let sides = [(0, self.old, &self.partners_of_old, olds), (1, self.new, &self.partners_of_new, news)];
        for (side, document, taken, ids) in sides {
            for &id in ids.iter().filter(|id| taken.get(id.index()) == Some(&None)) {
                if let Some(key) = document.element(id).and_then(&key)
                    && let Some(place) = keys.entry(key).or_default().get_mut(side)
                {
                    // A second element makes the key ambiguous.
                    *place = Some(if place.is_none() { Some(id) } else { None });
                }
            }
        }
        // The order of keys does not matter: they have no elements in common.
        for pair in keys.into_values() {
            if let [Some(Some(old)), Some(Some(new))] = pair {
                self.add(old, new);
            }
        }
    }

    /// Pairs the given elements with the same key in their order.
    pub fn by_order<K: Hash + Eq>(
        &mut self,
        olds: &[ElementId],
        news: &[ElementId],
        key: impl Fn(ElementRef<'a>) -> K,
    ) {
        let mut keys: HashMap<K, VecDeque<ElementId>> = HashMap::new();
        for id in news.iter().filter(|id| self.old_of(**id).is_none()) {
            if let Some(element) = self.new.element(*id) {
                keys.entry(key(element)).or_default().push_back(*id);
            }
        }
        for id in olds {
            if self.new_of(*id).is_none()
                && let Some(element) = self.old.element(*id)
                && let Some(found) = keys.get_mut(&key(element)).and_then(VecDeque::pop_front)
            {
                self.add(*id, found);
            }
        }
    }

    /// Pairs the elements that paired elements refer to by the same attribute, recursively. `free` returns `true` if an old and a new
    /// element can be paired this way; elements with a key cannot.
    pub fn by_path(&mut self, free: impl Fn(ElementRef<'a>, ElementRef<'a>) -> bool) {
        let ranks = Arc::clone(&self.ranks);
        let [old, new] = self.sides(&ranks);
        let (old_graph, new_graph) = (self.old, self.new);
        let mut olds = Digests { side: old, known: vec![None; self.partners_of_old.len()] };
        let mut news = Digests { side: new, known: vec![None; self.partners_of_new.len()] };
        let mut next: Vec<(u64, ElementId, ElementId)> = Vec::new();
        for (index, partner) in self.partners_of_old.iter().enumerate() {
            if let Some(partner) = *partner {
                let id = ElementId::at(index);
                // The order treats old and new alike, so that the result is symmetric.
                next.push((olds.get(id).wrapping_add(news.get(partner)), id, partner));
            }
        }
        next.sort_unstable();
        let mut next: VecDeque<_> = next.into_iter().map(|(_, old, new)| (old, new)).collect();
        while let Some((old_id, new_id)) = next.pop_front() {
            let mut shared = match_attributes(old, attributes(old_graph, old_id), new, attributes(new_graph, new_id));
            shared.sort_unstable_by_key(|attribute| (attribute.rank, attribute.times));
            for attribute in shared {
                let (Some(one), Some(other)) = (attribute.old, attribute.new) else { continue };
                let left: Vec<_> = one.elements().filter(|id| self.new_of(*id).is_none()).collect();
                let right: Vec<_> = other.elements().filter(|id| self.old_of(*id).is_none()).collect();
                for (a, b) in align(&left, &right, &mut olds, &mut news) {
                    if let (Some(one), Some(other)) = (old_graph.element(a), new_graph.element(b))
                        && old.rank(one.class_id()) == new.rank(other.class_id())
                        && free(one, other)
                        && self.add(a, b)
                    {
                        next.push_back((a, b));
                    }
                }
            }
        }
    }
}

pub(super) fn attributes(document: &Document, id: ElementId) -> &[Attribute] {
    document.elements.get(id.index()).map_or(&[], |element| &element.attributes)
}

/// An attribute of the old list, the new list, or both.
#[derive(Clone, Copy)]
pub(super) struct AttributeSides<'a> {
    pub(super) name: &'a [u8],
    pub(super) rank: u32,
    /// Number of preceding attributes with the same name.
    times: usize,
    pub(super) old: Option<&'a Value>,
    pub(super) new: Option<&'a Value>,
    /// Index in both lists.
    pub(super) places: [Option<usize>; 2],
}

impl AttributeSides<'_> {
    /// Returns the name, with a number if it repeats.
    pub(super) fn label(&self) -> String {
        match self.times {
            0 => text(self.name),
            before => format!("{}#{}", text(self.name), before.saturating_add(1)),
        }
    }
}

/// Matches attributes by name, and by order if a name repeats.
pub(super) fn match_attributes<'r>(
    old: Side<'r>,
    olds: &'r [Attribute],
    new: Side<'r>,
    news: &'r [Attribute],
) -> Vec<AttributeSides<'r>> {
    let mut times: HashMap<u32, usize> = HashMap::new();
    let occurrence = |times: &mut HashMap<u32, usize>, rank: u32| {
        let times = times.entry(rank).or_default();
        let before = *times;
        *times = times.saturating_add(1);
        before
    };
    let mut all: Vec<AttributeSides<'r>> = Vec::with_capacity(olds.len());
    for (place, attribute) in olds.iter().enumerate() {
        let rank = old.rank(attribute.name);
        let (name, old) = (old.document.string(attribute.name), Some(&attribute.value));
        let places = [Some(place), None];
        all.push(AttributeSides { name, rank, times: occurrence(&mut times, rank), old, new: None, places });
    }
    // Most lists have the same names in the same order.
    let is_same = |(both, attribute): (&AttributeSides<'_>, &Attribute)| both.rank == new.rank(attribute.name);
    if olds.len() == news.len() && all.iter().zip(news).all(is_same) {
        for ((place, attribute), both) in news.iter().enumerate().zip(&mut all) {
            (both.new, both.places) = (Some(&attribute.value), [Some(place); 2]);
        }
        return all;
    }
    let places: HashMap<_, _> = all.iter().enumerate().map(|(place, one)| ((one.rank, one.times), place)).collect();
    times.clear();
    for (place, attribute) in news.iter().enumerate() {
        let rank = new.rank(attribute.name);
        let before = occurrence(&mut times, rank);
        match places.get(&(rank, before)).and_then(|&place| all.get_mut(place)) {
            Some(found) => (found.new, found.places[1]) = (Some(&attribute.value), Some(place)),
            None => {
                let (name, new) = (new.document.string(attribute.name), Some(&attribute.value));
                all.push(AttributeSides { name, rank, times: before, old: None, new, places: [None, Some(place)] });
            }
        }
    }
    all
}

/// Pairs equal elements at both ends of two lists, then the others with the same class and name in their order.
fn align(
    olds: &[ElementId],
    news: &[ElementId],
    old: &mut Digests<'_>,
    new: &mut Digests<'_>,
) -> Vec<(ElementId, ElementId)> {
    let mut is_same = |(a, b): &(&ElementId, &ElementId)| old.get(**a) == new.get(**b);
    let start = olds.iter().zip(news).take_while(&mut is_same).count();
    let left = olds.len().min(news.len()).saturating_sub(start);
    let end = olds.iter().rev().zip(news.iter().rev()).take(left).take_while(&mut is_same).count();
    let mut pairs: Vec<_> = olds.iter().copied().zip(news.iter().copied()).take(start).collect();
    pairs.extend(olds.iter().rev().copied().zip(news.iter().rev().copied()).take(end));
    let middle = |ids: &[ElementId]| ids.get(start..ids.len().saturating_sub(end)).unwrap_or_default().to_vec();
    let key = |side: Side<'_>, id| {
        side.document.element(id).map(|element| (side.rank(element.class_id()), side.rank(element.name_id())))
    };
    let mut known: HashMap<_, VecDeque<ElementId>> = HashMap::new();
    for id in middle(news) {
        known.entry(key(new.side, id)).or_default().push_back(id);
    }
    for id in middle(olds) {
        if let Some(found) = known.get_mut(&key(old.side, id)).and_then(VecDeque::pop_front) {
            pairs.push((id, found));
        }
    }
    pairs
}

/// Hashes of the contents of elements, computed on demand.
struct Digests<'r> {
    side: Side<'r>,
    known: Vec<Option<u64>>,
}

impl Digests<'_> {
    fn get(&mut self, id: ElementId) -> u64 {
        let Some(known) = self.known.get_mut(id.index()) else { return 0 };
        *known.get_or_insert_with(|| {
            let mut hasher = DefaultHasher::new();
            if let Some(element) = self.side.document.element(id) {
                (self.side.rank(element.class_id()), self.side.rank(element.name_id())).hash(&mut hasher);
            }
            // The order of ranks is the order of names.
            let mut attributes: Vec<_> = attributes(self.side.document, id).iter().collect();
            attributes.sort_by_key(|attribute| self.side.rank(attribute.name));
            for Attribute { name, value } in attributes {
                self.side.rank(*name).hash(&mut hasher);
                hash(self.side, value, &mut hasher);
            }
            hasher.finish()
        })
    }
}
