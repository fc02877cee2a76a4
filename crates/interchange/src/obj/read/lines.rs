//! The lines and words of OBJ and MTL files.

use std::borrow::Cow;

use mapwright_io::{LineColumn, Position, parse_decimal};

/// The lines of a text, with their numbers from 1. A backslash at the end continues a line. Lines end with a line feed, or with a
/// carriage return in files without line feeds.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    end: u8,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        let rest = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        Self { rest, end: line_end(data), number: 0 }
    }

    /// Splits the lines into parts of at least this number of bytes, for reading at the same time. Line numbers of each part begin
    /// with 1.
    pub(super) fn parts(self, size: usize) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut all = self;
        while let Some(split) = all.end_from(size) {
            let (part, rest) = all.rest.split_at(split);
            parts.push(Self { rest: part, ..all });
            all.rest = rest;
        }
        parts.push(all);
        parts
    }

    /// Returns the place after the first line that ends at least `size` bytes from here, if something follows.
    fn end_from(&self, size: usize) -> Option<usize> {
        let mut from = size;
        loop {
            let end = from.checked_add(memchr::memchr(self.end, self.rest.get(from..)?)?)?;
            from = end.checked_add(1)?;
            if !self.rest.get(..end)?.trim_ascii_end().ends_with(b"\\") {
                return Some(from).filter(|from| *from < self.rest.len());
            }
        }
    }

    /// Returns the next line as it is, without spaces around it.
    fn raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() && self.number > 0 {
            return None;
        }
        self.number = self.number.wrapping_add(1);
        let (line, rest) = match memchr::memchr(self.end, self.rest).and_then(|end| self.rest.split_at_checked(end)) {
            Some((line, rest)) => (line, rest.get(1..).unwrap_or_default()),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line.trim_ascii())
    }

    /// Returns the number of lines so far.
    pub(super) fn line_count(&self) -> u64 {
        self.number
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, Cow<'a, [u8]>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = self.raw()?;
        let number = self.number;
        let Some(start) = first.strip_suffix(b"\\") else { return Some((number, Cow::Borrowed(first))) };
        let mut whole = start.to_vec();
        while let Some(next) = self.raw() {
            whole.push(b' ');
            let Some(part) = next.strip_suffix(b"\\") else {
                whole.extend_from_slice(next);
                break;
            };
            whole.extend_from_slice(part);
        }
        Some((number, Cow::Owned(whole)))
    }
}

/// Returns the byte that ends the lines of a file.
fn line_end(data: &[u8]) -> u8 {
    if memchr::memchr(b'\n', data).is_some() { b'\n' } else { b'\r' }
}

/// Returns the position of a line of [`Lines`].
pub(super) fn line_position(data: &[u8], line: u64) -> Position {
    let end = line_end(data);
    let before = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let offset = data.split_inclusive(|&byte| byte == end).take(before).map(<[u8]>::len).sum::<usize>() as u64;
    let text = Some(LineColumn { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 });
    Position { text, ..Position::file(offset) }
}

/// Splits a line into its first word and the rest.
#[inline]
pub(super) fn keyword(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at_checked(end).unwrap_or((line, &[]));
    (word, rest.trim_ascii_start())
}

/// The words of a statement, up to a comment.
pub(super) struct Words<'a>(pub(super) &'a [u8]);

impl<'a> Words<'a> {
    /// Parses the next word as a finite number. Another word stays.
    #[inline]
    pub(super) fn number(&mut self) -> Option<f64> {
        self.0 = self.0.trim_ascii_start();
        if let Some((number, length)) = parse_decimal(self.0)
            && let Some(rest) = self.0.get(length..)
            && rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'#')
        {
            self.0 = rest;
            return Some(number);
        }
        let mut words = Words(self.0);
        let number = std::str::from_utf8(words.next()?).ok()?.parse().ok().filter(|number: &f64| number.is_finite())?;
        self.0 = words.0;
        Some(number)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let text = self.0.trim_ascii_start();
        let end = text.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#').unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_same_lines() {
        let text = b"\xef\xbb\xbfo a\nf 1 \\\n 2 3\\ \n\n4\r\n\n# \\\\\nv 1 2 3";
        let whole: Vec<Vec<u8>> = Lines::new(text).map(|(_, line)| line.into_owned()).collect();
        assert_eq!(whole.len(), 5);
        for size in 1..text.len() {
            let mut lines = Vec::new();
            let mut count = 0;
            for mut part in Lines::new(text).parts(size) {
                lines.extend(part.by_ref().map(|(number, line)| (count + number, line.into_owned())));
                count += part.line_count();
            }
            let expected: Vec<(u64, Vec<u8>)> = Lines::new(text).map(|(n, line)| (n, line.into_owned())).collect();
            assert_eq!(lines, expected, "{size}");
        }
    }

    #[test]
    fn words_end_at_a_comment() {
        let words: Vec<&[u8]> = Words(b" a\tb#c d").collect();
        assert_eq!(words, [&b"a"[..], b"b"]);
        let mut words = Words(b"1.5 -2e1 7#");
        assert_eq!(
            [words.number(), words.number(), words.number(), words.number()],
            [Some(1.5), Some(-20.0), Some(7.0), None]
        );
        let mut words = Words(b"1x");
        assert_eq!((words.number(), words.next()), (None, Some(&b"1x"[..])));
    }
}
