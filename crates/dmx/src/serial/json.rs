//! Values of attributes from data, whose type may follow them.

use std::fmt;

use mapwright_io::serial::hex;
use serde::de::value::StrDeserializer;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::{ElementId, Guid, Reference, Strings, Value};

/// A value before its type is known. Objects of values have one field.
#[derive(Debug, Clone)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Field(Box<(String, Json)>),
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
        f.write_str("a value of an attribute")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Int(number))
    }

    #[expect(clippy::cast_precision_loss, reason = "whole numbers of attributes are smaller, floats have fewer bits")]
    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or(Json::Float(number as f64), Json::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        match map.next_entry()? {
            Some(field) if map.next_key::<String>()?.is_none() => Ok(Json::Field(Box::new(field))),
            _ => {
                Err(de::Error::custom("invalid value: expected at most one field, \"bits\", \"bytes\" or \"external\""))
            }
        }
    }
}

impl Json {
    /// Turns this into a value of a type, as `int` or `int_array`.
    pub(super) fn to_value(&self, kind: &str, strings: &mut Strings) -> Option<Value> {
        macro_rules! typed {
            ($one:ident $array:ident $read:expr) => {
                match kind.strip_suffix("_array") {
                    Some(_) => Value::$array(self.list()?.iter().map($read).collect::<Option<_>>()?),
                    None => Value::$one($read(self)?),
                }
            };
        }
        Some(match kind.strip_suffix("_array").unwrap_or(kind) {
            "element" => typed!(Element ElementArray |item: &Self| item.reference(strings)),
            "int" => typed!(Int IntArray Self::int),
            "float" => typed!(Float FloatArray Self::float),
            "bool" => typed!(Bool BoolArray Self::truth),
            "string" => typed!(String StringArray |item: &Self| Some(strings.intern(&item.bytes()?))),
            "binary" => typed!(Binary BinaryArray |item: &Self| item.hex().map(Vec::into_boxed_slice)),
            "time" => typed!(Time TimeArray Self::int),
            "elementid" => typed!(ObjectId ObjectIdArray |item: &Self| Guid::from_text(item.text()?.as_bytes()).ok()),
            "color" => typed!(Color ColorArray |item: &Self| item.row(Self::byte)),
            "vector2" => typed!(Vector2 Vector2Array |item: &Self| item.row(Self::float)),
            "vector3" => typed!(Vector3 Vector3Array |item: &Self| item.row(Self::float)),
            "vector4" => typed!(Vector4 Vector4Array |item: &Self| item.row(Self::float)),
            "qangle" => typed!(QAngle QAngleArray |item: &Self| item.row(Self::float)),
            "quaternion" => typed!(Quaternion QuaternionArray |item: &Self| item.row(Self::float)),
            "matrix" if kind == "matrix" => Value::Matrix(Box::new(self.row(Self::float)?)),
            "matrix" => {
                Value::MatrixArray(self.list()?.iter().map(|item| item.row(Self::float)).collect::<Option<_>>()?)
            }
            "uint64" => typed!(UInt64 UInt64Array Self::large),
            "uint8" => typed!(UInt8 UInt8Array Self::byte),
            _ => return None,
        })
    }

    fn list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn field(&self, name: &str) -> Option<&Self> {
        if let Self::Field(field) = self { (field.0 == name).then_some(&field.1) } else { None }
    }

    fn whole(&self) -> Option<i64> {
        if let Self::Int(number) = self { Some(*number) } else { None }
    }

    fn int(&self) -> Option<i32> {
        self.whole()?.try_into().ok()
    }

    fn byte(&self) -> Option<u8> {
        self.whole()?.try_into().ok()
    }

    fn truth(&self) -> Option<u8> {
        if let Self::Bool(value) = self { Some((*value).into()) } else { self.byte() }
    }

    fn large(&self) -> Option<u64> {
        u64::from_str_radix(self.text()?.strip_prefix("0x")?, 16).ok()
    }

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "floats have 24 bits")]
    fn float(&self) -> Option<f32> {
        match self {
            Self::Int(number) => Some(*number as f64 as f32),
            Self::Float(number) => Some(*number as f32),
            other => u32::from_str_radix(other.field("bits")?.text()?, 16).ok().map(f32::from_bits),
        }
    }

    fn row<T, const N: usize>(&self, item: impl Fn(&Self) -> Option<T>) -> Option<[T; N]> {
        let items: Vec<T> = self.list()?.iter().map(item).collect::<Option<_>>()?;
        items.try_into().ok()
    }

    fn reference(&self, strings: &mut Strings) -> Option<Reference> {
        Some(match self {
            Self::Null => Reference::Null,
            Self::Int(index) => Reference::Element(ElementId(u32::try_from(*index).ok()?)),
            other => Reference::External(strings.intern(&other.field("external")?.bytes()?)),
        })
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.as_bytes().to_vec()),
            other => other.field("bytes")?.hex(),
        }
    }

    fn hex(&self) -> Option<Vec<u8>> {
        hex::deserialize(StrDeserializer::<de::value::Error>::new(self.text()?)).ok()
    }
}
