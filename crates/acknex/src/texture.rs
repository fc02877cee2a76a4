//! Textures of archives and compiled levels.

use std::fmt;

use mapwright_io::{FixedBytes, Input, Position};

use crate::pixels::decode;
use crate::{Image, Palette, PixelFormat, ReadError, ReadErrorKind, dds};

/// The size of the header of a texture.
pub(crate) const HEADER: usize = 40;

/// A texture. Its image is decoded on request.
#[derive(Clone, PartialEq)]
pub struct Texture<'a> {
    /// The name. Archives compare it without case.
    pub name: FixedBytes<16>,
    /// Width and height. Both are 0 if the header is damaged.
    pub size: [u32; 2],
    /// The pixel format.
    pub format: PixelFormat,
    /// The image, with everything that follows it.
    data: &'a [u8],
    /// Red, green and blue of each index.
    palette: Option<&'a [u8]>,
    /// The index of transparent pixels.
    hole: Option<u8>,
    fault: Option<&'static str>,
}

impl fmt::Debug for Texture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        write!(f, "Texture({:?}, {width}×{height}, {})", self.name, self.format.name())
    }
}

impl<'a> Texture<'a> {
    /// Decodes the image without its mipmaps. `palette` is the palette of the level, for images with 8 bits per pixel from archives
    /// without a palette of their own.
    ///
    /// # Errors
    /// If the image is truncated, has an invalid size or an unknown encoding, or if its palette is missing.
    pub fn image(&self, palette: Option<&Palette>) -> Result<Image, ReadError> {
        let own = self.palette.map(Palette::from_rgb);
        let palette = own.as_ref().or(palette);
        let image = match self.fault {
            Some(fault) => Err(ReadErrorKind::Image(fault)),
            None => decode(self.format, self.size, self.data, palette, self.hole),
        };
        image.map_err(ReadError::without_position)
    }
}

/// The header of a texture.
pub(crate) struct TextureHeader {
    pub(crate) name: FixedBytes<16>,
    pub(crate) size: [u32; 2],
    /// The pixel format, or in WAD2 and WAD3 the offset of the image.
    pub(crate) word: u32,
}

impl TextureHeader {
    /// Reads the header of a texture. Returns `None` if it is truncated.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut input = Input::at_base(bytes.get(..HEADER)?, Position::file(0));
        let name = FixedBytes { raw: input.array().ok()? };
        let size = [input.u32_le().ok()?, input.u32_le().ok()?];
        Some(Self { name, size, word: input.u32_le().ok()? })
    }

    /// Creates the texture that the bytes after the header contain, with the name in the header.
    pub(crate) fn texture_with_own_name(self, format: PixelFormat, data: &[u8]) -> Texture<'_> {
        let name = self.name;
        self.texture(name, format, data)
    }

    /// Creates the texture that the bytes after the header contain.
    pub(crate) fn texture<'a>(self, name: FixedBytes<16>, format: PixelFormat, data: &'a [u8]) -> Texture<'a> {
        let mut texture = Texture { name, size: self.size, format, data, palette: None, hole: None, fault: None };
        if format.encoding() == PixelFormat::DDS {
            // The width is the number of bytes of the DDS file.
            let [length, _] = self.size;
            texture.data = data.get(..crate::skin::to_usize(length)).unwrap_or(data);
            texture.size = dds::size(texture.data).unwrap_or_default();
        }
        texture
    }
}

impl<'a> Texture<'a> {
    /// Creates a texture whose image is an error with the text `fault`.
    pub(crate) fn damaged(name: FixedBytes<16>, fault: &'static str) -> Self {
        let fault = Some(fault);
        Self { name, size: [0; 2], format: PixelFormat(0), data: &[], palette: None, hole: None, fault }
    }

    pub(crate) fn with_palette(mut self, palette: Option<&'a [u8]>) -> Self {
        self.palette = palette;
        self
    }

    pub(crate) fn with_hole(mut self, hole: Option<u8>) -> Self {
        self.hole = hole;
        self
    }
}
