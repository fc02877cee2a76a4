//! Helpers for offsets, ranges and layout.

pub(crate) use mapwright_io::splice::{BYTE_ORDER_MARK as MARK, slice};

/// Converts an offset for storage. The reader rejects longer texts.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns `true` for white space: every byte up to the space.
pub(crate) const fn is_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns `true` if bytes contain the end of a line.
pub(crate) fn has_line_end(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}
