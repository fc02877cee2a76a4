//! Free properties: data of a format without a field in the scene.

/// A free value. NaN equals NaN, so `scene == scene.clone()` always holds.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(String),
    /// Bytes that are not text.
    Bytes(Vec<u8>),
    /// A list of values.
    List(Vec<Value>),
    /// Named values.
    Map(Properties),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => same_number(*a, *b),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            _ => false,
        }
    }
}

/// Returns `true` if two numbers are equal or have the same bits.
pub(crate) fn same_number(a: f64, b: f64) -> bool {
    a == b || a.to_bits() == b.to_bits()
}

impl Value {
    /// Maximum nesting depth: a value in a list in a list has depth 3. Readers of deeper trees store the deeper part as text.
    /// [`Scene::validate`](crate::Scene::validate) reports deeper values.
    pub const MAX_DEPTH: usize = 64;

    /// Returns the text, if the value is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number as a float, if the value is a number. Whole numbers beyond 2⁵³ are rounded.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)]
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the whole number, if the value is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the Boolean, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident),*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}
from!(bool => Bool, i64 => Int, i32 => Int, u32 => Int, f64 => Float, String => Text, &str => Text, Vec<u8> => Bytes,
    Vec<Value> => List, Properties => Map);

/// Named values in order. A name may occur more than once, as in files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Properties {
    /// The pairs in order.
    pub entries: Vec<(String, Value)>,
}

impl Properties {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns `true` if there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the first value with a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Adds a pair at the end, even if the name exists.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.entries.push((name.into(), value.into()));
    }

    /// Changes the first value with a name, or adds a pair at the end.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        match self.entries.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value.into(),
            None => self.push(name, value),
        }
    }

    /// Iterates over the pairs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> + DoubleEndedIterator {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self { entries: pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect() }
    }
}

// A list of pairs, not an object, because names may repeat and their order matters.
#[cfg(feature = "serde")]
impl serde::Serialize for Properties {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_equals_nan_with_the_same_bits_only() {
        let value = |number| Value::List(vec![Value::Float(number)]);
        let other = f64::from_bits(f64::NAN.to_bits() ^ 1);
        assert_eq!(value(f64::NAN), value(f64::NAN));
        assert!(value(f64::NAN) != value(other) && value(f64::NAN) != value(0.0) && value(0.0) == value(-0.0));
        assert!(Value::Int(1) != Value::Float(1.0));
    }

    #[test]
    fn names_may_repeat_and_the_first_is_found() {
        let mut properties: Properties = [("a", 1), ("a", 2)].into_iter().collect();
        assert_eq!((properties.len(), properties.get("a")), (2, Some(&Value::Int(1))));
        properties.set("a", 2.5);
        properties.set("b", "x");
        assert_eq!(properties.get("a").and_then(Value::as_f64), Some(2.5));
        assert_eq!(properties.get("b").and_then(Value::as_text), Some("x"));
        assert_eq!(properties.len(), 3);
    }
}
