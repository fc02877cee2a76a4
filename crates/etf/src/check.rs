//! Content checks of the reader, beyond the layout of a term.

use crate::scalar::{parse_atom, parse_text_float};
use crate::shape::{Shape, shape};
use crate::{Integer, Mode, ReadErrorKind, Tag};

/// Checks the content of a complete leaf.
#[inline]
pub(crate) fn check_leaf(leaf: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    let tag = Tag(leaf.first().copied().unwrap_or_default());
    match tag {
        Tag::SMALL_INTEGER | Tag::INTEGER | Tag::NIL | Tag::BINARY | Tag::STRING | Tag::SMALL_BIG | Tag::LARGE_BIG => {
            Ok(())
        }
        Tag::NEW_FLOAT => check_float(leaf, mode),
        _ => check_other(tag, leaf, mode),
    }
}

/// Checks the header of a term that contains terms. Only the header of a fun has content.
pub(crate) fn check_branch(rest: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    if rest.first() == Some(&Tag::NEW_FUN.0) { check_other(Tag::NEW_FUN, rest, mode) } else { Ok(()) }
}

fn check_float(leaf: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    let value = leaf.get(1..).and_then(<[u8]>::first_chunk).copied().map(f64::from_be_bytes);
    if mode == Mode::Strict && !value.is_some_and(f64::is_finite) { Err(ReadErrorKind::NotFinite) } else { Ok(()) }
}

fn check_other(tag: Tag, leaf: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    let rest = |offset: usize| leaf.get(offset..).unwrap_or_default();
    match tag {
        _ if tag.is_atom() => check_atom(leaf, mode),
        Tag::FLOAT if mode == Mode::Strict && parse_text_float(rest(1)).is_none() => Err(ReadErrorKind::FloatText),
        Tag::BIT_BINARY if mode == Mode::Strict => check_bits(leaf),
        Tag::NEW_PID | Tag::PID | Tag::NEW_PORT | Tag::PORT | Tag::V4_PORT | Tag::REFERENCE => {
            check_atom(rest(1), mode)
        }
        Tag::NEWER_REFERENCE | Tag::NEW_REFERENCE => check_atom(rest(3), mode),
        Tag::EXPORT => {
            let mut rest = rest(1);
            for _ in 0..2 {
                check_atom(rest, mode)?;
                let length = parse_atom(rest).map_or(0, |(length, _)| length);
                rest = rest.get(length..).unwrap_or_default();
            }
            if mode == Mode::Strict { check_arity(rest) } else { Ok(()) }
        }
        Tag::NEW_FUN => check_fun(leaf, mode),
        Tag::LOCAL if mode == Mode::Strict => Err(ReadErrorKind::Local),
        _ => Ok(()),
    }
}

/// Checks the arity of an export: an integer that Erlang can store in one word.
fn check_arity(rest: &[u8]) -> Result<(), ReadErrorKind> {
    let arity = rest.split_first().and_then(|(&tag, body)| Integer::parse(Tag(tag), body)?.to_i64());
    if arity.is_some_and(|arity| (0..1 << 59).contains(&arity)) { Ok(()) } else { Err(ReadErrorKind::ExportArity) }
}

/// Checks the module of a fun and the node of its pid.
fn check_fun(leaf: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    let mut rest = leaf.get(30..).unwrap_or_default();
    check_atom(rest, mode)?;
    for _ in 0..3 {
        let Ok(Shape::Leaf(length)) = shape(rest) else { return Ok(()) };
        rest = rest.get(length..).unwrap_or_default();
    }
    check_atom(rest.get(1..).unwrap_or_default(), mode)
}

/// Checks an atom. Erlang allows 255 characters, up to 1,020 bytes in UTF-8.
fn check_atom(rest: &[u8], mode: Mode) -> Result<(), ReadErrorKind> {
    let Some((_, atom)) = parse_atom(rest) else { return Ok(()) };
    let length = if atom.is_latin1() {
        atom.as_bytes().len()
    } else {
        match std::str::from_utf8(atom.as_bytes()) {
            Ok(text) => text.chars().count(),
            Err(_) if mode == Mode::Strict => return Err(ReadErrorKind::AtomUtf8),
            // Count the bytes that start a character: there are at least as many characters.
            Err(_) => atom.as_bytes().iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
        }
    };
    if length > 255 { Err(ReadErrorKind::AtomLength { length }) } else { Ok(()) }
}

fn check_bits(leaf: &[u8]) -> Result<(), ReadErrorKind> {
    let bits = leaf.get(5).copied().unwrap_or_default();
    let bytes = leaf.len().saturating_sub(6);
    let legal = if bytes == 0 { bits == 0 } else { (1..=8).contains(&bits) };
    if legal { Ok(()) } else { Err(ReadErrorKind::BitCount { bits, bytes }) }
}
