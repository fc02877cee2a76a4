//! Bytes as data.

use std::borrow::Cow;

use mapwright_io::serial::{Hex, Json};
use serde::de;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json::into_bytes;

/// Bytes: a string if they are UTF-8, else `{"bytes": "hexadecimal digits"}`.
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
        let bytes = into_bytes(Json::deserialize(deserializer)?);
        let invalid = "invalid value: expected a string, or {\"bytes\": \"hexadecimal digits\"}";
        bytes.map(|bytes| Self(bytes.into())).ok_or_else(|| de::Error::custom(invalid))
    }
}
