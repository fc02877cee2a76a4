//! Serde support for exact numbers and bytes.
//!
//! A float is a number if reading it as a double gives the same bits. Otherwise its bits are text: `"0x7fc87f88"`. A
//! [`FormattedNumber`] with text is that text: `"010"`. Bytes are text as [`escape_bytes`] writes it.

mod json;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{FormattedNumber, escape_bytes, unescape_bytes};
pub use json::Json;

/// Numbers and lists of numbers that serialize with all their bits.
pub trait Exact: Sized {
    /// Serializes the number.
    ///
    /// # Errors
    /// Errors of the serializer.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Deserializes the number.
    ///
    /// # Errors
    /// Errors of the deserializer, and an error for a value that is not a number.
    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Serializes numbers with `#[serde(with)]`.
pub mod exact {
    use super::{Deserializer, Exact, Serializer};

    /// Serializes a number.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<T: Exact, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Deserializes a number.
    ///
    /// # Errors
    /// Errors of the deserializer, and an error for a value that is not a number.
    pub fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl Exact for f32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if survives_as_double(*self) {
            serializer.serialize_f32(*self)
        } else {
            serializer.collect_str(&format_args!("{:#010x}", self.to_bits()))
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Single;
        impl de::Visitor<'_> for Single {
            type Value = f32;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or its bits such as \"0x7fc00000\"")
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<f32, E> {
                Ok(narrow(number))
            }

            #[allow(clippy::cast_precision_loss)] // Numbers without a point are small.
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<f32, E> {
                Ok(number as f32)
            }

            #[allow(clippy::cast_precision_loss)] // Numbers without a point are small.
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<f32, E> {
                Ok(number as f32)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<f32, E> {
                let digits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
                digits
                    .map(f32::from_bits)
                    .ok_or_else(|| E::custom("invalid bits: expected text such as \"0x7fc00000\""))
            }
        }
        deserializer.deserialize_any(Single)
    }
}

/// Returns `true` if the shortest digits of a number, read as a double, round to the same bits. NaN and infinities have no digits.
pub fn survives_as_double(number: f32) -> bool {
    let double = || number.to_string().parse().unwrap_or(f64::NAN);
    number.is_finite() && narrow(double()).to_bits() == number.to_bits()
}

/// Rounds to 32 bits; what is too large becomes infinite.
#[allow(clippy::cast_possible_truncation)]
fn narrow(number: f64) -> f32 {
    number as f32
}

/// A number, or the text of one.
struct Double;

impl de::Visitor<'_> for Double {
    type Value = FormattedNumber<f64>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, its text such as \"010\", or its bits such as \"0x7ff8000000000001\"")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<FormattedNumber<f64>, E> {
        Ok(FormattedNumber::new(number))
    }

    #[allow(clippy::cast_precision_loss)] // Numbers without a point are small.
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<FormattedNumber<f64>, E> {
        Ok(FormattedNumber::new(number as f64))
    }

    #[allow(clippy::cast_precision_loss)] // Numbers without a point are small.
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<FormattedNumber<f64>, E> {
        Ok(FormattedNumber::new(number as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<FormattedNumber<f64>, E> {
        if let Some(digits) = text.strip_prefix("0x") {
            let bits = u64::from_str_radix(digits, 16)
                .map_err(|_| E::custom("invalid bits: expected text such as \"0x7ff8000000000001\""))?;
            return Ok(FormattedNumber::new(f64::from_bits(bits)));
        }
        let number = text.parse().map_err(|_| E::custom(format_args!("invalid number {text:?}")))?;
        Ok(FormattedNumber::from_text(number, text))
    }
}

impl Exact for f64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_finite() {
            serializer.serialize_f64(*self)
        } else {
            serializer.collect_str(&format_args!("{:#018x}", self.to_bits()))
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Double).map(|number| *number.get())
    }
}

impl Exact for FormattedNumber<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.text() {
            Some(text) => serializer.serialize_str(text),
            None => Exact::serialize(self.get(), serializer),
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Double)
    }
}

/// An item of a list.
struct Item<T>(T);

impl<T: Exact> Serialize for Item<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Exact> Deserialize<'de> for Item<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self)
    }
}

impl<T: Exact> Exact for Vec<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Item))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The wrapper of an item has no cost.
        let items: Vec<Item<T>> = Deserialize::deserialize(deserializer)?;
        Ok(items.into_iter().map(|Item(item)| item).collect())
    }
}

impl<T: Exact, const N: usize> Exact for [T; N] {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Item))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Vec<T> = Exact::deserialize(deserializer)?;
        let found = list.len();
        list.try_into().map_err(|_| de::Error::custom(format_args!("{found} numbers, expected {N}")))
    }
}

impl<T: Exact> Exact for Arc<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}

impl<T: Exact> Exact for Box<[T]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Item))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <Vec<T> as Exact>::deserialize(deserializer).map(Vec::into_boxed_slice)
    }
}

impl<T: Exact> Exact for Option<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Item(value)),
            None => serializer.serialize_none(),
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: Option<Item<T>> = Deserialize::deserialize(deserializer)?;
        Ok(value.map(|Item(value)| value))
    }
}

/// Returns `true` for a default value. For `#[serde(skip_serializing_if)]`.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Serializes bytes with `#[serde(with)]`.
pub mod bytes {
    use super::{Deserialize, Deserializer, Serializer, escape_bytes, unescape_bytes};

    /// Serializes bytes.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape_bytes(bytes))
    }

    /// Deserializes bytes.
    ///
    /// # Errors
    /// Errors of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Ok(unescape_bytes(&String::deserialize(deserializer)?))
    }
}

/// Serializes optional bytes with `#[serde(with)]`.
pub mod maybe_bytes {
    use super::{Deserialize, Deserializer, Serialize, Serializer, escape_bytes, unescape_bytes};

    /// Serializes bytes.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        bytes.as_deref().map(escape_bytes).serialize(serializer)
    }

    /// Deserializes bytes.
    ///
    /// # Errors
    /// Errors of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(|text| unescape_bytes(&text)))
    }
}

/// Bytes as hexadecimal digits.
#[derive(Debug, Clone)]
pub struct Hex<'a>(pub Cow<'a, [u8]>);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Hex<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex::deserialize(deserializer).map(|bytes| Self(bytes.into()))
    }
}

/// Bytes as hexadecimal digits, for `#[serde(with)]`.
pub mod hex {
    use std::fmt;

    use super::{Deserializer, Serializer, de};

    /// Writes bytes as two lower-case digits each.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Digits(bytes))
    }

    /// Reads two digits per byte.
    ///
    /// # Errors
    /// Errors of the deserializer, and if the text is not an even number of hexadecimal digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_str(DigitsVisitor)
    }

    struct Digits<'a>(&'a [u8]);

    impl fmt::Display for Digits<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            // In pieces: blocks of megabytes are written without a text of twice their size.
            for piece in self.0.chunks(4096) {
                let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or_default();
                let text: String = piece.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
                f.write_str(&text)?;
            }
            Ok(())
        }
    }

    struct DigitsVisitor;

    impl de::Visitor<'_> for DigitsVisitor {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("hexadecimal digits, two per byte")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<u8>, E> {
            let digit = |letter: u8| char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let byte = |pair: &[u8]| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            };
            let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
            bytes.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
        }
    }
}
