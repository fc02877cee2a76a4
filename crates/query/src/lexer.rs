//! Tokens of queries and edits.
//!
//! The characters of a word depend on its place: fields end at comparison signs, values do not. So the parser asks for the next token of
//! the kind that it expects.

use logos::Logos;

use crate::error::SyntaxError;

/// Tokens of conditions: fields, signs and words between conditions.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[\s]+")]
pub(crate) enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("!")]
    Not,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    AtMost,
    #[token(">")]
    Greater,
    #[token(">=")]
    AtLeast,
    #[token("~")]
    Contains,
    #[token("+=")]
    Add,
    #[token("-=")]
    Subtract,
    #[token("*")]
    All,
    #[regex(r"#[0-9]+")]
    Number,
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r#"'([^'\\]|\\.)*'"#)]
    Quoted,
    // A hyphen within a name is followed by a letter, so that `x-=5` ends the name before it.
    #[regex(r#"([^\s()&|!=<>~+\-*,:;#'"\\]|\\.)([^\s()&|!=<>~+\-,:;'"\\]|-[^\s()&|!=<>~+\-,:;'"\\]|\\.)*"#)]
    Word,
}

/// Values of comparisons, and of edits that have words.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[\s]+")]
pub(crate) enum ValueToken {
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r#"'([^'\\]|\\.)*'"#)]
    Quoted,
    #[regex(r#"([^\s()&|'"=!<>~\\]|\\.|\\)([^\s()&|\\]|\\.|\\)*"#, priority = 1)]
    Word,
}

/// Values in parentheses, which commas separate.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[\s]+")]
pub(crate) enum ListToken {
    #[token(",")]
    Comma,
    #[token(")")]
    Close,
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r#"'([^'\\]|\\.)*'"#)]
    Quoted,
    #[regex(r#"([^\s()&|,'"=!<>~\\]|\\.|\\)([^\s()&|,\\]|\\.|\\)*"#, priority = 1)]
    Word,
}

/// Values of assignments, up to the comma.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AssignToken {
    #[regex(r"[\s]+")]
    Space,
    #[token(",")]
    Comma,
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r#"'([^'\\]|\\.)*'"#)]
    Quoted,
    #[regex(r#"([^\s,'"\\]|\\.|\\)([^\s,\\]|\\.|\\)*"#, priority = 1)]
    Word,
}

/// Words of edits, which spaces separate.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[\s]+")]
pub(crate) enum WordToken {
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r#"'([^'\\]|\\.)*'"#)]
    Quoted,
    #[regex(r#"([^\s'"\\]|\\.|\\)([^\s\\]|\\.|\\)*"#, priority = 1)]
    Word,
}

/// A place in the text of a query or an edit.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Creates a cursor at a part of the text, so that errors count columns from its start.
    pub(crate) fn at_part(text: &'a str, part: &str) -> Self {
        Self { text, at: Self::offset(text, part) }
    }

    /// Returns where a part of the text begins; an empty part is at the end.
    pub(crate) fn offset(text: &str, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        if part.is_empty() || offset > text.len() { text.len() } else { offset }
    }

    /// Returns the text from here on.
    pub(crate) fn remaining(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the next token and its text, and stays before it. `None` at the end, and for text that is not a token.
    pub(crate) fn peek<T: Logos<'a, Source = str, Extras = ()>>(&self) -> Option<(T, &'a str)> {
        let mut lexer = T::lexer(self.remaining());
        let token = lexer.next()?.ok()?;
        Some((token, lexer.slice()))
    }

    /// Takes the next token if it is one of the expected.
    pub(crate) fn take<T: Logos<'a, Source = str, Extras = ()> + Copy>(
        &mut self,
        is_expected: impl FnOnce(T) -> bool,
    ) -> Option<(T, &'a str)> {
        let mut lexer = T::lexer(self.remaining());
        let token = lexer.next()?.ok().filter(|token| is_expected(*token))?;
        self.at = self.at.saturating_add(lexer.span().end);
        Some((token, lexer.slice()))
    }

    /// Returns `true` if only white space is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.remaining().trim_start().is_empty()
    }

    /// Returns an error at the next token.
    pub(crate) fn expected(&self, expected: &str) -> SyntaxError {
        let rest = self.remaining().trim_start();
        let at = self.text.len().saturating_sub(rest.len());
        let column = self.text.get(..at).unwrap_or_default().chars().count().saturating_add(1);
        let found = match rest.split_whitespace().next() {
            None => "the end".to_owned(),
            Some(word) if word.starts_with(['"', '\'']) && !is_closed(rest) => "a quote that is not closed".to_owned(),
            Some(word) => format!("`{}`", word.chars().take(MAX_SHOWN_CHARACTERS).collect::<String>()),
        };
        SyntaxError { column, expected: expected.to_owned(), found }
    }
}

/// Characters of a word that an error shows.
const MAX_SHOWN_CHARACTERS: usize = 40;

/// Returns `true` if the text begins with a quoted word that ends.
fn is_closed(text: &str) -> bool {
    matches!(WordToken::lexer(text).next(), Some(Ok(WordToken::Quoted)))
}
