//! The values of attributes.

use super::{ElementId, Guid, StringId};

/// The target of an attribute that refers to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// No element.
    Null,
    /// An element of this document.
    Element(ElementId),
    /// An element of another document, as the text of its identity.
    External(StringId),
}

macro_rules! types {
    ($( $(#[$meta:meta])* $name:ident($one:ty) $array:ident($item:ty) $text:literal; )*) => {
        /// A value of an attribute: one of 17 types, or an array of one of them.
        ///
        /// An array is one allocation, whatever its length.
        #[derive(Debug, Clone)]
        pub enum Value {
            $( $(#[$meta])* $name($one), )*
            $( #[doc = concat!("An array of `", $text, "`.")] $array(Box<[$item]>), )*
        }

        /// The type of a value, or of the items of an array.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ValueType {
            $( $(#[$meta])* $name, )*
        }

        /// A single value, or an item of an array; see [`Value::items`].
        #[derive(Debug, Clone, Copy)]
        pub enum Item<'v> {
            $( $(#[$meta])* $name(&'v $item), )*
        }

        impl ValueType {
            /// All types.
            pub const ALL: &'static [Self] = &[$( Self::$name, )*];

            /// Returns the name of the type in text files.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$name => $text, )* }
            }
        }

        impl PartialEq for Value {
            /// Floats are equal if their bits are.
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $( (Self::$name(a), Self::$name(b)) => a.bit_eq(b), )*
                    $( (Self::$array(a), Self::$array(b)) => a.bit_eq(b), )*
                    _ => false,
                }
            }
        }

        impl Value {
            /// Returns the type of the value, or of the items of the array.
            #[inline]
            pub const fn value_type(&self) -> ValueType {
                match self { $( Self::$name(_) | Self::$array(_) => ValueType::$name, )* }
            }

            /// Returns the number of items of an array; `None` for a single value.
            #[inline]
            pub const fn array_len(&self) -> Option<usize> {
                match self {
                    $( Self::$name(_) => None, )*
                    $( Self::$array(items) => Some(items.len()), )*
                }
            }

            /// Returns the item at an index of an array. A single value has the index 0.
            #[inline]
            pub(crate) fn item(&self, index: usize) -> Option<Item<'_>> {
                match self {
                    $( Self::$name(one) => (index == 0).then_some(Item::$name(one)), )*
                    $( Self::$array(items) => items.get(index).map(Item::$name), )*
                }
            }
        }
    };
}

types! {
    /// A reference to an element.
    Element(Reference) ElementArray(Reference) "element";
    /// An integer.
    Int(i32) IntArray(i32) "int";
    /// A number.
    Float(f32) FloatArray(f32) "float";
    /// A boolean: 0 or 1. Other bytes are preserved.
    Bool(u8) BoolArray(u8) "bool";
    /// Text, mostly UTF-8.
    String(StringId) StringArray(StringId) "string";
    /// Bytes.
    Binary(Box<[u8]>) BinaryArray(Box<[u8]>) "binary";
    /// A time in units of 0.1 ms; not in binary 0 to 2.
    Time(i32) TimeArray(i32) "time";
    /// An identity; only in binary 0 to 2.
    ObjectId(Guid) ObjectIdArray(Guid) "elementid";
    /// Red, green, blue and alpha.
    Color([u8; 4]) ColorArray([u8; 4]) "color";
    /// x and y.
    Vector2([f32; 2]) Vector2Array([f32; 2]) "vector2";
    /// x, y and z.
    Vector3([f32; 3]) Vector3Array([f32; 3]) "vector3";
    /// x, y, z and w.
    Vector4([f32; 4]) Vector4Array([f32; 4]) "vector4";
    /// Pitch, yaw and roll in degrees.
    QAngle([f32; 3]) QAngleArray([f32; 3]) "qangle";
    /// x, y, z and w.
    Quaternion([f32; 4]) QuaternionArray([f32; 4]) "quaternion";
    /// Four rows of four numbers.
    Matrix(Box<[f32; 16]>) MatrixArray([f32; 16]) "matrix";
    /// An integer of 64 bits; only in binary 9 and text 4.
    UInt64(u64) UInt64Array(u64) "uint64";
    /// An integer of 8 bits; only in binary 9 and text 4.
    UInt8(u8) UInt8Array(u8) "uint8";
}

impl Eq for Value {}

impl Value {
    /// Returns the size of the value in a binary file in bytes, without the text of strings.
    pub(crate) fn size(&self) -> usize {
        let each = match self.value_type() {
            ValueType::Bool | ValueType::UInt8 => 1,
            ValueType::Element | ValueType::Int | ValueType::Float | ValueType::String => 4,
            ValueType::Binary | ValueType::Time | ValueType::Color => 4,
            ValueType::Vector2 | ValueType::UInt64 => 8,
            ValueType::Vector3 | ValueType::QAngle => 12,
            ValueType::Vector4 | ValueType::Quaternion | ValueType::ObjectId => 16,
            ValueType::Matrix => 64,
        };
        let blobs = match self {
            Self::Binary(bytes) => bytes.len(),
            Self::BinaryArray(items) => items.iter().map(|bytes| bytes.len()).sum(),
            _ => 0,
        };
        self.array_len().map_or(each, |count| count.saturating_mul(each).saturating_add(4)).saturating_add(blobs)
    }

    /// Iterates over the items of an array, or over the single value.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        (0..self.array_len().unwrap_or(1)).filter_map(|index| self.item(index))
    }

    /// Iterates over the elements of this document that the value refers to, in order.
    pub fn elements(&self) -> impl DoubleEndedIterator<Item = ElementId> {
        let references = match self {
            Self::Element(reference) => std::slice::from_ref(reference),
            Self::ElementArray(references) => references,
            _ => &[],
        };
        references.iter().filter_map(|reference| match reference {
            Reference::Element(id) => Some(*id),
            Reference::Null | Reference::External(_) => None,
        })
    }
}

/// Equality of bits.
trait BitEq {
    fn bit_eq(&self, other: &Self) -> bool;
}

impl BitEq for f32 {
    #[inline]
    fn bit_eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

macro_rules! bit_eq_as_eq {
    ($($type:ty)*) => { $(
        impl BitEq for $type {
            #[inline]
            fn bit_eq(&self, other: &Self) -> bool {
                self == other
            }
        }
    )* };
}

bit_eq_as_eq! { Reference i32 u8 StringId Guid u64 }

impl<T: BitEq> BitEq for [T] {
    fn bit_eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.bit_eq(b))
    }
}

impl<T: BitEq, const N: usize> BitEq for [T; N] {
    fn bit_eq(&self, other: &Self) -> bool {
        self.as_slice().bit_eq(other)
    }
}

impl<T: BitEq + ?Sized> BitEq for Box<T> {
    fn bit_eq(&self, other: &Self) -> bool {
        (**self).bit_eq(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_small_and_equal_by_bits() {
        assert_eq!(size_of::<Value>(), 24);
        assert_eq!(Value::Float(f32::NAN), Value::Float(f32::NAN));
        assert_ne!(Value::Vector2([0.0, 0.0]), Value::Vector2([0.0, -0.0]));
    }
    #[test]
    fn items_are_single_values() {
        let floats = |value: &Value| -> Vec<f32> {
            let rows = value.items().map(|item| match item {
                Item::Float(float) => std::slice::from_ref(float),
                Item::Vector2(floats) => floats,
                Item::Matrix(floats) => floats,
                other => panic!("{other:?}"),
            });
            rows.flatten().copied().collect()
        };
        assert_eq!(floats(&Value::Float(1.0)), [1.0]);
        assert_eq!(floats(&Value::Vector2([1.0, 2.0])), [1.0, 2.0]);
        assert_eq!(floats(&Value::Vector2Array([[1.0, 2.0], [3.0, 4.0]].into())), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(floats(&Value::Matrix(Box::new([5.0; 16]))), [5.0; 16]);
        assert_eq!(floats(&Value::MatrixArray([[5.0; 16]; 2].into())), [5.0; 32]);
        assert_eq!(floats(&Value::FloatArray([].into())), []);
        let blobs = Value::BinaryArray([Box::from([1]), Box::default()].into());
        assert!(matches!(blobs.items().collect::<Vec<_>>()[..], [Item::Binary(one), Item::Binary(none)]
            if **one == [1] && none.is_empty()));
    }
}
