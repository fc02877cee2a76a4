//! Bytes → [`Document`] and [`Tree`].

use std::io::Read;

use mapwright_io::{Budget, FaultKind, Input, Path, Position, inflate, read_all};

use crate::document::{Document, Packing};
use crate::path::{on, push};
use crate::shape::{Shape, shape};
use crate::spans::{Span, Spans};
use crate::{ReadError, ReadErrorKind, ReadOptions, Tag, Tree, check};

/// The byte in front of every stream.
pub(crate) const MAGIC: u8 = 131;

impl Document {
    /// Reads a stream: 131 and a term, plain or compressed.
    ///
    /// # Errors
    /// Whatever is wrong, with its offset: in the stream, or in the inflated data and then said so.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a stream with options.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), or a limit.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_input(&mut Input::new(bytes), options)
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    /// The reader's own error, or as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a stream to its end with options.
    ///
    /// # Errors
    /// The reader's own error, or as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_bytes_with(&read_all(reader, options.limits.max_input)?, options)
    }

    /// Reads a stream that is part of something larger: everything that is left of `input`.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes); offsets are those of `input`.
    pub fn from_input(input: &mut Input<'_>, options: &ReadOptions) -> Result<Self, ReadError> {
        let start = input.position();
        let magic = input.u8()?;
        if magic != MAGIC {
            return Err(ReadError::new(ReadErrorKind::Magic { found: magic }, start));
        }
        let mut budget = Budget::new(&options.limits);
        if input.peek().first() != Some(&Tag::COMPRESSED.0) {
            let base = input.position();
            let (tree, trailing) = Tree::from_vec(input.rest().to_vec(), options, &mut budget, base)?;
            return Ok(Self { tree, packing: Packing::Plain, stream: None, trailing });
        }
        input.u8()?;
        let size = input.u32_be()?;
        let at = input.position();
        if size == 0 {
            return Err(ReadError::new(ReadErrorKind::EmptyCompressed, at));
        }
        let data = input.rest();
        let inflated = inflate(data, Some(size.into()), &mut budget, at)?;
        let (stream, trailing) = data.split_at_checked(inflated.consumed).unwrap_or((data, &[]));
        let (tree, inner) = Tree::from_vec(inflated.bytes, options, &mut budget, Position::inflated(0))?;
        Ok(Self {
            tree,
            packing: Packing::Compressed { trailing: inner },
            stream: Some(stream.to_vec()),
            trailing: trailing.to_vec(),
        })
    }
}

/// What is known of a term once its end is found.
pub(crate) struct Index {
    pub(crate) spans: Spans,
    /// Bytes of the term.
    pub(crate) end: usize,
}

/// Finds the end of the term at the start of `bytes`, checks everything in it but the keys of maps, and indexes what
/// holds terms. Says also whether there is a map that could repeat a key.
pub(crate) fn index(
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
        Err(kind) => Err(on(ReadError::new(kind, shifted(base, walk.at)), &walk.path())),
    }
}

/// A place so many bytes behind another.
pub(crate) fn shifted(base: Position, bytes: usize) -> Position {
    Position { offset: base.offset.saturating_add(bytes as u64), ..base }
}

/// No span.
const NONE: u32 = u32::MAX;

/// The way through the bytes of a term.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Those of terms that are still open hold `left` and `open` of the term around them: no stack is needed.
    spans: Spans,
    /// The span of the innermost open term.
    open: u32,
    /// Terms that are still to come in it.
    left: u32,
    /// Open terms.
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
                // Most terms of real files, without a closer look.
                [97, _, ..] => self.step(2),
                [98, _, _, _, _, ..] => self.step(5),
                [106, ..] => self.step(1),
                // Latin-1 of up to 255 characters: nothing in it can be wrong.
                [100, 0, length, ..] if rest.len() >= usize::from(length).saturating_add(3) => {
                    self.step(usize::from(length).saturating_add(3));
                }
                _ => match shape(rest)? {
                    Shape::Leaf(length) => {
                        let truncated = FaultKind::Truncated { needed: length as u64, available: rest.len() as u64 };
                        check::leaf(rest.get(..length).ok_or(truncated)?, options.mode)?;
                        self.step(length);
                    }
                    Shape::Branch { header, children } => {
                        self.enter(rest, header, children, options, budget)?;
                        continue;
                    }
                },
            }
            self.left = self.left.saturating_sub(1);
            // The term may have been the last one of those around it.
            while self.left == 0 {
                let span = Span { end: self.at as u32, next: self.spans.len() };
                let Some(outer) = self.spans.replace(self.open, span) else { return Ok(()) };
                (self.left, self.open) = (outer.end.saturating_sub(1), outer.next);
                self.depth = self.depth.saturating_sub(1);
            }
        }
    }

    /// Begins a term that holds terms.
    #[inline]
    fn enter(
        &mut self,
        rest: &[u8],
        header: usize,
        children: u64,
        options: &ReadOptions,
        budget: &mut Budget,
    ) -> Result<(), ReadErrorKind> {
        let available = rest.len().saturating_sub(header) as u64;
        if children > available {
            let what = "terms";
            return Err(FaultKind::Count { what, declared: children, possible: available, available }.into());
        }
        check::branch(rest, options.mode)?;
        // No more than the bytes that are left, and those fit 32 bits.
        let left = u32::try_from(children).unwrap_or(u32::MAX);
        self.depth = self.depth.saturating_add(1);
        budget.check_depth(self.depth, Position::default()).map_err(|fault| fault.kind)?;
        budget.take_items(children, Position::default()).map_err(|fault| fault.kind)?;
        self.has_keys |= rest.first() == Some(&Tag::MAP.0) && children > 2;
        self.spans.push(Span { end: self.left, next: self.open });
        self.open = self.spans.len().saturating_sub(1);
        self.left = left;
        self.step(header);
        Ok(())
    }

    /// Goes on by bytes that are there.
    #[inline]
    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Where the walk stopped.
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
            push(&mut frames, Tag(rest.first().copied().unwrap_or_default()), index, children);
            // Over the whole terms before the one that is open.
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
