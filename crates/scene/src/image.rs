//! Images.

/// An image.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Image {
    /// The name; may be empty and may repeat.
    pub name: String,
    /// The pixels, the encoded file or the reference.
    pub source: ImageSource,
}

/// The content of an image, or a reference to it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ImageSource {
    /// Plain pixels.
    Pixels(Pixels),
    /// A whole image file.
    Encoded {
        /// Media type, such as `image/png`.
        media_type: String,
        /// The bytes.
        data: Vec<u8>,
    },
    /// Another file.
    External {
        /// The path as the source stores it, which may be an absolute path on another machine.
        path: String,
    },
}

/// Plain pixels with 8 bits per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pixels {
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
    /// The format of the bytes.
    pub format: PixelFormat,
    /// Rows from the top, pixels from the left, without padding.
    pub data: Vec<u8>,
}

impl Pixels {
    /// Returns the number of bytes for the size and format, or `None` if it does not fit a `usize`.
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
    /// Opacity only.
    A8,
    /// Grey, opacity.
    La8,
    /// Red, green, blue.
    Rgb8,
    /// Red, green, blue, opacity.
    Rgba8,
}

impl PixelFormat {
    /// Returns the number of bytes per pixel.
    pub const fn channels(self) -> usize {
        match self {
            Self::L8 | Self::A8 => 1,
            Self::La8 => 2,
            Self::Rgb8 => 3,
            Self::Rgba8 => 4,
        }
    }
}
