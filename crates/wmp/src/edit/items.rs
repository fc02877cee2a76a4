//! Blocks, entities and groups as objects with fields.

use mapwright_query::{
    FieldType, FieldValue as _, Fields, Objects, Query, QueryError, Schema, SetFields, Value, ValueError, Vocabulary,
    fields,
};

use super::PartIndex;
use super::transform::Spaces;
use crate::document::{BLOCK, LIGHT, MODEL, PATH, REGION, SOUND, START};
use crate::tree::Tree;
use crate::{Dialect, Document, EntityKind, MemberKind, Name, Object};

/// The words for kinds of objects.
const KINDS: [&str; 9] = ["block", "group", "entity", "start", "light", "sound", "model", "path", "region"];

/// The fields of an object that its record does not have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placement {
    pub(super) kind: &'static str,
    part: PartIndex,
    number: u32,
    pub(super) name: Name,
    groups: Vec<Name>,
    /// The object that only positions this part, or the group itself.
    pub(super) object: Option<usize>,
    /// The position in the group, unless the part has no own object or is in world space.
    pub(super) position: Option<[f64; 3]>,
    pub(super) world: Option<[f64; 3]>,
}

impl Placement {
    fn kind_value(&self) -> Value<'static> {
        let is_entity = !matches!(self.kind, "block" | "group");
        Value::Word(self.kind, if is_entity { &["entity"] } else { &[] })
    }

    fn coordinate(&self, axis: usize) -> Option<Value<'_>> {
        Some(self.world?[axis].into())
    }

    fn set_coordinate(&mut self, axis: usize, value: &Value<'_>) -> Result<(), ValueError> {
        let world = self.world.as_mut().ok_or_else(|| ValueError::new("an object with a position"))?;
        world[axis].set_value(value)
    }

    fn set_position(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let missing = || ValueError::new("an object with a position in its group; use x, y and z");
        self.position.as_mut().ok_or_else(missing)?.set_value(value)
    }
}

fields! {
    /// Fields of all objects.
    static PLACEMENT: "object" = Placement {
        /// Kind of the object. Entities of all kinds are also `entity`.
        kind | class | classname: String { of: FieldType::Choice(&KINDS) } => get(|placement| Some(placement.kind_value()));
        /// Number of the block, entity or object.
        number: u32 => get(|placement| Some(placement.number.into()));
        /// Name. For blocks, lights and sounds that of their object.
        name: Name;
        /// Key of the node in the scene of the map.
        key: String => get(|placement| Some(placement.part.node_key().into()));
        /// Names of the groups around the object.
        group: Name
            => get(|placement| Some(Value::Any(placement.groups.iter().filter_map(mapwright_query::FieldValue::to_value).collect())));
        /// Position in its group.
        position: [f64; 3] { unit: "quants" }
            => get(|placement| placement.position.to_value())
               set(|placement, value| placement.set_position(value));
        /// X in the world. Setting it moves the object.
        x: f64 { unit: "quants" } => get(|placement| placement.coordinate(0))
            set(|placement, value| placement.set_coordinate(0, value));
        /// Y in the world. Setting it moves the object.
        y: f64 { unit: "quants" } => get(|placement| placement.coordinate(1))
            set(|placement, value| placement.set_coordinate(1, value));
        /// Z in the world. Setting it moves the object.
        z: f64 { unit: "quants" } => get(|placement| placement.coordinate(2))
            set(|placement, value| placement.set_coordinate(2, value));
    }
}

fields! {
    /// Fields of groups.
    static GROUP: "group" = Object {
        /// Number of members.
        members: u32 => get(|object| Some(object.members.len().into()));
    }
}

static BLOCK_ITEM: Schema = Schema::extending("block", &BLOCK, PLACEMENT.fields);
static GROUP_ITEM: Schema = Schema::extending("group", &GROUP, PLACEMENT.fields);
static START_ITEM: Schema = Schema::extending("start", &START, PLACEMENT.fields);
static LIGHT_ITEM: Schema = Schema::extending("light", &LIGHT, PLACEMENT.fields);
static SOUND_ITEM: Schema = Schema::extending("sound", &SOUND, PLACEMENT.fields);
static MODEL_ITEM: Schema = Schema::extending("model", &MODEL, PLACEMENT.fields);
static PATH_ITEM: Schema = Schema::extending("path", &PATH, PLACEMENT.fields);
static REGION_ITEM: Schema = Schema::extending("region", &REGION, PLACEMENT.fields);

/// A record with its placement. `R` is a reference to the record.
pub(super) struct Item<R> {
    pub(super) schema: &'static Schema,
    pub(super) record: R,
    pub(super) placement: Placement,
}

impl<R> Item<R> {
    /// Returns the index of a field among those of the placement, unless it is a field of the record.
    fn placement_index(&self, index: usize) -> Option<usize> {
        index.checked_sub(self.schema.base.map_or(0, Schema::len))
    }
}

impl Fields for Item<&dyn Fields> {
    fn schema(&self) -> &'static Schema {
        self.schema
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        match self.placement_index(index) {
            Some(index) => self.placement.get(index),
            None => self.record.get(index),
        }
    }

    fn number(&self) -> Option<i64> {
        Some(self.placement.number.into())
    }
}

impl Fields for Item<&mut dyn SetFields> {
    fn schema(&self) -> &'static Schema {
        self.schema
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        match self.placement_index(index) {
            Some(index) => self.placement.get(index),
            None => self.record.get(index),
        }
    }
}

impl SetFields for Item<&mut dyn SetFields> {
    fn set(&mut self, index: usize, value: &Value<'_>) -> Result<(), ValueError> {
        match self.placement_index(index) {
            Some(index) => self.placement.set(index, value),
            None => self.record.set(index, value),
        }
    }
}

/// Returns the schema of an object.
pub(super) fn item_schema(document: &Document, part: PartIndex) -> &'static Schema {
    match part {
        PartIndex::Block(_) => &BLOCK_ITEM,
        PartIndex::Object(_) => &GROUP_ITEM,
        PartIndex::Entity(at) => match &document.entities[at].kind {
            EntityKind::Level(_) | EntityKind::Start(_) => &START_ITEM,
            EntityKind::Light(_) => &LIGHT_ITEM,
            EntityKind::Sound(_) => &SOUND_ITEM,
            EntityKind::Model(_) => &MODEL_ITEM,
            EntityKind::Path(_) => &PATH_ITEM,
            EntityKind::Region(_) => &REGION_ITEM,
        },
    }
}

/// Positions and groups of all parts.
pub(super) struct Placements<'a> {
    document: &'a Document,
    tree: Tree,
    spaces: Spaces,
}

impl<'a> Placements<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let tree = Tree::new(document);
        let spaces = Spaces::new(document, &tree);
        Self { document, tree, spaces }
    }

    pub(super) const fn spaces(&self) -> &Spaces {
        &self.spaces
    }

    pub(super) fn placement(&self, part: PartIndex) -> Placement {
        let document = self.document;
        let holder = match part {
            PartIndex::Object(object) => Some(object),
            part => self.tree.holder(part),
        };
        let is_group = matches!(part, PartIndex::Object(_));
        let object = holder.filter(|holder| is_group || !document.is_group(*holder));
        let object_name = object.map_or(Name::NONE, |object| document.objects[object].name.clone());
        let (kind, number, name) = match part {
            PartIndex::Block(at) => ("block", document.blocks[at].number, object_name),
            PartIndex::Object(at) => ("group", document.objects[at].number, object_name),
            PartIndex::Entity(at) => {
                let entity = &document.entities[at];
                (entity.member_kind().word(), entity.number, entity.kind.name().cloned().unwrap_or(object_name))
            }
        };
        let around = holder.into_iter().flat_map(|holder| self.tree.chain(holder));
        let root = self.tree.order.first();
        // A group is not around itself.
        let groups = around
            .filter(|around| Some(around) != root && PartIndex::Object(*around) != part && document.is_group(*around));
        // Vertices of blocks and nodes of paths of resolved maps are in world space: their objects have no position.
        let is_in_world = document.dialect == Dialect::Resolved && matches!(kind, "block" | "path");
        Placement {
            kind,
            part,
            number,
            name,
            groups: groups.map(|group| document.objects[group].name.clone()).collect(),
            object,
            position: object.filter(|_| !is_in_world).map(|object| document.objects[object].position),
            world: holder.filter(|_| !is_in_world).and_then(|holder| self.spaces.position(holder)),
        }
    }
}

impl Document {
    /// Returns the descriptions of the fields of all kinds of objects.
    pub fn schemas() -> [&'static Schema; 8] {
        [&BLOCK_ITEM, &GROUP_ITEM, &START_ITEM, &LIGHT_ITEM, &SOUND_ITEM, &MODEL_ITEM, &PATH_ITEM, &REGION_ITEM]
    }

    /// Returns the objects that a query matches.
    ///
    /// # Errors
    /// If the query asks for an unknown field or an impossible value.
    pub fn find(&self, query: &Query) -> Result<Vec<PartIndex>, QueryError> {
        let parts = self.parts();
        Ok(self.select(query)?.into_iter().map(|index| parts[index]).collect())
    }

    /// Returns all objects in the order in which queries number them.
    pub(super) fn parts(&self) -> Vec<PartIndex> {
        let root = Tree::new(self).order.first().copied();
        let is_entity = |at: &usize| self.entities[*at].member_kind() != MemberKind::Level;
        let blocks = (0..self.blocks.len()).map(PartIndex::Block);
        let entities = (0..self.entities.len()).filter(is_entity).map(PartIndex::Entity);
        let groups = (0..self.objects.len()).filter(|&object| Some(object) != root && self.is_group(object));
        blocks.chain(entities).chain(groups.map(PartIndex::Object)).collect()
    }

    /// Returns `true` if an object is a group: the root, or not the position of one block or entity.
    pub(crate) fn is_group(&self, object: usize) -> bool {
        self.objects.get(object).is_some_and(|object| match object.members.as_slice() {
            [member] => object.number == 0 || matches!(member.kind, MemberKind::Object | MemberKind::Level),
            _ => true,
        })
    }
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new(Self::schemas())
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        let placements = Placements::new(self);
        for part in self.parts() {
            let record: &dyn Fields = match part {
                PartIndex::Block(at) => &*self.blocks[at],
                PartIndex::Entity(at) => self.entities[at].kind.fields(),
                PartIndex::Object(at) => &*self.objects[at],
            };
            visitor(&Item { schema: item_schema(self, part), record, placement: placements.placement(part) });
        }
    }
}
