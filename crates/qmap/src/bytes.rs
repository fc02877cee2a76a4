//! Helpers for offsets, ranges and layout.

use std::ops::Range;

/// The UTF-8 byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Converts an offset for storage. The reader rejects longer texts.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns a part of a text, or an empty slice if the range is not inside the text.
pub(crate) fn slice(source: &[u8], range: Range<usize>) -> &[u8] {
    source.get(range).unwrap_or_default()
}

/// Returns `true` for white space: every byte up to the space.
pub(crate) const fn is_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns `true` if bytes contain the end of a line.
pub(crate) fn has_line_end(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}
