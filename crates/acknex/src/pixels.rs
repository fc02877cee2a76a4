//! Pixel formats, palettes and decoded images.

use std::fmt;

use crate::{ReadErrorKind, dds};

/// Encoding of an image, with flags for the parts that follow it. Used by skins, terrain skins, WAD7 and WMB7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PixelFormat(pub u32);

impl PixelFormat {
    /// Indices into the palette of the level, one byte each.
    pub const PALETTE: u32 = 0;
    /// The image of another skin, whose index is stored as the width.
    pub const SAME_AS: u32 = 1;
    /// 16 bits: red, green, blue from the highest bit.
    pub const RGB565: u32 = 2;
    /// 16 bits: opacity, red, green, blue from the highest bit.
    pub const ARGB4444: u32 = 3;
    /// Bytes blue, green, red.
    pub const RGB888: u32 = 4;
    /// Bytes blue, green, red, opacity.
    pub const ARGB8888: u32 = 5;
    /// A whole DDS file, whose number of bytes is stored as the width.
    pub const DDS: u32 = 6;
    /// The name of an image file, whose number of bytes is stored as the width.
    pub const EXTERNAL: u32 = 7;

    /// Flag: three mipmaps follow the image.
    pub const MIPMAPS: u32 = 8;
    /// Flag: a material follows.
    pub const MATERIAL: u32 = 16;
    /// Flag: an effect follows.
    pub const EFFECT: u32 = 32;

    /// Returns the encoding: one of the constants that are not flags.
    pub const fn encoding(self) -> u32 {
        self.0 & 7
    }

    /// Returns `true` if a flag is set.
    pub const fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Returns the number of bytes per pixel, or `None` if the encoding has no plain pixels.
    pub const fn bytes_per_pixel(self) -> Option<u8> {
        match self.encoding() {
            Self::PALETTE => Some(1),
            Self::RGB565 | Self::ARGB4444 => Some(2),
            Self::RGB888 => Some(3),
            Self::ARGB8888 => Some(4),
            _ => None,
        }
    }

    /// Returns the name of the encoding.
    pub const fn name(self) -> &'static str {
        match self.encoding() {
            Self::PALETTE => "8-bit",
            Self::SAME_AS => "same as another skin",
            Self::RGB565 => "RGB565",
            Self::ARGB4444 => "ARGB4444",
            Self::RGB888 => "RGB888",
            Self::ARGB8888 => "ARGB8888",
            Self::DDS => "DDS",
            _ => "external file",
        }
    }
}

/// 256 colours for images with 8 bits per pixel.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette {
    /// Red, green and blue of each index.
    pub colors: [[u8; 3]; 256],
}

impl Palette {
    /// Reads red, green and blue of up to 256 colours. Missing colours are black.
    pub fn from_rgb(bytes: &[u8]) -> Self {
        let mut colors = [[0; 3]; 256];
        for (color, rgb) in colors.iter_mut().zip(bytes.chunks_exact(3)) {
            color.copy_from_slice(rgb);
        }
        Self { colors }
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, ..] = &self.colors;
        write!(f, "Palette([{first:?}, {second:?}, …])")
    }
}

/// A decoded image.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Width and height, at least 1.
    pub size: [u32; 2],
    /// Red, green, blue and opacity of each pixel. Rows run from the top, pixels from the left.
    pub rgba: Vec<u8>,
    /// `true` if the encoding stores opacity.
    pub has_alpha: bool,
}

impl Image {
    /// Makes black pixels transparent, as the engine does for sprites and for objects with the flag OVERLAY. Images with opacity are
    /// unchanged.
    pub fn hide_black(&mut self) {
        if self.has_alpha {
            return;
        }
        for pixel in self.rgba.chunks_exact_mut(4) {
            if let [0, 0, 0, opacity] = pixel {
                *opacity = 0;
            }
        }
        self.has_alpha = true;
    }

    /// Returns the lowest opacity of all pixels.
    pub fn lowest_opacity(&self) -> u8 {
        // Opacity is the highest byte of a pixel, so that whole pixels can be compared.
        let pixels = self.rgba.as_chunks().0.iter().map(|pixel| u32::from_le_bytes(*pixel));
        let [_, _, _, lowest] = pixels.fold(u32::MAX, u32::min).to_le_bytes();
        lowest
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}×{}, alpha: {})", self.size[0], self.size[1], self.has_alpha)
    }
}

/// The longest side of an image.
const MAX_SIDE: u32 = 1 << 14;
/// The largest number of pixels of an image.
const MAX_PIXELS: usize = 1 << 26;

/// Checks the size of an image and returns its number of pixels.
pub(crate) fn check_size(size: [u32; 2]) -> Result<usize, ReadErrorKind> {
    let [width, height] = size.map(|side| usize::try_from(side).unwrap_or(usize::MAX));
    let pixels = width.saturating_mul(height);
    let is_legal = size.iter().all(|side| (1..=MAX_SIDE).contains(side)) && pixels <= MAX_PIXELS;
    is_legal.then_some(pixels).ok_or(ReadErrorKind::ImageSize(size))
}

/// Decodes an image without mipmaps. Pixels with the palette index `hole` are transparent.
pub(crate) fn decode(
    format: PixelFormat,
    size: [u32; 2],
    data: &[u8],
    palette: Option<&Palette>,
    hole: Option<u8>,
) -> Result<Image, ReadErrorKind> {
    if format.encoding() == PixelFormat::DDS {
        return dds::decode(data);
    }
    let pixels = check_size(size)?;
    let width = format.bytes_per_pixel().map(usize::from);
    let width = width.ok_or(ReadErrorKind::Image("the image is in another file or skin"))?;
    let needed = pixels.saturating_mul(width);
    let data = data.get(..needed).ok_or_else(|| truncated(needed, data))?;
    let rgba = match format.encoding() {
        PixelFormat::PALETTE => {
            let palette = palette.ok_or(ReadErrorKind::NoPalette)?;
            let mut colors = palette.colors.map(|[r, g, b]| [r, g, b, 255]);
            if let Some(color) = hole.and_then(|index| colors.get_mut(usize::from(index))) {
                *color = [0; 4];
            }
            to_rgba(data.iter().map(|index| colors.get(usize::from(*index)).copied().unwrap_or_default()))
        }
        PixelFormat::RGB565 => to_rgba(words(data).map(rgb565)),
        PixelFormat::ARGB4444 => {
            to_rgba(words(data).map(|word| [8, 4, 0, 12].map(|shift: u16| widen(word >> shift & 15, 15))))
        }
        PixelFormat::RGB888 => to_rgba(data.as_chunks().0.iter().map(|[b, g, r]| [*r, *g, *b, 255])),
        _ => to_rgba(data.as_chunks().0.iter().map(|[b, g, r, a]| [*r, *g, *b, *a])),
    };
    let has_alpha = hole.is_some() || matches!(format.encoding(), PixelFormat::ARGB4444 | PixelFormat::ARGB8888);
    Ok(Image { size, rgba, has_alpha })
}

/// Returns the 16-bit numbers of an image.
fn words(data: &[u8]) -> impl Iterator<Item = u16> {
    data.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes))
}

/// Collects pixels whose number is known, in one allocation.
fn to_rgba(pixels: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    pixels.collect::<Vec<_>>().into_flattened()
}

pub(crate) fn truncated(needed: usize, data: &[u8]) -> ReadErrorKind {
    let (needed, available) = (needed as u64, data.len() as u64);
    mapwright_io::FaultKind::Truncated { needed, available }.into()
}

/// Returns red, green, blue and full opacity of a colour with 5, 6 and 5 bits.
pub(crate) fn rgb565(word: u16) -> [u8; 4] {
    [widen(word >> 11, 31), widen(word >> 5 & 63, 63), widen(word & 31, 31), 255]
}

/// Scales a number from 0 to `most` to 0 to 255, rounding down.
pub(crate) fn widen(number: u16, most: u16) -> u8 {
    let scaled = u32::from(number).saturating_mul(255).checked_div(most.into());
    scaled.and_then(|scaled| u8::try_from(scaled).ok()).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the pixel formats of skins in Conitec's page "Gamestudio file formats".
    #[test]
    fn encodings_and_flags_have_the_published_values() {
        use PixelFormat as P;
        let encodings = [P::PALETTE, P::SAME_AS, P::RGB565, P::ARGB4444, P::RGB888, P::ARGB8888, P::DDS, P::EXTERNAL];
        assert_eq!(encodings, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!([P::MIPMAPS, P::MATERIAL, P::EFFECT], [8, 16, 32]);
        let widths = encodings.map(|encoding| P(encoding).bytes_per_pixel());
        assert_eq!(widths, [Some(1), None, Some(2), Some(2), Some(3), Some(4), None, None]);
        assert!(P(29).has(P::MIPMAPS) && P(29).has(P::MATERIAL) && !P(29).has(P::EFFECT) && P(29).encoding() == 5);
    }

    fn rgba(encoding: u32, data: &[u8]) -> Vec<u8> {
        let palette = Palette::from_rgb(&[1, 2, 3, 4, 5, 6]);
        decode(PixelFormat(encoding), [2, 1], data, Some(&palette), None).unwrap().rgba
    }

    #[test]
    fn each_encoding_is_decoded() {
        assert_eq!(rgba(PixelFormat::PALETTE, &[1, 0]), [4, 5, 6, 255, 1, 2, 3, 255]);
        assert_eq!(rgba(PixelFormat::RGB565, &[0xe0, 0x07, 0x01, 0x08]), [0, 255, 0, 255, 8, 0, 8, 255]);
        assert_eq!(rgba(PixelFormat::ARGB4444, &[0x23, 0x41, 0xff, 0x0f]), [17, 34, 51, 68, 255, 255, 255, 0]);
        assert_eq!(rgba(PixelFormat::RGB888, &[3, 2, 1, 6, 5, 4]), [1, 2, 3, 255, 4, 5, 6, 255]);
        assert_eq!(rgba(PixelFormat::ARGB8888, &[3, 2, 1, 0, 6, 5, 4, 9]), [1, 2, 3, 0, 4, 5, 6, 9]);
    }

    #[test]
    fn invalid_images_are_rejected() {
        let decode = |size, data, palette| decode(PixelFormat(0), size, data, palette, None).unwrap_err().to_string();
        assert!(decode([0, 1], &[], None).starts_with("invalid image size 0×1"));
        assert!(decode([1 << 15, 1], &[0], None).starts_with("invalid image size 32768×1"));
        assert!(decode([1 << 14, 1 << 14], &[0], None).starts_with("invalid image size"));
        assert_eq!(decode([2, 1], &[0], None), "the input ends early: 2 bytes needed, 1 left");
        assert_eq!(decode([1, 1], &[0], None), "image needs a palette, but none was given");
    }

    #[test]
    fn black_becomes_transparent_only_without_opacity() {
        let mut image = Image { size: [2, 1], rgba: vec![0, 0, 0, 255, 0, 1, 0, 255], has_alpha: false };
        image.hide_black();
        assert_eq!((&*image.rgba, image.lowest_opacity()), (&[0, 0, 0, 0, 0, 1, 0, 255][..], 0));
        let mut image = Image { size: [1, 1], rgba: vec![0, 0, 0, 9], has_alpha: true };
        image.hide_black();
        assert_eq!((&*image.rgba, image.lowest_opacity()), (&[0, 0, 0, 9][..], 9));
    }
}
