//! Fields of records ⇄ properties of the scene.

use std::borrow::Cow;

use mapwright_io::escape_bytes;
use mapwright_query as query;
use mapwright_query::{Field, FieldType, Fields, SetFields};
use mapwright_scene::{Properties, Value};

use super::values::{flags_from, name_from, number_from, push_flags, push_number};

/// Returns the default of a field with a number.
pub(super) fn default_number(field: &Field) -> f64 {
    // Called for each face, and most fields have one of these.
    match field.default {
        "" | "0" => 0.0,
        "50" => 50.0,
        number => number.parse().expect("defaults are tested"),
    }
}

/// Adds a property for each field that differs from its default and is not skipped.
pub(super) fn push_fields(properties: &mut Properties, record: &impl Fields, is_skipped: impl Fn(&str) -> bool) {
    for (index, field) in record.schema().iter().enumerate().filter(|(_, field)| !is_skipped(field.name)) {
        match record.get(index) {
            Some(query::Value::Float(number)) => push_number(properties, field.name, number, default_number(field)),
            Some(query::Value::Flags(flags, _)) => push_flags(properties, field.name, flags),
            Some(query::Value::Bytes(bytes)) if !bytes.is_empty() => {
                properties.push(field.name, escape_bytes(&bytes));
            }
            _ => {}
        }
    }
}

/// Applies a property to the field of that name. Removed properties set the default. Returns `None` if no field stores it.
pub(super) fn apply_field(
    record: &mut dyn SetFields,
    key: &str,
    value: Option<&Value>,
    is_skipped: impl Fn(&str) -> bool,
) -> Option<()> {
    let schema = record.schema();
    let index = schema.find(key)?;
    let field = schema.field(index).filter(|field| !is_skipped(field.name))?;
    let name;
    let value = match field.of {
        FieldType::Float { .. } => query::Value::Float(value.map_or(Some(default_number(field)), number_from)?),
        FieldType::Flags(names) => query::Value::Flags(value.map_or(Some(0), flags_from)?, names),
        FieldType::Bytes { .. } => {
            name = value.map_or(Some(Default::default()), name_from)?;
            query::Value::Bytes(Cow::Borrowed(name.as_bytes()))
        }
        _ => return None,
    };
    record.set(index, &value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Document, Entity, EntityKind, Face, Model, PlaneFace, Sound};

    #[test]
    fn defaults_are_numbers() {
        let model = Entity::new(1, EntityKind::Model(Model::new(20)));
        let level = Document::new(Dialect::A7).entities.remove(0).into_inner();
        let sound = EntityKind::Sound(Sound::default());
        let (face, plane) = (Face::default(), PlaneFace::default());
        let records: [&dyn Fields; 5] = [&face, &plane, model.kind.fields(), level.kind.fields(), sound.fields()];
        let fields = records.iter().flat_map(|record| record.schema().iter());
        assert!(fields.filter(|field| default_number(field) == 50.0).count() >= 3);
    }
}
