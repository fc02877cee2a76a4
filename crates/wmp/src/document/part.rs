//! A part of the file together with where it was read.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};

/// A block, an entity, an object: a value that is written as it was spelled until it is borrowed to be changed.
///
/// It is used as the value that it holds. Any mutable borrow counts as a change; what a change leaves as it was keeps its
/// spelling even then, number by number.
#[derive(Clone)]
pub struct Part<T> {
    value: T,
    origin: Option<Origin>,
}

/// Where a part was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    start: u32,
    end: u32,
    /// Which file that was.
    source: u32,
    /// Whether it still says what it said there.
    pristine: bool,
}

impl Origin {
    /// A range of the source; none of sources beyond 4 GiB, which no reader takes.
    pub(crate) fn new(range: Range<usize>) -> Option<Self> {
        let start = u32::try_from(range.start).ok()?;
        let end = u32::try_from(range.end).ok()?;
        Some(Self { start, end, source: 0, pristine: true })
    }

    /// The range of the source.
    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the part is as it was read.
    pub(crate) const fn is_pristine(self) -> bool {
        self.pristine
    }
}

impl<T> Part<T> {
    /// A part that no file has spelled yet.
    pub const fn new(value: T) -> Self {
        Self { value, origin: None }
    }

    /// A part that was read.
    pub(crate) const fn read(value: T, origin: Option<Origin>) -> Self {
        Self { value, origin }
    }

    /// Where it was read.
    pub(crate) const fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// Another value that was read where a part was.
    pub(crate) const fn joined<U>(part: &Part<U>, value: T) -> Self {
        Self { value, origin: part.origin }
    }

    /// The value, to be completed while the file is read.
    pub(crate) const fn read_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Says in which file it was read.
    pub(crate) const fn stamp(&mut self, source: u32) {
        if let Some(origin) = &mut self.origin {
            origin.source = source;
        }
    }

    /// Whether it was read in another file.
    pub(crate) fn is_foreign(&self, source: u32) -> bool {
        self.origin.is_some_and(|origin| origin.source != source)
    }

    /// Forgets how it was spelled.
    pub(crate) const fn forget(&mut self) {
        self.origin = None;
    }

    /// The value.
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

/// Parts are equal if they say the same.
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
