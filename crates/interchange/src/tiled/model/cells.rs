//! Values and cells as they are in files.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::tiled) enum Raw {
    /// An unsupported value.
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// Members of a class; only read.
    Class(Vec<(String, Raw)>),
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Class(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a property")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Raw, E> {
        Ok(Raw::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Raw, E> {
        #[allow(clippy::cast_precision_loss)] // JSON has only one kind of number
        Ok(i64::try_from(number).map_or(Raw::Float(number as f64), Raw::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Raw, E> {
        Ok(Raw::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Raw::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
        let mut members = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            members.push(pair);
        }
        Ok(Raw::Class(members))
    }
}

/// The cells of a layer.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tiled) enum Data {
    /// Encoded cells.
    Text(String),
    /// Numbers, as in JSON and in the oldest form of XML.
    Gids(Vec<u32>),
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Gids(gids) => serializer.collect_seq(gids),
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cells of a layer")
    }

    fn visit_str<E>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Data, E> {
        Ok(Data::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Data, A::Error> {
        let mut gids = Vec::new();
        while let Some(gid) = items.next_element()? {
            gids.push(gid);
        }
        Ok(Data::Gids(gids))
    }
}
