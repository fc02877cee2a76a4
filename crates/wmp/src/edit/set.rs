//! Fields that get new values.

use hashbrown::HashMap;
use mapwright_io::format_count;
use mapwright_query::{Assigner, Assignment, Edited, Fields as _, QueryError, SetFields, Value};

use super::PartIndex;
use super::items::{Item, Placements, item_schema};
use super::names::{check_file, check_name, check_texture};
use crate::{Block, Dialect, Document, EntityKind, Level, Name, Object, Part};

/// A copy of a record, which becomes the new record once all assignments succeed.
enum Record {
    Block(Block),
    Group(Object),
    Entity(EntityKind),
}

impl Document {
    /// Sets fields of objects. A new name of an entity also goes to its object and its comment, where they have the old one, and to
    /// models that refer to it, if nothing else has the old name.
    pub(super) fn set_parts(
        &mut self,
        parts: &[PartIndex],
        assignments: &[Assignment],
        create: bool,
    ) -> Result<Edited, QueryError> {
        let is_assigned = |field: &str| assignments.iter().any(|one| one.field.eq_ignore_ascii_case(field));
        let coordinate = ["x", "y", "z"].into_iter().find(|field| is_assigned(field));
        if let Some(field) = coordinate.filter(|_| is_assigned("position")) {
            return Err(QueryError::refused(format_args!(
                "position and {field} both move the object: set one of them"
            )));
        }
        let placements = Placements::new(self);
        let mut edited = self.clone();
        let mut assigner = Assigner::new(assignments, create);
        let (mut changed, mut references, mut is_moved) = (0_usize, 0_usize, false);
        let mut targets = HashMap::new();
        for &part in parts {
            let before = placements.placement(part);
            let mut record = match part {
                PartIndex::Block(at) => Record::Block((*edited.blocks[at]).clone()),
                PartIndex::Object(at) => Record::Group((*edited.objects[at]).clone()),
                PartIndex::Entity(at) => Record::Entity(edited.entities[at].kind.clone()),
            };
            let fields: &mut dyn SetFields = match &mut record {
                Record::Block(block) => block,
                Record::Group(group) => group,
                Record::Entity(kind) => kind.fields_mut(),
            };
            let mut item = Item { schema: item_schema(self, part), record: fields, placement: before.clone() };
            let is_changed = assigner.apply(&mut item)?;
            // Also an object that is at its target has one: a group around it may move.
            if let Some(target) = item.placement.world.filter(|_| coordinate.is_some()) {
                targets.insert(part, target);
            }
            if !is_changed {
                continue;
            }
            changed += 1;
            check_values(self.dialect, &item, assignments)?;
            let after = item.placement;
            match record {
                Record::Block(block) => replace(&mut edited.blocks[at_of(part)], block),
                // The placement below has all fields of groups that can be set.
                Record::Group(_) => {}
                Record::Entity(kind) => {
                    check_kind(self.dialect, &edited.entities[at_of(part)].kind, &kind)?;
                    edited.replace_entity(at_of(part), kind, before.object);
                }
            }
            if after.name != before.name {
                references += edited.rename(part, before.object, &before.name, &after.name)?;
            }
            if let (Some(object), Some(position)) = (after.object, after.position)
                && after.position != before.position
            {
                edited.objects[object].position = position;
                is_moved = true;
            }
            is_moved |= after.world != before.world;
        }
        // Last, because this gives new numbers to objects.
        if is_moved {
            edited.place_parts(placements.spaces(), &targets)?;
        }
        edited.check_numbers()?;
        *self = edited;
        let result = Edited::objects(changed, parts.len());
        Ok(if references > 0 {
            result.with_note(format_args!("{} renamed", format_count(references, "reference")))
        } else {
            result
        })
    }

    /// Sets fields of the level.
    pub(super) fn set_level(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let level = self.entities.iter().position(|entity| matches!(entity.kind, EntityKind::Level(_)));
        let at = level.ok_or_else(|| QueryError::refused("the map has no level"))?;
        let mut kind = self.entities[at].kind.clone();
        let changed = Assigner::new(assignments, create).apply(kind.fields_mut())?;
        for assignment in assignments {
            if let Some(Value::Bytes(name)) = kind.fields().get_by_name(&assignment.field)
                && !name.is_empty()
            {
                check_file(self.dialect, &name)?;
            }
        }
        check_kind(self.dialect, &self.entities[at].kind, &kind)?;
        let mut edited = self.clone();
        edited.replace_entity(at, kind, None);
        edited.check_numbers()?;
        *self = edited;
        Ok(Edited::objects(usize::from(changed), 1))
    }

    /// Checks that binary maps can store the numbers: some of their fields are integers, some have single precision.
    fn check_numbers(&self) -> Result<(), QueryError> {
        match self.dialect {
            Dialect::Binary => self.to_bytes().map(drop).map_err(QueryError::refused),
            _ => Ok(()),
        }
    }

    fn replace_entity(&mut self, at: usize, mut kind: EntityKind, object: Option<usize>) {
        if let EntityKind::Model(model) = &mut kind {
            // Binary maps omit empty names at the end.
            while self.dialect == Dialect::Binary && model.tail.last().is_some_and(Name::is_empty) {
                model.tail.pop();
            }
            // The object repeats the scale.
            if let Some(object) = object
                && matches!(&self.entities[at].kind, EntityKind::Model(old) if old.scale != model.scale)
            {
                self.objects[object].scale = model.scale;
            }
        }
        if self.entities[at].kind != kind {
            self.entities[at].kind = kind;
        }
    }

    /// Renames a part, its object, and references to it. Returns the number of references.
    fn rename(&mut self, part: PartIndex, object: Option<usize>, old: &Name, new: &Name) -> Result<usize, QueryError> {
        let is_resolved = self.dialect == Dialect::Resolved;
        let entity = match part {
            PartIndex::Entity(at) if self.entities[at].kind.name().is_some() => Some(at),
            _ => None,
        };
        let Some(at) = entity else {
            let object = object.filter(|_| !is_resolved);
            let object = object.ok_or_else(|| QueryError::refused("this part has no object that stores a name"))?;
            self.objects[object].name.clone_from(new);
            return Ok(0);
        };
        let entity = &mut *self.entities[at];
        if let Some(name) = entity.kind.name_mut() {
            name.clone_from(new);
        }
        // Binary maps have no comments, resolved maps no names of objects.
        if self.dialect != Dialect::Binary && entity.comment == *old {
            entity.comment.clone_from(new);
        }
        if let Some(object) = object.filter(|object| !is_resolved && self.objects[*object].name == *old) {
            self.objects[object].name.clone_from(new);
        }
        Ok(self.rename_references(old, new))
    }

    /// Renames paths and targets of models, unless another entity has the old name.
    fn rename_references(&mut self, old: &Name, new: &Name) -> usize {
        // Resolved maps refer by number.
        let is_used = self.entities.iter().any(|other| other.name() == old);
        if old.is_empty() || self.dialect == Dialect::Resolved || is_used {
            return 0;
        }
        let mut count = 0;
        for entity in &mut self.entities {
            // Only models that refer to the name are borrowed mutably.
            let refers =
                matches!(&entity.kind, EntityKind::Model(model) if model.tail.iter().take(2).any(|name| name == old));
            if let Some(EntityKind::Model(model)) = refers.then(|| &mut entity.kind) {
                count += 1;
                model.tail.iter_mut().take(2).filter(|name| *name == old).for_each(|name| name.clone_from(new));
            }
        }
        count
    }
}

fn at_of(part: PartIndex) -> usize {
    match part {
        PartIndex::Block(at) | PartIndex::Entity(at) | PartIndex::Object(at) => at,
    }
}

/// Replaces a part. An equal one keeps its formatting.
fn replace<T: PartialEq>(part: &mut Part<T>, new: T) {
    if **part != new {
        **part = new;
    }
}

/// Checks that the file can store the assigned names.
fn check_values(
    dialect: Dialect,
    item: &Item<&mut dyn SetFields>,
    assignments: &[Assignment],
) -> Result<(), QueryError> {
    for assignment in assignments {
        let index = item.schema.find(&assignment.field);
        // Only fields of the schema have limits.
        let Some((index, field)) = index.and_then(|index| Some((index, item.schema.field(index)?))) else { continue };
        let value = match item.get(index) {
            // All faces have the same new texture.
            Some(Value::Any(values)) => values.into_iter().next(),
            value => value,
        };
        if let Some(Value::Float(number)) = value {
            check_number(field.name, number)?;
        }
        let Some(Value::Bytes(name)) = value else { continue };
        match field.name {
            "texture" => check_texture(dialect, &name)?,
            "file" if !name.is_empty() => check_file(dialect, &name)?,
            "path" | "target" if dialect == Dialect::Resolved => {
                let is_number = std::str::from_utf8(&name).is_ok_and(|text| text.parse::<u32>().is_ok());
                if !is_number {
                    let expected = "the number of a path or model from 1 in a resolved map, or 0";
                    return Err(QueryError::refused(format_args!("invalid {}: expected {expected}", field.name)));
                }
            }
            _ => check_name(dialect, &name)?,
        }
    }
    Ok(())
}

/// Rejects ranges and volumes below 0.
fn check_number(field: &str, number: f64) -> Result<(), QueryError> {
    match field {
        "range" | "volume" if number < 0.0 => {
            Err(QueryError::refused(format_args!("invalid {field} {number}: expected a number of at least 0")))
        }
        _ => Ok(()),
    }
}

/// Checks that the dialect can store the new fields of an entity.
fn check_kind(dialect: Dialect, old: &EntityKind, new: &EntityKind) -> Result<(), QueryError> {
    match new {
        EntityKind::Light(light)
            if dialect == Dialect::A4
                && light.flags.is_some()
                && !matches!(old, EntityKind::Light(old) if old.flags == light.flags) =>
        {
            Err(QueryError::refused("lights have no flags in the a4 dialect"))
        }
        EntityKind::Model(model) => {
            let field = |kind: &EntityKind| {
                if let EntityKind::Model(model) = kind { model.unsupported_field(dialect) } else { None }
            };
            match field(new) {
                Some(name) if field(old) != Some(name) => Err(QueryError::refused(format_args!(
                    "models with {} skills have no {name} in the {} dialect",
                    model.skills.len(),
                    dialect.name()
                ))),
                _ => Ok(()),
            }
        }
        EntityKind::Level(Level { nexus, script, .. })
            if dialect == Dialect::Resolved && (*nexus != 0 || !script.is_empty()) =>
        {
            Err(QueryError::refused("the level of a resolved map has neither nexus nor script"))
        }
        _ => Ok(()),
    }
}
