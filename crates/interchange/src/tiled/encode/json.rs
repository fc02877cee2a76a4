//! Values as JSON.

use std::fmt;

use mapwright_scene::{Properties, Value};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
    ser::SerializeMap,
};

use crate::base64;

const BYTES: &str = "$bytes";
const FLOAT: &str = "$float";

/// Encodes a value as JSON after `=`.
pub(super) fn encode(value: &Value) -> String {
    let json = serde_json::to_string(&Out(value)).unwrap_or_default();
    // JSON allows these characters, but XML does not.
    let mut text = String::with_capacity(json.len() + 1);
    text.push('=');
    for c in json.chars() {
        if super::is_no_character(c) || c.is_control() {
            // Writing to a string never fails.
            let _ = fmt::Write::write_fmt(&mut text, format_args!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text
}

/// Decodes such a text. Returns `None` for other text.
pub(super) fn parse(text: &str) -> Option<Value> {
    let value = serde_json::from_str::<In>(text.strip_prefix('=')?).ok()?.0;
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
            Value::List(items) => stack.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Map(map) => stack.extend(map.iter().map(|(_, item)| (item, depth + 1))),
            _ => {}
        }
    }
    false
}

struct Out<'a>(&'a Value);

impl Serialize for Out<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tagged = |serializer: S, tag, text: &str| {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(tag, text)?;
            map.end()
        };
        match self.0 {
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Float(number) => tagged(serializer, FLOAT, &number.to_string()),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => tagged(serializer, BYTES, &base64::encode(bytes)),
            Value::List(items) => serializer.collect_seq(items.iter().map(Out)),
            Value::Map(map) => {
                let mut out = serializer.serialize_map(Some(map.len()))?;
                for (name, value) in map.iter() {
                    let sign = if name.starts_with('$') { "$" } else { "" };
                    out.serialize_entry(&format!("{sign}{name}"), &Out(value))?;
                }
                out.end()
            }
        }
    }
}

struct In(Value);

impl<'de> Deserialize<'de> for In {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InVisitor)
    }
}

struct InVisitor;

impl<'de> Visitor<'de> for InVisitor {
    type Value = In;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<In, E> {
        Ok(In(Value::Bool(flag)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<In, E> {
        Ok(In(Value::Int(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<In, E> {
        i64::try_from(number).map(|number| In(Value::Int(number))).map_err(E::custom)
    }

    fn visit_f64<E>(self, number: f64) -> Result<In, E> {
        Ok(In(Value::Float(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<In, E> {
        Ok(In(Value::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<In, A::Error> {
        let mut list = Vec::new();
        while let Some(In(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(In(Value::List(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<In, A::Error> {
        let mut map = Properties::new();
        while let Some((name, In(value))) = pairs.next_entry::<String, In>()? {
            match (name.as_str(), &value) {
                (BYTES, Value::Text(text)) => {
                    let bytes = base64::decode(text.as_bytes()).ok_or_else(|| A::Error::custom("no base64"))?;
                    return Ok(In(Value::Bytes(bytes)));
                }
                (FLOAT, Value::Text(text)) => {
                    return text.parse().map(|f| In(Value::Float(f))).map_err(A::Error::custom);
                }
                _ => map.push(name.strip_prefix('$').map_or_else(|| name.clone(), str::to_owned), value),
            }
        }
        Ok(In(Value::Map(map)))
    }
}
