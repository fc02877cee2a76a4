//! Values of properties as texts.

use mapwright_scene::{Losses, Properties, Value};

use super::text::clean;
use crate::scene::conventions::format_number;

/// Keys with their values, in order.
pub(super) type Keys = Vec<(String, String)>;

/// Formats a value. Returns `None` for values that keys cannot store.
pub(super) fn format_value(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(flag) => u8::from(*flag).to_string(),
        Value::Int(whole) => whole.to_string(),
        Value::Float(float) => format_number(*float),
        Value::Text(text) => text.clone(),
        Value::List(items) => {
            let words = items.iter().map(|item| match item {
                Value::List(_) => None,
                item => format_value(item),
            });
            words.collect::<Option<Vec<_>>>()?.join(" ")
        }
        Value::Bytes(_) | Value::Map(_) => return None,
    })
}

/// Replaces characters that keys cannot store, and reports that.
pub(super) fn clean_text(text: &str, path: &str, losses: &mut Losses) -> String {
    let plain = clean(text);
    if plain != text {
        losses.approximated(path, "quotes and line ends in a text");
    }
    plain.into_owned()
}

/// Converts properties to keys.
pub(super) fn to_keys(properties: &Properties, path: &str, losses: &mut Losses) -> Keys {
    let mut keys = Vec::with_capacity(properties.len());
    for (key, value) in properties.iter() {
        let Some(text) = format_value(value).filter(|_| !key.is_empty()) else {
            losses.dropped(path, format!("property {key}: not a text"));
            continue;
        };
        keys.push((clean_text(key, path, losses), clean_text(&text, path, losses)));
    }
    keys
}
