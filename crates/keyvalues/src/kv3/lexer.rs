//! Splits a text into tokens.

use std::ops::Range;

use logos::{Lexer as Logos, Logos as _};

use crate::bytes::{escaped_length, slice};

/// A token. Spaces and comments are tokens, too, so that the generated lexer does not recurse over many of them.
#[derive(logos::Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false, error = LexError)]
pub(crate) enum Token {
    #[regex(r"[ \t\r\n]+")]
    Space,
    // Without `-u`, classes match only valid UTF-8.
    #[regex(r"//(?-u:[^\n])*", allow_greedy = true)]
    #[token("/*", block_comment)]
    Comment,
    #[token("{")]
    Open,
    #[token("}")]
    Close,
    #[token("[")]
    OpenArray,
    #[token("]")]
    CloseArray,
    #[token("=")]
    Equals,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("\"", quoted)]
    Quoted,
    #[token("\"\"\"", multiline)]
    Multiline,
    #[token("#[", binary)]
    Binary,
    #[regex(r"[-+]?0x[0-9A-Fa-f]+")]
    #[regex(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")]
    #[regex(r"[-+]?\.[0-9]+([eE][-+]?[0-9]+)?")]
    Number,
    /// A key, a flag, or one of the words for values.
    #[regex(r"[A-Za-z_][A-Za-z0-9_.|+]*")]
    Word,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LexError {
    /// No token begins with this byte.
    #[default]
    Unknown,
    /// The token has no end.
    Unended(&'static str),
}

fn quoted(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    let length = escaped_length(lexer.remainder()).ok_or(LexError::Unended("string"))?;
    lexer.bump(length.saturating_add(1));
    Ok(())
}

fn multiline(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    skip_past(lexer, b"\"\"\"", "multi-line string")
}

fn binary(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    skip_past(lexer, b"]", "binary value")
}

fn block_comment(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    skip_past(lexer, b"*/", "comment")
}

fn skip_past(lexer: &mut Logos<'_, Token>, end: &[u8], what: &'static str) -> Result<(), LexError> {
    let length = memchr::memmem::find(lexer.remainder(), end).ok_or(LexError::Unended(what))?;
    lexer.bump(length.saturating_add(end.len()));
    Ok(())
}

/// A token with its range.
#[derive(Debug, Clone)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) range: Range<usize>,
}

/// Iterates over the tokens of a text, without spaces and comments.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer that begins at an offset between tokens.
    pub(crate) fn new(source: &'a [u8], at: usize) -> Self {
        Self { source, at }
    }

    /// Returns the next token, or an error with its offset. After an error the lexer continues with the next byte.
    pub(crate) fn next(&mut self) -> Result<Lexeme, (LexError, usize)> {
        loop {
            let start = self.at;
            let mut lexer = Token::lexer(slice(self.source, start..self.source.len()));
            let token = lexer.next().unwrap_or(Ok(Token::End));
            self.at = start.saturating_add(lexer.slice().len());
            match token {
                Ok(Token::Space | Token::Comment) => {}
                Ok(token) => return Ok(Lexeme { token, range: start..self.at }),
                Err(error) => {
                    self.at = start.saturating_add(1);
                    return Err((error, start));
                }
            }
        }
    }
}

/// Returns the offset of the first token of a text, or of a byte that begins no token. Returns `None` if there are only spaces and
/// comments.
pub(crate) fn text_start(text: &[u8]) -> Option<usize> {
    match Lexer::new(text, 0).next() {
        Ok(Lexeme { token: Token::End, .. }) => None,
        Ok(lexeme) => Some(lexeme.range.start),
        Err((_, at)) => Some(at),
    }
}
