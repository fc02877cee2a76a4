//! Changed properties.

use std::collections::HashSet;

use mapwright_scene::{Losses, Properties, Value};

use super::super::encode::{encode_value, text_out};
use crate::edit::Scalar;
use crate::{Edit, Item, WriteError, WriteErrorKind};

/// An item with properties.
pub(super) struct Owner<'a> {
    pub(super) item: Item<'a>,
    pub(super) path: String,
    /// Properties that are attributes, unless the item has a property with the name.
    pub(super) attributes: Vec<&'static str>,
    /// Properties that are written elsewhere.
    pub(super) elsewhere: &'static [&'static str],
}

/// Writes the properties that differ. If several have one name, the first one counts.
pub(super) fn merge_properties<'a>(
    edit: &mut Edit<'a>,
    owner: Owner<'a>,
    [old, new]: [&Properties; 2],
    losses: &mut Losses,
) -> Result<(), WriteError> {
    let Owner { item, path, attributes, elsewhere } = owner;
    let mut seen = HashSet::new();
    for (name, value) in new.iter() {
        if !seen.insert(name) || elsewhere.contains(&name) || old.get(name) == Some(value) {
            continue;
        }
        let custom = crate::view::Properties::of(item).get(name).is_some();
        let result = match attributes.iter().find(|other| **other == name && !custom) {
            Some(name) => match attribute(value) {
                Some(scalar) => edit.set(item, name, scalar),
                None => {
                    losses.dropped(path.as_str(), format!("value of {name:?} that the attribute cannot store"));
                    Ok(())
                }
            },
            None => edit.set_property(item, &text_out(name), scalar(value)),
        };
        match result.map_err(mapwright_io::Error::into_kind) {
            Ok(()) => {}
            // A property keeps its type.
            Err(WriteErrorKind::Value { expected, .. }) => {
                losses.dropped(path.as_str(), format!("new value of the property {name:?}: expected {expected}"));
            }
            Err(kind) => return Err(WriteError::on_path(kind, path.as_str())),
        }
    }
    let mut removed = HashSet::new();
    for (name, _) in old.iter().filter(|(name, _)| new.get(name).is_none() && !elsewhere.contains(name)) {
        if !removed.insert(name) {
            continue;
        }
        let stored = attributes.iter().find(|other| **other == name).and_then(|name| item.get(name));
        match stored {
            Some(attribute) => edit.remove(attribute),
            None if edit.remove_property(item, name) => {}
            None => losses.dropped(path.as_str(), format!("removal of the property {name:?}, which is not in the map")),
        }
    }
    Ok(())
}

/// Returns the value of an attribute.
fn attribute(value: &Value) -> Option<Scalar<'static>> {
    match value {
        Value::Float(number) if number.is_finite() => Some((*number).into()),
        Value::Int(number) => Some((*number).into()),
        Value::Text(text) => Some(text_out(text).into()),
        _ => None,
    }
}

/// Returns the value of a property. Values that Tiled does not have are encoded.
fn scalar(value: &Value) -> Scalar<'static> {
    match value {
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) if i32::try_from(*number).is_ok() => (*number).into(),
        Value::Float(number) if number.is_finite() => (*number).into(),
        Value::Text(text) => text_out(text).into(),
        value => encode_value(value).into(),
    }
}
