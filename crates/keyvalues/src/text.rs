//! Bytes as text.

use std::borrow::Cow;

pub use mapwright_io::decode_text as decode;

/// Decodes bytes that may be owned.
pub(crate) fn decode_cow(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => decode(bytes),
        Cow::Owned(bytes) => Cow::Owned(decode(&bytes).into_owned()),
    }
}
