//! Writes entities and markers.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene::{Connection, Content, Entity, EntityId, Node, Properties};

use super::super::names::{CLASS_NAME, MODEL};
use super::context::WriteContext;
use super::keys::write_keys;
use crate::{Output, WriteError};

/// Writes an entity.
pub(super) fn write_entity(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    id: EntityId,
    old: Option<&Node>,
    path: &str,
) -> Result<(), WriteError> {
    let entity = &context.scene.entities[id];
    let old_content = context.base.zip(old).map(|(base, old)| (&base.scene, &old.content));
    let old_entity = match old_content {
        Some((base, Content::Entity(id))) => Some(&base.entities[*id]),
        _ => None,
    };
    if old_entity == Some(entity) {
        return Ok(());
    }
    if context.base.is_none() && element == context.world {
        clear_keys(context, element);
    }
    let old_keys = match old_content {
        Some((base, Content::Entity(id))) => Some(all_keys(&base.entities[*id])),
        Some((base, Content::Light(id))) => Some(base.lights[*id].properties.clone()),
        _ => None,
    };
    write_keys(context, element, &all_keys(entity), old_keys.as_ref(), path);
    write_outputs(context, element, &entity.connections, old_entity.map(|old| old.connections.as_slice()), path)
}

/// Writes a marker as an entity without a function.
pub(super) fn write_marker(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    node: &Node,
) -> Result<(), WriteError> {
    context.editor.set_key(element, "classname", "info_target")?;
    let name = context.without_zero_bytes(&node.name);
    context.editor.set_key(element, "targetname", name)
}

/// Removes the default keys of a new world: the scene has all of them.
fn clear_keys(context: &mut WriteContext<'_, '_, '_>, element: ElementId) {
    let keys = context.element_ref(element).and_then(|node| node.child("entity_properties")).map(ElementRef::id);
    if let Some(keys) = keys {
        context.editor.graph_mut().elements[keys.index()].attributes.clear();
    }
}

/// Returns all key values of an entity. Those with a field come first.
fn all_keys(entity: &Entity) -> Properties {
    let mut keys = Properties::new();
    if !entity.class.is_empty() {
        keys.push(CLASS_NAME, entity.class.as_str());
    }
    if let Some(model) = &entity.model {
        keys.push(MODEL, model.as_str());
    }
    keys.entries.extend(entity.properties.entries.iter().cloned());
    keys
}

/// Name of a string attribute of outputs, and its field.
type OutputText = (&'static str, fn(&Connection) -> &String);

const OUTPUT_TEXTS: [OutputText; 4] = [
    ("outputName", |connection| &connection.output),
    ("targetName", |connection| &connection.target),
    ("inputName", |connection| &connection.input),
    ("overrideParam", |connection| &connection.parameter),
];

/// Writes outputs. Those that existed before are matched by index and changed in place.
fn write_outputs(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    new: &[Connection],
    old: Option<&[Connection]>,
    path: &str,
) -> Result<(), WriteError> {
    if old.unwrap_or_default() == new {
        return Ok(());
    }
    let mut seen = HashSet::new();
    let existing: Vec<ElementId> = context
        .element_ref(element)
        .into_iter()
        .flat_map(|node| node.children("connectionsData"))
        .map(ElementRef::id)
        .filter(|id| seen.insert(*id))
        .collect();
    for (index, connection) in new.iter().enumerate() {
        let before = old.and_then(|old| old.get(index));
        if before == Some(connection) {
            continue;
        }
        let data = match existing.get(index) {
            Some(&data) => data,
            None => context.editor.add_output(element, &Output::new("", "", ""))?,
        };
        for (name, text) in OUTPUT_TEXTS {
            if before.is_none_or(|before| text(before) != text(connection)) {
                context.set_text(data, name, text(connection));
            }
        }
        if before.is_none_or(|before| before.delay != connection.delay) {
            let delay = context.narrow(connection.delay);
            context.set(data, "delay", Value::Float(delay));
        }
        if before.is_none_or(|before| before.times != connection.times) {
            let times = connection.times.map_or(-1, |times| i32::try_from(times).unwrap_or(i32::MAX));
            context.set(data, "timesToFire", Value::Int(times));
        }
        match connection.target_type {
            Some(code) if before.is_none_or(|before| before.target_type != Some(code)) => {
                context.set(data, "targetType", Value::Int(code));
            }
            None if before.is_none() => {
                context
                    .losses
                    .synthesized(format!("{path}.connections[{index}]"), "type of the output's target: a name");
            }
            _ => {}
        }
    }
    for &data in existing.iter().skip(new.len()) {
        context.editor.remove_output(element, data)?;
    }
    Ok(())
}
