//! Parsers of values. All accept spaces around and between the parts.

use std::str::FromStr;

use mapwright_io::FaultKind;

use super::plain;
use crate::document::hex_digit;
use crate::read::memory::Memory;
use crate::{Guid, StringId, Value, ValueType};

impl ValueType {
    /// Returns the type with a name.
    pub(crate) fn from_text(text: &[u8]) -> Option<Self> {
        match text {
            // Names of other programs.
            b"angle" => Some(Self::QAngle),
            b"vmatrix" => Some(Self::Matrix),
            _ => Self::ALL.iter().copied().find(|known| known.name().as_bytes() == text),
        }
    }
}

macro_rules! values {
    ($($name:ident($type:ty) $array:ident = $read:expr, $plain:expr;)*) => {
        /// Parses a single value. Strings and elements need more than their text.
        pub(super) fn scalar(value_type: ValueType, text: &[u8]) -> Option<Value> {
            match value_type {
                $( ValueType::$name => $read(text).map(|value: $type| Value::$name(value.into())), )*
                ValueType::String | ValueType::Element => None,
            }
        }

        /// Parses a single value in the common format after its quote, and returns the rest.
        pub(super) fn plain(value_type: ValueType, bytes: &[u8]) -> Option<(Value, &[u8])> {
            match value_type {
                $( ValueType::$name => {
                    let mut value = <$type>::default();
                    let rest = $plain(bytes, &mut value)?;
                    Some((Value::$name(value.into()), rest))
                } )*
                ValueType::String | ValueType::Element => None,
            }
        }

        /// Items of an array that is being read.
        pub(super) enum Items {
            String(Vec<StringId>),
            $( $name(Vec<$type>), )*
        }

        impl Items {
            pub(super) fn new(value_type: ValueType) -> Self {
                match value_type {
                    $( ValueType::$name => Self::$name(Vec::new()), )*
                    ValueType::String | ValueType::Element => Self::String(Vec::new()),
                }
            }

            /// Parses and adds an item that is not a string.
            pub(super) fn push(&mut self, text: &[u8]) -> Option<()> {
                match self {
                    $( Self::$name(items) => items.push($read(text)?), )*
                    Self::String(_) => return None,
                }
                Some(())
            }

            /// Parses and adds plain items, and returns their size.
            pub(super) fn push_plain(&mut self, bytes: &[u8], memory: &mut Memory) -> Result<usize, FaultKind> {
                match self {
                    $( Self::$name(items) => plain::items(bytes, $plain, items, memory), )*
                    Self::String(_) => Ok(0),
                }
            }

            /// Counts the memory of another item.
            pub(super) fn make_room(&self, memory: &mut Memory) -> Result<(), FaultKind> {
                match self {
                    $( Self::$name(items) => memory.make_room(items), )*
                    Self::String(items) => memory.make_room(items),
                }
            }

            /// Moves all items out.
            pub(super) fn finish(&mut self, memory: &mut Memory) -> Result<Value, FaultKind> {
                Ok(match self {
                    $( Self::$name(items) => Value::$array(take_all(items, memory)?), )*
                    Self::String(items) => Value::StringArray(take_all(items, memory)?),
                })
            }
        }

        /// Moves all items out of a list.
        fn take_all<T>(items: &mut Vec<T>, memory: &mut Memory) -> Result<Box<[T]>, FaultKind> {
            // Twice, because prefix attributes are copied.
            memory.spend(size_of_val(items.as_slice()).saturating_mul(2))?;
            Ok(items.drain(..).collect())
        }
    };
}

values! {
    Int(i32) IntArray = whole, plain::int;
    Float(f32) FloatArray = float, plain::float;
    Bool(u8) BoolArray = whole, plain::byte;
    Binary(Box<[u8]>) BinaryArray = binary, plain::none;
    Time(i32) TimeArray = time, plain::none;
    ObjectId(Guid) ObjectIdArray = guid, plain::guid;
    Color([u8; 4]) ColorArray = (|text| parts(text, whole)), plain::none;
    Vector2([f32; 2]) Vector2Array = floats, plain::floats;
    Vector3([f32; 3]) Vector3Array = floats, plain::floats;
    Vector4([f32; 4]) Vector4Array = floats, plain::floats;
    QAngle([f32; 3]) QAngleArray = floats, plain::floats;
    Quaternion([f32; 4]) QuaternionArray = floats, plain::floats;
    Matrix([f32; 16]) MatrixArray = floats, plain::none;
    UInt64(u64) UInt64Array = uint64, plain::none;
    UInt8(u8) UInt8Array = whole, plain::byte;
}

/// Parses an integer.
pub(super) fn whole<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.trim_ascii().parse().ok()
}

/// Parses an integer, decimal or hexadecimal.
pub(super) fn uint64(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    match text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")) {
        Some([b'+', ..]) => None,
        Some(digits) => u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
        None => whole(text),
    }
}

/// Parses seconds with decimals to units of 0.1 ms.
pub(super) fn time(text: &[u8]) -> Option<i32> {
    let seconds: f64 = whole(text)?;
    let units = (seconds * 10_000.0).round();
    let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "it is within the range")]
    range.contains(&units).then_some(units as i32)
}

/// Parses exactly `N` parts separated by spaces.
pub(super) fn parts<T: Copy + Default, const N: usize>(
    text: &[u8],
    part: impl Fn(&[u8]) -> Option<T>,
) -> Option<[T; N]> {
    let mut found = [T::default(); N];
    let mut texts = text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
    for slot in &mut found {
        *slot = part(texts.next()?)?;
    }
    texts.next().is_none().then_some(found)
}

/// Parses `N` numbers.
pub(super) fn floats<const N: usize>(text: &[u8]) -> Option<[f32; N]> {
    parts(text, float)
}

/// Parses hexadecimal digits with spaces anywhere.
pub(super) fn binary(text: &[u8]) -> Option<Box<[u8]>> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut rest = text;
    let mut high = None;
    while let [letter, after @ ..] = rest {
        if let ([one, two, after @ ..], None) = (rest, high) {
            let (one, two) = (hex_digit(*one), hex_digit(*two));
            if one | two <= 0x0F {
                bytes.push(one << 4 | two);
                rest = after;
                continue;
            }
        }
        rest = after;
        match (hex_digit(*letter), high.take()) {
            (digit @ 0..=0x0F, Some(high)) => bytes.push(high << 4 | digit),
            (digit @ 0..=0x0F, None) => high = Some(digit),
            (_, half) if letter.is_ascii_whitespace() || *letter == 0x0B => high = half,
            _ => return None,
        }
    }
    high.is_none().then(|| bytes.into())
}

/// Parses an identity.
pub(super) fn guid(text: &[u8]) -> Option<Guid> {
    Guid::from_text(text.trim_ascii()).ok()
}

/// Parses a decimal number, rounded to the nearest float.
pub(crate) fn float(text: &[u8]) -> Option<f32> {
    // Pad the text to the size that the fast parser reads.
    let mut padded = [b'"'; 64];
    if let Some((place, _)) = padded.split_at_mut_checked(text.len()).filter(|_| text.len() < 24) {
        place.copy_from_slice(text);
        let mut number = 0.0;
        if let Some(rest) = plain::float(&padded, &mut number)
            && rest.len().saturating_add(text.len()) == 63
        {
            return Some(number);
        }
    }
    whole(text).or_else(|| not_finite(text))
}

/// Parses NaN and infinities as the libraries of Microsoft's compilers print them, with which Valve's programs are built: `-nan(ind)`,
/// and before 2015 `-1.#IND`, followed by zeros up to the number of decimals.
fn not_finite(text: &[u8]) -> Option<f32> {
    let text = text.trim_ascii().to_ascii_lowercase();
    let (sign, text) = match text.strip_prefix(b"-") {
        Some(text) => (-1.0, text),
        None => (1.0, &*text),
    };
    let zeros = text.iter().rev().take_while(|byte| **byte == b'0').count();
    let text = text.get(..text.len().saturating_sub(zeros)).unwrap_or_default();
    let float = match text {
        b"nan(ind)" | b"nan(snan)" | b"1.#ind" | b"1.#qnan" | b"1.#snan" => f32::NAN,
        b"1.#inf" => f32::INFINITY,
        _ => return None,
    };
    Some(float.copysign(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parsers_read_the_same_floats() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state >> 32) as u32;
            let decimals = (state >> 20) as usize % 12;
            // Numbers of every size, those in the middle between two floats among them.
            let near = f64::from_bits((f64::from(f32::from_bits(bits))).to_bits() | (state & 1) << 28);
            for text in [format!("{near:.decimals$}"), format!("{:.decimals$}", f64::from(bits) / 1e6)] {
                let (fast, slow) = (float(text.as_bytes()), text.parse::<f32>().ok());
                assert!(fast.map(f32::to_bits) == slow.map(f32::to_bits) || near.is_nan(), "{text}");
            }
        }
        for (text, expected) in [("16777217", 16_777_216.0_f32), ("16777219", 16_777_220.0), (".9", 0.9), ("-0", -0.0)]
        {
            assert_eq!(float(text.as_bytes()).map(f32::to_bits), Some(expected.to_bits()), "{text}");
        }
        assert_eq!((float(b"."), float(b"-"), float(b""), float(b"1 2")), (None, None, None, None));
    }

    #[test]
    fn unusual_formats_are_read() {
        assert_eq!(binary(b"00 0102 \n 0\t3fF").as_deref(), Some([0, 1, 2, 3, 0xFF].as_slice()));
        assert_eq!((binary(b"0"), binary(b"0g")), (None, None));
        assert_eq!(
            (uint64(b"0xfF"), uint64(b"18446744073709551615"), uint64(b"0x+1")),
            (Some(255), Some(u64::MAX), None)
        );
        assert_eq!(
            (time(b"1.5000"), time(b"-0.0001"), time(b"1e9"), time(b"nan")),
            (Some(15_000), Some(-1), None, None)
        );
        assert_eq!(floats::<3>(b" 1\n.5 -2e0 "), Some([1.0, 0.5, -2.0]));
        assert_eq!(
            floats::<3>(b"-1.#INF000000 inf -Infinity"),
            Some([f32::NEG_INFINITY, f32::INFINITY, f32::NEG_INFINITY])
        );
        for (text, negative) in
            [("nan", false), ("-nan(ind)", true), ("NAN(SNAN)", false), ("-1.#IND000000", true), ("1.#QNAN", false)]
        {
            let found = float(text.as_bytes()).map(|found| (found.is_nan(), found.is_sign_negative()));
            assert_eq!(found, Some((true, negative)), "{text}");
        }
        assert_eq!([b"1.#".as_slice(), b"1.#J", b"nan(1)", b"#inf", b"nan(ind)0x"].map(float), [None; 5]);
        assert_eq!((floats::<3>(b"1 2"), floats::<2>(b"1 2 3")), (None, None));
    }
}
