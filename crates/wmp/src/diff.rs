//! What differs between two maps.
//!
//! Blocks, entities and groups are matched by what they say, by name and by place, not by their numbers, which change with
//! every edit. Maps that say places and angles alike, which 710 and binary maps do, are compared as they are, in their groups;
//! others as what they mean in the world, so far as both can say it: bodies by place, size, form and textures, but not how
//! textures lie on them. The same two maps always give the same answer.
//!
//! ```
//! use mapwright_wmp::{Dialect, Document, diff::Diff};
//!
//! let old = Document::new(Dialect::A7);
//! let mut new = old.clone();
//! new.apply(&"set level * nexus=60 script=office.wdl".parse()?)?;
//! let diff = Diff::between(&old, &new);
//! assert_eq!(diff.to_string(), "level nexus: 30 → 60\nlevel script: ndef → office.wdl\n");
//! # Ok::<(), mapwright_wmp::edit::EditError>(())
//! ```

mod describe;
mod display;
mod items;

pub use mapwright_io::diff::FieldChange;

use crate::{Dialect, Document, EntityKind, Level, LineEnd, Name, TextureSource};
use describe::{Said, View};

/// What differs between two maps. It prints as a text of a line for each difference, without any as an empty text.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Facts about the file, the settings of the editor and the level.
    pub facts: Vec<FieldChange>,
    /// Groups; of maps that are compared by what they mean there are none.
    pub groups: ItemsDiff,
    /// Blocks.
    pub blocks: ItemsDiff,
    /// Entities but for the level.
    pub entities: ItemsDiff,
}

/// What differs between the items of one kind.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemsDiff {
    /// Items that both maps have and that are not the same, by the order of the old ones.
    pub changed: Vec<ItemChange>,
    /// Items that only the old map has.
    pub removed: Vec<ItemRef>,
    /// Items that only the new map has.
    pub added: Vec<ItemRef>,
    /// Whether the items of both stand in another order.
    pub reordered: bool,
}

impl ItemsDiff {
    /// Whether nothing of this differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An item that differs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemChange {
    /// The old one.
    pub old: ItemRef,
    /// The new one.
    pub new: ItemRef,
    /// How.
    pub fields: Vec<FieldChange>,
}

/// An item of one of the maps, as far as one needs to find it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemRef {
    /// What it is: `block`, `model`, `group`.
    pub kind: &'static str,
    /// Its number in its map.
    pub number: u32,
    /// Its name, or the texture of a block's first face; empty if it has none.
    pub name: Name,
    /// Where it stands: in its group, or in the world if maps are compared by what they mean.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::exact::serialize"))]
    pub position: [f64; 3],
}

impl Diff {
    /// Compares two maps, also of different dialects.
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
        // Numbers that are none are not equal to themselves; printed they are.
        if diff.is_empty() && exact && old != new && format!("{old:?}") != format!("{new:?}") {
            diff.facts.push(FieldChange::new("other parts", "as they were", "changed"));
        }
        diff
    }

    /// Whether nothing of this differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Dialects that say places, angles and textures alike.
const fn family(dialect: Dialect) -> u8 {
    match dialect {
        Dialect::A4 => 4,
        Dialect::A5 => 5,
        Dialect::A7 | Dialect::Binary => 7,
        Dialect::Resolved => 8,
    }
}

/// What is compared as a whole. Dialects that differ are one fact; what only one of them has is none.
fn facts(old: &Document, new: &Document, exact: bool) -> Vec<FieldChange> {
    let mut facts = Vec::new();
    let mut fact = |field: &str, old: String, new: String| {
        if old != new {
            facts.push(FieldChange::new(field, old, new));
        }
    };
    let text = |name: &Name| Said::Name(name.clone()).to_string();
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
            fact("palette", colours(old), format!("{}, {others} of them others", colours(new)));
        }
        let paths = |sources: &[TextureSource]| {
            let paths: Vec<String> = sources.iter().map(|source| source.path.to_string()).collect();
            if paths.is_empty() { "none".to_owned() } else { paths.join(" | ") }
        };
        fact("files of textures", paths(&old.wads), paths(&new.wads));
        fact("folders of textures", paths(&old.folders), paths(&new.folders));
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
    let rows = |map: &Document, level: &Level| {
        let mut rows = vec![("palette", Said::Name(level.palette.clone()))];
        // Binary files do not have the name, resolved ones neither script nor colours.
        if exact || !binary {
            rows.push(("wad", Said::Name(level.wad.clone())));
        }
        rows.extend(
            [("azimuth", level.azimuth), ("elevation", level.elevation)]
                .map(|(name, value)| (name, Said::Numbers(vec![value]))),
        );
        if exact || !resolved {
            rows.push(("nexus", Said::Numbers(vec![level.nexus.into()])));
            rows.push(("script", Said::Name(level.script.clone())));
            let names = ["sun", "ambient", "fog1", "fog2", "fog3", "fog4"];
            rows.extend(names.into_iter().zip(&level.colours).map(|(name, colour)| {
                let colour =
                    if exact { *colour } else { crate::resolve::colour::level_to_percent(map.dialect, *colour) };
                (name, Said::Numbers(colour.to_vec()))
            }));
        }
        rows
    };
    let (old, new) = (rows(old_map, old), rows(new_map, new));
    for (name, said) in &old {
        if let Some((_, now)) = new.iter().find(|(other, _)| other == name)
            && !said.is(now, if exact { 0.0 } else { 0.2 })
        {
            facts.push(FieldChange::new(format!("level {name}"), said.to_string(), now.to_string()));
        }
    }
    if exact && old.len() != new.len() {
        let colours = |rows: usize| rows.to_string();
        facts.push(FieldChange::new("level lines", colours(old.len()), colours(new.len())));
    }
}
