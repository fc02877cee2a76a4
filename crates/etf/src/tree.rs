//! A term and everything in it, as its own bytes plus an index.

use std::fmt;
use std::sync::OnceLock;

use mapwright_io::{Budget, FaultKind, Position};

use crate::compare::Maps;
use crate::path::on;
use crate::read::{Index, index, shifted};
use crate::spans::{Span, Spans};
use crate::survey::Survey;
use crate::{Mode, ReadError, ReadErrorKind, ReadOptions, Tag, Term};

/// One term of any size, kept as the very bytes that spell it.
///
/// The bytes are the tree: tags, raw numbers, orders and odd spellings are what they are. Beside them stands an index with
/// one entry for each term that holds other terms, in the order of the bytes. So reading is one pass, writing is a copy,
/// and cloning, comparing and dropping take no recursion, however deep a term is nested.
///
/// Look into it with [`root`](Self::root), make new ones with [`Builder`](crate::Builder), change some of it with
/// [`Edit`](crate::Edit).
#[derive(Clone)]
pub struct Tree {
    pub(crate) bytes: Vec<u8>,
    spans: Spans,
    /// Made when it is first asked for; most trees are small.
    survey: OnceLock<Box<Survey>>,
}

impl Tree {
    /// Reads a bare term: no 131 in front, nothing behind.
    ///
    /// # Errors
    /// Whatever is wrong with the term; offsets count from the start of `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a bare term with options.
    ///
    /// # Errors
    /// Whatever is wrong with the term, or a limit.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::whole(bytes.to_vec(), options)
    }

    /// Reads a bare term, by value.
    pub(crate) fn whole(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
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

    /// Reads the term at the start of `bytes`, and gives what follows it.
    pub(crate) fn from_vec(
        mut bytes: Vec<u8>,
        options: &ReadOptions,
        budget: &mut Budget,
        base: Position,
    ) -> Result<(Self, Vec<u8>), ReadError> {
        let (Index { spans, end }, has_keys) = index(&bytes, options, budget, base)?;
        let trailing = bytes.split_off(end);
        let tree = Self::of(bytes, spans);
        if has_keys
            && options.mode == Mode::Strict
            && let Some(key) = Maps::of(tree.root()).repeated_keys().next()
        {
            let at = shifted(base, key.range().start);
            return Err(on(ReadError::new(ReadErrorKind::DuplicateKey, at), &key.path()));
        }
        Ok((tree, trailing))
    }

    /// A term of this tree as a tree of its own.
    pub(crate) fn cut(&self, bytes: &[u8], at: u32, spans: std::ops::Range<u32>) -> Self {
        let mut own = Spans::default();
        for span in spans.clone().filter_map(|index| self.spans.get(index)) {
            let (end, next) = (span.end.saturating_sub(at), span.next.saturating_sub(spans.start));
            own.push(Span { end, next });
        }
        Self::of(bytes.to_vec(), own)
    }

    fn of(bytes: Vec<u8>, spans: Spans) -> Self {
        Self { bytes, spans, survey: OnceLock::new() }
    }

    /// The term itself.
    pub fn root(&self) -> Term<'_> {
        self.term((0, 0))
    }

    /// The term at a place that [`Term::place`] gave.
    pub(crate) fn term(&self, (at, span): (u32, u32)) -> Term<'_> {
        Term::new(self, at, span)
    }

    /// The bytes that spell the term, without a leading 131.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that spell the term.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many terms there are, all that stand in others included. Elements of a STRING are not counted. All terms are walked
    /// when this or what is odd is first asked for.
    pub fn term_count(&self) -> usize {
        self.survey().terms
    }

    /// What a walk over all terms finds. They are walked once.
    pub(crate) fn survey(&self) -> &Survey {
        self.survey.get_or_init(|| Box::new(Survey::of(self.root())))
    }

    pub(crate) fn span(&self, index: u32) -> Span {
        // Every term that holds terms has one.
        self.spans.get(index).unwrap_or(Span { end: u32::MAX, next: u32::MAX })
    }
}

impl Default for Tree {
    /// The empty list.
    fn default() -> Self {
        Self::of(vec![Tag::NIL.0], Spans::default())
    }
}

impl PartialEq for Tree {
    /// Equal bytes; for equal values see [`Term::same_value`].
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Tree {}

impl fmt::Display for Tree {
    /// As [`Term::to_text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.root(), f)
    }
}

impl fmt::Debug for Tree {
    /// The start of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root(), f)
    }
}

/// Options for terms that this process made: no limit but the format's own.
pub(crate) fn unlimited() -> ReadOptions {
    use mapwright_io::Limits;
    let limits = Limits::default().with_max_depth(u32::MAX).with_max_items(u64::MAX).with_max_decompressed(u64::MAX);
    ReadOptions::default().with_mode(crate::Mode::Lenient).with_limits(limits)
}
