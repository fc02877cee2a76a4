//! Words of a text, and their positions.

use crate::{Error, Position, error::malformed};

/// The words of a text.
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    /// Returns `true` for separators.
    is_blank: fn(&u8) -> bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8], is_blank: fn(&u8) -> bool) -> Self {
        // A byte order mark is not a word.
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at, is_blank }
    }

    /// Returns the next word without consuming it.
    pub(super) fn peek(&mut self) -> Option<&'a [u8]> {
        let rest = self.remaining();
        self.at = self.at.saturating_add(rest.iter().position(|byte| !(self.is_blank)(byte)).unwrap_or(rest.len()));
        let rest = self.remaining();
        let word = rest.split(|byte| (self.is_blank)(byte)).next()?;
        (!word.is_empty()).then_some(word)
    }

    pub(super) fn remaining(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Creates an error at a word of this text.
    pub(super) fn error(&self, word: &[u8], text: impl Into<String>) -> Error {
        // Words are parts of the text, so the distance of their starts is their offset.
        let start = (word.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        malformed("", text).at(Position::in_text(self.text, start))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let word = self.peek()?;
        self.at = self.at.saturating_add(word.len());
        Some(word)
    }
}

/// Formats a word for errors.
pub(super) fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    format!("{:?}", String::from_utf8_lossy(word.get(..MOST).unwrap_or(word)))
}

/// Parses a number. Some programs write decimal commas.
pub(super) fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(word).ok()?;
    let with_point = || text.contains(',').then(|| text.replace(',', "."))?.parse().ok();
    text.parse().ok().or_else(with_point)
}

/// Returns the number in 64 bits if a 32-bit float loses digits of the word.
pub(super) fn beyond_32_bits(word: &[u8], height: f32) -> Option<f64> {
    // Six digits are always exact.
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits <= 6 {
        return None;
    }
    let mantissa = word.split(|byte| matches!(byte, b'e' | b'E')).next().unwrap_or_default();
    let decimals =
        mantissa.rsplit(|byte| matches!(byte, b'.' | b',')).next().filter(|part| part.len() < mantissa.len());
    let exponent: i32 = word.split(|byte| matches!(byte, b'e' | b'E')).nth(1).and_then(number).unwrap_or(0);
    let decimals = decimals.map_or(0, |part| i32::try_from(part.len()).unwrap_or(i32::MAX));
    let exact: f64 = number(word)?;
    let last_digit = mapwright_io::math::powf(10.0, exponent.saturating_sub(decimals).into());
    ((exact - f64::from(height)).abs() > last_digit / 2.0).then_some(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_positions() {
        let text = b"\xef\xbb\xbfncols  3\r\n\t4 x";
        let mut tokens = Tokens::new(text, u8::is_ascii_whitespace);
        assert_eq!(tokens.peek(), Some(&b"ncols"[..]));
        let words: Vec<&[u8]> = tokens.by_ref().collect();
        assert_eq!(words, [&b"ncols"[..], b"3", b"4", b"x"]);
        let error = tokens.error(words[3], "no number");
        assert_eq!(error.to_string(), "no number at line 2, column 4");
        assert_eq!(tokens.next(), None);
    }

    #[test]
    fn digits_beyond_single_precision_are_detected() {
        for (word, is_beyond) in [
            ("-103.20", false),
            ("80.4", false),
            ("123456", false),
            ("16777216", false),
            ("16777217", true),
            ("0.123456789", true),
            ("0.1234567", false),
            ("-1474.56", false),
            ("1.0000000", false),
            ("8388608.0000001", true),
            ("1.2345678901e3", true),
            ("1234567800e-30", true),
            ("-103,2", false),
            ("8388608,0000001", true),
        ] {
            let height: f32 = number(word.as_bytes()).unwrap();
            assert_eq!(beyond_32_bits(word.as_bytes(), height).is_some(), is_beyond, "{word}");
        }
    }
}
