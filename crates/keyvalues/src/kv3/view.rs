//! Read access to values.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use mapwright_io::Position;

use super::lexer::{Lexer, Token};
use super::{Document, Node};
use crate::bytes::{slice, unescape};
use crate::text::{decode, decode_cow};

/// Escapes of strings: letters and their bytes.
pub(super) const ESCAPES: [(u8, u8); 6] =
    [(b'"', b'"'), (b'\\', b'\\'), (b'n', b'\n'), (b't', b'\t'), (b'r', b'\r'), (b'\'', b'\'')];

/// A value of a document.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    document: &'a Document,
    index: u32,
}

/// The data of a value, without its flag.
#[derive(Debug, Clone, PartialEq)]
pub enum Data<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above the range of `i64`.
    UInt(u64),
    /// A decimal number, `nan`, `inf`, or an integer beyond 64 bits.
    Double(f64),
    /// A string without quotes and escapes, mostly UTF-8.
    Text(Cow<'a, [u8]>),
    /// Binary data.
    Binary(Vec<u8>),
    /// An array; see [`Value::items`].
    Array,
    /// An object; see [`Value::items`].
    Object,
}

/// The values of an array or object.
#[derive(Clone)]
pub struct Values<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
}

impl Document {
    /// Returns the root value.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    /// Iterates over all values in the order of the text.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Value<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|index| Value { document: self, index: crate::bytes::offset(index) })
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let index = Some(self.next).filter(|index| *index < self.end)?;
        let value = Value { document: self.document, index };
        self.next = value.node().next;
        Some(value)
    }
}

impl<'a> Value<'a> {
    pub(super) fn node(self) -> Node {
        // The index comes from the document itself.
        let nothing = Node { key: Node::NO_KEY, value: u32::MAX, next: u32::MAX };
        self.document.nodes.get(self.index as usize).copied().unwrap_or(nothing)
    }

    fn lexer(self, at: u32) -> Lexer<'a> {
        Lexer::new(&self.document.source, at as usize)
    }

    /// Returns the key of a member of an object, without quotes and escapes.
    pub fn key(self) -> Option<Cow<'a, [u8]>> {
        let key = Some(self.node().key).filter(|key| *key != Node::NO_KEY)?;
        let lexeme = self.lexer(key).next().ok()?;
        Some(plain(slice(&self.document.source, lexeme.range)))
    }

    /// Returns the key as text: UTF-8, else Windows-1252.
    pub fn key_text(self) -> Option<Cow<'a, str>> {
        self.key().map(decode_cow)
    }

    /// Returns the first flag before the value, such as `resource`.
    pub fn flag(self) -> Option<&'a str> {
        self.flags().next()
    }

    /// Iterates over the flags before the value.
    pub fn flags(self) -> impl Iterator<Item = &'a str> {
        let mut lexer = self.lexer(self.node().value);
        std::iter::from_fn(move || {
            let word = lexer.next().ok().filter(|word| word.token == Token::Word)?;
            let colon = lexer.next().ok()?;
            let flag = std::str::from_utf8(slice(&self.document.source, word.range)).ok()?;
            (colon.token == Token::Colon).then_some(flag)
        })
    }

    /// Returns the first token of the value after its flags, and its range.
    pub(super) fn first(self) -> (Token, Range<usize>) {
        let mut lexer = self.lexer(self.node().value);
        let mut first = lexer.next();
        while let Ok(lexeme) = &first {
            if lexeme.token != Token::Word {
                break;
            }
            let mut after = lexer.clone();
            if !after.next().is_ok_and(|colon| colon.token == Token::Colon) {
                break;
            }
            lexer = after;
            first = lexer.next();
        }
        first.map_or((Token::End, 0..0), |lexeme| (lexeme.token, lexeme.range))
    }

    /// Returns the text of the value without its flags. For an object or array, returns its opening bracket.
    pub(super) fn token(self) -> &'a [u8] {
        slice(&self.document.source, self.first().1)
    }

    /// Returns the data.
    pub fn data(self) -> Data<'a> {
        let (token, range) = self.first();
        let text = slice(&self.document.source, range);
        match (token, text) {
            (Token::Open, _) => Data::Object,
            (Token::OpenArray, _) => Data::Array,
            (Token::Number, _) => number(text),
            (Token::Binary, _) => Data::Binary(binary(text).unwrap_or_default()),
            (Token::Word, b"true") => Data::Bool(true),
            (Token::Word, b"false") => Data::Bool(false),
            (Token::Word, b"nan") => Data::Double(f64::NAN),
            (Token::Word, b"inf") => Data::Double(f64::INFINITY),
            (Token::Quoted | Token::Multiline, _) => Data::Text(plain(text)),
            _ => Data::Null,
        }
    }

    /// Returns the value as text: UTF-8, else Windows-1252. `None` if it is not a string.
    pub fn as_text(self) -> Option<Cow<'a, str>> {
        match self.data() {
            Data::Text(text) => Some(decode_cow(text)),
            _ => None,
        }
    }

    /// Returns the value as a number. `None` if it is not a number. Integers beyond 2⁵³ are rounded.
    #[expect(clippy::cast_precision_loss, reason = "documented")]
    pub fn as_f64(self) -> Option<f64> {
        match self.data() {
            Data::Int(value) => Some(value as f64),
            Data::UInt(value) => Some(value as f64),
            Data::Double(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value as an integer. `None` if it is not an integer or too large.
    pub fn as_i64(self) -> Option<i64> {
        match self.data() {
            Data::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value as a boolean. A number is `true` unless it is 0.
    pub fn as_bool(self) -> Option<bool> {
        match self.data() {
            Data::Bool(value) => Some(value),
            _ => self.as_f64().map(|value| value != 0.0),
        }
    }

    /// Returns an array of `N` numbers, such as a vector.
    pub fn as_array<const N: usize>(self) -> Option<[f64; N]> {
        let numbers: Option<Vec<f64>> = self.items().take(N.saturating_add(1)).map(Value::as_f64).collect();
        numbers?.try_into().ok()
    }

    /// Returns `true` for an object.
    pub fn is_object(self) -> bool {
        self.first().0 == Token::Open
    }

    /// Returns `true` for an array.
    pub fn is_array(self) -> bool {
        self.first().0 == Token::OpenArray
    }

    /// Iterates over the items of an array or the members of an object. Other values have none.
    pub fn items(self) -> Values<'a> {
        Values { document: self.document, next: self.index.saturating_add(1), end: self.node().next }
    }

    /// Returns the first member of an object with a key.
    pub fn get(self, key: impl AsRef<[u8]>) -> Option<Value<'a>> {
        let mut members = self.items();
        members.find(|member| member.key().is_some_and(|found| *found == *key.as_ref()))
    }

    /// Returns the range in the text: key, flags and value. Takes time in proportion to the value.
    pub fn range(self) -> Range<usize> {
        let node = self.node();
        let start = if node.key == Node::NO_KEY { node.value } else { node.key };
        start as usize..self.end()
    }

    /// Returns the end of the value in the text.
    pub(super) fn end(self) -> usize {
        let (token, first) = self.first();
        if !matches!(token, Token::Open | Token::OpenArray) {
            return first.end;
        }
        let mut lexer = Lexer::new(&self.document.source, first.start);
        let mut depth = 0_usize;
        loop {
            let Ok(lexeme) = lexer.next() else { return first.end };
            match lexeme.token {
                Token::Open | Token::OpenArray => depth = depth.saturating_add(1),
                Token::Close | Token::CloseArray => depth = depth.saturating_sub(1),
                Token::End => return lexeme.range.end,
                _ => {}
            }
            if depth == 0 {
                return lexeme.range.end;
            }
        }
    }

    /// Returns the position in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        let Node { key, value, .. } = self.node();
        Position::in_text(&self.document.source, key.min(value) as usize)
    }
}

/// Removes quotes and escapes of a string. Other tokens are returned unchanged.
fn plain(token: &[u8]) -> Cow<'_, [u8]> {
    match token {
        [b'"', b'"', b'"', inner @ .., b'"', b'"', b'"'] => {
            let inner = inner.strip_prefix(b"\r\n").or_else(|| inner.strip_prefix(b"\n")).unwrap_or(inner);
            let inner = inner.strip_suffix(b"\r\n").or_else(|| inner.strip_suffix(b"\n")).unwrap_or(inner);
            Cow::Borrowed(inner)
        }
        [b'"', inner @ .., b'"'] => unescape(inner, &ESCAPES),
        _ => Cow::Borrowed(token),
    }
}

/// Reads a number.
fn number(token: &[u8]) -> Data<'_> {
    let text = decode(token);
    let (is_negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, &*text),
    };
    let integer = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let signed = integer.ok().map(|value: i128| if is_negative { value.saturating_neg() } else { value });
    if let Some(value) = signed.and_then(|value| i64::try_from(value).ok()) {
        return Data::Int(value);
    }
    if let Some(value) = signed.and_then(|value| u64::try_from(value).ok()) {
        return Data::UInt(value);
    }
    // Hexadecimal integers beyond 64 bits become NaN.
    Data::Double(text.parse().unwrap_or(f64::NAN))
}

/// Reads binary data with its brackets.
pub(super) fn binary(token: &[u8]) -> Option<Vec<u8>> {
    let digits = token.strip_prefix(b"#[")?.strip_suffix(b"]")?;
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut high = None;
    for digit in digits.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())?;
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    high.is_none().then_some(bytes)
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = self.key() {
            write!(f, "{} = ", key.escape_ascii())?;
        }
        match self.data() {
            Data::Object => f.write_str("{ … }"),
            Data::Array => f.write_str("[ … ]"),
            _ => write!(f, "{}", self.token().escape_ascii()),
        }
    }
}
