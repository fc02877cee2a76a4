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
        at = at.saturating_add(quote_or_backslash(tail).ok_or(LexError::Unended)?);
        if rest.get(at) == Some(&b'"') {
            lexer.bump(at.saturating_add(1));
            return Ok(escaped);
        }
        escaped = true;
        at = at.saturating_add(2);
    }
}

/// Bytes before the first quote or backslash, eight at a time: strings are most of a file.
fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
    const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest high bit that is set tells the first byte that is zero.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return Some(index.saturating_mul(8).saturating_add(found.trailing_zeros() as usize / 8));
        }
    }
    let before = bytes.len().saturating_sub(rest.len());
    rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).map(|at| before.saturating_add(at))
}

/// Blanks and commas at the start. Most are tabs of the indentation.
fn blanks(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let tabs = words.iter().take_while(|word| **word == [b'\t'; 8]).count().saturating_mul(8);
    let rest = bytes.get(tabs..).unwrap_or_default();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | b',');
    tabs.saturating_add(rest.iter().take_while(blank).count())
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
            // Indentation and plain strings are most of a file: they are told without the automaton.
            let rest = self.inner.remainder();
            let blanks = blanks(rest);
            if let Some((b'"', rest)) = rest.get(blanks..).and_then(<[u8]>::split_first)
                && let Some((text, [b'"', ..])) = quote_or_backslash(rest).and_then(|end| rest.split_at_checked(end))
            {
                let start = self.inner.span().end.saturating_add(blanks);
                let length = text.len().saturating_add(2);
                self.inner.bump(blanks.saturating_add(length));
                let span = Span { start, end: start.saturating_add(length) };
                return Ok(Lexeme { token: Token::Text(false), span, text });
            }
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
