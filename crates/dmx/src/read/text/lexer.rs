//! Splits bytes into tokens.

use logos::Logos;

/// A token. Comments are tokens, too, so that the lexer never restarts and many of them do not nest. Spaces are skipped before it.
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
    /// A string; `true` if it contains a backslash.
    #[token("\"", text)]
    Text(bool),
    /// A number without quotes, which some programs write in arrays.
    #[regex(r"[-+.0-9][-+.0-9A-Za-z]*")]
    Number,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LexError {
    /// No token begins with these bytes.
    #[default]
    Unknown,
    /// A string has no end.
    Unended,
}

/// Reads a string after its opening quote.
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

/// Counts the bytes before the first quote or backslash, eight at a time: most of a file is strings.
fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
    const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest high bit that is set belongs to the first zero byte.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return Some(index.saturating_mul(8).saturating_add(found.trailing_zeros() as usize / 8));
        }
    }
    let before = bytes.len().saturating_sub(rest.len());
    rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).map(|at| before.saturating_add(at))
}

/// Counts the spaces at the start. Commas count as spaces: programs write too many or too few of them. Most spaces are tabs of the
/// indentation.
pub(super) fn count_spaces(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    loop {
        rest = match rest {
            [b'\t', ..] => rest.get(tabs(rest)..).unwrap_or_default(),
            [b' ' | b'\r' | b'\n' | 0x0B | 0x0C | b',', rest @ ..] => rest,
            _ => return bytes.len().saturating_sub(rest.len()),
        };
    }
}

/// Counts the tabs at the start, from one to eight.
fn tabs(bytes: &[u8]) -> usize {
    let Some(word) = bytes.first_chunk() else { return 1 };
    ((u64::from_le_bytes(*word) ^ TABS).trailing_zeros() / 8) as usize
}

const TABS: u64 = u64::from_ne_bytes([b'\t'; 8]);

/// A range of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) fn slice(self, source: &[u8]) -> &[u8] {
        source.get(self.start..self.end).unwrap_or_default()
    }
}

/// A token with its range and its text, which for a string is the part between the quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexeme<'a> {
    pub(crate) token: Token,
    pub(crate) span: Span,
    pub(crate) text: &'a [u8],
}

/// The tokens except comments.
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer that begins at an offset.
    pub(crate) fn new(source: &'a [u8], start: usize) -> Self {
        Self { source, at: start }
    }

    pub(crate) fn next(&mut self) -> Result<Lexeme<'a>, (LexError, Span)> {
        loop {
            self.skip_spaces();
            let (start, rest) = (self.at, self.remaining());
            let mut lexer = Token::lexer(rest);
            let token = lexer.next().unwrap_or(Ok(Token::End));
            let slice = lexer.slice();
            self.seek(start.saturating_add(slice.len()));
            let span = Span { start, end: self.at };
            let token = token.map_err(|error| (error, span))?;
            let text = match (token, slice) {
                (Token::Comment, _) => continue,
                // Without the quotes.
                (Token::Text(_), [_, text @ .., _]) => text,
                _ => slice,
            };
            return Ok(Lexeme { token, span, text });
        }
    }

    /// Returns the bytes that were not read yet.
    pub(super) fn remaining(&self) -> &'a [u8] {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// Returns the offset.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at = self.at.saturating_add(count_spaces(self.remaining()));
    }

    /// Continues at an offset.
    pub(super) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.source
    }
}

/// The byte for each letter after a backslash.
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

/// Resolves backslashes. Before any other character, such as `"`, `'` and `?`, a backslash is removed.
pub(crate) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, [b'\\', letter, after @ ..])) =
        rest.iter().position(|&byte| byte == b'\\').and_then(|at| rest.split_at_checked(at))
    {
        plain.extend_from_slice(before);
        plain.push(ESCAPES.iter().find(|(known, _)| known == letter).map_or(*letter, |(_, meaning)| *meaning));
        rest = after;
    }
    plain.extend_from_slice(rest.strip_suffix(b"\\").unwrap_or(rest));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Tokens and grammar", escapes.
    #[test]
    fn escapes_have_the_published_bytes() {
        let published = [
            (b'n', 0x0A),
            (b't', 0x09),
            (b'v', 0x0B),
            (b'b', 0x08),
            (b'r', 0x0D),
            (b'f', 0x0C),
            (b'a', 0x07),
            (b'\\', 0x5C),
        ];
        assert_eq!(ESCAPES, published);
        assert_eq!(unescape(br#"\?\'\""#), br#"?'""#);
    }
}
