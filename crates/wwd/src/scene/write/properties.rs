//! Converts properties to fields of records.

use std::fmt::Display;

use mapwright_scene::{Losses, Properties};

use super::super::fields::{Fields, sides};
use super::super::values::{bytes, number};
use super::loss_count::LossCount;
use crate::document::record::Record;
use crate::{FieldError, FieldValue, Rect};

impl Fields {
    /// Sets the fields of a record from properties. The first property of a name takes precedence. The caller reads those in `known`.
    pub(super) fn apply_properties(
        &self,
        record: &mut impl Record,
        properties: &Properties,
        known: &[&str],
        place: impl Display,
        foreign: &mut LossCount,
        losses: &mut Losses,
    ) {
        let mut unknown = Vec::new();
        for (key, value) in properties.iter().rev() {
            let Some(&(name, side)) = self.names.get(key) else {
                if !known.contains(&key) {
                    unknown.push(key);
                }
                continue;
            };
            let old = record.value(name).expect("the table contains fields of the record");
            let new = match (&old, side) {
                (FieldValue::Rect(rect), Some(at)) => number(value).map(|number| {
                    let mut sides = sides(*rect);
                    if let Some(side) = sides.get_mut(at) {
                        *side = number.cast_signed();
                    }
                    let [left, top, right, bottom] = sides;
                    FieldValue::Rect(Rect { left, top, right, bottom })
                }),
                (FieldValue::Text(_), _) => {
                    foreign.check_value(value, &place);
                    bytes(value).map(FieldValue::Text)
                }
                _ => number(value).map(FieldValue::Word),
            };
            match new {
                Some(new) => set_field(record, name, new, &place, losses),
                None => losses.dropped(place.to_string(), format!("{key}: invalid value")),
            }
        }
        unknown.reverse();
        report_unknown(&unknown, place, losses);
    }
}

/// Sets a field. Texts that are too long are cut.
pub(super) fn set_field(
    record: &mut impl Record,
    name: &'static str,
    value: FieldValue,
    place: impl Display,
    losses: &mut Losses,
) {
    let text = if let FieldValue::Text(text) = &value { Some(text.clone()) } else { None };
    match (record.set(name, value), text) {
        (Err(FieldError::Long { room, length, .. }), Some(mut text)) => {
            losses.repaired(place.to_string(), format!("{name}: text of {length} bytes cut to {room}"));
            text.truncate(room);
            record.set(name, FieldValue::Text(text)).expect("the text was cut to its slot");
        }
        (Err(error), _) => losses.dropped(place.to_string(), error.to_string()),
        (Ok(()), _) => {}
    }
}

/// Reports properties that are not fields.
pub(super) fn report_unknown(names: &[&str], place: impl Display, losses: &mut Losses) {
    const SHOWN: usize = 4;
    if let [_, ..] = names {
        let more = names.len().saturating_sub(SHOWN);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
        losses.dropped(place.to_string(), format!("properties {}{more}", shown.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use mapwright_scene::Value;

    use super::*;
    use crate::Object;

    #[test]
    fn fields_come_back_from_properties() {
        let fields = Fields::new(&Object::default(), &["x", "logic"]);
        let object = Object {
            z: -3,
            user_flags: crate::UserFlags(u32::MAX),
            animation: b"a\0".to_vec(),
            rect_hit: Rect { top: 7, ..Rect::default() },
            ..Object::default()
        };
        let mut properties = Properties::new();
        fields.to_properties(&object, &mut properties);
        let names: Vec<&str> = properties.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["z", "user_flags", "rect_hit_top", "animation"]);
        properties.push("z", 9);
        properties.push("logic", "other");
        properties.push("main", true);
        properties.push("score", Value::List(Vec::new()));
        let (mut back, mut losses) = (Object::default(), Losses::new());
        fields.apply_properties(&mut back, &properties, &["main"], "here", &mut LossCount::default(), &mut losses);
        assert_eq!(back, object);
        let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, ["dropped: here: score: invalid value", "dropped: here: properties logic"]);
    }
}
