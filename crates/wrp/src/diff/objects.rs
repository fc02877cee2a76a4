//! Differences between objects.

use std::hash::Hash;

use hashbrown::HashMap;

use crate::document::{Matrix, Objects};

/// Differences between the objects of two terrains.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectsDiff {
    /// Objects of both terrains that differ, in the order of the old ones.
    pub changed: Vec<ObjectChange>,
    /// Objects that only the old terrain has.
    pub removed: Vec<ObjectRef>,
    /// Objects that only the new terrain has.
    pub added: Vec<ObjectRef>,
    /// `true` if the order of the objects of both differs.
    pub reordered: bool,
}

/// An object that differs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectChange {
    /// The old object.
    pub old: ObjectRef,
    /// The new object.
    pub new: ObjectRef,
    /// Movement in metres to the east, up and north. `None` if the position is the same.
    pub moved: Option<[f64; 3]>,
    /// `true` if its axes differ.
    pub turned: bool,
}

/// Identification of an object of one of the terrains.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectRef {
    /// Index in the list.
    pub index: usize,
    /// ID.
    pub id: Option<i32>,
    /// Name of its model.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::bytes::serialize"))]
    pub model: Vec<u8>,
    /// Position.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::exact::serialize"))]
    pub position: [f32; 3],
}

type Rows<'a> = (&'a Objects, &'a [Matrix]);

/// Compares two lists of objects.
pub(super) fn compare(old: Rows<'_>, new: Rows<'_>) -> ObjectsDiff {
    let mut pairs = Pairs::new(old.0.len(), new.0.len());
    // Match by the strictest key first, so that unchanged objects cannot be matched with changed ones.
    pairs.match_by_key(|index| full_key(old, index), |index| full_key(new, index));
    pairs.match_by_key(|index| place_key(old, index), |index| place_key(new, index));
    pairs.match_by_key(|index| id_key(old, index), |index| id_key(new, index));
    pairs.match_by_key(|index| id(old, index), |index| id(new, index));
    let mut changed = Vec::new();
    let mut last = None;
    let mut reordered = false;
    for (index, other) in pairs.old.iter().enumerate() {
        let Some(other) = *other else { continue };
        reordered |= last.is_some_and(|last| last > other);
        last = Some(other);
        let (Some(a), Some(b)) = (reference(old, index), reference(new, other)) else { continue };
        let (Some(from), Some(to)) = (old.1.get(index), new.1.get(other)) else { continue };
        let same_name = full_name(old, index) == full_name(new, other);
        if from == to && a.id == b.id && same_name {
            continue;
        }
        let turned = [from.aside, from.up, from.dir].map(|axis| axis.map(f32::to_bits))
            != [to.aside, to.up, to.dir].map(|axis| axis.map(f32::to_bits));
        let by = from.position.iter().zip(to.position);
        let by: Vec<f64> = by.map(|(&from, to)| f64::from(to) - f64::from(from)).collect();
        let moved = match by[..] {
            [x, y, z] if from.position.map(f32::to_bits) != to.position.map(f32::to_bits) => Some([x, y, z]),
            _ => None,
        };
        changed.push(ObjectChange { old: a, new: b, moved, turned });
    }
    let only = |rows: Rows<'_>, others: &[Option<usize>]| {
        let free = others.iter().enumerate().filter(|(_, other)| other.is_none());
        free.filter_map(|(index, _)| reference(rows, index)).collect()
    };
    ObjectsDiff { changed, removed: only(old, &pairs.old), added: only(new, &pairs.new), reordered }
}

fn reference(rows: Rows<'_>, index: usize) -> Option<ObjectRef> {
    let object = rows.0.get(index)?;
    let model = object.model.map_or_else(Vec::new, |name| name.bytes.clone());
    Some(ObjectRef { index, id: object.id, model, position: rows.1.get(index)?.position })
}

/// Returns the name and its residue.
fn full_name<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], &'a [u8])> {
    let name = rows.0.get(index)?.model?;
    Some((&name.bytes, &name.rest))
}

fn name<'a>(rows: Rows<'a>, index: usize) -> Option<&'a [u8]> {
    full_name(rows, index).map(|(name, _)| name)
}

fn id(rows: Rows<'_>, index: usize) -> Option<i32> {
    rows.0.ids.get(index).copied()
}

fn bits(rows: Rows<'_>, index: usize) -> Option<[u32; 12]> {
    rows.1.get(index).map(|matrix| matrix.numbers().map(f32::to_bits))
}

/// Returns all fields that are compared.
fn full_key<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], Option<i32>, [u32; 12])> {
    Some((name(rows, index)?, id(rows, index), bits(rows, index)?))
}

fn place_key<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], [u32; 12])> {
    Some((name(rows, index)?, bits(rows, index)?))
}

fn id_key<'a>(rows: Rows<'a>, index: usize) -> Option<(i32, &'a [u8])> {
    Some((id(rows, index)?, name(rows, index)?))
}

/// Matches of old and new objects.
struct Pairs {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Pairs {
    fn new(old: usize, new: usize) -> Self {
        Self { old: vec![None; old], new: vec![None; new] }
    }

    /// Matches unmatched objects with equal keys, in order.
    fn match_by_key<K: Hash + Eq>(&mut self, old: impl Fn(usize) -> Option<K>, new: impl Fn(usize) -> Option<K>) {
        // Reversed, because objects are taken from the end.
        let mut free: HashMap<K, Vec<usize>> = HashMap::new();
        for index in (0..self.new.len()).rev() {
            if self.new.get(index) == Some(&None)
                && let Some(key) = new(index)
            {
                free.entry(key).or_default().push(index);
            }
        }
        for index in 0..self.old.len() {
            let Some(pair @ None) = self.old.get_mut(index) else { continue };
            let Some(found) = old(index).and_then(|key| free.get_mut(&key)?.pop()) else { continue };
            *pair = Some(found);
            if let Some(pair) = self.new.get_mut(found) {
                *pair = Some(index);
            }
        }
    }
}
