//! Numbers in the text.

use std::ops::Range;

use mapwright_io::parse_decimal;

use crate::bytes::{is_space, slice};

/// Iterates over the numbers of a text that also contains spaces, parentheses, brackets and comments.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    word_ranges(text).map(|range| slice(text, range))
}

/// Iterates over the ranges of these numbers.
pub(crate) fn word_ranges(text: &[u8]) -> impl Iterator<Item = Range<usize>> + Clone {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        loop {
            let rest = slice(text, at..text.len());
            let start = rest.iter().position(|&byte| !is_space(byte) && !is_bracket(byte))?;
            let rest = slice(rest, start..rest.len());
            let is_comment = matches!(rest, [b';', ..] | [b'/', b'/', ..]);
            let is_end = |byte: &u8| match is_comment {
                true => matches!(byte, b'\n' | b'\r'),
                false => is_space(*byte) || is_bracket(*byte),
            };
            let start = at.saturating_add(start);
            at = start.saturating_add(rest.iter().position(is_end).unwrap_or(rest.len()));
            if !is_comment {
                return Some(start..at);
            }
        }
    })
}

fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']')
}

/// Returns the value of a number of the text. It is infinite if it is too large.
#[expect(clippy::expect_used, reason = "the reader accepts only numbers that the standard library parses")]
pub(crate) fn parse_number(word: &[u8]) -> f64 {
    match parse_decimal(word) {
        Some((number, length)) if length == word.len() => number,
        _ => std::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse().ok())
            .expect("the reader has checked the number"),
    }
}

/// Returns the values of the first numbers.
#[expect(clippy::expect_used, reason = "the reader counts the numbers of each part")]
pub(crate) fn numbers<'a, const N: usize>(mut words: impl Iterator<Item = &'a [u8]>) -> [f64; N] {
    [0.0; N].map(|_| parse_number(words.next().expect("the reader has counted the numbers")))
}

/// Formats a number with the shortest decimal digits that read back to the same value, without an exponent.
pub fn format_number(number: f64) -> String {
    format!("{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed_in_every_form() {
        let text = b"( -0 1e1 +.5 // 7\n 5. ; 8\r 90.000000000000014)[1E-2]";
        let found: Vec<f64> = words(text).map(parse_number).collect();
        assert_eq!(found, [-0.0, 10.0, 0.5, 5.0, 90.000_000_000_000_01, 0.01]);
        assert!(found[0].is_sign_negative());
        assert_eq!((parse_number(b"1e999"), numbers(words(text))), (f64::INFINITY, [-0.0, 10.0]));
    }

    #[test]
    fn formatted_numbers_are_short() {
        let formatted = [8.0, -0.0, 0.1, 1e21, -2.5, 1.0 / 3.0].map(format_number);
        assert_eq!(formatted, ["8", "-0", "0.1", "1000000000000000000000", "-2.5", "0.3333333333333333"]);
    }
}
