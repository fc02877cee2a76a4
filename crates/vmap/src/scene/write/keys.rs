//! Writes key values of entities.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef};
use mapwright_scene::{Properties, Value};

use super::attributes::set_value;
use super::context::WriteContext;

/// Writes the key values that changed.
pub(super) fn write_keys(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    new: &Properties,
    old: Option<&Properties>,
    path: &str,
) {
    let node = context.element_ref(element);
    let Some(properties) = node.and_then(|node| node.child("entity_properties")).map(ElementRef::id) else {
        context.losses.dropped(path, "key values: the node cannot store any");
        return;
    };
    let mut seen = HashSet::new();
    for (name, value) in new.iter() {
        if !seen.insert(name) || name.contains('\0') {
            // Elements find only the first attribute of a name. Later ones of the file stay as they are.
            let is_known = old.is_some_and(|old| old.iter().any(|entry| entry == (name, value)));
            if !is_known {
                context.losses.dropped(path, format!("key {name:?}: the name is repeated or invalid"));
            }
            continue;
        }
        let before = old.and_then(|old| old.get(name));
        if before == Some(value) {
            continue;
        }
        let Some(text) = value_to_text(value) else {
            set_value(context, properties, name, value, before, path);
            continue;
        };
        if value.as_text().is_none() {
            context.losses.approximated(path, format!("key {name:?}, written as text"));
        }
        context.set_text(properties, name, &text);
    }
    for (name, _) in old.into_iter().flat_map(Properties::iter) {
        if !seen.contains(name) {
            context.unset(properties, name);
        }
    }
}

/// Formats a string, number or boolean. Returns `None` for other values.
pub(super) fn value_to_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Bool(flag) => Some(u8::from(*flag).to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Map(_) | Value::List(_) | Value::Bytes(_) => None,
    }
}
