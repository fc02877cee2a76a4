//! Views whose attributes are declared in a table.

use std::borrow::Cow;

use mapwright_query::{FieldType, Value};

use crate::codes::{
    BlendMode, Color, Compression, DrawOrder, Encoding, FillMode, Gid, HorizontalAlignment, ObjectAlignment,
    Orientation, PropertyType, RenderOrder, StaggerAxis, StaggerIndex, TileRenderSize, VerticalAlignment, WangSetKind,
};
use crate::document::Item;

/// A type of attributes.
pub(crate) trait AttributeValue<'a>: Sized {
    /// The type of its values.
    const TYPE: FieldType;

    /// Reads a value. Returns `None` if it is invalid.
    fn read(item: Item<'a>) -> Option<Self>;

    /// Returns the value as that of a field.
    fn into_value(self) -> Value<'a>;
}

/// Declares a view: a name, and a line for each attribute with its method, the name in the file, type and default value. Methods of
/// attributes without a default value return an option.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident<$life:lifetime> {
        $($(#[doc = $doc:literal])* $method:ident($attribute:literal): $type:ty $(= $default:expr)?;)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name<$life>(Item<$life>);

        impl<$life> $name<$life> {
            /// The attributes, with the names of attributes in XML and of keys in JSON.
            pub const ATTRIBUTES: &'static [mapwright_query::Field] = &[$(
                mapwright_query::Field::new(
                    $attribute,
                    &[],
                    <$type as $crate::view::record::AttributeValue<$life>>::TYPE,
                    true,
                    concat!($($doc),*).trim_ascii(),
                ),
            )*];

            /// Returns the value of an attribute by its index.
            #[allow(unused_mut, unused_variables, unused_assignments, reason = "a view may have no attributes")]
            pub fn attribute(self, index: usize) -> Option<mapwright_query::Value<$life>> {
                let mut at = 0_usize;
                $(
                    if index == at {
                        let value = self.$method();
                        return $crate::view::record::record!(@field value $(, $default)?);
                    }
                    at = at.saturating_add(1);
                )*
                None
            }

            pub(crate) const fn new(item: Item<$life>) -> Self {
                Self(item)
            }

            /// Returns the element or object.
            pub const fn item(self) -> Item<$life> {
                self.0
            }

            $(
                $(#[doc = $doc])*
                pub fn $method(self) -> $crate::view::record::record!(@type $type $(, $default)?) {
                    let value = self.0.get($attribute).and_then($crate::view::record::AttributeValue::read);
                    $crate::view::record::record!(@value value $(, $default)?)
                }
            )*
        }
    };
    (@type $type:ty) => { Option<$type> };
    (@type $type:ty, $default:expr) => { $type };
    (@field $value:ident) => { $value.map($crate::view::record::AttributeValue::into_value) };
    (@field $value:ident, $default:expr) => { Some($crate::view::record::AttributeValue::into_value($value)) };
    (@value $value:ident) => { $value };
    (@value $value:ident, $default:expr) => { $value.unwrap_or($default) };
}
pub(crate) use record;

impl<'a> AttributeValue<'a> for Cow<'a, str> {
    const TYPE: FieldType = FieldType::TEXT;

    fn read(item: Item<'a>) -> Option<Self> {
        Some(item.text())
    }

    fn into_value(self) -> Value<'a> {
        Value::Text(self)
    }
}

/// Reads a whole number, also one with decimals that are zero or an exponent, which other programs write.
pub(crate) fn read_int(item: Item<'_>) -> Option<i64> {
    let text = item.text();
    let text = text.trim_ascii();
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        // Larger numbers have no decimals to check.
        let is_whole = number.fract() == 0.0 && number.abs() < 9e15;
        #[allow(clippy::cast_possible_truncation)] // Checked above.
        is_whole.then_some(number as i64)
    })
}

impl<'a> AttributeValue<'a> for i32 {
    const TYPE: FieldType = FieldType::I32;

    fn read(item: Item<'a>) -> Option<Self> {
        read_int(item).and_then(|number| number.try_into().ok())
    }

    fn into_value(self) -> Value<'a> {
        self.into()
    }
}

impl<'a> AttributeValue<'a> for u32 {
    const TYPE: FieldType = FieldType::Int { min: 0, max: u32::MAX as i64 };

    fn read(item: Item<'a>) -> Option<Self> {
        read_int(item).and_then(|number| number.try_into().ok())
    }

    fn into_value(self) -> Value<'a> {
        self.into()
    }
}

/// Some programs write the flags as a sign.
impl<'a> AttributeValue<'a> for Gid {
    const TYPE: FieldType = FieldType::Int { min: i32::MIN as i64, max: u32::MAX as i64 };

    fn read(item: Item<'a>) -> Option<Self> {
        let number = read_int(item)?;
        let signed = || i32::try_from(number).ok().map(i32::cast_unsigned);
        u32::try_from(number).ok().or_else(signed).map(Self)
    }

    fn into_value(self) -> Value<'a> {
        self.0.into()
    }
}

impl<'a> AttributeValue<'a> for f64 {
    const TYPE: FieldType = FieldType::F64;

    fn read(item: Item<'a>) -> Option<Self> {
        item.text().trim_ascii().parse().ok().filter(|number: &Self| number.is_finite())
    }

    fn into_value(self) -> Value<'a> {
        self.into()
    }
}

impl<'a> AttributeValue<'a> for bool {
    const TYPE: FieldType = FieldType::Bool;

    fn read(item: Item<'a>) -> Option<Self> {
        match &*item.text() {
            "true" => Some(true),
            "false" => Some(false),
            _ => read_int(item).map(|number| number != 0),
        }
    }

    fn into_value(self) -> Value<'a> {
        self.into()
    }
}

impl<'a> AttributeValue<'a> for Color {
    const TYPE: FieldType = FieldType::TEXT;

    fn read(item: Item<'a>) -> Option<Self> {
        Self::from_text(item.text().trim_ascii())
    }

    fn into_value(self) -> Value<'a> {
        self.to_string().into()
    }
}

macro_rules! word_values {
    ($($type:ty),* $(,)?) => { $(
        impl<'a> AttributeValue<'a> for $type {
            const TYPE: FieldType = FieldType::Choice(<$type>::NAMES);

            fn read(item: Item<'a>) -> Option<Self> {
                Self::from_name(&item.text())
            }

            fn into_value(self) -> Value<'a> {
                self.name().into()
            }
        }
    )* };
}
word_values!(
    BlendMode,
    Compression,
    DrawOrder,
    Encoding,
    FillMode,
    HorizontalAlignment,
    ObjectAlignment,
    Orientation,
    PropertyType,
    RenderOrder,
    StaggerAxis,
    StaggerIndex,
    TileRenderSize,
    VerticalAlignment,
    WangSetKind,
);
