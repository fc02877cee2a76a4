//! Lines.
//!
//! Names, files and actions extend to the end of a line and may contain spaces, so sections are read by lines. Vertices and
//! faces, which are most of a file, are read by tokens (`geometry`).

use mapwright_io::Position;

use super::numbers;
use crate::{Name, ReadError, ReadErrorKind};

/// Creates the error for unexpected text at an offset.
#[cold]
pub(super) fn expected(what: &'static str, found: &[u8], at: usize) -> ReadError {
    let found = match found {
        b"" => "the end of the file".to_owned(),
        b"\n" => "the end of the line".to_owned(),
        _ => format!("`{}`", found.get(..64).unwrap_or(found).trim_ascii_end().escape_ascii()),
    };
    fail(ReadErrorKind::Expected { expected: what, found }, at)
}

/// Creates an error at an offset.
#[cold]
pub(super) fn fail(kind: ReadErrorKind, at: usize) -> ReadError {
    ReadError::new(kind, position(at))
}

pub(super) fn position(at: usize) -> Position {
    Position::file(at as u64)
}

/// A line that is not empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// The text without surrounding spaces and comment.
    pub(super) text: &'a [u8],
    /// The offset of the text.
    pub(super) at: usize,
    /// The comment, without surrounding spaces.
    pub(super) comment: &'a [u8],
}

/// Reads a file line by line.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Returns the offset of the next line.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the bytes of the file.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the next line without its end, its offset, and `true` if it may contain a comment.
    #[inline]
    fn raw(&mut self) -> Option<(&'a [u8], usize, bool)> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let mut slash = false;
        let mut length = 0_usize;
        for byte in rest {
            if *byte == b'\n' {
                break;
            }
            slash |= *byte == b'/';
            length = length.wrapping_add(1);
        }
        self.at = start.saturating_add(length).saturating_add(1).min(self.bytes.len());
        Some((rest.get(..length)?, start, slash))
    }

    /// Returns the next line that is not empty.
    pub(super) fn next_or_comment(&mut self) -> Option<Line<'a>> {
        loop {
            let (raw, start, slash) = self.raw()?;
            let text = raw.trim_ascii_start();
            let at = start.saturating_add(raw.len().saturating_sub(text.len()));
            let (text, comment) = if slash { text.split_at(comment_at(text)) } else { (text, &[][..]) };
            let line =
                Line { text: text.trim_ascii_end(), at, comment: comment.get(2..).unwrap_or_default().trim_ascii() };
            if !line.text.is_empty() || !comment.is_empty() {
                return Some(line);
            }
        }
    }

    /// Returns the next line with more than a comment.
    pub(super) fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let line = self.next_or_comment()?;
            if !line.text.is_empty() {
                return Some(line);
            }
        }
    }

    /// Returns the next line, or an error at the end of the file.
    pub(super) fn want(&mut self, what: &'static str) -> Result<Line<'a>, ReadError> {
        match self.next() {
            Some(line) if line.text != b"}" => Ok(line),
            Some(line) => Err(expected(what, line.text, line.at)),
            None => Err(expected(what, b"", self.bytes.len())),
        }
    }

    /// Returns the next line of a section, or `None` after its end.
    pub(super) fn until_close(&mut self, what: &'static str) -> Result<Option<Line<'a>>, ReadError> {
        match self.next() {
            Some(line) if line.text == b"}" => Ok(None),
            Some(line) => Ok(Some(line)),
            None => Err(fail(ReadErrorKind::Unclosed { what }, self.bytes.len())),
        }
    }

    /// Skips to the end of the section that a line opened.
    pub(super) fn skip_section(&mut self, what: &'static str) -> Result<(), ReadError> {
        let mut depth = 1_u32;
        while depth > 0 {
            match self.next() {
                Some(line) if line.text == b"}" => depth = depth.saturating_sub(1),
                Some(line) if line.text.ends_with(b"{") => depth = depth.saturating_add(1),
                Some(_) => {}
                None => return Err(fail(ReadErrorKind::Unclosed { what }, self.bytes.len())),
            }
        }
        Ok(())
    }

    /// Skips the blank line that the editor writes after each section.
    pub(super) fn skip_blank_line(&mut self) {
        let start = self.at;
        if self.raw().is_some_and(|(raw, ..)| !raw.trim_ascii().is_empty()) {
            self.at = start;
        }
    }
}

/// Returns the start of the comment of a line, or its length. A comment begins at the start or after a space, but not within
/// `<...>`.
pub(crate) fn comment_at(line: &[u8]) -> usize {
    let mut from = 0;
    if line.first() == Some(&b'<') {
        from = line.iter().position(|byte| *byte == b'>').unwrap_or(line.len());
    }
    let after = line.get(from..).unwrap_or_default();
    let mut before = if from == 0 { b' ' } else { b'>' };
    let found = after.windows(2).position(|pair| {
        let starts = pair == b"//" && before.is_ascii_whitespace();
        before = pair.first().copied().unwrap_or_default();
        starts
    });
    found.map_or(line.len(), |at| from.saturating_add(at))
}

impl<'a> Line<'a> {
    /// Returns the words with their offsets.
    pub(super) fn words(self) -> impl Iterator<Item = (&'a [u8], usize)> {
        let mut rest = self.text;
        let end = self.at.saturating_add(self.text.len());
        std::iter::from_fn(move || {
            rest = rest.trim_ascii_start();
            let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let at = end.saturating_sub(rest.len());
            let (word, after) = rest.split_at_checked(length).filter(|(word, _)| !word.is_empty())?;
            rest = after;
            Some((word, at))
        })
    }

    /// Parses the whole text as `N` numbers.
    pub(super) fn numbers<const N: usize>(self, what: &'static str) -> Result<[f64; N], ReadError> {
        let mut words = self.words();
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            let (word, at) = words.next().ok_or_else(|| expected(what, self.text, self.at))?;
            *number = numbers::float(word).ok_or_else(|| expected(what, word, at))?;
        }
        match words.next() {
            None => Ok(numbers),
            Some((word, at)) => Err(expected("the end of the line", word, at)),
        }
    }

    /// Parses the whole text as a number.
    pub(super) fn number(self, what: &'static str) -> Result<f64, ReadError> {
        numbers::float(self.text).ok_or_else(|| expected(what, self.text, self.at))
    }

    /// Parses the whole text as a whole number.
    pub(super) fn whole(self, what: &'static str) -> Result<u32, ReadError> {
        numbers::whole(self.text).ok_or_else(|| expected(what, self.text, self.at))
    }

    /// Parses the whole text as flags.
    pub(super) fn flags(self) -> Result<u32, ReadError> {
        numbers::flags(self.text).ok_or_else(|| expected(FLAGS, self.text, self.at))
    }

    /// Returns the whole text as a name.
    pub(super) fn name(self) -> Name {
        name(self.text)
    }

    /// Splits the text into the part within `<...>` at its start, and the rest.
    pub(super) fn bracketed(self) -> Option<(&'a [u8], &'a [u8])> {
        let inner = self.text.strip_prefix(b"<")?;
        let (file, after) = inner.split_at_checked(inner.iter().position(|byte| *byte == b'>')?)?;
        Some((file, after.get(1..).unwrap_or_default().trim_ascii()))
    }

    /// Returns a file name, within `<...>` or bare.
    pub(super) fn file(self) -> &'a [u8] {
        match self.bracketed() {
            Some((file, b"")) => file,
            _ => self.text,
        }
    }
}

pub(super) const FLAGS: &str = "flags: up to 32 digits 0 and 1";

/// Returns a name. `ndef` is empty.
pub(super) fn name(text: &[u8]) -> Name {
    if text == b"ndef" { Name::NONE } else { text.into() }
}
