//! Values of attributes from data, whose type may follow them. References and special values are maps with one field.

use mapwright_io::serial::{Json, hex};
use serde::de::value::{Error, StrDeserializer};

use crate::{ElementId, Guid, Reference, Strings, Value};

/// Converts data to a value of a type, such as `int` or `int_array`.
pub(super) fn to_value(json: &Json, kind: &str, strings: &mut Strings) -> Option<Value> {
    macro_rules! typed {
        ($one:ident $array:ident $read:expr) => {
            match kind.strip_suffix("_array") {
                Some(_) => Value::$array(list(json)?.iter().map($read).collect::<Option<_>>()?),
                None => Value::$one($read(json)?),
            }
        };
    }
    Some(match kind.strip_suffix("_array").unwrap_or(kind) {
        "element" => typed!(Element ElementArray |item| reference(item, strings)),
        "int" => typed!(Int IntArray int),
        "float" => typed!(Float FloatArray float),
        "bool" => typed!(Bool BoolArray truth),
        "string" => typed!(String StringArray |item| Some(strings.intern(&bytes(item)?))),
        "binary" => typed!(Binary BinaryArray |item| hex_bytes(item).map(Vec::into_boxed_slice)),
        "time" => typed!(Time TimeArray int),
        "elementid" => typed!(ObjectId ObjectIdArray |item| Guid::from_text(text(item)?.as_bytes()).ok()),
        "color" => typed!(Color ColorArray |item| row(item, byte)),
        "vector2" => typed!(Vector2 Vector2Array |item| row(item, float)),
        "vector3" => typed!(Vector3 Vector3Array |item| row(item, float)),
        "vector4" => typed!(Vector4 Vector4Array |item| row(item, float)),
        "qangle" => typed!(QAngle QAngleArray |item| row(item, float)),
        "quaternion" => typed!(Quaternion QuaternionArray |item| row(item, float)),
        "matrix" if kind == "matrix" => Value::Matrix(Box::new(row(json, float)?)),
        "matrix" => Value::MatrixArray(list(json)?.iter().map(|item| row(item, float)).collect::<Option<_>>()?),
        "uint64" => typed!(UInt64 UInt64Array large),
        "uint8" => typed!(UInt8 UInt8Array byte),
        _ => return None,
    })
}

fn list(json: &Json) -> Option<&[Json]> {
    if let Json::List(list) = json { Some(list) } else { None }
}

fn text(json: &Json) -> Option<&str> {
    if let Json::Text(text) = json { Some(text) } else { None }
}

fn field<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    match json {
        Json::Map(pairs) => match &pairs[..] {
            [(key, value)] => (key == name).then_some(value),
            _ => None,
        },
        _ => None,
    }
}

fn whole(json: &Json) -> Option<i64> {
    if let Json::Int(number) = json { Some(*number) } else { None }
}

fn int(json: &Json) -> Option<i32> {
    whole(json)?.try_into().ok()
}

fn byte(json: &Json) -> Option<u8> {
    whole(json)?.try_into().ok()
}

fn truth(json: &Json) -> Option<u8> {
    if let Json::Bool(value) = json { Some((*value).into()) } else { byte(json) }
}

fn large(json: &Json) -> Option<u64> {
    u64::from_str_radix(text(json)?.strip_prefix("0x")?, 16).ok()
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "floats have 24 bits")]
fn float(json: &Json) -> Option<f32> {
    match json {
        Json::Int(number) => Some(*number as f64 as f32),
        Json::Large(number) => Some(*number as f64 as f32),
        Json::Float(number) => Some(*number as f32),
        other => u32::from_str_radix(text(field(other, "bits")?)?, 16).ok().map(f32::from_bits),
    }
}

fn row<T, const N: usize>(json: &Json, item: impl Fn(&Json) -> Option<T>) -> Option<[T; N]> {
    let items: Vec<T> = list(json)?.iter().map(item).collect::<Option<_>>()?;
    items.try_into().ok()
}

fn reference(json: &Json, strings: &mut Strings) -> Option<Reference> {
    Some(match json {
        Json::Null => Reference::Null,
        Json::Int(index) => Reference::Element(ElementId(u32::try_from(*index).ok()?)),
        other => Reference::External(strings.intern(&bytes(field(other, "external")?)?)),
    })
}

fn bytes(json: &Json) -> Option<Vec<u8>> {
    into_bytes(json.clone())
}

/// Converts a string, or a map with hexadecimal digits, to bytes.
pub(super) fn into_bytes(json: Json) -> Option<Vec<u8>> {
    match json {
        Json::Text(text) => Some(text.into_bytes()),
        other => hex_bytes(field(&other, "bytes")?),
    }
}

fn hex_bytes(json: &Json) -> Option<Vec<u8>> {
    hex::deserialize(StrDeserializer::<Error>::new(text(json)?)).ok()
}
