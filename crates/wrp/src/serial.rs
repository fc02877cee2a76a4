//! Serialization of documents: numbers with all bits, and bytes as text.
//!
//! A float is a number if a double represents it exactly, else its bits as text, `"0x7fc87f88"`. Bytes are escaped by
//! [`escape_bytes`](mapwright_io::escape_bytes). Zeros at the end of fixed-width fields are omitted.

use mapwright_io::FixedBytes;
pub(crate) use mapwright_io::serial::{bytes, exact, maybe_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::{Heading, Matrix, SubNet, trim_zeros};

/// Bytes.
struct Text(Vec<u8>);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bytes::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bytes::deserialize(deserializer).map(Self)
    }
}

fn text(bytes: &[u8]) -> Text {
    Text(bytes.to_vec())
}

/// Bytes of a fixed-width field.
fn field(bytes: &[u8]) -> Text {
    text(trim_zeros(bytes))
}

fn padded<const N: usize, E: de::Error>(Text(bytes): Text) -> Result<[u8; N], E> {
    let mut field = [0; N];
    let found = bytes.len();
    let start =
        field.get_mut(..found).ok_or_else(|| E::custom(format_args!("{found} bytes exceed a field of {N} bytes")))?;
    start.copy_from_slice(&bytes);
    Ok(field)
}

/// Declares serde modules for types that are serialized as another type.
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

/// Twelve numbers in file order.
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
