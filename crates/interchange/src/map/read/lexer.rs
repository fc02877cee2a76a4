//! Tokens and their positions.

use std::borrow::Cow;

use mapwright_io::{LineColumn, Position};

use crate::{Error, ErrorKind, error::malformed};

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// One of `{ } ( ) [ ]`.
    Mark(u8),
    /// Text between double quotes.
    Quoted(&'a [u8]),
    /// Anything else, up to a space or a mark.
    Word(&'a [u8]),
}

impl Token<'_> {
    /// Describes the token for an error. Long tokens are cut.
    pub(super) fn described(&self) -> String {
        let shown = |text: &[u8]| String::from_utf8_lossy(text.get(..40).unwrap_or(text)).into_owned();
        match self {
            Self::Mark(mark) => format!("{:?}", char::from(*mark)),
            Self::Quoted(text) => format!("the text {:?}", shown(text)),
            Self::Word(text) => format!("{:?}", shown(text)),
        }
    }
}

/// Reads text once, and counts lines.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    /// The offset of the line.
    start: usize,
    /// Position of the last token.
    pub last: Position,
    /// Number of comments that a written map does not contain, and the position of the first one.
    pub comments: (usize, Option<Position>),
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at, line: 1, start: 0, last: Position::in_text(text, 0), comments: (0, None) }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn step(&mut self) {
        if self.peek_byte() == Some(b'\n') {
            self.line = self.line.saturating_add(1);
            self.start = self.at.saturating_add(1);
        }
        self.at = self.at.saturating_add(1);
    }

    fn here(&self) -> Position {
        let column = self.at.saturating_sub(self.start).saturating_add(1);
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        Position { text: Some(LineColumn { line: self.line, column }), ..Position::file(self.at as u64) }
    }

    fn skip_spaces(&mut self) {
        // Some programs end files with a zero byte.
        while self.peek_byte().is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0) {
            self.step();
        }
    }

    /// Moves to the next token, past spaces and comments. Returns `false` at the end.
    fn seek(&mut self) -> bool {
        loop {
            self.skip_spaces();
            self.last = self.here();
            match self.peek_byte() {
                Some(b'/') if self.text.get(self.at.saturating_add(1)) == Some(&b'/') => {
                    let comment = self.take_until(|byte| byte == b'\n').trim_ascii();
                    if !is_standard(comment) {
                        self.comments.0 = self.comments.0.saturating_add(1);
                        self.comments.1.get_or_insert(self.last);
                    }
                }
                Some(_) => return true,
                None => return false,
            }
        }
    }

    /// Returns the next token, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Error> {
        if !self.seek() {
            return Ok(None);
        }
        Ok(Some(match self.peek_byte() {
            Some(b'"') => Token::Quoted(self.quoted()?),
            Some(mark @ (b'{' | b'}' | b'(' | b')' | b'[' | b']')) => {
                self.step();
                Token::Mark(mark)
            }
            _ => Token::Word(self.take_until(|byte| byte.is_ascii_whitespace() || b"(){}[]\"\0".contains(&byte))),
        }))
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&mut self) -> Result<Option<Token<'a>>, Error> {
        self.clone().next()
    }

    /// Reads the name of a texture: text up to a space, including marks, or text between quotes.
    pub(super) fn name(&mut self) -> Result<Cow<'a, [u8]>, Error> {
        self.skip_spaces();
        self.last = self.here();
        match self.peek_byte() {
            Some(b'"') => self.quoted().map(unescape),
            Some(_) => Ok(self.take_until(|byte| byte.is_ascii_whitespace() || byte == 0).into()),
            None => Err(self.error("expected the name of a texture, found the end of the text")),
        }
    }

    fn take_until(&mut self, is_end: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.at;
        while self.peek_byte().is_some_and(|byte| !is_end(byte)) {
            self.step();
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Reads text between quotes, with its escapes.
    fn quoted(&mut self) -> Result<&'a [u8], Error> {
        self.step();
        let start = self.at;
        let mut is_escaped = false;
        while let Some(byte) = self.peek_byte() {
            // A backslash before the last quote of a line belongs to a path: `"C:\dir\"`.
            let ends_line = || matches!(self.text.get(self.at.saturating_add(1)), None | Some(b'\r' | b'\n' | b'}'));
            if byte == b'"' && (!is_escaped || ends_line()) {
                let text = self.text.get(start..self.at).unwrap_or_default();
                self.step();
                return Ok(text);
            }
            is_escaped = byte == b'\\' && !is_escaped;
            self.step();
        }
        Err(self.error("unterminated text: expected a quote"))
    }

    /// Creates an error at the last token.
    pub(super) fn error(&self, text: impl Into<String>) -> Error {
        malformed("", text).at(self.last)
    }

    /// Reads a finite number.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, Error> {
        let token = self.next()?;
        match token {
            Some(Token::Word(word)) => number(word).ok_or_else(|| {
                let found = Token::Word(word).described();
                self.error(format!("expected {what}, found {found}, which is not a finite number"))
            }),
            other => Err(self.unexpected(other, what)),
        }
    }

    /// Reads a mark.
    pub(super) fn mark(&mut self, mark: u8) -> Result<(), Error> {
        match self.next()? {
            Some(Token::Mark(found)) if found == mark => Ok(()),
            other => Err(self.unexpected(other, &format!("{:?}", char::from(mark)))),
        }
    }

    pub(super) fn unexpected(&self, token: Option<Token<'_>>, expected: &str) -> Error {
        let found = token.map_or_else(|| "the end of the text".to_owned(), |token| token.described());
        self.error(format!("expected {expected}, found {found}"))
    }

    pub(super) fn limit(&self, what: &'static str, limit: u64) -> Error {
        Error::new(ErrorKind::Limit { what, limit }, self.last)
    }
}

/// Returns `true` for comments that editors create: the number of an entity or a brush, the game and the format. The reader reports
/// unusual games and formats.
fn is_standard(comment: &[u8]) -> bool {
    let numbered = |name: &[u8]| comment.strip_prefix(name).is_some_and(|number| number.iter().all(u8::is_ascii_digit));
    let named = |name: &[u8]| comment.starts_with(name);
    numbered(b"// entity ") || numbered(b"// brush ") || named(b"// Game: ") || named(b"// Format: ")
}

/// Removes the backslashes of escaped quotes and backslashes.
fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return text.into();
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escaped = if byte == b'\\' { bytes.next_if(|next| matches!(next, b'"' | b'\\')) } else { None };
        plain.push(escaped.unwrap_or(byte));
    }
    plain.into()
}

/// Parses a finite number.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}
