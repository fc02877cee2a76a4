//! Documents as data: numbers with all their bits, bytes as text.
//!
//! A float is a number where reading it as a double gives the same bits, and else its bits as text, `"0x7fc87f88"`. Bytes are spelled
//! as [`spell`](mapwright_io::escape_bytes) does; zeros at the end of fields of fixed width are left out.

use mapwright_io::FixedBytes;
pub(crate) use mapwright_io::serial::{bytes, exact, maybe_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::document::{Heading, Matrix, SubNet, used};

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
