//! Length and number of children of a term. This is the only module that knows the layout of every tag.
//!
//! Numbers are read from slices and not through `io::Input`: every step of every walk calls this code.

use mapwright_io::FaultKind;

use crate::{ReadErrorKind, Tag};

/// Shape of one term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A term without children, with its length in bytes.
    Leaf(usize),
    /// A header of `header` bytes, followed by at least one child.
    Branch { header: usize, children: u64 },
}

/// Returns the shape of the term at the start of `rest`. A leaf may be longer than `rest`; the reader checks that.
pub(crate) fn shape(rest: &[u8]) -> Result<Shape, ReadErrorKind> {
    parse_shape(rest)
}

/// Returns the shape of a term that was read before, so it cannot fail. Building the error would cost more than the walk.
#[inline]
pub(crate) fn known_shape(rest: &[u8]) -> Option<Shape> {
    match *rest {
        // Fast path for most terms of real files.
        [97, ..] => Some(Shape::Leaf(2)),
        [98, ..] => Some(Shape::Leaf(5)),
        [106, ..] => Some(Shape::Leaf(1)),
        _ => parse_known_shape(rest),
    }
}

fn parse_known_shape(rest: &[u8]) -> Option<Shape> {
    parse_shape::<NoError>(rest).ok()
}

/// Replaces the error where none can occur.
struct NoError;

impl From<ReadErrorKind> for NoError {
    fn from(_: ReadErrorKind) -> Self {
        Self
    }
}

/// Parses the shape of the term at the start of `rest`.
#[inline]
fn parse_shape<E: From<ReadErrorKind>>(rest: &[u8]) -> Result<Shape, E> {
    let Some((&tag, body)) = rest.split_first() else {
        return Err(truncated(1, 0).into());
    };
    // Ordered by frequency in real files. The compiler makes a jump table of it.
    Ok(match Tag(tag) {
        Tag::SMALL_INTEGER => Shape::Leaf(2),
        Tag::INTEGER => Shape::Leaf(5),
        Tag::NIL => Shape::Leaf(1),
        Tag::NEW_FLOAT => Shape::Leaf(9),
        Tag::FLOAT => Shape::Leaf(32),
        Tag::SMALL_TUPLE => branch(2, u8_at(body)?.into()),
        Tag::LARGE_TUPLE => branch(5, u32_at(body)?.into()),
        Tag::LIST => branch(5, u64::from(u32_at(body)?).saturating_add(1)),
        Tag::MAP => branch(5, u64::from(u32_at(body)?).saturating_mul(2)),
        Tag::ATOM | Tag::ATOM_UTF8 | Tag::STRING => leaf(3, u16_at(body)?.into()),
        Tag::SMALL_ATOM | Tag::SMALL_ATOM_UTF8 => leaf(2, u8_at(body)?.into()),
        Tag::BINARY => leaf(5, u32_at(body)? as usize),
        Tag::BIT_BINARY => leaf(6, u32_at(body)? as usize),
        Tag::SMALL_BIG => leaf(3, u8_at(body)?.into()),
        Tag::LARGE_BIG => leaf(6, u32_at(body)? as usize),
        _ => parse_rare_shape(Tag(tag), rest)?,
    })
}

#[inline]
fn branch(header: usize, children: u64) -> Shape {
    if children == 0 { Shape::Leaf(header) } else { Shape::Branch { header, children } }
}

/// Creates a leaf. A length that overflows is still longer than any input, so it may saturate.
#[inline]
fn leaf(header: usize, content: usize) -> Shape {
    Shape::Leaf(header.saturating_add(content))
}

/// Parses the shape of pids, ports, references and funs. Their length depends on a node or module atom.
#[cold]
fn parse_rare_shape(tag: Tag, rest: &[u8]) -> Result<Shape, ReadErrorKind> {
    let at = |offset: usize| rest.get(offset..).unwrap_or_default();
    // Returns the end of the leaf at an offset.
    let end_of = |offset: usize, expected, allowed| {
        part_length(at(offset), expected, allowed).map(|length| offset.saturating_add(length))
    };
    let node = |offset| end_of(offset, "a node atom", Tag::is_atom);
    // Erlang allows fewer words for references of its own node, which a file does not identify.
    let words = || match u16_at(at(1))? {
        words @ 0..=5 => Ok(4_usize.saturating_mul(words.into())),
        words => Err(ReadErrorKind::ReferenceWords { words }),
    };
    Ok(match tag {
        Tag::NEW_PID | Tag::V4_PORT => leaf(12, node(1)?),
        Tag::PID => leaf(9, node(1)?),
        Tag::NEW_PORT => leaf(8, node(1)?),
        Tag::PORT | Tag::REFERENCE => leaf(5, node(1)?),
        Tag::NEWER_REFERENCE => leaf(words()?.saturating_add(4), node(3)?),
        Tag::NEW_REFERENCE => leaf(words()?.saturating_add(1), node(3)?),
        Tag::EXPORT => {
            let function = end_of(1, "a module atom", Tag::is_atom)?;
            let arity = end_of(function, "a function atom", Tag::is_atom)?;
            leaf(end_of(arity, "an arity", Tag::is_integer)?, 0)
        }
        Tag::NEW_FUN => {
            let free = u32_at(at(26))?;
            let index = end_of(30, "a module atom", Tag::is_atom)?;
            let uniq = end_of(index, "an index", Tag::is_integer)?;
            let pid = end_of(uniq, "a uniq", Tag::is_integer)?;
            branch(end_of(pid, "a pid", |tag| matches!(tag, Tag::PID | Tag::NEW_PID))?, free.into())
        }
        // Opaque to the end of the input.
        Tag::LOCAL => Shape::Leaf(rest.len()),
        _ => return Err(ReadErrorKind::Tag { tag }),
    })
}

/// Returns the length of a leaf, which must be complete and have an allowed tag.
fn part_length(rest: &[u8], expected: &'static str, allowed: fn(Tag) -> bool) -> Result<usize, ReadErrorKind> {
    match rest.first() {
        Some(&tag) if !allowed(Tag(tag)) => Err(ReadErrorKind::Expected { expected, found: Tag(tag) }),
        _ => match shape(rest)? {
            Shape::Leaf(length) if length <= rest.len() => Ok(length),
            Shape::Leaf(length) => Err(truncated(length, rest.len())),
            // No allowed tag is a branch.
            Shape::Branch { header, .. } => Ok(header),
        },
    }
}

#[inline]
fn u8_at(rest: &[u8]) -> Result<u8, ReadErrorKind> {
    rest.first().copied().ok_or(truncated(1, 0))
}

#[inline]
fn u16_at(rest: &[u8]) -> Result<u16, ReadErrorKind> {
    rest.first_chunk().copied().map(u16::from_be_bytes).ok_or(truncated(2, rest.len()))
}

#[inline]
fn u32_at(rest: &[u8]) -> Result<u32, ReadErrorKind> {
    rest.first_chunk().copied().map(u32::from_be_bytes).ok_or(truncated(4, rest.len()))
}

fn truncated(needed: usize, available: usize) -> ReadErrorKind {
    FaultKind::Truncated { needed: needed as u64, available: available as u64 }.into()
}
