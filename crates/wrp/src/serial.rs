//! Documents as data: numbers with all their bits, bytes as text.
//!
//! A float is a number where reading it as a double gives the same bits, and else its bits as text, `"0x7fc87f88"`. Bytes are spelled
//! as [`spell`](mapwright_io::spell) does; zeros at the end of fields of fixed width are left out.

use mapwright_io::{FixedBytes, spell, unspell};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::{Heading, Matrix, SubNet, used};
use crate::steps::narrow;

/// Floats, alone and in lists.
pub(crate) trait Exact: Sized {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// For `#[serde(with)]`.
pub(crate) mod exact {
    use super::{Deserializer, Exact, Serializer};

    pub(crate) fn serialize<T: Exact, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl Exact for f32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let comes_back = || {
            let double: f64 = self.to_string().parse().unwrap_or(f64::NAN);
            narrow(double).to_bits() == self.to_bits()
        };
        if self.is_finite() && comes_back() {
            serializer.serialize_f32(*self)
        } else {
            serializer.collect_str(&format_args!("{:#010x}", self.to_bits()))
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = f32;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or its bits as \"0x7fc00000\"")
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
                digits.map(f32::from_bits).ok_or_else(|| E::custom("bits are written as 0x7fc00000"))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What stands in a list, as data.
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
        // A list of wrapped items: those of one number cost nothing more than the list.
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
        list.try_into().map_err(|_| de::Error::custom(format_args!("{N} numbers are wanted, not {found}")))
    }
}

/// Bytes.
struct Text(Vec<u8>);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&spell(&self.0))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(unspell(&String::deserialize(deserializer)?)))
    }
}

fn text(bytes: &[u8]) -> Text {
    Text(bytes.to_vec())
}

/// Bytes of a field of fixed width.
fn field(bytes: &[u8]) -> Text {
    text(used(bytes))
}

fn padded<const N: usize, E: de::Error>(Text(bytes): Text) -> Result<[u8; N], E> {
    let mut field = [0; N];
    let found = bytes.len();
    let place = field.get_mut(..found).ok_or_else(|| E::custom(format_args!("{found} bytes in a field of {N}")))?;
    place.copy_from_slice(&bytes);
    Ok(field)
}

/// Types that other ones stand for in data.
macro_rules! with {
    ($(#[doc = $doc:literal] $module:ident $(<const $n:ident: usize>)?: $type:ty as $stand_in:ty, $to:expr, $from:expr;)*) => {$(
        #[doc = $doc]
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn serialize<S: Serializer $(, const $n: usize)?>(value: &$type, serializer: S) -> Result<S::Ok, S::Error> {
                let to: fn(&$type) -> $stand_in = $to;
                to(value).serialize(serializer)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de> $(, const $n: usize)?>(deserializer: D) -> Result<$type, D::Error> {
                let from: fn($stand_in) -> Result<$type, D::Error> = $from;
                from(<$stand_in>::deserialize(deserializer)?)
            }
        }
    )*};
}

with! {
    #[doc = "Bytes."]
    bytes: Vec<u8> as Text, |bytes| text(bytes), |text| Ok(text.0);
    #[doc = "Bytes that may not be there."]
    maybe_bytes: Option<Vec<u8>> as Option<Text>, |bytes| bytes.as_deref().map(text), |bytes| Ok(bytes.map(|text| text.0));
    #[doc = "Lists of names."]
    name_lists: Vec<Vec<Vec<u8>>> as Vec<Vec<Text>>,
        |lists| lists.iter().map(|list| list.iter().map(|name| text(name)).collect()).collect(),
        |lists| Ok(lists.into_iter().map(|list| list.into_iter().map(|text| text.0).collect()).collect());
    #[doc = "Slots of names."]
    slots: Vec<FixedBytes<32>> as Vec<Text>, |slots| slots.iter().map(|slot| field(&slot.raw)).collect(),
        |list| list.into_iter().map(|text| padded(text).map(|raw| FixedBytes { raw })).collect();
    #[doc = "A record."]
    record<const N: usize>: [u8; N] as Text, |bytes| field(bytes), |text| padded(text);
}

impl Serialize for SubNet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        record::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for SubNet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        record::deserialize(deserializer).map(Self)
    }
}

/// Twelve numbers in the order of the file.
impl Serialize for Matrix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        exact::serialize(&self.numbers(), serializer)
    }
}

impl<'de> Deserialize<'de> for Matrix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        exact::deserialize(deserializer).map(Self::from_numbers)
    }
}

/// x, y, z and the heading.
impl Serialize for Heading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        exact::serialize(&[self.x, self.y, self.z, self.heading], serializer)
    }
}

impl<'de> Deserialize<'de> for Heading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [x, y, z, heading] = exact::deserialize(deserializer)?;
        Ok(Self { x, y, z, heading })
    }
}
