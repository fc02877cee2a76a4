//! The legend of a picture of cells.

use serde::{Deserialize, Serialize};

/// What cells are made of. Keys that are not known are passed over.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Legend {
    /// In units of length.
    #[serde(default)]
    pub(super) cell_size: Option<[f64; 2]>,
    #[serde(default)]
    pub(super) materials: Vec<Entry>,
    /// The number in the cells of each pixel value, where these are not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pixels: Option<Vec<u32>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) cell: u32,
    #[serde(default)]
    pub(super) color: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
}

/// Red, green and blue of a pixel value: other ones for each, and unlike for neighbours.
pub(super) fn color(pixel: u32) -> [u8; 3] {
    // An odd factor maps 24 bits one to one; this one is near the golden section of 2²⁴. The summand spares black for 0.
    let [_, rest @ ..] = pixel.wrapping_add(3).wrapping_mul(0x9e_3779).to_be_bytes();
    rest
}

/// As web pages write it.
pub(super) fn spelled([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Reads what [`spelled`] writes.
pub(super) fn parsed(color: &str) -> Option<[u8; 3]> {
    let digits = color
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    let [_, rest @ ..] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn colors_are_different_and_read_back() {
        let colors: BTreeSet<[u8; 3]> = (0..65_536).map(color).collect();
        assert_eq!(colors.len(), 65_536);
        assert!(colors.iter().all(|&color| parsed(&spelled(color)) == Some(color)));
        for odd in ["", "#12345", "123456", "#1234567", "#zzzzzz", "#+12345"] {
            assert_eq!(parsed(odd), None, "{odd}");
        }
    }
}
