//! The legend of an image of cells.

use serde::{Deserialize, Serialize};

/// The materials of cells. Unknown keys are ignored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Legend {
    /// Size of a cell in units of length.
    #[serde(default)]
    pub(super) cell_size: Option<[f64; 2]>,
    #[serde(default)]
    pub(super) materials: Vec<Entry>,
    /// The cell of each pixel value, if they differ.
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

/// Returns a colour for a pixel value. Each value has another colour, and neighbours have different ones.
pub(super) fn color(pixel: u32) -> [u8; 3] {
    // An odd factor maps 24 bits one to one. This one is close to the golden section of 2²⁴. The addend avoids black for 0.
    let [_, rest @ ..] = pixel.wrapping_add(3).wrapping_mul(0x9e_3779).to_be_bytes();
    rest
}

/// Formats a colour as in web pages.
pub(super) fn format_color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Parses the result of [`format_color`].
pub(super) fn parse_color(color: &str) -> Option<[u8; 3]> {
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
        assert!(colors.iter().all(|&color| parse_color(&format_color(color)) == Some(color)));
        for odd in ["", "#12345", "123456", "#1234567", "#zzzzzz", "#+12345"] {
            assert_eq!(parse_color(odd), None, "{odd}");
        }
    }
}
