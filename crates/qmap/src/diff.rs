//! Differences between two maps.
//!
//! Entities are matched by their keys, names and classes, and brushes by their faces, not by their numbers, which change with every edit.
//! Comments, number formatting and the order of keys are not compared.
//!
//! ```
//! use mapwright_qmap::query::{EditObjects, EditOptions};
//! use mapwright_qmap::{Document, diff::Diff};
//!
//! let old = Document::from_bytes(b"{ \"classname\" \"worldspawn\" } { \"classname\" \"light\" \"light\" \"300\" }")?;
//! let mut new = old.clone();
//! new.apply(&"set class=light: light=250".parse()?, &EditOptions::default())?;
//! assert_eq!(Diff::between(&old, &new).to_string(), "~ entity #1 light: light: 300 → 250\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

use mapwright_io::diff::{ItemChange, ItemsDiff, Pairs, different_values, join_first, write_items};
use mapwright_io::escape_bytes;

pub use mapwright_io::diff::FieldChange;

use crate::document::number::parse_number;
use crate::{Document, EditorRole, Entity, Face, Primitive};

/// The differences between two maps. Prints one line per difference, and nothing if there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Game, format and version.
    pub header: Vec<FieldChange>,
    /// Entities, without their brushes.
    pub entities: ItemsDiff<EntityRef>,
    /// Brushes, patches and other primitives.
    pub primitives: ItemsDiff<PrimitiveRef>,
}

/// A reference to an entity of one of the maps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EntityRef {
    /// Number in the map, from 0.
    pub index: usize,
    /// Class. May be empty.
    pub class: String,
    /// Name. May be empty.
    pub name: String,
}

/// A reference to a brush or other primitive of one of the maps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PrimitiveRef {
    /// Kind: `brush`, `brushDef3`, `patchDef2`.
    pub kind: &'static str,
    /// Number of the entity, from 0.
    pub entity: usize,
    /// Number in the entity, from 0.
    pub index: usize,
    /// Texture of the first face. May be empty.
    pub texture: String,
}

impl Diff {
    /// Compares two maps.
    pub fn between(old: &Document, new: &Document) -> Self {
        let states = [RandomState::new(), RandomState::new()];
        let maps = [old, new].map(|map| Contents::new(map, &states));
        let [olds, news] = &maps;
        let entities = match_entities(olds, news, &states);
        let primitives = match_primitives(olds, news, &entities);
        Self {
            header: compare_headers(old, new),
            entities: entities.to_diff(
                |index| Some(EntityRef::new(*olds.entities.get(index)?)),
                |index| Some(EntityRef::new(*news.entities.get(index)?)),
                |one, other| {
                    let (one, other) = (*olds.entities.get(one)?, *news.entities.get(other)?);
                    let fields = compare_keys(one.pairs().map(key_value), other.pairs().map(key_value));
                    let (old, new) = (EntityRef::new(one), EntityRef::new(other));
                    (!fields.is_empty()).then_some(ItemChange { old, new, fields })
                },
            ),
            primitives: primitives.to_diff(
                |index| Some(PrimitiveRef::new(olds.primitives.get(index)?)),
                |index| Some(PrimitiveRef::new(news.primitives.get(index)?)),
                |one, other| {
                    let (one, other) = (olds.primitives.get(one)?, news.primitives.get(other)?);
                    let is_same_entity = entities.partner_of_old(one.entity) == Some(other.entity);
                    if one.content == other.content && is_same_entity {
                        return None;
                    }
                    let fields = compare_primitives(one, other, is_same_entity);
                    let (old, new) = (PrimitiveRef::new(one), PrimitiveRef::new(other));
                    (!fields.is_empty()).then_some(ItemChange { old, new, fields })
                },
            ),
        }
    }

    /// Returns `true` if there is no difference.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.entities.is_empty() && self.primitives.is_empty()
    }
}

/// The entities and primitives of a map, in the order of the file.
struct Contents<'a> {
    entities: Vec<Entity<'a>>,
    primitives: Vec<Item<'a>>,
}

/// A primitive with the numbers of its entity and in it.
struct Item<'a> {
    primitive: Primitive<'a>,
    entity: usize,
    index: usize,
    /// Fingerprint of everything that is compared.
    content: [u64; 2],
    /// Fingerprint of the planes and control points.
    shape: [u64; 2],
}

impl<'a> Contents<'a> {
    fn new(map: &'a Document, states: &[RandomState; 2]) -> Self {
        let items = |entity: Entity<'a>| {
            let primitives = entity.primitives().enumerate();
            primitives.map(move |(index, primitive)| {
                let mut hasher = Fingerprint::new(states);
                hash_shape(primitive, &mut hasher);
                let shape = hasher.print();
                hash_surface(primitive, &mut hasher);
                Item { primitive, entity: entity.index(), index, content: hasher.print(), shape }
            })
        };
        Self { entities: map.entities().collect(), primitives: map.entities().flat_map(items).collect() }
    }
}

fn compare_headers(old: &Document, new: &Document) -> Vec<FieldChange> {
    let version = |map: &Document| map.version().map(|version| version.to_string().into_bytes());
    let facts: [(&str, _, _); 3] = [
        ("game", old.game().map(<[u8]>::to_vec), new.game().map(<[u8]>::to_vec)),
        ("format", old.format().map(<[u8]>::to_vec), new.format().map(<[u8]>::to_vec)),
        ("version", version(old), version(new)),
    ];
    let different = facts.into_iter().filter(|(_, old, new)| old != new);
    different
        .map(|(name, old, new)| FieldChange::new(name, text_or_none(old.as_deref()), text_or_none(new.as_deref())))
        .collect()
}

fn text_or_none(value: Option<&[u8]>) -> String {
    value.map_or_else(|| "none".to_owned(), escape_bytes)
}

fn match_entities(old: &Contents<'_>, new: &Contents<'_>, states: &[RandomState; 2]) -> Pairs {
    let mut pairs = Pairs::new(old.entities.len(), new.entities.len());
    let content = |entity: Entity<'_>| {
        let mut keys: Vec<(&[u8], &[u8])> = entity.pairs().map(key_value).collect();
        keys.sort_unstable();
        let mut hasher = Fingerprint::new(states);
        keys.hash(&mut hasher);
        Some(hasher.print())
    };
    let class = |entity: Entity<'_>| entity.class().map(<[u8]>::to_vec);
    // Layers and groups by their id, others by their name.
    let by_name = |entity: Entity<'_>| match entity.editor_role() {
        EditorRole::Entity => Some([class(entity)?, entity.name()?.to_vec()]),
        _ => Some([entity.get("_tb_type")?.to_vec(), entity.get("_tb_id")?.to_vec()]),
    };
    let by_place = |entity: Entity<'_>| Some([class(entity)?, entity.get("origin")?.to_vec()]);
    let by_class = |entity: Entity<'_>| Some([class(entity)?, Vec::new()]);
    pairs.match_by_key(|index| content(*old.entities.get(index)?), |index| content(*new.entities.get(index)?));
    let mut match_unique = |key: &dyn Fn(Entity<'_>) -> Option<[Vec<u8>; 2]>| {
        pairs.match_by_unique_key(|index| key(*old.entities.get(index)?), |index| key(*new.entities.get(index)?));
    };
    match_unique(&by_name);
    match_unique(&by_place);
    match_unique(&by_class);
    pairs
}

fn match_primitives(old: &Contents<'_>, new: &Contents<'_>, entities: &Pairs) -> Pairs {
    let mut pairs = Pairs::new(old.primitives.len(), new.primitives.len());
    // The number of the new entity that an old one is now.
    let later = |index: usize| entities.partner_of_old(index);
    let old_entity = |index: usize| old.primitives.get(index).map(|item| later(item.entity));
    let new_entity = |index: usize| new.primitives.get(index).map(|item| Some(item.entity));
    let prints: [fn(&Item<'_>) -> [u64; 2]; 2] = [|item| item.content, |item| item.shape];
    for print in prints {
        let old_print = |index: usize| old.primitives.get(index).map(print);
        let new_print = |index: usize| new.primitives.get(index).map(print);
        // Primitives that stay in their entity first.
        pairs.match_by_key(
            |index| Some((old_entity(index)?, old_print(index)?)),
            |index| Some((new_entity(index)?, new_print(index)?)),
        );
        pairs.match_by_key(old_print, new_print);
    }
    pairs
}

/// Hashes a content twice with random keys, so that different contents do not have the same result.
struct Fingerprint([DefaultHasher; 2]);

impl Fingerprint {
    fn new(states: &[RandomState; 2]) -> Self {
        Self(states.each_ref().map(BuildHasher::build_hasher))
    }

    fn print(&self) -> [u64; 2] {
        self.0.each_ref().map(Hasher::finish)
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|hasher| hasher.write(bytes));
    }

    fn finish(&self) -> u64 {
        let [first, _] = self.print();
        first
    }
}

/// Hashes keys, textures, mappings and flags.
fn hash_surface(primitive: Primitive<'_>, hasher: &mut Fingerprint) {
    let mut write = |bytes: &[u8]| {
        hasher.write(bytes);
        hasher.write_u8(0);
    };
    for pair in primitive.pairs() {
        write(pair.key());
        write(pair.value());
    }
    for face in primitive.faces() {
        write(&face.texture());
        face.mapping_words().for_each(|word| write(&parse_number(word).to_bits().to_le_bytes()));
        face.extra().for_each(&mut write);
    }
    if let Some(patch) = primitive.patch() {
        write(&patch.texture());
    }
}

/// Hashes the form: planes and control points.
fn hash_shape(primitive: Primitive<'_>, hasher: &mut Fingerprint) {
    hasher.write(primitive.name().unwrap_or_default());
    let mut write = |word: &[u8]| hasher.write_u64((parse_number(word) + 0.0).to_bits());
    for face in primitive.faces() {
        face.plane_words().for_each(&mut write);
    }
    match primitive.patch() {
        Some(patch) => patch.info_words().chain(patch.point_words()).for_each(&mut write),
        // The text of others is not read.
        None if !primitive.kind().is_brush() => hasher.write(primitive.text()),
        None => {}
    }
}

fn key_value<'a>(pair: crate::KeyValue<'a>) -> (&'a [u8], &'a [u8]) {
    (pair.key(), pair.value())
}

/// Compares keys and values. Several values of a key are compared in their order.
fn compare_keys<'a>(
    old: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    new: impl Iterator<Item = (&'a [u8], &'a [u8])>,
) -> Vec<FieldChange> {
    let text = |values: &[&[u8]]| join_first(values.iter(), |value| escape_bytes(value));
    different_values(old, new)
        .map(|(key, [old, new])| FieldChange::new(escape_bytes(key), text(&old), text(&new)))
        .collect()
}

fn compare_primitives(old: &Item<'_>, new: &Item<'_>, same_entity: bool) -> Vec<FieldChange> {
    let mut fields = Vec::new();
    if !same_entity {
        fields.push(FieldChange::new("entity", format!("#{}", old.entity), format!("#{}", new.entity)));
    }
    fields.extend(compare_keys(old.primitive.pairs().map(key_value), new.primitive.pairs().map(key_value)));
    for (index, (one, other)) in old.primitive.faces().zip(new.primitive.faces()).enumerate() {
        let mut compare = |what: &str, of: fn(Face<'_>) -> String| {
            let (one, other) = (of(one), of(other));
            if one != other {
                fields.push(FieldChange::new(format!("{what} of face {index}"), one, other));
            }
        };
        compare("texture", |face| escape_bytes(&face.texture()));
        compare("mapping", |face| {
            let numbers = face.mapping_words().map(|word| crate::format_number(parse_number(word)));
            numbers.collect::<Vec<_>>().join(" ")
        });
        compare("flags", |face| face.extra().map(escape_bytes).collect::<Vec<_>>().join(" "));
    }
    if let (Some(one), Some(other)) = (old.primitive.patch(), new.primitive.patch())
        && one.texture() != other.texture()
    {
        fields.push(FieldChange::new("texture", escape_bytes(&one.texture()), escape_bytes(&other.texture())));
    }
    fields
}

impl EntityRef {
    fn new(entity: Entity<'_>) -> Self {
        let text = |value: Option<&[u8]>| value.map(escape_bytes).unwrap_or_default();
        Self { index: entity.index(), class: text(entity.class()), name: text(entity.name()) }
    }
}

impl PrimitiveRef {
    fn new(item: &Item<'_>) -> Self {
        let patch = item.primitive.patch().map(|patch| patch.texture());
        let texture = item.primitive.faces().next().map(Face::texture).or(patch);
        Self {
            kind: item.primitive.kind().name(),
            entity: item.entity,
            index: item.index,
            texture: texture.map(|texture| escape_bytes(&texture)).unwrap_or_default(),
        }
    }
}

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for fact in &self.header {
            writeln!(f, "{fact}")?;
        }
        write_items(f, "entities", &self.entities)?;
        write_items(f, "primitives", &self.primitives)
    }
}

/// Prints `entity #3 light torch1`.
impl Display for EntityRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "entity #{}", self.index)?;
        let names = [&self.class, &self.name].into_iter().filter(|name| !name.is_empty());
        names.into_iter().try_for_each(|name| write!(f, " {name}"))
    }
}

/// Prints `brush #2 of entity #0 with stone`.
impl Display for PrimitiveRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{} of entity #{}", self.kind, self.index, self.entity)?;
        if self.texture.is_empty() { Ok(()) } else { write!(f, " with {}", self.texture) }
    }
}
