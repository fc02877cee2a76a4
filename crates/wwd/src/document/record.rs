//! Records of fixed size: one table gives the struct, its reader and writer, and its fields for queries and edits.

use std::fmt;

use mapwright_io::{FixedBytes, escape_bytes};
use mapwright_query::{FieldType, Value, ValueError, type_error};

use super::Rect;

/// The value of a field that is looked up by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldValue {
    /// A word that the format's descriptions show unsigned: flags, codes, reserved words.
    Word(u32),
    /// A number.
    Int(i32),
    /// A rectangle.
    Rect(Rect),
    /// Bytes of a string. Those of a slot end before the zeros at its end, so that they include what follows the first NUL.
    Text(Vec<u8>),
}

/// Numbers are decimal, words hexadecimal, rectangles `left,top,right,bottom`; bytes that are not printable ASCII are `\xHH`.
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

/// A field that was not set by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// No field has that name.
    #[error("unknown field `{name}`")]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// The field has values of another type.
    #[error("invalid value for `{name}`: expected {expected}")]
    Type {
        /// The field.
        name: &'static str,
        /// The values that it takes.
        expected: &'static str,
    },
    /// The text is longer than the slot.
    #[error("text too long for {name}: {length} bytes, expected at most {room}")]
    Long {
        /// The field.
        name: &'static str,
        /// Bytes of its slot.
        room: usize,
        /// Bytes of the text.
        length: usize,
    },
}

/// A field of a record in the file.
pub(crate) trait Field: Sized {
    /// Bytes in the file.
    const SIZE: usize;

    /// Reads the field from its bytes.
    fn get(bytes: &[u8]) -> Self;

    /// Writes the field into its bytes.
    fn write_to(&self, bytes: &mut [u8]);

    /// The field as a value.
    fn value(&self) -> FieldValue;

    /// The field of a value.
    fn from_value(name: &'static str, value: FieldValue) -> Result<Self, FieldError>;
}

impl Field for u32 {
    const SIZE: usize = 4;

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default())
    }

    #[inline]
    fn write_to(&self, bytes: &mut [u8]) {
        fill(bytes, &self.to_le_bytes());
    }

    fn value(&self) -> FieldValue {
        FieldValue::Word(*self)
    }

    fn from_value(name: &'static str, value: FieldValue) -> Result<Self, FieldError> {
        match value {
            FieldValue::Word(word) => Ok(word),
            FieldValue::Int(number) => Ok(number.cast_unsigned()),
            _ => Err(FieldError::Type { name, expected: "a number of 32 bits" }),
        }
    }
}

impl Field for i32 {
    const SIZE: usize = 4;

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        u32::get(bytes).cast_signed()
    }

    #[inline]
    fn write_to(&self, bytes: &mut [u8]) {
        self.cast_unsigned().write_to(bytes);
    }

    fn value(&self) -> FieldValue {
        FieldValue::Int(*self)
    }

    fn from_value(name: &'static str, value: FieldValue) -> Result<Self, FieldError> {
        u32::from_value(name, value).map(u32::cast_signed)
    }
}

impl Field for Rect {
    const SIZE: usize = 16;

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        let part = |at: usize| i32::get(bytes.get(at..).unwrap_or_default());
        Self { left: part(0), top: part(4), right: part(8), bottom: part(12) }
    }

    #[inline]
    fn write_to(&self, bytes: &mut [u8]) {
        let (words, _) = bytes.as_chunks_mut::<4>();
        for (word, value) in words.iter_mut().zip([self.left, self.top, self.right, self.bottom]) {
            *word = value.to_le_bytes();
        }
    }

    fn value(&self) -> FieldValue {
        FieldValue::Rect(*self)
    }

    fn from_value(name: &'static str, value: FieldValue) -> Result<Self, FieldError> {
        match value {
            FieldValue::Rect(rect) => Ok(rect),
            _ => Err(FieldError::Type { name, expected: "a rectangle: left, top, right, bottom" }),
        }
    }
}

impl mapwright_query::FieldValue for Rect {
    const TYPE: FieldType = FieldType::Numbers { count: 4, is_whole: true };

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::from([self.left, self.top, self.right, self.bottom].map(f64::from).to_vec()))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let wrong = || type_error(Self::TYPE);
        let Value::Numbers(numbers) = value else { return Err(wrong()) };
        let [left, top, right, bottom] = numbers[..] else { return Err(wrong()) };
        let side = |number: f64| {
            let fits = number.fract() == 0.0 && number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX);
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            fits.then_some(number as i32).ok_or_else(wrong)
        };
        *self = Self { left: side(left)?, top: side(top)?, right: side(right)?, bottom: side(bottom)? };
        Ok(())
    }
}

impl<const N: usize> Field for FixedBytes<N> {
    const SIZE: usize = N;

    #[inline]
    fn get(bytes: &[u8]) -> Self {
        Self { raw: bytes.first_chunk().copied().unwrap_or([0; N]) }
    }

    #[inline]
    fn write_to(&self, bytes: &mut [u8]) {
        fill(bytes, &self.raw);
    }

    fn value(&self) -> FieldValue {
        let zeros = self.raw.iter().rev().take_while(|&&byte| byte == 0).count();
        FieldValue::Text(self.raw.get(..N.saturating_sub(zeros)).unwrap_or_default().to_vec())
    }

    fn from_value(name: &'static str, value: FieldValue) -> Result<Self, FieldError> {
        let FieldValue::Text(text) = value else {
            return Err(FieldError::Type { name, expected: "text" });
        };
        Self::from_text(&text).ok_or(FieldError::Long { name, room: N, length: text.len() })
    }
}

/// A record whose fields have names.
pub(crate) trait Record {
    /// The names of all fields with a value, in the order of the file.
    const FIELDS: &'static [&'static str];

    /// The value of a field.
    fn value(&self, name: &str) -> Option<FieldValue>;

    /// Sets a field.
    #[cfg_attr(not(any(feature = "scene", feature = "serde")), allow(dead_code))]
    fn set(&mut self, name: &str, value: FieldValue) -> Result<(), FieldError>;
}

/// Copies as many bytes as both have.
#[inline]
pub(super) fn fill(place: &mut [u8], bytes: &[u8]) {
    let both = place.len().min(bytes.len());
    if let (Some(place), Some(bytes)) = (place.get_mut(..both), bytes.get(..both)) {
        place.copy_from_slice(bytes);
    }
}

/// Implements fields for words with names.
macro_rules! word_fields {
    ($($code:ty: $variant:ident),* $(,)?) => { $(
        mapwright_query::named_words!($code: $variant(<$code>::NAMES));

        impl $crate::document::record::Field for $code {
            const SIZE: usize = 4;

            #[inline]
            fn get(bytes: &[u8]) -> Self {
                Self(u32::get(bytes))
            }

            #[inline]
            fn write_to(&self, bytes: &mut [u8]) {
                self.0.write_to(bytes);
            }

            fn value(&self) -> $crate::FieldValue {
                $crate::FieldValue::Word(self.0)
            }

            fn from_value(name: &'static str, value: $crate::FieldValue) -> Result<Self, $crate::FieldError> {
                u32::from_value(name, value).map(Self)
            }
        }
    )* };
}
pub(crate) use word_fields;

/// Declares a record: a struct whose fields are in the file in this order without gaps, texts and parts that are elsewhere in the file,
/// and names for queries and edits alone. Counts, lengths and offsets that follow from the texts and parts are between the fields in
/// the file, but not in the struct.
///
/// A field can have aliases after `|`, and a unit or other members of [`Field`](mapwright_query::Field) in braces.
macro_rules! record {
    (
        $(#[doc = $doc:expr])*
        pub struct $name:ident as $schema:ident $kind:literal {
            $(
                $(#[doc = $field_doc:expr])*
                $field:ident $(| $alias:ident)* : $type:ty $({ $($key:ident : $value:expr),* $(,)? })?,
            )*
        } and {
            $( $(#[doc = $text_doc:expr])* $text:ident $(| $text_alias:ident)* : Vec<u8>, )*
        } and {
            $( $(#[doc = $part_doc:expr])* $part:ident: $part_type:ty, )*
        } with {
            $($names:tt)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $( $(#[doc = $field_doc])* pub $field: $type, )*
            $( $(#[doc = $text_doc])* pub $text: Vec<u8>, )*
            $( $(#[doc = $part_doc])* pub $part: $part_type, )*
        }

        mapwright_query::fields! {
            pub(crate) static $schema: $kind = $name {
                $( $(#[doc = $field_doc])* $field $(| $alias)* : $type $({ $($key : $value),* })?; )*
                $( $(#[doc = $text_doc])* $text $(| $text_alias)* : Vec<u8>; )*
                $($names)*
            }
        }

        impl $name {
            /// The names of all fields with a value, in the order of the file.
            pub const FIELDS: &[&str] = &[ $( stringify!($field), )* $( stringify!($text), )* ];

            /// Bytes of the fields in the file.
            pub(crate) const SIZE: usize = 0 $( + <$type as $crate::document::record::Field>::SIZE )*;

            /// Reads the fields. Texts and parts are empty.
            #[allow(unused_assignments, reason = "nothing follows the last field")]
            pub(crate) fn get(bytes: &[u8; Self::SIZE]) -> Self {
                use $crate::document::record::Field as _;
                let mut rest = &bytes[..];
                $(
                    let (part, next) = rest.split_at_checked(<$type>::SIZE).unwrap_or_default();
                    let $field = <$type>::get(part);
                    rest = next;
                )*
                Self { $( $field, )* $( $text: Vec::new(), )* $( $part: Default::default(), )* }
            }

            /// Writes the fields.
            #[allow(unused_assignments, reason = "nothing follows the last field")]
            pub(crate) fn to_record_bytes(&self) -> [u8; Self::SIZE] {
                use $crate::document::record::Field as _;
                let mut bytes = [0; Self::SIZE];
                let mut rest = &mut bytes[..];
                $(
                    let (part, next) = rest.split_at_mut_checked(<$type>::SIZE).unwrap_or_default();
                    self.$field.write_to(part);
                    rest = next;
                )*
                bytes
            }

            /// Returns the value of a field by name.
            pub fn field(&self, name: &str) -> Option<$crate::FieldValue> {
                use $crate::document::record::Field as _;
                match name {
                    $( stringify!($field) => Some(self.$field.value()), )*
                    $( stringify!($text) => Some($crate::FieldValue::Text(self.$text.clone())), )*
                    _ => None,
                }
            }

            /// Sets a field by name.
            ///
            /// # Errors
            /// If there is no such field, or it cannot have that value.
            pub fn set_field(&mut self, name: &str, value: $crate::FieldValue) -> Result<(), $crate::FieldError> {
                use $crate::document::record::Field as _;
                match name {
                    $( stringify!($field) => self.$field = <$type>::from_value(stringify!($field), value)?, )*
                    $(
                        stringify!($text) => match value {
                            $crate::FieldValue::Text(text) => self.$text = text,
                            _ => return Err($crate::FieldError::Type { name: stringify!($text), expected: "text" }),
                        },
                    )*
                    _ => return Err($crate::FieldError::Unknown { name: name.to_owned() }),
                }
                Ok(())
            }
        }

        impl $crate::document::record::Record for $name {
            const FIELDS: &'static [&'static str] = Self::FIELDS;

            fn value(&self, name: &str) -> Option<$crate::FieldValue> {
                self.field(name)
            }

            fn set(&mut self, name: &str, value: $crate::FieldValue) -> Result<(), $crate::FieldError> {
                self.set_field(name, value)
            }
        }

        impl Default for $name {
            /// All numbers are zero, all strings empty.
            fn default() -> Self {
                Self::get(&[0; Self::SIZE])
            }
        }
    };
}
pub(crate) use record;
