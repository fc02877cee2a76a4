//! `extras`: free properties, and the metadata of this crate under the key `mapwright`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    marker::PhantomData,
};

use mapwright_scene::{Losses, Properties, Value};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, MapAccess, SeqAccess, Visitor},
    ser::{SerializeMap, SerializeSeq},
};

/// The key of the metadata.
const NOTE: &str = "mapwright";

/// A JSON value with objects in the order of the file. `serde_json` limits the nesting depth.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::gltf) enum Json {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    /// Returns `true` if there is nothing to write.
    pub(in crate::gltf) fn is_empty(&self) -> bool {
        matches!(self, Self::Null) || matches!(self, Self::Map(pairs) if pairs.is_empty())
    }

    /// Converts properties to JSON. The second property with a name, numbers that are not finite, bytes, and values that are
    /// nested too deep are lost.
    pub(in crate::gltf) fn from_properties(properties: &Properties, path: &str, losses: &mut Losses) -> Self {
        let mut lost = Lost::default();
        let map = map_out(properties, None, 1, &mut lost);
        lost.report(path, losses);
        Self::Map(map)
    }

    /// Converts an object to properties. `null` is lost.
    pub(in crate::gltf) fn to_properties(&self, path: &str, losses: &mut Losses) -> Properties {
        let mut lost = Lost::default();
        let properties = match self {
            Self::Map(pairs) => {
                if pairs.iter().any(|(name, _)| name == NOTE) {
                    losses.approximated(
                        format!("{path}.{NOTE}"),
                        "notes that this version does not know: now a property",
                    );
                }
                map_in(pairs, None, 1, &mut lost)
            }
            Self::Null => Properties::new(),
            other => value_in(other, None, 1, &mut lost).map(|value| ("extras", value)).into_iter().collect(),
        };
        lost.report(path, losses);
        properties
    }
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

fn map_out(properties: &Properties, before: Option<&Names<'_>>, depth: usize, lost: &mut Lost) -> Vec<(String, Json)> {
    let mut names = BTreeSet::new();
    let mut pairs = Vec::with_capacity(properties.len());
    for (name, value) in properties.iter() {
        let path = Names { before, name };
        if depth == 1 && name == NOTE {
            lost.add(Some(&path), "the name is that of the notes of this program");
        } else if !names.insert(name) {
            lost.add(Some(&path), "a JSON object has each name once");
        } else if let Some(value) = value_out(value, Some(&path), depth, lost) {
            pairs.push((name.to_owned(), value));
        }
    }
    pairs
}

fn value_out(value: &Value, path: Option<&Names<'_>>, depth: usize, lost: &mut Lost) -> Option<Json> {
    let reason = match value {
        _ if depth > Value::MAX_DEPTH => "nested too deep",
        Value::Bool(flag) => return Some(Json::Bool(*flag)),
        Value::Int(number) => return Some(Json::Int(*number)),
        Value::Float(number) if number.is_finite() => return Some(Json::Float(*number)),
        Value::Text(text) => return Some(Json::Text(text.clone())),
        Value::List(items) => {
            let items = items.iter().filter_map(|item| value_out(item, path, depth + 1, lost));
            return Some(Json::List(items.collect()));
        }
        Value::Map(map) => return Some(Json::Map(map_out(map, path, depth + 1, lost))),
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

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Map(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                pairs.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        #[allow(clippy::cast_precision_loss)] // JSON has only one kind of number
        Ok(i64::try_from(number).map_or(Json::Float(number as f64), Json::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Json, A::Error> {
        let mut map = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            map.push(pair);
        }
        Ok(Json::Map(map))
    }
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
        self.properties.is_empty() && self.note.is_none()
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
        deserializer.deserialize_any(ExtrasVisitor(PhantomData))
    }
}

struct ExtrasVisitor<N>(PhantomData<N>);

impl<'de, N: DeserializeOwned> Visitor<'de> for ExtrasVisitor<N> {
    type Value = Extras<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Extras<N>, E> {
        Ok(Extras::default())
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Extras<N>, E> {
        Ok(Extras::new(Json::Bool(flag), None))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Extras<N>, E> {
        Ok(Extras::new(Json::Int(number), None))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Extras<N>, E> {
        JsonVisitor.visit_u64(number).map(|number| Extras::new(number, None))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Extras<N>, E> {
        Ok(Extras::new(Json::Float(number), None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Extras<N>, E> {
        Ok(Extras::new(Json::Text(text.to_owned()), None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Extras<N>, A::Error> {
        Ok(Extras::new(JsonVisitor.visit_seq(items)?, None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Extras<N>, A::Error> {
        let mut map = Vec::new();
        let mut note = None;
        while let Some(name) = pairs.next_key::<String>()? {
            if name == NOTE {
                // Other programs and later versions may have other metadata, which becomes properties.
                let value: serde_json::Value = pairs.next_value()?;
                // Deserializers of structs also accept an array.
                match value.is_object().then(|| N::deserialize(&value)) {
                    Some(Ok(known)) => note = Some(known),
                    _ => map.push((name, Json::deserialize(value).map_err(serde::de::Error::custom)?)),
                }
            } else {
                map.push((name, pairs.next_value()?));
            }
        }
        Ok(Extras::new(Json::Map(map), note))
    }
}
