//! `--encoding`: text of old games in the code page of their authors.
//!
//! The library shows bytes that are not ASCII as `\xHH`, and reads them so in queries and edits. Here, on the way to and from the user,
//! they become characters and back.

use std::borrow::Cow;
use std::sync::OnceLock;

use encoding_rs::{EncoderResult, Encoding};
use mapwright::Format;
use mapwright::io::is_unprintable;

/// The encoding that the command line names.
static ENCODING: OnceLock<&'static Encoding> = OnceLock::new();

/// Sets the encoding of all further output and input.
pub(crate) fn select(encoding: &'static Encoding) {
    let _ = ENCODING.set(encoding);
}

/// Returns `true` if an encoding is selected.
pub(crate) fn is_selected() -> bool {
    ENCODING.get().is_some()
}

/// Parses the name of an encoding.
pub(crate) fn parse(label: &str) -> Result<&'static Encoding, String> {
    let known = Encoding::for_label_no_replacement(label.as_bytes());
    // Nothing can be encoded as UTF-16 here: its bytes are not those of text in files.
    known.filter(|encoding| encoding.output_encoding() == *encoding).ok_or_else(|| {
        "expected a code page such as windows-1250, cp1251, cp1252, ibm866, shift_jis, gbk or utf-8".to_owned()
    })
}

/// Replaces escaped bytes by their characters in the selected encoding. Bytes that are invalid in it stay escaped.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    match ENCODING.get() {
        Some(encoding) => decode_as(text, encoding),
        None => Cow::Borrowed(text),
    }
}

/// Replaces escaped bytes in text, as [`decode`] does.
pub(crate) fn decode_bytes(bytes: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&bytes).map(decode) {
        Ok(Cow::Owned(text)) => text.into_bytes(),
        _ => bytes,
    }
}

fn decode_as<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, str> {
    if !text.contains("\\x") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        // In JSON the backslash is escaped, too.
        let is_json = rest.get(..at).is_some_and(|before| before.ends_with('\\'));
        let (before, from) = rest.split_at(at);
        match first_character(from, is_json, encoding) {
            Some((character, length)) => {
                out.push_str(before.strip_suffix('\\').filter(|_| is_json).unwrap_or(before));
                out.push_str(&character);
                rest = from.get(length..).unwrap_or_default();
            }
            None => {
                let end = at + "\\x".len();
                out.push_str(rest.get(..end).unwrap_or(rest));
                rest = rest.get(end..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Decodes one character that begins with an escaped byte. Returns it with the length of its text.
fn first_character(text: &str, is_json: bool, encoding: &'static Encoding) -> Option<(String, usize)> {
    /// GB 18030 has characters of four bytes.
    const LONGEST: usize = 4;
    let mut bytes = Vec::new();
    let mut at = 0;
    while bytes.len() < LONGEST {
        let rest = text.get(at..)?;
        let own = if is_json && at > 0 { rest.strip_prefix('\\').unwrap_or(rest) } else { rest };
        let escaped = own.strip_prefix("\\x").and_then(|digits| digits.get(..2));
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                at += rest.len() - own.len() + "\\xHH".len();
            }
            // The second byte of a character may be ASCII, which is not escaped.
            None => {
                let byte = rest.bytes().next().filter(u8::is_ascii_graphic)?;
                bytes.push(byte);
                at += if is_json && byte == b'\\' { 2 } else { 1 };
            }
        }
        if bytes.first().is_none_or(u8::is_ascii) {
            return None;
        }
        if let Some(decoded) = encoding.decode_without_bom_handling_and_without_replacement(&bytes) {
            return Some((decoded.into_owned(), at)).filter(|(decoded, _)| !decoded.contains(is_unprintable));
        }
    }
    None
}

/// Replaces the characters of a query or an edit of a document by their bytes in the selected encoding.
///
/// # Errors
/// If the encoding lacks a character.
pub(crate) fn encode(text: &str, format: Format) -> Result<Cow<'_, str>, String> {
    match ENCODING.get() {
        Some(encoding) if !text.is_ascii() && format.has_code_pages() => encode_as(text, encoding)
            .map(Cow::Owned)
            .map_err(|character| format!("`{character}` cannot be encoded in {}; bytes are \\xHH", encoding.name())),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// Escapes all characters that are not ASCII, or returns the first one that the encoding lacks.
fn encode_as(text: &str, encoding: &'static Encoding) -> Result<String, char> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            out.push(character);
            continue;
        }
        let mut bytes = [0; 16];
        let mut encoder = encoding.new_encoder();
        let source = character.to_string();
        match encoder.encode_from_utf8_without_replacement(&source, &mut bytes, true) {
            (EncoderResult::InputEmpty, _, length) => {
                out.extend(bytes.iter().take(length).map(|byte| format!("\\x{byte:02x}")));
            }
            _ => return Err(character),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(label: &str) -> &'static Encoding {
        parse(label).unwrap()
    }

    #[test]
    fn escaped_bytes_become_characters_and_come_back() {
        for (label, escaped, text) in [
            ("cp1251", "a \\xcf\\xf0\\xe8 b\\x", "a При b\\x"),
            ("CP1250", "T\\xb3o", "Tło"),
            ("windows-1252", "Gr\\xf6\\xdfe", "Größe"),
            ("utf-8", "Gr\\xc3\\xb6\\xc3\\x9fe", "Größe"),
            // 0x58 and 0x67 are ASCII, but the second bytes of characters.
            ("shift_jis", "\\x83e\\x83X\\x83g.", "テスト."),
        ] {
            assert_eq!(decode_as(escaped, encoding(label)), text);
            assert_eq!(decode_as(&encode_as(text, encoding(label)).unwrap(), encoding(label)), text);
            let json = serde_json::to_string(escaped).unwrap();
            let decoded: String = serde_json::from_str(&decode_as(&json, encoding(label))).unwrap();
            assert_eq!(decoded, text, "{json}");
        }
    }

    #[test]
    fn other_bytes_stay_escaped() {
        for (label, text) in
            [("cp1252", "\\x0a\\x5cx41 \\x81"), ("utf-8", "\\xff\\xc3(\\xe2\\x80\\xae"), ("shift_jis", "\\x83 \\xa0")]
        {
            assert_eq!(decode_as(text, encoding(label)), text);
        }
        assert_eq!(encode_as("aж", encoding("cp1252")), Err('ж'));
        assert!(parse("utf-16le").is_err() && parse("replacement").is_err() && parse("latin").is_err());
    }
}
