//! Bytes as text.

use std::borrow::Cow;

/// Characters of Windows-1252 from 0x80 to 0x9F. Other bytes are the same as in Latin-1. Five bytes are not assigned and map to control
/// characters, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2C6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}',
    '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}',
    '\u{17E}', '\u{178}',
];

/// Decodes bytes for display: as UTF-8, or as Windows-1252 if they are not UTF-8.
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| character(byte)).collect()),
    }
}

fn character(byte: u8) -> char {
    let high = byte.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(usize::from(index)));
    high.copied().unwrap_or_else(|| char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_utf8_or_windows_1252() {
        assert_eq!(decode_text("žluť".as_bytes()), "žluť");
        assert_eq!(decode_text(b"5 \x80 \x9f \xe9 \x81"), "5 € Ÿ é \u{81}");
    }
}
