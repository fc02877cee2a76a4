//! Bytes as data.

use std::borrow::Cow;
use std::fmt;

use mapwright_io::serial::Hex;
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes: a text if they are UTF-8, else `{"bytes": "hexadecimal digits"}`.
#[derive(Debug, Clone)]
pub(super) struct Bytes<'a>(pub(super) Cow<'a, [u8]>);

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes.into())
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &Hex(Cow::Borrowed(&self.0)))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BytesVisitor).map(|bytes| Self(bytes.into()))
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or {\"bytes\": \"hexadecimal digits\"}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.as_bytes().to_vec())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Vec<u8>, E> {
        Ok(text.into_bytes())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<u8>, A::Error> {
        match map.next_entry::<String, Hex<'_>>()? {
            Some((key, Hex(bytes))) if key == "bytes" && map.next_key::<String>()?.is_none() => Ok(bytes.into_owned()),
            _ => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }
}
