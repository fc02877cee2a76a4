//! File names that come from a document.

/// Maximum number of bytes of a file name that comes from a document. With a number, an extension and the name of the output it
/// is short enough for all file systems.
pub(crate) const MAX_STEM: usize = 120;

/// Returns the longest prefix of at most `bytes` bytes.
pub(crate) fn start(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_end_between_characters() {
        assert_eq!([0, 1, 2, 3, 9].map(|bytes| start("aäb", bytes)), ["", "a", "a", "aä", "aäb"]);
    }
}
