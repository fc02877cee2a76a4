//! Records with named fields.

use std::borrow::Cow;

use mapwright_io::FixedBytes;

use crate::error::ValueError;
use crate::{FieldType, Schema, Value};

/// A record whose fields have names.
///
/// Fields of the [`Schema`] go by index, so that a query looks up names once, not per record. [`fields!`](crate::fields) implements this
/// from one table. Keys that a record has beside them ([`Schema::has_free_keys`]) go by name.
pub trait Fields {
    /// Returns the description of the fields.
    fn schema(&self) -> &'static Schema;

    /// Returns the value of a field of the schema, or `None` if this record lacks it.
    fn get(&self, index: usize) -> Option<Value<'_>>;

    /// Returns the value of a key that is not in the schema.
    fn get_free(&self, key: &str) -> Option<Value<'_>> {
        let _ = key;
        None
    }

    /// Returns the keys that are not in the schema.
    fn free_keys(&self) -> Vec<Cow<'_, str>> {
        Vec::new()
    }

    /// Returns the number that `#12` in a query refers to: by default the field `number`.
    fn number(&self) -> Option<i64> {
        match self.get(self.schema().find("number")?)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the value of a field or key by name.
    fn get_by_name(&self, name: &str) -> Option<Value<'_>> {
        match self.schema().find(name) {
            Some(index) => self.get(index),
            None => self.get_free(name),
        }
    }
}

/// A record whose fields can be set by name.
pub trait SetFields: Fields {
    /// Sets a field of the schema. The value is one that its type [reads](FieldType::parse).
    ///
    /// # Errors
    /// If the record cannot store the value.
    fn set(&mut self, index: usize, value: &Value<'_>) -> Result<(), ValueError>;

    /// Sets a key that is not in the schema, or adds it.
    ///
    /// # Errors
    /// If the record has no such keys, or cannot store the value.
    fn set_free(&mut self, key: &str, value: &Value<'_>) -> Result<(), ValueError> {
        let _ = value;
        Err(ValueError::new(format!("a known field instead of {key}")))
    }
}

impl<T: Fields + ?Sized> Fields for &T {
    fn schema(&self) -> &'static Schema {
        (**self).schema()
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        (**self).get(index)
    }

    fn get_free(&self, key: &str) -> Option<Value<'_>> {
        (**self).get_free(key)
    }

    fn free_keys(&self) -> Vec<Cow<'_, str>> {
        (**self).free_keys()
    }

    fn number(&self) -> Option<i64> {
        (**self).number()
    }
}

/// A type that a field can have.
pub trait FieldValue {
    /// The type of its values.
    const TYPE: FieldType;

    /// Returns the value, or `None` if there is none.
    fn to_value(&self) -> Option<Value<'_>>;

    /// Takes a value.
    ///
    /// # Errors
    /// If it cannot store the value.
    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError>;
}

/// Returns the error for a value of another type.
pub fn type_error(of: FieldType) -> ValueError {
    ValueError::new(of.to_string())
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl FieldValue for $type {
            const TYPE: FieldType = FieldType::Int { min: <$type>::MIN as i64, max: <$type>::MAX as i64 };

            fn to_value(&self) -> Option<Value<'_>> {
                Some(Value::Int((*self).into()))
            }

            fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
                let Value::Int(number) = value else { return Err(type_error(Self::TYPE)) };
                *self = Self::try_from(*number).map_err(|_| type_error(Self::TYPE))?;
                Ok(())
            }
        }
    )* };
}
integers!(u8, i8, u16, i16, u32, i32, i64);

impl FieldValue for bool {
    const TYPE: FieldType = FieldType::Bool;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Bool(*self))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Bool(flag) = value else { return Err(type_error(Self::TYPE)) };
        *self = *flag;
        Ok(())
    }
}

impl FieldValue for f64 {
    const TYPE: FieldType = FieldType::F64;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Float(*self))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        *self = value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| type_error(Self::TYPE))?;
        Ok(())
    }
}

impl FieldValue for f32 {
    const TYPE: FieldType = FieldType::F32;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Float((*self).into()))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        // The nearest number of single precision.
        #[allow(clippy::cast_possible_truncation)]
        let number = value.as_f64().map(|number| number as Self).filter(|number| number.is_finite());
        *self = number.ok_or_else(|| type_error(Self::TYPE))?;
        Ok(())
    }
}

impl FieldValue for String {
    const TYPE: FieldType = FieldType::TEXT;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Text(Cow::Borrowed(self)))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Text(text) = value else { return Err(type_error(Self::TYPE)) };
        *self = text.clone().into_owned();
        Ok(())
    }
}

impl FieldValue for Vec<u8> {
    const TYPE: FieldType = FieldType::BYTES;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Bytes(Cow::Borrowed(self)))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Bytes(bytes) = value else { return Err(type_error(Self::TYPE)) };
        *self = bytes.clone().into_owned();
        Ok(())
    }
}

/// The value ends before the zeros at the end of the slot, so that it contains what follows the first NUL.
impl<const N: usize> FieldValue for FixedBytes<N> {
    const TYPE: FieldType = FieldType::Bytes { max: N };

    fn to_value(&self) -> Option<Value<'_>> {
        let end = self.raw.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        Some(Value::Bytes(Cow::Borrowed(self.raw.get(..end).unwrap_or_default())))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Bytes(bytes) = value else { return Err(type_error(Self::TYPE)) };
        *self = Self::from_text(bytes).ok_or_else(|| type_error(Self::TYPE))?;
        Ok(())
    }
}

impl<const N: usize> FieldValue for [f64; N] {
    const TYPE: FieldType = FieldType::Numbers { count: N, is_whole: false };

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Numbers(Cow::Borrowed(self)))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Numbers(numbers) = value else { return Err(type_error(Self::TYPE)) };
        *self = Self::try_from(&**numbers).map_err(|_| type_error(Self::TYPE))?;
        Ok(())
    }
}

impl<const N: usize> FieldValue for [f32; N] {
    const TYPE: FieldType = FieldType::Numbers { count: N, is_whole: false };

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Numbers(self.iter().map(|number| f64::from(*number)).collect()))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let mut numbers = [0.0; N];
        numbers.set_value(value)?;
        // The nearest numbers of single precision.
        #[allow(clippy::cast_possible_truncation)]
        let narrow = numbers.map(|number| number as f32);
        if !narrow.iter().all(|number| number.is_finite()) {
            return Err(ValueError::new(format!("{N} numbers of single precision")));
        }
        *self = narrow;
        Ok(())
    }
}

/// A field that a record can lack. Setting it adds it.
impl<T: FieldValue + Default> FieldValue for Option<T> {
    const TYPE: FieldType = T::TYPE;

    fn to_value(&self) -> Option<Value<'_>> {
        self.as_ref()?.to_value()
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let mut new = T::default();
        new.set_value(value)?;
        *self = Some(new);
        Ok(())
    }
}

/// Implements [`FieldValue`] for types of flags or codes: structs of one `u32`, with a list of names.
///
/// ```
/// struct Flags(u32);
/// mapwright_query::named_words!(Flags: Flags(&[(1, "MIRROR"), (2, "INVERT")]));
/// ```
#[macro_export]
macro_rules! named_words {
    ($($type:ty: $variant:ident($names:expr)),* $(,)?) => { $(
        impl $crate::FieldValue for $type {
            const TYPE: $crate::FieldType = $crate::FieldType::$variant($names);

            fn to_value(&self) -> ::core::option::Option<$crate::Value<'_>> {
                ::core::option::Option::Some($crate::Value::$variant(self.0, $names))
            }

            fn set_value(
                &mut self,
                value: &$crate::Value<'_>,
            ) -> ::core::result::Result<(), $crate::ValueError> {
                match value {
                    $crate::Value::$variant(word, _) => {
                        self.0 = *word;
                        ::core::result::Result::Ok(())
                    }
                    _ => ::core::result::Result::Err($crate::type_error(<Self as $crate::FieldValue>::TYPE)),
                }
            }
        }
    )* };
}

/// Declares the fields of a record, each once, and implements [`Fields`] and, for records, [`SetFields`].
///
/// An entry is a name, aliases after `|`, a type that implements [`FieldValue`], further members of [`Field`](crate::Field) in
/// braces, and where the value is: the member of that name, the member after `=`, or the functions after `=>`. A field without `set`
/// is read-only.
///
/// ```
/// use mapwright_query::{FieldValue, Fields, SetFields, Value, fields};
///
/// struct Light {
///     range: f64,
///     position: [f64; 3],
///     colour: Option<[f64; 3]>,
/// }
///
/// fields! {
///     /// Fields of lights.
///     pub static LIGHT: "light" = Light {
///         /// Radius of what it lights.
///         range | radius: f64 { unit: "quants" };
///         /// Where it is.
///         position | origin: [f64; 3];
///         /// Red, green and blue, from 0 to 255.
///         color: Option<[f64; 3]> { default: "255,255,255" } = colour;
///         /// Distance east.
///         x: f64 { unit: "quants" }
///             => get(|light| light.position[0].to_value())
///                set(|light, value| light.position[0].set_value(value));
///         /// Distance from the origin.
///         distance: f64 => get(|light| Some(light.position.iter().map(|part| part * part).sum::<f64>().sqrt().into()));
///     }
/// }
///
/// let mut light = Light { range: 5.0, position: [0.0, 3.0, 4.0], colour: None };
/// assert_eq!(light.get_by_name("Radius"), Some(Value::Float(5.0)));
/// assert_eq!(light.get_by_name("distance"), Some(Value::Float(5.0)));
/// assert_eq!(light.get_by_name("color"), None);
/// light.set(LIGHT.find("x").unwrap(), &Value::Float(7.0)).unwrap();
/// assert_eq!(light.position[0], 7.0);
/// assert!(!LIGHT.field(LIGHT.find("distance").unwrap()).unwrap().is_settable);
/// ```
///
/// Views, which show a record where it is, extend its schema: `view static PLACED: "object" = Placed<'_>, extends LIGHT via light { … }`
/// implements [`Fields`] alone. `via light` names the member that has the inherited fields. `#[free]` before the kind allows other keys:
/// then the type provides `fn free_key(&self, &str) -> Option<Value<'_>>` and, for records, `fn set_free_key(&mut self, &str, &Value<'_>)
/// -> Result<(), ValueError>`.
#[macro_export]
macro_rules! fields {
    (
        $(#[$meta:meta])*
        $vis:vis static $schema:ident: $kind:literal = $record:ty { $($entries:tt)* }
    ) => {
        $crate::fields! { @static [$(#[$meta])*] [$vis] $schema [$crate::Schema::new($kind, FIELDS)] { $($entries)* } }
        $crate::fields! { @read $schema [$record] [] [] [0] { $($entries)* } }
        $crate::fields! { @write $schema [$record] [] { $($entries)* } }
    };
    (
        $(#[$meta:meta])*
        $vis:vis static $schema:ident: #[free] $kind:literal = $record:ty { $($entries:tt)* }
    ) => {
        $crate::fields! {
            @static [$(#[$meta])*] [$vis] $schema [$crate::Schema::new($kind, FIELDS).with_free_keys()] { $($entries)* }
        }
        $crate::fields! { @read $schema [$record] [] [free] [0] { $($entries)* } }
        $crate::fields! { @write $schema [$record] [free] { $($entries)* } }
    };
    (
        $(#[$meta:meta])*
        $vis:vis view static $schema:ident: $kind:literal = $record:ty { $($entries:tt)* }
    ) => {
        $crate::fields! { @static [$(#[$meta])*] [$vis] $schema [$crate::Schema::new($kind, FIELDS)] { $($entries)* } }
        $crate::fields! { @read $schema [$record] [] [] [0] { $($entries)* } }
    };
    (
        $(#[$meta:meta])*
        $vis:vis view static $schema:ident: $kind:literal = $record:ty,
        extends $base:ident via $member:ident { $($entries:tt)* }
    ) => {
        $crate::fields! {
            @static [$(#[$meta])*] [$vis] $schema [$crate::Schema::extending($kind, &$base, FIELDS)] { $($entries)* }
        }
        $crate::fields! { @read $schema [$record] [$member] [] [$base.len()] { $($entries)* } }
    };

    (
        @static [$($meta:tt)*] [$vis:vis] $schema:ident [$new:expr] {
            $(
                $(#[doc = $doc:expr])*
                $name:ident $(| $alias:ident)* : $type:ty $({ $($key:ident : $value:expr),* $(,)? })?
                $(= $($path:tt).+)? $(=> get($get:expr) $(set($set:expr))?)? ;
            )*
        }
    ) => {
        $($meta)*
        $vis static $schema: $crate::Schema = {
            const FIELDS: &[$crate::Field] = &[ $({
                #[allow(unused_mut, reason = "a field may have no members of its own")]
                let mut field = $crate::Field::new(
                    stringify!($name),
                    &[$(stringify!($alias)),*],
                    <$type as $crate::FieldValue>::TYPE,
                    $crate::fields!(@settable [$($get)?] [$($($set)?)?]),
                    concat!($($doc),*).trim_ascii(),
                );
                $($(field.$key = $value;)*)?
                field
            }),* ];
            $new
        };
    };

    (@settable [] $set:tt) => { true };
    (@settable [$get:expr] []) => { false };
    (@settable [$get:expr] [$set:expr]) => { true };

    (
        @read $schema:ident [$record:ty] [$($member:ident)?] [$($free:ident)?] [$first:expr] {
            $(
                $(#[doc = $doc:expr])*
                $name:ident $(| $alias:ident)* : $type:ty $({ $($key:ident : $value:expr),* $(,)? })?
                $(= $($path:tt).+)? $(=> get($get:expr) $(set($set:expr))?)? ;
            )*
        }
    ) => {
        impl $crate::Fields for $record {
            fn schema(&self) -> &'static $crate::Schema {
                &$schema
            }

            fn get(&self, index: usize) -> ::core::option::Option<$crate::Value<'_>> {
                #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms)]
                enum Index { $($name,)* }
                #[allow(dead_code)]
                struct Place;
                #[allow(non_upper_case_globals, dead_code)]
                impl Place { $(const $name: usize = Index::$name as usize;)* }
                let this = self;
                $(if index < $first { return $crate::Fields::get(&this.$member, index); })?
                match index.wrapping_sub($first) {
                    $(Place::$name => $crate::fields!(@get this $name [$type] [$($($path).+)?] [$($get)?]),)*
                    _ => ::core::option::Option::None,
                }
            }

            $crate::fields! { @get_free [$($free)?] [$($member)?] }
        }
    };

    (@get_free [] []) => {};
    (@get_free [free] []) => {
        fn get_free(&self, key: &str) -> ::core::option::Option<$crate::Value<'_>> {
            self.free_key(key)
        }
    };
    (@get_free [] [$member:ident]) => {
        fn get_free(&self, key: &str) -> ::core::option::Option<$crate::Value<'_>> {
            $crate::Fields::get_free(&self.$member, key)
        }
    };

    (@get $this:ident $name:ident [$type:ty] [] []) => { <$type as $crate::FieldValue>::to_value(&$this.$name) };
    (@get $this:ident $name:ident [$type:ty] [$($path:tt).+] []) => {
        <$type as $crate::FieldValue>::to_value(&$this.$($path).+)
    };
    (@get $this:ident $name:ident [$type:ty] [] [$get:expr]) => {{
        let get: fn(&Self) -> ::core::option::Option<$crate::Value<'_>> = $get;
        get($this)
    }};

    (
        @write $schema:ident [$record:ty] [$($free:ident)?] {
            $(
                $(#[doc = $doc:expr])*
                $name:ident $(| $alias:ident)* : $type:ty $({ $($key:ident : $value:expr),* $(,)? })?
                $(= $($path:tt).+)? $(=> get($get:expr) $(set($set:expr))?)? ;
            )*
        }
    ) => {
        impl $crate::SetFields for $record {
            fn set(
                &mut self,
                index: usize,
                value: &$crate::Value<'_>,
            ) -> ::core::result::Result<(), $crate::ValueError> {
                #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms)]
                enum Index { $($name,)* }
                #[allow(dead_code)]
                struct Place;
                #[allow(non_upper_case_globals, dead_code)]
                impl Place { $(const $name: usize = Index::$name as usize;)* }
                let this = self;
                match index {
                    $(
                        Place::$name => {
                            $crate::fields!(@set this value $name [$type] [$($($path).+)?] [$($get)?] [$($($set)?)?])
                        }
                    )*
                    _ => ::core::result::Result::Err($crate::ValueError::new("a known field")),
                }
            }

            $crate::fields! { @set_free [$($free)?] }
        }
    };

    (@set_free []) => {};
    (@set_free [free]) => {
        fn set_free(
            &mut self,
            key: &str,
            value: &$crate::Value<'_>,
        ) -> ::core::result::Result<(), $crate::ValueError> {
            self.set_free_key(key, value)
        }
    };

    (@set $this:ident $value:ident $name:ident [$type:ty] [] [] []) => {
        <$type as $crate::FieldValue>::set_value(&mut $this.$name, $value)
    };
    (@set $this:ident $value:ident $name:ident [$type:ty] [$($path:tt).+] [] []) => {
        <$type as $crate::FieldValue>::set_value(&mut $this.$($path).+, $value)
    };
    (@set $this:ident $value:ident $name:ident [$type:ty] [] [$get:expr] []) => {
        ::core::result::Result::Err($crate::ValueError::new("a field that can be set"))
    };
    (@set $this:ident $value:ident $name:ident [$type:ty] [] [$get:expr] [$set:expr]) => {{
        let set: fn(&mut Self, &$crate::Value<'_>) -> ::core::result::Result<(), $crate::ValueError> = $set;
        set($this, $value)
    }};
}
