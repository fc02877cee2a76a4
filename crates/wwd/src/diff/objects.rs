//! Differences of objects, which are matched by their contents.

use std::collections::HashMap;
use std::hash::Hash;

use mapwright_io::diff::{ItemChange, ItemsDiff, Pairs};

use super::{FieldChange, record_fields};
use crate::Object;

/// Differences of the objects of two planes.
pub type ObjectsDiff = ItemsDiff<ObjectRef, ObjectChange>;

/// A changed object.
pub type ObjectChange = ItemChange<ObjectRef, FieldChange>;

/// The label of an object of one of the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectRef {
    /// Index among the objects of the plane.
    pub index: usize,
    /// The logic.
    #[cfg_attr(feature = "serde", serde(serialize_with = "mapwright_io::serial::bytes::serialize"))]
    pub logic: Vec<u8>,
    /// The image set.
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
    let mut pairs = Pairs::new(old.len(), new.len());
    // Equal objects first, then objects that differ in their id only.
    match_by(&mut pairs, old, new, content);
    match_by(&mut pairs, old, new, |object| content(&Object { id: 0, ..object.clone() }));
    match_by(&mut pairs, old, new, |object| (&object.logic, &object.image_set, object.x, object.y));
    // Only an id that does not repeat identifies an object.
    pairs.match_by_unique_key(|index| old.get(index).map(unique_key), |index| new.get(index).map(unique_key));
    pair_near_objects(&mut pairs, old, new);
    // Objects that were replaced at the same position.
    match_by(&mut pairs, old, new, |object| (&object.logic, object.x, object.y));
    match_by(&mut pairs, old, new, |object| (&object.image_set, object.x, object.y));
    let label = |objects: &[Object], index| Some(ObjectRef::new(index, objects.get(index)?));
    pairs.to_diff(
        |index| label(old, index),
        |index| label(new, index),
        |old_index, new_index| {
            let (one, other) = (old.get(old_index)?, new.get(new_index)?);
            (one != other).then(|| ObjectChange {
                old: ObjectRef::new(old_index, one),
                new: ObjectRef::new(new_index, other),
                fields: record_fields(one, other),
            })
        },
    )
}

fn match_by<'a, K: Hash + Eq>(pairs: &mut Pairs, old: &'a [Object], new: &'a [Object], key: impl Fn(&'a Object) -> K) {
    pairs.match_by_key(|index| old.get(index).map(&key), |index| new.get(index).map(&key));
}

fn unique_key(object: &Object) -> (&[u8], &[u8], i32) {
    (&object.logic, &object.image_set, object.id)
}

type Content = ([u8; Object::SIZE], [Vec<u8>; 4]);

/// Returns the contents of an object.
fn content(object: &Object) -> Content {
    let texts = [&object.name, &object.logic, &object.image_set, &object.animation];
    (object.to_record_bytes(), texts.map(Clone::clone))
}

/// Maximum distance in pixels between objects of the same logic and image set that are matched.
const NEAR: i32 = 256;
/// Maximum numbers of objects per square that are compared, and of candidates per object, so that crowds do not take quadratic time.
const MAX_COMPARED: usize = 8;
const MAX_CANDIDATES: usize = 4;

/// Pairs objects of the same logic and image set that are near each other, the nearest first.
fn pair_near_objects(pairs: &mut Pairs, old: &[Object], new: &[Object]) {
    let square = |object: &Object| (object.x.div_euclid(NEAR), object.y.div_euclid(NEAR));
    let mut squares: HashMap<_, Vec<usize>> = HashMap::new();
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
