//! A term with all terms in it, as bytes and an index.

use std::fmt;
use std::sync::OnceLock;

use mapwright_io::{Budget, FaultKind, Limits, Position};

use crate::compare::MapKeys;
use crate::path::with_path;
use crate::read::{Index, index_term, offset_by};
use crate::spans::{Span, Spans};
use crate::survey::Survey;
use crate::{Mode, ReadError, ReadErrorKind, ReadOptions, Tag, Term};

/// One term of any size, stored as its encoded bytes.
///
/// The bytes preserve tags, raw numbers, order and unusual encodings. An index has one entry for each term that contains
/// other terms, in file order. Reading is one pass, and writing is a copy. Cloning, comparing and dropping need no
/// recursion, however deeply a term is nested.
///
/// Use [`root`](Self::root) to inspect a tree, [`Builder`](crate::Builder) to build one, and [`Edit`](crate::Edit) to
/// change one.
#[derive(Clone)]
pub struct Tree {
    pub(crate) bytes: Vec<u8>,
    spans: Spans,
    /// `true` if strict reading accepts the term; `false` if that is unknown.
    is_strict: bool,
    /// Computed on first use. Most trees are small.
    survey: OnceLock<Box<Survey>>,
}

impl Tree {
    /// Reads a bare term, without a leading 131 and without trailing bytes.
    ///
    /// # Errors
    /// Fails if the term is invalid. Offsets count from the start of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads the bare term at the start of `bytes`. More bytes may follow.
    ///
    /// # Errors
    /// Fails if the term is invalid or a limit is exceeded. The time depends on the term, not on the bytes after it.
    pub fn from_prefix(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut budget = Budget::new(&options.limits);
        let (Index { end, .. }, _) = index_term(bytes, options, &mut budget, Position::file(0))?;
        Self::from_bytes_with(bytes.get(..end).unwrap_or_default(), options)
    }

    /// Reads a bare term with options.
    ///
    /// # Errors
    /// Fails if the term is invalid or a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_owned(bytes.to_vec(), options)
    }

    /// Reads a bare term from an owned buffer without copying it.
    pub(crate) fn from_owned(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut budget = Budget::new(&options.limits);
        let (tree, trailing) = Self::from_vec(bytes, options, &mut budget, Position::file(0))?;
        match trailing.len() {
            0 => Ok(tree),
            count => {
                let kind = FaultKind::Trailing { count: count as u64 };
                Err(ReadError::new(kind.into(), Position::file(tree.bytes.len() as u64)))
            }
        }
    }

    /// Reads the term at the start of `bytes`. Also returns the bytes that follow it.
    pub(crate) fn from_vec(
        mut bytes: Vec<u8>,
        options: &ReadOptions,
        budget: &mut Budget,
        base: Position,
    ) -> Result<(Self, Vec<u8>), ReadError> {
        let (Index { spans, end }, has_keys) = index_term(&bytes, options, budget, base)?;
        let trailing = bytes.split_off(end);
        let tree = Self::from_parts(bytes, spans, options.mode == Mode::Strict);
        if has_keys
            && options.mode == Mode::Strict
            && let Some(key) = MapKeys::from_term(tree.root()).repeated_keys().next()
        {
            let at = offset_by(base, key.range().start);
            return Err(with_path(ReadError::new(ReadErrorKind::DuplicateKey, at), &key.path()));
        }
        Ok((tree, trailing))
    }

    /// Copies a term of this tree into a tree of its own.
    pub(crate) fn extract(&self, term: Term<'_>) -> Self {
        let mut spans = Spans::default();
        self.copy_spans(term, &mut spans, 0);
        Self::from_parts(term.as_bytes().to_vec(), spans, self.is_strict)
    }

    /// Adds the spans of a term of this tree to those of another tree, which contains a copy of the term at the offset `at`.
    pub(crate) fn copy_spans(&self, term: Term<'_>, spans: &mut Spans, at: u32) {
        let (start, first) = term.location();
        let (_, end) = term.end();
        spans.copy_from(&self.spans, first..end, at.wrapping_sub(start));
    }

    /// Creates a tree from a term whose index is known.
    pub(crate) fn from_parts(bytes: Vec<u8>, spans: Spans, is_strict: bool) -> Self {
        Self { bytes, spans, is_strict, survey: OnceLock::new() }
    }

    /// Returns `true` if strict reading accepts the term, `false` if that is unknown.
    pub(crate) fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Returns the root term.
    pub fn root(&self) -> Term<'_> {
        self.term((0, 0))
    }

    /// Returns the term at a location that [`Term::location`] returned.
    pub(crate) fn term(&self, (at, span): (u32, u32)) -> Term<'_> {
        Term::new(self, at, span)
    }

    /// Returns the encoded bytes of the term, without a leading 131.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the encoded bytes of the term by value.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Counts the terms, including nested ones. Elements of a STRING are not counted. The result is cached.
    pub fn term_count(&self) -> usize {
        self.survey().terms
    }

    /// Returns the result of one walk over all terms, which is cached.
    pub(crate) fn survey(&self) -> &Survey {
        self.survey.get_or_init(|| Box::new(Survey::from_root(self.root())))
    }

    pub(crate) fn span(&self, index: u32) -> Span {
        // Every term that contains terms has a span.
        self.spans.get(index).unwrap_or(Span { end: u32::MAX, next: u32::MAX })
    }
}

impl Default for Tree {
    /// Creates the empty list.
    fn default() -> Self {
        Self::from_parts(vec![Tag::NIL.0], Spans::default(), true)
    }
}

impl PartialEq for Tree {
    /// Compares the encoded bytes. To compare values, use [`Term::same_value`].
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Tree {}

impl fmt::Display for Tree {
    /// Writes the same text as [`Term::to_text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.root(), f)
    }
}

impl fmt::Debug for Tree {
    /// Writes the start of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root(), f)
    }
}

/// Returns options for terms that this process built: the lenient mode, with no limits except those of the format.
pub(crate) fn unlimited_options() -> ReadOptions {
    let limits = Limits::default().with_max_depth(u32::MAX).with_max_items(u64::MAX).with_max_decompressed(u64::MAX);
    ReadOptions::default().with_mode(Mode::Lenient).with_limits(limits)
}
