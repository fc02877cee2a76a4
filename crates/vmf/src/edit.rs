//! Changes of maps: of single parts with [`Edit`], and of objects that a query finds.
//!
//! A document implements [`Objects`](mapwright_query::Objects) and [`EditObjects`](mapwright_query::EditObjects). Its objects are the world
//! and the entities, each followed by its solids. `set level: …` changes the world.
//!
//! ```
//! use mapwright_vmf::Document;
//! use mapwright_vmf::query::{EditObjects, EditOptions};
//!
//! let mut map = Document::from_bytes(b"world\n{\n\t\"id\" \"1\"\n}\nentity\n{\n\t\"id\" \"2\"\n\t\"classname\" \"func_button\" // red\n}\n")?;
//! let options = EditOptions::default().with_create_fields(true);
//! for line in [
//!     "set level: skyname=sky_day01_01",
//!     "output add class=func_button: OnPressed lamp TurnOn",
//!     "add light targetname=lamp, origin=\"0 0 64\"",
//! ] {
//!     map.apply(&line.parse()?, &options)?;
//! }
//! let text = "world\n{\n\t\"id\" \"1\"\n\t\"skyname\" \"sky_day01_01\"\n}\n\
//!     entity\n{\n\t\"id\" \"2\"\n\t\"classname\" \"func_button\" // red\n\tconnections\n\t{\n\t\t\"OnPressed\" \"lamp,TurnOn,,0,-1\"\n\t}\n}\n\
//!     entity\n{\n\t\"id\" \"3\"\n\t\"classname\" \"light\"\n\t\"targetname\" \"lamp\"\n\t\"origin\" \"0 0 64\"\n}\n";
//! assert_eq!(String::from_utf8_lossy(map.as_bytes()), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fields
//!
//! Entities have `kind` (`world` or `entity`; the world is also `entity`), `id`, `class`, `name`, `parent`, `model`, `origin`, `x`, `y`, `z`,
//! `angles`, `hidden`, `solids`, `outputs`, `visgroup`, `group`, and all of their keys. Solids have `kind`, `id`, `entity` and `entity_class`
//! (the id and class of their entity), `material`, `sides`, `displacement`, `hidden`, `visgroup` and `group`. Entities and solids can have
//! the same id: write `kind=solid and id=7`.
//!
//! # Edits
//!
//! | text | does |
//! |---|---|
//! | `set QUERY: …` | sets keys of entities, or the material of all sides of a solid |
//! | `delete QUERY` | deletes entities with their solids, and single solids |
//! | `duplicate QUERY: …` | copies them with new ids, and sets fields of the copies |
//! | `add entity class=light, origin="0 0 0"` | adds an entity without solids; any class is a kind, too: `add light …` |
//! | `rename material OLD NEW` | renames materials of sides and overlays; `texture` is the same |
//! | `rename model OLD NEW` | renames the models of entities |
//! | `output add QUERY: EVENT TARGET INPUT PARAMETER DELAY TIMES` | adds an output; the last three may be missing |
//! | `output remove QUERY: EVENT TARGET INPUT` | removes outputs; the last two may be missing, and all can have wildcards |
//! | `output set QUERY: EVENT target=…, delay=…` | changes `name`, `target`, `input`, `parameter`, `delay` or `times` of outputs |

mod apply;
mod objects;
mod outputs;
mod variables;

use mapwright_keyvalues::kv1::{self, Item};
use mapwright_keyvalues::{WriteError as TextError, kv1::ReadOptions as TextOptions};

use crate::{Connection, Document, Entity, Output, Separator, Side, Solid, WriteError, WriteErrorKind};

/// A list of changes of one map. Everything else keeps its bytes. New parts have the layout of the parts before them.
///
/// All parts must belong to this map.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    map: &'a Document,
    text: kv1::Edit<'a>,
    is_empty: bool,
    /// The next ids of new parts, if there are new parts.
    next: Option<NextIds>,
}

/// Ids that no part has.
#[derive(Debug, Clone, Copy)]
struct NextIds {
    entity: i64,
    solid: i64,
    side: i64,
}

impl NextIds {
    fn new(map: &Document) -> Self {
        let after = |id: Option<i64>| id.unwrap_or(0).saturating_add(1);
        Self {
            entity: after(map.all_entities().filter_map(Entity::id).max()),
            solid: after(map.solids().filter_map(Solid::id).max()),
            side: after(map.solids().flat_map(Solid::sides).filter_map(Side::id).max()),
        }
    }
}

/// Returns an id, and counts.
fn take(next: &mut i64) -> String {
    let id = *next;
    *next = next.saturating_add(1);
    id.to_string()
}

fn refused(error: TextError) -> WriteError {
    error.map_kind(Into::into)
}

impl<'a> Edit<'a> {
    /// Creates an empty list.
    pub fn new(map: &'a Document) -> Self {
        Self { map, text: kv1::Edit::new(&map.text), is_empty: true, next: None }
    }

    /// Returns the changes of the text, for items that have no view.
    pub fn text(&mut self) -> &mut kv1::Edit<'a> {
        self.is_empty = false;
        &mut self.text
    }

    /// Changes the value of a key.
    ///
    /// # Errors
    /// If the item is a block, or if the value contains a quote, which maps cannot store.
    pub fn set_value(&mut self, key: Item<'a>, value: impl AsRef<[u8]>) -> Result<(), WriteError> {
        self.text().set_value(key, value).map_err(refused)
    }

    /// Changes the value of a key of a block, such as that of an entity or a side. Adds the key after the other keys if there is none.
    ///
    /// # Errors
    /// If the key or value contains a quote, which maps cannot store.
    pub fn set(&mut self, block: Item<'a>, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), WriteError> {
        match crate::document::value::key(block, key.as_ref()) {
            Some(item) => self.set_value(item, value),
            None => self.text().insert_key(Some(block), key, value).map_err(refused),
        }
    }

    /// Removes a key or block, with its line if nothing else is in it.
    pub fn remove(&mut self, item: Item<'a>) {
        self.text().remove(item);
    }

    /// Removes an entity with its solids. A block `hidden` around it is removed, too.
    ///
    /// # Errors
    /// If the entity is the world.
    pub fn remove_entity(&mut self, entity: Entity<'a>) -> Result<(), WriteError> {
        if entity.is_world() {
            return Err(WriteError::without_position(WriteErrorKind::World("deleted")));
        }
        self.remove(entity.outer());
        Ok(())
    }

    /// Removes a solid. A block `hidden` around it is removed, too.
    pub fn remove_solid(&mut self, solid: Solid<'a>) {
        self.remove(solid.outer());
    }

    /// Adds an entity with a new id and the given keys after the last entity, or else after the world. Returns its id.
    ///
    /// # Errors
    /// If a key or value contains a quote, which maps cannot store.
    pub fn insert_entity<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        keys: impl IntoIterator<Item = (K, V)>,
    ) -> Result<i64, WriteError> {
        let next = self.next.get_or_insert_with(|| NextIds::new(self.map));
        let id = next.entity;
        let number = take(&mut next.entity);
        let keys = keys.into_iter().map(|(key, value)| (key.as_ref().to_vec(), value.as_ref().to_vec()));
        let keys: Vec<(Vec<u8>, Vec<u8>)> =
            std::iter::once((b"id".to_vec(), number.into_bytes())).chain(keys).collect();
        let neighbour = self.map.text.items().filter(is_entity).last();
        match neighbour.or_else(|| self.map.blocks("world").last()) {
            Some(neighbour) => self.text().insert_block_after(neighbour, "entity", keys),
            None => self.text().insert_block(None, "entity", keys),
        }
        .map_err(refused)?;
        Ok(id)
    }

    /// Adds a copy of an entity after it, with its solids. The copies have new ids. Names and references do not change.
    ///
    /// # Errors
    /// If the entity is the world.
    pub fn duplicate_entity(&mut self, entity: Entity<'a>) -> Result<(), WriteError> {
        if entity.is_world() {
            return Err(WriteError::without_position(WriteErrorKind::World("duplicated")));
        }
        self.insert_copy(entity.outer(), entity.outer())
    }

    /// Adds a copy of a solid after it. The copy and its sides have new ids.
    ///
    /// # Errors
    /// If the text of the solid is invalid on its own.
    pub fn duplicate_solid(&mut self, solid: Solid<'a>) -> Result<(), WriteError> {
        self.insert_copy(solid.outer(), solid.outer())
    }

    /// Adds a copy of a block, which may be of another map, after a block of this map.
    fn insert_copy(&mut self, after: Item<'a>, block: Item<'_>) -> Result<(), WriteError> {
        let text = block.document().as_bytes().get(block.range()).unwrap_or_default();
        // The map may have been read with other limits than the defaults.
        let unlimited = mapwright_io::Limits::default().with_max_items(u64::MAX).with_max_depth(u32::MAX);
        let options = TextOptions::vmf().with_limits(unlimited).with_max_text(usize::MAX);
        let options = options.with_escapes(self.map.text.has_escapes());
        let invalid = |error: mapwright_keyvalues::ReadError| {
            refused(error.map_kind(|kind| mapwright_keyvalues::WriteErrorKind::Invalid(Box::new(kind))))
        };
        let copy = kv1::Document::from_bytes_with(text, &options).map_err(invalid)?;
        let mut edit = kv1::Edit::new(&copy);
        let next = self.next.get_or_insert_with(|| NextIds::new(self.map));
        for block in copy.walk().filter(|item| item.is_block()) {
            let next = if block.is("entity") {
                &mut next.entity
            } else if block.is("solid") {
                &mut next.solid
            } else if block.is("side") {
                &mut next.side
            } else {
                continue;
            };
            if let Some(id) = crate::document::value::key(block, "id") {
                edit.set_value(id, take(next)).map_err(refused)?;
            }
        }
        let copy = edit.apply().map_err(refused)?;
        self.text().insert_text_after(after, copy.as_bytes());
        Ok(())
    }

    /// Changes the fields of an output.
    ///
    /// # Errors
    /// If a field contains the separator, or a quote.
    pub fn set_connection(&mut self, output: Output<'a>, connection: &Connection) -> Result<(), WriteError> {
        self.set_value(output.item(), format_connection(connection)?)
    }

    /// Adds an output to an entity, after its other outputs, or in a new block after its keys.
    ///
    /// # Errors
    /// If a field contains the separator, or a quote.
    pub fn insert_output(
        &mut self,
        entity: Entity<'a>,
        event: &str,
        connection: &Connection,
    ) -> Result<(), WriteError> {
        let value = format_connection(connection)?;
        match crate::document::value::block(entity.item(), "connections") {
            Some(block) => self.text().insert_key(Some(block), event, value),
            None => match entity.keys().last() {
                Some(key) => self.text().insert_block_after(key, "connections", [(event, value)]),
                None => self.text().insert_block(Some(entity.item()), "connections", [(event, value)]),
            },
        }
        .map_err(refused)
    }

    /// Returns `true` if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Applies all changes and reads the result.
    ///
    /// # Errors
    /// If two changes overlap, or if the edited text is invalid.
    pub fn apply(self) -> Result<Document, WriteError> {
        if self.is_empty {
            return Ok(self.map.clone());
        }
        Ok(Document { text: self.text.apply().map_err(refused)? })
    }
}

impl Document {
    /// Returns the separator of the outputs of the map: that of the first one, or else a comma.
    pub fn output_separator(&self) -> Separator {
        let outputs = self.all_entities().flat_map(Entity::outputs);
        outputs.filter_map(Output::connection).next().map_or(Separator::Comma, |connection| connection.separator)
    }
}

/// Returns `true` for the block of an entity, or a block `hidden` with one.
fn is_entity(item: &Item<'_>) -> bool {
    item.is_block() && crate::document::value::member_or_hidden(*item, "entity").next().is_some()
}

/// Formats the value of an output that is read as the same fields.
fn format_connection(connection: &Connection) -> Result<String, WriteError> {
    let value = connection.to_string();
    match Connection::parse(&value) {
        Some(read) if read == *connection => Ok(value),
        _ => Err(WriteError::without_position(WriteErrorKind::Output(value))),
    }
}
