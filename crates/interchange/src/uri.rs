//! Names of files as URIs, and data within them.

use crate::base64;

/// The file name that a relative URI stands for: percent signs decoded. `None` where it decodes to no text.
pub(crate) fn decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|digits| byte == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let decoded = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// A file name as a relative URI: all but letters, digits, `-._~/` with percent signs.
pub(crate) fn encode(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => {
                let digits = [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
                uri.extend(['%', digits[0].to_ascii_uppercase(), digits[1].to_ascii_uppercase()]);
            }
        }
    }
    uri
}

/// The media type and bytes of a `data:` URI in base64. `None` where it is no such URI.
pub(crate) fn data(uri: &str) -> Option<(&str, Option<Vec<u8>>)> {
    let (head, body) = uri.strip_prefix("data:")?.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?;
    Some((media_type, base64::decode(body.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_stands_in_base64_only() {
        assert_eq!(data("data:image/png;base64,Zg=="), Some(("image/png", Some(vec![b'f']))));
        assert_eq!(data("data:text/plain,f"), None);
        assert_eq!(data("f.bin"), None);
    }

    #[test]
    fn names_survive_as_uris() {
        for name in ["a.bin", "Straße 1/ä%20.png", "100%", "%zz", "a?b#c"] {
            assert_eq!(decode(&encode(name)).as_deref(), Some(name));
        }
        assert_eq!(encode("a b"), "a%20b");
        assert_eq!(decode("%ff"), None);
        assert_eq!(decode("%4"), Some("%4".into()));
    }
}
