//! Data of any section of a summary.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

/// A value as in JSON, with keys in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Named values.
    Map(Vec<(String, Self)>),
}

impl Data {
    /// Converts a section. Numbers that are not finite become [`Null`](Self::Null), as in JSON.
    pub(crate) fn from_serialize(section: &impl Serialize) -> Self {
        let json = serde_json::to_vec(section);
        // Sections have string keys and no other source of errors, and JSON of this crate can be read.
        json.and_then(|json| serde_json::from_slice(&json)).unwrap_or_else(|error| Self::Text(error.to_string()))
    }

    /// Returns a value of a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number, if the value is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// Returns the items of a list; none for any other value.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => flag.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DataVisitor;

        impl<'de> Visitor<'de> for DataVisitor {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Data, E> {
                Ok(Data::Null)
            }

            fn visit_bool<E>(self, flag: bool) -> Result<Data, E> {
                Ok(Data::Bool(flag))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Data, E> {
                Ok(Data::Number(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Data, E> {
                Ok(Data::Number(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Data, E> {
                Ok(serde_json::Number::from_f64(number).map_or(Data::Null, Data::Number))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Data, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Data::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Data, A::Error> {
                let mut map = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    map.push(entry);
                }
                Ok(Data::Map(map))
            }
        }

        deserializer.deserialize_any(DataVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_numbers_their_digits() {
        let json = r#"{"z":[1,-2,18446744073709551615,0.1],"a":{"text":"x","none":null},"b":true}"#;
        let data: Data = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&data).unwrap(), json);
        assert_eq!(data.get("a").and_then(|a| a.get("text")).and_then(Data::as_text), Some("x"));
        assert_eq!(data.get("z").unwrap().items()[3].as_f64(), Some(0.1));
    }
}
