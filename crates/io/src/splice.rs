//! Changes of texts that keep their layout, for documents that are their text.

use std::ops::Range;

/// The UTF-8 byte order mark.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Replacements of parts of a text, which are applied together. Everything else keeps its bytes.
///
/// Insertions at the same offset keep their order, and are before a replacement that starts there.
///
/// ```
/// use mapwright_io::splice::Splices;
///
/// let mut splices = Splices::default();
/// splices.insert(0, *b"// new\n");
/// splices.replace(4..5, *b"2");
/// splices.remove(5..7);
/// assert_eq!(splices.apply(b"\"a\" 1 x"), Ok(b"// new\n\"a\" 2".to_vec()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Splices {
    changes: Vec<(Range<usize>, Vec<u8>)>,
}

impl Splices {
    /// Adds a replacement of a range by bytes.
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<Vec<u8>>) {
        self.changes.push((range, with.into()));
    }

    /// Adds an insertion.
    pub fn insert(&mut self, at: usize, bytes: impl Into<Vec<u8>>) {
        self.replace(at..at, bytes);
    }

    /// Adds a removal.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, []);
    }

    /// Returns `true` if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the changed text.
    ///
    /// # Errors
    /// The start of a change that overlaps another one, or that is not inside the text.
    pub fn apply(mut self, source: &[u8]) -> Result<Vec<u8>, usize> {
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let grown = self.changes.iter().fold(source.len(), |sum, (_, with)| sum.saturating_add(with.len()));
        let mut text = Vec::with_capacity(grown);
        let mut at = 0;
        for (range, with) in self.changes {
            text.extend_from_slice(source.get(at..range.start).ok_or(range.start)?);
            text.extend_from_slice(&with);
            at = range.end;
        }
        text.extend_from_slice(source.get(at..).ok_or(at)?);
        Ok(text)
    }
}

/// Returns a part of a text, or an empty slice if the range is not inside the text.
pub fn slice(source: &[u8], range: Range<usize>) -> &[u8] {
    source.get(range).unwrap_or_default()
}

/// Returns the line end before an offset. For an offset in the first line, returns the first line end of the text.
pub fn line_end(source: &[u8], at: usize) -> &'static [u8] {
    let before = find_line_feed(slice(source, 0..at)).or_else(|| source.iter().position(|&byte| byte == b'\n'));
    match before.and_then(|at| at.checked_sub(1)).and_then(|at| source.get(at)) {
        Some(b'\r') => b"\r\n",
        _ => b"\n",
    }
}

/// Returns the spaces and tabs before an offset, if nothing else precedes it in its line.
pub fn indentation(source: &[u8], at: usize) -> Option<&[u8]> {
    let before = source.get(..at)?;
    let start = find_line_feed(before).map_or(0, |end| end.saturating_add(1));
    // A byte order mark is not part of the line.
    let start = if start == 0 && before.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { start };
    before.get(start..).filter(|bytes| bytes.iter().all(|&byte| is_blank(byte)))
}

/// Returns `true` for a space or a tab.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the range to delete when a part is removed: its line, or the part and the spaces before it if the line has other parts. A line
/// includes the line end before it, so that a new part can be inserted after the removed one.
pub fn removal(source: &[u8], part: Range<usize>) -> Range<usize> {
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

fn find_line_feed(before: &[u8]) -> Option<usize> {
    before.iter().rposition(|&byte| byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_rejected() {
        let apply = |ranges: &[Range<usize>]| {
            let mut splices = Splices::default();
            ranges.iter().for_each(|range| splices.replace(range.clone(), "x"));
            splices.apply(b"01234")
        };
        assert_eq!(apply(&[2..3, 0..2, 3..3]), Ok(b"xxx34".to_vec()));
        assert_eq!(apply(&[1..3, 1..1]), Ok(b"0xx34".to_vec()));
        assert_eq!(apply(&[1..3, 2..4]), Err(2));
        assert_eq!(apply(&[1..3, 2..2]), Err(2));
        assert_eq!(apply(&[4..6]), Err(6));
    }

    #[test]
    fn a_removed_part_takes_its_line_with_it() {
        for (text, part, rest) in [
            ("a\n  b\nc", 4..5, "a\nc"),
            ("a\r\nb\r\nc", 3..4, "a\r\nc"),
            ("b\nc", 0..1, "c"),
            ("a b c", 2..3, "a c"),
            ("{b}", 1..2, "{}"),
        ] {
            let mut splices = Splices::default();
            splices.replace(removal(text.as_bytes(), part), []);
            assert_eq!(splices.apply(text.as_bytes()), Ok(rest.as_bytes().to_vec()), "{text:?}");
        }
    }
}
