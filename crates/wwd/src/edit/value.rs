//! Values of fields as text.

use std::fmt;

use super::EditError;
use crate::document::record::Record;
use crate::{
    AddFlags, DrawFlags, DynamicFlags, FieldError, FieldValue, Header, HeaderFlags, Object, ObjectType, Plane,
    PlaneFlags, Rect, escape_bytes, unescape_bytes,
};

/// A record of which some fields have values or bits with names.
pub(super) trait Named: Record {
    /// The names of the values or bits of a field that has such.
    fn names(field: &str) -> Vec<(u32, &'static str)>;
}

/// The known bits of a type of flags.
macro_rules! bits {
    ($flags:ty) => {
        <$flags>::KNOWN.iter().map(|(flag, name)| (flag.0, *name)).collect()
    };
}

impl Named for Header {
    fn names(field: &str) -> Vec<(u32, &'static str)> {
        if field == "flags" { bits!(HeaderFlags) } else { Vec::new() }
    }
}

impl Named for Plane {
    fn names(field: &str) -> Vec<(u32, &'static str)> {
        if field == "flags" { bits!(PlaneFlags) } else { Vec::new() }
    }
}

impl Named for Object {
    fn names(field: &str) -> Vec<(u32, &'static str)> {
        match field {
            "add_flags" => bits!(AddFlags),
            "dynamic_flags" => bits!(DynamicFlags),
            "draw_flags" => bits!(DrawFlags),
            "user_flags" => USER_FLAGS.to_vec(),
            "object_type" | "hit_type" => OBJECT_TYPES.iter().filter_map(|code| Some((code.0, code.name()?))).collect(),
            _ => Vec::new(),
        }
    }
}

const USER_FLAGS: [(u32, &str); 12] = [
    (0x001, "FLAG_1"),
    (0x002, "FLAG_2"),
    (0x004, "FLAG_3"),
    (0x008, "FLAG_4"),
    (0x010, "FLAG_5"),
    (0x020, "FLAG_6"),
    (0x040, "FLAG_7"),
    (0x080, "FLAG_8"),
    (0x100, "FLAG_9"),
    (0x200, "FLAG_10"),
    (0x400, "FLAG_11"),
    (0x800, "FLAG_12"),
];

const OBJECT_TYPES: [ObjectType; 13] = [
    ObjectType::GENERIC,
    ObjectType::PLAYER,
    ObjectType::ENEMY,
    ObjectType::POWERUP,
    ObjectType::SHOT,
    ObjectType::P_SHOT,
    ObjectType::E_SHOT,
    ObjectType::SPECIAL,
    ObjectType::USER_1,
    ObjectType::USER_2,
    ObjectType::USER_3,
    ObjectType::USER_4,
    ObjectType::ALL,
];

/// A side of a rectangle, which can be named behind its field: `rect_move_left`.
type Side = fn(&mut Rect) -> &mut i32;
const SIDES: [(&str, Side); 4] = [
    ("_left", |rect| &mut rect.left),
    ("_top", |rect| &mut rect.top),
    ("_right", |rect| &mut rect.right),
    ("_bottom", |rect| &mut rect.bottom),
];

/// The rectangle and the side that a name means.
fn side<R: Record>(record: &R, name: &str) -> Option<(String, Rect, Side)> {
    let (field, side) = SIDES.iter().find_map(|(suffix, side)| Some((name.strip_suffix(suffix)?, *side)))?;
    match record.value(field)? {
        FieldValue::Rect(rect) => Some((field.to_owned(), rect, side)),
        _ => None,
    }
}

/// The value of a field, or of one side of a rectangle.
pub(super) fn get<R: Record>(record: &R, name: &str) -> Option<FieldValue> {
    record.value(name).or_else(|| {
        let (_, mut rect, side) = side(record, name)?;
        Some(FieldValue::Int(*side(&mut rect)))
    })
}

/// Sets a field, or one side of a rectangle.
pub(super) fn set<R: Record>(record: &mut R, name: &str, value: FieldValue) -> Result<(), FieldError> {
    match (side(record, name), value) {
        (Some((field, mut rect, side)), FieldValue::Int(number)) => {
            *side(&mut rect) = number;
            record.set(&field, FieldValue::Rect(rect))
        }
        (_, value) => record.set(name, value),
    }
}

/// Reads a text as the value of a field.
pub(super) fn parse<R: Named>(record: &R, name: &str, text: &str) -> Result<FieldValue, EditError> {
    let sample = get(record, name).ok_or_else(|| EditError::NoField { field: name.to_owned(), fields: R::FIELDS })?;
    let wrong = |expected: String| EditError::Value { field: name.to_owned(), value: text.to_owned(), expected };
    match sample {
        FieldValue::Int(_) => int(text)
            .map(FieldValue::Int)
            .ok_or_else(|| wrong("a number of 32 bits, decimal or 0x and hexadecimal digits".to_owned())),
        FieldValue::Word(_) => {
            let names = R::names(name);
            word(text, &names).map(FieldValue::Word).ok_or_else(|| wrong(words(&names)))
        }
        FieldValue::Rect(_) => {
            rect(text).map(FieldValue::Rect).ok_or_else(|| wrong("four numbers: left,top,right,bottom".to_owned()))
        }
        FieldValue::Text(_) if text.is_ascii() => Ok(FieldValue::Text(unescape_bytes(text))),
        // The file does not say its code page: only bytes are clear.
        FieldValue::Text(_) => Err(wrong("ASCII and bytes as \\xHH".to_owned())),
    }
}

fn words(names: &[(u32, &'static str)]) -> String {
    let mut expected = "a number of 32 bits, decimal or 0x and hexadecimal digits".to_owned();
    if !names.is_empty() {
        let names: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
        expected.push_str(", or names joined by commas: ");
        expected.push_str(&names.join(" "));
    }
    expected
}

/// A number: decimal with its sign, or the hexadecimal digits of its 32 bits.
fn int(text: &str) -> Option<i32> {
    match hexadecimal(text) {
        Some(bits) => bits.map(u32::cast_signed),
        None => text.parse().ok(),
    }
}

fn word(text: &str, names: &[(u32, &str)]) -> Option<u32> {
    if text.contains([',', '|']) {
        return text.split([',', '|']).try_fold(0, |bits, part| Some(bits | one_word(part.trim(), names)?));
    }
    one_word(text, names)
}

fn one_word(text: &str, names: &[(u32, &str)]) -> Option<u32> {
    match hexadecimal(text) {
        Some(bits) => bits,
        None => names
            .iter()
            .find_map(|(bits, name)| name.eq_ignore_ascii_case(text).then_some(*bits))
            .or_else(|| text.parse().ok())
            .or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned)),
    }
}

/// The number behind `0x`, if that is there.
fn hexadecimal(text: &str) -> Option<Option<u32>> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    Some(plain.then(|| u32::from_str_radix(digits, 16).ok()).flatten())
}

fn rect(text: &str) -> Option<Rect> {
    let numbers: Option<Vec<i32>> = text.split(',').map(|number| int(number.trim())).collect();
    match numbers?[..] {
        [left, top, right, bottom] => Some(Rect { left, top, right, bottom }),
        _ => None,
    }
}

/// As it is written in conditions and assignments: numbers decimal, words hexadecimal, rectangles as `left,top,right,bottom`,
/// texts spelled as [`spell`](crate::escape_bytes) does.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word:#x}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Rect(Rect { left, top, right, bottom }) => write!(f, "{left},{top},{right},{bottom}"),
            Self::Text(text) => f.write_str(&escape_bytes(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(field: &str, text: &str) -> Option<FieldValue> {
        parse(&Object::default(), field, text).ok()
    }

    #[test]
    fn values_are_read_as_their_fields_take_them() {
        let cases = [
            ("x", "-5", Some(FieldValue::Int(-5))),
            ("x", "0xFFFFFFFF", Some(FieldValue::Int(-1))),
            ("x", "2147483648", None),
            ("x", "0x1FFFFFFFF", None),
            ("x", "0x+1", None),
            ("x", "", None),
            ("draw_flags", "mirror,0x4", Some(FieldValue::Word(6))),
            ("draw_flags", "MIRROR|INVERT", Some(FieldValue::Word(6))),
            ("draw_flags", "4294967295", Some(FieldValue::Word(u32::MAX))),
            ("draw_flags", "FLAG_1", None),
            ("user_flags", "FLAG_12", Some(FieldValue::Word(0x800))),
            ("hit_type", "ALL", Some(FieldValue::Word(u32::MAX))),
            ("rect_hit", "1, 2,3,-4", Some(FieldValue::Rect(Rect { left: 1, top: 2, right: 3, bottom: -4 }))),
            ("rect_hit", "1,2,3", None),
            ("rect_hit_top", "7", Some(FieldValue::Int(7))),
            ("rect_top", "7", None),
            ("name", "T\\xb3o", Some(FieldValue::Text(b"T\xb3o".to_vec()))),
            ("name", "T\u{142}o", None),
            ("no_such_field", "1", None),
        ];
        for (field, text, value) in cases {
            assert_eq!(object(field, text), value, "{field}={text}");
        }
    }

    #[test]
    fn every_field_comes_back_from_its_text() {
        let mut object = Object { x: i32::MIN, name: b"a\0\xb3 \\x41".to_vec(), ..Object::default() };
        object.draw_flags.0 = 0xFFFF_FFFE;
        object.rect_user2.bottom = -9;
        for field in Object::FIELDS {
            let value = object.field(field).unwrap();
            assert_eq!(parse(&object, field, &value.to_string()), Ok(value), "{field}");
        }
    }

    #[test]
    fn a_side_of_a_rectangle_is_set_alone() {
        let mut object = Object::default();
        set(&mut object, "rect_clip_right", FieldValue::Int(9)).unwrap();
        assert_eq!(object.rect_clip, Rect { right: 9, ..Rect::default() });
        assert_eq!(get(&object, "rect_clip_right"), Some(FieldValue::Int(9)));
    }

    /// Source: "Record", `user_flags`: bit k - 1 is flag k.
    #[test]
    fn user_flags_have_the_published_bits() {
        let published = [
            (0x001, "FLAG_1"),
            (0x002, "FLAG_2"),
            (0x004, "FLAG_3"),
            (0x008, "FLAG_4"),
            (0x010, "FLAG_5"),
            (0x020, "FLAG_6"),
            (0x040, "FLAG_7"),
            (0x080, "FLAG_8"),
            (0x100, "FLAG_9"),
            (0x200, "FLAG_10"),
            (0x400, "FLAG_11"),
            (0x800, "FLAG_12"),
        ];
        assert_eq!(Object::names("user_flags"), published);
    }

    /// Source: "Record", values of `object_type` and `hit_type`.
    #[test]
    fn object_types_are_complete() {
        let values = OBJECT_TYPES.map(|code| code.0);
        let published =
            [0x001, 0x002, 0x004, 0x008, 0x010, 0x020, 0x040, 0x080, 0x100, 0x200, 0x300, 0x400, 0xFFFF_FFFF];
        assert_eq!(values, published);
    }
}
