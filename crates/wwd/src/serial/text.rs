//! Bytes as data.

use std::borrow::Cow;

use mapwright_io::{escape_bytes, unescape_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::ImageSets;

/// Bytes of a string in an unknown code page, escaped.
#[derive(Debug, Clone, Default)]
pub(super) struct Text<'a>(pub(super) Cow<'a, [u8]>);

impl Text<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> From<&'a Vec<u8>> for Text<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes.into())
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape_bytes(&self.0))
    }
}

impl<'de> Deserialize<'de> for Text<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        unescape(&text).map(|bytes| Self(bytes.into()))
    }
}

/// Reads escaped bytes. A letter beyond ASCII has no bytes as long as the code page is unknown.
pub(super) fn unescape<E: de::Error>(text: &str) -> Result<Vec<u8>, E> {
    match text.chars().find(|letter| !letter.is_ascii()) {
        None => Ok(unescape_bytes(text)),
        Some(letter) => Err(E::custom(format_args!(
            "{letter:?} is not ASCII and the file does not name its code page: write the byte as \\xHH (in JSON \\\\xHH)"
        ))),
    }
}

impl Serialize for ImageSets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Text::from))
    }
}

impl<'de> Deserialize<'de> for ImageSets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut names = Self::new();
        for Text(name) in Vec::<Text<'_>>::deserialize(deserializer)? {
            names.push(&name).map_err(de::Error::custom)?;
        }
        Ok(names)
    }
}
