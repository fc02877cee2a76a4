//! What differs between two levels.
//!
//! Planes are matched by their names, then by their places; objects by what they are, not by their ids, which repeat. The same two
//! levels always give the same answer, in a time that grows little faster than their size.
//!
//! ```
//! use mapwright_wwd::{Document, diff::Diff};
//!
//! let mut old = Document::new();
//! old.edit(&"add plane name=Action, size=4x4".parse()?)?;
//! let mut new = old.clone();
//! new.edit(&"tiles fill Action 1,0,2,1 7".parse()?)?;
//! assert_eq!(Diff::between(&old, &new).to_string(), "plane #0 Action: row 0, columns 1-2: empty → 7\n");
//! # Ok::<(), mapwright_wwd::edit::QueryError>(())
//! ```

mod cells;
mod display;
mod objects;

use crate::document::record::Record;
use crate::{Document, FieldValue, Plane, Style, TileProperties, TileProperty};

pub use cells::CellRun;
pub use objects::{ObjectChange, ObjectRef, ObjectsDiff};

/// What differs between two levels. It prints as a text of a line for each difference, without any as an empty text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Fields of the header.
    pub header: Vec<FieldChange>,
    /// Planes that both have and that are not the same.
    pub planes: Vec<PlaneDiff>,
    /// Planes that only the old level has.
    pub planes_removed: Vec<PlaneRef>,
    /// Planes that only the new level has.
    pub planes_added: Vec<PlaneRef>,
    /// Whether the planes of both stand in another order.
    pub planes_reordered: bool,
    /// The table of tile properties.
    pub tile_properties: TilePropertiesDiff,
    /// The bytes behind the stored block, old and new.
    pub trailer: Option<(Vec<u8>, Vec<u8>)>,
    /// Whether the sections stand elsewhere, although they may say the same.
    pub layout: bool,
    /// In which program's way they are stored, old and new.
    pub style: Option<(Style, Style)>,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// Its name.
    pub field: &'static str,
    /// The old value.
    pub old: FieldValue,
    /// The new value.
    pub new: FieldValue,
}

/// A plane of one of the levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneRef {
    /// Its place.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
}

/// What differs between two planes that were matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneDiff {
    /// The old plane.
    pub old: PlaneRef,
    /// The new plane.
    pub new: PlaneRef,
    /// Fields.
    pub fields: Vec<FieldChange>,
    /// Names of image sets.
    pub image_sets: Option<NamesChange>,
    /// Cells that both grids have and that are not the same. Cells that only one has follow from the sizes among the fields.
    pub cells: Vec<CellRun>,
    /// Objects.
    pub objects: ObjectsDiff,
}

/// Lists of names that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesChange {
    /// The old names.
    pub old: Vec<Vec<u8>>,
    /// The new names.
    pub new: Vec<Vec<u8>>,
}

/// What differs between two tables of tile properties.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TilePropertiesDiff {
    /// Whether the old and the new level have a table, if only one has.
    pub table: Option<(bool, bool)>,
    /// Words of the header of the table.
    pub fields: Vec<FieldChange>,
    /// Tiles.
    pub tiles: Vec<TileChange>,
}

/// A tile with other properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileChange {
    /// The tile: the frame of its image set.
    pub tile: usize,
    /// The old property, if there is one.
    pub old: Option<TileProperty>,
    /// The new property, if there is one.
    pub new: Option<TileProperty>,
}

impl Diff {
    /// Compares two levels.
    pub fn between(old: &Document, new: &Document) -> Self {
        // Planes of the same name, then those in the same place.
        let mut pairs = objects::Pairs::new(&old.planes, &new.planes);
        pairs.by_key(|_, plane| Some(plane.name.raw));
        pairs.by_key(|index, _| Some(index));
        let only = |planes: &[Plane], free: Vec<usize>| {
            let plane = |index| Some(PlaneRef { index, name: planes.get(index)?.name.text().to_vec() });
            free.into_iter().filter_map(plane).collect()
        };
        let planes_removed = only(&old.planes, pairs.free_old());
        let planes_added = only(&new.planes, pairs.free_new());
        let pairs = pairs.into_pairs();
        let differing = |&(old_index, new_index): &(usize, usize)| {
            let (old, new) = (old.planes.get(old_index)?, new.planes.get(new_index)?);
            (old != new).then(|| plane(old_index, old, new_index, new))
        };
        Self {
            header: record_fields(&old.header, &new.header),
            planes: pairs.iter().filter_map(differing).collect(),
            planes_removed,
            planes_added,
            planes_reordered: !pairs.is_sorted_by_key(|pair| pair.1),
            tile_properties: tile_properties(old.tile_properties.as_ref(), new.tile_properties.as_ref()),
            trailer: (old.trailer != new.trailer).then(|| (old.trailer.clone(), new.trailer.clone())),
            layout: old.layout != new.layout,
            style: (old.style != new.style).then_some((old.style, new.style)),
        }
    }

    /// Whether nothing differs: the documents are equal.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The fields that differ.
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
        // The same bytes need no look at what they say.
        objects: if old.objects == new.objects {
            ObjectsDiff::default()
        } else {
            objects::diff(&old.objects, &new.objects)
        },
    }
}

/// The fields of a record that differ.
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

/// The words of the header of the table, those without a name by their offsets.
const TABLE: [&str; 7] =
    ["size", "reserved_04", "reserved_0c", "reserved_10", "reserved_14", "reserved_18", "reserved_1c"];
