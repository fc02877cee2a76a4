//! Values to text.

use super::Writer;
use super::number;
use crate::read::text::ESCAPES;
use crate::{Guid, StringId, Value};

/// Digits of a line of bytes.
const LINE: usize = 40;

impl Writer<'_> {
    /// The type of a value and the value, but for elements.
    pub(super) fn value(&mut self, value: &Value) {
        self.output.u8(b'"');
        self.output.bytes(value.value_type().name().as_bytes());
        self.output.bytes(if value.array_len().is_some() { b"_array\" " } else { b"\" " });
        match value {
            Value::Binary(bytes) => self.lines(bytes, LINE, Self::hex),
            Value::Matrix(rows) => self.lines(rows.as_slice(), 4, Self::floats),
            _ => match value.array_len() {
                None => {
                    self.output.u8(b'"');
                    self.item(value, 0);
                    self.output.u8(b'"');
                }
                Some(count) => {
                    self.line();
                    self.output.u8(b'[');
                    self.indent.push(b'\t');
                    for index in 0..count {
                        self.line();
                        self.output.u8(b'"');
                        self.item(value, index);
                        self.output.bytes(if index.saturating_add(1) < count { b"\"," } else { b"\"" });
                    }
                    self.indent.pop();
                    self.line();
                    self.output.u8(b']');
                }
            },
        }
    }

    /// What stands between the quotes: of a single value, or of an item of an array.
    pub(super) fn item(&mut self, value: &Value, index: usize) {
        match value {
            // Elements are not told by a text alone.
            Value::Element(_) | Value::ElementArray(_) => {}
            Value::Int(item) => number::whole(&mut self.output, *item),
            Value::Time(item) => number::time(&mut self.output, *item),
            Value::Float(item) => self.floats(&[*item]),
            Value::Bool(item) | Value::UInt8(item) => number::whole(&mut self.output, *item),
            Value::String(item) => self.string(*item),
            Value::Binary(item) => self.hex(item),
            Value::ObjectId(item) => self.guid(*item),
            Value::Color(item) => self.color(*item),
            Value::Vector2(item) => self.floats(item),
            Value::Vector3(item) | Value::QAngle(item) => self.floats(item),
            Value::Vector4(item) | Value::Quaternion(item) => self.floats(item),
            Value::Matrix(item) => self.floats(item.as_slice()),
            Value::UInt64(item) => number::hexadecimal(&mut self.output, *item),
            Value::IntArray(items) => at(items, index, |item| number::whole(&mut self.output, *item)),
            Value::TimeArray(items) => at(items, index, |item| number::time(&mut self.output, *item)),
            Value::FloatArray(items) => at(items, index, |item| self.floats(&[*item])),
            Value::BoolArray(items) | Value::UInt8Array(items) => {
                at(items, index, |item| number::whole(&mut self.output, *item));
            }
            Value::StringArray(items) => at(items, index, |item| self.string(*item)),
            Value::BinaryArray(items) => at(items, index, |item| self.hex(item)),
            Value::ObjectIdArray(items) => at(items, index, |item| self.guid(*item)),
            Value::ColorArray(items) => at(items, index, |item| self.color(*item)),
            Value::Vector2Array(items) => at(items, index, |item| self.floats(item)),
            Value::Vector3Array(items) | Value::QAngleArray(items) => at(items, index, |item| self.floats(item)),
            Value::Vector4Array(items) | Value::QuaternionArray(items) => at(items, index, |item| self.floats(item)),
            Value::MatrixArray(items) => at(items, index, |item| self.floats(item)),
            Value::UInt64Array(items) => at(items, index, |item| number::hexadecimal(&mut self.output, *item)),
        }
    }

    /// A value on lines of its own.
    fn lines<T>(&mut self, items: &[T], per_line: usize, write: impl Fn(&mut Self, &[T])) {
        self.line();
        self.output.u8(b'"');
        self.indent.push(b'\t');
        for items in items.chunks(per_line) {
            self.line();
            write(self, items);
        }
        self.indent.pop();
        self.line();
        self.output.u8(b'"');
    }

    fn floats(&mut self, items: &[f32]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.output.u8(b' ');
            }
            number::float(&mut self.output, *item, self.style);
        }
    }

    fn color(&mut self, [red, green, blue, alpha]: [u8; 4]) {
        number::whole(&mut self.output, red);
        for part in [green, blue, alpha] {
            self.output.u8(b' ');
            number::whole(&mut self.output, part);
        }
    }

    fn hex(&mut self, bytes: &[u8]) {
        let digit = |value: u8| if value < 10 { b'0' | value } else { (b'A' - 10).wrapping_add(value) };
        for byte in bytes {
            self.output.bytes(&[digit(byte >> 4), digit(byte & 0x0F)]);
        }
    }

    pub(super) fn guid(&mut self, id: Guid) {
        self.output.bytes(&id.to_text());
    }

    pub(super) fn string(&mut self, id: StringId) {
        let mut text = self.document.string(id);
        if !self.room(text.len()) {
            return;
        }
        while let Some(plain) = text.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0x07..=0x0D)) {
            let (before, rest) = text.split_at_checked(plain).unwrap_or((text, &[]));
            let [byte, behind @ ..] = rest else { break };
            let letter = ESCAPES.iter().find(|(_, meaning)| meaning == byte).map_or(*byte, |(letter, _)| *letter);
            self.output.bytes(before);
            self.output.bytes(&[b'\\', letter]);
            text = behind;
        }
        self.output.bytes(text);
    }
}

fn at<T>(items: &[T], index: usize, write: impl FnOnce(&T)) {
    if let Some(item) = items.get(index) {
        write(item);
    }
}
