//! Encoding of names and values that Tiled cannot store.
//!
//! Tiled stores one property per name, whole numbers of 32 bits, fractions of 15 digits in JSON, and the characters of XML 1.0. Other
//! data is JSON after `=`: `=4294967295`, `="a\u0000b"`, `=[1,2]`, `={"a":1}`, `={"$bytes":"AAE="}`, `={"$float":"NaN"}`. In a map, names
//! that begin with `$` get a second one.

mod json;

use std::{cmp::Reverse, collections::HashMap};

use mapwright_scene::{Losses, Properties, Value};

use crate::build::Element;
use crate::cells::decode_base64;
use crate::codes::PropertyType;
use crate::view::{self, PropertyValue};

/// A property to write.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Property {
    name: String,
    value: PlainValue,
}

/// A value that Tiled stores.
#[derive(Debug, Clone, PartialEq)]
enum PlainValue {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

/// Returns the element of properties, if there are some.
pub(super) fn properties_element(properties: Vec<Property>) -> Option<Element<'static>> {
    if properties.is_empty() {
        return None;
    }
    let element = |Property { name, value }| {
        let element = Element::new("property").with("name", name);
        match value {
            PlainValue::Bool(flag) => element.with("type", "bool").with("value", flag),
            PlainValue::Int(number) => element.with("type", "int").with("value", number),
            PlainValue::Float(number) => element.with("type", "float").with("value", format_args!("{number:?}")),
            PlainValue::Text(text) if text.contains('\n') => Element { text: text.into(), ..element },
            PlainValue::Text(text) => element.with("value", text),
        }
    };
    Some(Element { children: properties.into_iter().map(element).collect(), ..Element::new("properties") })
}

/// Encodes text: unchanged, or as JSON after `=`.
pub(super) fn text_out(text: &str) -> String {
    let is_plain = !text.starts_with('=') && !text.chars().any(json::is_escaped);
    if is_plain { text.to_owned() } else { json::encode(&Value::Text(text.to_owned())) }
}

/// Encodes any value as text: JSON after `=`.
pub(super) fn encode_value(value: &Value) -> String {
    json::encode(value)
}

/// Decodes the result of [`text_out`]. Other text is unchanged.
pub(super) fn text_in(text: &str) -> String {
    match json::parse(text) {
        Some(Value::Text(text)) => text,
        _ => text.to_owned(),
    }
}

/// Creates a property of Tiled. Returns `None` if the value is nested too deep.
fn to_property(name: String, value: &Value) -> Option<Property> {
    let value = match value {
        Value::Bool(flag) => PlainValue::Bool(*flag),
        Value::Int(number) if i32::try_from(*number).is_ok() => PlainValue::Int(*number),
        Value::Float(number) if has_15_digits(*number) => PlainValue::Float(*number),
        Value::Text(text) => PlainValue::Text(if is_lines(text) { text.clone() } else { text_out(text) }),
        _ if json::is_too_deep(value) => return None,
        _ => PlainValue::Text(json::encode(value)),
    };
    Some(Property { name, value })
}

/// Returns `true` for text of several lines that stays unchanged. Tiled treats blank text as empty.
fn is_lines(text: &str) -> bool {
    !text.starts_with('=') && !text.chars().any(|c| c != '\n' && json::is_escaped(c)) && !text.trim().is_empty()
}

/// Returns `true` if 15 digits are enough for the number and it is not a negative zero.
fn has_15_digits(number: f64) -> bool {
    number.is_finite()
        && !(number == 0.0 && number.is_sign_negative())
        && format!("{number:.14e}").parse() == Ok(number)
}

/// Decodes the result of [`to_property`], or any other value. Values that are nested too deep are empty text.
fn value_of(property: view::Property<'_>, depth: usize) -> Value {
    let inner = depth.saturating_add(1);
    match property.value() {
        PropertyValue::Text(text) => match json::parse(&text) {
            Some(value) if property.kind() == Some(PropertyType::String) => value,
            _ => Value::Text(text.into_owned()),
        },
        PropertyValue::Int(number) | PropertyValue::Object(number) => Value::Int(number),
        PropertyValue::Float(number) => Value::Float(number),
        PropertyValue::Bool(flag) => Value::Bool(flag),
        PropertyValue::Color(_) | PropertyValue::File(_) => Value::Text(property.text().into_owned()),
        PropertyValue::Class(members) if depth < Value::MAX_DEPTH => {
            Value::Map(members.iter().map(|member| (member.name(), value_of(member, inner))).collect())
        }
        PropertyValue::List(items) if depth < Value::MAX_DEPTH => {
            Value::List(items.into_iter().map(|item| value_of(item, inner)).collect())
        }
        PropertyValue::Class(_) | PropertyValue::List(_) => Value::Text(String::new()),
    }
}

/// Returns `true` if the scene stores the value of such a property, but not its type.
pub(super) fn loses_type(property: view::Property<'_>) -> bool {
    use PropertyType as T;
    // The type of an enumeration is only its name.
    property.property_type().is_some_and(|name| !name.is_empty())
        || matches!(property.kind(), Some(T::Color | T::File | T::Object | T::Class | T::List))
}

/// The properties of an item to write: those with a meaning for this crate have plain names, free ones are beside them.
pub(super) struct Outgoing {
    own: &'static [&'static str],
    properties: Vec<Property>,
}

/// Prefix of the names of node properties, if the content of the node has its own properties.
const NODE: &str = "node:";

impl Outgoing {
    /// Creates an empty list. `own` are all names with a meaning here.
    pub(super) fn new(own: &'static [&'static str]) -> Self {
        Self { own, properties: Vec::new() }
    }

    /// Adds a property with a meaning.
    pub(super) fn own(&mut self, name: &'static str, value: impl Into<Value>) {
        debug_assert!(self.own.contains(&name), "{name}");
        self.properties.extend(to_property(name.into(), &value.into()));
    }

    /// Adds free properties.
    pub(super) fn free(&mut self, properties: &Properties, path: &str, losses: &mut Losses) {
        self.add("", properties, path, losses);
    }

    /// Adds free properties of the node.
    pub(super) fn node(&mut self, properties: &Properties, path: &str, losses: &mut Losses) {
        self.add(NODE, properties, path, losses);
    }

    fn add(&mut self, before: &str, properties: &Properties, path: &str, losses: &mut Losses) {
        let mut counts = HashMap::new();
        for (name, value) in properties.iter() {
            let count = counts.entry(name).and_modify(|count: &mut u64| *count = count.saturating_add(1)).or_insert(1);
            let is_own = before.is_empty() && (self.own.contains(&name) || name.starts_with(NODE));
            let encoded = match *count {
                1 if is_own => json::encode(&Value::Text(name.to_owned())),
                1 => text_out(name),
                // The number is between the sign and the name.
                count => format!("={count}{}", json::encode(&Value::Text(name.to_owned())).trim_start_matches('=')),
            };
            if encoded != name {
                let text = format!("the property {name:?} is named {encoded:?}, because its name has a meaning here");
                losses.approximated(path, text);
            }
            match to_property(format!("{before}{encoded}"), value) {
                Some(property) => self.properties.push(property),
                None => losses.dropped(path, format!("the property {name:?} is nested too deep")),
            }
        }
    }

    pub(super) fn done(self) -> Vec<Property> {
        self.properties
    }
}

/// The properties of an item that were read.
pub(super) struct Incoming {
    entries: Vec<(String, Value)>,
}

impl Incoming {
    pub(super) fn new<'a>(properties: impl IntoIterator<Item = view::Property<'a>>) -> Self {
        let value = |property: view::Property<'_>| (property.name().into_owned(), value_of(property, 1));
        Self { entries: properties.into_iter().map(value).collect() }
    }

    /// Returns `true` if there is a property with a name.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _)| key == name)
    }

    /// Removes a property with a meaning, if it exists and is valid.
    fn take<T>(&mut self, name: &str, meaning: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let place = self.entries.iter().position(|(key, _)| key == name)?;
        let meaning = meaning(&self.entries.get(place)?.1)?;
        self.entries.remove(place);
        Some(meaning)
    }

    /// Removes a whole number of any type.
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

    /// Removes a number of any type.
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

    /// Removes bytes in base64.
    pub(super) fn bytes(&mut self, name: &str) -> Option<Vec<u8>> {
        self.take(name, |value| decode_base64(value.as_text()?))
    }

    /// Removes a list of numbers.
    pub(super) fn floats(&mut self, name: &str) -> Option<Vec<f64>> {
        self.take(name, |value| match value {
            Value::List(items) => items.iter().map(Value::as_f64).collect(),
            _ => None,
        })
    }

    /// Returns the remaining properties: the free ones, and those of the node.
    pub(super) fn into_remaining(self) -> [Properties; 2] {
        let mut rest = [Vec::new(), Vec::new()];
        let [free, node] = &mut rest;
        for (name, value) in self.entries {
            match name.strip_prefix(NODE) {
                Some(name) => node.push((name_in(name), value)),
                None => free.push((name_in(&name), value)),
            }
        }
        rest.map(sort_properties)
    }
}

/// Decodes a name, and returns the number of the property among those with this name.
fn name_in(name: &str) -> (String, u64) {
    let plain = || (name.to_owned(), 1);
    let Some(encoded) = name.strip_prefix('=') else { return plain() };
    let text = encoded.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = encoded.strip_suffix(text).and_then(|digits| digits.parse().ok()).unwrap_or(1);
    match json::parse(&format!("={text}")) {
        Some(Value::Text(text)) => (text, number),
        _ => plain(),
    }
}

/// Restores the order of properties with equal names: Tiled sorts properties by their encoded names.
fn sort_properties(entries: Vec<((String, u64), Value)>) -> Properties {
    if entries.iter().all(|((_, number), _)| *number == 1) {
        return entries.into_iter().map(|((name, _), value)| (name, value)).collect();
    }
    let names: Vec<String> = entries.iter().map(|((name, _), _)| name.clone()).collect();
    let mut values: HashMap<String, Vec<(u64, Value)>> = HashMap::new();
    for ((name, number), value) in entries {
        values.entry(name).or_default().push((number, value));
    }
    // Pop from the end.
    values.values_mut().for_each(|values| values.sort_by_key(|(number, _)| Reverse(*number)));
    let next = |name: String| {
        let (_, value) = values.get_mut(&name)?.pop()?;
        Some((name, value))
    };
    names.into_iter().filter_map(next).collect()
}
