//! Values of attributes ⇄ free properties.

use std::collections::HashSet;

use mapwright_dmx::{Document, ElementId, ElementRef, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::{Losses, Properties};

use crate::Editor;
use crate::schema::Class;
use crate::validate::lossy;

/// Names that stand for the class and the name of an element among its attributes; other elements have no such attributes.
pub(super) const CLASS: &str = "$class";
const NAME: &str = "$name";
/// The class of elements without a meaning of their own.
const PLAIN: &str = "DmElement";

/// Text of the file. What is kept of it goes through [`Values::text`].
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A number with the fewest digits that give the same number of the file again.
fn number(value: f32) -> scene::Value {
    let exact = f64::from(value);
    scene::Value::Float(if value.is_finite() { value.to_string().parse().unwrap_or(exact) } else { exact })
}

fn numbers<'a>(values: impl IntoIterator<Item = &'a f32>) -> scene::Value {
    scene::Value::List(values.into_iter().map(|&value| number(value)).collect())
}

fn ints<T: Copy + Into<i64>>(values: &[T]) -> scene::Value {
    scene::Value::List(values.iter().map(|&value| scene::Value::Int(value.into())).collect())
}

/// Reads values of one document.
pub(super) struct Values {
    /// Elements that stand in a value already, and nodes, which never do: no cycle has an end, and no value stands twice.
    pub(super) seen: HashSet<ElementId>,
    /// Bytes that long texts may still take.
    left: usize,
    /// Texts that took more.
    pub(super) left_out: usize,
}

/// Texts that are no longer than this are in proportion to what it takes to refer to them.
const SHORT: usize = 128;
/// How often all strings of a file may be copied, and how many bytes may be copied of any file.
const COPIES: usize = 8;
const COPIED: usize = 64 << 20;

/// How deep elements stand in properties at most; each takes two levels of values.
const MAX_DEPTH: usize = scene::Value::MAX_DEPTH / 2 - 2;

impl Values {
    pub(super) fn new(document: &Document, seen: HashSet<ElementId>) -> Self {
        let total: usize = document.strings.iter().map(|(_, string)| string.len()).sum();
        Self { seen, left: total.saturating_mul(COPIES).saturating_add(COPIED), left_out: 0 }
    }

    /// A copy of a text of the file. `None` if all copies together take much more than the file: it needs each text but once,
    /// and may refer to it any number of times.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Option<String> {
        if bytes.len() > SHORT {
            match self.left.checked_sub(bytes.len()) {
                Some(left) => self.left = left,
                None => {
                    self.left_out = self.left_out.saturating_add(1);
                    return None;
                }
            }
        }
        Some(text(bytes))
    }

    /// What an attribute says. `None` for null, and, with a loss, for what is no value.
    pub(super) fn read(
        &mut self,
        element: ElementRef<'_>,
        value: &Value,
        depth: usize,
        path: &dyn Fn() -> String,
        losses: &mut Losses,
    ) -> Option<scene::Value> {
        let document = element.document();
        Some(match value {
            Value::Element(Reference::Null) => return None,
            Value::Element(Reference::External(id)) | Value::String(id) => self.text(document.string(*id))?.into(),
            Value::Element(Reference::Element(id)) => self.element(document, *id, depth, path, losses)?.into(),
            Value::ElementArray(references) => {
                let mut list = Vec::with_capacity(references.len());
                for reference in references {
                    match reference {
                        Reference::Null => {}
                        Reference::External(id) => list.extend(self.text(document.string(*id)).map(scene::Value::Text)),
                        Reference::Element(id) => {
                            list.extend(self.element(document, *id, depth, path, losses).map(scene::Value::Map));
                        }
                    }
                }
                list.into()
            }
            Value::Int(number) | Value::Time(number) => (*number).into(),
            Value::IntArray(items) | Value::TimeArray(items) => ints(items),
            Value::Float(value) => number(*value),
            Value::FloatArray(items) => numbers(items),
            Value::Bool(flag) => (*flag != 0).into(),
            Value::BoolArray(items) => scene::Value::List(items.iter().map(|&flag| (flag != 0).into()).collect()),
            Value::StringArray(items) => {
                let texts = items.iter().map(|id| Some(self.text(document.string(*id))?.into()));
                scene::Value::List(texts.collect::<Option<_>>()?)
            }
            Value::Binary(bytes) => bytes.to_vec().into(),
            Value::BinaryArray(items) => scene::Value::List(items.iter().map(|bytes| bytes.to_vec().into()).collect()),
            Value::ObjectId(guid) => guid.to_string().into(),
            Value::ObjectIdArray(items) => {
                scene::Value::List(items.iter().map(|guid| guid.to_string().into()).collect())
            }
            Value::Color(channels) => ints(channels),
            Value::ColorArray(items) => items.as_flattened().to_vec().into(),
            Value::Vector2(items) => numbers(items),
            Value::Vector2Array(items) => numbers(items.as_flattened()),
            Value::Vector3(items) | Value::QAngle(items) => numbers(items),
            Value::Vector3Array(items) | Value::QAngleArray(items) => numbers(items.as_flattened()),
            Value::Vector4(items) | Value::Quaternion(items) => numbers(items),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => numbers(items.as_flattened()),
            Value::Matrix(items) => numbers(items.as_slice()),
            Value::MatrixArray(items) => numbers(items.as_flattened()),
            Value::UInt64(number) => number.cast_signed().into(),
            Value::UInt64Array(items) => {
                scene::Value::List(items.iter().map(|number| number.cast_signed().into()).collect())
            }
            Value::UInt8(number) => i64::from(*number).into(),
            Value::UInt8Array(items) => items.to_vec().into(),
        })
    }

    /// The attributes of an element below another.
    fn element(
        &mut self,
        document: &Document,
        id: ElementId,
        depth: usize,
        path: &dyn Fn() -> String,
        losses: &mut Losses,
    ) -> Option<Properties> {
        let element = document.element(id)?;
        if depth >= MAX_DEPTH || !self.seen.insert(id) {
            losses.dropped(path(), format!("another reference to {}", lossy(element.class())));
            return None;
        }
        let mut properties = Properties::new();
        if !element.is(PLAIN) {
            properties.entries.extend(self.text(element.class()).map(|class| (CLASS.to_owned(), class.into())));
        }
        if !element.name().is_empty() {
            properties.entries.extend(self.text(element.name()).map(|name| (NAME.to_owned(), name.into())));
        }
        for (name, value) in element.attributes() {
            if let Some(value) = self.read(element, value, depth + 1, path, losses) {
                properties.entries.extend(self.text(name).map(|name| (name, value)));
            }
        }
        Some(properties)
    }
}

/// The value of an attribute for a free value: of the type that the attribute has, if it has one that can say this, else of one
/// that gives the same value again. `None` if there is none.
pub(super) fn write(
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
        && let Some(value) = alike(editor, value, like)
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

/// Whether a zero byte stands in a text of the value itself: files end texts with one.
fn has_nul(value: &scene::Value) -> bool {
    match value {
        scene::Value::Text(text) => text.contains('\0'),
        scene::Value::List(items) => items.iter().any(|item| item.as_text().is_some_and(|text| text.contains('\0'))),
        _ => false,
    }
}

fn list(editor: &mut Editor<'_>, items: &[scene::Value], depth: usize) -> Option<Value> {
    use scene::Value as V;
    if let Some(texts) = all(items, V::as_text) {
        return Some(editor.graph_mut().string_array(texts));
    }
    if let Some(flags) = all(items, V::as_bool) {
        return Some(Value::BoolArray(flags.into_iter().map(u8::from).collect()));
    }
    if let Some(numbers) = all(items, V::as_int) {
        let small: Option<Box<[i32]>> = numbers.iter().map(|&number| i32::try_from(number).ok()).collect();
        return Some(small.map_or_else(
            || Value::UInt64Array(numbers.iter().map(|number| number.cast_unsigned()).collect()),
            Value::IntArray,
        ));
    }
    if let Some(numbers) = all(items, |item| if let V::Float(number) = item { Some(*number) } else { None }) {
        return Some(Value::FloatArray(numbers.into_iter().map(narrow).collect()));
    }
    if let Some(bytes) = all(items, |item| if let V::Bytes(bytes) = item { Some(bytes) } else { None }) {
        return Some(Value::BinaryArray(bytes.into_iter().map(|bytes| bytes.as_slice().into()).collect()));
    }
    let maps = all(items, |item| if let V::Map(map) = item { Some(map) } else { None })?;
    let ids: Option<Box<[Reference]>> =
        maps.into_iter().map(|map| Some(Reference::Element(element(editor, map, depth)?))).collect();
    Some(Value::ElementArray(ids?))
}

/// All items, if all are of one kind.
fn all<'a, T>(items: &'a [scene::Value], one: impl Fn(&'a scene::Value) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(one).collect()
}

/// Adds an element with these attributes.
fn element(editor: &mut Editor<'_>, map: &Properties, depth: usize) -> Option<ElementId> {
    let nul = |text: &str| text.contains('\0');
    let has_nul = map.iter().any(|(name, value)| nul(name) || value.as_text().is_some_and(nul));
    if depth >= MAX_DEPTH || has_nul {
        return None;
    }
    let named = |name| map.get(name).and_then(scene::Value::as_text);
    let guid = editor.guid();
    let id = editor.graph_mut().push(named(CLASS).unwrap_or(PLAIN), named(NAME).unwrap_or_default(), guid);
    // If something in it cannot be said, nothing leads to it.
    editor.discard(id);
    for (name, value) in map.iter().filter(|(name, _)| ![CLASS, NAME].contains(name)) {
        let like = expected(editor, id, name);
        let value = write(editor, value, like.as_ref(), depth + 1)?;
        editor.graph_mut().set(id, name, value);
    }
    Some(id)
}

/// A value of the type that maps of the format have for an attribute; `None` if that is not known.
pub(super) fn expected(editor: &mut Editor<'_>, element: ElementId, name: &str) -> Option<Value> {
    let map = editor.map();
    let class = Class::of(map.graph().element(element)?.class())?;
    Some(class.field(name.as_bytes(), map.format_version())?.value.empty())
}

/// The nearest number of the file. Finite numbers stay finite.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn narrow(number: f64) -> f32 {
    let narrow = number as f32;
    if number.is_finite() && !narrow.is_finite() { f32::MAX.copysign(narrow) } else { narrow }
}

/// The value as the type of another one.
fn alike(editor: &mut Editor<'_>, value: &scene::Value, like: &Value) -> Option<Value> {
    use scene::Value as V;
    let int = || match value {
        V::Int(number) => i32::try_from(*number).ok(),
        V::Bool(flag) => Some(i32::from(*flag)),
        // Other formats do not tell 15.0 from 15.
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
            let texts = all(items, V::as_text)?;
            editor.graph_mut().string_array(texts)
        }
        Value::IntArray(_) => Value::IntArray(ints_of(value)?),
        Value::TimeArray(_) => Value::TimeArray(ints_of(value)?),
        Value::FloatArray(_) => Value::FloatArray(floats(value)?),
        Value::BoolArray(_) => {
            let V::List(items) = value else { return None };
            Value::BoolArray(all(items, V::as_bool)?.into_iter().map(u8::from).collect())
        }
        Value::Color(_) => {
            let channels =
                ints_of(value)?.iter().map(|&channel| u8::try_from(channel).ok()).collect::<Option<Vec<u8>>>();
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
            Value::UInt64Array(all(items, V::as_int)?.into_iter().map(i64::cast_unsigned).collect())
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

fn ints_of(value: &scene::Value) -> Option<Box<[i32]>> {
    let scene::Value::List(items) = value else { return None };
    items.iter().map(|item| item.as_int().and_then(|number| i32::try_from(number).ok())).collect()
}

fn bytes(value: &scene::Value) -> Option<&[u8]> {
    if let scene::Value::Bytes(bytes) = value { Some(bytes) } else { None }
}

fn rows<T: Copy, const N: usize>(items: &[T]) -> Option<Box<[[T; N]]>> {
    let (rows, rest) = items.as_chunks::<N>();
    rest.is_empty().then(|| rows.into())
}
