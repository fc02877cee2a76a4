//! Converts fields of records to properties.

use mapwright_scene::Properties;

use super::super::fields::{Fields, SIDES, sides};
use crate::document::record::Record;
use crate::{FieldValue, escape_bytes};

impl Fields {
    /// Adds the fields that are not default as properties.
    pub(in crate::scene) fn to_properties(&self, record: &impl Record, properties: &mut Properties) {
        for (name, default) in &self.defaults {
            let Some(value) = record.value(name).filter(|value| value != default) else { continue };
            match value {
                FieldValue::Word(word) => properties.push(*name, word),
                FieldValue::Int(number) => properties.push(*name, number),
                FieldValue::Text(text) => properties.push(*name, escape_bytes(&text)),
                FieldValue::Rect(rect) => {
                    for (side, number) in SIDES.iter().zip(sides(rect)).filter(|(_, number)| *number != 0) {
                        properties.push(format!("{name}_{side}"), number);
                    }
                }
            }
        }
    }
}

/// Returns the escaped text of a field.
pub(super) fn text(record: &impl Record, name: &str) -> String {
    match record.value(name) {
        Some(FieldValue::Text(text)) => escape_bytes(&text),
        _ => String::new(),
    }
}
