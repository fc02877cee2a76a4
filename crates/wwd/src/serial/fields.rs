//! Records as data.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text::{Text, unescape};
use crate::document::record::Record;
use crate::{FieldError, FieldValue, Rect};

/// The fields of a record that are not 0 and not empty.
///
/// A record as data can be two bytes, `{}`, where the record itself takes hundreds: it is built only when the limits are known.
#[derive(Debug, Clone)]
pub(super) struct Fields<R> {
    values: Vec<(&'static str, FieldValue)>,
    record: PhantomData<R>,
}

impl<R: Record> Fields<R> {
    pub(super) fn from_record(record: &R) -> Self {
        let field = |name: &&'static str| Some((*name, record.value(name).filter(is_set)?));
        Self { values: R::FIELDS.iter().filter_map(field).collect(), record: PhantomData }
    }

    /// Sets the fields of a record.
    pub(super) fn apply_to(self, record: &mut R) -> Result<(), FieldError> {
        self.values.into_iter().try_for_each(|(name, value)| record.set(name, value))
    }
}

fn is_set(value: &FieldValue) -> bool {
    match value {
        FieldValue::Word(word) => *word != 0,
        FieldValue::Int(number) => *number != 0,
        FieldValue::Rect(rect) => *rect != Rect::default(),
        FieldValue::Text(text) => !text.is_empty(),
    }
}

impl<R> Serialize for Fields<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.values.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, R: Record> Deserialize<'de> for Fields<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor(PhantomData))
    }
}

struct FieldsVisitor<R>(PhantomData<R>);

impl<'de, R: Record> Visitor<'de> for FieldsVisitor<R> {
    type Value = Fields<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields of a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<R>, A::Error> {
        let mut values = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let Some(field) = R::FIELDS.iter().find(|field| **field == name) else {
                return Err(de::Error::custom(FieldError::Unknown { name }));
            };
            values.push((*field, map.next_value()?));
        }
        Ok(Fields { values, record: PhantomData })
    }
}

/// Records that serialize one at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Records<'a, R>(pub(super) &'a [R]);

impl<R: Record> Serialize for Records<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Fields::from_record))
    }
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(word) => serializer.serialize_u32(*word),
            Self::Int(number) => serializer.serialize_i32(*number),
            Self::Rect(rect) => <[i32; 4]>::from(*rect).serialize(serializer),
            Self::Text(text) => Text::from(text).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FieldValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = FieldValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of 32 bits, a string, or [left, top, right, bottom]")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<FieldValue, E> {
        let signed = i32::try_from(number).map(FieldValue::Int);
        let value = signed.or_else(|_| u32::try_from(number).map(FieldValue::Word));
        value.map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<FieldValue, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<FieldValue, E> {
        unescape(text).map(FieldValue::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<FieldValue, A::Error> {
        let sides = <[i32; 4]>::deserialize(de::value::SeqAccessDeserializer::new(items))?;
        Ok(FieldValue::Rect(sides.into()))
    }
}
