//! Bytes as printable ASCII text, and back.

use std::fmt::Write as _;

/// Writes bytes as text that [`unescape_bytes`] reads back to the same bytes. Printable ASCII is unchanged. Every other byte is `\x` and
/// two hexadecimal digits, as in `T\xb3o`. A backslash before `x` and two digits is `\x5c`.
pub fn escape_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        let plain = matches!(byte, b' '..=b'~') && !(byte == b'\\' && escaped_byte(rest).is_some());
        if plain {
            text.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
        rest = tail;
    }
    text
}

/// Reads the bytes of a text: `\x` and two hexadecimal digits are one byte, everything else is UTF-8.
pub fn unescape_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = escaped_byte(rest);
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { rest.get(4..).unwrap_or_default() } else { tail };
    }
    bytes
}

/// Returns the byte that the text begins with as `\xHH`: four characters.
pub fn escaped_byte(text: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = text else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(*high)? << 4 | digit(*low)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_escaped_as_documented() {
        let cases: [(&[u8], &str); 8] = [
            (b"", ""),
            (b"LEVEL1\\IMAGES", "LEVEL1\\IMAGES"),
            (b"T\xb3o", "T\\xb3o"),
            (b"a\0\x04\x7f\n", "a\\x00\\x04\\x7f\\x0a"),
            (b"\\x41", "\\x5cx41"),
            (b"\\xg1\\x4", "\\xg1\\x4"),
            (b"\\\xff", "\\\\xff"),
            (b"\\x\x01", "\\x\\x01"),
        ];
        for (bytes, text) in cases {
            assert_eq!(escape_bytes(bytes), text);
            assert_eq!(unescape_bytes(text), bytes);
        }
        assert_eq!(unescape_bytes("\\xB3 \u{142}"), b"\xb3 \xc5\x82");
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&b"\\\\xx0aF\0"[..])], 0..12)) {
            let text = escape_bytes(&bytes);
            prop_assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            prop_assert_eq!(unescape_bytes(&text), bytes);
        }

        #[test]
        fn escaping_again_gives_the_same_bytes(text in r"([\\x0-9aF]|\PC){0,12}") {
            prop_assert_eq!(unescape_bytes(&escape_bytes(&unescape_bytes(&text))), unescape_bytes(&text));
        }
    }
}
