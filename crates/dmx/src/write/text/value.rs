//! Formats values as text.

use super::Writer;
use super::number;
use crate::read::text::ESCAPES;
use crate::{Guid, Item, StringId, Value};

/// Number of bytes per line.
const LINE: usize = 40;

impl Writer<'_> {
    /// Writes the type and the value, except of elements.
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
                    value.items().for_each(|item| self.item(item));
                    self.output.u8(b'"');
                }
                Some(count) => {
                    self.line();
                    self.output.u8(b'[');
                    self.indent.push(b'\t');
                    // The most frequent types of maps are matched once, not for every item.
                    match value {
                        Value::IntArray(items) => self.array(count, items.iter().map(Item::Int)),
                        Value::ColorArray(items) => self.array(count, items.iter().map(Item::Color)),
                        Value::Vector2Array(items) => self.array(count, items.iter().map(Item::Vector2)),
                        Value::Vector3Array(items) => self.array(count, items.iter().map(Item::Vector3)),
                        Value::Vector4Array(items) => self.array(count, items.iter().map(Item::Vector4)),
                        _ => self.array(count, value.items()),
                    }
                    self.indent.pop();
                    self.line();
                    self.output.u8(b']');
                }
            },
        }
    }

    /// Writes the items of an array, each on its line.
    fn array<'v>(&mut self, count: usize, items: impl Iterator<Item = Item<'v>>) {
        let Some(last) = count.checked_sub(1) else { return };
        self.line();
        self.output.u8(b'"');
        // The separator of items is short unless the indentation is deep.
        let separator = [b"\",", self.line_end, &self.indent, b"\""].concat();
        let mut short = [0; 32];
        let is_short = separator.len() <= short.len();
        short.iter_mut().zip(&separator).for_each(|(place, byte)| *place = *byte);
        for (index, item) in items.enumerate() {
            self.item(item);
            if index == last || !self.has_room(separator.len()) {
                break;
            }
            if is_short {
                self.output.first_bytes(&short, separator.len());
            } else {
                self.output.bytes(&separator);
            }
        }
        self.output.u8(b'"');
    }

    /// Writes the text between the quotes of a single value or of an item of an array.
    #[inline(always)]
    pub(super) fn item(&mut self, item: Item<'_>) {
        match item {
            // Elements are not a single text.
            Item::Element(_) => {}
            Item::Int(item) => number::integer(&mut self.output, *item),
            Item::Time(item) => number::time(&mut self.output, *item),
            Item::Float(item) => self.floats(&[*item]),
            Item::Bool(item) | Item::UInt8(item) => number::integer(&mut self.output, *item),
            Item::String(item) => self.string(*item),
            Item::Binary(item) => self.hex(item),
            Item::ObjectId(item) => self.guid(*item),
            Item::Color(item) => self.color(*item),
            Item::Vector2(item) => self.floats(item),
            Item::Vector3(item) | Item::QAngle(item) => self.floats(item),
            Item::Vector4(item) | Item::Quaternion(item) => self.floats(item),
            Item::Matrix(item) => self.floats(item),
            Item::UInt64(item) => number::hexadecimal(&mut self.output, *item),
        }
    }

    /// Writes a value on separate lines.
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
        number::integer(&mut self.output, red);
        for part in [green, blue, alpha] {
            self.output.u8(b' ');
            number::integer(&mut self.output, part);
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
        if !self.has_room(text.len()) {
            return;
        }
        if self.plain.get(id.index()) == Some(&true) {
            return self.output.bytes(text);
        }
        while let Some(plain) = text.iter().position(|byte| is_escaped(*byte)) {
            let (before, rest) = text.split_at_checked(plain).unwrap_or((text, &[]));
            let [byte, after @ ..] = rest else { break };
            let letter = ESCAPES.iter().find(|(_, meaning)| meaning == byte).map_or(*byte, |(letter, _)| *letter);
            self.output.bytes(before);
            self.output.bytes(&[b'\\', letter]);
            text = after;
        }
        self.output.bytes(text);
    }
}

fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0x07..=0x0D)
}

/// Returns `true` if nothing in a string needs escaping.
pub(super) fn is_plain(string: &[u8]) -> bool {
    // Without an early exit, so that the compiler can vectorize the loop.
    !string.iter().fold(false, |found, byte| found | is_escaped(*byte))
}
