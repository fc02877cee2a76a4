//! Splits a text into tokens.

use std::ops::Range;

use logos::{Lexer as Logos, Logos as _};

use super::{Failure, Problem};
use crate::bytes::{content_start, is_space, slice};

/// A token. Spaces are skipped before; comments are tokens, too, so that the generated lexer does not recurse over many of them.
///
/// A group of numbers in brackets is one token where it has the usual form. With comments inside, it is several tokens.
#[derive(logos::Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false, error = UnclosedQuote)]
#[logos(subpattern number = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
#[logos(subpattern space = r"[\x00-\x20]")]
#[logos(subpattern three = r"\((?&space)*(?&number)((?&space)+(?&number)){2}(?&space)*\)")]
pub(crate) enum Token {
    // Without `-u`, classes match only valid UTF-8.
    #[regex(r"(//|;)(?-u:[^\r\n])*", allow_greedy = true, priority = 100)]
    Comment,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    OpenParenthesis,
    #[token(")")]
    CloseParenthesis,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("\"", quoted)]
    Quoted,
    #[regex(r"(?&number)", priority = 50)]
    Number,
    /// Three points, each of three numbers in parentheses.
    #[regex(r"(?&three)(?&space)*(?&three)(?&space)*(?&three)")]
    Points,
    /// Three numbers in parentheses.
    #[regex(r"(?&three)")]
    Three,
    /// Four numbers in parentheses.
    #[regex(r"\((?&space)*(?&number)((?&space)+(?&number)){3}(?&space)*\)")]
    Four,
    /// Five numbers in parentheses.
    #[regex(r"\((?&space)*(?&number)((?&space)+(?&number)){4}(?&space)*\)")]
    Five,
    /// Four numbers in brackets.
    #[regex(r"\[(?&space)*(?&number)((?&space)+(?&number)){3}(?&space)*\]")]
    Axis,
    #[regex(r#"(?-u:[^\x00-\x20()\[\]{}"])+"#, priority = 1)]
    Word,
    End,
}

/// The only error of the generated lexer: every byte begins a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct UnclosedQuote;

/// Reads a string after its opening quote.
fn quoted(lexer: &mut Logos<'_, Token>) -> Result<(), UnclosedQuote> {
    let length = quoted_length(lexer.remainder()).ok_or(UnclosedQuote)?;
    lexer.bump(length.saturating_add(1));
    Ok(())
}

/// Returns the length of a string without its closing quote. Returns `None` if there is no closing quote.
///
/// A quote after an odd number of backslashes belongs to the string, unless a line end, `}` or the end of the text follows:
/// `"wad" "C:\dir\"`.
pub(crate) fn quoted_length(text: &[u8]) -> Option<usize> {
    let mut quotes = memchr::memchr_iter(b'"', text);
    quotes.find(|&at| {
        let backslashes = slice(text, 0..at).iter().rev().take_while(|&&byte| byte == b'\\').count();
        let next = text.get(at.saturating_add(1));
        backslashes % 2 == 0 || matches!(next, None | Some(b'\n' | b'\r' | b'}'))
    })
}

/// A token with its range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Lexeme {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns `true` for keys, values and words after a texture: words and numbers without quotes.
    pub(crate) fn is_bare(self) -> bool {
        matches!(self.token, Token::Word | Token::Number)
    }

    /// Returns `true` for keys and values.
    pub(crate) fn is_text(self) -> bool {
        self.is_bare() || self.token == Token::Quoted
    }
}

/// Iterates over the tokens of a text.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer for a text. A byte order mark is skipped.
    pub(crate) fn new(source: &'a [u8]) -> Self {
        Self { source, at: content_start(source) }
    }

    /// Creates a lexer that begins at an offset between tokens.
    pub(crate) fn at(source: &'a [u8], at: usize) -> Self {
        Self { source, at }
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Returns the next token after comments.
    pub(crate) fn next(&mut self) -> Result<Lexeme, Failure> {
        loop {
            let lexeme = self.next_with_comments()?;
            if lexeme.token != Token::Comment {
                return Ok(lexeme);
            }
        }
    }

    /// Returns the next token.
    pub(crate) fn next_with_comments(&mut self) -> Result<Lexeme, Failure> {
        let rest = self.skip_spaces();
        let start = self.at;
        let mut lexer = Token::lexer(rest);
        let token = lexer.next().unwrap_or(Ok(Token::End));
        let token = token.map_err(|UnclosedQuote| Failure { problem: Problem::Unended("a string"), at: start })?;
        self.at = start.saturating_add(lexer.slice().len());
        Ok(Lexeme { token, start, end: self.at })
    }

    /// Returns the next token as the name of a texture: a string in quotes, or everything up to the next space.
    pub(crate) fn next_texture(&mut self) -> Result<Lexeme, Failure> {
        loop {
            let rest = self.skip_spaces();
            match rest {
                [b'"' | b';', ..] | [b'/', b'/', ..] | [] => {
                    let lexeme = self.next_with_comments()?;
                    if lexeme.token != Token::Comment {
                        return Ok(lexeme);
                    }
                }
                _ => {
                    let start = self.at;
                    let length = rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len());
                    self.at = start.saturating_add(length);
                    return Ok(Lexeme { token: Token::Word, start, end: self.at });
                }
            }
        }
    }

    /// Moves to the next byte that is not a space. Returns the rest of the text.
    fn skip_spaces(&mut self) -> &'a [u8] {
        let rest = slice(self.source, self.at..self.source.len());
        let spaces = rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(spaces);
        slice(rest, spaces..rest.len())
    }
}
