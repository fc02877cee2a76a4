//! Images.

/// A picture.
///
/// | in | |
/// |---|---|
/// | wings | an entry of `images`: pixels (stored bottom row first) or a file name |
/// | vmap, WMP, wrp | – (materials are references) |
/// | WWD | a reference to a tile image |
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Image {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// The picture itself, or where it is.
    pub source: ImageSource,
}

/// A picture, or where it is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ImageSource {
    /// Plain pixels.
    Pixels(Pixels),
    /// A whole image file.
    Encoded {
        /// Its type, such as `image/png`.
        media_type: String,
        /// Its bytes.
        data: Vec<u8>,
    },
    /// A file elsewhere.
    External {
        /// The path as the source spells it, which may be an absolute path of another machine.
        path: String,
    },
}

/// Plain pixels with 8 bits per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pixels {
    /// Pixels in a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// What the bytes are.
    pub format: PixelFormat,
    /// Rows from the top, pixels from the left, without padding.
    pub data: Vec<u8>,
}

impl Pixels {
    /// The number of bytes that the size and format ask for; `None` if it does not fit a `usize`.
    pub fn byte_len(&self) -> Option<usize> {
        let width = usize::try_from(self.width).ok()?;
        let height = usize::try_from(self.height).ok()?;
        width.checked_mul(height)?.checked_mul(self.format.channels())
    }
}

/// The channels of a pixel, one byte each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum PixelFormat {
    /// Grey.
    L8,
    /// Opacity alone.
    A8,
    /// Grey, opacity.
    La8,
    /// Red, green, blue.
    Rgb8,
    /// Red, green, blue, opacity.
    Rgba8,
}

impl PixelFormat {
    /// Bytes in a pixel.
    pub const fn channels(self) -> usize {
        match self {
            Self::L8 | Self::A8 => 1,
            Self::La8 => 2,
            Self::Rgb8 => 3,
            Self::Rgba8 => 4,
        }
    }
}
