//! Attributes and their types.

use mapwright_dmx::Value;

use super::report::{Place, Report};
use crate::schema::Class;

pub(super) fn check(report: &mut Report<'_>) {
    let map = report.map;
    let format = map.format_version();
    for element in map.graph().iter() {
        let Some(class) = Class::from_name(element.class()).filter(|class| class.is_complete()) else {
            continue;
        };
        for (name, value) in element.attributes() {
            match class.field(name, format) {
                None => {
                    let message = "Hammer is not known to write this attribute; it keeps it";
                    report.note("attribute-unknown", Place::Named(element, name), message);
                }
                Some(field) if !field.value.is_type_of(value) => {
                    let expected = field.value.type_name();
                    let message =
                        format!("the type is {}, not {expected} as in maps of format {format}", type_of(value));
                    report.warn("type-drift", Place::Named(element, name), message);
                }
                Some(_) => {}
            }
        }
    }
}

fn type_of(value: &Value) -> String {
    let array = if value.array_len().is_some() { "_array" } else { "" };
    format!("{}{array}", value.value_type().name())
}
