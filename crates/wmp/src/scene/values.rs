//! Properties of scenes and fields of files.

use hashbrown::HashSet;
use mapwright_io::{escape_bytes, unescape_bytes};
use mapwright_scene::{Properties, Value};

use crate::Name;

/// The text of a name.
pub(super) fn text(name: &Name) -> String {
    escape_bytes(name.as_bytes())
}

/// The name of a text. Line breaks would end it in a file, and blanks at its ends would be lost.
pub(super) fn unspelled(text: &str) -> Name {
    let mut bytes = unescape_bytes(text);
    bytes.iter_mut().filter(|byte| byte.is_ascii_control()).for_each(|byte| *byte = b'_');
    bytes.trim_ascii().into()
}

/// A name, however a program spells it.
pub(super) fn name(value: &Value) -> Option<Name> {
    match value {
        Value::Text(text) => Some(unspelled(text)),
        Value::Bytes(bytes) => Some(bytes.as_slice().into()),
        Value::Bool(flag) => Some(flag.to_string().as_str().into()),
        Value::Int(number) => Some(number.to_string().as_str().into()),
        Value::Float(number) => Some(number.to_string().as_str().into()),
        Value::List(_) | Value::Map(_) => None,
    }
}

/// A number, however a program spells it.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Text(text) => text.trim().parse().ok(),
        _ => value.as_f64(),
    }
}

/// A word of flags.
pub(super) fn word(value: &Value) -> Option<u32> {
    match value {
        Value::Int(number) => u32::try_from(*number).ok(),
        _ => {
            let number = number(value)?;
            let whole = number.fract() == 0.0 && number >= 0.0 && number <= f64::from(u32::MAX);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and in range")]
            let word = whole.then_some(number as u32);
            word
        }
    }
}

/// A list of numbers.
pub(super) fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(values) => values.iter().map(number).collect(),
        _ => None,
    }
}

/// So many numbers.
pub(super) fn array<const N: usize>(value: &Value) -> Option<[f64; N]> {
    numbers(value)?.try_into().ok()
}

/// A list of numbers as a value.
pub(super) fn list(numbers: impl IntoIterator<Item = f64>) -> Value {
    Value::List(numbers.into_iter().map(Value::Float).collect())
}

/// Adds a property, unless it says nothing.
pub(super) fn push_name(properties: &mut Properties, key: &str, name: &Name) {
    if !name.is_empty() {
        properties.push(key, text(name));
    }
}

/// Adds a property, unless it is the usual.
pub(super) fn push_number(properties: &mut Properties, key: &str, number: f64, usual: f64) {
    if number.to_bits() != usual.to_bits() {
        properties.push(key, number);
    }
}

/// Adds a property, unless no bit is set.
pub(super) fn push_word(properties: &mut Properties, key: &str, word: u32) {
    if word != 0 {
        properties.push(key, word);
    }
}

/// What properties say now and did not say before, and what they do not say any more. The first of a name counts.
pub(super) fn changes<'a>(before: &'a Properties, now: &'a Properties) -> Vec<(&'a str, Option<&'a Value>)> {
    let mut seen = HashSet::new();
    let said = now.iter().filter(|(key, value)| seen.insert(*key) && before.get(key) != Some(value));
    let mut changes: Vec<_> = said.map(|(key, value)| (key, Some(value))).collect();
    changes.extend(before.iter().filter(|(key, _)| seen.insert(*key)).map(|(key, _)| (key, None)));
    changes
}

/// A number without the noise of a change of units: rounded to nine decimals.
pub(super) fn neat(number: f64) -> f64 {
    const STEPS: f64 = 1e9;
    if number.abs() < 1e6 { (number * STEPS).round() / STEPS } else { number }
}
