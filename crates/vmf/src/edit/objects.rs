//! Entities and solids as objects with fields.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use mapwright_keyvalues::kv1::Item;
use mapwright_query::{FieldType, FieldValue as _, Fields, Objects, Value, ValueError, Vocabulary, fields};

use crate::document::value::parse_numbers;
use crate::{Document, EditorData, Entity, Solid, VisGroup};

/// The words for kinds of objects.
const KINDS: [&str; 3] = ["world", "entity", "solid"];

/// The names of visgroups by their ids.
pub(super) type VisGroups<'a> = HashMap<i64, Cow<'a, str>>;

impl Document {
    pub(super) fn visgroup_names(&self) -> VisGroups<'_> {
        let mut names = HashMap::new();
        let mut open: Vec<VisGroup<'_>> = self.visgroups().collect();
        while let Some(visgroup) = open.pop() {
            if let (Some(id), Some(name)) = (visgroup.id(), visgroup.name()) {
                names.entry(id).or_insert(name);
            }
            open.extend(visgroup.visgroups());
        }
        names
    }
}

/// Returns the names of the visgroups that an object is in.
fn visgroup_value<'a>(editor: Option<EditorData<'_>>, names: &'a VisGroups<'_>) -> Option<Value<'a>> {
    let names = editor?.visgroup_ids().filter_map(|id| names.get(&id));
    let names: Vec<Value<'a>> = names.map(|name| Value::Text(Cow::Borrowed(name))).collect();
    (!names.is_empty()).then_some(Value::Any(names))
}

fn group_value(editor: Option<EditorData<'_>>) -> Option<Value<'static>> {
    editor?.group_id().map(Value::Int)
}

/// Returns bytes as text, or as bytes if they are not UTF-8.
fn text_value(bytes: Cow<'_, [u8]>) -> Value<'_> {
    match bytes {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Value::Text(Cow::Borrowed(text)),
            Err(_) => Value::Bytes(Cow::Borrowed(bytes)),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Value::Text(Cow::Owned(text)),
            Err(error) => Value::Bytes(Cow::Owned(error.into_bytes())),
        },
    }
}

/// An entity with new values of keys.
pub(super) struct EntityObject<'a> {
    pub(super) entity: Entity<'a>,
    visgroups: &'a VisGroups<'a>,
    /// The index among the entities, if it is known. The world has none.
    index: Option<usize>,
    /// Keys with new values, which are not written yet.
    pub(super) changes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl<'a> EntityObject<'a> {
    pub(super) fn new(entity: Entity<'a>, visgroups: &'a VisGroups<'a>) -> Self {
        Self { entity, visgroups, index: None, changes: Vec::new() }
    }

    fn key(&self) -> Option<Value<'_>> {
        let key = match self.entity.is_world() {
            true => Cow::Borrowed("world"),
            false => Cow::Owned(format!("entities[{}]", self.index?)),
        };
        Some(Value::Text(key))
    }

    /// Returns the value of a key, with changes.
    fn bytes(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        let changed = self.changes.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        match changed {
            Some((_, value)) => Some(Cow::Borrowed(value)),
            None => self.entity.key(key)?.value(),
        }
    }

    fn value(&self, key: &[u8]) -> Option<Value<'_>> {
        self.bytes(key).map(text_value)
    }

    fn set_key(&mut self, key: &[u8], value: Vec<u8>) -> Result<(), ValueError> {
        if value.contains(&b'"') && !self.entity.item().document().has_escapes() {
            return Err(ValueError::new("a text without quotes, which maps cannot store"));
        }
        match self.changes.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(key)) {
            Some((_, old)) => *old = value,
            None => self.changes.push((key.to_vec(), value)),
        }
        Ok(())
    }

    fn set_value(&mut self, key: &[u8], value: &Value<'_>) -> Result<(), ValueError> {
        let text = match value {
            Value::Bytes(bytes) => bytes.to_vec(),
            value => value.to_string().into_bytes(),
        };
        self.set_key(key, text)
    }

    fn vector(&self, key: &[u8]) -> Option<[f64; 3]> {
        let bytes = self.bytes(key)?;
        parse_numbers(str::from_utf8(&bytes).ok()?)
    }

    fn coordinate(&self, axis: usize) -> Option<Value<'_>> {
        self.vector(b"origin")?.get(axis).map(|&part| part.into())
    }

    /// Changes one number of the origin. The others keep their formatting.
    fn set_coordinate(&mut self, axis: usize, value: &Value<'_>) -> Result<(), ValueError> {
        let number = value.as_f64().ok_or_else(|| ValueError::new("a number"))?;
        let old = match self.vector(b"origin") {
            Some(_) => self.bytes(b"origin").map_or_else(String::new, |old| String::from_utf8_lossy(&old).into_owned()),
            None => "0 0 0".to_owned(),
        };
        let mut words: Vec<String> = crate::document::value::words(&old).map(str::to_owned).collect();
        if let Some(word) = words.get_mut(axis) {
            *word = number.to_string();
        }
        self.set_key(b"origin", words.join(" ").into_bytes())
    }

    pub(super) fn free_key(&self, key: &str) -> Option<Value<'_>> {
        self.value(key.as_bytes())
    }

    fn set_free_key(&mut self, key: &str, value: &Value<'_>) -> Result<(), ValueError> {
        if key.is_empty() || key.contains('"') {
            return Err(ValueError::new("a key without quotes"));
        }
        self.set_value(key.as_bytes(), value)
    }
}

fields! {
    /// Fields of entities.
    pub(super) static ENTITY: #[free] "entity" = EntityObject<'_> {
        /// Kind: `world` or `entity`. The world is also `entity`.
        kind: String { of: FieldType::Choice(&KINDS) } => get(|object| {
            Some(if object.entity.is_world() { Value::Word("world", &["entity"]) } else { Value::Word("entity", &[]) })
        });
        /// The path of the entity in the file, which its node in a scene has as key.
        key: String => get(|object| object.key());
        /// Id in the file.
        id | number: i64 => get(|object| object.entity.id().map(Value::Int));
        /// Class.
        class | classname: Vec<u8> => get(|object| object.value(b"classname")) set(|object, value| object.set_value(b"classname", value));
        /// Name to which other entities refer.
        name | targetname: Vec<u8> => get(|object| object.value(b"targetname"))
            set(|object, value| object.set_value(b"targetname", value));
        /// Name of the entity that this one moves with.
        parent | parentname: Vec<u8> => get(|object| object.value(b"parentname"))
            set(|object, value| object.set_value(b"parentname", value));
        /// Path of the model, such as `models/props/crate.mdl`.
        model: Vec<u8> => get(|object| object.value(b"model")) set(|object, value| object.set_value(b"model", value));
        /// Position. Solids of the entity do not move with it.
        origin | position: [f64; 3] { unit: "units" } => get(|object| Some(object.vector(b"origin")?.to_vec().into()))
            set(|object, value| object.set_value(b"origin", value));
        /// Position along the x axis.
        x: f64 { unit: "units" } => get(|object| object.coordinate(0)) set(|object, value| object.set_coordinate(0, value));
        /// Position along the y axis.
        y: f64 { unit: "units" } => get(|object| object.coordinate(1)) set(|object, value| object.set_coordinate(1, value));
        /// Height.
        z: f64 { unit: "units" } => get(|object| object.coordinate(2)) set(|object, value| object.set_coordinate(2, value));
        /// Pitch, yaw and roll. A positive pitch points down.
        angles: [f64; 3] { unit: "degrees" } => get(|object| Some(object.vector(b"angles")?.to_vec().into()))
            set(|object, value| object.set_value(b"angles", value));
        /// `true` if the editor hides the entity.
        hidden: bool => get(|object| Some(Value::Bool(object.entity.is_hidden())));
        /// Number of solids.
        solids: i64 => get(|object| Some(object.entity.solids().count().into()));
        /// Number of outputs.
        outputs: i64 => get(|object| Some(object.entity.outputs().count().into()));
        /// Names of the visgroups that the entity is in.
        visgroup: String => get(|object| visgroup_value(object.entity.editor(), object.visgroups));
        /// Id of the group that the entity is in.
        group: i64 => get(|object| group_value(object.entity.editor()));
    }
}

/// The keys of an entity that its solids have as fields. Looking them up for each solid would take quadratic time.
pub(super) struct Owner<'a> {
    id: Option<i64>,
    class: Option<Cow<'a, [u8]>>,
}

impl<'a> Owner<'a> {
    pub(super) fn new(entity: Entity<'a>) -> Self {
        Self { id: entity.id(), class: entity.key("classname").and_then(Item::value) }
    }
}

/// A solid with a new material.
pub(super) struct SolidObject<'a> {
    pub(super) solid: Solid<'a>,
    owner: Rc<Owner<'a>>,
    visgroups: &'a VisGroups<'a>,
    /// The index among all solids, if it is known.
    index: Option<usize>,
    /// The new material of all sides, which is not written yet.
    pub(super) material: Option<Vec<u8>>,
}

impl<'a> SolidObject<'a> {
    pub(super) fn new(owner: Rc<Owner<'a>>, solid: Solid<'a>, visgroups: &'a VisGroups<'a>) -> Self {
        Self { solid, owner, visgroups, index: None, material: None }
    }

    /// Returns the materials of the sides, each once.
    fn materials(&self) -> Option<Value<'_>> {
        if let Some(material) = &self.material {
            return Some(Value::Any(vec![Value::Bytes(Cow::Borrowed(material))]));
        }
        let keys = self.solid.sides().filter_map(|side| crate::document::value::key(side.item(), "material"));
        let materials: BTreeSet<Cow<'_, [u8]>> = keys.filter_map(Item::value).collect();
        (!materials.is_empty()).then(|| Value::Any(materials.into_iter().map(Value::Bytes).collect()))
    }

    fn set_material(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let mut material = Vec::new();
        material.set_value(value)?;
        if material.contains(&b'"') {
            return Err(ValueError::new("a text without quotes, which maps cannot store"));
        }
        self.material = Some(material);
        Ok(())
    }
}

fields! {
    /// Fields of solids.
    pub(super) static SOLID: "solid" = SolidObject<'_> {
        /// Kind: `solid`.
        kind: String { of: FieldType::Choice(&KINDS) } => get(|_| Some(Value::Word("solid", &[])));
        /// The path of the solid in the file, which its node in a scene has as key.
        key: String => get(|object| Some(Value::Text(Cow::Owned(format!("solids[{}]", object.index?)))));
        /// Id in the file.
        id | number: i64 => get(|object| object.solid.id().map(Value::Int));
        /// Id of the entity that has the solid.
        entity: i64 => get(|object| object.owner.id.map(Value::Int));
        /// Class of the entity that has the solid.
        entity_class: Vec<u8> => get(|object| object.owner.class.as_deref().map(|class| text_value(Cow::Borrowed(class))));
        /// Materials of the sides. A new one is the material of all sides.
        material | texture: Vec<u8> => get(|object| object.materials()) set(|object, value| object.set_material(value));
        /// Number of sides.
        sides: i64 => get(|object| Some(object.solid.sides().count().into()));
        /// `true` if a side has a displacement.
        displacement: bool => get(|object| Some(Value::Bool(object.solid.has_displacements())));
        /// `true` if the editor hides the solid or its entity.
        hidden: bool => get(|object| Some(Value::Bool(object.solid.is_hidden())));
        /// Names of the visgroups that the solid is in.
        visgroup: String => get(|object| visgroup_value(object.solid.editor(), object.visgroups));
        /// Id of the group that the solid is in.
        group: i64 => get(|object| group_value(object.solid.editor()));
    }
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        let keys: BTreeSet<Cow<'_, str>> =
            self.all_entities().flat_map(Entity::keys).map(Item::name_text).filter(|key| !key.is_empty()).collect();
        Vocabulary::new([&ENTITY, &SOLID]).with_free_keys(keys)
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        let visgroups = self.visgroup_names();
        let (mut entities, mut solids) = (0.., 0..);
        for entity in self.all_entities() {
            let index = if entity.is_world() { None } else { entities.next() };
            visitor(&EntityObject { index, ..EntityObject::new(entity, &visgroups) });
            let mut owner = None;
            for (solid, index) in entity.solids().zip(&mut solids) {
                let owner = owner.get_or_insert_with(|| Rc::new(Owner::new(entity)));
                visitor(&SolidObject { index: Some(index), ..SolidObject::new(Rc::clone(owner), solid, &visgroups) });
            }
        }
    }
}
