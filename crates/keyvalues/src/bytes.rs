//! Helpers for offsets, spans and layout that both languages share.

use std::borrow::Cow;

pub(crate) use mapwright_io::splice::{indentation, is_blank, line_end, removal, slice};
use mapwright_io::{FaultKind, Position};

use crate::{ReadError, ReadErrorKind};

/// The UTF-8 byte order mark.
pub(crate) use mapwright_io::splice::BYTE_ORDER_MARK as MARK;

/// Converts an offset for storage. Readers reject longer texts with [`check_source`].
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Rejects texts that are longer than offsets can count, UTF-16 and Git LFS pointers.
pub(crate) fn check_source(source: &[u8]) -> Result<(), ReadError> {
    let start = Position::file(0);
    if u32::try_from(source.len()).is_err() {
        let kind = FaultKind::Limit { what: "size of a text", asked: source.len() as u64, limit: u32::MAX.into() };
        return Err(ReadError::new(kind.into(), start));
    }
    if matches!(source, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err(ReadError::new(ReadErrorKind::Utf16, start));
    }
    if mapwright_io::is_git_lfs_pointer(source) {
        return Err(ReadError::new(ReadErrorKind::LfsPointer, start));
    }
    Ok(())
}

/// Resolves escapes by a table of letters and their bytes. A backslash before another letter is unchanged.
pub(crate) fn unescape<'a>(text: &'a [u8], escapes: &[(u8, u8)]) -> Cow<'a, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        let known = tail.first().filter(|_| byte == b'\\').and_then(|letter| escapes.iter().find(|(l, _)| l == letter));
        match known {
            Some((_, meaning)) => {
                plain.push(*meaning);
                rest = tail.get(1..).unwrap_or_default();
            }
            None => {
                plain.push(byte);
                rest = tail;
            }
        }
    }
    Cow::Owned(plain)
}

/// Adds a text with escapes from the same table.
pub(crate) fn escape_into(out: &mut Vec<u8>, text: &[u8], escapes: &[(u8, u8)]) {
    for &byte in text {
        match escapes.iter().find(|(_, meaning)| *meaning == byte) {
            Some((letter, _)) => out.extend([b'\\', *letter]),
            None => out.push(byte),
        }
    }
}

/// Returns the length of a string with escapes, without the closing quote. Returns `None` if there is no closing quote.
pub(crate) fn escaped_length(text: &[u8]) -> Option<usize> {
    let mut at = 0_usize;
    loop {
        let found = memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        at = at.saturating_add(found);
        if text.get(at) == Some(&b'"') {
            return Some(at);
        }
        at = at.saturating_add(2);
    }
}
