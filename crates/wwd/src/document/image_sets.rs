//! Names of image sets.

use std::fmt;

/// Names of image sets as the file stores them: each is followed by a NUL.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ImageSets {
    raw: Vec<u8>,
}

/// The error of a name that contains a NUL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid name of an image set: it contains a NUL")]
pub struct NulInName;

impl ImageSets {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { raw: Vec::new() }
    }

    /// Takes the bytes of the file, if each name ends with a NUL.
    pub(crate) fn from_raw(raw: Vec<u8>) -> Option<Self> {
        raw.last().is_none_or(|&byte| byte == 0).then_some(Self { raw })
    }

    /// Returns the bytes of the file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.raw
    }

    /// Iterates over the names in file order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.raw.split_inclusive(|&byte| byte == 0).map(|name| name.strip_suffix(&[0]).unwrap_or(name))
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.raw.iter().filter(|&&byte| byte == 0).count()
    }

    /// Returns `true` if there are no names.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Adds a name at the end.
    ///
    /// # Errors
    /// If the name contains a NUL.
    pub fn push(&mut self, name: &[u8]) -> Result<(), NulInName> {
        if name.contains(&0) {
            return Err(NulInName);
        }
        self.raw.extend_from_slice(name);
        self.raw.push(0);
        Ok(())
    }
}

impl fmt::Debug for ImageSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|name| name.escape_ascii().to_string())).finish()
    }
}
