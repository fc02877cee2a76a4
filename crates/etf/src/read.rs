//! Bytes → [`Document`] and [`Tree`].

use std::io::Read;

use mapwright_io::{Budget, FaultKind, Frame, Input, Position, inflate};

use crate::document::{Document, Packing};
use crate::shape::{Shape, shape};
use crate::tree::Span;
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
    pub fn from_reader(mut reader: impl Read) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        let end = |error: std::io::Error| ReadError::new(error.into(), Position::file(0));
        reader.read_to_end(&mut bytes).map_err(end)?;
        Self::from_bytes(&bytes)
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

/// A term that is still being read.
struct Open {
    /// Its span.
    span: u32,
    /// Where it begins.
    start: u32,
    /// Terms that are still to come in it.
    remaining: u32,
}

/// Finds the end of the term at the start of `bytes`, checks everything in it, and indexes what holds terms.
pub(crate) fn index(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &mut Budget,
    base: Position,
) -> Result<(Vec<Span>, usize), ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a term", asked: bytes.len() as u64, limit: u32::MAX.into() };
        return Err(ReadError::new(kind.into(), base));
    }
    let mut open = Vec::new();
    let mut spans = Vec::new();
    let mut at = 0;
    match walk(bytes, options, budget, &mut spans, &mut open, &mut at) {
        Ok(()) => {
            spans.shrink_to_fit();
            Ok((spans, at))
        }
        Err(kind) => {
            let place = Position { offset: base.offset.saturating_add(at as u64), ..base };
            Err(open.iter().rev().fold(ReadError::new(kind, place), |error, term| wrap(error, bytes, term)))
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "offsets and counts are at most the length, which fits 32 bits")]
fn walk(
    bytes: &[u8],
    options: &ReadOptions,
    budget: &mut Budget,
    spans: &mut Vec<Span>,
    open: &mut Vec<Open>,
    at: &mut usize,
) -> Result<(), ReadErrorKind> {
    loop {
        let rest = bytes.get(*at..).unwrap_or_default();
        match shape(rest)? {
            Shape::Leaf(length) => {
                let truncated = FaultKind::Truncated { needed: length as u64, available: rest.len() as u64 };
                check::leaf(rest.get(..length).ok_or(truncated)?, options.mode)?;
                *at += length;
            }
            Shape::Branch { header, children } => {
                let available = rest.len().saturating_sub(header) as u64;
                if children > available {
                    let what = "terms";
                    return Err(FaultKind::Count { what, declared: children, possible: available, available }.into());
                }
                budget.check_depth(open.len() + 1, Position::default()).map_err(|fault| fault.kind)?;
                budget.take_items(children, Position::default()).map_err(|fault| fault.kind)?;
                open.push(Open { span: spans.len() as u32, start: *at as u32, remaining: children as u32 });
                spans.push(Span::default());
                *at += header;
                continue;
            }
        }
        // A term is whole, and with it perhaps those around it.
        loop {
            let Some(term) = open.last_mut() else { return Ok(()) };
            term.remaining -= 1;
            if term.remaining > 0 {
                break;
            }
            let next = spans.len() as u32;
            if let Some(span) = spans.get_mut(term.span as usize) {
                *span = Span { end: *at as u32, next };
            }
            open.pop();
        }
    }
}

/// Says in which element of `term` the error stands.
fn wrap(error: ReadError, bytes: &[u8], term: &Open) -> ReadError {
    let rest = bytes.get(term.start as usize..).unwrap_or_default();
    let children = match shape(rest) {
        Ok(Shape::Branch { children, .. }) => children,
        _ => 0,
    };
    let index = children.saturating_sub(term.remaining.into());
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    match rest.first().map(|&tag| Tag(tag)) {
        Some(Tag::LIST) if term.remaining == 1 => error.wrap(Frame::Field("tail")),
        Some(Tag::MAP) => {
            let part = if index.is_multiple_of(2) { "key" } else { "value" };
            error.wrap(Frame::Field(part)).wrap(Frame::Index(index / 2))
        }
        _ => error.wrap(Frame::Index(index)),
    }
}
