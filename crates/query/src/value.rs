//! Values of fields.

use std::borrow::Cow;
use std::fmt;

use mapwright_io::escape_bytes;

/// Numbers and their names: the bits of flags, or the values of a code.
pub type Names = &'static [(u32, &'static str)];

/// The value of a field. Numbers and borrowed text need no allocation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Flags, and the names of their bits.
    Flags(u32, Names),
    /// A code, and the names of its values.
    Code(u32, Names),
    /// A word, and the words of wider kinds: comparisons also accept these.
    Word(&'static str, &'static [&'static str]),
    /// Text.
    Text(Cow<'a, str>),
    /// Text in an unknown encoding.
    Bytes(Cow<'a, [u8]>),
    /// Several numbers, such as a colour, a position or a rectangle.
    Numbers(Cow<'a, [f64]>),
    /// Several values. A comparison is true if it is true for one of them; `!=` if it is true for all.
    Any(Vec<Value<'a>>),
}

impl Value<'_> {
    /// Copies what the value borrows.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Bool(flag) => Value::Bool(flag),
            Self::Int(number) => Value::Int(number),
            Self::Float(number) => Value::Float(number),
            Self::Flags(bits, names) => Value::Flags(bits, names),
            Self::Code(code, names) => Value::Code(code, names),
            Self::Word(word, wider) => Value::Word(word, wider),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::Bytes(bytes) => Value::Bytes(Cow::Owned(bytes.into_owned())),
            Self::Numbers(numbers) => Value::Numbers(Cow::Owned(numbers.into_owned())),
            Self::Any(values) => Value::Any(values.into_iter().map(Value::into_owned).collect()),
        }
    }

    /// Returns the value as a number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            // Numbers compare as they are printed: beyond 2^53 as the nearest float.
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Flags(number, _) | Self::Code(number, _) => Some((*number).into()),
            _ => None,
        }
    }
}

/// Names of flags are joined by `|`. Numbers of a list are separated by spaces. Bytes that are not printable ASCII are `\xHH`.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number}"),
            Self::Flags(bits, names) => write_flags(f, *bits, names),
            Self::Code(code, names) => match names.iter().find(|(value, _)| value == code) {
                Some((_, name)) => f.write_str(name),
                None => write!(f, "{code}"),
            },
            Self::Word(word, _) => f.write_str(word),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => f.write_str(&escape_bytes(bytes)),
            Self::Numbers(numbers) => write_joined(f, numbers.iter(), " "),
            Self::Any(values) => write_joined(f, values.iter(), ", "),
        }
    }
}

fn write_joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        f.write_str(if index == 0 { "" } else { separator })?;
        write!(f, "{item}")?;
    }
    Ok(())
}

fn write_flags(f: &mut fmt::Formatter<'_>, bits: u32, names: Names) -> fmt::Result {
    let named = names.iter().filter(|(bit, _)| *bit != 0 && bits & bit == *bit);
    let unnamed = named.clone().fold(bits, |left, (bit, _)| left & !bit);
    write_joined(f, named.clone().map(|(_, name)| name), "|")?;
    match (unnamed, named.count()) {
        (0, 0) => f.write_str("0"),
        (0, _) => Ok(()),
        (rest, 0) => write!(f, "{rest:#x}"),
        (rest, _) => write!(f, "|{rest:#x}"),
    }
}

macro_rules! from_numbers {
    ($($type:ty => $variant:ident,)*) => { $(
        impl From<$type> for Value<'_> {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )* };
}
from_numbers! {
    bool => Bool, u8 => Int, u16 => Int, u32 => Int, i8 => Int, i16 => Int, i32 => Int, i64 => Int, f32 => Float, f64 => Float,
}

impl From<usize> for Value<'_> {
    fn from(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Cow::Owned(bytes))
    }
}

impl<'a> From<&'a [f64]> for Value<'a> {
    fn from(numbers: &'a [f64]) -> Self {
        Self::Numbers(Cow::Borrowed(numbers))
    }
}

impl From<Vec<f64>> for Value<'_> {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Numbers(Cow::Owned(numbers))
    }
}
