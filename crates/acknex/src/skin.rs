//! Skins: the images and materials of models and terrains.

use mapwright_io::{FixedBytes, Input, Position};

use crate::pixels::{self, decode};
use crate::{Image, Palette, PixelFormat, ReadError, ReadErrorKind, dds};

/// A skin of a model or terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// The name; only MDL7 stores one.
    pub name: FixedBytes<16>,
    /// The pixel format with its flags.
    pub format: PixelFormat,
    /// The image.
    pub content: SkinContent,
    /// The material, if the skin has one.
    pub material: Option<Box<SkinMaterial>>,
    /// The name of an effect file, or the source text of an effect. Empty if there is none.
    pub effect: Vec<u8>,
}

/// The image of a skin.
#[derive(Clone, PartialEq, Eq)]
pub enum SkinContent {
    /// No image, only a material.
    Empty,
    /// Encoded pixels.
    Pixels {
        /// Width and height.
        size: [u32; 2],
        /// The pixels without mipmaps, as [`Skin::format`] encodes them.
        data: Vec<u8>,
    },
    /// A DDS file.
    Dds(Vec<u8>),
    /// The name of an image file, usually without a folder.
    External(Vec<u8>),
    /// The image of another skin of the file.
    SameAs(u32),
}

impl std::fmt::Debug for SkinContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Pixels { size, data } => write!(f, "Pixels({}×{}, {} bytes)", size[0], size[1], data.len()),
            Self::Dds(data) => write!(f, "Dds({} bytes)", data.len()),
            Self::External(name) => write!(f, "External(\"{}\")", mapwright_io::escape(name)),
            Self::SameAs(skin) => write!(f, "SameAs({skin})"),
        }
    }
}

/// The material of a skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinMaterial {
    /// Red, green and blue of reflected light. The fourth number is 0 in most files.
    pub diffuse: [f32; 4],
    /// Red, green and blue of reflected ambient light, and the opacity of the surface.
    pub ambient: [f32; 4],
    /// Red, green and blue of highlights.
    pub specular: [f32; 4],
    /// Red, green and blue of emitted light.
    pub emissive: [f32; 4],
    /// Exponent of highlights.
    pub power: f32,
}

impl SkinMaterial {
    /// Returns the opacity: the fourth number of [`ambient`](Self::ambient), in the range 0 to 1.
    pub fn opacity(&self) -> f32 {
        let opacity = self.ambient[3];
        if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 1.0 }
    }
}

impl Skin {
    /// Returns width and height of the image, or `None` if the file does not contain it.
    pub fn size(&self) -> Option<[u32; 2]> {
        match &self.content {
            SkinContent::Pixels { size, .. } => Some(*size),
            SkinContent::Dds(data) => dds::size(data),
            _ => None,
        }
    }

    /// Decodes the image. Returns `None` if the skin has no image of its own.
    ///
    /// # Errors
    /// If the image has an invalid size or unknown encoding, is truncated, or needs a palette and `palette` is `None`.
    pub fn image(&self, palette: Option<&Palette>) -> Result<Option<Image>, ReadError> {
        let image = match &self.content {
            SkinContent::Pixels { size, data } => decode(self.format, *size, data, palette, None),
            SkinContent::Dds(data) => dds::decode(data),
            _ => return Ok(None),
        };
        image.map(Some).map_err(ReadError::without_position)
    }
}

/// Returns the skin whose image a skin shows: the skin itself, or the one that it refers to.
pub(crate) fn resolve(skins: &[Skin], index: u32) -> Option<&Skin> {
    let get = |index: u32| skins.get(usize::try_from(index).ok()?);
    match get(index)?.content {
        SkinContent::SameAs(other) => get(other),
        _ => get(index),
    }
}

/// The longest name of an image file.
const MAX_NAME: u32 = 4096;

/// Reads a skin after its pixel format and size: image, mipmaps and, with `has_extras`, material and effect.
pub(crate) fn read_skin(
    input: &mut Input<'_>,
    format: PixelFormat,
    size: [u32; 2],
    name: FixedBytes<16>,
    has_extras: bool,
) -> Result<Skin, ReadError> {
    let content = read_content(input, format, size)?;
    let mut skin = Skin { name, format, content, material: None, effect: Vec::new() };
    if has_extras && format.has(PixelFormat::MATERIAL) {
        let mut colors = [[0.0; 4]; 4];
        for number in colors.iter_mut().flatten() {
            *number = input.f32_le()?;
        }
        let [diffuse, ambient, specular, emissive] = colors;
        skin.material = Some(Box::new(SkinMaterial { diffuse, ambient, specular, emissive, power: input.f32_le()? }));
    }
    if has_extras && format.has(PixelFormat::EFFECT) {
        let length = input.u32_le()?;
        skin.effect = input.take(to_usize(length))?.to_vec();
    }
    Ok(skin)
}

fn read_content(input: &mut Input<'_>, format: PixelFormat, size: [u32; 2]) -> Result<SkinContent, ReadError> {
    let [width, height] = size;
    let Some(bytes_per_pixel) = format.bytes_per_pixel() else {
        return Ok(match format.encoding() {
            PixelFormat::DDS => SkinContent::Dds(input.take(to_usize(width))?.to_vec()),
            PixelFormat::EXTERNAL => {
                if width > MAX_NAME {
                    let (asked, limit) = (width.into(), MAX_NAME.into());
                    let kind = mapwright_io::FaultKind::Limit { what: "length of an image name", asked, limit };
                    return Err(input.fault(kind).into());
                }
                SkinContent::External(text(input.take(to_usize(width))?).to_vec())
            }
            _ => SkinContent::SameAs(width),
        });
    };
    if (width == 0) != (height == 0) {
        return Err(error_at(input.position(), ReadErrorKind::ImageSize(size)));
    }
    if width == 0 {
        return Ok(SkinContent::Empty);
    }
    let data = input.take(byte_len(size, 0, bytes_per_pixel))?.to_vec();
    if format.has(PixelFormat::MIPMAPS) {
        let mipmaps = [1, 2, 3].map(|level| byte_len(size, level, bytes_per_pixel));
        input.take(mipmaps.into_iter().fold(0, usize::saturating_add))?;
    }
    Ok(SkinContent::Pixels { size, data })
}

/// Returns the number of bytes of a mipmap. Each level halves the sides of the image and rounds them down.
fn byte_len(size: [u32; 2], level: u32, bytes_per_pixel: u8) -> usize {
    let [width, height] = size.map(|side| to_usize(side.checked_shr(level).unwrap_or(0)));
    width.saturating_mul(height).saturating_mul(bytes_per_pixel.into())
}

/// Returns the bytes before the first NUL.
pub(crate) fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

pub(crate) fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn error_at(at: Position, kind: impl Into<ReadErrorKind>) -> ReadError {
    ReadError::new(kind.into(), at)
}

/// Returns the size of the first skin, for texture coordinates in texels. Returns `None` if it has no image of a valid size.
pub(crate) fn texel_size(skins: &[Skin]) -> Option<[f64; 2]> {
    let size = skins.first()?.size()?;
    pixels::check_size(size).ok()?;
    Some(size.map(f64::from))
}
