//! Descriptions of fields: names, types, units, documentation.

use std::borrow::Cow;
use std::fmt;

use crate::error::ValueError;
use crate::suggest::suggestion;
use crate::{Names, Text, Value};

/// A field of a record.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// Type, with the range of its values.
    pub of: FieldType,
    /// The unit of its numbers; empty if they have none.
    pub unit: &'static str,
    /// `true` if edits can set the field.
    pub is_settable: bool,
    /// Value in a new record, written as in an assignment; empty if there is none.
    pub default: &'static str,
    /// The meaning.
    pub doc: &'static str,
}

impl Field {
    /// Creates a field without a unit and a default.
    pub const fn new(
        name: &'static str,
        aliases: &'static [&'static str],
        of: FieldType,
        is_settable: bool,
        doc: &'static str,
    ) -> Self {
        Self { name, aliases, of, unit: "", is_settable, default: "", doc }
    }

    /// Returns `true` if this is one of its names. Capitals and small letters are the same.
    #[inline]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FieldType {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range.
    Int {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A finite number in a range.
    Float {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// Flags of up to 32 bits: a number, or names of bits joined by `|` or commas.
    Flags(Names),
    /// A number of 32 bits whose values have names.
    Code(Names),
    /// One of some words.
    Choice(&'static [&'static str]),
    /// UTF-8 of up to this many bytes.
    Text {
        /// The most bytes.
        max: usize,
    },
    /// Bytes in an unknown encoding, up to this many. They are written as ASCII and `\xHH`.
    Bytes {
        /// The most bytes.
        max: usize,
    },
    /// This many finite numbers, separated by commas or spaces.
    Numbers {
        /// The number of numbers.
        count: usize,
        /// `true` if they are whole numbers of 32 bits.
        is_whole: bool,
    },
    /// Whatever a value looks like: a number, or text.
    Any,
}

impl FieldType {
    /// Whole numbers of 32 bits.
    pub const I32: Self = Self::Int { min: i32::MIN as i64, max: i32::MAX as i64 };
    /// Finite numbers of double precision.
    pub const F64: Self = Self::Float { min: f64::MIN, max: f64::MAX };
    /// Finite numbers of single precision.
    pub const F32: Self = Self::Float { min: f32::MIN as f64, max: f32::MAX as f64 };
    /// UTF-8 of any length.
    pub const TEXT: Self = Self::Text { max: usize::MAX };
    /// Bytes of any length.
    pub const BYTES: Self = Self::Bytes { max: usize::MAX };

    /// Reads the value of an assignment or a comparison.
    ///
    /// # Errors
    /// If the field cannot have that value. The error names what was expected.
    pub fn parse(&self, text: &Text) -> Result<Value<'static>, ValueError> {
        self.read(text).ok_or_else(|| {
            let found = text.to_string_lossy();
            let names = match self {
                Self::Choice(words) => suggestion(&found, words.iter().copied()),
                Self::Flags(names) | Self::Code(names) => suggestion(&found, names.iter().map(|(_, name)| *name)),
                _ => None,
            };
            ValueError { expected: self.to_string(), suggestion: names }
        })
    }

    fn read(&self, text: &Text) -> Option<Value<'static>> {
        let trimmed = text.as_str().map(str::trim);
        Some(match *self {
            Self::Bool => Value::Bool(match trimmed?.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => true,
                "false" | "no" | "off" | "0" => false,
                _ => return None,
            }),
            Self::Int { min, max } => {
                let number = integer(trimmed?).or_else(|| whole(number(trimmed?)?))?;
                // Hexadecimal digits of 32-bit numbers are their bits.
                let is_hexadecimal = trimmed.is_some_and(|text| text.starts_with("0x") || text.starts_with("0X"));
                let wraps = is_hexadecimal && *self == Self::I32;
                let number = if wraps { u32::try_from(number).ok()?.cast_signed().into() } else { number };
                Value::Int(Some(number).filter(|number| (min..=max).contains(number))?)
            }
            Self::Float { min, max } => {
                let number = number(trimmed?).or_else(|| Some(integer(trimmed?)? as f64))?;
                Value::Float(Some(number).filter(|number| (min..=max).contains(number))?)
            }
            Self::Flags(names) => {
                let parts = trimmed?.split([',', '|']);
                Value::Flags(
                    parts.map(|part| word(part.trim(), names)).try_fold(0, |bits, bit| Some(bits | bit?))?,
                    names,
                )
            }
            Self::Code(names) => Value::Code(word(trimmed?, names)?, names),
            Self::Choice(words) => {
                let found = words.iter().find(|word| trimmed.is_some_and(|text| word.eq_ignore_ascii_case(text)));
                Value::Text(Cow::Borrowed(found?))
            }
            Self::Text { max } => {
                let text = text.as_str().filter(|text| text.len() <= max)?;
                Value::Text(Cow::Owned(text.to_owned()))
            }
            Self::Bytes { max } => {
                let fits = text.is_ascii_source() && text.as_bytes().len() <= max;
                Value::Bytes(Cow::Owned(fits.then(|| text.as_bytes().to_vec())?))
            }
            Self::Numbers { count, is_whole } => {
                let numbers = numbers(trimmed?)?;
                let fits = |number: &f64| !is_whole || (number.fract() == 0.0 && number.abs() <= 2_147_483_648.0);
                Value::Numbers(Cow::Owned(
                    Some(numbers).filter(|numbers| numbers.len() == count && numbers.iter().all(fits))?,
                ))
            }
            Self::Any => match trimmed.and_then(number).filter(|_| !text.is_quoted()) {
                Some(number) => Value::Float(number),
                None => Value::Text(Cow::Owned(text.as_str()?.to_owned())),
            },
        })
    }

    /// Returns `true` if `+=` and `-=` change it.
    pub const fn can_add(&self) -> bool {
        matches!(self, Self::Int { .. } | Self::Float { .. } | Self::Flags(_) | Self::Numbers { .. } | Self::Any)
    }
}

/// Prints what the field takes, as the end of "expected …".
impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |f: &mut fmt::Formatter<'_>, names: &[(u32, &str)]| {
            names.iter().try_for_each(|(_, name)| write!(f, " {name}"))
        };
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Float { min, max } if *min <= f64::MIN && *max >= f64::MAX => f.write_str("a number"),
            of if *of == Self::F32 => f.write_str("a number of single precision"),
            Self::Float { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Flags([]) | Self::Code([]) => f.write_str("a number of 32 bits, such as 5 or 0x10"),
            Self::Flags(of) => {
                f.write_str("a number of 32 bits, or names joined by |:")?;
                names(f, of)
            }
            Self::Code(of) => {
                f.write_str("a number of 32 bits, or one of")?;
                names(f, of)
            }
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text { max: usize::MAX } => f.write_str("text"),
            Self::Text { max } => write!(f, "text of at most {max} bytes"),
            Self::Bytes { max: usize::MAX } => f.write_str("ASCII text, with other bytes as \\xHH"),
            Self::Bytes { max } => write!(f, "ASCII text of at most {max} bytes, with other bytes as \\xHH"),
            Self::Numbers { count, is_whole: false } => write!(f, "{count} numbers, such as \"0,0,64\""),
            Self::Numbers { count, is_whole: true } => write!(f, "{count} whole numbers, such as \"0,0,64,64\""),
            Self::Any => f.write_str("text or a number"),
        }
    }
}

/// Reads a finite decimal number. Names such as `inf` are text.
pub(crate) fn number(text: &str) -> Option<f64> {
    let starts = text.trim_start_matches(['+', '-']).bytes().next()?;
    (starts.is_ascii_digit() || starts == b'.').then(|| text.parse().ok().filter(|number: &f64| number.is_finite()))?
}

/// Returns a number as an integer if it is one, such as 2.0.
fn whole(number: f64) -> Option<i64> {
    // The bounds are exact in double precision.
    let is_whole =
        number.fract() == 0.0 && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    #[allow(clippy::cast_possible_truncation)] // Checked above.
    is_whole.then_some(number as i64)
}

/// Reads a whole number: decimal, or `0x` and hexadecimal or `0b` and binary digits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = |prefix: [&str; 2]| prefix.iter().find_map(|prefix| text.strip_prefix(*prefix));
    let radix = |digits: &str, radix: u32| {
        digits.bytes().all(|digit| digit.is_ascii_alphanumeric()).then(|| i64::from_str_radix(digits, radix).ok())?
    };
    match (digits(["0x", "0X"]), digits(["0b", "0B"])) {
        (Some(hexadecimal), _) => radix(hexadecimal, 16),
        (_, Some(binary)) => radix(binary, 2),
        _ => text.parse().ok(),
    }
}

/// Reads numbers that commas or spaces separate.
pub(crate) fn numbers(text: &str) -> Option<Vec<f64>> {
    if text.contains(',') {
        return text.split(',').map(|part| number(part.trim())).collect();
    }
    text.split_ascii_whitespace().map(number).collect()
}

/// Reads a number of 32 bits or its name.
fn word(text: &str, names: Names) -> Option<u32> {
    let named = names.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(value, _)| *value);
    named.or_else(|| {
        let number = integer(text)?;
        u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))
    })
}

/// The fields of one kind of record, such as `light`.
///
/// Schemas are statics, so that two of them are the same if their addresses are. Fields of the `base` are numbered first.
#[derive(Debug)]
#[non_exhaustive]
pub struct Schema {
    /// The kind of record: `object`, `light`.
    pub kind: &'static str,
    /// Fields of this schema, without those of `base`.
    pub fields: &'static [Field],
    /// A schema that this one extends.
    pub base: Option<&'static Schema>,
    /// `true` if records can have any other key.
    pub has_free_keys: bool,
}

impl Schema {
    /// Creates the schema of one kind of record.
    pub const fn new(kind: &'static str, fields: &'static [Field]) -> Self {
        Self { kind, fields, base: None, has_free_keys: false }
    }

    /// Creates a schema with the fields of another before its own.
    pub const fn extending(kind: &'static str, base: &'static Self, fields: &'static [Field]) -> Self {
        Self { kind, fields, base: Some(base), has_free_keys: base.has_free_keys }
    }

    /// Allows any other key.
    #[must_use]
    pub const fn with_free_keys(self) -> Self {
        Self { has_free_keys: true, ..self }
    }

    /// Returns the number of fields.
    pub const fn len(&self) -> usize {
        match self.base {
            Some(base) => base.len().saturating_add(self.fields.len()),
            None => self.fields.len(),
        }
    }

    /// Returns `true` if it has no field.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the field with this index.
    pub fn field(&self, index: usize) -> Option<&'static Field> {
        let inherited = self.base.map_or(0, Self::len);
        match self.base {
            Some(base) if index < inherited => base.field(index),
            _ => self.fields.get(index.checked_sub(inherited)?),
        }
    }

    /// Returns the index of the field with this name or alias. Own fields hide fields of the base.
    pub fn find(&self, name: &str) -> Option<usize> {
        let inherited = self.base.map_or(0, Self::len);
        let own = self.fields.iter().position(|field| field.is_named(name));
        own.map(|own| inherited.saturating_add(own)).or_else(|| self.base?.find(name))
    }

    /// Iterates over the fields in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = &'static Field> {
        (0..self.len()).filter_map(|index| self.field(index))
    }
}
