//! Values of scene properties ⇄ fields of maps.

use hashbrown::HashSet;
use mapwright_io::{escape_bytes, unescape_bytes};
use mapwright_scene::{Properties, Value};

use crate::Name;

/// Returns a name as text. Bytes other than printable ASCII are escaped.
pub(super) fn name_text(name: &Name) -> String {
    escape_bytes(name.as_bytes())
}

/// Reads a name from text. Control characters become `_` and spaces at its ends are removed: text maps cannot store them.
pub(super) fn parse_name(text: &str) -> Name {
    let mut bytes = unescape_bytes(text);
    bytes.iter_mut().filter(|byte| byte.is_ascii_control()).for_each(|byte| *byte = b'_');
    bytes.trim_ascii().into()
}

/// Reads a name from a value of any scalar type.
pub(super) fn name_from(value: &Value) -> Option<Name> {
    match value {
        Value::Text(text) => Some(parse_name(text)),
        Value::Bytes(bytes) => Some(bytes.as_slice().into()),
        Value::Bool(flag) => Some(flag.to_string().as_str().into()),
        Value::Int(number) => Some(number.to_string().as_str().into()),
        Value::Float(number) => Some(number.to_string().as_str().into()),
        Value::List(_) | Value::Map(_) => None,
    }
}

/// Reads a number from a value of any scalar type.
pub(super) fn number_from(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Text(text) => text.trim().parse().ok(),
        _ => value.as_f64(),
    }
}

/// Reads flags from a whole number of 32 bits.
pub(super) fn flags_from(value: &Value) -> Option<u32> {
    match value {
        Value::Int(number) => u32::try_from(*number).ok(),
        _ => {
            let number = number_from(value)?;
            let whole = number.fract() == 0.0 && number >= 0.0 && number <= f64::from(u32::MAX);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
            let word = whole.then_some(number as u32);
            word
        }
    }
}

/// Reads a list of numbers.
pub(super) fn numbers_from(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(values) => values.iter().map(number_from).collect(),
        _ => None,
    }
}

/// Reads a list of exactly `N` numbers.
pub(super) fn array_from<const N: usize>(value: &Value) -> Option<[f64; N]> {
    numbers_from(value)?.try_into().ok()
}

/// Returns numbers as a value.
pub(super) fn number_list(numbers: impl IntoIterator<Item = f64>) -> Value {
    Value::List(numbers.into_iter().map(Value::Float).collect())
}

/// Adds a property unless the name is empty.
pub(super) fn push_name(properties: &mut Properties, key: &str, name: &Name) {
    if !name.is_empty() {
        properties.push(key, name_text(name));
    }
}

/// Adds a property unless it is the default.
pub(super) fn push_number(properties: &mut Properties, key: &str, number: f64, default: f64) {
    if number.to_bits() != default.to_bits() {
        properties.push(key, number);
    }
}

/// Adds a property unless no flag is set.
pub(super) fn push_flags(properties: &mut Properties, key: &str, flags: u32) {
    if flags != 0 {
        properties.push(key, flags);
    }
}

/// Returns properties that are new or changed, and removed ones as `None`. Of several with one name the first counts.
pub(super) fn changes<'a>(before: &'a Properties, now: &'a Properties) -> Vec<(&'a str, Option<&'a Value>)> {
    let mut seen = HashSet::new();
    let set = now.iter().filter(|(key, value)| seen.insert(*key) && before.get(key) != Some(value));
    let mut changes: Vec<_> = set.map(|(key, value)| (key, Some(value))).collect();
    changes.extend(before.iter().filter(|(key, _)| seen.insert(*key)).map(|(key, _)| (key, None)));
    changes
}

/// Rounds to nine decimals, which removes the noise of a change of units.
pub(super) fn round_noise(number: f64) -> f64 {
    const STEPS: f64 = 1e9;
    if number.abs() < 1e6 { (number * STEPS).round() / STEPS } else { number }
}
