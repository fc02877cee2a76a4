//! How names and values are spelled that Tiled has no room for.
//!
//! Tiled keeps one property of each name, whole numbers of 32 bits, fractions of 15 digits in JSON, and what text XML 1.0
//! allows. Whatever begins with `=` is JSON instead: `=4294967295`, `="a\u0000b"`, `=[1,2]`, `={"a":1}`, `={"$bytes":"AAE="}`,
//! `={"$float":"NaN"}`. In a map names that begin with `$` begin with two of them.

mod json;

use std::{cmp::Reverse, collections::HashMap};

use mapwright_scene::{Losses, Properties, Value};

use super::model::{Property, Raw};
use crate::base64;

/// Text as it is written: as it stands, or as JSON after `=`.
pub(super) fn text_out(text: &str) -> String {
    let is_plain = !text.starts_with('=') && !text.chars().any(|c| c.is_control() || is_no_character(c));
    if is_plain { text.to_owned() } else { json::spelled(&Value::Text(text.to_owned())) }
}

/// Text as it was before [`text_out`]; what is spelled otherwise stays as it is.
pub(super) fn text_in(text: String) -> String {
    match json::parse(&text) {
        Some(Value::Text(text)) => text,
        _ => text,
    }
}

/// XML has no such characters.
fn is_no_character(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A property of Tiled. `None`: nested too deep.
fn value_out(name: String, value: &Value) -> Option<Property> {
    let (kind, value) = match value {
        Value::Bool(flag) => ("bool", Raw::Bool(*flag)),
        Value::Int(number) if i32::try_from(*number).is_ok() => ("int", Raw::Int(*number)),
        Value::Float(number) if has_15_digits(*number) => ("float", Raw::Float(*number)),
        Value::Text(text) => ("string", Raw::Text(if is_lines(text) { text.clone() } else { text_out(text) })),
        _ if json::is_too_deep(value) => return None,
        _ => ("string", Raw::Text(json::spelled(value))),
    };
    Some(Property { name, kind: kind.into(), value })
}

/// Whether it is text of several lines that stays as it is: Tiled takes blank ones for nothing.
fn is_lines(text: &str) -> bool {
    !text.starts_with('=')
        && !text.chars().any(|c| (c.is_control() && c != '\n') || is_no_character(c))
        && !text.trim().is_empty()
}

/// Whether 15 digits are enough for it, and it is no negative zero.
fn has_15_digits(number: f64) -> bool {
    number.is_finite()
        && !(number == 0.0 && number.is_sign_negative())
        && format!("{number:.14e}").parse() == Ok(number)
}

/// A value of a property as it was before [`value_out`], or whatever stands there.
fn value_in(kind: &str, raw: Raw, depth: usize) -> Value {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    match (kind, raw) {
        ("float", Raw::Int(number)) => Value::Float(number as f64),
        ("int" | "object", Raw::Float(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
            Value::Int(number as i64)
        }
        (_, Raw::Bool(flag)) => Value::Bool(flag),
        (_, Raw::Int(number)) => Value::Int(number),
        (_, Raw::Float(number)) => Value::Float(number),
        (_, Raw::Text(text)) => match json::parse(&text) {
            Some(value) if kind == "string" => value,
            _ => Value::Text(text),
        },
        (_, Raw::Class(members)) if depth < Value::MAX_DEPTH => {
            Value::Map(members.into_iter().map(|(name, raw)| (name, value_in("", raw, depth + 1))).collect())
        }
        (_, Raw::Class(_) | Raw::Null) => Value::Text(String::new()),
    }
}

/// The properties of something, as they are written: those that this crate gives a meaning to under plain names, free ones
/// beside them.
pub(super) struct Outgoing {
    own: &'static [&'static str],
    properties: Vec<Property>,
}

/// Before the names of properties that are those of a node where what stands there has its own.
const NODE: &str = "node:";

impl Outgoing {
    /// No properties yet; `own` are all names that have a meaning here.
    pub(super) fn new(own: &'static [&'static str]) -> Self {
        Self { own, properties: Vec::new() }
    }

    /// Adds one of those with a meaning.
    pub(super) fn own(&mut self, name: &'static str, value: impl Into<Value>) {
        debug_assert!(self.own.contains(&name), "{name}");
        self.properties.extend(value_out(name.into(), &value.into()));
    }

    /// Adds free properties.
    pub(super) fn free(&mut self, properties: &Properties, path: &str, losses: &mut Losses) {
        self.add("", properties, path, losses);
    }

    /// Adds free properties of the node at which it stands.
    pub(super) fn node(&mut self, properties: &Properties, path: &str, losses: &mut Losses) {
        self.add(NODE, properties, path, losses);
    }

    fn add(&mut self, before: &str, properties: &Properties, path: &str, losses: &mut Losses) {
        let mut counts = HashMap::new();
        for (name, value) in properties.iter() {
            let count = counts.entry(name).and_modify(|count| *count += 1_u64).or_insert(1);
            let is_own = before.is_empty() && (self.own.contains(&name) || name.starts_with(NODE));
            let spelled = match *count {
                1 if is_own => json::spelled(&Value::Text(name.to_owned())),
                1 => text_out(name),
                // The number goes between the sign and the name.
                count => format!("={count}{}", json::spelled(&Value::Text(name.to_owned())).trim_start_matches('=')),
            };
            match value_out(format!("{before}{spelled}"), value) {
                Some(property) => self.properties.push(property),
                None => losses.dropped(path, format!("the property {name:?} is nested too deep")),
            }
        }
    }

    pub(super) fn done(self) -> Vec<Property> {
        self.properties
    }
}

/// The properties of something, as they are read.
pub(super) struct Incoming {
    entries: Vec<(String, Value)>,
}

impl Incoming {
    pub(super) fn new(properties: Vec<Property>) -> Self {
        let value = |property: Property| (property.name, value_in(&property.kind, property.value, 1));
        Self { entries: properties.into_iter().map(value).collect() }
    }

    /// Takes a property that has a meaning, if it is there and means something.
    fn take<T>(&mut self, name: &str, meaning: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let place = self.entries.iter().position(|(key, _)| key == name)?;
        let meaning = meaning(&self.entries.get(place)?.1)?;
        self.entries.remove(place);
        Some(meaning)
    }

    /// A whole number, however it is typed.
    pub(super) fn int<T: TryFrom<i64>>(&mut self, name: &str) -> Option<T> {
        self.take(name, |value| {
            #[allow(clippy::cast_possible_truncation)]
            let number = match value {
                Value::Int(number) => *number,
                Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => *number as i64,
                Value::Text(text) => text.trim().parse().ok()?,
                _ => return None,
            };
            T::try_from(number).ok()
        })
    }

    /// A number, however it is typed.
    pub(super) fn float(&mut self, name: &str) -> Option<f64> {
        self.take(name, |value| match value {
            Value::Text(text) => text.trim().parse().ok(),
            value => value.as_f64(),
        })
    }

    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        self.take(name, Value::as_bool)
    }

    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| value.as_text().map(str::to_owned))
    }

    /// Bytes in base64.
    pub(super) fn bytes(&mut self, name: &str) -> Option<Vec<u8>> {
        self.take(name, |value| base64::decode(value.as_text()?.as_bytes()))
    }

    /// A list of numbers.
    pub(super) fn floats(&mut self, name: &str) -> Option<Vec<f64>> {
        self.take(name, |value| match value {
            Value::List(items) => items.iter().map(Value::as_f64).collect(),
            _ => None,
        })
    }

    /// What is left: the free properties, and those of the node.
    pub(super) fn rest(self) -> [Properties; 2] {
        let mut rest = [Vec::new(), Vec::new()];
        let [free, node] = &mut rest;
        for (name, value) in self.entries {
            match name.strip_prefix(NODE) {
                Some(name) => node.push((name_in(name), value)),
                None => free.push((name_in(&name), value)),
            }
        }
        rest.map(in_order)
    }
}

/// A name as it was before it was spelled, and which of its properties this is.
fn name_in(name: &str) -> (String, u64) {
    let plain = || (name.to_owned(), 1);
    let Some(spelled) = name.strip_prefix('=') else { return plain() };
    let text = spelled.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = spelled.strip_suffix(text).and_then(|digits| digits.parse().ok()).unwrap_or(1);
    match json::parse(&format!("={text}")) {
        Some(Value::Text(text)) => (text, number),
        _ => plain(),
    }
}

/// Tiled sorts properties by their spelled names; those of one name must come in their own order.
fn in_order(entries: Vec<((String, u64), Value)>) -> Properties {
    if entries.iter().all(|((_, number), _)| *number == 1) {
        return entries.into_iter().map(|((name, _), value)| (name, value)).collect();
    }
    let names: Vec<String> = entries.iter().map(|((name, _), _)| name.clone()).collect();
    let mut values: HashMap<String, Vec<(u64, Value)>> = HashMap::new();
    for ((name, number), value) in entries {
        values.entry(name).or_default().push((number, value));
    }
    // The last comes off first.
    values.values_mut().for_each(|values| values.sort_by_key(|(number, _)| Reverse(*number)));
    let next = |name: String| {
        let (_, value) = values.get_mut(&name)?.pop()?;
        Some((name, value))
    };
    names.into_iter().filter_map(next).collect()
}
