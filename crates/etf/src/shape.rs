//! How long a term is and how many terms stand in it: the one place that knows every layout.

use crate::{ReadErrorKind, Tag};
use mapwright_io::FaultKind;

/// The shape of one term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A term without terms in it, of so many bytes.
    Leaf(usize),
    /// A header of so many bytes, followed by at least one term.
    Branch { header: usize, children: u64 },
}

/// The shape of the term at the start of `rest`. A leaf may be longer than `rest`: the reader checks that once.
#[inline]
pub(crate) fn shape(rest: &[u8]) -> Result<Shape, ReadErrorKind> {
    let Some((&tag, body)) = rest.split_first() else {
        return Err(truncated(1, 0));
    };
    // By frequency in real files; the compiler makes a jump table of it.
    Ok(match Tag(tag) {
        Tag::SMALL_INTEGER => Shape::Leaf(2),
        Tag::INTEGER => Shape::Leaf(5),
        Tag::NIL => Shape::Leaf(1),
        Tag::NEW_FLOAT => Shape::Leaf(9),
        Tag::FLOAT => Shape::Leaf(32),
        Tag::SMALL_TUPLE => branch(2, u8_at(body)?.into()),
        Tag::LARGE_TUPLE => branch(5, u32_at(body)?.into()),
        Tag::LIST => branch(5, u64::from(u32_at(body)?) + 1),
        Tag::MAP => branch(5, u64::from(u32_at(body)?) * 2),
        Tag::ATOM | Tag::ATOM_UTF8 | Tag::STRING => Shape::Leaf(3 + usize::from(u16_at(body)?)),
        Tag::SMALL_ATOM | Tag::SMALL_ATOM_UTF8 => Shape::Leaf(2 + usize::from(u8_at(body)?)),
        Tag::BINARY => Shape::Leaf(5 + u32_at(body)? as usize),
        Tag::BIT_BINARY => Shape::Leaf(6 + u32_at(body)? as usize),
        Tag::SMALL_BIG => Shape::Leaf(3 + usize::from(u8_at(body)?)),
        Tag::LARGE_BIG => Shape::Leaf(6 + u32_at(body)? as usize),
        _ => return rare(Tag(tag), rest),
    })
}

fn branch(header: usize, children: u64) -> Shape {
    if children == 0 { Shape::Leaf(header) } else { Shape::Branch { header, children } }
}

/// Pids, ports, references, funs: a node or module atom inside makes their length.
#[cold]
fn rare(tag: Tag, rest: &[u8]) -> Result<Shape, ReadErrorKind> {
    let at = |offset: usize| rest.get(offset..).unwrap_or_default();
    let node = |offset: usize| part(at(offset), "a node atom", Tag::is_atom);
    Ok(match tag {
        Tag::NEW_PID => Shape::Leaf(1 + node(1)? + 12),
        Tag::PID => Shape::Leaf(1 + node(1)? + 9),
        Tag::NEW_PORT => Shape::Leaf(1 + node(1)? + 8),
        Tag::PORT | Tag::REFERENCE => Shape::Leaf(1 + node(1)? + 5),
        Tag::V4_PORT => Shape::Leaf(1 + node(1)? + 12),
        Tag::NEWER_REFERENCE => {
            let words = u16_at(at(1))?;
            if !(1..=5).contains(&words) {
                return Err(ReadErrorKind::ReferenceWords { words, allowed: "1 to 5" });
            }
            Shape::Leaf(3 + node(3)? + 4 + 4 * usize::from(words))
        }
        Tag::NEW_REFERENCE => {
            let words = u16_at(at(1))?;
            if words > 3 {
                return Err(ReadErrorKind::ReferenceWords { words, allowed: "0 to 3" });
            }
            Shape::Leaf(3 + node(3)? + 1 + 4 * usize::from(words))
        }
        Tag::EXPORT => {
            let module = 1 + node(1)?;
            let function = module + part(at(module), "a function atom", Tag::is_atom)?;
            Shape::Leaf(
                function + part(at(function), "an arity", |tag| matches!(tag, Tag::SMALL_INTEGER | Tag::INTEGER))?,
            )
        }
        Tag::NEW_FUN => {
            let free = u32_at(at(26))?;
            let module = 30 + part(at(30), "a module atom", Tag::is_atom)?;
            let index = module + part(at(module), "an index", Tag::is_integer)?;
            let uniq = index + part(at(index), "a uniq", Tag::is_integer)?;
            branch(uniq + part(at(uniq), "a pid", |tag| matches!(tag, Tag::PID | Tag::NEW_PID))?, free.into())
        }
        // Opaque to the end of the input.
        Tag::LOCAL => Shape::Leaf(rest.len()),
        _ => return Err(ReadErrorKind::Tag { tag }),
    })
}

/// The length of a leaf that must be of a certain kind and must be whole.
fn part(rest: &[u8], expected: &'static str, allowed: fn(Tag) -> bool) -> Result<usize, ReadErrorKind> {
    match rest.first() {
        Some(&tag) if !allowed(Tag(tag)) => Err(ReadErrorKind::Expected { expected, found: Tag(tag) }),
        _ => match shape(rest)? {
            Shape::Leaf(length) if length <= rest.len() => Ok(length),
            Shape::Leaf(length) => Err(truncated(length, rest.len())),
            // No allowed kind is a branch.
            Shape::Branch { header, .. } => Ok(header),
        },
    }
}

fn u8_at(rest: &[u8]) -> Result<u8, ReadErrorKind> {
    rest.first().copied().ok_or(truncated(1, 0))
}

fn u16_at(rest: &[u8]) -> Result<u16, ReadErrorKind> {
    rest.first_chunk().copied().map(u16::from_be_bytes).ok_or(truncated(2, rest.len()))
}

fn u32_at(rest: &[u8]) -> Result<u32, ReadErrorKind> {
    rest.first_chunk().copied().map(u32::from_be_bytes).ok_or(truncated(4, rest.len()))
}

fn truncated(needed: usize, available: usize) -> ReadErrorKind {
    FaultKind::Truncated { needed: needed as u64, available: available as u64 }.into()
}
