//! Applies assignments to objects of a scene.

use std::borrow::Cow;

use mapwright_io::escape_bytes;
use mapwright_query::{AssignOp, Assignment, QueryError, ValueError};
use mapwright_scene::{Content, Properties, Scene, Value};

use super::pose::set_pose;
use super::position::{Frame, Target, axis, move_along};
use crate::query::{CLASS, ITEM, facts, pose_field};

/// Fields that are counts or numbers of contents. A property can have such a name if the content lacks the field.
const READ_ONLY: [&str; 9] = ["vertices", "faces", "sides", "materials", "columns", "rows", "points", "shape", "id"];

/// Sets a field of an object. `create` allows properties that it does not have yet.
pub(super) fn assign(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    frame: &Frame,
    create: bool,
) -> Result<(), QueryError> {
    // The name in the table, for aliases and names in capitals.
    let name = assignment.field.as_str();
    let field = ITEM.find(name).and_then(|index| ITEM.field(index)).map_or(name, |field| field.name);
    if let Some(axis) = axis(field) {
        return move_along(scene, target, assignment, axis, frame);
    }
    if let Some(field) = pose_field(field).filter(|_| target.has_pose) {
        return set_pose(scene, target, assignment, field, frame);
    }
    let fixed = || {
        let (kind, field) = (target.kind.to_owned(), field.to_owned());
        QueryError::ReadOnly { kind, field, reason: String::new() }
    };
    let node = &mut scene.nodes[target.node];
    if matches!(field, "kind" | "key") || (READ_ONLY.contains(&field) && facts(&node.content).contains(&field)) {
        return Err(fixed());
    }
    match field {
        "name" => {
            let old = node.name.clone();
            set_text(&mut node.name, assignment)?;
            // Formats with one name for a mesh and its node are read as if they had two.
            if let Content::Mesh(id) = node.content
                && let Some(mesh) = scene.meshes.get_mut(id).filter(|mesh| mesh.name == old)
            {
                mesh.name.clone_from(&node.name);
            }
            return Ok(());
        }
        "visible" => return set_flag(&mut node.visible, assignment),
        "locked" => return set_flag(&mut node.locked, assignment),
        _ => {}
    }
    let node_has = has(&node.properties, field);
    let kind = target.kind;
    let missing = || QueryError::NoField {
        kind: kind.to_owned(),
        field: field.to_owned(),
        help: "select only objects that have it".to_owned(),
    };
    if field == "class" && assignment.op == AssignOp::Set && assignment.value.as_bytes().is_empty() {
        return Err(invalid_value(assignment, "the name of a class"));
    }
    let own = match &mut node.content {
        Content::Light(id) => {
            let light = &mut scene.lights[*id];
            match field {
                "intensity" => return set_amount(&mut light.intensity, assignment),
                "range" => return set_optional(&mut light.range, assignment),
                "color" => {
                    let [red, green, blue] = three_numbers(assignment)?;
                    if ![red, green, blue].iter().all(|part| (0.0..=1.0).contains(part)) {
                        return Err(invalid_value(assignment, "red, green and blue from 0 to 1, such as \"1,0.5,0\""));
                    }
                    let [.., fourth] = light.color;
                    light.color = [red, green, blue, fourth];
                    return Ok(());
                }
                "class" if light.properties.get(CLASS).is_some() => {
                    return set_property(&mut light.properties, CLASS, assignment);
                }
                _ => Some(&mut light.properties),
            }
        }
        Content::Sound(id) => {
            let sound = &mut scene.sounds[*id];
            match field {
                "file" => return set_text(&mut sound.reference, assignment),
                "volume" => return set_optional(&mut sound.volume, assignment),
                "range" => return set_optional(&mut sound.range, assignment),
                _ => Some(&mut sound.properties),
            }
        }
        Content::Entity(id) => {
            let entity = &mut scene.entities[*id];
            match field {
                "class" => return set_text(&mut entity.class, assignment),
                "model" if entity.model.is_some() || entity.properties.get("model").is_none() => {
                    return set_text(entity.model.get_or_insert_default(), assignment);
                }
                _ => Some(&mut entity.properties),
            }
        }
        Content::Prefab(prefab) if field == "file" => return set_text(&mut prefab.reference, assignment),
        Content::Path(id) => Some(&mut scene.paths[*id].properties),
        Content::Mesh(id) => Some(&mut scene.meshes[*id].properties),
        _ => None,
    };
    // A property of the node, unless the content has it or takes it.
    match own {
        _ if field == "class" => Err(fixed()),
        Some(own) if READ_ONLY.contains(&field) && !has(own, field) && !node_has => Err(fixed()),
        None if READ_ONLY.contains(&field) && !node_has => Err(fixed()),
        Some(own) if has(own, field) => set_property(own, field, assignment),
        _ if !node_has && !create => Err(missing()),
        Some(own) if !node_has => set_property(own, field, assignment),
        _ => set_property(&mut node.properties, field, assignment),
    }
}

fn has(properties: &Properties, field: &str) -> bool {
    properties.iter().any(|(name, _)| name.eq_ignore_ascii_case(field))
}

/// Returns the error for a value that a field cannot have.
pub(super) fn invalid_value(assignment: &Assignment, expected: &str) -> QueryError {
    QueryError::Value {
        field: assignment.field.clone(),
        value: assignment.value.to_string(),
        error: ValueError::new(expected),
    }
}

/// Returns the error for `+=` and `-=` on a value that is not a number.
fn not_a_number(assignment: &Assignment) -> QueryError {
    let problem = "is for numbers and flags; use =".to_owned();
    QueryError::Add { field: assignment.field.clone(), op: assignment.op.sign(), problem }
}

/// Returns the value as scenes store text: bytes that are not UTF-8 are `\xHH`.
fn text_of(assignment: &Assignment) -> Cow<'_, str> {
    match assignment.value.as_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(escape_bytes(assignment.value.as_bytes())),
    }
}

fn set_text(old: &mut String, assignment: &Assignment) -> Result<(), QueryError> {
    match assignment.op {
        AssignOp::Set => *old = text_of(assignment).into_owned(),
        _ => return Err(not_a_number(assignment)),
    }
    Ok(())
}

fn set_flag(old: &mut bool, assignment: &Assignment) -> Result<(), QueryError> {
    *old = match (assignment.op, text_of(assignment).trim().to_ascii_lowercase().as_str()) {
        (AssignOp::Set, "true" | "yes" | "on" | "1") => true,
        (AssignOp::Set, "false" | "no" | "off" | "0") => false,
        (AssignOp::Set, _) => return Err(invalid_value(assignment, "true or false")),
        _ => return Err(not_a_number(assignment)),
    };
    Ok(())
}

pub(super) fn set_number(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let value = text_of(assignment).trim().parse().ok().filter(|value: &f64| value.is_finite());
    let value = value.ok_or_else(|| invalid_value(assignment, "a number"))?;
    let new = match assignment.op {
        AssignOp::Set => value,
        AssignOp::Add => *old + value,
        AssignOp::Sub => *old - value,
    };
    *old = Some(new).filter(|new| new.is_finite()).ok_or_else(|| invalid_value(assignment, "a finite result"))?;
    Ok(())
}

/// Sets an amount that may be missing.
fn set_optional(old: &mut Option<f64>, assignment: &Assignment) -> Result<(), QueryError> {
    if old.is_none() && assignment.op != AssignOp::Set {
        let problem = "needs an existing value".to_owned();
        return Err(QueryError::Add { field: assignment.field.clone(), op: assignment.op.sign(), problem });
    }
    set_amount(old.get_or_insert_default(), assignment)
}

/// Sets a number that is not negative.
fn set_amount(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let mut value = *old;
    set_number(&mut value, assignment)?;
    *old = Some(value).filter(|value| *value >= 0.0).ok_or_else(|| invalid_value(assignment, "0 or more"))?;
    Ok(())
}

/// Reads three numbers to be set.
fn three_numbers(assignment: &Assignment) -> Result<[f64; 3], QueryError> {
    if assignment.op == AssignOp::Set { parse_three_numbers(assignment) } else { Err(not_a_number(assignment)) }
}

/// Reads three numbers with commas or spaces between them.
pub(super) fn parse_three_numbers(assignment: &Assignment) -> Result<[f64; 3], QueryError> {
    let text = text_of(assignment);
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let numbers: Option<Vec<f64>> =
        parts.map(|part| part.parse().ok().filter(|value: &f64| value.is_finite())).collect();
    let numbers: Option<[f64; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| invalid_value(assignment, "three numbers, such as \"1,0.5,0\""))
}

/// Sets a property, which keeps its type. A new one is text.
fn set_property(properties: &mut Properties, field: &str, assignment: &Assignment) -> Result<(), QueryError> {
    let exact = properties.entries.iter().position(|(name, _)| name == field);
    let place = exact.or_else(|| properties.entries.iter().position(|(name, _)| name.eq_ignore_ascii_case(field)));
    let Some((_, old)) = place.and_then(|place| properties.entries.get_mut(place)) else {
        let value = match assignment.op {
            AssignOp::Set => text_of(assignment).into_owned(),
            AssignOp::Add | AssignOp::Sub => {
                let mut value = 0.0;
                set_number(&mut value, assignment)?;
                value.to_string()
            }
        };
        properties.push(field, value);
        return Ok(());
    };
    match old {
        Value::Bool(old) => set_flag(old, assignment),
        Value::Int(old) => {
            let value = text_of(assignment).trim().parse::<i64>();
            let value = value.map_err(|_| invalid_value(assignment, "a whole number"))?;
            let new = match assignment.op {
                AssignOp::Set => Some(value),
                AssignOp::Add => old.checked_add(value),
                AssignOp::Sub => old.checked_sub(value),
            };
            *old = new.ok_or_else(|| invalid_value(assignment, "a whole number of 64 bits"))?;
            Ok(())
        }
        Value::Float(old) => set_number(old, assignment),
        Value::Text(old) if assignment.op == AssignOp::Set => set_text(old, assignment),
        Value::Text(old) => {
            let mut value: f64 = old.parse().map_err(|_| not_a_number(assignment))?;
            set_number(&mut value, assignment)?;
            *old = value.to_string();
            Ok(())
        }
        Value::List(values) if values.iter().all(|value| matches!(value, Value::Float(_))) && values.len() == 3 => {
            *old = Value::List(three_numbers(assignment)?.map(Value::Float).to_vec());
            Ok(())
        }
        Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Err(invalid_value(assignment, "a field with a single value"))
        }
    }
}
