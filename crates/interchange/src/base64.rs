//! Bytes as text, RFC 4648 section 4.

/// Decodes base64 (RFC 4648, section 4), with or without padding. `None` for any other character, or half a byte.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let padding = text.iter().rev().take(2).take_while(|&&c| c == b'=').count();
    let text = text.get(..text.len() - padding)?;
    for group in text.chunks(4) {
        let mut word = 0_u32;
        for &c in group {
            let digit = match c {
                b'A'..=b'Z' => c - b'A',
                b'a'..=b'z' => c - b'a' + 26,
                b'0'..=b'9' => c - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            word = word << 6 | u32::from(digit);
        }
        let [_, a, b, c] = (word << (6 * (4 - group.len()))).to_be_bytes();
        match group.len() {
            4 => bytes.extend([a, b, c]),
            3 => bytes.extend([a, b]),
            2 => bytes.push(a),
            _ => return None,
        }
    }
    Some(bytes)
}

/// The bytes as base64 (RFC 4648, section 4) with padding. That of chunks of a multiple of three bytes may be put together.
pub fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS.get((word >> (18 - 6 * i) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if i <= group.len() { digit.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_samples_of_its_rfc() {
        let padded =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba")];
        for (text, bytes) in padded {
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(bytes.as_bytes()));
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        assert_eq!(decode(b"Zm8").as_deref(), Some(&b"fo"[..]));
        for wrong in ["Z", "Zm9vY", "Z===", "Zm 9v", "Zm=9", "é"] {
            assert_eq!(decode(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
