//! Values as JSON.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mapwright_io::serial::Json;
use mapwright_scene::Value;

use crate::cells::decode_base64;

const BYTES: &str = "$bytes";
const FLOAT: &str = "$float";

/// Encodes a value as JSON after `=`.
pub(super) fn encode(value: &Value) -> String {
    let json = serde_json::to_string(&to_json(value)).unwrap_or_default();
    let mut text = String::with_capacity(json.len().saturating_add(1));
    text.push('=');
    for c in json.chars() {
        if is_escaped(c) {
            // Writing to a string never fails.
            let _ = fmt::Write::write_fmt(&mut text, format_args!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text
}

/// Decodes such text. Returns `None` for other text.
pub(super) fn parse(text: &str) -> Option<Value> {
    let value = from_json(serde_json::from_str(text.strip_prefix('=')?).ok()?)?;
    (!is_too_deep(&value)).then_some(value)
}

/// Returns `true` if the value is nested too deep.
pub(super) fn is_too_deep(value: &Value) -> bool {
    let mut stack = vec![(value, 1)];
    while let Some((value, depth)) = stack.pop() {
        if depth > Value::MAX_DEPTH {
            return true;
        }
        match value {
            Value::List(items) => stack.extend(items.iter().map(|item| (item, depth.saturating_add(1)))),
            Value::Map(map) => stack.extend(map.iter().map(|(_, item)| (item, depth.saturating_add(1)))),
            _ => {}
        }
    }
    false
}

/// Returns `true` for characters that are written as escapes. JSON allows them, but XML does not.
pub(super) fn is_escaped(c: char) -> bool {
    c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn to_json(value: &Value) -> Json {
    let tagged = |tag: &str, text| Json::Map(vec![(tag.to_owned(), Json::Text(text))]);
    match value {
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::Int(*number),
        Value::Float(number) if number.is_finite() => Json::Float(*number),
        Value::Float(number) => tagged(FLOAT, number.to_string()),
        Value::Text(text) => Json::Text(text.clone()),
        Value::Bytes(bytes) => tagged(BYTES, BASE64_STANDARD.encode(bytes)),
        Value::List(items) => Json::List(items.iter().map(to_json).collect()),
        Value::Map(map) => {
            let sign = |name: &str| if name.starts_with('$') { "$" } else { "" };
            Json::Map(map.iter().map(|(name, value)| (format!("{}{name}", sign(name)), to_json(value))).collect())
        }
    }
}

fn from_json(json: Json) -> Option<Value> {
    Some(match json {
        Json::Null | Json::Large(_) => return None,
        Json::Bool(flag) => Value::Bool(flag),
        Json::Int(number) => Value::Int(number),
        Json::Float(number) => Value::Float(number),
        Json::Text(text) => Value::Text(text),
        Json::List(items) => Value::List(items.into_iter().map(from_json).collect::<Option<_>>()?),
        Json::Map(pairs) => match &pairs[..] {
            [(name, Json::Text(text))] if name == BYTES => Value::Bytes(decode_base64(text)?),
            [(name, Json::Text(text))] if name == FLOAT => Value::Float(text.parse().ok()?),
            _ => {
                let name = |name: String| name.strip_prefix('$').unwrap_or(&name).to_owned();
                let pairs = pairs.into_iter().map(|(key, value)| Some((name(key), from_json(value)?)));
                Value::Map(pairs.collect::<Option<_>>()?)
            }
        },
    })
}
