//! Differences between two terrains.
//!
//! Grids are compared cell by cell, and differences are collected into rectangles. Objects are matched by all their fields, then
//! by model and transform, then by ID and model, then by ID. The result is deterministic.
//!
//! ```
//! use mapwright_wrp::{Document, Wvr, diff::Diff};
//!
//! let old = Document::Wvr(Wvr::new([4, 4]));
//! let mut new = old.clone();
//! new.shift_heights(9.0)?;
//! assert_eq!(Diff::between(&old, &new).to_string(), "heights: 0,0 4x4: 16 changed, by 9 m to 9 m\n");
//! # Ok::<(), mapwright_wrp::edit::EditError>(())
//! ```

mod display;
mod grids;
mod objects;

use mapwright_io::escape_bytes;

use crate::Document;
use crate::document::{Oprw, same_bits, trim_zeros};

pub use grids::Area;
pub use objects::{ObjectChange, ObjectRef, ObjectsDiff};

/// Differences between two terrains. Prints one line per difference.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Differences in single values.
    pub facts: Vec<Fact>,
    /// Areas in which heights differ, if both grids have the same size. Counted from the south-west.
    pub heights: Vec<HeightArea>,
    /// Areas in which texture cells differ, likewise.
    pub cells: Vec<Area>,
    /// Differences in the table of textures or materials.
    pub names: Vec<NameChange>,
    /// Differences in objects.
    pub objects: ObjectsDiff,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fact {
    /// Name of the value.
    pub name: &'static str,
    /// The old value.
    pub old: String,
    /// The new value.
    pub new: String,
}

/// An area in which heights differ.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HeightArea {
    /// The area.
    pub area: Area,
    /// The smallest and the largest change in metres, rounded to millimetres. Heights that are not finite are ignored.
    pub by: [f64; 2],
}

/// A texture or material that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NameChange {
    /// Index in the table.
    pub place: usize,
    /// The old name, escaped. `None` if the old table is shorter.
    pub old: Option<String>,
    /// The new name, likewise.
    pub new: Option<String>,
}

impl Diff {
    /// Compares two terrains, which may be of different variants.
    pub fn between(old: &Document, new: &Document) -> Self {
        let (heights, cells) = grids::compare(old, new);
        let mut diff = Self {
            facts: facts(old, new),
            heights,
            cells,
            names: names(old, new),
            objects: objects::compare((old.objects(), &old.matrices()), (new.objects(), &new.matrices())),
        };
        if diff.is_empty() && old != new {
            let other = Fact { name: "other parts", old: "unchanged".to_owned(), new: "changed".to_owned() };
            diff.facts.push(other);
        }
        diff
    }

    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn facts(old: &Document, new: &Document) -> Vec<Fact> {
    let pairs = describe(old).into_iter().zip(describe(new));
    let differ = pairs.filter(|((_, old), (_, new))| old != new);
    let mut facts: Vec<Fact> = differ.map(|((name, old), (_, new))| Fact { name, old, new }).collect();
    match (old, new) {
        (Document::Wvr(old), Document::Wvr(new)) if old.nets != new.nets => {
            let roads = |terrain: &crate::Wvr| terrain.nets.as_ref().map_or(0, |nets| nets.nets.len()).to_string();
            facts.push(Fact { name: "roads", old: roads(old), new: roads(new) });
        }
        (Document::Oprw(old), Document::Oprw(new)) => oprw_facts(old, new, &mut facts),
        _ => {}
    }
    facts
}

/// Compares the parts that only OPRW has.
fn oprw_facts(old: &Oprw, new: &Oprw, facts: &mut Vec<Fact>) {
    let mut list = |name: &'static str, same: bool, old: usize, new: usize| {
        if !same {
            let text = |count: usize| format!("{count} values");
            let new = if old == new { format!("{new} different values") } else { text(new) };
            facts.push(Fact { name, old: text(old), new });
        }
    };
    macro_rules! lists {
        ($($field:ident)*) => {$(
            list(stringify!($field), old.$field == new.$field, old.$field.len(), new.$field.len());
        )*};
    }
    lists!(geography sound random grass primary_texture materials shapes entities object_offsets map_offsets persistent
        subdivision roads map_info map_rest);
    let same = same_bits(old.peaks.as_flattened(), new.peaks.as_flattened());
    list("peaks", same, old.peaks.len(), new.peaks.len());
    let mut number = |name: &'static str, old: Option<u32>, new: Option<u32>| {
        if old != new {
            let text = |number: Option<u32>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
            facts.push(Fact { name, old: text(old), new: text(new) });
        }
    };
    number("app_id", old.app_id, new.app_id);
    number("max_object_id", old.max_object_id, new.max_object_id);
    number("stated_road_size", old.stated_road_size, new.stated_road_size);
    number("stated_map_size", old.stated_map_size, new.stated_map_size);
}

/// Returns the values that are compared as text.
fn describe(document: &Document) -> Vec<(&'static str, String)> {
    let pair = |[x, z]: [u32; 2]| format!("{x}×{z}");
    let ground = document.ground();
    let land = match document {
        Document::Wvr(terrain) => terrain.size,
        Document::Wvr8(terrain) => terrain.land,
        Document::Oprw(terrain) => terrain.land,
    };
    let cell = match document {
        Document::Wvr(terrain) => terrain.cell,
        Document::Wvr8(terrain) => terrain.cell,
        Document::Oprw(terrain) => terrain.cell,
    };
    let (end, after) = match document {
        Document::Wvr(terrain) => (terrain.terminator.as_deref().map(escape_bytes), &terrain.after),
        Document::Wvr8(terrain) => {
            let sentinel = terrain.sentinel.map(|sentinel| {
                let bits: Vec<String> =
                    sentinel.matrix.numbers().iter().map(|number| format!("{:08x}", number.to_bits())).collect();
                format!("{} {:08x} before {}", bits.join(" "), sentinel.id, sentinel.followed_by)
            });
            (sentinel, &terrain.after)
        }
        Document::Oprw(terrain) => (terrain.terminator.map(|number| number.to_string()), &terrain.after),
    };
    vec![
        ("variant", document.variant()),
        ("heights", pair(ground.size)),
        ("cells", pair(land)),
        ("cell", format!("{cell} m")),
        ("end of the objects", end.unwrap_or_else(|| "none".to_owned())),
        ("bytes at the end", escape_bytes(after)),
    ]
}

fn names(old: &Document, new: &Document) -> Vec<NameChange> {
    let list = |document: &Document| -> Vec<String> {
        match document {
            Document::Wvr(terrain) => terrain.names.iter().map(|name| escape_bytes(trim_zeros(&name.raw))).collect(),
            Document::Wvr8(terrain) => {
                let names = terrain.materials.iter();
                names.map(|names| names.iter().map(|name| escape_bytes(name)).collect::<Vec<_>>().join(" + ")).collect()
            }
            Document::Oprw(terrain) => terrain.materials.iter().map(|material| escape_bytes(&material.name)).collect(),
        }
    };
    let (old, new) = (list(old), list(new));
    let change = |index: usize| {
        let (old, new) = (old.get(index), new.get(index));
        (old != new).then(|| NameChange { place: index, old: old.cloned(), new: new.cloned() })
    };
    (0..old.len().max(new.len())).filter_map(change).collect()
}
