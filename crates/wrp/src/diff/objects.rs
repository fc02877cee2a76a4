//! Objects, matched by what they are.

use std::hash::Hash;

use hashbrown::HashMap;

use crate::document::{Matrix, Objects};

/// What differs between the objects of two terrains.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectsDiff {
    /// Objects that both have and that are not the same, by the order of the old ones.
    pub changed: Vec<ObjectChange>,
    /// Objects that only the old terrain has.
    pub removed: Vec<ObjectRef>,
    /// Objects that only the new terrain has.
    pub added: Vec<ObjectRef>,
    /// Whether the objects of both stand in another order.
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
    /// Whether it has another place; by how many metres, east, up and north.
    pub moved: Option<[f64; 3]>,
    /// Whether its axes are others.
    pub turned: bool,
}

/// An object of one of the terrains, as far as one needs to find it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObjectRef {
    /// Its place in the list.
    pub index: usize,
    /// Its number.
    pub id: Option<i32>,
    /// The name of its model.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::bytes::serialize"))]
    pub model: Vec<u8>,
    /// Where it is.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::exact::serialize"))]
    pub position: [f32; 3],
}

type Rows<'a> = (&'a Objects, &'a [Matrix]);

/// Compares two lists of objects.
pub(super) fn between(old: Rows<'_>, new: Rows<'_>) -> ObjectsDiff {
    let mut pairs = Pairs::new(old.0.len(), new.0.len());
    // The same in every way, then of one model in one place, then of one number and model, then of one number.
    pairs.by_key(|index| whole(old, index), |index| whole(new, index));
    pairs.by_key(|index| there(old, index), |index| there(new, index));
    pairs.by_key(|index| numbered(old, index), |index| numbered(new, index));
    pairs.by_key(|index| id(old, index), |index| id(new, index));
    let mut changed = Vec::new();
    let mut last = None;
    let mut reordered = false;
    for (index, other) in pairs.old.iter().enumerate() {
        let Some(other) = *other else { continue };
        reordered |= last.is_some_and(|last| last > other);
        last = Some(other);
        let (Some(a), Some(b)) = (reference(old, index), reference(new, other)) else { continue };
        let (Some(from), Some(to)) = (old.1.get(index), new.1.get(other)) else { continue };
        let same_name = spelled(old, index) == spelled(new, other);
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

/// The name with what stands behind it.
fn spelled<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], &'a [u8])> {
    let name = rows.0.get(index)?.model?;
    Some((&name.bytes, &name.rest))
}

fn name<'a>(rows: Rows<'a>, index: usize) -> Option<&'a [u8]> {
    spelled(rows, index).map(|(name, _)| name)
}

fn id(rows: Rows<'_>, index: usize) -> Option<i32> {
    rows.0.ids.get(index).copied()
}

fn bits(rows: Rows<'_>, index: usize) -> Option<[u32; 12]> {
    rows.1.get(index).map(|matrix| matrix.numbers().map(f32::to_bits))
}

/// All that is compared.
fn whole<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], Option<i32>, [u32; 12])> {
    Some((name(rows, index)?, id(rows, index), bits(rows, index)?))
}

fn there<'a>(rows: Rows<'a>, index: usize) -> Option<(&'a [u8], [u32; 12])> {
    Some((name(rows, index)?, bits(rows, index)?))
}

fn numbered<'a>(rows: Rows<'a>, index: usize) -> Option<(i32, &'a [u8])> {
    Some((id(rows, index)?, name(rows, index)?))
}

/// Which old object is which new one.
struct Pairs {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Pairs {
    fn new(old: usize, new: usize) -> Self {
        Self { old: vec![None; old], new: vec![None; new] }
    }

    /// Pairs those that are free and have the same key, the first with the first.
    fn by_key<K: Hash + Eq>(&mut self, old: impl Fn(usize) -> Option<K>, new: impl Fn(usize) -> Option<K>) {
        // The last comes off first.
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
