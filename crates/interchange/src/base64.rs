//! Base64 (RFC 4648, section 4).

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// Writers of both formats disagree about padding, and some leave bits of the last character set.
const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

const ENGINE: GeneralPurpose = GeneralPurpose::new(&STANDARD, CONFIG);

/// Decodes base64 with or without padding. Returns `None` for any other text.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    ENGINE.decode(text).ok()
}

/// Encodes bytes as base64 with padding. Texts of chunks whose length is a multiple of three can be joined.
pub fn encode(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
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
        assert_eq!(decode(b"Zm9").as_deref(), Some(&b"fo"[..]), "trailing bits are ignored");
        for wrong in ["Z", "Zm9vY", "Z===", "Zm 9v", "Zm=9", "é"] {
            assert_eq!(decode(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
