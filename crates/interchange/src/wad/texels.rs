//! Pixel formats of textures.

use mapwright_scene::{PixelFormat, Pixels};

/// The pixels of a texture, which may be truncated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Encoding<'a> {
    /// Indices into a palette of 256 colours.
    Indexed(&'a [u8], Option<&'a [u8]>),
    /// Blue, green, red, opacity; 8 bits each.
    Words(&'a [u8]),
    /// Five bits of red, six of green, five of blue.
    HalfWords(&'a [u8]),
}

impl Encoding<'_> {
    /// Decodes the pixels. In textures with holes, the last colour of the palette is transparent.
    pub(super) fn pixels(&self, [width, height]: [u32; 2], has_holes: bool) -> Option<Pixels> {
        let count = usize::try_from(u64::from(width).checked_mul(height.into())?).ok()?;
        let data = match *self {
            Self::Indexed(texels, palette) => {
                let palette = palette?;
                let texels = texels.get(..count)?;
                let color = |&texel: &u8| {
                    let place = usize::from(texel) * 3;
                    match palette.get(place..place + 3) {
                        Some(_) if has_holes && texel == 255 => [0; 4],
                        Some(&[r, g, b]) => [r, g, b, 255],
                        _ => [0, 0, 0, 255],
                    }
                };
                texels.iter().flat_map(color).collect()
            }
            Self::Words(texels) => {
                let words = texels.get(..count.checked_mul(4)?)?.chunks_exact(4);
                let color = |word: &[u8]| match *word {
                    [b, g, r, a] => [r, g, b, a],
                    _ => [0; 4],
                };
                words.flat_map(color).collect()
            }
            Self::HalfWords(texels) => {
                let words = texels.get(..count.checked_mul(2)?)?.chunks_exact(2);
                let color = |word: &[u8]| {
                    let word = word.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
                    let five = |shift: u16| wide(word >> shift & 31, 31);
                    [five(11), wide(word >> 5 & 63, 63), five(0), 255]
                };
                words.flat_map(color).collect()
            }
        };
        Some(Pixels { width, height, format: PixelFormat::Rgba8, data })
    }
}

/// Scales a number of few bits to 8 bits.
fn wide(number: u16, most: u16) -> u8 {
    u8::try_from((number * 255 + most / 2) / most).unwrap_or(u8::MAX)
}
