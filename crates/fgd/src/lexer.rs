//! Splits a text into tokens.

use logos::{Lexer as Logos, Logos as _};

/// A token. Spaces and comments are tokens, too, so that the generated lexer does not recurse over many of them.
#[derive(logos::Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
pub(crate) enum Token {
    #[regex(r"[ \t\r\n]+")]
    Space,
    // Without `-u`, classes match only valid UTF-8.
    #[regex(r"//(?-u:[^\n])*", allow_greedy = true, priority = 100)]
    Comment,
    /// A string with its quotes. It may contain line ends and has no escapes.
    #[token("\"", quoted)]
    Quoted,
    #[regex(r#"(?-u:[^ \t\r\n"@=:\[\](),+{}|]+)"#)]
    Word,
    #[token("@")]
    At,
    #[token("=")]
    Equals,
    #[token(":")]
    Colon,
    #[token("+")]
    Plus,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("(")]
    OpenRound,
    #[token(")")]
    CloseRound,
    #[token("{")]
    OpenCurly,
    #[token("}")]
    CloseCurly,
    #[token(",")]
    #[token("|")]
    Separator,
    End,
    /// A string without its closing quote.
    Unended,
}

impl Token {
    /// Returns a description for errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Comment => "comment",
            Self::Quoted | Self::Unended => "string",
            Self::Word => "word",
            Self::At => "`@`",
            Self::Equals => "`=`",
            Self::Colon => "`:`",
            Self::Plus => "`+`",
            Self::OpenSquare => "`[`",
            Self::CloseSquare => "`]`",
            Self::OpenRound => "`(`",
            Self::CloseRound => "`)`",
            Self::OpenCurly => "`{`",
            Self::CloseCurly => "`}`",
            Self::Separator => "separator",
            Self::End => "end of the text",
        }
    }

    /// Returns `true` for a word or string.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Word | Self::Quoted)
    }

    /// Returns the token that closes a group.
    pub(crate) fn closing(self) -> Option<Self> {
        match self {
            Self::OpenSquare => Some(Self::CloseSquare),
            Self::OpenRound => Some(Self::CloseRound),
            Self::OpenCurly => Some(Self::CloseCurly),
            _ => None,
        }
    }
}

/// Reads a string after its opening quote.
fn quoted(lexer: &mut Logos<'_, Token>) -> Result<(), ()> {
    let length = memchr::memchr(b'"', lexer.remainder()).ok_or(())?;
    lexer.bump(length.saturating_add(1));
    Ok(())
}

/// A token with its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// `true` if a line ends between the token before this one and this one.
    pub(crate) begins_line: bool,
}

/// Returns the first token at or after an offset that is neither space nor comment.
pub(crate) fn next_lexeme(source: &[u8], mut at: usize) -> Lexeme {
    let mut begins_line = false;
    loop {
        let rest = source.get(at..).unwrap_or_default();
        let mut lexer = Token::lexer(rest);
        let token = lexer.next().unwrap_or(Ok(Token::End)).unwrap_or(Token::Unended);
        let length = if token == Token::Unended { rest.len() } else { lexer.slice().len() };
        let end = at.saturating_add(length);
        match token {
            Token::Space => begins_line |= memchr::memchr(b'\n', lexer.slice()).is_some(),
            Token::Comment => {}
            _ => return Lexeme { token, start: at, end, begins_line },
        }
        at = end;
    }
}
