//! Converts values of properties to values of attributes.

use mapwright_dmx::{ElementId, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::Properties;

use super::super::conventions::narrow;
use super::super::names::{CLASS, MAX_DEPTH, NAME, PLAIN_CLASS};
use crate::Editor;
use crate::schema::Class;

/// Converts the value of a property. Keeps the type of `like` if it can store the value; otherwise chooses a type that reads back as
/// the same value. `None` if there is none.
pub(super) fn to_attribute_value(
    editor: &mut Editor<'_>,
    value: &scene::Value,
    like: Option<&Value>,
    depth: usize,
) -> Option<Value> {
    use scene::Value as V;
    if has_nul(value) {
        return None;
    }
    if let Some(like) = like
        && let Some(value) = to_type_of(editor, value, like)
    {
        return Some(value);
    }
    Some(match value {
        V::Bool(flag) => Value::Bool(u8::from(*flag)),
        V::Int(number) => i32::try_from(*number).map_or_else(|_| Value::UInt64(number.cast_unsigned()), Value::Int),
        V::Float(number) => Value::Float(narrow(*number)),
        V::Text(text) => editor.graph_mut().string_value(text),
        V::Bytes(bytes) => Value::Binary(bytes.as_slice().into()),
        V::Map(map) => Value::Element(Reference::Element(element(editor, map, depth)?)),
        V::List(items) => list(editor, items, depth)?,
    })
}

/// Returns `true` if a string of the value contains a zero byte, which ends strings in binary files.
fn has_nul(value: &scene::Value) -> bool {
    match value {
        scene::Value::Text(text) => text.contains('\0'),
        scene::Value::List(items) => items.iter().any(|item| item.as_text().is_some_and(|text| text.contains('\0'))),
        _ => false,
    }
}

fn list(editor: &mut Editor<'_>, items: &[scene::Value], depth: usize) -> Option<Value> {
    use scene::Value as V;
    if let Some(texts) = convert_all(items, V::as_text) {
        return Some(editor.graph_mut().string_array(texts));
    }
    if let Some(flags) = convert_all(items, V::as_bool) {
        return Some(Value::BoolArray(flags.into_iter().map(u8::from).collect()));
    }
    if let Some(numbers) = convert_all(items, V::as_int) {
        let small: Option<Box<[i32]>> = numbers.iter().map(|&number| i32::try_from(number).ok()).collect();
        return Some(small.map_or_else(
            || Value::UInt64Array(numbers.iter().map(|number| number.cast_unsigned()).collect()),
            Value::IntArray,
        ));
    }
    if let Some(numbers) = convert_all(items, |item| if let V::Float(number) = item { Some(*number) } else { None }) {
        return Some(Value::FloatArray(numbers.into_iter().map(narrow).collect()));
    }
    if let Some(bytes) = convert_all(items, |item| if let V::Bytes(bytes) = item { Some(bytes) } else { None }) {
        return Some(Value::BinaryArray(bytes.into_iter().map(|bytes| bytes.as_slice().into()).collect()));
    }
    let maps = convert_all(items, |item| if let V::Map(map) = item { Some(map) } else { None })?;
    let ids: Option<Box<[Reference]>> =
        maps.into_iter().map(|map| Some(Reference::Element(element(editor, map, depth)?))).collect();
    Some(Value::ElementArray(ids?))
}

/// Converts all items; `None` if one has another kind.
fn convert_all<'a, T>(items: &'a [scene::Value], one: impl Fn(&'a scene::Value) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(one).collect()
}

/// Adds an element with the given attributes.
fn element(editor: &mut Editor<'_>, map: &Properties, depth: usize) -> Option<ElementId> {
    let nul = |text: &str| text.contains('\0');
    let has_nul = map.iter().any(|(name, value)| nul(name) || value.as_text().is_some_and(nul));
    if depth >= MAX_DEPTH || has_nul {
        return None;
    }
    let named = |name| map.get(name).and_then(scene::Value::as_text);
    let guid = editor.new_guid();
    let id = editor.graph_mut().push(named(CLASS).unwrap_or(PLAIN_CLASS), named(NAME).unwrap_or_default(), guid);
    // If the conversion fails below, nothing refers to the element and it must go. If it succeeds, this has no effect.
    editor.discard(id);
    for (name, value) in map.iter().filter(|(name, _)| ![CLASS, NAME].contains(name)) {
        let like = typed_empty(editor, id, name);
        let value = to_attribute_value(editor, value, like.as_ref(), depth + 1)?;
        editor.graph_mut().set(id, name, value);
    }
    Some(id)
}

/// Returns an empty value of the type that an attribute has in maps of this format; `None` if it is unknown.
pub(super) fn typed_empty(editor: &mut Editor<'_>, element: ElementId, name: &str) -> Option<Value> {
    let map = editor.map();
    let class = Class::from_name(map.graph().element(element)?.class())?;
    Some(class.field(name.as_bytes(), map.format_version())?.value.empty())
}

/// Converts a value to the type of another one.
fn to_type_of(editor: &mut Editor<'_>, value: &scene::Value, like: &Value) -> Option<Value> {
    use scene::Value as V;
    let int = || match value {
        V::Int(number) => i32::try_from(*number).ok(),
        V::Bool(flag) => Some(i32::from(*flag)),
        // Some formats do not distinguish 15.0 from 15.
        #[allow(clippy::cast_possible_truncation)]
        V::Float(number) => Some(*number as i32).filter(|whole| f64::from(*whole) == *number),
        _ => None,
    };
    Some(match like {
        Value::Int(_) => Value::Int(int()?),
        Value::Time(_) => Value::Time(int()?),
        Value::Float(_) => Value::Float(narrow(value.as_f64()?)),
        Value::Bool(_) => Value::Bool(u8::from(int()? != 0)),
        Value::String(_) => {
            let text = value.as_text()?;
            editor.graph_mut().string_value(text)
        }
        Value::StringArray(_) => {
            let V::List(items) = value else { return None };
            let texts = convert_all(items, V::as_text)?;
            editor.graph_mut().string_array(texts)
        }
        Value::IntArray(_) => Value::IntArray(ints(value)?),
        Value::TimeArray(_) => Value::TimeArray(ints(value)?),
        Value::FloatArray(_) => Value::FloatArray(floats(value)?),
        Value::BoolArray(_) => {
            let V::List(items) = value else { return None };
            Value::BoolArray(convert_all(items, V::as_bool)?.into_iter().map(u8::from).collect())
        }
        Value::Color(_) => {
            let channels = ints(value)?.iter().map(|&channel| u8::try_from(channel).ok()).collect::<Option<Vec<u8>>>();
            Value::Color(channels?.try_into().ok()?)
        }
        Value::ColorArray(_) => Value::ColorArray(rows(bytes(value)?)?),
        Value::UInt8Array(_) => Value::UInt8Array(bytes(value)?.into()),
        Value::Vector2(_) => Value::Vector2(floats(value)?.into_vec().try_into().ok()?),
        Value::Vector3(_) => Value::Vector3(floats(value)?.into_vec().try_into().ok()?),
        Value::QAngle(_) => Value::QAngle(floats(value)?.into_vec().try_into().ok()?),
        Value::Vector4(_) => Value::Vector4(floats(value)?.into_vec().try_into().ok()?),
        Value::Quaternion(_) => Value::Quaternion(floats(value)?.into_vec().try_into().ok()?),
        Value::Matrix(_) => Value::Matrix(Box::new(floats(value)?.into_vec().try_into().ok()?)),
        Value::Vector2Array(_) => Value::Vector2Array(rows(&floats(value)?)?),
        Value::Vector3Array(_) => Value::Vector3Array(rows(&floats(value)?)?),
        Value::QAngleArray(_) => Value::QAngleArray(rows(&floats(value)?)?),
        Value::Vector4Array(_) => Value::Vector4Array(rows(&floats(value)?)?),
        Value::QuaternionArray(_) => Value::QuaternionArray(rows(&floats(value)?)?),
        Value::MatrixArray(_) => Value::MatrixArray(rows(&floats(value)?)?),
        Value::UInt64(_) => Value::UInt64(value.as_int()?.cast_unsigned()),
        Value::UInt64Array(_) => {
            let V::List(items) = value else { return None };
            Value::UInt64Array(convert_all(items, V::as_int)?.into_iter().map(i64::cast_unsigned).collect())
        }
        Value::UInt8(_) => Value::UInt8(u8::try_from(value.as_int()?).ok()?),
        Value::ElementArray(_) if matches!(value, V::List(items) if items.is_empty()) => {
            Value::ElementArray(Box::default())
        }
        _ => return None,
    })
}

fn floats(value: &scene::Value) -> Option<Box<[f32]>> {
    let scene::Value::List(items) = value else { return None };
    items.iter().map(|item| item.as_f64().map(narrow)).collect()
}

fn ints(value: &scene::Value) -> Option<Box<[i32]>> {
    let scene::Value::List(items) = value else { return None };
    items.iter().map(|item| item.as_int().and_then(|number| i32::try_from(number).ok())).collect()
}

fn bytes(value: &scene::Value) -> Option<&[u8]> {
    if let scene::Value::Bytes(bytes) = value { Some(bytes) } else { None }
}

fn rows<T: Copy, const N: usize>(items: &[T]) -> Option<Box<[[T; N]]>> {
    let (rows, remainder) = items.as_chunks::<N>();
    remainder.is_empty().then(|| rows.into())
}
