//! Names.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use mapwright_io::escape_bytes;
use mapwright_query::{FieldType, FieldValue, Value, ValueError, type_error};

/// A name: bytes in the Windows code page of the user who saved the file, which the file does not state. Empty where text has
/// `ndef`, the editor's word for nothing, and where a binary file has no such chunk.
///
/// Copies share their bytes, because many faces have the same texture.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Option<Arc<[u8]>>);

impl Name {
    /// The empty name.
    pub const NONE: Self = Self(None);

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns `true` if the name is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Self {
        Self((!bytes.is_empty()).then(|| bytes.into()))
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

/// Text maps write the empty name as `ndef`, so setting that gives the empty name.
impl FieldValue for Name {
    const TYPE: FieldType = FieldType::BYTES;

    fn to_value(&self) -> Option<Value<'_>> {
        Some(Value::Bytes(Cow::Borrowed(self.as_bytes())))
    }

    fn set_value(&mut self, value: &Value<'_>) -> Result<(), ValueError> {
        let Value::Bytes(bytes) = value else { return Err(type_error(Self::TYPE)) };
        *self = if **bytes == *b"ndef" { Self::NONE } else { bytes.as_ref().into() };
        Ok(())
    }
}

/// Bytes other than printable ASCII are escaped.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escape_bytes(self.as_bytes()))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}
