//! Reads bytes into [`Document`] and [`Tree`].

use mapwright_io::{Budget, FaultKind, Input, Path, Position, inflate};

use crate::document::{Compressor, Document, Packing};
use crate::path::{push_frame, with_path};
use crate::shape::{Shape, shape};
use crate::spans::{Span, Spans};
use crate::{ReadError, ReadErrorKind, ReadOptions, Tag, Tree, check};

/// First byte of every stream.
pub(crate) const MAGIC: u8 = 131;

mapwright_io::read_functions!("a stream");

impl Document {
    /// Reads a stream with the given options: 131 and a plain or compressed term.
    ///
    /// # Errors
    /// Fails if the stream or the term is invalid, or if a limit is exceeded. The position is in the stream or in the inflated data.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_input(&mut Input::new(bytes), options)
    }

    /// Reads a stream embedded in another format: all remaining bytes of `input`.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes). Offsets are those of `input`.
    pub fn from_input(input: &mut Input<'_>, options: &ReadOptions) -> Result<Self, ReadError> {
        let start = input.position();
        let magic = input.u8()?;
        if magic != MAGIC {
            return Err(ReadError::new(ReadErrorKind::Magic { found: magic }, start));
        }
        let mut budget = Budget::new(&options.limits);
        if input.peek().first() != Some(&Tag::COMPRESSED.0) {
            let base = input.position();
            let (tree, trailing) = Tree::from_vec(input.read_to_end().to_vec(), options, &mut budget, base)?;
            return Ok(Self { tree, packing: Packing::Plain, stream: None, trailing });
        }
        input.u8()?;
        let size = input.u32_be()?;
        let at = input.position();
        if size == 0 {
            return Err(ReadError::new(ReadErrorKind::EmptyCompressed, at));
        }
        let data = input.read_to_end();
        let inflated = inflate(data, Some(size.into()), &mut budget, at)?;
        let (stream, trailing) = data.split_at_checked(inflated.consumed).unwrap_or((data, &[]));
        let (tree, inner) = Tree::from_vec(inflated.bytes, options, &mut budget, Position::inflated(0))?;
        Ok(Self {
            tree,
            packing: Packing::Compressed { trailing: inner, compressor: Compressor::Erlang },
            stream: Some(stream.to_vec()),
            trailing: trailing.to_vec(),
        })
    }
}

/// Index and length of a term.
pub(crate) struct Index {
    pub(crate) spans: Spans,
    /// Length of the term in bytes.
    pub(crate) end: usize,
}

/// Finds the end of the term at the start of `bytes`, checks it except for repeated map keys, and indexes the terms that
/// contain terms. Also returns `true` if a map has several keys.
pub(crate) fn index_term(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &mut Budget,
    base: Position,
) -> Result<(Index, bool), ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a term", asked: bytes.len() as u64, limit: u32::MAX.into() };
        return Err(ReadError::new(kind.into(), base));
    }
    let mut walk = Walk { bytes, at: 0, spans: Spans::default(), open: NONE, left: 1, depth: 0, has_keys: false };
    match walk.run(options, budget) {
        Ok(()) => Ok((Index { spans: walk.spans, end: walk.at }, walk.has_keys)),
        Err(kind) => Err(with_path(ReadError::new(kind, offset_by(base, walk.at)), &walk.path())),
    }
}

/// Returns the position `bytes` bytes after `base`.
pub(crate) fn offset_by(base: Position, bytes: usize) -> Position {
    Position { offset: base.offset.saturating_add(bytes as u64), ..base }
}

/// Checks that a term has room for its children.
#[inline]
fn check_count(rest: &[u8], header: usize, children: u64) -> Result<(), ReadErrorKind> {
    let available = rest.len().saturating_sub(header) as u64;
    if children > available {
        let what = "terms";
        return Err(FaultKind::Count { what, declared: children, possible: available, available }.into());
    }
    Ok(())
}

/// Marks the absence of a span.
const NONE: u32 = u32::MAX;

/// State of the walk over the bytes of a term.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// A span of an open term stores `left` and `open` of its parent, so no stack is needed.
    spans: Spans,
    /// Span of the innermost open term.
    open: u32,
    /// Number of its children that are still to be read.
    left: u32,
    /// Number of open terms.
    depth: usize,
    has_keys: bool,
}

impl Walk<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "offsets and counts are at most the length, which fits 32 bits"
    )]
    fn run(&mut self, options: &ReadOptions, budget: &mut Budget) -> Result<(), ReadErrorKind> {
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            match *rest {
                // Fast path for most terms of real files.
                [97, _, ..] => self.advance(2),
                [98, _, _, _, _, ..] => self.advance(5),
                [106, ..] => self.advance(1),
                // Any Latin-1 atom of up to 255 characters is valid.
                [100, 0, length, ..] if rest.len() >= usize::from(length).saturating_add(3) => {
                    self.advance(usize::from(length).saturating_add(3));
                }
                [109, a, b, c, d, ..] if rest.len().saturating_sub(5) >= u32::from_be_bytes([a, b, c, d]) as usize => {
                    self.advance((u32::from_be_bytes([a, b, c, d]) as usize).saturating_add(5));
                }
                [104, arity @ 1..=u8::MAX, ..] => {
                    self.open_term(rest, 2, arity.into(), budget)?;
                    continue;
                }
                [108, a, b, c, d, ..] => {
                    let terms = u64::from(u32::from_be_bytes([a, b, c, d])).saturating_add(1);
                    self.open_term(rest, 5, terms, budget)?;
                    continue;
                }
                _ => match shape(rest)? {
                    Shape::Leaf(length) => {
                        let truncated = FaultKind::Truncated { needed: length as u64, available: rest.len() as u64 };
                        check::check_leaf(rest.get(..length).ok_or(truncated)?, options.mode)?;
                        self.advance(length);
                    }
                    Shape::Branch { header, children } => {
                        self.has_keys |= rest.first() == Some(&Tag::MAP.0) && children > 2;
                        check_count(rest, header, children)?;
                        check::check_branch(rest, options.mode)?;
                        self.open_term(rest, header, children, budget)?;
                        continue;
                    }
                },
            }
            self.left = self.left.saturating_sub(1);
            // The term may be the last child of its parents.
            while self.left == 0 {
                let span = Span { end: self.at as u32, next: self.spans.len() };
                let Some(outer) = self.spans.replace(self.open, span) else { return Ok(()) };
                (self.left, self.open) = (outer.end.saturating_sub(1), outer.next);
                self.depth = self.depth.saturating_sub(1);
            }
        }
    }

    /// Starts a term that contains terms.
    #[inline]
    fn open_term(
        &mut self,
        rest: &[u8],
        header: usize,
        children: u64,
        budget: &mut Budget,
    ) -> Result<(), ReadErrorKind> {
        check_count(rest, header, children)?;
        // At most the number of remaining bytes, which fits 32 bits.
        let left = u32::try_from(children).unwrap_or(u32::MAX);
        self.depth = self.depth.saturating_add(1);
        budget.check_depth(self.depth, Position::default()).map_err(|fault| fault.kind)?;
        budget.take_items(children, Position::default()).map_err(|fault| fault.kind)?;
        self.spans.push(Span { end: self.left, next: self.open });
        self.open = self.spans.len().saturating_sub(1);
        self.left = left;
        self.advance(header);
        Ok(())
    }

    /// Advances by bytes that are known to exist.
    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Returns the path of the term at which the walk stopped.
    fn path(&self) -> Path {
        let mut open = Vec::new();
        let (mut span, mut left) = (self.open, self.left);
        while let Some(outer) = self.spans.get(span) {
            open.push((span, left));
            (span, left) = (outer.next, outer.end);
        }
        let mut frames = Vec::new();
        let mut at = 0;
        while let Some((span, left)) = open.pop() {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Ok(Shape::Branch { header, children }) = shape(rest) else { break };
            let children = usize::try_from(children).unwrap_or(usize::MAX);
            let index = children.saturating_sub(left as usize);
            push_frame(&mut frames, Tag(rest.first().copied().unwrap_or_default()), index, children);
            // Skip the complete siblings before the open term.
            let mut next = span.saturating_add(1);
            at = at.saturating_add(header);
            for _ in 0..index {
                match shape(self.bytes.get(at..).unwrap_or_default()) {
                    Ok(Shape::Leaf(length)) => at = at.saturating_add(length),
                    _ => match self.spans.get(next) {
                        Some(span) => (at, next) = (span.end as usize, span.next),
                        None => break,
                    },
                }
            }
        }
        frames.into_iter().collect()
    }
}
