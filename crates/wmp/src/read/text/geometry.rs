//! Tokens of vertices and faces, which are most of a file.

use logos::Logos;
use mapwright_io::{FaultKind, parse_decimal};

use super::lexer::{FLAGS, Lines, expected, fail};
use super::numbers;
use crate::{FaceFlags, ReadError};

/// A token. Spaces are skipped.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false, skip r"[ \t\r\x0B\x0C]+")]
pub(super) enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenList,
    #[token("]")]
    CloseList,
    #[token(":")]
    Colon,
    #[token("\n")]
    LineEnd,
    #[regex(r"//[^\n]*", allow_greedy = true, priority = 20)]
    Comment,
    #[regex(r"[-+.]?[0-9][^ \t\r\n\x0B\x0C()\[\]:]*", priority = 10)]
    Number,
    #[regex(r"[^ \t\r\n\x0B\x0C()\[\]:]+", priority = 5)]
    Word,
    End,
}

// These two must match the expressions above, because some tokens are read without the lexer.

/// Returns `true` for bytes between tokens on a line.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C)
}

/// Returns `true` for bytes that end a number or a word.
const fn is_end(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\n' | b'(' | b')' | b'[' | b']' | b':')
}

/// Reads tokens.
pub(super) struct Geometry<'a> {
    lexer: logos::Lexer<'a, Token>,
    bytes: &'a [u8],
    /// The offset where the lexer began.
    first: usize,
    /// The offset of the last token.
    start: usize,
}

impl<'a> Geometry<'a> {
    pub(super) fn new(lines: &Lines<'a>) -> Self {
        let (bytes, first) = (lines.bytes(), lines.at());
        Self { lexer: Token::lexer(bytes.get(first..).unwrap_or_default()), bytes, first, start: first }
    }

    /// Returns the next token other than a comment.
    #[inline]
    pub(super) fn next(&mut self) -> Token {
        let token = loop {
            match self.lexer.next() {
                Some(Ok(Token::Comment)) => {}
                Some(Ok(token)) => break token,
                // Every byte begins a token, so this is part of one.
                Some(Err(())) => break Token::Word,
                None => break Token::End,
            }
        };
        self.start = self.first.saturating_add(self.lexer.span().start);
        token
    }

    /// Returns the next token other than a line end.
    #[inline]
    pub(super) fn next_in_lines(&mut self) -> Token {
        loop {
            let token = self.next();
            if token != Token::LineEnd {
                return token;
            }
        }
    }

    /// Returns the offset of the last token.
    pub(super) fn at(&self) -> usize {
        self.start
    }

    /// Returns the offset after the last token.
    pub(super) fn end(&self) -> usize {
        self.first.saturating_add(self.lexer.span().end)
    }

    /// Returns the number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.lexer.remainder().len()
    }

    /// Returns the text of the last token.
    pub(super) fn slice(&self) -> &'a [u8] {
        self.bytes.get(self.start..self.end()).unwrap_or_default()
    }

    /// Creates the error for the last token.
    #[cold]
    pub(super) fn unexpected(&self, what: &'static str) -> ReadError {
        expected(what, self.slice(), self.at())
    }

    #[inline]
    pub(super) fn want(&mut self, token: Token, what: &'static str) -> Result<(), ReadError> {
        if self.next() == token { Ok(()) } else { Err(self.unexpected(what)) }
    }

    /// Reads the end of a line.
    #[inline]
    pub(super) fn line_end(&mut self) -> Result<(), ReadError> {
        match self.next() {
            Token::LineEnd | Token::End => Ok(()),
            _ => Err(self.unexpected("the end of the line")),
        }
    }

    /// Parses the last token, if it begins like a number.
    #[inline]
    fn parse<T>(&self, token: Token, what: &'static str, read: impl Fn(&[u8]) -> Option<T>) -> Result<T, ReadError> {
        let found = if token == Token::Number { read(self.slice()) } else { None };
        found.ok_or_else(|| self.unexpected(what))
    }

    /// Parses the last token as a number.
    #[inline]
    pub(super) fn as_number(&self, token: Token, what: &'static str) -> Result<f64, ReadError> {
        self.parse(token, what, numbers::float)
    }

    /// Reads a number in the most frequent format without the lexer, which is faster.
    #[inline]
    fn decimal(&mut self) -> Option<f64> {
        let rest = self.lexer.remainder();
        let spaces = rest.iter().take_while(|byte| is_blank(**byte)).count();
        let text = rest.get(spaces..)?;
        let (number, length) = parse_decimal(text)?;
        text.get(length).filter(|byte| is_end(**byte))?;
        self.start = self.end().saturating_add(spaces);
        self.lexer.bump(spaces.saturating_add(length));
        Some(number)
    }

    #[inline]
    pub(super) fn number(&mut self, what: &'static str) -> Result<f64, ReadError> {
        if let Some(number) = self.decimal() {
            return Ok(number);
        }
        let token = self.next();
        self.as_number(token, what)
    }

    /// Reads a number, possibly on a later line.
    #[inline]
    pub(super) fn number_in_lines(&mut self, what: &'static str) -> Result<f64, ReadError> {
        loop {
            if let Some(number) = self.decimal() {
                return Ok(number);
            }
            match self.next() {
                Token::LineEnd => {}
                token => return self.as_number(token, what),
            }
        }
    }

    #[inline]
    pub(super) fn numbers<const N: usize>(&mut self, what: &'static str) -> Result<[f64; N], ReadError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number(what)?;
        }
        Ok(numbers)
    }

    /// Parses the last token as a whole number.
    #[inline]
    pub(super) fn as_whole(&self, token: Token, what: &'static str) -> Result<u32, ReadError> {
        self.parse(token, what, numbers::whole)
    }

    /// Reads a whole number, or `None` for a certain token.
    #[inline]
    pub(super) fn whole_or(&mut self, last: Token, what: &'static str) -> Result<Option<u32>, ReadError> {
        let token = self.next();
        if token == last { Ok(None) } else { self.as_whole(token, what).map(Some) }
    }

    pub(super) fn whole(&mut self, what: &'static str) -> Result<u32, ReadError> {
        let token = self.next();
        self.as_whole(token, what)
    }

    #[inline]
    pub(super) fn flags(&mut self) -> Result<FaceFlags, ReadError> {
        let token = self.next();
        self.parse(token, FLAGS, numbers::flags).map(FaceFlags)
    }

    /// Reads all bytes up to the next space. Names of textures may contain any.
    #[inline]
    pub(super) fn word(&mut self, what: &'static str) -> Result<&'a [u8], ReadError> {
        let rest = self.lexer.remainder();
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let word = rest.get(spaces..).unwrap_or_default();
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        let word = word.get(..length).unwrap_or_default();
        if word.is_empty() || word.starts_with(b"//") {
            self.next();
            return Err(self.unexpected(what));
        }
        self.lexer.bump(spaces.saturating_add(length));
        Ok(word)
    }

    /// Counts the words before a byte on this line.
    pub(super) fn words_before(&self, end: u8) -> usize {
        let rest = self.lexer.remainder();
        let length = rest.iter().position(|byte| *byte == end || *byte == b'\n').unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count()
    }

    /// Checks that the rest of the file can contain a number of items of a least size.
    pub(super) fn count(&self, what: &'static str, declared: u32, least: usize) -> Result<usize, ReadError> {
        let available = self.left();
        let possible = available.checked_div(least).unwrap_or(available);
        let count = usize::try_from(declared).unwrap_or(usize::MAX);
        if count <= possible {
            return Ok(count);
        }
        let kind = FaultKind::Count {
            what,
            declared: declared.into(),
            possible: possible as u64,
            available: available as u64,
        };
        Err(fail(kind.into(), self.at()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number at the start of the text, or the error, and the offsets of its token.
    fn read(
        text: &[u8],
        number: impl Fn(&mut Geometry<'_>) -> Result<f64, ReadError>,
    ) -> (Result<u64, String>, usize, usize) {
        let mut geometry = Geometry::new(&Lines::new(text, 0));
        let number = number(&mut geometry).map(f64::to_bits).map_err(|error| error.to_string());
        (number, geometry.at(), geometry.end())
    }

    fn check(text: &[u8]) {
        let lexed = read(text, |geometry| {
            let token = geometry.next();
            geometry.as_number(token, "a number")
        });
        let text_of = String::from_utf8_lossy(text);
        assert_eq!(read(text, |geometry| geometry.number("a number")), lexed, "{text_of:?}");
    }

    #[test]
    fn numbers_are_those_of_the_lexer() {
        for byte in 0..=u8::MAX {
            for text in [&[b'1', byte, b'2', b' '][..], &[byte, b'1', b' '], &[b' ', b'-', b'7', b'.', byte], &[byte]] {
                check(text);
            }
        }
        let texts = [
            "", "1", "-0 ", ".5 ", "-.5 ", "+1 ", "--1 ", "1e3 ", "1. ", "1.25)", "0x1 ", "1.2.3 ", "// 1", "1//2", "-",
        ];
        texts.iter().for_each(|text| check(text.as_bytes()));
        ["123456789012345 ", "1234567890123456 ", "0.1234567890123456:", "\t\r\x0B\x0C 1]"]
            .iter()
            .for_each(|text| check(text.as_bytes()));
        assert_eq!(read(b" -1.5]", |geometry| geometry.number("a number")), (Ok((-1.5_f64).to_bits()), 1, 5));
    }
}
