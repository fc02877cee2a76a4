//! Texture archives: WAD2 and WAD7 of 3D Gamestudio, WAD2 of Quake, WAD3 of Half-Life.
//!
//! ```
//! # fn le(number: u32) -> [u8; 4] { number.to_le_bytes() }
//! # let name = *b"brick\0\0\0\0\0\0\0\0\0\0\0";
//! # let texture: Vec<u8> = [&name[..], &le(16), &le(16), &le(0), &[0; 12], &[7; 256]].concat();
//! # let palette = [9; 768];
//! # let entry = |at: usize, size: usize, kind: u8, name: &[u8; 16]| {
//! #     [&le(at as u32)[..], &le(size as u32), &le(size as u32), &[kind, 0, 0, 0], name].concat()
//! # };
//! # let end = 12 + texture.len() + 768;
//! # let file = [&b"WAD7"[..], &le(2), &le(end as u32), &texture, &palette,
//! #     &entry(12, texture.len(), 0, &name), &entry(12 + texture.len(), 768, 0x40, b"P\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")].concat();
//! use mapwright_acknex::wad::Wad;
//!
//! let wad = Wad::from_bytes(&file)?;
//! let brick = wad.texture(b"BRICK").unwrap();
//! assert_eq!(brick.size, [16, 16]);
//! assert_eq!(brick.image(None)?.rgba[..4], [9, 9, 9, 255]);
//! # Ok::<(), mapwright_acknex::ReadError>(())
//! ```

use mapwright_io::{Confidence, Context as _, FixedBytes, FormatInfo, Input, Position};

use crate::model::read_magic;
use crate::skin::{error_at, to_usize};
use crate::texture::{Texture, TextureHeader};
use crate::{Palette, PixelFormat, ReadError, ReadErrorKind};

/// Names and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("wad", "texture archive", &["wad"]);

/// Returns the likelihood that bytes are an archive. The first four suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if WadVersion::from_magic(bytes).is_some() { Confidence::Certain } else { Confidence::No }
}

/// An archive. Images are decoded on request.
#[derive(Debug, Clone, PartialEq)]
pub struct Wad<'a> {
    /// The version.
    pub version: WadVersion,
    /// The textures in the order of the directory. Other entries, such as fonts, are not listed.
    pub textures: Vec<Texture<'a>>,
    /// The palette of the archive, which its textures with 8 bits per pixel use.
    pub palette: Option<Palette>,
}

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WadVersion {
    /// WAD2: Quake, and 3D Gamestudio A4 to A6.
    Wad2,
    /// WAD3: Half-Life.
    Wad3,
    /// WAD7: 3D Gamestudio A7 and A8.
    Wad7,
}

impl WadVersion {
    fn from_magic(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.first_chunk()? {
            b"WAD2" => Self::Wad2,
            b"WAD3" => Self::Wad3,
            b"WAD7" => Self::Wad7,
            _ => return None,
        })
    }
}

/// Size of a directory entry in bytes.
const ENTRY: usize = 32;
/// Size of a palette in bytes.
const PALETTE_SIZE: usize = 768;

/// Entry type of palettes.
const PALETTE: u8 = 0x40;
/// Entry types of textures of WAD2 and WAD3: with an own palette, with the palette of the game, and with 16 bits per pixel.
const OWN_PALETTE: u8 = 0x43;
const GAME_PALETTE: u8 = 0x44;
const HIGH_COLOR: u8 = 0x54;

impl<'a> Wad<'a> {
    /// Reads the directory and the headers of the textures. A texture outside the file or with a damaged header has the size 0×0, and its
    /// image is an error.
    ///
    /// # Errors
    /// If the bytes are not an archive, or if the directory is not inside the file.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let found = read_magic(&mut input, "a texture archive")?;
        let Some(version) = WadVersion::from_magic(&found) else {
            let kind = ReadErrorKind::Magic { format: "a texture archive", found, expected: "WAD2, WAD3 or WAD7" };
            return Err(error_at(Position::file(0), kind));
        };
        let [count, start] = [input.u32_le()?, input.u32_le()?];
        let mut directory = Input::new(bytes);
        directory.take(to_usize(start)).in_field("directory")?;
        let count = directory.count(count.into(), ENTRY, "entries").in_field("directory")?;
        let entries = directory.take(count.saturating_mul(ENTRY))?.chunks_exact(ENTRY);
        let entries = || entries.clone().filter_map(|entry| Entry::new(bytes, entry));
        let palettes = entries().filter(|entry| entry.kind == PALETTE && entry.compression == 0);
        let palette = palettes.filter_map(|entry| entry.data?.get(..PALETTE_SIZE)).next();
        let textures = entries().filter_map(|entry| entry.texture(version, palette)).collect();
        Ok(Self { version, textures, palette: palette.map(Palette::from_rgb) })
    }

    /// Returns the first texture with a name, ignoring case.
    pub fn texture(&self, name: &[u8]) -> Option<&Texture<'a>> {
        self.textures.iter().find(|texture| texture.name.text().eq_ignore_ascii_case(name))
    }
}

/// An entry of the directory.
struct Entry<'a> {
    kind: u8,
    compression: u8,
    name: FixedBytes<16>,
    /// The bytes of the entry, if they are inside the file.
    data: Option<&'a [u8]>,
}

impl<'a> Entry<'a> {
    fn new(bytes: &'a [u8], entry: &[u8]) -> Option<Self> {
        let mut input = Input::new(entry);
        let [start, size] = [input.u32_le().ok()?, input.u32_le().ok()?].map(to_usize);
        input.take(4).ok()?;
        let [kind, compression, _, _] = input.array().ok()?;
        let name = FixedBytes { raw: input.array().ok()? };
        let data = bytes.get(start..).and_then(|rest| rest.get(..size));
        Some(Self { kind, compression, name, data })
    }

    /// Returns the texture of an entry, or `None` if the entry is something else.
    fn texture(&self, version: WadVersion, palette: Option<&'a [u8]>) -> Option<Texture<'a>> {
        let is_seven = version == WadVersion::Wad7;
        let is_texture = match self.kind {
            PALETTE => false,
            OWN_PALETTE | GAME_PALETTE | HIGH_COLOR => true,
            _ => is_seven,
        };
        if !is_texture {
            return None;
        }
        let damaged = |fault| Some(Texture::damaged(self.name, fault));
        if self.compression != 0 {
            return damaged("its entry is compressed");
        }
        let Some(data) = self.data else { return damaged("its entry is outside the file") };
        let Some(header) = TextureHeader::read(data) else { return damaged("its header is truncated") };
        if is_seven {
            // Entry types repeat the low byte of the pixel format. The largest image follows the header.
            let format = PixelFormat(header.word);
            let image = data.get(crate::texture::HEADER..).unwrap_or_default();
            return Some(header.texture(self.name, format, image).with_palette(palette));
        }
        let image = data.get(to_usize(header.word)..).unwrap_or_default();
        let size = header.size;
        let format = if self.kind == HIGH_COLOR { PixelFormat::RGB565 } else { PixelFormat::PALETTE };
        let own = if self.kind == OWN_PALETTE { own_palette(size, image) } else { None };
        // Quake engines do not draw the last colour of textures whose name begins with a brace.
        let hole = (format == PixelFormat::PALETTE && self.name.raw.starts_with(b"{")).then_some(u8::MAX);
        let texture = header.texture(self.name, PixelFormat(format | PixelFormat::MIPMAPS), image);
        Some(texture.with_palette(own.or(palette)).with_hole(hole))
    }
}

/// Returns the palette of a texture of WAD3. It follows the image, its three mipmaps and the number of colours.
fn own_palette([width, height]: [u32; 2], image: &[u8]) -> Option<&[u8]> {
    let texels = to_usize(width).checked_mul(to_usize(height))?;
    let mipmaps = [0, 2, 4, 6].iter().map(|shift| texels >> shift).fold(0, usize::saturating_add);
    let mut input = Input::new(image.get(mipmaps..)?);
    let colors = usize::from(input.u16_le().ok()?).min(256);
    input.take(colors.saturating_mul(3)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: entry types of WAD2 and WAD3 in Quake's and Half-Life's tools; 0x54 and 0x40 in archives of 3D Gamestudio.
    #[test]
    fn entries_have_the_published_types() {
        assert_eq!([PALETTE, OWN_PALETTE, GAME_PALETTE, HIGH_COLOR], [0x40, 0x43, 0x44, 0x54]);
        assert_eq!((ENTRY, PALETTE_SIZE, crate::texture::HEADER), (32, 768, 40));
    }
}
