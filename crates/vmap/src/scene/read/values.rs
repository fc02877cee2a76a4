//! Reads values of attributes as values of properties.

use std::collections::HashSet;

use mapwright_dmx::{Document, ElementId, ElementRef, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::{Losses, Properties};

use super::super::names::{self, CLASS, MAX_DEPTH, NAME, PLAIN_CLASS};
use crate::validate::lossy;

/// Converts a number to the shortest decimal that reads back as the same single-precision number.
fn to_number(value: f32) -> scene::Value {
    let exact = f64::from(value);
    scene::Value::Float(if value.is_finite() { value.to_string().parse().unwrap_or(exact) } else { exact })
}

fn to_numbers<'a>(values: impl IntoIterator<Item = &'a f32>) -> scene::Value {
    scene::Value::List(values.into_iter().map(|&value| to_number(value)).collect())
}

fn to_ints<T: Copy + Into<i64>>(values: &[T]) -> scene::Value {
    scene::Value::List(values.iter().map(|&value| scene::Value::Int(value.into())).collect())
}

/// Reads the values of one document.
pub(super) struct ValueReader {
    /// Elements that were read as a node or as part of a value. Each is read once, so that cycles end and shared data is not copied.
    pub(super) used: HashSet<ElementId>,
    /// Bytes left for copies of long strings.
    copy_budget: usize,
    /// Number of long strings that exceeded the budget.
    pub(super) skipped_texts: usize,
}

/// Maximum length of a short string, which does not count towards the budget: a reference to it takes a similar size.
const SHORT_TEXT: usize = 128;
// The budget for long texts: multiple of all strings of the file, plus a constant.
const BUDGET_FACTOR: usize = 8;
const BUDGET_BASE: usize = 64 << 20;

impl ValueReader {
    pub(super) fn new(document: &Document, used: HashSet<ElementId>) -> Self {
        let total: usize = document.strings.iter().map(|(_, string)| string.len()).sum();
        let copy_budget = total.saturating_mul(BUDGET_FACTOR).saturating_add(BUDGET_BASE);
        Self { used, copy_budget, skipped_texts: 0 }
    }

    /// Copies a string of the file. Returns `None` if the copies exceed the budget: a small file can refer to one long string many times.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Option<String> {
        if bytes.len() > SHORT_TEXT {
            match self.copy_budget.checked_sub(bytes.len()) {
                Some(left) => self.copy_budget = left,
                None => {
                    self.skipped_texts = self.skipped_texts.saturating_add(1);
                    return None;
                }
            }
        }
        Some(names::text(bytes))
    }

    /// Reads the value of an attribute. `None` for null and, with a loss, for elements that were read before.
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
            Value::IntArray(items) | Value::TimeArray(items) => to_ints(items),
            Value::Float(value) => to_number(*value),
            Value::FloatArray(items) => to_numbers(items),
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
            Value::Color(channels) => to_ints(channels),
            Value::ColorArray(items) => items.as_flattened().to_vec().into(),
            Value::Vector2(items) => to_numbers(items),
            Value::Vector2Array(items) => to_numbers(items.as_flattened()),
            Value::Vector3(items) | Value::QAngle(items) => to_numbers(items),
            Value::Vector3Array(items) | Value::QAngleArray(items) => to_numbers(items.as_flattened()),
            Value::Vector4(items) | Value::Quaternion(items) => to_numbers(items),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => to_numbers(items.as_flattened()),
            Value::Matrix(items) => to_numbers(items.as_slice()),
            Value::MatrixArray(items) => to_numbers(items.as_flattened()),
            Value::UInt64(number) => number.cast_signed().into(),
            Value::UInt64Array(items) => {
                scene::Value::List(items.iter().map(|number| number.cast_signed().into()).collect())
            }
            Value::UInt8(number) => i64::from(*number).into(),
            Value::UInt8Array(items) => items.to_vec().into(),
        })
    }

    /// Reads the attributes of an element that is part of a value.
    fn element(
        &mut self,
        document: &Document,
        id: ElementId,
        depth: usize,
        path: &dyn Fn() -> String,
        losses: &mut Losses,
    ) -> Option<Properties> {
        let element = document.element(id)?;
        if depth >= MAX_DEPTH || !self.used.insert(id) {
            losses.dropped(path(), format!("repeated or too deeply nested {}", lossy(element.class())));
            return None;
        }
        let mut properties = Properties::new();
        if !element.is(PLAIN_CLASS) {
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
