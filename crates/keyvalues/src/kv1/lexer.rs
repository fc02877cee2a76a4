//! Splits a text into tokens.

use std::ops::Range;

use logos::{Lexer as Logos, Logos as _};

use super::Grammar;
use crate::bytes::{MARK, escaped_length, slice};

/// A token. Spaces and comments are tokens, too, so that the generated lexer does not recurse over many of them.
#[derive(logos::Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false, extras = Grammar, error = LexError)]
pub(crate) enum Token {
    #[regex(r"[ \t\r\n]+")]
    Space,
    // Without `-u`, classes match only valid UTF-8.
    #[regex(r"//(?-u:[^\n])*", allow_greedy = true, priority = 100)]
    #[token("/*", block_comment)]
    Comment,
    #[token("{")]
    Open,
    #[token("}")]
    Close,
    #[token("\"", quoted)]
    Quoted,
    // A comment begins only where a token begins: `http://a` is one word.
    #[regex(r#"(?-u:([^ \t\r\n"{}/\[]|/[^ \t\r\n"{}/*])[^ \t\r\n"{}]*)"#)]
    #[token("/")]
    Bare,
    /// Without conditions it becomes `Bare`.
    #[token("[", condition)]
    Condition,
    End,
}

/// The token that has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LexError {
    // Never reported by logos itself: every byte begins a token.
    #[default]
    String,
    Comment,
    Condition,
}

/// Reads a string after its opening quote.
fn quoted(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    let rest = lexer.remainder();
    let length = if lexer.extras.escapes { escaped_length(rest) } else { memchr::memchr(b'"', rest) };
    lexer.bump(length.ok_or(LexError::String)?.saturating_add(1));
    Ok(())
}

/// Reads a comment after `/*`.
fn block_comment(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    let length = memchr::memmem::find(lexer.remainder(), b"*/").ok_or(LexError::Comment)?;
    lexer.bump(length.saturating_add(2));
    Ok(())
}

/// Reads a condition after `[`.
fn condition(lexer: &mut Logos<'_, Token>) -> Result<(), LexError> {
    let length = memchr::memchr(b']', lexer.remainder()).ok_or(LexError::Condition)?;
    lexer.bump(length.saturating_add(1));
    Ok(())
}

/// Returns the length of the word at the start of a text.
fn word_length(bytes: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'{' | b'}');
    bytes.iter().position(is_end).unwrap_or(bytes.len())
}

/// A token with its range.
#[derive(Debug, Clone)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) range: Range<usize>,
}

/// Iterates over the tokens of a text.
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    grammar: Grammar,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer for a text. A byte order mark is skipped.
    pub(crate) fn new(source: &'a [u8], grammar: Grammar) -> Self {
        let at = if source.starts_with(MARK) { MARK.len() } else { 0 };
        Self::at(source, at, grammar)
    }

    /// Creates a lexer that begins at an offset between tokens.
    pub(crate) fn at(source: &'a [u8], at: usize, grammar: Grammar) -> Self {
        Self { source, at, grammar }
    }

    /// Returns the next token, or the offset of one without an end.
    pub(crate) fn next(&mut self) -> Result<Lexeme, (LexError, usize)> {
        loop {
            let lexeme = self.next_with_spaces()?;
            if !matches!(lexeme.token, Token::Space | Token::Comment) {
                return Ok(lexeme);
            }
        }
    }

    /// Returns the next token, including spaces and comments.
    pub(crate) fn next_with_spaces(&mut self) -> Result<Lexeme, (LexError, usize)> {
        let (start, rest) = (self.at, slice(self.source, self.at..self.source.len()));
        // The generated lexer always knows conditions and `/*`. Without them in the grammar, they begin a word.
        let is_word = match rest {
            [b'[', ..] => !self.grammar.conditions,
            [b'/', b'*', ..] => !self.grammar.block_comments,
            _ => false,
        };
        let (token, length) = if is_word {
            (Token::Bare, word_length(rest))
        } else {
            let mut lexer = Token::lexer_with_extras(rest, self.grammar);
            let token = lexer.next().unwrap_or(Ok(Token::End)).map_err(|error| (error, start))?;
            (token, lexer.slice().len())
        };
        self.at = start.saturating_add(length);
        Ok(Lexeme { token, range: start..self.at })
    }
}
