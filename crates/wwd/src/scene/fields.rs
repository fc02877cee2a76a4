//! Conversion between fields of records and properties.

use std::collections::HashMap;
use std::fmt::Display;

use mapwright_scene::{Losses, Properties, Value};

use super::count::LossCount;
use crate::document::record::Record;
use crate::{FieldError, FieldValue, Rect, escape_bytes, unescape_bytes};

/// The names of the sides of rectangles in properties.
const SIDES: [&str; 4] = ["left", "top", "right", "bottom"];

/// The fields of a record that are stored as properties.
pub(super) struct Fields {
    /// Each field with its default value, which is left out.
    defaults: Vec<(&'static str, FieldValue)>,
    /// For each property name, the field and the side of its rectangle.
    names: HashMap<String, (&'static str, Option<usize>)>,
}

impl Fields {
    /// Creates the table of all fields except some, with the default values of a record.
    pub(super) fn new<R: Record>(default: &R, except: &[&str]) -> Self {
        let fields = R::FIELDS.iter().filter(|name| !except.contains(name));
        let defaults: Vec<_> = fields.filter_map(|name| Some((*name, default.value(name)?))).collect();
        let mut names = HashMap::new();
        for (name, value) in &defaults {
            match value {
                FieldValue::Rect(_) => {
                    let sides = SIDES.iter().enumerate();
                    names.extend(sides.map(|(at, side)| (format!("{name}_{side}"), (*name, Some(at)))));
                }
                _ => {
                    names.insert((*name).to_owned(), (*name, None));
                }
            }
        }
        Self { defaults, names }
    }

    /// Adds the fields that are not default as properties.
    pub(super) fn to_properties(&self, record: &impl Record, properties: &mut Properties) {
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

/// Returns the escaped text of a field.
pub(super) fn text(record: &impl Record, name: &str) -> String {
    match record.value(name) {
        Some(FieldValue::Text(text)) => escape_bytes(&text),
        _ => String::new(),
    }
}

fn sides(rect: Rect) -> [i32; 4] {
    [rect.left, rect.top, rect.right, rect.bottom]
}

/// Converts a value to 32 bits: a signed or unsigned number, or its text.
pub(crate) fn number(value: &Value) -> Option<u32> {
    let whole = |number: i64| u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned));
    match value {
        Value::Bool(flag) => Some(u32::from(*flag)),
        Value::Int(number) => whole(*number),
        Value::Float(number) => {
            let number = number.round();
            let in_range = number >= f64::from(i32::MIN) && number <= f64::from(u32::MAX);
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            let bits = in_range.then_some(number as i64).and_then(whole);
            bits
        }
        Value::Text(text) => {
            let text = text.trim();
            match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok().and_then(whole).or_else(|| number(&Value::Float(text.parse().ok()?))),
            }
        }
        _ => None,
    }
}

/// Returns `true` for "true" and numbers other than 0.
pub(super) fn is_true(value: &Value) -> bool {
    value.as_text().is_some_and(|text| text.eq_ignore_ascii_case("true")) || number(value).is_some_and(|bits| bits != 0)
}

/// Converts a value to the bytes of a text.
pub(super) fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Text(text) => Some(unescape_bytes(text)),
        Value::Bytes(bytes) => Some(bytes.clone()),
        Value::Bool(flag) => Some(flag.to_string().into_bytes()),
        Value::Int(number) => Some(number.to_string().into_bytes()),
        Value::Float(number) => Some(number.to_string().into_bytes()),
        Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Object;

    #[test]
    fn numbers_are_read_from_many_types() {
        let text = |text: &str| number(&Value::Text(text.to_owned()));
        assert_eq!(["-1", "4294967295", " 0xffffffff ", "-1.0"].map(text), [Some(u32::MAX); 4]);
        assert_eq!([number(&Value::Int(-1)), number(&Value::Float(-1.0))], [Some(u32::MAX); 2]);
        assert_eq!([number(&Value::Float(1.4)), number(&Value::Bool(true))], [Some(1); 2]);
        assert_eq!(["", "x", "4294967296", "-2147483649", "nan", "inf", "1e99"].map(text), [None; 7]);
        assert_eq!([number(&Value::Float(f64::NAN)), number(&Value::Bytes(vec![1]))], [None; 2]);
    }

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
