//! `extras`: free properties, and the metadata of this crate under the key `mapwright`.

use std::collections::{BTreeMap, BTreeSet};

pub(in crate::gltf) use mapwright_io::serial::Json;
use mapwright_scene::{Losses, Properties, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, ser::SerializeMap};

/// The key of the metadata.
const NOTE: &str = "mapwright";

/// Returns `true` if there is nothing to write.
pub(in crate::gltf) fn is_empty_json(json: &Json) -> bool {
    matches!(json, Json::Null) || matches!(json, Json::Map(pairs) if pairs.is_empty())
}

/// Converts properties to JSON. The second property with a name, numbers that are not finite, bytes, and values that are
/// nested too deep are lost.
pub(in crate::gltf) fn properties_to_json(properties: &Properties, path: &str, losses: &mut Losses) -> Json {
    let mut lost = Lost::default();
    let map = to_json_map(properties, None, 1, &mut lost);
    lost.report(path, losses);
    Json::Map(map)
}

/// Converts an object to properties. `null` is lost.
pub(in crate::gltf) fn json_to_properties(json: &Json, path: &str, losses: &mut Losses) -> Properties {
    let mut lost = Lost::default();
    let properties = match json {
        Json::Map(pairs) => {
            if pairs.iter().any(|(name, _)| name == NOTE) {
                losses.approximated(format!("{path}.{NOTE}"), "notes that this version does not know: now a property");
            }
            map_in(pairs, None, 1, &mut lost)
        }
        Json::Null => Properties::new(),
        other => value_in(other, None, 1, &mut lost).map(|value| ("extras", value)).into_iter().collect(),
    };
    lost.report(path, losses);
    properties
}

/// The names on the path to a value.
#[derive(Clone, Copy)]
struct Names<'n> {
    before: Option<&'n Names<'n>>,
    name: &'n str,
}

/// Losses of an object: the first path and the number for each reason. All paths together could be much larger than the text.
#[derive(Default)]
struct Lost(BTreeMap<&'static str, (String, usize)>);

impl Lost {
    fn add(&mut self, names: Option<&Names<'_>>, reason: &'static str) {
        let first = || {
            let mut all: Vec<&str> =
                std::iter::successors(names, |names| names.before).flat_map(|names| [names.name, "."]).collect();
            all.reverse();
            (all.concat(), 0)
        };
        self.0.entry(reason).or_insert_with(first).1 += 1;
    }

    fn report(self, path: &str, losses: &mut Losses) {
        for (reason, (place, count)) in self.0 {
            let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
            losses.dropped(format!("{path}{place}"), format!("{reason}{more}"));
        }
    }
}

fn to_json_map(
    properties: &Properties,
    before: Option<&Names<'_>>,
    depth: usize,
    lost: &mut Lost,
) -> Vec<(String, Json)> {
    let mut names = BTreeSet::new();
    let mut pairs = Vec::with_capacity(properties.len());
    for (name, value) in properties.iter() {
        let path = Names { before, name };
        if depth == 1 && name == NOTE {
            lost.add(Some(&path), "the name is that of the notes of this program");
        } else if !names.insert(name) {
            lost.add(Some(&path), "a JSON object has each name once");
        } else if let Some(value) = to_json_value(value, Some(&path), depth, lost) {
            pairs.push((name.to_owned(), value));
        }
    }
    pairs
}

fn to_json_value(value: &Value, path: Option<&Names<'_>>, depth: usize, lost: &mut Lost) -> Option<Json> {
    let reason = match value {
        _ if depth > Value::MAX_DEPTH => "nested too deep",
        Value::Bool(flag) => return Some(Json::Bool(*flag)),
        Value::Int(number) => return Some(Json::Int(*number)),
        Value::Float(number) if number.is_finite() => return Some(Json::Float(*number)),
        Value::Text(text) => return Some(Json::Text(text.clone())),
        Value::List(items) => {
            let items = items.iter().filter_map(|item| to_json_value(item, path, depth + 1, lost));
            return Some(Json::List(items.collect()));
        }
        Value::Map(map) => return Some(Json::Map(to_json_map(map, path, depth + 1, lost))),
        Value::Float(_) => "JSON has no infinite numbers",
        Value::Bytes(_) => "JSON has no bytes",
    };
    lost.add(path, reason);
    None
}

fn map_in(pairs: &[(String, Json)], before: Option<&Names<'_>>, depth: usize, lost: &mut Lost) -> Properties {
    let value = |(name, value): &(String, Json)| {
        Some((name.clone(), value_in(value, Some(&Names { before, name }), depth, lost)?))
    };
    pairs.iter().filter_map(value).collect()
}

fn value_in(value: &Json, path: Option<&Names<'_>>, depth: usize, lost: &mut Lost) -> Option<Value> {
    let reason = match value {
        _ if depth > Value::MAX_DEPTH => "nested too deep",
        Json::Bool(flag) => return Some(Value::Bool(*flag)),
        Json::Int(number) => return Some(Value::Int(*number)),
        #[allow(clippy::cast_precision_loss, reason = "JSON has only one kind of number")]
        Json::Large(number) => return Some(Value::Float(*number as f64)),
        Json::Float(number) => return Some(Value::Float(*number)),
        Json::Text(text) => return Some(Value::Text(text.clone())),
        Json::List(items) => {
            let items = items.iter().filter_map(|item| value_in(item, path, depth + 1, lost));
            return Some(Value::List(items.collect()));
        }
        Json::Map(pairs) => return Some(Value::Map(map_in(pairs, path, depth + 1, lost))),
        Json::Null => "a property without a value",
    };
    lost.add(path, reason);
    None
}

/// The `extras` of an object: free properties and metadata of type `N`.
#[derive(Debug, Clone)]
pub(in crate::gltf) struct Extras<N> {
    /// Properties, or any other value in documents of other programs.
    pub properties: Json,
    /// The metadata.
    pub note: Option<Box<N>>,
}

impl<N> Extras<N> {
    pub(in crate::gltf) fn is_empty(&self) -> bool {
        is_empty_json(&self.properties) && self.note.is_none()
    }

    /// Creates extras from properties and metadata, for writing.
    pub(in crate::gltf) fn new(properties: Json, note: Option<N>) -> Self {
        Self { properties, note: note.map(Box::new) }
    }
}

impl<N> Default for Extras<N> {
    fn default() -> Self {
        Self { properties: Json::Null, note: None }
    }
}

impl<N: Serialize> Serialize for Extras<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Json::Map(pairs) = &self.properties {
            pairs.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        }
        if let Some(note) = &self.note {
            map.serialize_entry(NOTE, note)?;
        }
        map.end()
    }
}

impl<'de, N: DeserializeOwned> Deserialize<'de> for Extras<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut properties = Json::deserialize(deserializer)?;
        let mut note = None;
        if let Json::Map(pairs) = &mut properties {
            pairs.retain(|(name, value)| {
                // Deserializers of structs also accept an array.
                let is_note = name == NOTE && matches!(value, Json::Map(_));
                let known = is_note.then(|| serde_json::to_value(value).and_then(serde_json::from_value));
                // Other programs and later versions may have other metadata, which becomes properties.
                let Some(Ok(known)) = known else { return true };
                note = Some(known);
                false
            });
        }
        Ok(Self { properties, note })
    }
}
