//! Bytes to tokens.

use logos::Logos;

/// A token. Blanks and comments are tokens too, so that no run of them nests: the lexer itself never restarts.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false, error = LexError)]
pub(crate) enum Token {
    #[token("{")]
    Open,
    #[token("}")]
    Close,
    #[token("[")]
    OpenArray,
    #[token("]")]
    CloseArray,
    /// A string; says whether a backslash stands in it.
    #[token("\"", text)]
    Text(bool),
    /// A number without quotes, which some programs write in arrays.
    #[regex(r"[-+.0-9][-+.0-9A-Za-z]*")]
    Number,
    /// Commas are blanks: they are forgotten and left over at will.
    #[regex(r"[ \t\r\n\x0B\x0C,]+")]
    Blank,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LexError {
    /// No token begins so.
    #[default]
    Unknown,
    /// A string does not end.
    Unended,
}

/// Goes on behind the opening quote of a string.
fn text(lexer: &mut logos::Lexer<'_, Token>) -> Result<bool, LexError> {
    let rest = lexer.remainder();
    let mut at = 0_usize;
    let mut escaped = false;
    loop {
        let tail = rest.get(at..).unwrap_or_default();
        let found = tail.iter().position(|byte| matches!(byte, b'"' | b'\\')).ok_or(LexError::Unended)?;
        at = at.saturating_add(found);
        if rest.get(at) == Some(&b'"') {
            lexer.bump(at.saturating_add(1));
            return Ok(escaped);
        }
        escaped = true;
        at = at.saturating_add(2);
    }
}

/// Where something stands in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.start..self.end).unwrap_or_default()
    }
}

/// A token with its place and, of a string, what stands between the quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme<'a> {
    pub(crate) token: Token,
    pub(crate) span: Span,
    pub(crate) text: &'a [u8],
}

/// The tokens that say something.
pub(crate) struct Lexer<'a> {
    inner: logos::Lexer<'a, Token>,
}

impl<'a> Lexer<'a> {
    /// Begins at an offset.
    pub(crate) fn new(source: &'a [u8], start: usize) -> Self {
        let mut inner = Token::lexer(source);
        inner.bump(start.min(source.len()));
        Self { inner }
    }

    pub(crate) fn next(&mut self) -> Result<Lexeme<'a>, (LexError, Span)> {
        loop {
            let token = self.inner.next().unwrap_or(Ok(Token::End));
            let range = self.inner.span();
            let span = Span { start: range.start, end: range.end };
            let token = token.map_err(|error| (error, span))?;
            let text = match token {
                Token::Blank | Token::Comment => continue,
                // Without the quotes.
                Token::Text(_) => match self.inner.slice() {
                    [_, text @ .., _] => text,
                    _ => &[],
                },
                _ => self.inner.slice(),
            };
            return Ok(Lexeme { token, span, text });
        }
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.inner.source()
    }
}

/// What each letter behind a backslash means.
pub(crate) const ESCAPES: [(u8, u8); 8] = [
    (b'n', b'\n'),
    (b't', b'\t'),
    (b'v', 0x0B),
    (b'b', 0x08),
    (b'r', b'\r'),
    (b'f', 0x0C),
    (b'a', 0x07),
    (b'\\', b'\\'),
];

/// Takes the backslashes out. Before any other character, `"`, `'` and `?` among them, they mean nothing.
pub(crate) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next() {
                Some(letter) => {
                    ESCAPES.iter().find(|(known, _)| *known == letter).map_or(letter, |(_, meaning)| *meaning)
                }
                None => break,
            },
            _ => byte,
        });
    }
    plain
}
