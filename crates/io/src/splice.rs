//! Changes of texts that keep their layout, for documents that are their text.

use std::ops::Range;

/// The UTF-8 byte order mark.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Replacements of parts of a text, which are applied together. Everything else keeps its bytes.
///
/// Insertions at the same offset keep their order, and are before a replacement that starts there. Removals may overlap: neighbouring parts
/// both take the line end between them.
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
    /// The start of a change that overlaps another one and is no removal, or that is not inside the text.
    pub fn apply(mut self, source: &[u8]) -> Result<Vec<u8>, usize> {
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let grown = self.changes.iter().fold(source.len(), |sum, (_, with)| sum.saturating_add(with.len()));
        let mut text = Vec::with_capacity(grown);
        let mut at = 0;
        let mut follows_removal = false;
        for (range, with) in self.changes {
            let is_removal = with.is_empty() && !range.is_empty();
            if !(is_removal && follows_removal && range.start < at) {
                text.extend_from_slice(source.get(at..range.start).ok_or(range.start)?);
                text.extend_from_slice(&with);
            }
            at = range.end.max(at);
            follows_removal = is_removal;
        }
        text.extend_from_slice(source.get(at..).ok_or(at)?);
        Ok(text)
    }
}

/// Returns a part of a text, or an empty slice if the range is not inside the text.
pub fn slice(source: &[u8], range: Range<usize>) -> &[u8] {
    source.get(range).unwrap_or_default()
}

/// Maximum number of bytes in which a line end is looked for, so that many edits of a text with long lines take linear time.
const MAX_LINE: usize = 4096;

/// Returns the line end before an offset, or else the first line end of the text. Lines of more than 4096 bytes have the line end `\n`.
pub fn line_end(source: &[u8], at: usize) -> &'static [u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = at.saturating_sub(MAX_LINE);
    let before = slice(source, start..at).iter().rposition(is_end).map(|end| start.saturating_add(end));
    let end = before.or_else(|| source.iter().take(MAX_LINE).position(is_end));
    let neighbour = |offset: Option<usize>| offset.and_then(|offset| source.get(offset));
    match end.and_then(|end| Some((source.get(end)?, end))) {
        Some((b'\n', end)) if neighbour(end.checked_sub(1)) == Some(&b'\r') => b"\r\n",
        Some((b'\r', end)) if neighbour(end.checked_add(1)) == Some(&b'\n') => b"\r\n",
        Some((b'\r', _)) => b"\r",
        _ => b"\n",
    }
}

/// Returns the spaces and tabs before an offset, if nothing else precedes it in its line.
pub fn indentation(source: &[u8], at: usize) -> Option<&[u8]> {
    let before = source.get(..at)?;
    let blanks = before.iter().rev().take_while(|&&byte| is_blank(byte)).count();
    let (rest, blanks) = before.split_at_checked(before.len().saturating_sub(blanks))?;
    // A byte order mark is not part of the line.
    let begins_line = matches!(rest, [] | [.., b'\n' | b'\r']) || rest == BYTE_ORDER_MARK;
    begins_line.then_some(blanks)
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
        [b'\n' | b'\r', ..] => Some(end.saturating_add(1)),
        [] => Some(end),
        _ => None,
    };
    let before = slice(source, 0..part.start);
    match (indentation(source, part.start), next_line) {
        (Some(indent), Some(next_line)) => {
            let start = part.start.saturating_sub(indent.len());
            match slice(source, 0..start) {
                [.., b'\r', b'\n'] => start.saturating_sub(2)..end,
                [.., b'\n' | b'\r'] => start.saturating_sub(1)..end,
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
        assert_eq!(apply(&[0..1, 4..6]), Err(6));
        let remove = |ranges: &[Range<usize>], insertion: Option<usize>| {
            let mut splices = Splices::default();
            ranges.iter().for_each(|range| splices.remove(range.clone()));
            insertion.into_iter().for_each(|at| splices.insert(at, "x"));
            splices.apply(b"01234")
        };
        assert_eq!(remove(&[1..3, 2..4], None), Ok(b"04".to_vec()));
        assert_eq!(remove(&[1..4, 2..3, 3..5], None), Ok(b"0".to_vec()));
        assert_eq!(remove(&[1..3, 2..4], Some(3)), Err(3));
        assert_eq!(remove(&[1..2, 2..3], Some(3)), Ok(b"0x34".to_vec()));
        assert_eq!(remove(&[1..3, 2..6], None), Err(6));
    }

    #[test]
    fn all_lines_can_be_removed() {
        for text in ["a\nb\nc\n", "a\r\nb\r\nc", "a\rb\rc\r", "a b c"] {
            let mut splices = Splices::default();
            for part in ["a", "b", "c"] {
                let at = text.find(part).unwrap();
                splices.remove(removal(text.as_bytes(), at..at + 1));
            }
            let rest = splices.apply(text.as_bytes()).unwrap();
            assert!(rest.iter().all(|byte| matches!(byte, b'\r' | b'\n' | b' ')), "{text:?} {rest:?}");
        }
    }

    #[test]
    fn line_ends_are_those_of_the_neighbours() {
        for (text, at, expected) in [
            ("a\r\nb\nc", 3, "\r\n"),
            ("a\r\nb\nc", 6, "\n"),
            ("a\rb", 3, "\r"),
            ("a\r\nb", 0, "\r\n"),
            ("ab", 1, "\n"),
        ] {
            assert_eq!(line_end(text.as_bytes(), at), expected.as_bytes(), "{text:?}");
        }
        assert_eq!(indentation(b"\xEF\xBB\xBF \ta", 5), Some(&b" \t"[..]));
        assert_eq!(indentation(b"a\r  b", 4), Some(&b"  "[..]));
        assert_eq!(indentation(b"a  b", 3), None);
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
