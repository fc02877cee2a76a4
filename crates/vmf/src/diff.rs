//! Differences between two maps.
//!
//! Entities are matched by their keys, names and classes, and solids by their sides. Ids of entities, solids and sides are not compared,
//! because editors change them; neither are comments and the order of keys. Values are compared as text.
//!
//! ```
//! use mapwright_vmf::query::{EditObjects, EditOptions};
//! use mapwright_vmf::{Document, diff::Diff};
//!
//! let old = Document::from_bytes(b"world { id 1 } entity { id 2 classname light style 0 }")?;
//! let mut new = old.clone();
//! new.apply(&"set class=light: style=10".parse()?, &EditOptions::default())?;
//! assert_eq!(Diff::between(&old, &new).to_string(), "~ entity #2 light: style: 0 → 10\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::rc::Rc;

use mapwright_io::diff::{ItemChange, ItemsDiff, Pairs, different_values, join_first, write_items, write_lines};
use mapwright_io::escape_bytes;
use mapwright_keyvalues::kv1::{Item, Items};

pub use mapwright_io::diff::FieldChange;

use crate::{Document, Entity, Side, Solid};

/// The differences between two maps. Prints one line per difference, and nothing if there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Keys outside of the world and the entities, such as `versioninfo.mapversion`.
    pub settings: Vec<FieldChange>,
    /// The world and the entities, without their solids.
    pub entities: ItemsDiff<EntityRef>,
    /// Solids.
    pub solids: ItemsDiff<SolidRef>,
}

/// A reference to the world or an entity of one of the maps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EntityRef {
    /// `true` for the world.
    pub is_world: bool,
    /// Id.
    pub id: Option<i64>,
    /// Class. May be empty.
    pub class: String,
    /// Name. May be empty.
    pub name: String,
}

/// A reference to a solid of one of the maps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SolidRef {
    /// Id.
    pub id: Option<i64>,
    /// The entity that has the solid.
    pub entity: EntityRef,
    /// Material of the first side. May be empty.
    pub material: String,
}

impl Diff {
    /// Compares two maps.
    pub fn between(old: &Document, new: &Document) -> Self {
        let maps = [old, new].map(Contents::new);
        let [olds, news] = &maps;
        let entities = match_entities(olds, news);
        let solids = match_solids(olds, news, &entities);
        Self {
            settings: compare(settings(old), settings(new)),
            entities: entities.to_diff(
                |index| olds.refs.get(index).cloned(),
                |index| news.refs.get(index).cloned(),
                |one, other| {
                    let (old, new) = (olds.refs.get(one)?.clone(), news.refs.get(other)?.clone());
                    let (one, other) = (*olds.entities.get(one)?, *news.entities.get(other)?);
                    let hidden = (one.is_hidden(), other.is_hidden());
                    let fields = compare_hidden(hidden, entity_leaves(one), entity_leaves(other));
                    (!fields.is_empty()).then_some(ItemChange { old, new, fields })
                },
            ),
            solids: solids.to_diff(
                |index| olds.solid_ref(index),
                |index| news.solid_ref(index),
                |one, other| {
                    let (old, new) = (olds.solid_ref(one)?, news.solid_ref(other)?);
                    let (one, other) = (olds.solids.get(one)?, news.solids.get(other)?);
                    let mut fields = Vec::new();
                    if entities.partner_of_old(one.entity) != Some(other.entity) {
                        fields.push(FieldChange::new("entity", old.entity.to_string(), new.entity.to_string()));
                    }
                    fields.extend(compare_solids(one.solid, other.solid));
                    (!fields.is_empty()).then_some(ItemChange { old, new, fields })
                },
            ),
        }
    }

    /// Returns `true` if there is no difference.
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty() && self.entities.is_empty() && self.solids.is_empty()
    }
}

/// The entities and solids of a map, in the order of the file.
struct Contents<'a> {
    entities: Vec<Entity<'a>>,
    /// A reference to each entity. Looking up its keys for each of its solids would take quadratic time.
    refs: Vec<EntityRef>,
    solids: Vec<OwnedSolid<'a>>,
}

/// A solid with the index of its entity.
struct OwnedSolid<'a> {
    solid: Solid<'a>,
    entity: usize,
}

impl<'a> Contents<'a> {
    fn new(map: &'a Document) -> Self {
        let entities: Vec<Entity<'a>> = map.all_entities().collect();
        let with_index =
            |(entity, owner): (usize, &Entity<'a>)| owner.solids().map(move |solid| OwnedSolid { solid, entity });
        Self {
            solids: entities.iter().enumerate().flat_map(with_index).collect(),
            refs: entities.iter().copied().map(EntityRef::new).collect(),
            entities,
        }
    }

    fn solid_ref(&self, index: usize) -> Option<SolidRef> {
        let OwnedSolid { solid, entity } = self.solids.get(index)?;
        let material = solid.sides().next().and_then(Side::material);
        Some(SolidRef {
            id: solid.id(),
            entity: self.refs.get(*entity)?.clone(),
            material: material.map(Cow::into_owned).unwrap_or_default(),
        })
    }
}

fn match_entities(old: &Contents<'_>, new: &Contents<'_>) -> Pairs {
    let mut pairs = Pairs::new(old.entities.len(), new.entities.len());
    let hashers = [RandomState::new(), RandomState::new()];
    let content = |entity: Entity<'_>| Some(fingerprint(&hashers, &(entity.is_hidden(), entity_leaves(entity))));
    let text = |entity: Entity<'_>, key: &str| entity.text(key).map(Cow::into_owned);
    let by_name = |entity: Entity<'_>| Some([text(entity, "classname")?, text(entity, "targetname")?]);
    let by_place = |entity: Entity<'_>| Some([text(entity, "classname")?, text(entity, "origin")?]);
    let by_class = |entity: Entity<'_>| Some([text(entity, "classname")?, String::new()]);
    // The world is matched first, whatever its keys are.
    pairs.match_by_unique_key(
        |index| old.entities.get(index)?.is_world().then_some(()),
        |index| new.entities.get(index)?.is_world().then_some(()),
    );
    pairs.match_by_key(|index| content(*old.entities.get(index)?), |index| content(*new.entities.get(index)?));
    let mut match_unique = |key: &dyn Fn(Entity<'_>) -> Option<[String; 2]>| {
        pairs.match_by_unique_key(|index| key(*old.entities.get(index)?), |index| key(*new.entities.get(index)?));
    };
    match_unique(&by_name);
    match_unique(&by_place);
    match_unique(&by_class);
    pairs
}

fn match_solids(old: &Contents<'_>, new: &Contents<'_>, entities: &Pairs) -> Pairs {
    let mut pairs = Pairs::new(old.solids.len(), new.solids.len());
    let hashers = [RandomState::new(), RandomState::new()];
    let content = |solid: Solid<'_>| {
        let sides: Vec<_> = solid.sides().map(side_leaves).collect();
        fingerprint(&hashers, &(solid.is_hidden(), solid_leaves(solid), sides))
    };
    let shape = |solid: Solid<'_>| {
        let planes: Vec<_> = solid.sides().map(|side| crate::document::value::text(side.item(), "plane")).collect();
        fingerprint(&hashers, &planes)
    };
    // The entity of an old solid is the new one that it is matched with.
    let old_entity = |index: usize| old.solids.get(index).map(|owned| entities.partner_of_old(owned.entity));
    let new_entity = |index: usize| new.solids.get(index).map(|owned| Some(owned.entity));
    let mut match_prints = |print: &dyn Fn(Solid<'_>) -> [u64; 2]| {
        let [olds, news] =
            [old, new].map(|contents| contents.solids.iter().map(|owned| print(owned.solid)).collect::<Vec<_>>());
        // Solids that stay in their entity first.
        pairs.match_by_key(
            |index| Some((old_entity(index)?, *olds.get(index)?)),
            |index| Some((new_entity(index)?, *news.get(index)?)),
        );
        pairs.match_by_key(|index| olds.get(index).copied(), |index| news.get(index).copied());
    };
    match_prints(&content);
    match_prints(&shape);
    pairs
}

/// Hashes a content twice with random keys, so that different contents do not have the same result.
fn fingerprint(hashers: &[RandomState; 2], content: &impl Hash) -> [u64; 2] {
    hashers.each_ref().map(|state| state.hash_one(content))
}

/// The names of the blocks around a key, and its own.
type Path = (Rc<str>, Vec<u8>);

/// A key with its path and its value.
type Leaf<'a> = (Path, Cow<'a, [u8]>);

/// The number of blocks whose names are in a path. Deeper ones do not occur, and would make paths long.
const MAX_NAMES: usize = 4;
/// The number of bytes of a name in a path.
const MAX_NAME: usize = 64;

/// Returns the keys of blocks in all blocks below, sorted by their paths. Leaves out items of the first level for which `is_skipped` is
/// `true`.
fn leaves<'a>(items: Items<'a>, is_skipped: fn(Item<'a>) -> bool) -> Vec<Leaf<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<(Rc<str>, Items<'a>)> = vec![("".into(), items)];
    loop {
        let depth = open.len();
        let Some((path, items)) = open.last_mut() else { break };
        match items.next() {
            None => drop(open.pop()),
            Some(item) if depth == 1 && is_skipped(item) => {}
            Some(item) => {
                let name = item.name().to_ascii_lowercase();
                match item.value() {
                    Some(value) => found.push(((Rc::clone(path), name), value)),
                    None if depth > MAX_NAMES => {
                        let path = Rc::clone(path);
                        open.push((path, item.items()));
                    }
                    None => {
                        let name = escape_bytes(name.get(..MAX_NAME).unwrap_or(&name));
                        let path = format!("{path}{name}.").into();
                        open.push((path, item.items()));
                    }
                }
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

/// Returns the keys outside of the world and the entities.
fn settings(map: &Document) -> Vec<Leaf<'_>> {
    leaves(map.text.items(), |item| item.is_block() && ["world", "entity", "hidden"].iter().any(|name| item.is(name)))
}

fn entity_leaves(entity: Entity<'_>) -> Vec<Leaf<'_>> {
    leaves(
        entity.item().items(),
        |item| {
            if item.is_block() { item.is("solid") || item.is("hidden") } else { item.is("id") }
        },
    )
}

fn solid_leaves(solid: Solid<'_>) -> Vec<Leaf<'_>> {
    leaves(solid.item().items(), |item| if item.is_block() { item.is("side") } else { item.is("id") })
}

fn side_leaves(side: Side<'_>) -> Vec<Leaf<'_>> {
    leaves(side.item().items(), |item| !item.is_block() && item.is("id"))
}

/// Compares the values of keys. Several values of a key are compared in their order.
fn compare(old: Vec<Leaf<'_>>, new: Vec<Leaf<'_>>) -> Vec<FieldChange> {
    let text = |values: &[Cow<'_, [u8]>]| join_first(values.iter(), |value| escape_bytes(value));
    different_values(old, new)
        .map(|((path, name), [old, new])| {
            FieldChange::new(format!("{path}{}", escape_bytes(&name)), text(&old), text(&new))
        })
        .collect()
}

fn compare_hidden(hidden: (bool, bool), old: Vec<Leaf<'_>>, new: Vec<Leaf<'_>>) -> Vec<FieldChange> {
    let (was_hidden, is_hidden) = hidden;
    let change = FieldChange::new("hidden", was_hidden.to_string(), is_hidden.to_string());
    (was_hidden != is_hidden).then_some(change).into_iter().chain(compare(old, new)).collect()
}

fn compare_solids(old: Solid<'_>, new: Solid<'_>) -> Vec<FieldChange> {
    let hidden = (old.is_hidden(), new.is_hidden());
    let mut fields = compare_hidden(hidden, solid_leaves(old), solid_leaves(new));
    for (index, (one, other)) in old.sides().zip(new.sides()).enumerate() {
        let changes = compare(side_leaves(one), side_leaves(other)).into_iter();
        fields
            .extend(changes.map(|change| FieldChange { field: format!("{} of side {index}", change.field), ..change }));
    }
    fields
}

impl EntityRef {
    fn new(entity: Entity<'_>) -> Self {
        let text = |key| entity.text(key).map(Cow::into_owned).unwrap_or_default();
        Self { is_world: entity.is_world(), id: entity.id(), class: text("classname"), name: text("targetname") }
    }
}

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_lines(f, "changed settings", &self.settings, |f, change| write!(f, "{change}"))?;
        write_items(f, "entities", &self.entities)?;
        write_items(f, "solids", &self.solids)
    }
}

/// Prints `world` or `entity #3 light lamp`.
impl Display for EntityRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_world {
            return f.write_str("world");
        }
        f.write_str("entity")?;
        self.id.map_or(Ok(()), |id| write!(f, " #{id}"))?;
        let names = [&self.class, &self.name].into_iter().filter(|name| !name.is_empty());
        names.into_iter().try_for_each(|name| write!(f, " {name}"))
    }
}

/// Prints `solid #2 of world with DEV/FLOOR`.
impl Display for SolidRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("solid")?;
        self.id.map_or(Ok(()), |id| write!(f, " #{id}"))?;
        write!(f, " of {}", self.entity)?;
        if self.material.is_empty() { Ok(()) } else { write!(f, " with {}", self.material) }
    }
}
