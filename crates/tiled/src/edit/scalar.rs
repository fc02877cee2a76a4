//! Values and their texts.

use std::borrow::Cow;

use crate::codes::{Color, Gid};
use crate::document::Item;
use crate::view::{AttributeValue as _, read_int};
use crate::{WriteError, WriteErrorKind};

/// A value of an attribute or property.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
}

impl Scalar<'_> {
    /// Returns `true` if an item has this value already.
    pub(super) fn equals(&self, item: Item<'_>) -> bool {
        match self {
            Self::Text(text) => item.text() == *text,
            Self::Int(number) => read_int(item) == Some(*number),
            Self::Float(number) => f64::read(item).is_some_and(|old| old.to_bits() == number.to_bits()),
            Self::Bool(flag) => bool::read(item) == Some(*flag),
        }
    }

    /// Returns the value as text. Booleans are words.
    pub(super) fn to_text(&self) -> Result<Cow<'_, str>, WriteError> {
        Ok(match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Int(number) => Cow::Owned(number.to_string()),
            Self::Float(number) if !number.is_finite() => {
                return Err(WriteError::without_position(WriteErrorKind::Number(*number)));
            }
            // The shortest text that gives the same number, without an exponent, which old programs do not read.
            Self::Float(number) => Cow::Owned(number.to_string()),
            Self::Bool(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
        })
    }

    /// Returns the value of an attribute. Booleans are numbers.
    pub(super) fn to_xml(&self, quote: char) -> Result<String, WriteError> {
        match self {
            Self::Bool(flag) => Ok(u8::from(*flag).to_string()),
            _ => self.to_xml_word(quote),
        }
    }

    /// Returns the value of an attribute. Booleans are words.
    pub(crate) fn to_xml_word(&self, quote: char) -> Result<String, WriteError> {
        escape_xml(&self.to_text()?, Some(quote))
    }

    /// Returns the value as the text of an element.
    pub(crate) fn to_xml_text(&self) -> Result<String, WriteError> {
        escape_xml(&self.to_text()?, None)
    }

    /// Returns the value as JSON.
    pub(super) fn to_json(&self) -> Result<String, WriteError> {
        match self {
            Self::Text(text) => Ok(quote_json(text)),
            _ => self.to_text().map(Cow::into_owned),
        }
    }
}

/// Escapes a text for an attribute with this quote, or for the content of an element.
fn escape_xml(text: &str, quote: Option<char>) -> Result<String, WriteError> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if quote == Some('"') => out.push_str("&quot;"),
            '\'' if quote == Some('\'') => out.push_str("&apos;"),
            // Readers replace them by spaces and line feeds.
            '\n' | '\t' if quote.is_some() => out.push_str(&format!("&#{};", u32::from(c))),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                let text = text.chars().take(40).collect();
                return Err(WriteError::without_position(WriteErrorKind::Text { text, character: c }));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}

/// Returns a text as JSON, with quotes.
pub(crate) fn quote_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

macro_rules! from {
    ($($type:ty: |$value:ident| $scalar:expr,)*) => { $(
        impl<'a> From<$type> for Scalar<'a> {
            fn from($value: $type) -> Self {
                $scalar
            }
        }
    )* };
}
from! {
    &'a str: |text| Self::Text(Cow::Borrowed(text)),
    String: |text| Self::Text(Cow::Owned(text)),
    Cow<'a, str>: |text| Self::Text(text),
    i32: |number| Self::Int(number.into()),
    u32: |number| Self::Int(number.into()),
    i64: |number| Self::Int(number),
    f64: |number| Self::Float(number),
    bool: |flag| Self::Bool(flag),
    Gid: |gid| Self::Int(gid.0.into()),
    Color: |color| Self::Text(Cow::Owned(color.to_string())),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let text = Scalar::from("a\"'<&>\n\t\r");
        assert_eq!(text.to_xml('"').unwrap(), "a&quot;'&lt;&amp;&gt;&#10;&#9;&#13;");
        assert_eq!(text.to_xml('\'').unwrap(), "a\"&apos;&lt;&amp;&gt;&#10;&#9;&#13;");
        assert_eq!(text.to_xml_text().unwrap(), "a\"'&lt;&amp;&gt;\n\t&#13;");
        assert_eq!(Scalar::from("a\"\\\n\u{1}é").to_json().unwrap(), "\"a\\\"\\\\\\n\\u0001é\"");
        assert!(Scalar::from("\0").to_xml('"').is_err());
    }

    #[test]
    fn numbers_have_the_fewest_digits() {
        for (number, text) in
            [(8.0, "8"), (0.1, "0.1"), (-2.5, "-2.5"), (12345.678, "12345.678"), (1e21, "1000000000000000000000")]
        {
            assert_eq!(Scalar::from(number).to_json().unwrap(), text);
        }
        assert!(Scalar::from(f64::NAN).to_xml('"').is_err());
        assert_eq!(
            (Scalar::from(true).to_xml('"').unwrap(), Scalar::from(true).to_json().unwrap()),
            ("1".into(), "true".into())
        );
    }
}
