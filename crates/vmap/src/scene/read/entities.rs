//! Reads entities and lights: key values and outputs.

use mapwright_dmx::{ElementRef, Value};
use mapwright_scene::{Connection, Entity, EntityId, LightId, Properties};

use super::super::light_keys;
use super::super::names::{self, CLASS_NAME, MODEL, with_count};
use super::context::ReadContext;

/// Reads an entity.
pub(super) fn read_entity(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> EntityId {
    let mut entity = Entity { connections: read_outputs(context, element), ..Entity::default() };
    let (mut class, mut model) = (None, None);
    for (name, value) in read_keys(context, element).entries {
        // The first of several equal keys counts.
        match value.as_text() {
            Some(text) if name == CLASS_NAME && class.is_none() => class = Some(text.to_owned()),
            Some(text) if name == MODEL && model.is_none() && !text.is_empty() => model = Some(text.to_owned()),
            _ => entity.properties.push(name, value),
        }
    }
    entity.class = class.unwrap_or_default();
    entity.model = model;
    context.linked.scene.entities.push(entity)
}

/// Reads a light; `None` if the entity is not a light.
pub(super) fn read_light(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> Option<LightId> {
    let kind = light_keys::kind_of_class(element.child("entity_properties")?.text(CLASS_NAME)?)?;
    let keys = read_keys(context, element);
    Some(context.linked.scene.lights.push(light_keys::light_from_keys(kind, keys)))
}

/// Reads all key values in order.
fn read_keys(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> Properties {
    let mut keys = Properties::new();
    let Some(properties) = element.child("entity_properties") else { return keys };
    let path = || format!("{}.entity_properties", names::node_path(element));
    if !context.values.used.insert(properties.id()) {
        context.losses.dropped(path(), "key values shared with another entity");
        return keys;
    }
    let mut damaged = 0_usize;
    for (name, value) in properties.attributes() {
        let bytes = if let Value::String(id) = value { element.document().string(*id) } else { &[] };
        damaged += usize::from(std::str::from_utf8(name).is_err() || std::str::from_utf8(bytes).is_err());
        if let Some(value) = context.values.read(properties, value, 0, &path, &mut context.losses) {
            keys.entries.extend(context.values.text(name).map(|name| (name, value)));
        }
    }
    if damaged > 0 {
        let count = with_count(damaged, "key");
        context.losses.approximated(path(), format!("{count} with a name or value that is not UTF-8"));
    }
    keys
}

fn read_outputs(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> Vec<Connection> {
    let mut connections = Vec::new();
    for data in element.children("connectionsData") {
        let path = || format!("{}.connectionsData", names::node_path(element));
        if !context.values.used.insert(data.id()) {
            context.losses.dropped(path(), "output shared with another entity");
            continue;
        }
        let mut string = |name| context.values.text(data.text(name).unwrap_or_default()).unwrap_or_default();
        let int = |name| if let Some(Value::Int(number)) = data.get(name) { Some(*number) } else { None };
        let delay = if let Some(Value::Float(delay)) = data.get("delay") { f64::from(*delay) } else { 0.0 };
        if delay.is_nan() {
            context.losses.repaired(path(), "invalid output delay NaN, replaced by 0");
        }
        let times = int("timesToFire").unwrap_or(-1);
        if times < -1 {
            context.losses.approximated(path(), format!("timesToFire {times}, read as unlimited"));
        }
        connections.push(Connection {
            output: string("outputName"),
            target: string("targetName"),
            input: string("inputName"),
            parameter: string("overrideParam"),
            delay: if delay.is_nan() { 0.0 } else { delay },
            target_type: int("targetType"),
            times: u32::try_from(times).ok(),
        });
    }
    connections
}
