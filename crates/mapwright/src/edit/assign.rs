//! Giving fields their values.

use mapwright_io::{Assignment, Change};
use mapwright_scene::{Content, Properties, Scene, Value};

use super::super::QueryError;
use super::super::items::{CLASS, facts};
use super::place::{Frame, Target, axis, place};

/// What is counted or numbered of contents. A property may have such a name where the content has nothing of it.
const FIXED: [&str; 9] = ["vertices", "faces", "sides", "materials", "columns", "rows", "points", "shape", "id"];

pub(super) fn assign(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    frame: &Frame,
) -> Result<(), QueryError> {
    let field = assignment.field.as_str();
    if let Some(axis) = axis(field) {
        return place(scene, target, assignment, axis, frame);
    }
    let fixed =
        || QueryError::Fixed { field: field.to_owned(), of: format!("{} {}", article(target.kind), target.kind) };
    if target.instance.is_some() {
        return Err(fixed());
    }
    let Some(node) = scene.nodes.get_mut(target.node) else { return Ok(()) };
    if matches!(field, "kind" | "key") || (FIXED.contains(&field) && facts(&node.content).contains(&field)) {
        return Err(fixed());
    }
    match field {
        "name" => {
            let old = node.name.clone();
            text(&mut node.name, assignment)?;
            // Formats that name meshes and nodes by one name are read as if they had two.
            if let Content::Mesh(id) = node.content
                && let Some(mesh) = scene.meshes.get_mut(id).filter(|mesh| mesh.name == old)
            {
                mesh.name.clone_from(&node.name);
            }
            return Ok(());
        }
        "visible" => return flag(&mut node.visible, assignment),
        "locked" => return flag(&mut node.locked, assignment),
        _ => {}
    }
    let node_has = node.properties.get(field).is_some();
    let own = match &mut node.content {
        Content::Light(id) => {
            let Some(light) = scene.lights.get_mut(*id) else { return Ok(()) };
            match field {
                "intensity" => return amount(&mut light.intensity, assignment),
                "range" => return maybe(&mut light.range, assignment),
                "color" => {
                    let [red, green, blue] = three(assignment)?;
                    let [.., fourth] = light.color;
                    light.color = [red, green, blue, fourth];
                    return Ok(());
                }
                "class" if light.properties.get(CLASS).is_some() => {
                    return property(&mut light.properties, CLASS, assignment);
                }
                _ => Some(&mut light.properties),
            }
        }
        Content::Sound(id) => {
            let Some(sound) = scene.sounds.get_mut(*id) else { return Ok(()) };
            match field {
                "file" => return text(&mut sound.reference, assignment),
                "volume" => return maybe(&mut sound.volume, assignment),
                "range" => return maybe(&mut sound.range, assignment),
                _ => Some(&mut sound.properties),
            }
        }
        Content::Entity(id) => {
            let Some(entity) = scene.entities.get_mut(*id) else { return Ok(()) };
            match field {
                "class" => return text(&mut entity.class, assignment),
                "model" if entity.model.is_some() || entity.properties.get("model").is_none() => {
                    return text(entity.model.get_or_insert_default(), assignment);
                }
                _ => Some(&mut entity.properties),
            }
        }
        Content::Prefab(prefab) if field == "file" => return text(&mut prefab.reference, assignment),
        Content::Path(id) => scene.paths.get_mut(*id).map(|path| &mut path.properties),
        Content::Mesh(id) => scene.meshes.get_mut(*id).map(|mesh| &mut mesh.properties),
        Content::Brush(id) => scene.brushes.get_mut(*id).map(|brush| &mut brush.properties),
        _ => None,
    };
    // A property of the node, unless the content has or takes it.
    match own {
        _ if field == "class" => Err(fixed()),
        Some(own) if FIXED.contains(&field) && own.get(field).is_none() && !node_has => Err(fixed()),
        None if FIXED.contains(&field) && !node_has => Err(fixed()),
        Some(own) if own.get(field).is_some() || !node_has => property(own, field, assignment),
        _ => property(&mut node.properties, field, assignment),
    }
}

const fn article(kind: &str) -> &'static str {
    match kind.as_bytes() {
        [b'e' | b'i', ..] => "an",
        _ => "a",
    }
}

pub(super) fn wrong(assignment: &Assignment, expected: &'static str) -> QueryError {
    QueryError::Value { field: assignment.field.clone(), value: assignment.value.clone(), expected }
}

/// What is said where a number is added to a text.
const TEXT: &str = "a text behind =; += and -= are for numbers";

fn text(old: &mut String, assignment: &Assignment) -> Result<(), QueryError> {
    match assignment.change {
        Change::Set => old.clone_from(&assignment.value),
        _ => return Err(wrong(assignment, TEXT)),
    }
    Ok(())
}

fn flag(old: &mut bool, assignment: &Assignment) -> Result<(), QueryError> {
    let expected = "true or false, behind =";
    match assignment.change {
        Change::Set => *old = assignment.value.parse().map_err(|_| wrong(assignment, expected))?,
        _ => return Err(wrong(assignment, expected)),
    }
    Ok(())
}

pub(super) fn number(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let value: f64 = assignment
        .value
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
        .ok_or_else(|| wrong(assignment, "a number"))?;
    let new = match assignment.change {
        Change::Set => value,
        Change::Add => *old + value,
        Change::Take => *old - value,
    };
    *old = Some(new).filter(|new| new.is_finite()).ok_or_else(|| wrong(assignment, "a number that keeps it finite"))?;
    Ok(())
}

/// An amount that may be missing: what is not there stays so, whatever is added to it or taken from it.
fn maybe(old: &mut Option<f64>, assignment: &Assignment) -> Result<(), QueryError> {
    match old {
        None if assignment.change != Change::Set => number(&mut 0.0, assignment),
        _ => amount(old.get_or_insert_default(), assignment),
    }
}

/// A number of which there is nothing less than 0.
fn amount(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let mut value = *old;
    number(&mut value, assignment)?;
    *old = Some(value)
        .filter(|value| *value >= 0.0)
        .ok_or_else(|| wrong(assignment, "a number that keeps it 0 or more"))?;
    Ok(())
}

/// Three numbers with commas between them.
fn three(assignment: &Assignment) -> Result<[f64; 3], QueryError> {
    let numbers: Option<Vec<f64>> = assignment
        .value
        .split([',', ' '])
        .map(|part| part.parse().ok().filter(|value: &f64| value.is_finite()))
        .collect();
    let numbers: Option<[f64; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    match (assignment.change, numbers) {
        (Change::Set, Some(numbers)) => Ok(numbers),
        _ => Err(wrong(assignment, "three numbers, as 1,0.5,0")),
    }
}

/// Sets a property, which keeps its kind; one that is not there yet is a text, and 0 for what is added to it.
fn property(properties: &mut Properties, field: &str, assignment: &Assignment) -> Result<(), QueryError> {
    let Some((_, old)) = properties.entries.iter_mut().find(|(name, _)| name == field) else {
        let value = match assignment.change {
            Change::Set => assignment.value.clone(),
            Change::Add | Change::Take => {
                let mut value = 0.0;
                number(&mut value, assignment)?;
                value.to_string()
            }
        };
        properties.push(field, value);
        return Ok(());
    };
    match old {
        Value::Bool(old) => flag(old, assignment),
        Value::Int(old) => {
            let value: i64 = assignment.value.parse().map_err(|_| wrong(assignment, "a whole number"))?;
            let new = match assignment.change {
                Change::Set => Some(value),
                Change::Add => old.checked_add(value),
                Change::Take => old.checked_sub(value),
            };
            *old = new.ok_or_else(|| wrong(assignment, "a whole number of 64 bits"))?;
            Ok(())
        }
        Value::Float(old) => number(old, assignment),
        Value::Text(old) if assignment.change == Change::Set => text(old, assignment),
        Value::Text(old) => {
            let mut value: f64 = old.parse().map_err(|_| wrong(assignment, TEXT))?;
            number(&mut value, assignment)?;
            *old = value.to_string();
            Ok(())
        }
        Value::List(values) if values.iter().all(|value| matches!(value, Value::Float(_))) && values.len() == 3 => {
            *old = Value::List(three(assignment)?.map(Value::Float).to_vec());
            Ok(())
        }
        Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(assignment, "a value of several parts, which is for other verbs to set"))
        }
    }
}
