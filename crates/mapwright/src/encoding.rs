//! Text with a byte order mark, as Windows programs write it.

use std::borrow::Cow;

/// Returns text as UTF-8 without a byte order mark. Text that begins with the mark of UTF-16 is converted; other bytes stay as they are.
///
/// PowerShell writes UTF-16 if the output of a command is redirected with `>`.
///
/// # Errors
/// If the text begins with the mark of UTF-16 and is not valid UTF-16.
///
/// ```
/// assert_eq!(&*mapwright::to_utf8(b"\xff\xfeh\0i\0").unwrap(), b"hi");
/// assert_eq!(&*mapwright::to_utf8(b"\xef\xbb\xbfhi").unwrap(), b"hi");
/// assert_eq!(&*mapwright::to_utf8(b"hi").unwrap(), b"hi");
/// ```
pub fn to_utf8(text: &[u8]) -> Result<Cow<'_, [u8]>, InvalidUtf16> {
    match text {
        [0xff, 0xfe, text @ ..] => from_utf16(text, u16::from_le_bytes).map(Cow::Owned),
        [0xfe, 0xff, text @ ..] => from_utf16(text, u16::from_be_bytes).map(Cow::Owned),
        [0xef, 0xbb, 0xbf, text @ ..] => Ok(Cow::Borrowed(text)),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// Returns `true` for bytes that begin with the byte order mark of UTF-8 or UTF-16.
pub(crate) fn has_byte_order_mark(bytes: &[u8]) -> bool {
    is_utf16(bytes) || bytes.starts_with(&[0xef, 0xbb, 0xbf])
}

/// Returns `true` for bytes that begin with the byte order mark of UTF-16.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn from_utf16(text: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Result<Vec<u8>, InvalidUtf16> {
    let (units, rest) = text.as_chunks();
    let decoded = char::decode_utf16(units.iter().map(|&bytes| unit(bytes)));
    let decoded: Result<String, _> = decoded.collect();
    let is_whole = rest.is_empty();
    decoded.ok().filter(|_| is_whole).map(String::into_bytes).ok_or(InvalidUtf16)
}

/// A text that begins with the byte order mark of UTF-16, but is not valid UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid UTF-16 text")]
pub struct InvalidUtf16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_in_both_byte_orders() {
        for (mark, order) in [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
        {
            let text = "Grüße, \u{1f600}";
            let bytes: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(order)).collect();
            assert_eq!(&*to_utf8(&bytes).unwrap(), text.as_bytes());
            assert_eq!(to_utf8(&bytes[..bytes.len() - 1]), Err(InvalidUtf16));
            // Half of a surrogate pair.
            assert_eq!(to_utf8(&bytes[..bytes.len() - 2]), Err(InvalidUtf16));
        }
    }
}
