//! Helpers for offsets, ranges and layout.

use mapwright_io::splice::BYTE_ORDER_MARK;
pub(crate) use mapwright_io::splice::slice;

/// Converts an offset for storage. The reader rejects longer texts.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns the offset of the first byte after a byte order mark.
pub(crate) fn content_start(source: &[u8]) -> usize {
    if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Returns `true` for white space: every byte up to the space.
pub(crate) const fn is_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns `true` if bytes contain the end of a line.
pub(crate) fn has_line_end(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}
