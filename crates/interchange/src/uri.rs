//! File names and data as URIs.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::base64;

/// All bytes except the characters that need no percent sign in a relative reference.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Decodes a relative URI to a file name. Returns `None` if the result is not UTF-8.
pub(crate) fn decode(uri: &str) -> Option<String> {
    percent_decode_str(uri).decode_utf8().ok().map(Cow::into_owned)
}

/// Encodes a file name as a relative URI.
pub(crate) fn encode(name: &str) -> String {
    utf8_percent_encode(name, ESCAPED).to_string()
}

/// Returns the media type and the bytes of a base64 `data:` URI, or `None` for any other URI. The bytes are `None` if the base64 is
/// invalid.
pub(crate) fn data(uri: &str) -> Option<(&str, Option<Vec<u8>>)> {
    let (head, body) = uri.strip_prefix("data:")?.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?;
    Some((media_type, base64::decode(body.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_base64_data_is_decoded() {
        assert_eq!(data("data:image/png;base64,Zg=="), Some(("image/png", Some(vec![b'f']))));
        assert_eq!(data("data:text/plain,f"), None);
        assert_eq!(data("f.bin"), None);
    }

    #[test]
    fn names_round_trip_as_uris() {
        for name in ["a.bin", "Straße 1/ä%20.png", "100%", "%zz", "a?b#c"] {
            assert_eq!(decode(&encode(name)).as_deref(), Some(name));
        }
        assert_eq!(encode("a b"), "a%20b");
        assert_eq!(decode("%ff"), None);
        assert_eq!(decode("%4"), Some("%4".into()));
    }
}
