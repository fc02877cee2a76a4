//! Decoding of XML and JSON text.

use std::borrow::Cow;

/// The byte order mark.
pub(crate) const MARK: &str = "\u{FEFF}";

/// Returns `true` for white space of XML and JSON.
pub(crate) const fn is_xml_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns the character of a reference such as `amp`, `#65` or `#x41`, without `&` and `;`.
pub(crate) fn decode_character(name: &str) -> Option<char> {
    let code = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "apos" => return Some('\''),
        "quot" => return Some('"'),
        _ => name.strip_prefix('#')?,
    };
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = match code.strip_prefix('x') {
        Some(digits) if is_digits(digits) => u32::from_str_radix(digits, 16),
        None if is_digits(code) => code.parse(),
        _ => return None,
    };
    // XML allows no other control characters.
    char::from_u32(code.ok()?).filter(|c| *c >= ' ' || matches!(c, '\t' | '\n' | '\r'))
}

/// Appends text of XML with its references and line ends decoded. In attributes, other white space becomes a space.
fn decode_xml_into(out: &mut String, raw: &str, is_attribute: bool) {
    let mut characters = raw.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '&' => {
                let name = raw.get(at.saturating_add(1)..).unwrap_or_default().split(';').next().unwrap_or_default();
                // Readers reject other references.
                out.extend(decode_character(name));
                characters.by_ref().find(|(_, c)| *c == ';');
            }
            '\r' => {
                characters.next_if(|(_, c)| *c == '\n');
                out.push(if is_attribute { ' ' } else { '\n' });
            }
            '\n' | '\t' if is_attribute => out.push(' '),
            c => out.push(c),
        }
    }
}

/// Decodes the value of an attribute.
pub(super) fn decode_attribute(raw: &str) -> Cow<'_, str> {
    if !raw.bytes().any(|byte| matches!(byte, b'&' | b'\r' | b'\n' | b'\t')) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    decode_xml_into(&mut text, raw, true);
    Cow::Owned(text)
}

/// The starts and ends of markup that is no tag.
const SECTIONS: [(&str, &str); 3] = [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")];

/// Appends the text between two tags. Comments and processing instructions are left out.
pub(super) fn decode_content_into(out: &mut String, mut raw: &str) {
    while let Some(at) = memchr::memchr(b'<', raw.as_bytes()) {
        let (before, markup) = raw.split_at(at);
        decode_xml_into(out, before, false);
        // Readers reject other markup.
        let section = SECTIONS.into_iter().find_map(|(start, end)| Some((start, markup.strip_prefix(start)?, end)));
        let Some((start, inner, end)) = section else { return };
        let (inner, after) = inner.split_once(end).unwrap_or((inner, ""));
        if start == "<![CDATA[" {
            out.push_str(&inner.replace("\r\n", "\n").replace('\r', "\n"));
        }
        raw = after;
    }
    decode_xml_into(out, raw, false);
}

/// Decodes a JSON string without its quotes.
pub(super) fn decode_string(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut characters = after.chars();
        match characters.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{C}'),
            Some('u') => {
                let (c, after) = decode_utf16(characters.as_str());
                text.push(c);
                rest = after;
                continue;
            }
            Some(c) => text.push(c),
            None => {}
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Decodes the digits after `\u`, and a second escape if both are a pair of surrogates. Returns the rest of the text.
fn decode_utf16(text: &str) -> (char, &str) {
    let unit = |text: &str| u16::from_str_radix(text.get(..4)?, 16).ok();
    let rest = |from: usize| text.get(from..).unwrap_or_default();
    let first = unit(text).unwrap_or_default();
    let second = rest(4).strip_prefix("\\u").and_then(unit);
    let pair = [first, second.unwrap_or_default()];
    match char::decode_utf16(pair).next() {
        Some(Ok(c)) if c as u32 > 0xFFFF => (c, rest(10)),
        Some(Ok(c)) => (c, rest(4)),
        // Half of a pair.
        _ => (char::REPLACEMENT_CHARACTER, rest(4)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded() {
        assert_eq!(decode_attribute("a&lt;&#65;&#x42;&amp;&#10;\r\nb\tc"), "a<AB&\n b c");
        assert_eq!(decode_character("#0"), None);
        assert_eq!(decode_character("#xD800"), None);
        assert_eq!(decode_character("#x+41"), None);
        assert_eq!(decode_character("nbsp"), None);
        let mut text = String::new();
        decode_content_into(&mut text, "a<!-- > -->b<![CDATA[<&amp;>]]>&gt;<?p ?>c\r\nd<!-->x-->e");
        assert_eq!(text, "ab<&amp;>>c\nde");
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decode_string(r#"a\n\"\\\/\u00e9\ud83d\ude00\ud83dx"#), "a\n\"\\/é😀\u{FFFD}x");
    }
}
