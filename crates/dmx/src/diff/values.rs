//! Values as text, and differences of values.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use mapwright_io::diff::{MAX_LISTED, checksum_text, join_first};
use mapwright_io::escape_bytes;

use super::FieldChange;
use crate::{Document, Item, Reference, StringId, Value};

/// A document with the ranks of its strings.
#[derive(Clone, Copy)]
pub(super) struct Side<'r> {
    pub(super) document: &'r Document,
    pub(super) ranks: &'r Ranks,
}

/// The rank of each string of a document among all strings of two documents. Comparing ranks is fast, even if a file refers to a long
/// string many times.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranks(Vec<u32>);

impl Ranks {
    pub(super) fn new(old: &Document, new: &Document) -> [Self; 2] {
        let mut all: Vec<&[u8]> = vec![&[]];
        all.extend(old.strings.iter().chain(new.strings.iter()).map(|(_, string)| string));
        all.sort_unstable();
        all.dedup();
        let ranks: HashMap<&[u8], u32> = all.into_iter().zip(0..).collect();
        let ranks_of = |document: &Document| {
            let strings = document.strings.iter();
            Self(strings.map(|(_, string)| ranks.get(string).copied().unwrap_or_default()).collect())
        };
        [ranks_of(old), ranks_of(new)]
    }
}

impl Side<'_> {
    /// Returns the rank of a string. The empty string has the rank 0.
    pub(super) fn rank(self, id: StringId) -> u32 {
        self.ranks.0.get(id.index()).copied().unwrap_or_default()
    }
}

/// Maximum number of bytes that are compared to find the first difference of strings.
const MAX_COMPARED: usize = 1 << 16;

/// Maximum number of bytes of a string that are shown.
const MAX_SHOWN: usize = 80;

/// Formats the bytes of a string: UTF-8 unchanged, other bytes escaped as [`escape_bytes`] does. Long strings are cut.
pub fn text(bytes: &[u8]) -> String {
    excerpt(bytes, 0)
}

/// Formats a string from a byte on, up to the maximum length.
fn excerpt(bytes: &[u8], from: usize) -> String {
    let rest = bytes.get(from..).unwrap_or_default();
    let piece = rest.get(..MAX_SHOWN).unwrap_or(rest);
    let end = if piece.len() < rest.len() { "…" } else { "" };
    let piece = match std::str::from_utf8(piece) {
        Ok(piece) => piece.to_owned(),
        // A character that was cut off is not invalid.
        Err(error) if error.error_len().is_none() && !end.is_empty() => {
            String::from_utf8_lossy(piece.get(..error.valid_up_to()).unwrap_or_default()).into_owned()
        }
        Err(_) => escape_bytes(piece),
    };
    format!("{}{piece}{end}", if from > 0 { "…" } else { "" })
}

/// Formats bytes: their number, and the bytes or a checksum.
pub(super) fn blob(bytes: &[u8]) -> String {
    if bytes.len() > 16 {
        return checksum_text(bytes);
    }
    let mut text = format!("{} bytes", bytes.len());
    if !bytes.is_empty() {
        text.push(' ');
    }
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
    }
    text
}

/// Formats an item, except references to elements of the document.
fn item(document: &Document, item: Item<'_>) -> String {
    let numbers = |numbers: &[f32]| numbers.iter().map(|&number| float(number)).collect::<Vec<_>>().join(" ");
    match item {
        Item::Element(Reference::External(id)) => format!("external {}", text(document.string(*id))),
        Item::Element(_) => "null".to_owned(),
        Item::Int(number) => number.to_string(),
        Item::Time(units) => format!("{units} x 0.1 ms"),
        Item::Float(number) => float(*number),
        Item::Bool(byte) => match byte {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            byte => byte.to_string(),
        },
        Item::String(id) => match document.string(*id) {
            [] => "\"\"".to_owned(),
            bytes => text(bytes),
        },
        Item::Binary(bytes) => blob(bytes),
        Item::ObjectId(id) => id.to_string(),
        Item::Color(color) => color.map(|part| part.to_string()).join(" "),
        Item::Vector2(row) => numbers(row),
        Item::Vector3(row) | Item::QAngle(row) => numbers(row),
        Item::Vector4(row) | Item::Quaternion(row) => numbers(row),
        Item::Matrix(rows) => numbers(rows),
        Item::UInt64(number) => format!("{number:#x}"),
        Item::UInt8(number) => number.to_string(),
    }
}

/// Formats a float with the fewest digits that read back, and NaN with its bits.
fn float(number: f32) -> String {
    if number.is_nan() {
        format!("nan {:08x}", number.to_bits())
    } else if number == 0.0 || (1e-5..1e9).contains(&number.abs()) {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// Formats a value without references to elements. Of an array, only the given items are included.
fn show(document: &Document, value: &Value, places: impl Iterator<Item = usize>) -> String {
    join_first(places.filter_map(|place| value.item(place)), |one| item(document, one))
}

/// Formats the type and the value; of arrays only the first items.
pub fn whole(document: &Document, value: &Value) -> String {
    let name = value.value_type().name();
    match value.array_len() {
        None => format!("{name} {}", show(document, value, 0..1)),
        Some(0) => format!("{name}_array of 0"),
        Some(count) => format!("{name}_array of {count}: {}", show(document, value, 0..count)),
    }
}

/// Returns `true` if two items are equal.
fn same((old, a): (Side<'_>, Option<Item<'_>>), (new, b): (Side<'_>, Option<Item<'_>>)) -> bool {
    let equal = |a: &[f32], b: &[f32]| a.iter().map(|one| one.to_bits()).eq(b.iter().map(|one| one.to_bits()));
    match (a, b) {
        (Some(a), Some(b)) => match (a, b) {
            (Item::Element(Reference::External(a)), Item::Element(Reference::External(b)))
            | (Item::String(a), Item::String(b)) => old.rank(*a) == new.rank(*b),
            (Item::Element(a), Item::Element(b)) => a == b,
            (Item::Int(a), Item::Int(b)) | (Item::Time(a), Item::Time(b)) => a == b,
            (Item::Float(a), Item::Float(b)) => a.to_bits() == b.to_bits(),
            (Item::Bool(a), Item::Bool(b)) | (Item::UInt8(a), Item::UInt8(b)) => a == b,
            (Item::Binary(a), Item::Binary(b)) => a == b,
            (Item::ObjectId(a), Item::ObjectId(b)) => a == b,
            (Item::Color(a), Item::Color(b)) => a == b,
            (Item::Vector2(a), Item::Vector2(b)) => equal(a, b),
            (Item::Vector3(a), Item::Vector3(b)) | (Item::QAngle(a), Item::QAngle(b)) => equal(a, b),
            (Item::Vector4(a), Item::Vector4(b)) | (Item::Quaternion(a), Item::Quaternion(b)) => equal(a, b),
            (Item::Matrix(a), Item::Matrix(b)) => equal(a, b),
            (Item::UInt64(a), Item::UInt64(b)) => a == b,
            _ => false,
        },
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Returns `true` if two values that are not element references are equal.
pub(super) fn equal((old, a): (Side<'_>, &Value), (new, b): (Side<'_>, &Value)) -> bool {
    match (a, b) {
        (Value::String(_), Value::String(_)) | (Value::StringArray(_), Value::StringArray(_)) => {
            let count = a.array_len().unwrap_or(1);
            a.array_len() == b.array_len() && (0..count).all(|at| same((old, a.item(at)), (new, b.item(at))))
        }
        (a, b) => a == b,
    }
}

/// Adds the differences of two values, which are not references to elements.
pub(super) fn changes(
    field: &dyn Fn() -> String,
    (old, a): (Side<'_>, &Value),
    (new, b): (Side<'_>, &Value),
    out: &mut Vec<FieldChange>,
) {
    let is_array = a.array_len().is_some();
    if a.value_type() != b.value_type() || is_array != b.array_len().is_some() {
        out.push(FieldChange::new(field(), whole(old.document, a), whole(new.document, b)));
        return;
    }
    let is_same = |at: usize, other: usize| same((old, a.item(at)), (new, b.item(other)));
    let Some((olds, news)) = a.array_len().zip(b.array_len()) else {
        if is_same(0, 0) {
            return;
        }
        let (a, b) = match (a, b) {
            (Value::String(a), Value::String(b)) => texts(old.document.string(*a), new.document.string(*b)),
            _ => (show(old.document, a, 0..1), show(new.document, b, 0..1)),
        };
        out.push(FieldChange::new(field(), a, b));
        return;
    };
    if olds == news {
        let others: Vec<usize> = (0..olds).filter(|&at| !is_same(at, at)).collect();
        if others.len() > MAX_LISTED {
            let places = || others.iter().copied();
            let (a, b) = (show(old.document, a, places()), show(new.document, b, places()));
            out.push(FieldChange::new(format!("{} ({} of {olds})", field(), others.len()), a, b));
            return;
        }
        for at in others {
            let place = || std::iter::once(at);
            let (a, b) = (show(old.document, a, place()), show(new.document, b, place()));
            out.push(FieldChange::new(format!("{}[{at}]", field()), a, b));
        }
        return;
    }
    // Equal items at both ends are left out.
    let start = (0..olds.min(news)).take_while(|&at| is_same(at, at)).count();
    let left = olds.min(news).saturating_sub(start);
    let from_end = |count: usize, back: usize| count.saturating_sub(back).saturating_sub(1);
    let end = (0..left).take_while(|&back| is_same(from_end(olds, back), from_end(news, back))).count();
    let places = |count: usize| start..count.saturating_sub(end);
    let many = if places(olds).len().max(places(news).len()) == 1 { "" } else { ".." };
    let (a, b) = (show(old.document, a, places(olds)), show(new.document, b, places(news)));
    out.push(FieldChange::new(format!("{}[{start}{many}]", field()), a, b));
}

/// Formats two different strings. Long ones are shown from a few characters before the first difference.
fn texts(old: &[u8], new: &[u8]) -> (String, String) {
    let same = old.iter().zip(new).take(MAX_COMPARED).take_while(|(old, new)| old == new).count();
    if same == MAX_COMPARED {
        let text = |bytes: &[u8]| format!("{} bytes of text", bytes.len());
        return (text(old), text(new));
    }
    let long = old.len().max(new.len()) > MAX_SHOWN;
    let mut from = if long { same.saturating_sub(16) } else { 0 };
    // Do not begin in the middle of a character.
    while old.get(from).is_some_and(|byte| byte & 0xc0 == 0x80) && from < same {
        from = from.saturating_add(1);
    }
    let cut = |text: &[u8]| if text.is_empty() { "\"\"".to_owned() } else { excerpt(text, from) };
    (cut(old), cut(new))
}

/// Hashes a value, except the targets of references to elements.
pub(super) fn hash(side: Side<'_>, value: &Value, hasher: &mut impl Hasher) {
    (value.value_type(), value.array_len()).hash(hasher);
    for item in value.items() {
        let mut floats = |row: &[f32]| row.iter().for_each(|number| number.to_bits().hash(hasher));
        match item {
            Item::Float(number) => floats(&[*number]),
            Item::Vector2(row) => floats(row),
            Item::Vector3(row) | Item::QAngle(row) => floats(row),
            Item::Vector4(row) | Item::Quaternion(row) => floats(row),
            Item::Matrix(rows) => floats(rows),
            Item::Element(Reference::External(id)) | Item::String(id) => side.rank(*id).hash(hasher),
            Item::Element(Reference::Element(_)) => 1_u8.hash(hasher),
            Item::Element(Reference::Null) => 0_u8.hash(hasher),
            Item::Int(number) | Item::Time(number) => number.hash(hasher),
            Item::Bool(byte) | Item::UInt8(byte) => byte.hash(hasher),
            Item::Binary(bytes) => bytes.hash(hasher),
            Item::ObjectId(id) => id.hash(hasher),
            Item::Color(color) => color.hash(hasher),
            Item::UInt64(number) => number.hash(hasher),
        }
    }
}
