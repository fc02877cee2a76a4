//! Attributes as data.

use std::borrow::Cow;

use mapwright_io::serial::{Hex, survives_as_double};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::bytes::Bytes;
use crate::{Attribute, Document, Item, Reference, Value};

/// Attributes of a document.
pub(super) struct Attributes<'a> {
    document: &'a Document,
    list: &'a [Attribute],
}

impl<'a> Attributes<'a> {
    pub(super) fn new(document: &'a Document, list: &'a [Attribute]) -> Self {
        Self { document, list }
    }
}

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = self.document;
        serializer.collect_seq(self.list.iter().map(|attribute| OneAttribute { document, attribute }))
    }
}

struct OneAttribute<'a> {
    document: &'a Document,
    attribute: &'a Attribute,
}

impl Serialize for OneAttribute<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { document, attribute: Attribute { name, value } } = *self;
        let array = if value.array_len().is_some() { "_array" } else { "" };
        let mut fields = serializer.serialize_struct("Attribute", 3)?;
        fields.serialize_field("name", &Bytes::from(document.string(*name)))?;
        fields.serialize_field("type", &format_args!("{}{array}", value.value_type().name()))?;
        fields.serialize_field("value", &OneValue { document, value })?;
        fields.end()
    }
}

struct OneValue<'a> {
    document: &'a Document,
    value: &'a Value,
}

impl Serialize for OneValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { document, value } = *self;
        match value.item(0) {
            Some(item) if value.array_len().is_none() => OneItem { document, item }.serialize(serializer),
            _ => serializer.collect_seq(value.items().map(|item| OneItem { document, item })),
        }
    }
}

struct OneItem<'a> {
    document: &'a Document,
    item: Item<'a>,
}

impl Serialize for OneItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.item {
            Item::Element(Reference::Null) => serializer.serialize_unit(),
            Item::Element(Reference::Element(id)) => serializer.serialize_u32(id.0),
            Item::Element(Reference::External(id)) => {
                one_entry(serializer, "external", &Bytes::from(self.document.string(*id)))
            }
            Item::Int(number) | Item::Time(number) => serializer.serialize_i32(*number),
            Item::Float(number) => Float(*number).serialize(serializer),
            Item::Bool(byte @ (0 | 1)) => serializer.serialize_bool(*byte == 1),
            Item::Bool(byte) | Item::UInt8(byte) => serializer.serialize_u8(*byte),
            Item::String(id) => Bytes::from(self.document.string(*id)).serialize(serializer),
            Item::Binary(bytes) => Hex(Cow::Borrowed(bytes)).serialize(serializer),
            Item::ObjectId(id) => id.serialize(serializer),
            Item::Color(color) => color.serialize(serializer),
            Item::Vector2(row) => floats(serializer, row),
            Item::Vector3(row) | Item::QAngle(row) => floats(serializer, row),
            Item::Vector4(row) | Item::Quaternion(row) => floats(serializer, row),
            Item::Matrix(rows) => floats(serializer, rows),
            Item::UInt64(number) => serializer.collect_str(&format_args!("{number:#x}")),
        }
    }
}

fn floats<S: Serializer>(serializer: S, row: &[f32]) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(row.iter().copied().map(Float))
}

struct Float(f32);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if survives_as_double(self.0) {
            return serializer.serialize_f32(self.0);
        }
        one_entry(serializer, "bits", &format_args!("{:08x}", self.0.to_bits()))
    }
}

fn one_entry<S: Serializer>(serializer: S, key: &str, value: &impl Serialize) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}
