//! Differences of objects, which are matched by their contents.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::{FieldChange, record_fields};
use crate::Object;

/// Differences of the objects of two planes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectsDiff {
    /// Changed objects, in the order of the old ones.
    pub changed: Vec<ObjectChange>,
    /// Objects of the old plane only.
    pub removed: Vec<ObjectRef>,
    /// Objects of the new plane only.
    pub added: Vec<ObjectRef>,
    /// The order of the objects differs.
    pub reordered: bool,
}

impl ObjectsDiff {
    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A changed object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectChange {
    /// The old object.
    pub old: ObjectRef,
    /// The new object.
    pub new: ObjectRef,
    /// The changed fields.
    pub fields: Vec<FieldChange>,
}

/// The label of an object of one of the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectRef {
    /// Its index among the objects of the plane.
    pub index: usize,
    /// Its logic.
    #[cfg_attr(feature = "serde", serde(serialize_with = "mapwright_io::serial::bytes::serialize"))]
    pub logic: Vec<u8>,
    /// Its image set.
    #[cfg_attr(feature = "serde", serde(serialize_with = "mapwright_io::serial::bytes::serialize"))]
    pub image_set: Vec<u8>,
    /// Position in pixels from the left.
    pub x: i32,
    /// Position in pixels from the top.
    pub y: i32,
}

impl ObjectRef {
    fn new(index: usize, object: &Object) -> Self {
        Self { index, logic: object.logic.clone(), image_set: object.image_set.clone(), x: object.x, y: object.y }
    }
}

/// Compares the objects of two planes.
pub(super) fn diff(old: &[Object], new: &[Object]) -> ObjectsDiff {
    let mut pairs = Pairs::new(old, new);
    // Equal objects first, then objects that differ in their id only.
    pairs.by_key(|_, object| Some(content(object)));
    pairs.by_key(|_, object| Some(content(&Object { id: 0, ..object.clone() })));
    pairs.by_key(|_, object| Some((&object.logic, &object.image_set, object.x, object.y)));
    // Only an id that does not repeat identifies an object.
    pairs.by_unique_key(|_, object| Some((&object.logic, &object.image_set, object.id)));
    pair_near_objects(&mut pairs);
    // Objects that were replaced at the same position.
    pairs.by_key(|_, object| Some((&object.logic, object.x, object.y)));
    pairs.by_key(|_, object| Some((&object.image_set, object.x, object.y)));
    let only = |objects: &[Object], free: Vec<usize>| {
        free.into_iter().filter_map(|index| Some(ObjectRef::new(index, objects.get(index)?))).collect()
    };
    let (removed, added) = (only(old, pairs.free_old()), only(new, pairs.free_new()));
    let pairs = pairs.into_pairs();
    let change = |&(old_index, new_index): &(usize, usize)| {
        let (old, new) = (old.get(old_index)?, new.get(new_index)?);
        (old != new).then(|| ObjectChange {
            old: ObjectRef::new(old_index, old),
            new: ObjectRef::new(new_index, new),
            fields: record_fields(old, new),
        })
    };
    let changed = pairs.iter().filter_map(change).collect();
    ObjectsDiff { changed, removed, added, reordered: !pairs.is_sorted_by_key(|pair| pair.1) }
}

type Content = ([u8; Object::SIZE], [Vec<u8>; 4]);

/// Returns the contents of an object.
fn content(object: &Object) -> Content {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    (object.put(), texts.map(Clone::clone))
}

/// Maximum distance in pixels between objects of the same logic and image set that are matched.
const NEAR: i32 = 256;
/// Maximum numbers of objects per square that are compared, and of candidates per object, so that crowds do not take quadratic time.
const MAX_COMPARED: usize = 8;
const MAX_CANDIDATES: usize = 4;

/// Pairs objects of the same logic and image set that are near each other, the nearest first.
fn pair_near_objects(pairs: &mut Pairs<'_, Object>) {
    let square = |object: &Object| (object.x.div_euclid(NEAR), object.y.div_euclid(NEAR));
    let mut squares: HashMap<_, Vec<usize>> = HashMap::new();
    let (old, new) = (pairs.old, pairs.new);
    for index in pairs.free_new() {
        if let Some(object) = new.get(index) {
            squares.entry((&object.logic, &object.image_set, square(object))).or_default().push(index);
        }
    }
    let mut candidates = Vec::new();
    for index in pairs.free_old() {
        let object = old.get(index).expect("the index is one of the old objects");
        let (column, row) = square(object);
        let mut found = Vec::new();
        for (across, down) in (-1..=1).flat_map(|across| (-1..=1).map(move |down| (across, down))) {
            let square = (column.saturating_add(across), row.saturating_add(down));
            let there = squares.get(&(&object.logic, &object.image_set, square)).map(Vec::as_slice).unwrap_or_default();
            for &other in there.iter().take(MAX_COMPARED) {
                let distance = new.get(other).map_or(u64::MAX, |other| distance(object, other));
                if distance <= u64::from(NEAR.unsigned_abs()).pow(2) {
                    found.push((distance, index, other));
                }
            }
        }
        found.sort_unstable();
        candidates.extend(found.into_iter().take(MAX_CANDIDATES));
    }
    candidates.sort_unstable();
    for (_, old, new) in candidates {
        pairs.add(old, new);
    }
}

/// Returns the squared distance of two objects.
fn distance(one: &Object, other: &Object) -> u64 {
    let square = |a: i32, b: i32| u64::from(a.abs_diff(b)).saturating_mul(a.abs_diff(b).into());
    square(one.x, other.x).saturating_add(square(one.y, other.y))
}

/// Pairs of old and new items. Each item is in at most one pair.
pub(super) struct Pairs<'a, T> {
    old: &'a [T],
    new: &'a [T],
    partners: Vec<Option<usize>>,
    new_taken: Vec<bool>,
}

impl<'a, T> Pairs<'a, T> {
    pub(super) fn new(old: &'a [T], new: &'a [T]) -> Self {
        Self { old, new, partners: vec![None; old.len()], new_taken: vec![false; new.len()] }
    }

    /// Pairs items with the same key in their order.
    pub(super) fn by_key<K: Hash + Eq>(&mut self, key: impl Fn(usize, &'a T) -> Option<K>) {
        self.by_keys(key, false);
    }

    /// Pairs items with the same key if it is unique among the free items.
    fn by_unique_key<K: Hash + Eq>(&mut self, key: impl Fn(usize, &'a T) -> Option<K>) {
        self.by_keys(key, true);
    }

    fn by_keys<K: Hash + Eq>(&mut self, key: impl Fn(usize, &'a T) -> Option<K>, unique: bool) {
        let mut keys: HashMap<K, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for index in self.free_old() {
            if let Some(key) = self.old.get(index).and_then(|item| key(index, item)) {
                keys.entry(key).or_default().0.push(index);
            }
        }
        for index in self.free_new() {
            let key = self.new.get(index).and_then(|item| key(index, item));
            if let Some(Entry::Occupied(mut entry)) = key.map(|key| keys.entry(key)) {
                entry.get_mut().1.push(index);
            }
        }
        // The order of keys does not matter: they have no items in common.
        for (old, new) in keys.into_values() {
            if !unique || (old.len(), new.len()) == (1, 1) {
                for (old, new) in old.into_iter().zip(new) {
                    self.add(old, new);
                }
            }
        }
    }

    /// Pairs two items if both are free.
    fn add(&mut self, old: usize, new: usize) {
        if let (Some(partner @ None), Some(taken @ false)) = (self.partners.get_mut(old), self.new_taken.get_mut(new)) {
            *partner = Some(new);
            *taken = true;
        }
    }

    pub(super) fn free_old(&self) -> Vec<usize> {
        (0..).zip(&self.partners).filter(|(_, new)| new.is_none()).map(|(index, _)| index).collect()
    }

    pub(super) fn free_new(&self) -> Vec<usize> {
        (0..).zip(&self.new_taken).filter(|(_, taken)| !**taken).map(|(index, _)| index).collect()
    }

    /// Returns the pairs in the order of the old items.
    pub(super) fn into_pairs(self) -> Vec<(usize, usize)> {
        (0..).zip(self.partners).filter_map(|(old, new)| Some((old, new?))).collect()
    }
}
