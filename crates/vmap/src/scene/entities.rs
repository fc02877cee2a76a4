//! Entities: key values and outputs.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene as scene;
use mapwright_scene::{Connection, Content, Entity, EntityId, Node, Properties};

use super::from::Writer;
use super::names;
use super::to::Reader;
use crate::{Output, WriteError};

/// The keys with a field of their own.
pub(super) const CLASS_NAME: &str = "classname";
pub(super) const MODEL: &str = "model";

/// Reads an entity.
pub(super) fn read(reader: &mut Reader<'_>, element: ElementRef<'_>) -> EntityId {
    let mut entity = Entity { connections: connections(reader, element), ..Entity::default() };
    let (mut class, mut model) = (None, None);
    for (name, value) in keys(reader, element).entries {
        // Of a key that stands twice the first counts.
        match value.as_text() {
            Some(text) if name == CLASS_NAME && class.is_none() => class = Some(text.to_owned()),
            Some(text) if name == MODEL && model.is_none() && !text.is_empty() => model = Some(text.to_owned()),
            _ => entity.properties.push(name, value),
        }
    }
    entity.class = class.unwrap_or_default();
    entity.model = model;
    reader.reading.scene.entities.push(entity)
}

/// All keys with their values in order.
pub(super) fn keys(reader: &mut Reader<'_>, element: ElementRef<'_>) -> Properties {
    let mut keys = Properties::new();
    let Some(properties) = element.child("entity_properties") else { return keys };
    let path = || format!("{}.entity_properties", names::path(element));
    if !reader.values.seen.insert(properties.id()) {
        reader.reading.losses.dropped(path(), "key values that another entity has");
        return keys;
    }
    let mut damaged = 0_usize;
    for (name, value) in properties.attributes() {
        let bytes = if let Value::String(id) = value { element.document().string(*id) } else { &[] };
        damaged += usize::from(std::str::from_utf8(name).is_err() || std::str::from_utf8(bytes).is_err());
        if let Some(value) = reader.values.read(properties, value, 0, &path, &mut reader.reading.losses) {
            keys.entries.extend(reader.values.text(name).map(|name| (name, value)));
        }
    }
    if damaged > 0 {
        reader.reading.losses.approximated(path(), format!("{damaged} keys or values that are not UTF-8"));
    }
    keys
}

fn connections(reader: &mut Reader<'_>, element: ElementRef<'_>) -> Vec<Connection> {
    let mut connections = Vec::new();
    for data in element.children("connectionsData") {
        let path = || format!("{}.connectionsData", names::path(element));
        if !reader.values.seen.insert(data.id()) {
            reader.reading.losses.dropped(path(), "an output that another entity has");
            continue;
        }
        let mut string = |name| reader.values.text(data.text(name).unwrap_or_default()).unwrap_or_default();
        let int = |name| if let Some(Value::Int(number)) = data.get(name) { Some(*number) } else { None };
        let delay = if let Some(Value::Float(delay)) = data.get("delay") { f64::from(*delay) } else { 0.0 };
        if delay.is_nan() {
            reader.reading.losses.repaired(path(), "a delay that is not a number, as 0");
        }
        let times = int("timesToFire").unwrap_or(-1);
        if times < -1 {
            reader.reading.losses.approximated(path(), "an output of fewer times than none, as always");
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

impl<'a> Writer<'a, '_, '_> {
    /// Writes an entity.
    pub(super) fn entity(
        &mut self,
        element: ElementId,
        id: EntityId,
        old: Option<&'a Node>,
        path: &str,
    ) -> Result<(), WriteError> {
        let Some(entity) = self.scene.entities.get(id) else { return Ok(()) };
        let old_entity = old.and_then(|old| match old.content {
            Content::Entity(id) => self.base?.scene.entities.get(id),
            _ => None,
        });
        if old_entity == Some(entity) {
            return Ok(());
        }
        if self.base.is_none() && element == self.world {
            self.forget_keys(element);
        }
        let old_keys = match old_entity {
            Some(old) => Some(all_keys(old)),
            None => self.old_light_keys(old),
        };
        self.keys(element, &all_keys(entity), old_keys.as_ref(), path)?;
        self.outputs(element, &entity.connections, old_entity.map(|old| old.connections.as_slice()))
    }

    /// Takes away what a new world has for keys: the scene tells all of them.
    fn forget_keys(&mut self, element: ElementId) {
        let node = self.editor.map().graph().element(element);
        let keys = node.and_then(|node| node.child("entity_properties")).map(ElementRef::id);
        if let Some(keys) = keys.and_then(|keys| self.editor.graph_mut().elements.get_mut(keys.index())) {
            keys.attributes.clear();
        }
    }

    /// Writes key values: those that are not what they were.
    pub(super) fn keys(
        &mut self,
        element: ElementId,
        new: &Properties,
        old: Option<&Properties>,
        path: &str,
    ) -> Result<(), WriteError> {
        let node = self.editor.map().graph().element(element);
        let Some(properties) = node.and_then(|node| node.child("entity_properties")).map(ElementRef::id) else {
            self.losses.dropped(path, "key values, for which the node has no place");
            return Ok(());
        };
        let mut seen = HashSet::new();
        for (name, value) in new.iter() {
            if !seen.insert(name) || name.contains('\0') {
                // Only the first of a name is found in files; others stay as they are.
                let known = old.is_some_and(|old| old.iter().any(|entry| entry == (name, value)));
                if !known {
                    self.losses.dropped(path, format!("key {name:?}, which is there already"));
                }
                continue;
            }
            let before = old.and_then(|old| old.get(name));
            if before == Some(value) {
                continue;
            }
            let text = match value {
                scene::Value::Text(text) => text.clone(),
                scene::Value::Map(_) | scene::Value::List(_) | scene::Value::Bytes(_) => {
                    self.set_value(properties, name, value, before, path);
                    continue;
                }
                scene::Value::Bool(flag) => u8::from(*flag).to_string(),
                scene::Value::Int(number) => number.to_string(),
                scene::Value::Float(number) => number.to_string(),
            };
            if value.as_text().is_none() {
                self.losses.approximated(path, format!("key {name:?}, as text"));
            }
            self.set_text(properties, name, &text);
        }
        for (name, _) in old.into_iter().flat_map(Properties::iter) {
            if !seen.contains(name) {
                self.unset(properties, name);
            }
        }
        Ok(())
    }

    /// Writes outputs: of those that were there before, what is not as it was.
    fn outputs(
        &mut self,
        element: ElementId,
        new: &[Connection],
        old: Option<&[Connection]>,
    ) -> Result<(), WriteError> {
        if old.unwrap_or_default() == new {
            return Ok(());
        }
        let mut seen = HashSet::new();
        let node = self.editor.map().graph().element(element);
        let before: Vec<ElementId> = node
            .into_iter()
            .flat_map(|node| node.children("connectionsData"))
            .map(ElementRef::id)
            .filter(|id| seen.insert(*id))
            .collect();
        for (index, connection) in new.iter().enumerate() {
            let was = old.and_then(|old| old.get(index));
            if was == Some(connection) {
                continue;
            }
            let data = match before.get(index) {
                Some(&data) => data,
                None => self.editor.add_output(element, &Output::new("", "", ""))?,
            };
            let texts: [Said; 4] = [
                ("outputName", |c| &c.output),
                ("targetName", |c| &c.target),
                ("inputName", |c| &c.input),
                ("overrideParam", |c| &c.parameter),
            ];
            for (name, text) in texts {
                if was.is_none_or(|was| text(was) != text(connection)) {
                    self.set_text(data, name, text(connection));
                }
            }
            if was.is_none_or(|was| was.delay != connection.delay) {
                let delay = self.narrow(connection.delay);
                self.set(data, "delay", Value::Float(delay));
            }
            if was.is_none_or(|was| was.times != connection.times) {
                let times = connection.times.map_or(-1, |times| i32::try_from(times).unwrap_or(i32::MAX));
                self.set(data, "timesToFire", Value::Int(times));
            }
            match connection.target_type {
                Some(code) if was.is_none_or(|was| was.target_type != Some(code)) => {
                    self.set(data, "targetType", Value::Int(code));
                }
                None if was.is_none() => {
                    let path = format!("connections[{index}]");
                    self.losses.synthesized(path, "what kind of thing the target is: one of that name");
                }
                _ => {}
            }
        }
        for &data in before.iter().skip(new.len()) {
            self.editor.remove_output(element, data)?;
        }
        Ok(())
    }
}

/// The attribute of an output and what it says.
type Said = (&'static str, fn(&Connection) -> &String);

/// All key values of an entity, the ones with a field first.
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
