//! Differences between objects.

use mapwright_io::diff::{ItemsDiff, Pairs};

use crate::document::{Matrix, Objects};

/// Differences between the objects of two terrains.
pub type ObjectsDiff = ItemsDiff<ObjectRef, ObjectChange>;

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
    let change = |index, other| {
        let (a, b) = (reference(old, index)?, reference(new, other)?);
        let (from, to) = (old.1.get(index)?, new.1.get(other)?);
        let same_name = full_name(old, index) == full_name(new, other);
        if from == to && a.id == b.id && same_name {
            return None;
        }
        let turned = [from.aside, from.up, from.dir].map(|axis| axis.map(f32::to_bits))
            != [to.aside, to.up, to.dir].map(|axis| axis.map(f32::to_bits));
        let by = from.position.iter().zip(to.position);
        let by: Vec<f64> = by.map(|(&from, to)| f64::from(to) - f64::from(from)).collect();
        let moved = match by[..] {
            [x, y, z] if from.position.map(f32::to_bits) != to.position.map(f32::to_bits) => Some([x, y, z]),
            _ => None,
        };
        Some(ObjectChange { old: a, new: b, moved, turned })
    };
    pairs.to_diff(|index| reference(old, index), |index| reference(new, index), change)
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
