//! Identities of elements.

use std::fmt;
use std::str::FromStr;

/// An identity: 16 bytes in the order of binary files. In text the first three groups are byte-swapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid(pub [u8; 16]);

/// The index in the file of each byte of the text.
const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/// The index in the text of the two digits of each byte of the file.
const PLACES: [usize; 16] = [6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34];

/// The value of each byte as a hexadecimal digit, or 255.
#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "bytes are less than 256, digits than 16"
)]
const DIGITS: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut letter = 0_usize;
    while letter < digits.len() {
        if let Some(digit) = (letter as u8 as char).to_digit(16) {
            digits[letter] = digit as u8;
        }
        letter += 1;
    }
    digits
};

/// Returns the value of a hexadecimal digit, or 255 for other bytes.
pub(crate) fn hex_digit(letter: u8) -> u8 {
    DIGITS.get(usize::from(letter)).copied().unwrap_or(u8::MAX)
}

/// The error for text that is not 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, separated by hyphens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid identity: expected the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")]
pub struct GuidError;

impl Guid {
    /// All zero.
    pub const NIL: Self = Self([0; 16]);

    /// Reads the text form, upper or lower case.
    ///
    /// # Errors
    /// If the bytes are not 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    pub fn from_text(text: &[u8]) -> Result<Self, GuidError> {
        let text: &[u8; 36] = text.try_into().map_err(|_| GuidError)?;
        if [8, 13, 18, 23].iter().any(|&at| text.get(at) != Some(&b'-')) {
            return Err(GuidError);
        }
        let digit = |at: usize| text.get(at).map(|&letter| hex_digit(letter));
        let mut guid = [0_u8; 16];
        let mut all = 0;
        for (byte, at) in guid.iter_mut().zip(PLACES) {
            let (Some(high), Some(low)) = (digit(at), digit(at.wrapping_add(1))) else { return Err(GuidError) };
            *byte = high << 4 | low;
            all |= high | low;
        }
        if all > 0x0F {
            return Err(GuidError);
        }
        Ok(Self(guid))
    }

    /// Derives an identity from other bytes. Equal bytes give equal identities, which are marked as version 8 ("custom").
    pub fn from_hash(bytes: &[u8]) -> Self {
        // FNV-1a with 128 bits.
        let hash = bytes.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, &byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
        let mut guid = hash.to_le_bytes();
        // Version and variant, in the byte order of binary files.
        let [_, _, _, _, _, _, _, version, variant, ..] = &mut guid;
        *version = *version & 0x0F | 0x80;
        *variant = *variant & 0x3F | 0x80;
        Self(guid)
    }
}

impl Guid {
    /// Returns the text form in lower case.
    pub(crate) fn to_text(self) -> [u8; 36] {
        let digit = |value: u8| if value < 10 { b'0' | value } else { (b'a' - 10).wrapping_add(value) };
        let bytes = ORDER.map(|place| self.0.get(place).copied().unwrap_or_default());
        let digits = bytes.map(|byte| [digit(byte >> 4), digit(byte & 0x0F)]);
        let mut text = [b'-'; 36];
        let mut rest = digits.as_flattened().iter();
        for group in [0..8, 9..13, 14..18, 19..23, 24..36] {
            let places = text.get_mut(group).unwrap_or_default();
            places.iter_mut().zip(&mut rest).for_each(|(place, digit)| *place = *digit);
        }
        text
    }
}

impl FromStr for Guid {
    type Err = GuidError;

    fn from_str(text: &str) -> Result<Self, GuidError> {
        Self::from_text(text.as_bytes())
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.to_text()).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guid({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_are_ordered_differently() {
        let guid: Guid = "30702237-3759-4deb-826c-0021D9EA13d6".parse().unwrap();
        assert_eq!(guid.0[..8], [0x37, 0x22, 0x70, 0x30, 0x59, 0x37, 0xeb, 0x4d]);
        assert_eq!(guid.to_string(), "30702237-3759-4deb-826c-0021d9ea13d6");
        for invalid in ["", "30702237-3759-4deb-826c-0021d9ea13d", "30702237x3759-4deb-826c-0021d9ea13d6"] {
            assert_eq!(invalid.parse::<Guid>(), Err(GuidError), "{invalid}");
        }
    }

    #[test]
    fn a_derived_identity_is_marked() {
        assert_eq!(&Guid::from_hash(b"a").to_string()[14..15], "8");
        assert_eq!(Guid::from_hash(b"a"), Guid::from_hash(b"a"));
        assert_ne!(Guid::from_hash(b"a"), Guid::from_hash(b"b"));
    }
}
