//! Helpers for offsets, spans and layout that both languages share.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_io::{FaultKind, Position};

use crate::{ReadError, ReadErrorKind};

/// The UTF-8 byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

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

/// Returns a part of a text, or an empty slice if the range is not inside the text.
pub(crate) fn slice(source: &[u8], range: Range<usize>) -> &[u8] {
    source.get(range).unwrap_or_default()
}

/// Returns the line end before an offset. For an offset in the first line, returns the first line end of the text.
pub(crate) fn line_end(source: &[u8], at: usize) -> &'static [u8] {
    let before = memchr::memrchr(b'\n', slice(source, 0..at)).or_else(|| memchr::memchr(b'\n', source));
    match before.and_then(|at| at.checked_sub(1)).and_then(|at| source.get(at)) {
        Some(b'\r') => b"\r\n",
        _ => b"\n",
    }
}

/// Returns the spaces and tabs before an offset, if nothing else precedes it in its line.
pub(crate) fn indentation(source: &[u8], at: usize) -> Option<&[u8]> {
    let before = source.get(..at)?;
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end.saturating_add(1));
    // A byte order mark is not part of the line.
    let start = if start == 0 && before.starts_with(MARK) { MARK.len() } else { start };
    before.get(start..).filter(|bytes| bytes.iter().all(|&byte| is_blank(byte)))
}

/// Returns `true` for a space or a tab.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the range to delete when a part is removed: its line, or the part and the spaces before it if the line has other parts. A line
/// includes the line end before it, so that a new part can be inserted after the removed one.
pub(crate) fn removal(source: &[u8], part: Range<usize>) -> Range<usize> {
    let rest = slice(source, part.end..source.len());
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    let end = part.end.saturating_add(blanks);
    let next_line = match slice(source, end..source.len()) {
        [b'\r', b'\n', ..] => Some(end.saturating_add(2)),
        [b'\n', ..] => Some(end.saturating_add(1)),
        [] => Some(end),
        _ => None,
    };
    let before = slice(source, 0..part.start);
    match (indentation(source, part.start), next_line) {
        (Some(indent), Some(next_line)) => {
            let start = part.start.saturating_sub(indent.len());
            match slice(source, 0..start) {
                [.., b'\r', b'\n'] => start.saturating_sub(2)..end,
                [.., b'\n'] => start.saturating_sub(1)..end,
                _ => start..next_line,
            }
        }
        // No space follows, so the space before the part must stay to separate its neighbours.
        (_, None) if blanks == 0 => part,
        _ => {
            let spaces = before.iter().rev().take_while(|&&byte| is_blank(byte)).count();
            part.start.saturating_sub(spaces)..part.end
        }
    }
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
