//! A value and its position in the file.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};

/// A block, an entity or an object, which keeps its formatting until it is changed.
///
/// Use it as the value that it derefs to. Any mutable borrow counts as a change. Numbers that a change leaves alone keep their
/// formatting even then.
#[derive(Clone)]
pub struct Part<T> {
    value: T,
    origin: Option<Origin>,
}

/// The position of a part in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    start: u32,
    end: u32,
    /// The number of the file.
    source: u32,
    /// `true` if the part was not borrowed mutably since.
    pristine: bool,
}

impl Origin {
    /// Creates an origin. Offsets beyond 4 GiB give `None`: readers reject such files.
    pub(crate) fn new(range: Range<usize>) -> Option<Self> {
        let start = u32::try_from(range.start).ok()?;
        let end = u32::try_from(range.end).ok()?;
        Some(Self { start, end, source: 0, pristine: true })
    }

    /// Returns the range in the file.
    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns `true` if the part is as it was read.
    pub(crate) const fn is_pristine(self) -> bool {
        self.pristine
    }
}

impl<T> Part<T> {
    /// Creates a part that is in no file yet.
    pub const fn new(value: T) -> Self {
        Self { value, origin: None }
    }

    /// Creates a part that was read.
    pub(crate) const fn read(value: T, origin: Option<Origin>) -> Self {
        Self { value, origin }
    }

    /// Returns the position in the file.
    pub(crate) const fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// Creates a part that was read from the position of another one.
    pub(crate) const fn joined<U>(part: &Part<U>, value: T) -> Self {
        Self { value, origin: part.origin }
    }

    /// Borrows the value without marking it as changed, for readers.
    pub(crate) const fn read_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Sets the number of the file.
    pub(crate) const fn stamp(&mut self, source: u32) {
        if let Some(origin) = &mut self.origin {
            origin.source = source;
        }
    }

    /// Returns `true` if the part was read from another file.
    pub(crate) fn is_foreign(&self, source: u32) -> bool {
        self.origin.is_some_and(|origin| origin.source != source)
    }

    /// Forgets the formatting.
    pub(crate) const fn forget(&mut self) {
        self.origin = None;
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Part<T> {
    fn deref_mut(&mut self) -> &mut T {
        if let Some(origin) = &mut self.origin {
            origin.pristine = false;
        }
        &mut self.value
    }
}

impl<T> From<T> for Part<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Part<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// Parts are equal if their values are equal.
impl<T: PartialEq> PartialEq for Part<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
