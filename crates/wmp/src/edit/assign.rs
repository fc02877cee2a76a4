//! Fields that get other values.

use mapwright_io::{Assignment, Change};

use super::fields::{self, Type, Value};
use super::names::{check_file, check_name, check_texture};
use super::{EditError, Kind, PartIndex, Selection};
use crate::tree::Tree;
use crate::{Dialect, Document, EntityKind, Name};

/// What was meant and what of it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    /// How many were meant.
    pub matched: usize,
    /// How many of them are not as they were.
    pub changed: usize,
    /// How many models name a path or target anew that was given another name.
    pub references: usize,
}

/// Reads a word of an edit.
pub(super) fn assignment(word: &str) -> Result<Assignment, EditError> {
    let expected = "an assignment, as action=patrol";
    word.parse().map_err(|_| EditError::Syntax { text: word.to_owned(), expected })
}

/// Reads the value of an assignment to something of a kind.
fn ready(dialect: Dialect, kind: Kind, assignment: &Assignment) -> Result<Value, EditError> {
    let Assignment { field, change, value } = assignment;
    let of = fields::kind_of(kind, field, false)?;
    let resolved = dialect == Dialect::Resolved;
    if resolved && kind == Kind::Level && !fields::RESOLVED_LEVEL.contains(&field.as_str()) {
        let fields = fields::RESOLVED_LEVEL.to_vec();
        return Err(EditError::NoField { kind: "level of a resolved map", field: field.clone(), fields });
    }
    if *change != Change::Set && !matches!(of, Type::Number | Type::Whole | Type::Flags(_)) {
        let expected = "= alone, as it is no number and no flags".to_owned();
        return Err(EditError::Value { field: field.clone(), value: assignment.to_string(), expected });
    }
    let read = fields::parse(field, of, value)?;
    if let Value::Name(name) = &read {
        let is_number = |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| text.parse::<u32>().is_ok());
        if resolved && kind == Kind::Model && matches!(&**field, "path" | "target") && !is_number(name.as_bytes()) {
            let expected = "a whole number in a resolved map: which path or model from 1, 0 for none".to_owned();
            return Err(EditError::Value { field: field.clone(), value: value.clone(), expected });
        }
        match of {
            Type::Texture => check_texture(dialect, name.as_bytes())?,
            Type::File if !name.is_empty() => check_file(dialect, name.as_bytes())?,
            _ => check_name(dialect, name.as_bytes())?,
        }
    }
    Ok(read)
}

/// What becomes of a value.
fn changed(assignment: &Assignment, old: Option<&Value>, new: &Value) -> Result<Value, EditError> {
    let range = |value: f64| EditError::Range { field: assignment.field.clone(), value: value.to_string() };
    Ok(match (assignment.change, old, new) {
        (Change::Add, Some(Value::Flags(old)), Value::Flags(new)) => Value::Flags(old | new),
        (Change::Take, Some(Value::Flags(old)), Value::Flags(new)) => Value::Flags(old & !new),
        (Change::Add | Change::Take, Some(Value::Number(old)), Value::Number(new)) => {
            let sum = if assignment.change == Change::Add { old + new } else { old - new };
            let fits = if assignment.field == "nexus" { sum.abs() <= f64::from(i32::MAX) } else { sum.is_finite() };
            Value::Number(if fits { sum } else { return Err(range(sum)) })
        }
        _ => new.clone(),
    })
}

impl Document {
    /// Sets fields of the items that a selection means. Another name of an entity is also given to the object that holds it and to the
    /// comment behind it, where they have the old one, and to models that name it as path or target, if nothing else has that name.
    ///
    /// # Errors
    /// If a field does not take its value, or if something that is meant does not have the field.
    pub fn set(&mut self, selection: &Selection, assignments: &[Assignment]) -> Result<Changed, EditError> {
        let found = self.find(selection)?;
        let dialect = self.dialect;
        let values: Vec<Value> =
            assignments.iter().map(|one| ready(dialect, selection.kind, one)).collect::<Result<_, _>>()?;
        let mut result = Changed { matched: found.len(), ..Changed::default() };
        let tree = Tree::new(self);
        let mut edited = self.clone();
        for place in found {
            if edited.set_one(place, &tree, assignments, &values, &mut result.references)? {
                result.changed = result.changed.saturating_add(1);
            }
        }
        *self = edited;
        Ok(result)
    }

    /// Sets fields of an item; whether it is not as it was. Adds models that name it anew.
    fn set_one(
        &mut self,
        place: PartIndex,
        tree: &Tree,
        assignments: &[Assignment],
        values: &[Value],
        references: &mut usize,
    ) -> Result<bool, EditError> {
        let rows = assignments.iter().zip(values);
        match place {
            PartIndex::Block(place) => {
                let Some(block) = self.blocks.get_mut(place) else { return Ok(false) };
                let mut new = (**block).clone();
                for (assignment, value) in rows {
                    let old = fields::block(&new, &assignment.field);
                    fields::set_block(&mut new, &assignment.field, &changed(assignment, old.as_ref(), value)?);
                }
                Ok(replace(block, new))
            }
            PartIndex::Object(place) => {
                let Some(object) = self.objects.get_mut(place) else { return Ok(false) };
                let mut new = (**object).clone();
                for (_, value) in rows {
                    if let Value::Name(name) = value {
                        new.name.clone_from(name);
                    }
                }
                Ok(replace(object, new))
            }
            PartIndex::Entity(place) => {
                let holder = tree.holder(PartIndex::Entity(place));
                let Some(entity) = self.entities.get(place) else { return Ok(false) };
                let mut new = (**entity).clone();
                let mut object = holder.and_then(|holder| self.objects.get(holder)).map(|object| (**object).clone());
                for (assignment, value) in rows {
                    let field = assignment.field.as_str();
                    let old = match &object {
                        Some(object) if field == "scale" && self.dialect == Dialect::Binary => {
                            Some(Value::Vector(object.scale))
                        }
                        _ => fields::entity(&new, field),
                    };
                    let value = changed(assignment, old.as_ref(), value)?;
                    if !fields::set_entity(self.dialect, &mut new, field, &value) {
                        let kind = Kind::of(&new.kind);
                        let has = |name: &&str| fields::entity(&new, name).is_some() || *name == "skill";
                        let names = fields::settable(kind).iter().map(|(name, _)| *name).filter(has);
                        let fields = names.map(|name| if name == "skill" { "skill1…" } else { name }).collect();
                        return Err(EditError::NoField { kind: kind.word(), field: field.to_owned(), fields });
                    }
                    if let (Value::Vector(scale), "scale", Some(object)) = (&value, field, &mut object) {
                        object.scale = *scale;
                    }
                }
                let (old_name, name) = (entity.name().clone(), new.name().clone());
                let renamed = old_name != name;
                let resolved = self.dialect == Dialect::Resolved;
                if renamed {
                    // Neither has a name where its dialect has none.
                    if self.dialect != Dialect::Binary && new.comment == old_name {
                        new.comment.clone_from(&name);
                    }
                    if let Some(object) = object.as_mut().filter(|object| !resolved && object.name == old_name) {
                        object.name.clone_from(&name);
                    }
                }
                let mut is_changed = self.entities.get_mut(place).is_some_and(|entity| replace(entity, new));
                if let (Some(holder), Some(object)) = (holder, object)
                    && let Some(part) = self.objects.get_mut(holder)
                {
                    is_changed |= replace(part, object);
                }
                if renamed {
                    *references = references.saturating_add(self.rename_references(&old_name, &name));
                }
                Ok(is_changed)
            }
        }
    }

    /// Lets models that name something as path or target name it anew, unless something else has the old name.
    fn rename_references(&mut self, old: &Name, new: &Name) -> usize {
        // Resolved maps have numbers there.
        if old.is_empty() || self.dialect == Dialect::Resolved || self.entities.iter().any(|other| other.name() == old)
        {
            return 0;
        }
        let mut count = 0_usize;
        for entity in &mut self.entities {
            let EntityKind::Model(model) = &entity.kind else { continue };
            if !model.tail.iter().take(2).any(|name| name == old) {
                continue;
            }
            count = count.saturating_add(1);
            if let EntityKind::Model(model) = &mut entity.kind {
                model.tail.iter_mut().take(2).filter(|name| *name == old).for_each(|name| name.clone_from(new));
            }
        }
        count
    }
}

/// Gives a part another value, if it is another; whether it is.
fn replace<T: PartialEq>(part: &mut crate::Part<T>, new: T) -> bool {
    let changed = **part != new;
    if changed {
        **part = new;
    }
    changed
}
