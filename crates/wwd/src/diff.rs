//! Differences of two levels.
//!
//! Planes are matched by name, then by index; objects by their contents, not by their ids, which repeat. The result is deterministic
//! and takes near-linear time.
//!
//! ```
//! use mapwright_wwd::{Document, Plane, diff::Diff};
//!
//! let mut old = Document::new();
//! old.add_plane(0, Plane::with_grid(b"Action", 4, 4, 64)?)?;
//! let mut new = old.clone();
//! new.fill_tiles(0, "1,0,2,1".parse()?, "7".parse()?)?;
//! assert_eq!(Diff::between(&old, &new).to_string(), "plane #0 Action: row 0, columns 1-2: empty → 7\n");
//! # Ok::<(), mapwright_wwd::edit::EditError>(())
//! ```

mod cells;
mod display;
mod objects;

use mapwright_io::diff::Pairs;

use crate::document::record::Record;
use crate::{Document, FieldValue, Plane, TileProperties, TileProperty, WriterProfile};

pub use cells::CellRun;
pub use objects::{ObjectChange, ObjectRef, ObjectsDiff};

/// Differences of two levels. It is displayed as one line per difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Changed fields of the header.
    pub header: Vec<FieldChange>,
    /// Changed planes.
    pub planes: Vec<PlaneDiff>,
    /// Planes of the old level only.
    pub planes_removed: Vec<PlaneRef>,
    /// Planes of the new level only.
    pub planes_added: Vec<PlaneRef>,
    /// `true` if the order of the planes differs.
    pub planes_reordered: bool,
    /// Differences of the tile properties.
    pub tile_properties: TilePropertiesDiff,
    /// The bytes after the stored block, old and new.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::old_new_bytes"))]
    pub trailer: Option<(Vec<u8>, Vec<u8>)>,
    /// `true` if the offsets of the sections differ.
    pub layout: bool,
    /// The profiles, old and new.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::old_new"))]
    pub profile: Option<(WriterProfile, WriterProfile)>,
}

/// A changed field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldChange {
    /// The name of the field.
    pub field: &'static str,
    /// The old value.
    pub old: FieldValue,
    /// The new value.
    pub new: FieldValue,
}

/// A plane of one of the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlaneRef {
    /// The index.
    pub index: usize,
    /// The name.
    #[cfg_attr(feature = "serde", serde(serialize_with = "mapwright_io::serial::bytes::serialize"))]
    pub name: Vec<u8>,
}

/// Differences of two planes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlaneDiff {
    /// The old plane.
    pub old: PlaneRef,
    /// The new plane.
    pub new: PlaneRef,
    /// Changed fields.
    pub fields: Vec<FieldChange>,
    /// Changed names of image sets.
    pub image_sets: Option<NamesChange>,
    /// Changed cells that both grids have. The sizes of the grids are among the fields.
    pub cells: Vec<CellRun>,
    /// Differences of the objects.
    pub objects: ObjectsDiff,
}

/// An old and a new list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NamesChange {
    /// The old names.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::texts"))]
    pub old: Vec<Vec<u8>>,
    /// The new names.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::texts"))]
    pub new: Vec<Vec<u8>>,
}

/// Differences of two tables of tile properties.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TilePropertiesDiff {
    /// `true` for the level that has a table, old and new, if only one has.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::old_new"))]
    pub table: Option<(bool, bool)>,
    /// Changed words of the header of the table.
    pub fields: Vec<FieldChange>,
    /// Changed tiles.
    pub tiles: Vec<TileChange>,
}

/// A tile whose properties differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileChange {
    /// The tile, as frame of its image set.
    pub tile: usize,
    /// The old property, if there is one.
    pub old: Option<TileProperty>,
    /// The new property, if there is one.
    pub new: Option<TileProperty>,
}

impl Diff {
    /// Compares two levels.
    pub fn between(old: &Document, new: &Document) -> Self {
        // Planes of the same name first, then those of the same index.
        let mut pairs = Pairs::new(old.planes.len(), new.planes.len());
        let name = |plane: &Plane| plane.name.raw;
        pairs.match_by_key(|index| old.planes.get(index).map(name), |index| new.planes.get(index).map(name));
        pairs.match_by_key(Some, Some);
        let label =
            |planes: &[Plane], index| Some(PlaneRef { index, name: planes.get::<usize>(index)?.name.text().to_vec() });
        let planes = pairs.to_diff(
            |index| label(&old.planes, index),
            |index| label(&new.planes, index),
            |old_index, new_index| {
                let (old, new) = (old.planes.get(old_index)?, new.planes.get(new_index)?);
                (old != new).then(|| plane(old_index, old, new_index, new))
            },
        );
        Self {
            header: record_fields(&old.header, &new.header),
            planes: planes.changed,
            planes_removed: planes.removed,
            planes_added: planes.added,
            planes_reordered: planes.reordered,
            tile_properties: tile_properties(old.tile_properties.as_ref(), new.tile_properties.as_ref()),
            trailer: (old.trailer != new.trailer).then(|| (old.trailer.clone(), new.trailer.clone())),
            layout: old.layout != new.layout,
            profile: (old.profile != new.profile).then_some((old.profile, new.profile)),
        }
    }

    /// Returns `true` if the levels are equal.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares fields by name.
fn fields(
    names: &[&'static str],
    old: impl Fn(&str) -> Option<FieldValue>,
    new: impl Fn(&str) -> Option<FieldValue>,
) -> Vec<FieldChange> {
    let change = |&field: &&'static str| {
        let (old, new) = (old(field)?, new(field)?);
        (old != new).then_some(FieldChange { field, old, new })
    };
    names.iter().filter_map(change).collect()
}

fn plane(old_index: usize, old: &Plane, new_index: usize, new: &Plane) -> PlaneDiff {
    let names = |plane: &Plane| plane.image_sets.iter().map(<[u8]>::to_vec).collect();
    PlaneDiff {
        old: PlaneRef { index: old_index, name: old.name.text().to_vec() },
        new: PlaneRef { index: new_index, name: new.name.text().to_vec() },
        fields: record_fields(old, new),
        image_sets: (old.image_sets != new.image_sets).then(|| NamesChange { old: names(old), new: names(new) }),
        cells: cells::runs(old, new),
        // Equal bytes need no decoding.
        objects: if old.objects == new.objects {
            ObjectsDiff::default()
        } else {
            objects::diff(&old.objects, &new.objects)
        },
    }
}

/// Compares the fields of records.
pub(crate) fn record_fields<R: Record>(old: &R, new: &R) -> Vec<FieldChange> {
    fields(R::FIELDS, |name| old.value(name), |name| new.value(name))
}

fn tile_properties(old: Option<&TileProperties>, new: Option<&TileProperties>) -> TilePropertiesDiff {
    let table = (old.is_some() != new.is_some()).then_some((old.is_some(), new.is_some()));
    let word = |table: &TileProperties, name: &str| {
        let [a, b, c, d, e] = table.reserved_0c;
        let words =
            [table.size, table.reserved_04, a, b, c, d, e].into_iter().zip(TABLE).find(|(_, field)| *field == name);
        words.map(|(word, _)| FieldValue::Word(word))
    };
    let fields = match (old, new) {
        (Some(old), Some(new)) => fields(&TABLE, |name| word(old, name), |name| word(new, name)),
        _ => Vec::new(),
    };
    let items = |table: Option<&'_ TileProperties>| table.map_or(0, |table| table.items.len());
    let change = |tile: usize| {
        let item = |table: Option<&TileProperties>| table.and_then(|table| table.items.get(tile)).cloned();
        let (old, new) = (item(old), item(new));
        (old != new).then_some(TileChange { tile, old, new })
    };
    let tiles = (0..items(old).max(items(new))).filter_map(change).collect();
    TilePropertiesDiff { table, fields, tiles }
}

/// The words of the header of the table. Unnamed words are called by their offsets.
const TABLE: [&str; 7] =
    ["size", "reserved_04", "reserved_0c", "reserved_10", "reserved_14", "reserved_18", "reserved_1c"];
