//! Differences between two maps.
//!
//! Items are matched by content, name and position, not by number, which changes with every edit. Maps of the same family of
//! dialects (710 and binary) are compared within their groups. Other maps are compared in world space, as far as both dialects can
//! represent it: bodies by position, size, shape and textures, but not by texture mapping.
//!
//! ```
//! use mapwright_wmp::query::{EditObjects, EditOptions};
//! use mapwright_wmp::{Dialect, Document, diff::Diff};
//!
//! let old = Document::new(Dialect::A7);
//! let mut new = old.clone();
//! new.apply(&"set level: nexus=60, script=office.wdl".parse()?, &EditOptions::default())?;
//! let diff = Diff::between(&old, &new);
//! assert_eq!(diff.to_string(), "level nexus: 30 → 60\nlevel script: ndef → office.wdl\n");
//! # Ok::<(), mapwright_wmp::query::QueryError>(())
//! ```

mod describe;
mod display;
mod items;

pub use mapwright_io::diff::FieldChange;

use crate::{Dialect, Document, EntityKind, Level, LineEnd, Name, TextureSource};
use describe::{FieldContent, View};

/// The differences between two maps. Prints one line per difference, and nothing if there is none.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Settings of the file, the editor and the level.
    pub facts: Vec<FieldChange>,
    /// Groups. Not compared in world space.
    pub groups: ItemsDiff,
    /// Blocks.
    pub blocks: ItemsDiff,
    /// Entities other than the level.
    pub entities: ItemsDiff,
}

/// The differences between items of one kind.
pub type ItemsDiff = mapwright_io::diff::ItemsDiff<ItemRef>;

/// An item that differs.
pub type ItemChange = mapwright_io::diff::ItemChange<ItemRef>;

/// A reference to an item of one of the maps.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemRef {
    /// Kind: `block`, `model`, `group`.
    pub kind: &'static str,
    /// Number in the map.
    pub number: u32,
    /// Name, or the texture of the first face of a block. May be empty.
    pub name: Name,
    /// Position in the group, or in the world if maps are compared there.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::exact::serialize"))]
    pub position: [f64; 3],
}

impl Diff {
    /// Compares two maps of any dialects.
    pub fn between(old: &Document, new: &Document) -> Self {
        let world = family(old.dialect) != family(new.dialect);
        let exact = old.dialect == new.dialect;
        let (old_view, new_view) = (View::new(old, world, exact), View::new(new, world, exact));
        let mut diff = Self {
            facts: facts(old, new, exact),
            groups: items::between(&old_view, &new_view, &old_view.groups(), &new_view.groups()),
            blocks: items::between(&old_view, &new_view, &old_view.blocks(), &new_view.blocks()),
            entities: items::between(&old_view, &new_view, &old_view.entities(), &new_view.entities()),
        };
        // NaN differs from itself, but prints the same.
        if diff.is_empty() && exact && old != new && format!("{old:?}") != format!("{new:?}") {
            diff.facts.push(FieldChange::new("other parts", "unchanged", "changed"));
        }
        diff
    }

    /// Returns `true` if there is no difference.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Groups dialects that store positions, angles and textures alike.
const fn family(dialect: Dialect) -> u8 {
    match dialect {
        Dialect::A4 => 4,
        Dialect::A5 => 5,
        Dialect::A7 | Dialect::Binary => 7,
        Dialect::Resolved => 8,
    }
}

/// Compares settings. Those that only one of two dialects stores are skipped.
fn facts(old: &Document, new: &Document, exact: bool) -> Vec<FieldChange> {
    let mut facts = Vec::new();
    let mut fact = |field: &str, old: String, new: String| {
        if old != new {
            facts.push(FieldChange::new(field, old, new));
        }
    };
    let text = |name: &Name| FieldContent::Name(name.clone()).to_string();
    fact("dialect", old.dialect.name().to_owned(), new.dialect.name().to_owned());
    if exact {
        let ends = |end: LineEnd| if end == LineEnd::Lf { "lf" } else { "crlf" }.to_owned();
        fact("line ends", ends(old.line_end), ends(new.line_end));
        fact("program", text(&old.header.generator), text(&new.header.generator));
        fact("created", text(&old.header.created), text(&new.header.created));
        fact("words of the header", format!("{:?}", old.header.words), format!("{:?}", new.header.words));
    }
    if let (Some(old), Some(new)) = (&old.wed, &new.wed) {
        let colours = |wed: &crate::Wed| {
            wed.palette.as_ref().map_or("none".to_owned(), |palette| format!("{} colours", palette.len() / 3))
        };
        if old.palette != new.palette {
            let pairs =
                old.palette.iter().flat_map(|old| old.chunks(3)).zip(new.palette.iter().flat_map(|new| new.chunks(3)));
            let others = pairs.filter(|(old, new)| old != new).count();
            fact("palette", colours(old), format!("{}, {others} differ", colours(new)));
        }
        let paths = |sources: &[TextureSource]| {
            let paths: Vec<String> = sources.iter().map(|source| source.path.to_string()).collect();
            if paths.is_empty() { "none".to_owned() } else { paths.join(" | ") }
        };
        fact("texture files", paths(&old.wads), paths(&new.wads));
        fact("texture folders", paths(&old.folders), paths(&new.folders));
        if exact {
            let lines = |lines: &Option<Vec<Name>>| {
                lines.as_ref().map_or("none".to_owned(), |lines| lines.iter().map(text).collect::<Vec<_>>().join(" | "))
            };
            fact("bookmarks", lines(&old.bookmarks), lines(&new.bookmarks));
            fact("windows", lines(&old.views), lines(&new.views));
        }
    }
    level(old, new, exact, &mut facts);
    facts
}

fn level(old_map: &Document, new_map: &Document, exact: bool, facts: &mut Vec<FieldChange>) {
    let is_level = |document: &Document| {
        document.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Level(_))).count().to_string()
    };
    let (Some(old), Some(new)) = (old_map.level(), new_map.level()) else {
        let (old, new) = (is_level(old_map), is_level(new_map));
        if old != new {
            facts.push(FieldChange::new("levels", old, new));
        }
        return;
    };
    let resolved = [old_map, new_map].iter().any(|map| map.dialect == Dialect::Resolved);
    let binary = [old_map, new_map].iter().any(|map| map.dialect == Dialect::Binary);
    // Skip fields that one of two dialects does not store.
    let is_skipped = |field: &str| match field {
        _ if exact => false,
        "wad" => binary,
        "palette" | "azimuth" | "elevation" => false,
        _ => resolved,
    };
    let rows = |map: &Document, level: &Level| {
        let mut rows = Vec::new();
        describe::add_fields(level, &mut |name, value| rows.push((name, value)), is_skipped);
        for (_, value) in &mut rows {
            // Dialects store colours in different units.
            if let FieldContent::Numbers(numbers) = value
                && let Ok(colour) = <[f64; 3]>::try_from(numbers.as_slice())
                && !exact
            {
                *numbers = crate::resolve::colour::level_to_percent(map.dialect, colour).to_vec();
            }
        }
        rows
    };
    let (old, new) = (rows(old_map, old), rows(new_map, new));
    for (name, value) in &old {
        if let Some((_, now)) = new.iter().find(|(other, _)| other == name)
            && !value.equals(now, if exact { 0.0 } else { 0.2 })
        {
            facts.push(FieldChange::new(format!("level {name}"), value.to_string(), now.to_string()));
        }
    }
    if exact && old.len() != new.len() {
        let colours = |rows: usize| rows.to_string();
        facts.push(FieldChange::new("level lines", colours(old.len()), colours(new.len())));
    }
}
